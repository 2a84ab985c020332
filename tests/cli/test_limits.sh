#!/bin/bash
# Limits of our own that a storm meets while it runs: descriptors, ports, memory. They are ours in the report, no failure of the gateway's, and
# what was measured is not to be used.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# ours NAME REASON...: the run NAME ended by one of these alone, and says what that makes of it
ours() {
    local name=$1

    shift
    is "$name: exit status 98, or why it could not even end" "$status$(grep -h error "$name.err")" 98
    is "$name: users = logged in + failed" "$(of "$name" '.runs[0].logins | .total == .logged_in + .failed + .cut_off')" true
    is "$name: the only reason is ours" "$(of "$name" '[.runs[0] | .logins.by_reason, .handshakes.by_reason | keys[]] | unique | join(" ")')" "$@"
    holds "$name: somebody met it" "$(of "$name" .runs[0].logins.failed) > 0"
    holds "$name: others did not" "$(of "$name" .runs[0].logins.logged_in) > 0"
    is "$name: the measurement is void" "$(of "$name" .runs[0].validity.verdict)" invalid
    has "$name: in words" "$(of "$name" '.runs[0].validity.reasons[]')" "descriptors, ports or memory of the injector, not the gateway"
}

scenario small.yaml 'users: 40' 'pace: {speedup: 60}' 'login: {timeouts: {connect: 5s, handshake: 5s, login: 9s}}' 'certificates: [{key: ecdsa-p256}]'

# What a kernel says that has no more of it (EMFILE 24, EADDRNOTAVAIL 99, ENOBUFS 105, ENOMEM 12), from the tenth call on.
if grep -q __asan_init "$BIN"; then
    skip "calls that fail in earnest: a sanitizer has malloc"
else
    for row in "socket 24 own_descriptors" "connect 99 own_ports" "connect 105 own_memory"; do
        read -r name error reason <<<"$row"
        LD_PRELOAD=$TORTURE LS_TORTURE="injector-process $name 10 on $error" LS_TORTURE_LOG=$TMP/log "$BIN" run small.yaml --out "$reason" --quiet >out 2>"$reason.err"
        status=$?
        ours "$reason" "$reason"
    done
fi

# A limit of open files that somebody lowers meanwhile.
scenario held.yaml 'users: 200' 'pace: {speedup: 10}' 'certificates: [{key: ecdsa-p256}]'
launch lowered run held.yaml --out lowered --quiet
under_way "$pid" 20
prlimit --pid "$(children "$pid" injector-process)" --nofile=50
ended "$pid"
ours lowered own_descriptors

# Local ports, in a network namespace that has few.
# few COMMAND...: there, on a loopback of its own: 16 ports, of which two are free
few() {
    # shellcheck disable=SC2016
    unshare --net sh -c 'ip link set lo up && cd /proc/sys/net/ipv4 && echo "40001 40016" >ip_local_port_range && echo "40001-40014" >ip_local_reserved_ports &&
        cd "$OLDPWD" && exec "$@"' sh "$@"
}
if ! few true 2>/dev/null; then
    skip "few ports: no network namespace may be made here"
    finish
fi
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout gw.key -out gw.pem -days 2 -subj /CN=gw.example \
    -addext subjectAltName=DNS:gw.example 2>/dev/null
scenario ports.yaml 'users: 40' 'pace: {speedup: 10}' 'populations: [{name: all, tls: {server_name: gw.example}}]' 'login: {hold: 1s}'
sed -i '/^certificates/d' ports.yaml
# The first one finds two ports; the second one a hundred, of which all but two are taken away while it is under way.
# shellcheck disable=SC2016
few sh -c '"$1" gw.pem gw.key fine >serve.txt 2>&1 </dev/null & server=$!
    until grep -q "^port" serve.txt; do sleep 0.05; done
    run() { out=$1 target=$2; shift 2; "$0" run ports.yaml --out "$out" --quiet --set "gateway={target: \"$target\", trust: gw.pem, first_look: no}" "$@" 2>"$out.err"; echo $? >"$out.status"; }
    run refused "[::1]:8443"
    cd /proc/sys/net/ipv4; echo "40001 40100" >ip_local_port_range; echo >ip_local_reserved_ports; cd "$OLDPWD"
    run ports "127.0.0.1:$(sed -n "s/^port //p" serve.txt)" &
    echo $! >run.pid
    until [ -e now ]; do sleep 0.05; done
    echo "40003-40100" >/proc/sys/net/ipv4/ip_local_reserved_ports
    wait $!
    kill $server' "$BIN" "$FAULT_GATEWAY" >out 2>&1 &
pid=$!
patiently [ -s run.pid ]
patiently has_children "$(cat run.pid)" run 1
storm=$(children "$(cat run.pid)" run)
patiently has_children "$storm" injector-process 1
patiently has_open_sessions "$(children "$storm" injector-process)" 6
touch now
wait "$pid"
status=$(cat ports.status)
ours ports own_ports
is "more at once than there are ports: refused before" "$(cat refused.status)" 70
matches "with what to do, those that the kernel keeps left out" "$(cat refused.err)" "may hold 40 connections open at once, but the local ports of 1 target addresses are enough for 2: widen net.ipv4.ip_local_port_range"
finish
