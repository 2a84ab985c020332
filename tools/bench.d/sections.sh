# shellcheck shell=bash disable=SC2034
# Sourced by tools/bench: the sections. Each puts its figures down and fails when something could not run.
: "${quick:=}" "${rounds:=}" "${root:=}" "${loginstorm:=}" "${core_client:=}"
: "${gateway_pid:=}" "${gateway_port:=}" "${gateway_secured:=}" "${nginx_pid:=}" "${nginx_port:=}" "${nginx_master:=}"
: "${storm_pid:=}" "${client_cpu_us:=}" "${client_wall_us:=}" "${client_count:=}"

ours_calm='loginstorm, 2,000 logins/s' ours_full='loginstorm, core full'
check_row='loginstorm check'
found_rate='' # the highest rate that the storm keeps up with, once section rate has found it

thousands() { echo "$1" | sed ':again; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; t again'; }
share() { calc "int($1 * 100 + 0.5)"; }

# peer_against_gateway KIND AT_ONCE NAME: a fresh gateway, the client, and what both say. -> also gateway_cpu_us (while the client ran)
peer_against_gateway() {
    local before handshakes=10000 seconds=4
    [ -z "$quick" ] || handshakes=1000 seconds=1
    gateway_start ecdsa-p256 "$3" || return 1
    before=$(cpu_us "$gateway_pid")
    client "$1" "$gateway_port" "$2" $handshakes $seconds "$3.txt" || return 1
    gateway_cpu_us=$(($(cpu_us "$gateway_pid") - before))
    gateway_stop "$3" || return 1
    # A closed loop that ends by the clock leaves some under way. More than that apart: it does not make a connection for each request.
    if [ $((gateway_secured - client_count)) -gt $((2 * $2 + 2)) ] || [ $((client_count - gateway_secured)) -gt "$2" ]; then
        echo "bench: $1 says $client_count handshakes, the gateway $gateway_secured" >&2
        return 1
    fi
}

# keeps_up RATE: whether the storm does, at one of two tries.
keeps_up() {
    local seconds=3 p99
    [ -z "$quick" ] || seconds=1
    for try in 1 2; do
        progress "rate: $1 a second offered, try $try"
        storm "rate-$1-$try" ecdsa-p256 "$1" $(($1 * seconds)) request none || return 2
        p99=$(storm_says "rate-$1-$try" login_p99_us)
        if [ "$(storm_says "rate-$1-$try" verdict)" = valid ] && [ "$(storm_says "rate-$1-$try" failed)" = 0 ] &&
            [ "$(calc "${p99:-1e9} < 50000")" = 1 ]; then
            good=rate-$1-$try
            return 0
        fi
    done
    return 1
}

find_rate() {
    local low=0 high=0 next=1000 most status good=''
    # Each login may stay for its time-out of a second, and descriptors are few in some places.
    most=$(($(ulimit -n) - 200))
    for (( ; ; )); do
        status=0
        keeps_up $next || status=$?
        [ $status -lt 2 ] || return 1
        if [ $status -eq 0 ]; then low=$next; else high=$next; fi
        if [ $high -eq 0 ]; then
            [ $low -lt $most ] || break
            next=$((low * 2 < most ? low * 2 : most))
        else
            if [ $((high - low)) -le $((high / 20)) ] || [ $high -le 100 ] || [ -n "$quick" ]; then break; fi
            next=$(((low + high) / 2))
        fi
    done
    found_rate=$low
    put rate 'loginstorm, keeping up' $low
    [ -n "$good" ] || return 0
    note rate 'loginstorm, keeping up' "$(sides "$(calc "$(storm_says "$good" injector_cpu_us_per_handshake) * $low / 1e6")" \
        "$(calc "$(storm_says "$good" cpu_us_per_handshake) * $low / 1e6")")"
}

# sides CLIENT SERVER: which is short of CPU, both being shares of a core.
sides() {
    printf 'client %s %%, gateway %s %% of its core' "$(share "$1")" "$(share "$2")"
    if [ "$(calc "$1 > 0.9 || $2 > 0.9")" = 1 ]; then
        [ "$(calc "$1 >= $2")" = 1 ] && printf ': the client is full' || printf ': the gateway is full'
    fi
}

section_rate() {
    local at_once kind name
    find_rate || return 1
    for ((round = 1; round <= rounds; round++)); do
        for at_once in 20 50 100; do
            for kind in ab wrk h2load; do
                progress "rate: $kind with $at_once connections, round $round"
                name=rate-$kind-$at_once-$round
                peer_against_gateway $kind $at_once "$name" || return 1
                put rate "$kind, $at_once at once" "$(calc "$gateway_secured * 1e6 / $client_wall_us")"
                [ $round -gt 1 ] || note rate "$kind, $at_once at once" \
                    "$(sides "$(calc "$client_cpu_us / $client_wall_us")" "$(calc "$gateway_cpu_us / $client_wall_us")")"
            done
        done
    done
}

# storm_cost SECTION SUBJECT RATE REQUEST
storm_cost() {
    local seconds=4 name=$1-$3-${4:-alone}-$round
    [ -z "$quick" ] || seconds=1
    progress "$1: $2, round $round"
    storm "$name" ecdsa-p256 "$3" $(($3 * seconds)) "$4" none || return 1
    storm_cost_is "$1" "$2" "$name"
    [ "$(storm_says "$name" verdict)" = valid ] || note "$1" "$2" "verdict $(storm_says "$name" verdict) in round $round"
}
storm_cost_is() { # SECTION SUBJECT NAME
    put "$1" "$2" "$(storm_says "$3" injector_cpu_us_per_handshake)"
    put "$1" "$2" "$(storm_says "$3" cpu_us_per_handshake)" gateway_us
    put "$1" "$2" "$(storm_says "$3" verdict)" verdict
    put "$1" "$2" "$(storm_says "$3" failed)" failed
}

# storm_full SECTION RATE: more than it can do, and time for all of it.
storm_full() {
    local seconds=4 name=$1-full-$round users most
    [ -z "$quick" ] || seconds=1
    progress "$1: $ours_full, round $round"
    # All may be connected at once, and descriptors are few in some places.
    most=$(($(ulimit -n) - 200))
    users=$(($2 * seconds < most ? $2 * seconds : most))
    storm "$name" ecdsa-p256 "$2" $users request none '{connect: 120s, handshake: 120s, login: 120s}' || return 1
    storm_cost_is "$1" "$ours_full" "$name"
    put "$1" "$ours_full" "$(storm_says "$name" injector_cpu_share)" core_share
    [ "$round" -gt 1 ] || note "$1" "$ours_full" "$(thousands "$2")/s offered, core $(share "$(storm_says "$name" injector_cpu_share)") % full, $(
        storm_says "$name" failed) failed; verdict $(storm_says "$name" verdict)$(
        [ "$(storm_says "$name" verdict)" != invalid ] || echo ', as it must be where more is offered than it can do')"
}

# peer_cost SECTION KIND
peer_cost() {
    progress "$1: $2, round $round"
    peer_against_gateway "$2" 20 "$1-$2-$round" || return 1
    put "$1" "$2" "$(calc "$client_cpu_us / $gateway_secured")"
    put "$1" "$2" "$gateway_secured" handshakes
    put "$1" "$2" "$client_cpu_us" cpu_us
}

section_client() {
    local near=4000 full kind
    [ "${found_rate:-0}" -eq 0 ] || near=$((found_rate * 9 / 10))
    for ((round = 1; round <= rounds; round++)); do
        use_cipher TLS_AES_256_GCM_SHA384
        storm_cost client "$ours_calm" 2000 request || return 1
        storm_cost client "loginstorm, $(thousands $near) logins/s" $near request || return 1
        storm_cost client 'loginstorm, 2,000 logins/s, no request' 2000 '' || return 1
        full=$((${found_rate:-0} * 2))
        [ $full -gt 0 ] || full=$(calc "int(2e6 / $(median client "$ours_calm"))")
        full=$((full > 4000 ? full : 4000)) # a neighbour that made the calm rows dear does no harm here
        storm_full client "$full" || return 1
        for kind in ab wrk h2load s_time; do
            peer_cost client $kind || return 1
        done
        use_cipher TLS_AES_128_GCM_SHA256
        storm_cost client-128 "$ours_calm" 2000 request || return 1
        storm_full client-128 "$full" || return 1
        for kind in ab h2load; do
            peer_cost client-128 $kind || return 1
        done
        use_cipher TLS_AES_256_GCM_SHA384
    done
}

# server_cost SECTION SUBJECT PID PORT HANDSHAKES
server_cost() {
    local before name=$1-$2-$round spent
    progress "$1: $2, round $round"
    before=$(cpu_us "$3")
    client h2load "$4" 20 "$5" 0 "$name.txt" || return 1
    spent=$(($(cpu_us "$3") - before))
    put "$1" "$2" "$(calc "$spent / $client_count")"
    put "$1" "$2" "$client_count" handshakes
    put "$1" "$2" "$spent" cpu_us
}

section_gateway() {
    local kind key handshakes
    for ((round = 1; round <= rounds; round++)); do
        for kind in p256 rsa; do
            key=ecdsa-p256 handshakes=20000
            [ $kind = p256 ] || { key=rsa-4096 && handshakes=1000; }
            [ -z "$quick" ] || handshakes=$((handshakes / 10))
            gateway_start $key "gateway-$kind-$round" || return 1
            server_cost gateway-$kind loginstorm "$gateway_pid" "$gateway_port" $handshakes || return 1
            gateway_stop "gateway-$kind-$round" || return 1
            nginx_start $kind || return 1
            server_cost gateway-$kind nginx "$nginx_pid" "$nginx_port" $handshakes || return 1
            stop "$nginx_master"
        done
    done
}

# exporter_start NAME ARGUMENT... -> exporter_url
exporter_start() {
    local name=$1 port
    shift
    for _ in {1..20}; do
        port=$((20000 + RANDOM % 10000))
        "$name" "$@" --web.listen-address "127.0.0.1:$port" 2>"$name.log" &
        running+=("$!")
        exporter_url=http://127.0.0.1:$port/metrics
        for _ in {1..40}; do
            sleep 0.05
            ! curl -sf -o exporter.txt "$exporter_url" || return 0
            kill -0 "${running[-1]}" 2>/dev/null || break
        done
        stop "${running[-1]}"
    done
    return 1
}

# outside_storm HOW CPU: a storm at nginx, whose CPU is read as gateway.cpu says
outside_storm() {
    local name=outside-$round-${1##* } logins=${quick:+1000} before spent reported
    progress "outside: $1, round $round"
    cat >"$name.yaml" <<END
loginstorm: 1
users: ${logins:-10000}
seed: $round
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform}
populations: [{name: all, connections: 1, tls: {server_name: gateway.loginstorm.test, verify: none}}]
login: {hold: none, request: {send: 100B, receive: 180B}}
gateway: {target: "127.0.0.1:$nginx_port", cpu: $2}
pace: {speedup: $((3600 * 500 / ${logins:-10000}))}
END
    before=$(($(cpu_us "$nginx_pid") + $(cpu_us "$nginx_master")))
    # An invalid measurement is one of latencies: who does not keep up is sent late, and costs the same.
    taskset -c "$core_client" "$loginstorm" run "$name.yaml" --out "$name" >"$name.txt" 2>&1 || [ $? -eq 98 ] || return 1
    spent=$(($(cpu_us "$nginx_pid") + $(cpu_us "$nginx_master") - before))
    reported=$(jq -r '.runs[0] | .gateway.cpu_us_per_handshake.total as $each | if $each then $each * .handshakes.full else "" end' "$name/result.json")
    put outside "$1" "${reported:+$(calc "$reported / $spent * 100")}"
    put outside "$1" "$spent" nginx_us
}

section_outside() {
    local exporter_url
    for ((round = 1; round <= rounds; round++)); do
        nginx_start p256 || return 1
        outside_storm 'by its process' "{from: process, pid: $nginx_master}" || return 1
        echo "process_names: [{name: bench, cmdline: ['$PWD/nginx.conf']}]" >groups.yaml # its workers are its children
        exporter_start prometheus-process-exporter --config.path groups.yaml || return 1
        outside_storm 'by process-exporter' "{from: exporter, url: \"$exporter_url\", process: bench}" || return 1
        exporter_start prometheus-node-exporter --collector.disable-defaults --collector.cpu --collector.stat || return 1
        outside_storm 'by node_exporter' "{from: exporter, url: \"$exporter_url\"}" || return 1
        stop_all
    done
}

# watch_memory CLIENT SERVER N: looks until the client is gone. -> client_kb, server_kb: their peaks; fails when N were never open at once
watch_memory() {
    local opened=0 served=0 seen
    client_kb='' server_kb=''
    for _ in {1..1200}; do
        seen=$(hwm_kb "$1")
        [ -n "$seen" ] || break
        client_kb=$seen
        seen=$(hwm_kb "$2")
        server_kb=${seen:-$server_kb}
        seen=$(descriptors "$1")
        opened=$((seen > opened ? seen : opened))
        seen=$(descriptors "$2")
        served=$((seen > served ? seen : served))
        sleep 0.1
    done
    [ $opened -ge "$3" ] && [ $served -ge "$3" ] && [ -n "$client_kb" ] && [ -n "$server_kb" ]
}

# hold_storm N -> client_kb, server_kb
hold_storm() {
    local name=memory-storm-$1 injector='' gateway='' status=0
    # Sessions are let go when the last user is in: half a percent come two seconds later, so that there is time to look.
    storm_write ecdsa-p256 1000 "$1" request until_end '{connect: 5s, handshake: 5s, login: 10s}' |
        sed "s/^window: .*/window: {from: 08:00, to: 08:01}/
             s/^arrivals: .*/arrivals: [{shape: burst, at: 08:00, over: 6s, share: 99.5%}, {shape: burst, at: 08:00:08, over: 1s, share: 0.5%}]/" \
            >"$name.yaml"
    storm_begin "$name"
    for _ in {1..200}; do
        injector=$(child_of "$storm_pid" injector-process)
        gateway=$(child_of "$storm_pid" gateway-process)
        [ -z "$injector" ] || break
        sleep 0.05
    done
    watch_memory "${injector:-none}" "${gateway:-none}" $(($1 * 99 / 100)) || status=1
    storm_end || status=1
    [ $status -eq 0 ] && [ "$(storm_says "$name" logged_in)" = "$1" ] && [ "$(storm_says "$name" sessions_lost)" = 0 ]
}

# hold_peer KIND N SERVER_PID PORT NAME: keeps N connections open and asks on them again and again -> client_kb, server_kb
hold_peer() {
    local pid seconds=$((4 + $2 / 500)) status=0
    case $1 in
    wrk) taskset -c "$core_client" wrk -t1 -c "$2" -d "${seconds}s" --timeout 30s "https://127.0.0.1:$4/" >"$5.txt" 2>&1 & ;;
    h2load) taskset -c "$core_client" h2load --h1 -t1 -c "$2" -D $seconds "https://127.0.0.1:$4/" >"$5.txt" 2>&1 & ;;
    esac
    pid=$!
    running+=("$pid")
    watch_memory "$pid" "$3" "$2" || status=1
    stop "$pid"
    return $status
}

# slope SECTION SUBJECT LOW_KB HIGH_KB LOW HIGH
slope() {
    put "$1" "$2" "$3" "hwm_kb_$5"
    put "$1" "$2" "$4" "hwm_kb_$6"
    # VmHWM is in KiB, the table in kB.
    put "$1" "$2" "$(calc "($4 - $3) * 1.024 / ($6 - $5)")"
    note "$1" "$2" "$(calc "sprintf(\"%.1f MB with %d, %.1f MB with %d\", $3 * 1.024 / 1000, $5, $4 * 1.024 / 1000, $6)")"
}

# held SECTION_CLIENT SUBJECT SECTION_SERVER SUBJECT COMMAND...: COMMAND with few and with many; - for a side that is not of interest
held() {
    local client_section=$1 client_subject=$2 server_section=$3 server_subject=$4 few=1000 many=6000 low high
    shift 4
    [ -z "$quick" ] || few=200 many=1000
    progress "memory: ${*}, $few"
    "$@" $few || return 1
    low=$client_kb high=$server_kb
    progress "memory: ${*}, $many"
    "$@" $many || return 1
    [ "$client_section" = - ] || slope "$client_section" "$client_subject" "$low" "$client_kb" $few $many
    [ "$server_section" = - ] || slope "$server_section" "$server_subject" "$high" "$server_kb" $few $many
}

peer_holds_gateway() {
    gateway_start ecdsa-p256 "memory-$1-$2" || return 1
    hold_peer "$1" "$2" "$gateway_pid" "$gateway_port" "memory-$1-$2" || return 1
    gateway_stop "memory-$1-$2"
}

peer_holds_nginx() {
    nginx_start p256 || return 1
    hold_peer "$1" "$2" "$nginx_pid" $((nginx_port + 1)) "memory-nginx-$1-$2" || return 1
    stop "$nginx_master"
}

section_memory() {
    held memory-client loginstorm memory-server loginstorm hold_storm || return 1
    held memory-client wrk - - peer_holds_gateway wrk || return 1
    held memory-client h2load memory-server 'loginstorm, held by h2load' peer_holds_gateway h2load || return 1
    held - - memory-server nginx peer_holds_nginx h2load || return 1
}

section_lag() {
    local users=20000 q
    [ -z "$quick" ] || users=4000
    for ((round = 1; round <= rounds; round++)); do
        progress "lag, round $round"
        storm "lag-$round" ecdsa-p256 2000 $users request none || return 1
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["started_ns"] - $at["due_ns"] }' "lag-$round/samples.csv" |
            sort -n >"lag-$round.ns"
        for q in 50 99 100; do
            put lag p$q "$(awk -v n="$(wc -l <"lag-$round.ns")" -v q=$q 'BEGIN { rank = int((q * n + 99) / 100) } NR == rank { print $1 / 1e6 }' "lag-$round.ns")"
        done
        put lag p99 "$(storm_says "lag-$round" start_lag_p99_us)" result_p99_us
    done
}

# live_storm SUBJECT NAME: the storm of section lag with a live page, and, where SUBJECT says so, somebody at it.
live_storm() {
    local url='' reader='' port
    storm_write ecdsa-p256 2000 "$users" request none >"$2.yaml"
    storm_begin "$2" --live=127.0.0.1:0
    for _ in {1..600}; do
        url=$(sed -n 's/^live page: //p' "$2.log")
        [ -z "$url" ] || break
        still_ours "$storm_pid" || return 1
        sleep 0.05
    done
    case $1 in
    *'somebody reads')
        # With the least claim to a core, as if it were on another machine.
        chrt --idle 0 curl -sS -N "${url}events" >"$2.events" 2>"$2.curl" &
        reader=$!
        ;;
    *'never reads')
        port=${url##*:}
        exec {deaf}<>"/dev/tcp/127.0.0.1/${port%%/*}"
        printf 'GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n' >&"$deaf"
        ;;
    esac
    storm_end || return 1
    if [ -n "$reader" ]; then
        wait $reader || return 1
        put live "$1" "$(grep -c '^event: point' "$2.events")" points
    elif [[ $1 = *'never reads' ]]; then
        exec {deaf}>&-
    fi
}

section_live() {
    local users=20000 deaf subject name i
    [ -z "$quick" ] || users=4000
    for ((round = 1; round <= rounds; round++)); do
        i=0
        for subject in 'no live page' 'loginstorm --live, nobody looks' 'loginstorm --live, somebody reads' 'loginstorm --live, somebody never reads'; do
            progress "live: $subject, round $round"
            name=live-$((i += 1))-$round
            if [ $i -eq 1 ]; then
                storm "$name" ecdsa-p256 2000 $users request none || return 1
            else
                live_storm "$subject" "$name" || return 1
            fi
            put live "$subject" "$(calc "$(storm_says "$name" start_lag_p99_us) / 1000")"
        done
    done
}

section_flight() {
    local users=21000 limit
    [ -z "$quick" ] || users=1000
    limit=$(($(ulimit -n) - 100))
    [ $users -le $limit ] || users=$limit
    progress "flight: $users users"
    storm flight rsa-4096 $((users / 2)) $users '' none '{connect: 60s, handshake: 600s, login: 600s}' || return 1
    put flight loginstorm "$(storm_says flight peak_handshakes_in_flight)"
    put flight loginstorm $users users
    note flight loginstorm "of $users users, $(storm_says flight logged_in) logged in"
}

# time_of SUBJECT COMMAND...: until it has ended
time_of() {
    local subject=$1 begun
    shift
    for ((round = 0; round < 50; round++)); do
        begun=$(now_us)
        "$@" >/dev/null || return 1
        put start "$subject" "$(calc "($(now_us) - $begun) / 1000")"
    done
}

section_start() {
    local begun byte
    progress 'start'
    time_of /bin/true /bin/true || return 1
    time_of "$check_row" "$loginstorm" check "$root/scenarios/morning-peak.yaml" || return 1
    note start "$check_row" 'scenarios/morning-peak.yaml, median of 50'
    for ((round = 0; round < 50; round++)); do
        begun=$(now_us)
        IFS= read -r -N 1 byte < <("$loginstorm" --version)
        put start 'loginstorm --version, first byte' "$(calc "($(now_us) - $begun) / 1000")"
        [ "$byte" = l ] || return 1
    done
}

section_model() {
    local what value users='' events=''
    cmake --build "$root/build/release" --target bench_model >model.log 2>&1 || return 1
    for ((round = 0; round < rounds; round++)); do
        progress "model, round $((round + 1)) of $rounds"
        taskset -c 1 "$root/build/release/bench_model" "$root/scenarios/morning-peak.yaml" >model.txt || return 1
        while read -r what value; do
            case $what in
            customers) put model-queue 'loginstorm, model' "$value" ;;
            recursion) put model-queue 'Lindley recursion, nothing kept' "$value" ;;
            morning) put model-morning 'loginstorm, model' "$value" ;;
            users) users=$value ;;
            events) events=$value ;;
            esac
        done <model.txt
    done
    note model-morning 'loginstorm, model' "$users users, $events events"
}

# web_log BYTES: access.log of about so many
web_log() {
    awk -v bytes=$(($1 / 10)) 'BEGIN {
        srand(7)
        for (i = 0; size < bytes; i++) {
            second = 25200 + int(i / 40)
            user = int(rand() * 20000)
            request = rand() < 0.02 ? "POST /login" : "GET /portal/assets/app-" i % 977 ".js"
            line = sprintf("10.%d.%d.%d - - [30/Nov/2026:%02d:%02d:%02d +0100] \"%s HTTP/1.1\" %d %d \"https://ras.example/portal/%d\" \"%s\"",
                user % 4, int(user / 250), user % 250, int(second / 3600) % 24, int(second / 60) % 60, second % 60, request,
                rand() < 0.03 ? 401 : 200, rand() * 90000, i % 1000,
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36")
            size += length(line) + 1
            print line
        }
    }' >part.log
    for ((part = 0; part < 10; part++)); do cat part.log; done >access.log
    rm part.log
}

# seconds_of SECTION SUBJECT COMMAND...: what it says goes to a file, since grep looks no further than the first match for /dev/null
seconds_of() {
    local section=$1 subject=$2 begun
    shift 2
    begun=$(now_us)
    "$@" >said.out 2>said.err || return 1
    put "$section" "$subject" "$(calc "($(now_us) - $begun) / 1e6")"
}

section_import() {
    local bytes=1000000000 log pid byte
    local options=(--url 'POST /login' --timezone Europe/Paris)
    [ -z "$quick" ] || bytes=50000000
    progress "import: a log of $((bytes / 1000000)) MB"
    web_log $bytes && gzip -1 -k access.log || return 1
    cat access.log access.log.gz >/dev/null
    for ((round = 1; round <= rounds; round++)); do
        progress "import, round $round"
        seconds_of import 'grep -c' grep -c 'POST /login' access.log || return 1
        seconds_of import 'loginstorm import' "$loginstorm" import access.log "${options[@]}" || return 1
        seconds_of import 'loginstorm import, every request' "$loginstorm" import access.log --timezone Europe/Paris || return 1
        seconds_of import-packed 'gzip -dc | grep -c' bash -c 'gzip -dc access.log.gz | grep -c "POST /login"' || return 1
        seconds_of import-packed 'loginstorm import' "$loginstorm" import access.log.gz "${options[@]}" || return 1
    done
    note import 'loginstorm import, every request' 'a login in every line'
    mkfifo curve.fifo
    for log in access.log access.log.gz; do
        "$loginstorm" import $log "${options[@]}" --quiet >curve.fifo &
        pid=$!
        # It cannot end before the rest is read: a pipe holds 64 KiB.
        exec 9<curve.fifo
        IFS= read -r -N 1 byte <&9
        put import-memory "loginstorm${log#access.log}" "$(awk '/^VmHWM/ { print $2 / 1024 }' "/proc/$pid/status")"
        cat <&9 >/dev/null
        exec 9<&-
        wait $pid || return 1
    done
    rm -f access.log access.log.gz curve.fifo said.out said.err
    [ "$byte" = '#' ]
}
