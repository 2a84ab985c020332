#!/bin/bash
# loginstorm gateway --workers: processes that share a port, what they counted in all, and what an exporter tells of them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
if [ "$(nproc)" -lt 2 ]; then
    skip "two workers have a core each, and here is one"
    good "nothing to do on one core"
    finish
fi

# stand NAME OPTION...: two of them on a port that the kernel chooses, as $pid and $port, with an exporter at $metrics
stand() {
    local name=$1

    shift
    launch "$name" gateway --listen 127.0.0.1:0 --trust "$name.pem" --workers 2 --metrics 127.0.0.1:0 "$@"
    patiently grep -q 'Ctrl-C ends it' "$name.out"
    port=$(sed -n 's/.* on 127\.0\.0\.1:\([0-9]*\); Ctrl-C ends it$/\1/p' "$name.out")
    metrics=$(sed -n 's/^metrics on \(http[^,]*\),.*/\1/p' "$name.out")
}

# counted NAME: secured handshakes of worker 1, of worker 2 and of both, as they were told at the end
counted() { sed -n 's/^\(worker [0-9] on core [0-9]*: \)\{0,1\}[0-9]* connections, \([0-9]*\) secured.*/\2/p' "$1.out" | tr '\n' ' '; }

# told METRIC: its values, added up, in billionths
told() { curl -sS "$metrics" | awk -v name="$1" 'index($1, name "{") == 1 { sum += $2 } END { printf "%.0f\n", sum * 1e9 }'; }
cpu=namedprocess_namegroup_cpu_seconds_total

storm() {
    scenario "$1.yaml" 'users: 300' "gateway: {target: \"127.0.0.1:$port\", trust: two.pem, first_look: no, cpu: {from: exporter, url: \"$metrics\", process: loginstorm-gateway}}" \
        'populations: [{name: all, tls: {server_name: localhost}}]' 'login: {hold: none}'
    sed -i '/^certificates/d' "$1.yaml"
    call run "$1.yaml" --out "$1"
}

stand two
is "each worker has a core of its own" "$(for worker in $(children "$pid" gateway); do taskset -cp "$worker" | sed 's/.*: //'; done | sort -u | wc -l)" 2
storm together
is "everybody gets in" "$(of together '.runs[0].logins.logged_in')" 300
is "the gateway's CPU is read from its exporter" "$(of together '.runs[0].gateway | "\(.source) \(.cpu_us > 0)"')" "exporter true"
is "the exporter counts the users' handshakes" "$(told loginstorm_gateway_handshakes_total)" "$(of together '.runs[0].handshakes.full')000000000"
before=$(told "$cpu")
curl -sS --cacert two.pem "https://localhost:$port/bytes/60000" >/dev/null
holds "its clock goes up" "$(told "$cpu") > $before"
if command -v promtool >/dev/null; then
    is "it is text that Prometheus takes" "$(curl -sS "$metrics" | promtool check metrics 2>&1)" ""
fi
printf 'nonsense\r\n\r\n' | timeout 20 bash -c "exec 3<>/dev/tcp/${metrics#http://127.0.0.1:}" 2>/dev/null
kill -INT "$pid"
ended "$pid"
is "Ctrl-C ends it with exit status 0" "$status$(cat two.err)" 0
read -r one other both < <(counted two)
is "what the workers counted is what was told in all" "$((one + other))" "$both"
is "which is what the users count, and curl" "$both" "$(($(of together '.runs[0].handshakes.full') + 1))"
holds "both had some" "$one > 0 && $other > 0"

stand one --tickets
mv one.pem two.pem
victim=$(children "$pid" gateway | head -n 1)
kill -KILL "$victim"
patiently grep -q 'died' one.err
matches "one that dies is told at once, and what it means" "$(cat one.err)" 'worker 1 on core [0-9]+ died \(signal 9\), with its connections; the others go on'
before=$(told "$cpu")
storm alone
is "the other one serves everybody" "$(of alone '.runs[0].logins.logged_in')" 300
holds "what the dead one took is still in the sum" "$(told "$cpu") > $before && $before > 0"
kill -TERM "$pid"
ended "$pid"
is "the exit status says that one died" "$status" 70
has "and so do the words" "$(cat one.err)" "1 of 2 workers died (worker 1 by signal 9)"
has "behind its counts" "$(grep '^worker 1' one.out)" "(died: signal 9; counted until then)"
read -r dead living both < <(counted one)
is "nobody is lost or counted twice" "$dead $living $both" "0 300 300"

stand orphans
workers=$(children "$pid" gateway)
kill -KILL "$pid"
ended "$pid"
gone() { for worker in $workers; do [ ! -e "/proc/$worker/exe" ] || return 1; done; }
patiently gone
is "whose conductor is killed ends too" "$(gone; echo $?)" 0

# refused STATUS PART OPTION...
refused() {
    local expected=$1 part=$2

    shift 2
    timeout 120 "$BIN" gateway --listen 127.0.0.1:0 "$@" >out 2>err
    is "gateway $*: exit status $expected" "$?" "$expected"
    has "gateway $*: says why" "$(cat err)" "$part"
    is "gateway $*: does not pretend to stand" "$(cat out)" ""
}
refused 64 "--workers: 0 is out of range" --workers 0
refused 64 "--workers: 100000 is out of range" --workers 100000
refused 64 "--core: 2 workers have a core each" --workers 2 --core 0
refused 64 '--metrics: "9256" is not ADDRESS:PORT' --metrics 9256
refused 73 '--metrics: cannot listen on 192.0.2.1:9256' --metrics 192.0.2.1:9256
refused 73 'cannot listen on 192.0.2.1:8443' --workers 2 --listen 192.0.2.1:8443
finish
