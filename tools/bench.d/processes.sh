# shellcheck shell=bash disable=SC2034
# Sourced by tools/bench: starting, stopping and accounting for servers, clients and storms. All work in build/bench/.
: "${loginstorm:=}" "${quick:=}"

core_server=0 core_client=1
cipher=TLS_AES_256_GCM_SHA384 # of everybody's
running=()

progress() {
    [ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2
}

# still_ours PID: a number may be somebody else's by now.
still_ours() { [ "$(sed -n 's/^PPid:\t//p' "/proc/$1/status" 2>/dev/null)" = $$ ]; }

# stop PID: by TERM, and by KILL when that does not help within 10 seconds.
stop() {
    local pid=$1 other left=()
    ! still_ours "$pid" || kill "$pid" 2>/dev/null || true
    for _ in {1..100}; do
        still_ours "$pid" || break
        sleep 0.1
    done
    ! still_ours "$pid" || kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    for other in "${running[@]}"; do
        [ "$other" = "$pid" ] || left+=("$other")
    done
    running=("${left[@]}")
}

stop_all() {
    local pid
    for pid in "${running[@]}"; do stop "$pid"; done
}

# processes_prepare: settings for everybody who uses OpenSSL, a certificate for nginx like the embedded gateway's.
processes_prepare() {
    cat >openssl.cnf <<END
openssl_conf = all
[all]
ssl_conf = ssl
[ssl]
system_default = tls
[tls]
MinProtocol = TLSv1.3
MaxProtocol = TLSv1.3
Groups = X25519
Ciphersuites = $cipher
[req]
distinguished_name = dn
[dn]
[leaf]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost
END
    export OPENSSL_CONF=$PWD/openssl.cnf
    local kind
    {
        openssl req -x509 -newkey rsa:2048 -nodes -keyout issuer.key -out issuer.pem -days 30 -subj '/CN=Bench issuer'
        openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out p256.key
        openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:4096 -out rsa.key
        for kind in p256 rsa; do
            openssl req -new -key $kind.key -subj /CN=localhost -out $kind.csr
            openssl x509 -req -in $kind.csr -CA issuer.pem -CAkey issuer.key -CAcreateserial -days 30 \
                -extfile openssl.cnf -extensions leaf -out $kind.pem
        done
    } >prepare.log 2>&1
}

# use_cipher NAME: from now on, ours and the others'.
use_cipher() {
    cipher=$1
    sed -i "s/^Ciphersuites = .*/Ciphersuites = $cipher/" openssl.cnf
}

# gateway_start KEY NAME -> gateway_pid, gateway_port
gateway_start() {
    local line=''
    : >"$2.gateway"
    "$loginstorm" gateway --listen 127.0.0.1:0 --key "$1" --core $core_server >"$2.gateway" 2>&1 &
    gateway_pid=$!
    running+=("$gateway_pid")
    for _ in {1..600}; do
        read -r line <"$2.gateway" || line=''
        [[ $line =~ :([0-9]+)\; ]] && break
        kill -0 "$gateway_pid" 2>/dev/null || return 1
        sleep 0.05
    done
    gateway_port=${BASH_REMATCH[1]:?the gateway does not say where it is}
}

# gateway_stop NAME -> gateway_secured, the handshakes that it counted
gateway_stop() {
    stop "$gateway_pid"
    gateway_secured=$(sed -n 's/.* \([0-9]*\) secured,.*/\1/p' "$1.gateway")
    [ -n "$gateway_secured" ]
}

# nginx_start KIND -> nginx_pid (its worker), nginx_port (a connection for each request), nginx_port + 1 (connections are kept)
nginx_start() {
    local port master
    for _ in {1..20}; do
        port=$((20000 + RANDOM % 10000))
        cat >nginx.conf <<END
worker_processes 1;
worker_rlimit_nofile 16384;
daemon off;
pid $PWD/nginx.pid;
error_log $PWD/nginx.log;
events { worker_connections 16000; }
http {
    access_log off;
    ssl_certificate $PWD/$1.pem;
    ssl_certificate_key $PWD/$1.key;
    ssl_protocols TLSv1.3;
    ssl_ecdh_curve X25519;
    ssl_conf_command Ciphersuites $cipher;
    ssl_session_cache off;
    ssl_session_tickets off;
    client_body_temp_path $PWD/nginx.tmp; proxy_temp_path $PWD/nginx.tmp; fastcgi_temp_path $PWD/nginx.tmp;
    uwsgi_temp_path $PWD/nginx.tmp; scgi_temp_path $PWD/nginx.tmp;
    default_type text/plain;
    server {
        listen 127.0.0.1:$port ssl backlog=4096;
        keepalive_timeout 0;
        location / { return 200 "An answer about as long as that of the embedded gateway to a GET.\n"; }
    }
    server {
        listen 127.0.0.1:$((port + 1)) ssl backlog=4096;
        keepalive_timeout 600;
        keepalive_requests 1000000000;
        location / { return 200 "An answer about as long as that of the embedded gateway to a GET.\n"; }
    }
}
END
        taskset -c $core_server nginx -e "$PWD/nginx.log" -c "$PWD/nginx.conf" 2>nginx.start &
        master=$!
        running+=("$master")
        for _ in {1..40}; do
            sleep 0.05
            nginx_pid=$(child_of "$master" nginx)
            [ -z "$nginx_pid" ] || break
            kill -0 "$master" 2>/dev/null || break
        done
        if [ -n "$nginx_pid" ]; then
            nginx_port=$port nginx_master=$master
            return 0
        fi
        stop "$master"
    done
    return 1
}

# child_of PID WORD: the child of a process whose command line has that word.
child_of() {
    local child words
    for child in $({ cat "/proc/$1/task/$1/children" || true; } 2>/dev/null); do
        words=$({ tr '\0' ' ' <"/proc/$child/cmdline"; } 2>/dev/null) || continue
        [[ $words != *"$2"* ]] || { echo "$child" && return 0; }
    done
}

# cpu_us PID: CPU of a process with one thread, until now.
cpu_us() {
    local ns
    read -r ns _ <"/proc/$1/schedstat"
    echo $((ns / 1000))
}

# hwm_kb PID, descriptors PID
hwm_kb() { awk '/^VmHWM/ { print $2 }' "/proc/$1/status" 2>/dev/null || true; }
descriptors() {
    local all=("/proc/$1/fd/"*)
    echo ${#all[@]}
}

now_us() { echo "${EPOCHREALTIME/./}"; }

# client KIND PORT CONNECTIONS HANDSHAKES SECONDS NAME: a closed loop that makes a connection for each request, on its core.
# HANDSHAKES bind ab and h2load, SECONDS the others. -> client_cpu_us, client_wall_us, client_count (handshakes as it says)
client() {
    local kind=$1 port=$2 at_once=$3 handshakes=$4 seconds=$5 log=$6 begun
    local url=https://127.0.0.1:$port/ command=()
    case $kind in
    ab) command=(ab -q -n "$handshakes" -c "$at_once" "$url") ;;
    wrk) command=(wrk -t1 -c "$at_once" -d "${seconds}s" -H 'Connection: close' "$url") ;;
    h2load) command=(h2load --h1 -t1 --tls13-ciphers="$cipher" -n "$handshakes" -c "$at_once" -H 'Connection: close' "$url") ;;
    s_time) command=(openssl s_time -connect "127.0.0.1:$port" -new -www / -time "$seconds") ;;
    esac
    local TIMEFORMAT='%3U %3S'
    begun=$(now_us)
    { time timeout 120 taskset -c $core_client "${command[@]}" >"$log" 2>&1; } 2>"$log.time" || return 1
    client_wall_us=$(($(now_us) - begun))
    client_cpu_us=$(tail -n 1 "$log.time" | awk '{ printf "%d", ($1 + $2) * 1e6 + 0.5 }')
    client_count=$(client_says "$kind" "$log")
    [ "${client_count:-0}" -gt 0 ] || return 1
}

# client_says KIND LOG: how many handshakes it completed; nothing when some failed, or other TLS was agreed on than is compared.
client_says() {
    case $1 in
    ab)
        grep -q "^SSL/TLS Protocol: *TLSv1.3,$cipher" "$2" && grep -q '^Server Temp Key: *X25519' "$2" &&
            grep -q '^Failed requests: *0$' "$2" && sed -n 's/^Complete requests: *//p' "$2"
        ;;
    wrk) grep -q 'Socket errors\|Non-2xx' "$2" || sed -n 's/^ *\([0-9]*\) requests in .*/\1/p' "$2" ;;
    h2load)
        grep -q '^TLS Protocol: TLSv1.3' "$2" && grep -q "^Cipher: $cipher" "$2" && grep -q '^Server Temp Key: X25519' "$2" &&
            grep -q ' 0 failed, 0 errored, 0 timeout' "$2" && sed -n 's/^requests: .* \([0-9]*\) succeeded.*/\1/p' "$2"
        ;;
    s_time) sed -n 's/^\([0-9]*\) connections in [0-9]* real.*/\1/p' "$2" ;;
    esac
}

peer_versions() {
    printf '%s · %s · %s' "$(ab -V | sed -n 's/.*Version \([0-9.]*\).*/ab \1/p;T;q')" "$(wrk -v 2>&1 | sed -n 's/^wrk [a-z]*\/*\([0-9.]*\).*/wrk \1/p;T;q')" \
        "$(h2load --version | sed 's/ nghttp2\// /')"
}

# storm_write KEY RATE USERS REQUEST HOLD: a scenario of ours; REQUEST or nothing; users who come at random, RATE a second.
storm_write() {
    local seconds
    seconds=$(calc "int($3 / $2 + 0.999)")
    cat <<END
loginstorm: 1
name: bench
users: $3
seed: 1
window: {from: 08:00:00, to: $(printf '08:%02d:%02d' $((seconds / 60)) $((seconds % 60)))}
arrivals: {shape: uniform}
populations:
  - name: all
    connections: 1
    tls: {versions: [1.3], groups: [X25519], ciphers: [$cipher], verify: none}
login:
  hold: $5
  timeouts: ${6:-{connect: 1s, handshake: 1s, login: 1s\}}
${4:+  request: {send: 100B, receive: 180B\}}
gateway: {cores: [$core_server]}
certificates: [{name: it, key: $1}]
END
}

# storm NAME KEY RATE USERS REQUEST HOLD [TIMEOUTS]: NAME.csv, NAME/; fails when it could not run (a bad verdict is not that).
storm() {
    storm_write "$2" "$3" "$4" "$5" "$6" "${7:-}" >"$1.yaml"
    storm_begin "$1"
    storm_end
}
storm_begin() { # NAME [OPTION...] -> storm_pid
    "$loginstorm" run "$1.yaml" "${@:2}" --out "$1" --quiet --format csv >"$1.csv" 2>"$1.log" &
    storm_pid=$!
    running+=("$storm_pid")
}
storm_end() {
    local status=0
    wait "$storm_pid" || status=$?
    stop "$storm_pid"
    [ $status -eq 0 ] || [ $status -eq 98 ]
}

# storm_says NAME COLUMN
storm_says() {
    awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[column]; exit }' "$1.csv"
}
