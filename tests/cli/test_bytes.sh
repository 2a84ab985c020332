#!/bin/bash
# A handshake's bytes are those that were on the wire: what handshakes.csv says is held against what tshark saw on the loopback device.
# It has a loopback device of its own, where this machine allows that: nothing else is on it, and who is root there may capture.
for space in -n -rn; do
    [ -z "${LS_BYTES_ALONE:-}" ] || break
    # shellcheck disable=SC2015
    unshare "$space" ip link set lo up 2>/dev/null || continue
    # shellcheck disable=SC2016
    LS_BYTES_ALONE=1 exec unshare "$space" bash -c 'ip link set lo up && exec "$@"' bash "$0" "$@"
done
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# NAME VERSION TICKETS GROUPS KEY-SHARES
storms() {
    cat <<'TABLE'
plain-13  1.3 off [X25519,P-256] [X25519]
ticket-13 1.3 on  [X25519,P-256] [X25519]
plain-pq  1.3 off [X25519MLKEM768,X25519] [X25519MLKEM768]
ticket-pq 1.3 on  [X25519MLKEM768,X25519] [X25519MLKEM768]
plain-12  1.2 off [X25519,P-256] -
ticket-12 1.2 on  [X25519,P-256] -
TABLE
}
ANSWER=6000
HANDSHAKES=12 # 3 users, 2 connections, 2 certificates

storm() {
    local name=$1 version=$2 tickets=$3 groups=$4 shares=$5

    scenario "$name.yaml" 'users: 3' "pace: {speedup: 120}" "gateway: {target: embedded, tickets: $tickets}" \
        "populations: [{name: all, share: 100%, connections: 2, tls: {versions: [$version], groups: $groups, server_name: ${name#*-}.example.lan$([ "$shares" = - ] || printf ', key_shares: %s' "$shares")}}]" \
        "login: {request: {send: 900B, receive: ${ANSWER}B}, hold: none}"
    call run "$name.yaml" --out "$name" --quiet
    is "$name: three users for each of two certificates" "$status" 0 98
}

# ours NAME: a line a handshake, in the order in which they began: Client Hello, server flight, tickets, from the gateway, to it
ours() {
    local certificate

    for certificate in "RSA 4096" "ECDSA P-256"; do
        paste -d' ' <(column "$1/handshakes.csv" started_ns "$certificate") \
            <(column "$1/handshakes.csv" client_hello_bytes "$certificate") \
            <(column "$1/handshakes.csv" server_flight_bytes "$certificate") \
            <(column "$1/handshakes.csv" ticket_bytes "$certificate") \
            <(column "$1/handshakes.csv" received_bytes "$certificate") \
            <(column "$1/handshakes.csv" sent_bytes "$certificate") | sort -n | cut -d' ' -f2-
    done
}

# theirs FIRST LAST VERSION: the same lines, out of the records that tshark found in these streams
theirs() {
    awk -F'\t' -v first="$1" -v last="$2" -v version="$3" -v answer="$ANSWER" '
        $1 < first || $1 > last || $6 == "" { next }
        !($1 in client) { client[$1] = $2 }
        {
            s = $1
            up = $2 == client[s]
            records = split($6, length_of, ",")
            split($5, type, ",")
            for (i = 1; i <= records; i++) {
                bytes = 5 + length_of[i]
                if (up) {
                    # 1.3: the Client Hello and a record with the Finished; 1.2: up to the record behind the change of cipher
                    if (!(s in hello)) hello[s] = bytes
                    else if (!done[s, up]) done[s, up] = version == "1.3" || change[s, up]
                    else continue
                    sent[s] += bytes
                } else if (version == "1.2") {
                    if ($4 ~ /(^|,)4(,|$)/ && type[i] == 22 && !change[s, up]) tickets[s] += bytes
                    else if (!done[s, up]) flight[s] += bytes
                    done[s, up] = done[s, up] || change[s, up]
                } else if (!done[s, 1]) {
                    flight[s] += bytes
                } else {
                    answered[s] = answered[s] || length_of[i] == answer + 17
                    if (!answered[s]) tickets[s] += bytes
                }
                change[s, up] = change[s, up] || (version == "1.2" && type[i] == 20)
            }
        }
        END {
            for (s = first; s <= last; s++)
                print hello[s] + 0, flight[s] + 0, tickets[s] + 0, flight[s] + tickets[s], sent[s] + 0
        }' wire.tsv
}

# odd FIRST LAST: the streams in which records do not add up to the bytes of TCP, either way
odd() {
    awk -F'\t' -v first="$1" -v last="$2" '
        $1 < first || $1 > last { next }
        { tcp[$1 " " $2] += $3; n = split($6, l, ","); for (i = 1; i <= n; i++) tls[$1 " " $2] += 5 + l[i] }
        END { for (s in tcp) if (tcp[s] != tls[s]) print "stream and port", s ":", tcp[s], "bytes of TCP,", tls[s] + 0, "of TLS" }' wire.tsv
}

capturing() { grep -q 'Capture started\|File: ' tshark.err && [ -s wire.pcapng ]; }

captured=no
if [ -n "${LS_BYTES_ALONE:-}" ] && command -v tshark >/dev/null; then
    setsid tshark -i lo -f tcp -w wire.pcapng >/dev/null 2>tshark.err &
    listener=$!
    started+=("$listener")
    for ((tries = 0; tries < 100; tries++)); do
        if capturing; then
            captured=yes
            break
        fi
        kill -0 "$listener" 2>/dev/null || break
        sleep 0.1
    done
fi

while read -r name version tickets groups shares; do
    storm "$name" "$version" "$tickets" "$groups" "$shares"
    ours "$name" >"$name.ours"
    is "$name: a row a handshake" "$(wc -l <"$name.ours")" "$HANDSHAKES"
    is "$name: flight and tickets are all that came" "$(awk '$2 + $3 != $4' "$name.ours")" ""
    for certificate in "RSA 4096" "ECDSA P-256"; do
        for pair in client_hello:client_hello_bytes server_flight:server_flight_bytes tickets:ticket_bytes \
            per_handshake_to_gateway:sent_bytes per_handshake_from_gateway:received_bytes; do
            mean=$(column "$name/handshakes.csv" "${pair#*:}" "$certificate" | awk '{ sum += $1 } END { printf "%.3f", sum / NR }')
            is "$name, $certificate: bytes.${pair%:*} is the rows' mean" \
                "$(of "$name" ".runs[] | select(.certificate == \"$certificate\").bytes.${pair%:*}" | awk '{ printf "%.3f", $1 }')" "$mean"
        done
    done
    if [ "$tickets" = off ]; then
        is "$name: no tickets" "$(of "$name" '[.runs[].bytes.tickets] | unique | join(" ")')" 0
    fi
done < <(storms)
between "a ticket of TLS 1.3 is counted" "$(of ticket-13 '.runs[1].bytes.tickets')" 150 400
is "the flight with tickets is the one without" "$(awk '{ print $2 }' ticket-13.ours | head -n 6)" "$(awk '{ print $2 }' plain-13.ours | head -n 6)"
between "an ML-KEM share has 1,184 bytes more than X25519 alone" "$(($(head -n 1 plain-pq.ours | cut -d' ' -f1) - $(head -n 1 plain-13.ours | cut -d' ' -f1)))" 1184 1200
has "the report shows them" "$("$BIN" report plain-13/result.json)" "bytes a handshake"

if [ "$captured" = no ]; then
    skip "what tshark sees: this machine gives no loopback device of one's own, or no capture on it ($(tail -n 1 tshark.err 2>/dev/null))"
    finish
fi
# The kernel hands captured packets over in blocks, the last of them within a second.
sleep 2
kill -TERM "$listener"
wait "$listener" 2>/dev/null
tshark -r wire.pcapng -Y 'tcp.len > 0' -T fields -e tcp.stream -e tcp.srcport -e tcp.len -e tls.handshake.type \
    -e tls.record.content_type -e tls.record.length >wire.tsv 2>/dev/null
first=0
while read -r name version _; do
    theirs "$first" "$((first + HANDSHAKES - 1))" "$version" >"$name.theirs"
    same "$name: hello, flight, tickets and totals of every handshake are what tshark saw" "$name.ours" "$name.theirs"
    is "$name: and its records are all that TCP carried" "$(odd "$first" "$((first + HANDSHAKES - 1))")" ""
    first=$((first + HANDSHAKES))
done < <(storms)
finish
