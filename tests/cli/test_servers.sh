#!/bin/bash
# Servers of others: five of them, by TLS 1.2 and 1.3, with each kind of certificate that they know, with tickets and without. Each row of the table
# is a storm of its own users, all of whom log in by two connections.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
PATH=$PATH:/usr/sbin:/sbin:${XDG_CACHE_HOME:-$HOME/.cache}/loginstorm/unpacked
cd "$TMP" || exit 1
for tool in nginx haproxy stunnel4 openssl gnutls-serv; do
    command -v "$tool" >/dev/null || { bad "$tool is here" "tools/setup check puts it there" "no $tool"; finish; }
done

# A CA, and a certificate of each kind, for KIND.example.
kinds=(rsa2048 rsa4096 p256 p384 ed25519)
declare -A algorithm=([rsa2048]="RSA -pkeyopt rsa_keygen_bits:2048" [rsa4096]="RSA -pkeyopt rsa_keygen_bits:4096"
    [p256]="EC -pkeyopt ec_paramgen_curve:P-256" [p384]="EC -pkeyopt ec_paramgen_curve:P-384" [ed25519]=ED25519)
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=CA 2>/dev/null
certificate() {
    # shellcheck disable=SC2086
    openssl genpkey -algorithm ${algorithm[$1]} -out "$1.key" 2>/dev/null
    openssl req -new -key "$1.key" -subj "/CN=$1.example" -out "$1.csr"
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -days 30 -set_serial "$RANDOM" -out "$1.pem" 2>/dev/null \
        -extfile <(printf 'subjectAltName=DNS:%s.example\nextendedKeyUsage=serverAuth\nkeyUsage=digitalSignature,keyEncipherment\n' "$1")
    cat "$1.pem" "$1.key" >"$1.both"
}
for kind in "${kinds[@]}"; do certificate "$kind" & done
wait

# port: one on which nobody listens, as $port. No other test takes one below those that the kernel gives out.
next=$((15000 + $$ % 10000))
port() {
    next=$((next + 1))
    while (: <>"/dev/tcp/127.0.0.1/$next") 2>/dev/null; do next=$((next + 1)); done
    port=$next
}
declare -A where # of "SERVER TICKETS [KIND]"
place() {
    port
    where[$1]=$port
}
server() {
    setsid "$@" >"server.$next.txt" 2>&1 </dev/null &
    started+=("$!")
    disown
}
# shellcheck disable=SC2317
is_open() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# nginx, which also is the web server behind stunnel
place "nginx on"
place "nginx off"
place web
{
    printf 'daemon off; master_process off; pid nginx.pid; error_log stderr; events {}\nhttp { access_log off; client_body_temp_path t; proxy_temp_path t; fastcgi_temp_path t; uwsgi_temp_path t; scgi_temp_path t;\n'
    printf 'ssl_protocols TLSv1.2 TLSv1.3; server { listen 127.0.0.1:%s; return 200 "welcome"; }\n' "${where[web]}"
    for tickets in on off; do
        for kind in "${kinds[@]}"; do
            printf 'server { listen 127.0.0.1:%s ssl; server_name %s.example; ssl_certificate %s.pem; ssl_certificate_key %s.key; ssl_session_tickets %s; return 200 "welcome"; }\n' \
                "${where[nginx $tickets]}" "$kind" "$PWD/$kind" "$PWD/$kind" "$tickets"
        done
    done
    printf '}\n'
} >nginx.conf
server nginx -p "$PWD" -c nginx.conf -e stderr

place "haproxy on"
place "haproxy off"
printf '%s\n' "${kinds[@]/%/.both}" >crt.list
cat >haproxy.cfg <<CFG
global
    ssl-default-bind-options ssl-min-ver TLSv1.2
defaults
    mode http
    timeout client 30s
    timeout connect 30s
    timeout server 30s
frontend on
    bind 127.0.0.1:${where[haproxy on]} ssl crt-list crt.list
    http-request return status 200 content-type text/plain string welcome
frontend off
    bind 127.0.0.1:${where[haproxy off]} ssl crt-list crt.list no-tls-tickets
    http-request return status 200 content-type text/plain string welcome
CFG
server haproxy -db -f haproxy.cfg

# stunnel takes the first section's certificate for who asks for none of the others' names
place "stunnel on"
place "stunnel off"
for tickets in on off; do
    {
        printf 'foreground = yes\npid =\nsyslog = no\nsslVersionMin = TLSv1.2\n'
        for kind in "${kinds[@]}"; do
            [ "$kind" = rsa2048 ] && printf '[all]\naccept = 127.0.0.1:%s\n' "${where[stunnel $tickets]}" || printf '[%s]\nsni = all:%s.example\n' "$kind" "$kind"
            printf 'connect = 127.0.0.1:%s\ncert = %s.both\nsessionResume = %s\n' "${where[web]}" "$kind" "$([ $tickets = on ] && echo yes || echo no)"
        done
    } >"stunnel.$tickets.conf"
    server stunnel4 "stunnel.$tickets.conf"
done

# These two have one certificate each: s_server knows no more, and gnutls-serv goes by the client's ciphers before its server name in TLS 1.2.
for tickets in on off; do
    for kind in "${kinds[@]}"; do
        place "s_server $tickets $kind"
        options=()
        [ $tickets = on ] || options=(-no_ticket -num_tickets 0)
        server openssl s_server -accept "127.0.0.1:$port" -cert "$kind.pem" -key "$kind.key" -www -quiet "${options[@]}"
        place "gnutls-serv $tickets $kind"
        options=()
        [ $tickets = on ] || options=(--noticket)
        server gnutls-serv --http --quiet --port "$port" --priority NORMAL --x509certfile "$kind.pem" --x509keyfile "$kind.key" "${options[@]}"
    done
done
for one in "${!where[@]}"; do
    patiently is_open "${where[$one]}" || bad "$one listens" "a port" "$(cat server.*.txt)"
done

# storm FOLDER TARGET TICKETS KIND...: users of both versions, once for each kind
# shellcheck disable=SC2317
storm() {
    local folder=$1 target=$2 resume=0 list='' kind

    [ "$3" = off ] || resume=1
    shift 3
    for kind; do list+="${list:+, }{name: $kind, server_name: $kind.example}"; done
    cat >"$folder.yaml" <<YAML
loginstorm: 1
users: 10
seed: 7
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform, placement: even}
populations:
  - {name: new, share: 0.5, connections: 2, tls: {versions: [1.3], groups: [X25519, P-256, P-384], resume: $resume}}
  - {name: old, share: 0.5, connections: 2, tls: {versions: [1.2], groups: [X25519, P-256, P-384], resume: $resume}}
login: {hold: none, request: {send: 200B}}
gateway: {target: "127.0.0.1:$target", trust: ca.pem}
certificates: [$list]
pace: {speedup: 36000}
YAML
    "$BIN" run "$folder.yaml" --out "$folder" >"$folder.txt" 2>&1 </dev/null
}
# Two at a time: they mostly wait.
{
    for tickets in on off; do
        for name in nginx haproxy stunnel; do
            printf '%s\0' "$name.$tickets ${where[$name $tickets]} $tickets ${kinds[*]}"
        done
        for kind in "${kinds[@]}"; do 
            for name in s_server gnutls-serv; do printf '%s\0' "$name.$tickets.$kind ${where[$name $tickets $kind]} $tickets $kind"; done
        done
    done
} >todo
export -f storm
export BIN
xargs -0 -P 2 -I{} bash -c 'storm {}' <todo

# seen FOLDER KIND: a row for each version: total, logged in, full, resumed, of another version
seen() {
    awk -F, -v kind="$2" '
        FNR == 1 { next }
        $1 != kind { next }
        FILENAME ~ /samples/ { of[$2] = $3; total[$3]++; if ($10 == "logged_in") in_[$3]++; next }
        $8 != "secured" { next }
        { p = of[$2]; if ($12) resumed[p]++; else full[p]++; if (($10 ? "new" : "old") != p) other[p]++ }
        END { for (p in total) print p, total[p] + 0, in_[p] + 0, full[p] + 0, resumed[p] + 0, other[p] + 0 }' "$1/samples.csv" "$1/handshakes.csv" 2>/dev/null
}
printf '%-12s %-8s %-3s %-7s  %5s %9s %5s %7s\n' server key TLS tickets users 'logged in' full resumed
for name in nginx haproxy stunnel s_server gnutls-serv; do
    for kind in "${kinds[@]}"; do
        for tickets in on off; do
            folder=$name.$tickets
            [[ $name != s_server && $name != gnutls-serv ]] || folder+=.$kind
            for version in new old; do
                read -r total in full resumed other < <(seen "$folder" "$kind" | sed -n "s/^$version //p")
                printf '%-12s %-8s %-3s %-7s  %5s %9s %5s %7s\n' $name "$kind" "$([ $version = new ] && echo 1.3 || echo 1.2)" $tickets "${total:-none}" "${in:-}" "${full:-}" "${resumed:-}"
                wanted="$((2 * ${total:-0})) 0 0" # full, resumed, of the other version
                [ $tickets = off ] || wanted="0 $((2 * ${total:-0})) 0"
                if [ "${total:-0}" -gt 0 ] && [ "$in $full $resumed $other" = "$total $wanted" ]; then
                    good "$name, $kind, $version TLS, tickets $tickets: everybody logs in, as asked"
                else
                    bad "$name, $kind, $version TLS, tickets $tickets: everybody logs in, as asked" "${total:-some} users, all in, full and resumed and other version: $wanted" \
                        "${in:-} in, ${full:-} ${resumed:-} ${other:-}; $(tail -n 3 "$folder.txt") $(jq -c '[.runs[].logins.by_reason]' "$folder/result.json" 2>/dev/null)"
                fi
            done
        done
    done
done
finish
