#!/bin/bash
# Logins of a capture are those that tshark sees in the same: in the one of the unit tests, and in one of real handshakes, taken here on a loopback
# device of its own, where this machine allows that.
for space in -n -rn; do
    [ -z "${LS_CAPTURE_ALONE:-}" ] || break
    # shellcheck disable=SC2015
    unshare "$space" ip link set lo up 2>/dev/null || continue
    # shellcheck disable=SC2016
    LS_CAPTURE_ALONE=1 exec unshare "$space" bash -c 'ip link set lo up && exec "$@"' bash "$0" "$@"
done
LOGS=$(realpath "$(dirname "$0")")/../data/logs
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
if ! command -v tshark >/dev/null; then
    skip "what tshark sees: it is not there"
    finish
fi

# ours FILE: when the logins were, as epochs with nine decimals
ours() { "$BIN" import "$1" -q | sed -n 's/^\(20[^,]*\),.*/\1/p' | date -f - +%s.%N; }

# theirs FILE: the first Client Hello of each connection; one in several segments is at its first
theirs() {
    tshark -r "$1" -o tls.desegment_ssl_records:TRUE -Y 'tls.handshake.type == 1' -T fields -e tcp.stream -e frame.time_epoch 2>/dev/null |
        sort -n -k1,1 -s | awk '!seen[$1]++ { print $2 }' | sort -n
}

cp "$LOGS/tls.pcap" . && gzip tls.pcap
is "a packed capture is read" "$(ours tls.pcap.gz | wc -l)" 6
# The fourth is in two segments, of which tshark tells the last; of the fifth too little was captured for it; the sixth has a port again
# whose first user it takes for the same.
is "its logins are those of tshark" "$(ours tls.pcap.gz | head -n 3)" "$(theirs "$LOGS/tls.pcap" | head -n 3)"
"$BIN" import - -q <"$LOGS/tls.pcapng" >piped.csv
is "a capture from standard input is the same" "$(grep '^20' piped.csv)" "$("$BIN" import tls.pcap.gz -q | grep '^20')"
call import "$LOGS/tls.pcap"
has "packets are counted" "$err" "read         1 log, 20 packets, "
has "and users are not told from them" "$err" "logins       6 logins
"
has "the place of a packet is its number" "$err" "tls.pcap, packet 11"
head -c 1000 "$LOGS/tls.pcap" >cut.pcap
call import cut.pcap
is "a capture that is cut off fails" "$status" 65
has "with where" "$err" "cut.pcap: error: it breaks off or is damaged behind packet 8 ("
is "and gives what stood before" "$(grep -c '^20' <<<"$out")" 3

capturing=no
if [ -n "${LS_CAPTURE_ALONE:-}" ]; then
    setsid tshark -i lo -f 'tcp port 4433' -w wire.pcapng >/dev/null 2>tshark.err &
    listener=$!
    started+=("$listener")
    for ((tries = 0; tries < 100; tries++)); do
        if grep -q 'Capture started\|File: ' tshark.err && [ -s wire.pcapng ]; then
            capturing=yes
            break
        fi
        kill -0 "$listener" 2>/dev/null || break
        sleep 0.1
    done
fi
if [ "$capturing" = no ]; then
    skip "real handshakes: this machine gives no loopback device of one's own, or no capture on it ($(tail -n 1 tshark.err 2>/dev/null))"
    finish
fi

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=lan 2>/dev/null
for family in -4 -6; do
    setsid openssl s_server $family -accept 4433 -cert cert.pem -key key.pem -groups P-384:P-256 -www >/dev/null 2>&1 &
    started+=("$!")
done
for ((tries = 0; tries < 100; tries++)); do
    (exec 3<>/dev/tcp/127.0.0.1/4433 4<>/dev/tcp/::1/4433) 2>/dev/null && break # connections without a handshake
    sleep 0.1
done
# handshake OPTION...
handshake() { openssl s_client "$@" </dev/null >/dev/null 2>&1; }
handshake -connect 127.0.0.1:4433 -groups P-384
handshake -connect 127.0.0.1:4433 -groups X25519:P-384 # answered by a HelloRetryRequest
handshake -connect '[::1]:4433' -groups P-384
handshake -connect 127.0.0.1:4433 -tls1_2
handshake -connect 127.0.0.1:4433 -tls1_2 -servername gateway.example.lan
for ((tries = 0; tries < 100; tries++)); do
    [ "$(theirs wire.pcapng | wc -l)" -ge 5 ] && break
    sleep 0.1
done
is "five real handshakes are five logins" "$(ours wire.pcapng | wc -l)" 5
is "at the moments that tshark tells" "$(ours wire.pcapng)" "$(theirs wire.pcapng)"
call import wire.pcapng
has "the second Client Hello after a HelloRetryRequest is none" "$err" "1 the second Client Hello of a connection"
syns=$(tshark -r wire.pcapng -Y 'tcp.flags.syn == 1 && tcp.flags.ack == 0' -T fields -e tcp.stream 2>/dev/null | sort -u | wc -l)
is "by their SYN it is every connection" "$("$BIN" import wire.pcapng -q --count syn | grep -c '^20')" "$syns"
finish
