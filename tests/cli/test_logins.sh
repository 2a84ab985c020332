#!/bin/bash
# What a login can be: several connections, requests, retries, versions and groups; and a gateway that cannot keep up.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# play NAME LINE...: 60 users on P-256 with these lines in the scenario; all must get in
play() {
    local name=$1

    shift
    scenario "$name.yaml" 'pace: {speedup: 60}' 'certificates: [{key: ecdsa-p256}]' "$@"
    call run "$name.yaml" --out "$name"
    is "$name: done" "$status" 0 98
    is "$name: all 60 are logged in" "$(of "$name" '.runs[0].logins | "\(.total) \(.logged_in) \(.cut_off) \(.by_reason)"')" "60 60 0 {}"
}

play two 'populations: [{name: all, connections: 2}]' 'login: {request: {send: 900B, receive: 6kB}, hold: none, retry: {attempts: 3}}'
is "two connections a login: two handshakes a user" "$(of two '.runs[0].handshakes | "\(.total) \(.full)"')" "120 120"
is "numbered 0 and 1, for each user" "$(awk -F, 'NR > 1 { n[$2 "/" $3]++ } END { for (k in n) if (n[k] != 1) bad++; print length(n), bad + 0 }' two/handshakes.csv)" "120 0"
is "the second begins when the first is through" \
    "$(awk -F, 'NR > 1 { if ($3 == 0) first[$2] = $7; else begun[$2] = $5 } END { for (u in begun) if (begun[u] < first[u]) n++; print n + 0 }' two/handshakes.csv)" 0
is "a login is done after its second handshake and answer" \
    "$(awk -F, 'FNR == 1 { next } FILENAME ~ /handshakes/ { if ($3 == 1) last[$2] = $7; next } $8 <= last[$2] { n++ } END { print n + 0 }' two/handshakes.csv two/samples.csv)" 0
is "CPU per login is that of two handshakes" \
    "$(of two '.runs[0].gateway | (.cpu_us_per_login - 2 * .cpu_us_per_handshake.total) | fabs < 0.01')" true
play preset 'populations: [{name: all, connections: ras-html5}]'
is "a preset has its number of connections: four" "$(of preset '.runs[0].handshakes.full')" 240

# bytes NAME: to the gateway and from it, of a handshake
bytes() { of "$1" '.runs[0].bytes | "\(.per_handshake_to_gateway) \(.per_handshake_from_gateway) \(.client_hello)"'; }
play plain
play held 'login: {hold: 200ms, close: reset}'
is "a session that is held and then reset has the same handshake" "$(bytes held | cut -d ' ' -f 1,3)" "$(bytes plain | cut -d ' ' -f 1,3)"
play rsa 'certificates: [{key: rsa-2048}]'
holds "an RSA 2048 gateway sends more than a P-256 one" "$(of rsa '.runs[0].bytes.server_flight | floor') > $(of plain '.runs[0].bytes.server_flight | floor')"
play chain 'issuer: {send: chain}'
holds "with its issuer's certificate it sends more" "$(of chain '.runs[0].bytes.server_flight | floor') > $(of plain '.runs[0].bytes.server_flight | floor') + 500"

is "TLS 1.3 is the default, in every row" "$(column plain/handshakes.csv tls13 | sort -u)" 1
play old 'populations: [{name: all, tls: {versions: [1.2]}}]'
is "TLS 1.2, in every row" "$(column old/handshakes.csv tls13 | sort -u)" 0
play both 'populations: [{name: all, tls: {versions: [1.2, 1.3]}}]'
is "who offers both gets TLS 1.3" "$(column both/handshakes.csv tls13 | sort -u)" 1
play hybrid 'populations: [{name: all, tls: {groups: [X25519MLKEM768, X25519], key_shares: [X25519MLKEM768]}}]'
is "a hybrid key share needs no second hello" "$(of hybrid '.runs[0].handshakes.hello_retry')" 0
holds "but its hello is larger by ML-KEM's 1,184 bytes" "$(of hybrid '.runs[0].bytes.client_hello | floor') - $(of plain '.runs[0].bytes.client_hello | floor') >= 1184"
play aes128 'populations: [{name: all, tls: {ciphers: [TLS_AES_128_GCM_SHA256]}}]'
is "AES-128-GCM alone is enough" "$(column aes128/handshakes.csv outcome | sort -u)" secured
for verify in leaf none; do
    play "$verify" "populations: [{name: all, tls: {verify: $verify}}]"
done
play mixed 'populations: [{name: new, share: 50%}, {name: old, share: 50%, connections: 2, tls: {versions: [1.2]}}]'
is "each population speaks as it should" \
    "$(awk -F, 'FNR == 1 { next } FILENAME ~ /samples/ { who[$2] = $3; next } { print who[$2], $10 }' mixed/samples.csv mixed/handshakes.csv | sort -u | tr '\n' ';')" "new 1;old 0;"
is "and with its connections" \
    "$(awk -F, 'FNR == 1 { next } FILENAME ~ /samples/ { want += $3 == "old" ? 2 : 1; next } { n++ } END { print n - want }' mixed/samples.csv mixed/handshakes.csv)" 0
play workers 'gateway: {workers: 2}'
is "two gateway workers, one account" "$(of workers '.runs[0] | "\(.gateway.workers) \(.gateway.wasted_handshakes) \(.handshakes.full)"')" "2 0 60"

# A gateway that is offered far more than it can carry: 1,500 RSA 4096 logins within a second, users who wait for one second and try twice.
scenario flood.yaml 'users: 1500' 'arrivals: {shape: burst, at: 08:00, over: 1s}' 'pace: {speedup: 1}' 'certificates: [{name: RSA 4096, key: rsa-4096}]' \
    'login: {timeouts: {handshake: 1s}, retry: {attempts: 2, wait: 500ms}}' 'targets: {failed: 0%}'
call run flood.yaml --out flood
verdict=$(of flood '.runs[0].validity.verdict')
logged_in=$(of flood '.runs[0].logins.logged_in')
failed_users=$(of flood '.runs[0].logins.failed')
is "a flood: the target is missed, or the measurement is invalid" "$status" "$([ "$verdict" = invalid ] && echo 98 || echo 99)"
is "users = logged in + failed + cut off" "$(of flood '.runs[0].logins | .logged_in + .failed + .cut_off == 1500 and .cut_off == 0')" true
holds "some got in" "$logged_in > 0"
holds "and some did not" "$failed_users > 0"
is "the rows say the same" "$(column flood/samples.csv outcome | sort | uniq -c | awk '{ print $2 "=" $1 }' | tr '\n' ' ')" "failed=$failed_users logged_in=$logged_in "
is "who failed has a reason, who got in has none" "$(awk -F, 'NR > 1 && ($10 == "failed") != ($11 != "")' flood/samples.csv | wc -l)" 0
is "the reasons add up to the failed" "$(of flood '[.runs[0].logins.by_reason[]] | add')" "$failed_users"
is "they are the users' patience" "$(of flood '.runs[0].logins.by_reason | keys | join(" ")')" handshake_timeout
is "none was lost to our own limits" "$(column flood/samples.csv reason | grep -c -e '^own_' -e never_sent)" 0
is "every user was sent, once or twice" "$(column flood/samples.csv attempts | sort -u | tr '\n' ' ')" "1 2 "
is "a row a handshake: as many as all users' attempts" "$(rows flood/handshakes.csv)" "$(column flood/samples.csv attempts | awk '{ s += $1 } END { print s }')"
is "who failed tried twice" "$(awk -F, '$10 == "failed" { print $9 }' flood/samples.csv | sort -u)" 2
is "who tried twice is counted" "$(of flood '.runs[0].logins.retried')" "$(column flood/samples.csv attempts | grep -c 2)"
is "handshakes = full + failed" "$(of flood '.runs[0].handshakes | .total == .full + .failed and .cut_off == 0 and .full >= 1')" true
is "each that failed has its reason" "$(awk -F, '$8 == "failed" && $9 == ""' flood/handshakes.csv | wc -l)" 0
holds "the gateway paid for handshakes that nobody waited for" "$(of flood '.runs[0].gateway.wasted_handshakes') >= 1"
is "who lost his patience waited for a second at the least" "$(awk -F, '$9 == "handshake_timeout" && $7 - $6 < 1000000000' flood/handshakes.csv | wc -l)" 0
holds "hundreds were in flight at once" "$(of flood '.runs[0].load.peak_in_flight') >= 300"
is "all were due within the second" "$(column flood/samples.csv due_ns | awk '$1 < 0 || $1 >= 1e9' | wc -l)" 0
finish
