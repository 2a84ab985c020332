#!/bin/bash
# What a handshake costs a gateway that is not ours: nginx, by its process, its name, a cgroup and two exporters, each held to the
# kernel's own account of nginx (schedstat) over the very storm that it was measured in. So it does not matter how busy the machine is.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
PATH=$PATH:/usr/sbin:/sbin:${XDG_CACHE_HOME:-$HOME/.cache}/loginstorm/unpacked

for one in nginx prometheus-node-exporter prometheus-process-exporter; do
    if ! command -v "$one" >/dev/null; then
        skip "$one is not there (tools/setup check)"
        good "nothing to be measured"
        finish
    fi
done
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout gw.key -out gw.pem -days 2 -subj /CN=gw.example \
    -addext subjectAltName=DNS:gw.example 2>/dev/null

# free_port: one that nobody has; a moment later somebody may, so whoever takes it is tried again
free_port() { /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
# shellcheck disable=SC2317
answers() { curl -sf -o "$TMP/probe" "$1"; }

# background NAME COMMAND...: a server in a group of its own
background() {
    local name=$1

    shift
    setsid "$@" >"$name.log" 2>&1 </dev/null &
    started+=($!)
    disown
}

# The name of its processes is nobody else's on this machine, so that other tests' nginx do not count.
name=ls-gw-$$
ln -s "$(command -v nginx)" "$name"
port=$(free_port)
cat >nginx.conf <<END
daemon off; pid nginx.pid; error_log nginx.err; worker_processes 2;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
    server {
        listen 127.0.0.1:$port ssl; ssl_certificate gw.pem; ssl_certificate_key gw.key; ssl_protocols TLSv1.3; ssl_session_tickets off;
        location / { return 200 "ok"; }
    }
}
END
[ "$(id -u)" -ne 0 ] || sed -i '1s/^/user root; /' nginx.conf
background nginx "$PWD/$name" -p "$PWD" -c "$PWD/nginx.conf" -e nginx.err
# shellcheck disable=SC2317
nginx_listens() { [ -s nginx.pid ] && [ "$(pgrep -c -P "$(cat nginx.pid)")" -eq 2 ]; }
patiently nginx_listens || bad "nginx starts" "two workers" "$(cat nginx.log nginx.err)"
master=$(cat nginx.pid)

cat >base.yaml <<END
loginstorm: 1
users: 800
seed: 7
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform, placement: even}
populations: [{name: all, connections: 1, tls: {server_name: gw.example}}]
login: {hold: none, request: {send: 200B, receive: 100B}}
gateway: {target: "127.0.0.1:$port", trust: gw.pem, cpu: CPU}
pace: {speedup: 1200}
END

# all_of_nginx: CPU that its processes have taken, in ns: the clocks of those that live, and what the master's account of children has of
# those that ended (in ticks)
all_of_nginx() {
    local pid sum=0 ran line

    for pid in "$master" $(pgrep -P "$master"); do
        { read -r ran _ <"/proc/$pid/schedstat"; } 2>/dev/null || continue
        sum=$((sum + ran))
    done
    read -r line <"/proc/$master/stat"
    line=${line##*) }
    # shellcheck disable=SC2086
    set -- $line
    printf '%s\n' $((sum + (${14} + ${15}) * 1000000000 / $(getconf CLK_TCK)))
}

# percent NAME NS: CPU per handshake as that result has it, of what it was
percent() { of "$1" '.runs[0].gateway.cpu_us_per_handshake.total // 0' | awk -v ns="$2" '{ print $1 * 1000 * 800 / ns * 100 }'; }

# measured NAME SOURCE CPU [WITHIN]: a storm with that under gateway.cpu; what it says a handshake cost is held to nginx's own account
measured() {
    local name=$1 source=$2 before after within=${4:-5} # the first look at the gateway is in nginx's account, too

    sed "s|CPU|$3|" base.yaml >"$name.yaml"
    before=$(all_of_nginx)
    call run "$name.yaml" --out "$name"
    after=$(all_of_nginx)
    is "$name: it ends well, or only noise disturbs it" "$status" 0 98
    is "$name: everybody logged in, and the source is named" "$(of "$name" '.runs[0] | "\(.logins.logged_in) \(.gateway.source)"')" "800 $source"
    between "$name: CPU per handshake is what nginx took, in %" \
        "$(percent "$name" $((after - before)))" $((100 - within)) $((100 + within))
    printf '    %s: %s us a handshake, nginx itself %s\n' "$name" "$(of "$name" '.runs[0].gateway.cpu_us_per_handshake.total')" \
        "$(awk -v ns=$((after - before)) 'BEGIN { printf "%.1f", ns / 800 / 1000 }')"
    has "$name: what was there before is said" "$err" "reading what the gateway's CPU does before the storm: "
    matches "$name: and that it is subtracted" "$(of "$name" '.notes[]')" 'before the storm the gateway took .* % of a core .* so much is subtracted'
}

measured pid process "{from: process, pid: $master}"
has "children are in it" "$(of pid '.notes[]')" "the gateway's CPU is that of process $master and its children, 3 at once at most; it is divided by the handshakes that came through"
is "the timeline knows it, too" "$(of pid '[.runs[0].timeline[].gateway_cpu_share | select(. != null and . > 0)] | length > 10')" true
measured name process "{from: process, process: $name}"

# Workers that are replaced in the midst of the storm: the old ones keep what they had, the new ones count from their beginning.
# shellcheck disable=SC2317
goes_on() { [ $(($(all_of_nginx) - before)) -gt 30000000 ]; }
sed "s|CPU|{from: process, pid: $master}|" base.yaml >reload.yaml
before=$(all_of_nginx)
launch reload run reload.yaml --out reload
patiently goes_on
kill -HUP "$master"
ended "$pid"
is "reload: it ends well, or only noise disturbs it" "$status" 0 98
between "reload: CPU per handshake is what all of nginx took, old workers and new ones, in %" \
    "$(percent reload $(($(all_of_nginx) - before)))" 88 112
holds "reload: there were more processes than before" "$(of reload '.notes[]' | sed -n 's/.*children, \([0-9]*\) at once at most.*/\1/p') > 3"

# A cgroup of its own, where this machine lets us have one.
mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
cgroup=$mount/ls-$$
# shellcheck disable=SC2317
leave_cgroup() {
    clean
    patiently rmdir "$cgroup"
}
if [ -n "$mount" ] && mkdir "$cgroup" 2>/dev/null; then
    trap leave_cgroup EXIT
    for one in "$master" $(pgrep -P "$master"); do echo "$one" >"$cgroup/cgroup.procs"; done
    measured cgroup cgroup "{from: cgroup, path: ls-$$}"
    has "cgroup: it is named" "$(of cgroup '.notes[]')" "the gateway's CPU is that of cgroup ls-$$"
else
    skip "a cgroup of our own (root, and cgroup v2)"
fi
call run base.yaml --out never --set "gateway.cpu={from: cgroup, path: no/such.slice}"
is "no such cgroup: refused before the storm" "$status $(ls -d never/result.json 2>/dev/null)" "65 "
has "in its words" "$err" "no/such.slice is no cgroup v2 of this machine"
call run base.yaml --out never --set "gateway.cpu={from: process, process: nobody-$$}"
is "no such process: refused before the storm" "$status" 65
has "in its words, too" "$err" "no process of the name \"nobody-$$\" runs on this machine"

# process-exporter reads nginx's ticks of 10 ms.
cat >groups.yaml <<END
process_names: [{name: "{{.Comm}}", comm: [$name]}]
END
groups=$(free_port)
background process-exporter prometheus-process-exporter -config.path groups.yaml -web.listen-address "127.0.0.1:$groups"
patiently answers "http://127.0.0.1:$groups/metrics" || bad "process-exporter answers" "metrics" "$(cat process-exporter.log)"
measured group exporter "{from: exporter, url: \"http://127.0.0.1:$groups/metrics\", process: $name}" 10
call run group.yaml --out nobody --set gateway.cpu.process=nobody
is "a process that the exporter does not know: refused before the storm" "$status $(ls -d nobody/result.json 2>/dev/null)" "65 "
has "in its words" "$err" "gateway.cpu: the exporter "

# node_exporter counts a whole machine. Here it is one on which nothing but nginx runs: its /proc/stat is made of nginx's ticks, as a
# container's is made of the container's.
mkdir proc
cat >machine.py <<'END'
import os, sys, time
master, folder = sys.argv[1], sys.argv[2]
def ticks(pid):
    with open(f"/proc/{pid}/stat") as f:
        return [int(x) for x in f.read().rsplit(")", 1)[1].split()[11:15]]
while True:
    user = system = 0
    with open(f"/proc/{master}/task/{master}/children") as f:
        children = f.read().split()
    for pid in [master] + children:
        try:
            t = ticks(pid)
        except OSError:
            continue
        user, system = user + t[0], system + t[1]
        if pid == master:
            user, system = user + t[2], system + t[3]
    line = f"{user} 0 {system} {int(time.monotonic() * 100)} 0 0 0 0 0 0"
    with open(folder + "/new", "w") as f:
        f.write(f"cpu  {line}\ncpu0 {line}\nintr 0\nctxt 0\nbtime 1000000000\nprocesses 1\nprocs_running 1\nprocs_blocked 0\n")
    os.rename(folder + "/new", folder + "/stat")
    time.sleep(0.05)
END
background machine /usr/bin/python3 machine.py "$master" proc
patiently test -s proc/stat
node=$(free_port)
background node prometheus-node-exporter --path.procfs proc --collector.disable-defaults --collector.cpu --collector.stat \
    --collector.time --web.listen-address "127.0.0.1:$node"
node_group=${started[-1]}
patiently answers "http://127.0.0.1:$node/metrics" || bad "node_exporter answers" "metrics" "$(cat node.log)"
measured node exporter "{from: exporter, url: \"http://127.0.0.1:$node/metrics\"}" 10
has "node: what else runs there is in it" "$(of node '.notes[]')" "whatever else runs on the gateway's machine is in its CPU"
lacks "node: that is another machine, so nothing of ours is taken off" "$(of node '.notes[]')" "our own processes"
matches "node: its clock is held to ours" "$(of node '.notes[]')" "the exporter's clock is [0-9.]+ (µs|ms) (ahead of|behind) ours \(by node_time_seconds\)"

# The machine that it really is, with us and whatever else runs on it: what cannot be told is no figure, and never a zero.
real=$(free_port)
background real prometheus-node-exporter --collector.disable-defaults --collector.cpu --collector.stat --web.listen-address "127.0.0.1:$real"
real_group=${started[-1]}
patiently answers "http://127.0.0.1:$real/metrics" || bad "node_exporter answers" "metrics" "$(cat real.log)"
sed "s|CPU|{from: exporter, url: \"http://127.0.0.1:$real/metrics\"}|" base.yaml >real.yaml
call run real.yaml --out real
is "real: it ends well, or only noise disturbs it" "$status" 0 98
is "real: a figure, or none" "$(of real '.runs[0].gateway.cpu_us_per_handshake.total | . == null or . > 0')" true
has "real: what our own processes took is taken off" "$(of real '.notes[]')" "but for our own processes, which run there, too"
is "real: without a figure it says why" \
    "$(of real '(.runs[0].gateway.cpu_us_per_handshake.total != null) or (.notes | any(test("took no more CPU than before the storm")))')" true

# One that hangs, and somebody who does not want to wait for it.
before=$(all_of_nginx)
launch hangs run real.yaml --out hangs
patiently goes_on
kill -STOP -- "-$real_group"
kill -INT "$pid"
ended "$pid"
is "hangs: the run ends all the same" "$status" 130
is "hangs: what was measured is kept, CPU is not known" "$(of hangs '.runs[0] | "\(.partial) \(.gateway.source) \(.gateway.cpu_us_per_handshake.total)"')" \
    "true exporter null"
kill -CONT -- "-$real_group"

# An exporter that dies in the midst of the storm.
sed "s|CPU|{from: exporter, url: \"http://127.0.0.1:$node/metrics\"}|" base.yaml >dies.yaml
before=$(all_of_nginx)
launch dies run dies.yaml --out dies
patiently goes_on
kill -KILL -- "-$node_group" 2>/dev/null
ended "$pid"
is "dies: it ends well, or only noise disturbs it" "$status" 0 98
is "dies: everybody logged in, and CPU is not known rather than 0" \
    "$(of dies '.runs[0] | "\(.logins.logged_in) \(.gateway.source) \(.gateway.cpu_us_per_handshake.total)"')" "800 exporter null"
matches "dies: from when on, and why" "$(of dies '.notes[]')" "the gateway's CPU is not known from .* of the run on: http://127.0.0.1:$node/metrics: "
call run dies.yaml --out never
is "an exporter that is not there: refused before the storm" "$status" 69
has "in its words" "$err" "gateway.cpu: http://127.0.0.1:$node/metrics: "
finish
