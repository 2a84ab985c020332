#!/bin/bash
# A gateway that is not ours: on this machine as it is, on another only where somebody permits it. The other machine is a network
# namespace; nothing leaves this one.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout gw.key -out gw.pem -days 2 -subj /CN=gw.example \
    -addext subjectAltName=DNS:gw.example 2>/dev/null

# scenario NAME TARGET ALLOW [USERS [SECONDS [LOGIN]]]
scenario() {
    cat >"$1.yaml" <<END
loginstorm: 1
users: ${4:-20}
seed: 7
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform, placement: even}
populations: [{name: all, connections: 1}]
login: ${6:-{hold: none, request: {send: 200B, receive: 100B\}\}}
gateway: {target: "$2", trust: gw.pem${3:+, allow: {$3\}}}
pace: {speedup: $((3600 / ${5:-2}))}
END
}
# listens: the server has said so
# shellcheck disable=SC2317
listens() { grep -q '^ACCEPT' serve.txt; }
# serve ADDRESS:PORT IN...: openssl's own little web server; port 0: one that the kernel chooses
serve() {
    local where=$1

    shift
    : >serve.txt
    setsid "$@" openssl s_server -accept "$where" -cert gw.pem -key gw.key -www >serve.txt 2>&1 </dev/null &
    started+=($!)
    disown
    patiently listens || bad "a server listens at $where" "a port" "$(cat serve.txt)"
}

# On this machine.
serve 127.0.0.1:0
port=$(sed -n 's/^ACCEPT .*://p' serve.txt)
scenario here "127.0.0.1:$port" ''
sed -i 's/{name: all, connections: 1}/{name: all, connections: 1, tls: {server_name: gw.example}}/' here.yaml
call run here.yaml --out here
is "a gateway on this machine: it ends well, or only noise disturbs it" "$status" 0 98
is "everybody logged in" "$(jq -r '.runs[0].logins | "\(.total) \(.logged_in)"' here/result.json)" "20 20"
is "by a full handshake each, verified by the CA under trust" "$(jq -r '.runs[0].handshakes.full' here/result.json)" 20
is "whose CPU nobody knows" "$(jq -c '.runs[0].gateway | [.source, .cpu_us_per_handshake.total]' here/result.json)" '["none",null]'
is "the result says where it went" "$(jq -r .target here/result.json)" "127.0.0.1:$port"
has "and so does the report" "$out" "gateway: outside, 127.0.0.1:$port"
has "in words, too" "$(jq -r '.notes[]' here/result.json)" "the storm went to 127.0.0.1:$port (127.0.0.1), on this machine"
call run here.yaml --out again --set gateway.trust=nowhere.pem
is "a CA's file that is not there is known before the storm" "$status" 66
is "before anything is made of it" "$(ls -d again 2>/dev/null)" ""
sed 's/, trust: gw.pem//' here.yaml >system.yaml
call run system.yaml --out system --set gateway.first_look=no
is "the system's CAs do not know it" "$(jq -r '.runs[0].logins.by_reason.certificate_rejected' system/result.json)" 20
call run here.yaml --out closed --set "gateway.target=127.0.0.1:1" --set gateway.first_look=no
is "nobody listens" "$(jq -r '.runs[0].logins.by_reason.connect_refused' closed/result.json)" 20
call run here.yaml --out never --set "gateway.target=nobody.invalid:443"
is "a name without an address is not reached" "$status" 69
matches "and says so" "$err" 'gateway.target: nobody.invalid: '

call calibrate here.yaml -o never.json
is "a calibration wants to read its CPU" "$status" 65
has "and says so" "$err" "gateway.cpu: what a handshake costs"
has "and how our own is measured" "$err" "--set gateway.target=embedded"

# On another one.
# In a chroot no name can be given an address of its own.
if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>/dev/null || ! ip netns add "ls-$$-a" 2>/dev/null; then
    skip "the guard rails in network namespaces want root, and mounts of their own"
    finish
fi
a=ls-$$-a b=ls-$$-b
# shellcheck disable=SC2317
leave_namespaces() {
    clean
    ip netns delete "$a" 2>/dev/null
    ip netns delete "$b" 2>/dev/null
}
trap leave_namespaces EXIT
ip netns add "$b"
ip -n "$a" link add va type veth peer name vb netns "$b"
ip -n "$a" addr add 192.0.2.1/24 dev va
ip -n "$b" addr add 192.0.2.2/24 dev vb
ip -n "$b" addr add 192.0.2.3/24 dev vb
for one in "$a" "$b"; do ip -n "$one" link set lo up; done
ip -n "$a" link set va up
ip -n "$b" link set vb up
serve 192.0.2.2:8443 ip netns exec "$b"
printf '127.0.0.1 localhost\n192.0.2.2 gw.example\n192.0.2.3 moved.example\n' >hosts

# there OPTION...: run in that namespace, with those hosts
# shellcheck disable=SC2016
there() {
    ip netns exec "$a" unshare --mount sh -c 'mount --bind "$0" /etc/hosts && exec "$@"' "$TMP/hosts" "$BIN" "$@" >there.out 2>there.err </dev/null
    status=$?
    out=$(cat there.out) err=$(cat there.err)
}
# refused SENTENCE STATUS PART OPTION...
refused() {
    local sentence=$1 code=$2 part=$3

    shift 3
    there run "$@" --out never
    is "$sentence: refused" "$status" "$code"
    has "$sentence: in its words" "$err" "$part"
    is "$sentence: before anything is made" "$(ls -d never 2>/dev/null)" ""
}
today=$(date +%F)
good='addresses: [192.0.2.2], authorised_by: "J. Doe, change 4711", until: 2099-12-31'
scenario none gw.example:8443 ''
refused "nobody permits it" 65 'gw.example:8443 is 192.0.2.2, which is another machine, and nobody permits a storm there' none.yaml --allow-outside
scenario old gw.example:8443 'addresses: [192.0.2.2], authorised_by: "J. Doe, change 4711", until: 2026-01-31'
refused "the permission is over" 65 "the permission of J. Doe, change 4711 ended with 2026-01-31, and today is $today" old.yaml --allow-outside
scenario moved moved.example:8443 "$good"
refused "the name leads elsewhere" 65 'moved.example:8443 is 192.0.2.3, which gateway.allow.addresses does not name' moved.yaml --allow-outside
scenario well gw.example:8443 "$good"
refused "the command line does not say it" 64 '--allow-outside' well.yaml
scenario dense gw.example:8443 "$good, max_connections_per_s: 9"
refused "more than the cap a second" 65 'at most 9 new connections in a second, and this storm would bring 1' dense.yaml --allow-outside
scenario open gw.example:8443 "$good, max_open: 19"
refused "more than the cap at once" 65 'at most 19 open connections, and this storm may hold 20' open.yaml --allow-outside --set login.hold=until_end
scenario long gw.example:8443 "$good, max_duration: 31s"
refused "longer than the cap" 65 'is stormed for 31.0 s at most, and this storm may take' long.yaml --allow-outside
scenario huge gw.example:8443 "$good, max_connections_per_s: 1000000" 4000 2
refused "a scenario cannot raise the cap" 65 'at most 1000 new connections in a second' huge.yaml --allow-outside

there run well.yaml --allow-outside --out well
is "permitted: it ends well, or only noise disturbs it" "$status" 0 98
is "everybody logged in" "$(jq -r '.runs[0].logins.logged_in' well/result.json)" 20
has "who authorised it stands in the result" "$(jq -r '.notes[]' well/result.json)" \
    'the storm went to gw.example:8443 (192.0.2.2), authorised by J. Doe, change 4711 until 2099-12-31; caps: 1000 new connections in a second'

there run well.yaml --allow-outside --out never --set gateway.target=gw.example:8444
is "the first look goes there, too" "$status" 69
has "and says what it met" "$err" "gateway.target: gw.example:8444 (192.0.2.2) refuses connections"

# Each of 10 a second fails and comes again, at most 12 may begin: the rest are held, as our own limit.
scenario held gw.example:8444 "$good, max_connections_per_s: 12" 20 2 \
    '{hold: none, retry: {attempts: 5, wait: 100ms, factor: 1, jitter: none}}'
there run held.yaml --allow-outside --out held --set gateway.first_look=no
is "retries above the cap are held" "$(jq -r '.runs[0].handshakes.by_reason.own_cap // 0 | . == 0' held/result.json) $(jq -r '.runs[0].logins.by_reason | has("own_cap")' held/result.json)" "true true"
is "no second has more than the cap" "$(awk -F, 'NR > 1 { t[n++] = $5 } END { for (i = 12; i < n; i++) if (t[i] - t[i - 12] < 1e9) bad++; print bad + 0 }' <(head -n 1 held/handshakes.csv; tail -n +2 held/handshakes.csv | sort -t, -n -k5))" 0
is "which makes the measurement none of the gateway's" "$(jq -r '.runs[0].validity.verdict' held/result.json)" invalid

refused "a shard's part of the cap" 65 'at most 12 new connections in a second, so 1 by each of 7 injectors in all, and one of them would bring 2' \
    held.yaml --allow-outside --shard 1/7
there run held.yaml --allow-outside --out part --set gateway.first_look=no --shard 2/2
is "a shard holds its part, which is half of it" "$(awk -F, 'NR > 1 { t[n++] = $5 } END { for (i = 6; i < n; i++) if (t[i] - t[i - 6] < 1e9) bad++; print bad + 0 }' <(head -n 1 part/handshakes.csv; tail -n +2 part/handshakes.csv | sort -t, -n -k5))" 0
is "the rest are held, as a limit of ours" "$(of part '.runs[0].logins.by_reason | has("own_cap")')" true

# The dead man's switch.
scenario dead gw.example:8444 "$good" 300 30 '{hold: none}'
there run dead.yaml --allow-outside --out dead --set gateway.first_look=no
is "a gateway that fails everybody ends the storm" "$status" 69
has "and is named" "$err" "more than half of the logins of the last ten seconds failed"
is "after ten seconds, not after thirty" "$(jq -r '.runs[0].logins | .failed >= 95 and .failed <= 150 and .failed + .cut_off == 300' dead/result.json)" true
finish
