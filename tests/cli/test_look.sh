#!/bin/bash
# The first look at an outside gateway: what keeps users out is told in one sentence before the storm, what is found stands in the result.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

cat >ca.cnf <<'END'
[ca]
default_ca = here
[here]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
END
: >index.txt
echo 'unique_subject = no' >index.txt.attr
key() { openssl genpkey -algorithm EC -pkeyopt "ec_paramgen_curve:$2" -out "$1.key" 2>/dev/null; }
authority() { key "$1" P-256 && openssl req -x509 -new -key "$1.key" -out "$1.pem" -days 3650 -subj "/CN=$2" 2>/dev/null; }
# leaf NAME KEY CA DNS FROM TO
leaf() {
    openssl req -new -key "$2.key" -out leaf.csr -subj "/CN=$4" -addext "subjectAltName=DNS:$4,DNS:www.$4" 2>/dev/null
    openssl ca -config ca.cnf -batch -notext -keyfile "$3.key" -cert "$3.pem" -in leaf.csr -out "$1.pem" -startdate "$5" -enddate "$6" 2>/dev/null
}
# day DAYS: so many from now
day() { date -u -d "$1 days" +%Y%m%d000000Z; }
authority ca "Good CA"
authority stranger "Corp Issuing CA 7"
key leaf P-256
key large P-384
leaf good leaf ca gw.example "$(day -10)" "$(day 300)"
leaf soon leaf ca gw.example "$(day -10)" "$(day 6)"
leaf expired leaf ca gw.example 20200101000000Z 20210304000000Z
leaf future leaf ca gw.example 20400506000000Z 20490101000000Z
leaf other leaf ca elsewhere.example "$(day -10)" "$(day 300)"
leaf untrusted leaf stranger gw.example "$(day -10)" "$(day 300)"
leaf curve large ca gw.example "$(day -10)" "$(day 300)"
openssl req -x509 -new -key leaf.key -out self.pem -days 300 -subj /CN=gw.example -addext subjectAltName=DNS:gw.example 2>/dev/null

cat >gw.yaml <<'END'
loginstorm: 1
users: 4
seed: 7
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform, placement: even}
populations: [{name: all, connections: 1, tls: {server_name: gw.example}}]
login: {hold: none, request: {send: 200B}, timeouts: {connect: 2s, handshake: 500ms}}
gateway: {target: "127.0.0.1:1", trust: ca.pem}
pace: {speedup: 36000}
END
# shellcheck disable=SC2317
listens() { grep -q '^ACCEPT' "serve.$served.txt"; }
served=0
# serve CERTIFICATE KEY OPTION...: openssl's little web server, on a port that the kernel chooses
serve() {
    served=$((served + 1))
    : >"serve.$served.txt"
    setsid openssl s_server -accept 127.0.0.1:0 -cert "$1.pem" -key "$2.key" -www "${@:3}" >"serve.$served.txt" 2>&1 </dev/null &
    started+=($!)
    disown
    patiently listens || bad "a server listens" "a port" "$(cat "serve.$served.txt")"
    port=$(sed -n 's/^ACCEPT .*://p' "serve.$served.txt")
}
# refused SENTENCE STATUS WORDS OPTION...: before anything is made
refused() {
    call run gw.yaml --out never --set "gateway.target=127.0.0.1:$port" "${@:4}"
    is "$1: the run ends" "$status" "$2"
    has "$1: in one sentence" "$err" "$3"
    is "$1: on one line" "$(wc -l <<<"$err")" 1
    is "$1: before the storm" "$(ls -d never 2>/dev/null)" ""
}

serve expired leaf
refused "an expired certificate" 65 "gateway.target: the certificate that 127.0.0.1:$port shows expired on 2021-03-04; have it renewed, or write verify: leaf"
call run gw.yaml --out leaf --set "gateway.target=127.0.0.1:$port" --set populations.0.tls.verify=leaf
is "who does not verify is let in all the same" "$(of leaf '.runs[0].logins.logged_in')" 4
is "and told since when it is over" "$(of leaf '.runs[0].shown | .expires, .days_left < -1000' | xargs)" "2021-03-04 true"
has "in a warning" "$err" "warning: 127.0.0.1:$port: a key of the kind ecdsa-p256, 1 certificate in the chain, TLS 1.3 with X25519, expired since 2021-03-04"
serve future leaf
refused "one that is not valid yet" 65 "shows is not valid before 2040-05-06"
serve other leaf
refused "one for another name" 65 "is not for gw.example, but for elsewhere.example, www.elsewhere.example; ask for one of its names (tls.server_name)"
serve untrusted leaf
refused "one of a CA that nobody trusts" 65 "says that \"Corp Issuing CA 7\" issued it (1 certificate in its chain), whom gateway.trust does not lead to"
serve self leaf
refused "one of its own" 65 "is signed by itself and not trusted; name it as gateway.trust"
serve curve large -tls1_2
refused "a curve that is not among the groups" 65 "the peer sent the alert handshake_failure(40)" --set 'populations.0.tls.versions=[1.2]'
has "with a way out" "$err" "in TLS 1.2 many servers want the curve of their own certificate among the groups, like P-384"
refused "no version in common" 65 "the peer sent the alert protocol_version(70); it may offer TLS 1.2 only: write versions: [1.2, 1.3] under tls"
serve good leaf -Verify 1 -verify_return_error
refused "a certificate of the users is wanted" 65 'the peer sent the alert certificate_required(116); it may want a certificate of its users: tls.client'
refused "in TLS 1.2, too" 65 'or it wants a certificate of its users (tls.client)' --set 'populations.0.tls.versions=[1.2]'
port=1
refused "nobody listens" 69 "gateway.target: 127.0.0.1:1 refuses connections: nobody listens on that port; is the gateway started, and the port right?"

# plain SAYS [close]: a listener that says that, or nothing, and stays or closes
plain() {
    : >plain.port
    setsid /usr/bin/python3 -c '
import socket, sys
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], file=open("plain.port", "w"), flush=True)
kept = []
while True:
    c, _ = s.accept()
    kept.append(c)
    if sys.argv[1]:
        c.recv(1000)
        c.sendall(sys.argv[1].encode())
    if len(sys.argv) > 2:
        c.recv(1000)
        kept.pop().close()
' "$@" 2>/dev/null &
    started+=($!)
    disown
    patiently test -s plain.port
    port=$(cat plain.port)
}
plain "HTTP/1.1 400 Bad Request"
refused "no TLS there" 69 "the peer does not speak TLS"
has "with a question" "$err" "is that the port for TLS?"
plain ""
refused "nothing there" 69 "takes the connection and then says nothing: no TLS within login.timeouts.handshake"
plain "" close
refused "closed at once" 69 "closes the connection amid the handshake"

# What is found.
serve good leaf
call run gw.yaml --out good --set "gateway.target=127.0.0.1:$port"
is "a good one: everybody logs in" "$(of good '.runs[0].logins.logged_in')" 4
is "its key is what was seen" "$(of good '.runs[0].key')" ecdsa-p256
is "and so is the rest" "$(of good '.runs[0].shown | [.key, .version, .group, (.chain_length | tostring), .expires] | join(" ")')" \
    "ecdsa-p256 1.3 X25519 1 $(date -u -d '300 days' +%F)"
between "with the days that are left" "$(of good '.runs[0].shown.days_left')" 298 300
has "the report has it in words" "$(of good '.notes[]')" "a key of the kind ecdsa-p256, 1 certificate in the chain, TLS 1.3 with X25519, valid until $(date -u -d '300 days' +%F)"
lacks "which nobody warns of" "$err" "warning"
is "the look is in no count" "$(of good '.runs[0].handshakes.total')" 4
call run gw.yaml --out named --set "gateway.target=127.0.0.1:$port" --set 'certificates=[{key: ecdsa-p256}]'
is "a key that is the one: no objection" "$(of named '.runs[0].key')" ecdsa-p256
refused "a key that is another one" 65 "says key: rsa-2048, but the certificate that 127.0.0.1:$port shows has a key of the kind ecdsa-p256; write what it is, or leave key out" --set 'certificates=[{key: rsa-2048}]'
call run gw.yaml --out blind --set "gateway.target=127.0.0.1:$port" --set gateway.first_look=no
is "without a look: nothing is found" "$(of blind '.runs[0] | .key, .shown' | xargs)" "outside null"
is "and everybody logs in" "$(of blind '.runs[0].logins.logged_in')" 4
serve soon leaf
call run gw.yaml --out soon --set "gateway.target=127.0.0.1:$port"
matches "one that is soon over is warned of" "$err" 'warning: .*valid until [0-9-]+ \(only [56] days\)'
is "which ends nothing" "$(of soon '.runs[0].logins.logged_in')" 4
finish
