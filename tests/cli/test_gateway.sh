#!/bin/bash
# loginstorm gateway: the embedded gateway alone, for the clients that people have.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# stand NAME OPTION...: a gateway on a port that the kernel chooses, as $pid and $port
stand() {
    local name=$1

    shift
    launch "$name" gateway --listen 127.0.0.1:0 --trust "$name.pem" "$@"
    patiently grep -q 'Ctrl-C ends it' "$name.out"
    port=$(sed -n 's/.* on 127\.0\.0\.1:\([0-9]*\); Ctrl-C ends it$/\1/p' "$name.out")
}

# leave NAME SIGNAL: it ends by that signal
leave() {
    kill "-$2" "$pid"
    ended "$pid"
    is "$1: SIG$2 ends it with exit status 0" "$status" 0
    is "$1: no error is said" "$(cat "$1.err")" ""
}

# said NAME: what it counted
said() { sed -n 's/^\([0-9]* connections, [0-9]* secured, [0-9]* failed, [0-9]* requests\); CPU .*/\1/p' "$1.out"; }

stand ecdsa-p256
matches "it says where it is" "$(cat ecdsa-p256.out)" '^ecdsa-p256 on 127\.0\.0\.1:[0-9]+; Ctrl-C ends it$'
is "--trust: one certificate in PEM" "$(grep -c 'BEGIN CERTIFICATE' ecdsa-p256.pem)" 1
is "--trust: without a key" "$(grep -c PRIVATE ecdsa-p256.pem)" 0
is "curl that trusts the issuer gets exactly 6,000 bytes, head included" "$(curl -sS -i --cacert ecdsa-p256.pem "https://localhost:$port/bytes/6000" | wc -c)" 6000
has "any other path says what this is" "$(curl -sS --cacert ecdsa-p256.pem "https://localhost:$port/")" "loginstorm's embedded gateway"
curl -sS "https://localhost:$port/" >out 2>err
is "curl that does not trust the issuer refuses the certificate" "$?" 60
curl -sS --cacert ecdsa-p256.pem "https://127.0.0.1:$port/" >out 2>err
is "the name in the certificate is localhost, not an address" "$?" 60
for version in 1_2 1_3; do
    openssl s_client -connect "127.0.0.1:$port" "-tls$version" -CAfile ecdsa-p256.pem -verify_return_error -verify_hostname localhost </dev/null >seen 2>&1
    is "openssl s_client -tls$version verifies chain and name" "$?" 0
    has "openssl s_client -tls$version: in its words" "$(cat seen)" "Verify return code: 0 (ok)"
    has "openssl s_client -tls$version: the version it asked for" "$(cat seen)" "New, TLSv${version/_/.}, Cipher is"
done
openssl s_client -connect "127.0.0.1:$port" -tls1_1 </dev/null >seen 2>&1
is "TLS 1.1 is refused" "$?" 1
ab -q -n 200 -c 10 "https://127.0.0.1:$port/" >seen 2>&1
is "ab -n 200 -c 10 completes" "$?" 0
is "ab: all 200, none failed" "$(awk '/^(Complete|Failed) requests/ { print $3 }' seen | tr '\n' ' ')" "200 0 "
ab -q -k -n 200 -c 10 "https://127.0.0.1:$port/bytes/5000" >seen 2>&1
is "ab -k: all 200 over connections that are kept" "$(awk '/^(Complete|Failed|Keep-Alive) requests/ { print $3 }' seen | tr '\n' ' ')" "200 0 200 "

"$BIN" gateway --listen "127.0.0.1:$port" >out 2>err
is "a second gateway on the same address: exit status 73" "$?" 73
has "and the address in the message" "$(cat err)" "cannot listen on 127.0.0.1:$port: Address already in use"
is "the first one goes on" "$(curl -sS -i --cacert ecdsa-p256.pem "https://localhost:$port/bytes/500" | wc -c)" 500
leave ecdsa-p256 INT
read -r connections _ secured _ broken _ requests _ < <(said ecdsa-p256)
is "at its end it counts what it did: connections = secured + failed" "$((secured + broken))" "$connections"
# ab 200 and 10, curl 3, openssl 2; ab may begin up to 10 more than it needs, each time.
holds "215 of them secured, or some more of ab's" "$secured >= 215 && $secured <= 235"
holds "and all 403 requests were answered" "$requests >= 403"
matches "and its CPU" "$(tail -n 1 ecdsa-p256.out)" 'CPU 0\.[0-9]+ s user, [0-9.]+ s system|CPU [0-9.]+ s user'

# Another program has the port.
openssl s_server -accept "127.0.0.1:$port" -nocert -quiet >/dev/null 2>&1 &
other=$!
patiently bash -c "exec 3<>/dev/tcp/127.0.0.1/$port"
"$BIN" gateway --listen "127.0.0.1:$port" --trust never.pem >out 2>err
is "a port that another program has: exit status 73" "$?" 73
has "with the address" "$(cat err)" "cannot listen on 127.0.0.1:$port: Address already in use"
is "before anything is written" "$(ls never.pem 2>/dev/null)" ""
kill "$other"
wait "$other" 2>/dev/null

stand rsa-2048 --key rsa-2048 --name ras.example.test --backlog 16 --core 0
is "another key, another name: curl verifies both" \
    "$(curl -sS -i --cacert rsa-2048.pem --resolve "ras.example.test:$port:127.0.0.1" "https://ras.example.test:$port/bytes/300" | wc -c)" 300
curl -sS --cacert rsa-2048.pem "https://localhost:$port/" >out 2>err
is "and refuses the name that it is not" "$?" 60
openssl s_client -connect "127.0.0.1:$port" -showcerts </dev/null 2>/dev/null | openssl x509 -noout -text >seen 2>&1
matches "its key is what was asked for" "$(cat seen)" 'Public-Key: \(2048 bit\)'
# resumed: what the second of two sessions is to openssl s_client
resumed() {
    rm -f session
    printf 'GET / HTTP/1.0\r\n\r\n' | openssl s_client -connect "127.0.0.1:$port" -ign_eof -sess_out session >/dev/null 2>&1
    [ -s session ] || { echo none && return; }
    printf 'GET / HTTP/1.0\r\n\r\n' | openssl s_client -connect "127.0.0.1:$port" -ign_eof -sess_in session 2>/dev/null | grep -o -m 1 -E '^(New|Reused)'
}
is "without --tickets there is no session to resume" "$(resumed)" none
leave rsa-2048 TERM
stand tickets --tickets
is "with --tickets a session is resumed" "$(resumed)" Reused
leave tickets INT
is "two connections, two requests" "$(said tickets)" "2 connections, 2 secured, 0 failed, 2 requests"

# refused STATUS PART OPTION...
refused() {
    local expected=$1 part=$2

    shift 2
    timeout 120 "$BIN" gateway "$@" >out 2>err
    is "gateway $*: exit status $expected" "$?" "$expected"
    has "gateway $*: says why" "$(cat err)" "$part"
    is "gateway $*: does not pretend to stand" "$(cat out)" ""
}
refused 64 '"8443" is not ADDRESS:PORT' --listen 8443
refused 64 '"127.0.0.1:99999" is not ADDRESS:PORT' --listen 127.0.0.1:99999
refused 64 '"127.0.0.1:" is not ADDRESS:PORT' --listen 127.0.0.1:
refused 64 '"somewhere" is no IP address' --listen somewhere:8443
refused 64 'a key of kind rsa-1 cannot be made here' --key rsa-1
refused 64 'core 4000 does not exist here' --core 4000
refused 73 'cannot listen on 192.0.2.1:8443' --listen 192.0.2.1:8443
refused 73 'nowhere/ca.pem' --listen 127.0.0.1:0 --trust nowhere/ca.pem
refused 74 'No space left on device' --listen 127.0.0.1:0 --trust /dev/full
call gateway --key ecdsa-p256 --name a.example --key rsa-2048 --name A.Example
is "one name twice, in another case, is a wrong command line" "$status" 64
has "and is named" "$err" "two certificates for A.Example; give each a --name of its own"
finish
