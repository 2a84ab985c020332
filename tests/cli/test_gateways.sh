#!/bin/bash
# What gateways of others want beside TLS: certificates of their users, ALPN, HTTP to its end, the PROXY protocol, IPv6, several addresses.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
PATH=$PATH:/usr/sbin:/sbin:${XDG_CACHE_HOME:-$HOME/.cache}/loginstorm/unpacked
cd "$TMP" || exit 1
for tool in nginx haproxy; do
    command -v "$tool" >/dev/null || { bad "$tool is here" "tools/setup check puts it there" "no $tool"; finish; }
done

# one NAME SUBJECT EXTENSION...: signed by the CA
one() {
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -subj "/CN=$2" -out "$1.csr" 2>/dev/null
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -days 30 -set_serial "$RANDOM" -out "$1.pem" -extfile <(printf '%s\n' "${@:3}") 2>/dev/null
    cat "$1.pem" "$1.key" >"$1.both"
}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=CA 2>/dev/null
one gw gw.example subjectAltName=DNS:gw.example
one user "J. Doe" extendedKeyUsage=clientAuth
openssl pkcs8 -topk8 -v2 aes-256-cbc -in user.key -passout pass:secret -out locked.key
echo secret >password

next=$((26000 + $$ % 5000))
# port: one on which nobody listens, as $port
port() {
    next=$((next + 1))
    while (: <>"/dev/tcp/127.0.0.1/$next") 2>/dev/null; do next=$((next + 1)); done
    port=$next
}
port && mutual=$port
port && proxied=$port
port && answers=$port
port && behind=$port
port && two=$port
head -c 70000 /dev/urandom | base64 -w 0 >body
# Server side includes make nginx send what it does not know the length of: in chunks.
cat >nginx.conf <<END
daemon off; master_process off; pid nginx.pid; error_log stderr; events {}
http {
    client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;
    log_format line '\$server_port \$status \$ssl_client_s_dn|\$ssl_alpn_protocol|\$proxy_protocol_addr|\$proxy_protocol_server_port|\$remote_addr|\$sent_http_transfer_encoding';
    access_log $PWD/access.log line;
    ssl_certificate $PWD/gw.pem; ssl_certificate_key $PWD/gw.key; ssl_client_certificate $PWD/ca.pem; ssl_protocols TLSv1.2 TLSv1.3;
    server { listen 127.0.0.1:$mutual ssl; ssl_verify_client on; return 200 welcome; }
    server { listen 127.0.0.1:$proxied ssl proxy_protocol; listen [::1]:$proxied ssl proxy_protocol; return 200 welcome; }
    server { listen 127.0.0.1:$two ssl; listen [::1]:$two ssl; return 200 welcome; }
    server {
        listen 127.0.0.1:$answers ssl; root $PWD; default_type text/plain;
        location /chunked { ssi on; ssi_types text/plain; alias $PWD/body; }
        location /old { return 302 /body; }
        location /login { return 401; }
        location /busy { return 503; }
        location /closing { keepalive_timeout 0; return 200 "goodbye"; }
    }
}
END
cat >haproxy.cfg <<END
defaults
    mode http
    timeout client 30s
    timeout connect 30s
    timeout server 30s
frontend proxied
    bind 127.0.0.1:$behind accept-proxy ssl crt gw.both
    acl known src 198.51.100.0/24
    http-request return status 200 content-type text/plain string welcome if known
    http-request return status 403
END
setsid nginx -p "$PWD" -c nginx.conf -e stderr >nginx.txt 2>&1 </dev/null &
started+=($!)
setsid haproxy -db -f haproxy.cfg >haproxy.txt 2>&1 </dev/null &
started+=($!)
disown -a
# shellcheck disable=SC2317
is_open() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
for port in $mutual $proxied $answers $behind $two; do
    patiently is_open "$port" || bad "a server listens" "$port" "$(cat nginx.txt haproxy.txt)"
done

# scenario NAME TARGET [TLS [GATEWAY [PATH]]]
scenario() {
    cat >"$1.yaml" <<END
loginstorm: 1
users: 12
seed: 7
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform, placement: even}
populations: [{name: all, connections: 2, tls: {server_name: gw.example${3:+, $3}}}]
login: {hold: none, request: {send: 300B, path: ${5:-/}}, timeouts: {login: 10s}}
gateway: {target: "$2", trust: ca.pem, first_look: no${4:+, $4}}
pace: {speedup: 36000}
END
}
# all_in SENTENCE NAME [OPTION...]
all_in() {
    call run "$2.yaml" --out "$2" "${@:3}"
    is "$1: everybody logs in" "$(of "$2" '.runs[0].logins.logged_in') $(of "$2" '.runs[0].handshakes.full')" "12 24"
}
log() { grep "^$1 " access.log | cut -d' ' -f2-; }

# Certificates of the users.
for version in 1.2 1.3; do
    scenario "mutual.$version" "127.0.0.1:$mutual" "versions: [$version], client: {chain: user.pem, private_key: user.key}"
    : >access.log
    all_in "mutual TLS $version" "mutual.$version"
    is "nginx saw who they are ($version)" "$(log "$mutual" | cut -d'|' -f1 | sort | uniq -c | xargs)" "24 200 CN=J. Doe"
done
scenario none "127.0.0.1:$mutual"
call run none.yaml --out none
is "without one nobody is let in" "$(of none '.runs[0].logins.by_reason.request_refused')" 12
scenario locked "127.0.0.1:$mutual" "client: {chain: user.pem, private_key: locked.key, password_file: password}"
all_in "an encrypted key" locked --set gateway.first_look=yes
is "the run's copy names the files from anywhere" "$(grep -c "$PWD/\(user.pem\|locked.key\|password\)" locked/scenario.yaml)" 3
scenario environment "127.0.0.1:$mutual" "client: {chain: user.pem, private_key: locked.key, password_env: PASSWORD}"
PASSWORD=secret all_in "its password from the environment" environment
call run locked.yaml --out never --set populations.0.tls.client.password_file=ca.pem
is "a wrong password is refused" "$status" 65
has "with whose it is" "$err" 'tls.client of the population "all": '
call run locked.yaml --out never --set populations.0.tls.client.chain=nowhere.pem
is "so is a file that is not there" "$status" 66
is "before anything is made" "$(ls -d never 2>/dev/null)" ""
printf '%s\n' 'loginstorm: 1' 'users: 1' 'certificates: [{key: ecdsa-p256}]' \
    'populations: [{name: all, connections: 1, tls: {client: {chain: user.pem, private_key: user.key}}}]' >ours.yaml
call check ours.yaml
has "the embedded gateway asks nobody" "$err" "populations.0.tls.client: the embedded gateway asks nobody for a certificate"
scenario both "127.0.0.1:$mutual" "client: {chain: user.pem, private_key: user.key, password_file: a, password_env: b}"
call check both.yaml
has "a password comes from one place" "$err" "password_file and password_env say the same"

# ALPN
scenario alpn "127.0.0.1:$two" "alpn: [http/1.1]"
: >access.log
all_in "ALPN" alpn
is "nginx saw it" "$(log "$two" | cut -d'|' -f2 | sort | uniq -c | xargs)" "24 http/1.1"

# HTTP
: >access.log
for path in body chunked old closing; do
    scenario "ask.$path" "127.0.0.1:$answers" "" "" "/$path"
    all_in "an answer to its end: /$path" "ask.$path"
done
is "chunks are chunks" "$(log "$answers" | cut -d'|' -f6 | sort | uniq -c | xargs)" "72 - 24 chunked"
for path in login busy nowhere; do
    scenario "ask.$path" "127.0.0.1:$answers" "" "" "/$path"
    call run "ask.$path.yaml" --out "ask.$path"
    is "/$path: an error is a failure of its own" "$(of "ask.$path" '.runs[0].logins.by_reason | tostring')" '{"request_refused":12}'
done
has "in words" "$(tr -s ' \n' ' ' <<<"$out")" "the gateway answered with an error (HTTP 4xx or 5xx)"

# The PROXY protocol.
scenario proxied "127.0.0.1:$proxied" "" "proxy_protocol: v2, proxy_sources: 203.0.113.0/28"
: >access.log
all_in "PROXY to nginx" proxied
is "each user comes from an address of its own" "$(log "$proxied" | cut -d'|' -f3 | sort -V | uniq -c | awk '{ print $2 "x" $1 }' | xargs)" \
    "$(for i in {1..12}; do printf '203.0.113.%dx2 ' "$i"; done | sed 's/ $//')"
is "to the gateway's" "$(log "$proxied" | cut -d'|' -f4 | sort -u)" "$proxied"
scenario default "127.0.0.1:$proxied" "" "proxy_protocol: v2"
: >access.log
all_in "from the range for benchmarks" default --set gateway.first_look=yes
is "as nginx says" "$(log "$proxied" | cut -d'|' -f3 | sort -u | grep -vc '^198\.18\.0\.')" 0
scenario tickets "127.0.0.1:$proxied" "resume: 1" "proxy_protocol: v2"
call run tickets.yaml --out tickets
is "who comes with a ticket says it, too" "$(of tickets '.runs[0].logins.logged_in') $(of tickets '.runs[0].handshakes.resumed')" "12 24"
scenario haproxy "127.0.0.1:$behind" "" "proxy_protocol: v2, proxy_sources: 198.51.100.0/24"
all_in "PROXY to HAProxy, which looks at the source" haproxy
call run haproxy.yaml --out strangers --set gateway.proxy_sources=203.0.113.0/24
is "and refuses others" "$(of strangers '.runs[0].logins.by_reason.request_refused')" 12
scenario bare "127.0.0.1:$behind"
call run bare.yaml --out never --set gateway.first_look=yes
is "without it there is nobody" "$status" 69
has "which the first look says" "$err" "does it expect the PROXY protocol (proxy_protocol: v2)"
call check haproxy.yaml --set gateway.proxy_sources=198.51.100.1/24
has "a range begins with its first address" "$err" '"198.51.100.1/24" is no network, like 198.18.0.0/15'
call check haproxy.yaml --set gateway.proxy_protocol=none
has "sources without the protocol are a mistake" "$err" "add proxy_protocol: v2, or take this out"

# IPv6, and several addresses.
if ! (: <>"/dev/tcp/::1/$two") 2>/dev/null; then
    skip "there is no IPv6 here"
    finish
fi
scenario six "[::1]:$two"
: >access.log
all_in "IPv6" six
is "nginx saw it come from there" "$(log "$two" | cut -d'|' -f5 | sort | uniq -c | xargs)" "24 ::1"
scenario sixproxied "[::1]:$proxied" "" 'proxy_protocol: v2, proxy_sources: "2001:2::/48"'
: >access.log
all_in "PROXY over IPv6" sixproxied
is "with sources of IPv6" "$(log "$proxied" | cut -d'|' -f3 | grep -c '^2001:2::')" 24
if [ "$(id -u)" -ne 0 ] || ! unshare --mount true 2>/dev/null; then
    skip "several addresses want root, for a hosts file of their own"
    finish
fi
printf '127.0.0.1 gw.example\n::1 gw.example\n' >hosts
# shellcheck disable=SC2016
with_hosts() {
    unshare --mount sh -c 'mount --bind "$0" /etc/hosts && exec "$@"' "$TMP/hosts" "$BIN" "$@" >with.out 2>with.err </dev/null
    status=$?
    err=$(cat with.err)
}
scenario several "gw.example:$two"
: >access.log
with_hosts run several.yaml --out several
is "several addresses: everybody logs in" "$(of several '.runs[0].logins.logged_in')" 12
is "half of them at each" "$(log "$two" | cut -d'|' -f5 | sort | uniq -c | xargs)" "12 127.0.0.1 12 ::1"
scenario half "gw.example:$answers"
with_hosts run half.yaml --out never --set gateway.first_look=yes
is "an address where nobody listens ends it" "$status" 69
has "and is named" "$err" "gw.example:$answers (::1) refuses connections: nobody listens on that port of that address; write the one that you mean"
finish
