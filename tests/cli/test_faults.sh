#!/bin/bash
# A gateway that does something wrong with some of its users (tests/faults/fault_gateway.c): each of those has exactly one named outcome, all the
# others log in, the users add up, and no run hangs.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

users=24
at_once=12 # rows; they mostly wait

# Certificates: a good one, and those that nobody should take.
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
# key FILE: a key; authority NAME; leaf NAME CA DNS FROM TO
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1" 2>/dev/null; }
authority() { key "$1.key" && openssl req -x509 -new -key "$1.key" -out "$1.pem" -days 3650 -subj "/CN=$1" 2>/dev/null; }
leaf() {
    openssl req -new -key leaf.key -out leaf.csr -subj "/CN=$3" -addext "subjectAltName=DNS:$3" 2>/dev/null
    openssl ca -config ca.cnf -batch -notext -keyfile "$2.key" -cert "$2.pem" -in leaf.csr -out "$1.pem" -startdate "$4" -enddate "$5" 2>/dev/null
}
authority ca
authority stranger
key leaf.key
leaf good ca gw.example 20200101000000Z 20490101000000Z
leaf expired ca gw.example 20200101000000Z 20210101000000Z
leaf future ca gw.example 20400101000000Z 20490101000000Z
leaf other ca elsewhere.example 20200101000000Z 20490101000000Z
leaf untrusted stranger gw.example 20200101000000Z 20490101000000Z
is "the certificates are there" "$(grep -l BEGIN good.pem expired.pem future.pem other.pem untrusted.pem | wc -l)" 5

# listening NAME: its gateway has said so
# shellcheck disable=SC2317
listening() { grep -q '^port ' "$1.gateway"; }

# serve NAME FAULT EVERY BAD_CERTIFICATE: a gateway, at $port
serve() {
    setsid "$FAULT_GATEWAY" good.pem leaf.key "$2" "$3" ${4:+"$4.pem" leaf.key} >"$1.gateway" 2>"$1.gateway.err" </dev/null &
    started+=($!)
    disown
    patiently listening "$1" || bad "$1: its gateway listens" "a port" "$(cat "$1.gateway.err")"
    port=$(sed -n 's/^port //p' "$1.gateway")
}

# begin NAME FAULT EVERY BAD_CERTIFICATE TLS [CONNECTIONS [TIMEOUTS [MORE [OPTION]]]]: gateway and run of a row, in the background
begin() {
    local name=$1 port wish

    serve "$name" "$2" "$3" "$4"
    wish=$5
    cat >"$name.yaml" <<END
loginstorm: 1
name: $name
users: $users
seed: 7
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform, placement: even}
pace: {speedup: 7200}
populations: [{name: all, connections: ${6:-1}, tls: {server_name: gw.example, $wish}}]
login: {hold: none, request: {send: 200B, receive: 500B}, timeouts: {connect: 2s, ${7:-handshake: 2s, login: 4s}}${8:+, $8}}
gateway: {target: "127.0.0.1:$port", trust: ca.pem, first_look: no}
END
    setsid timeout -k 1 60 "$BIN" run "$name.yaml" --out "$name" --quiet ${9:+"$9"} >"$name.out" 2>"$name.err" </dev/null &
    echo "$!" >"$name.pid"
    started+=($!)
}

# check NAME LOGIN HANDSHAKE TOLD: the outcome's words, "|" between several of which one may be, "-" for none; TOLD: whether the
# gateway told how many it did wrong
check() {
    local name=$1 lost faults

    ended "$(cat "$name.pid")"
    is "$name: the run comes to its end" "$status$(grep error "$name.err")" 0 98
    is "$name: users = logged in + failed" "$(of "$name" ".runs[0].logins | .total == .logged_in + .failed and .total == $users and .cut_off == 0")" true
    is "$name: handshakes = full + resumed + failed" "$(of "$name" '.runs[0].handshakes | .total == .full + .resumed + .failed')" true
    lost=$(of "$name" '.runs[0].logins.failed')
    if [ "$2" = - ]; then
        is "$name: everybody logs in" "$lost" 0
    else
        matches "$name: each fault has that name" "$(of "$name" '.runs[0].logins.by_reason | keys | join(" ")')" "^($2)\$"
        holds "$name: some met it" "$lost > 0"
    fi
    if [ "$3" = - ]; then
        is "$name: no handshake fails" "$(of "$name" '.runs[0].handshakes.failed')" 0
    else
        matches "$name: each of its handshakes has that name" "$(of "$name" '.runs[0].handshakes.by_reason | keys | join(" ")')" "^($3)\$"
    fi
    if [ "$4" = told ] && [ "$2" != - ]; then
        faults=$(grep -c '^fault' "$name.gateway")
        is "$name: those who met it failed, and nobody else" "$lost" "$faults"
    fi
    rows=$((rows + 1))
    printf '%-24s %-22s %-22s %3s of %s\n' "$name" "$(of "$name" '.runs[0].logins.by_reason | keys | join(" ") | if . == "" then "(logged in)" else . end')" \
        "$(of "$name" '.runs[0].handshakes.by_reason | keys | join(" ") | if . == "" then "(secured)" else . end')" "$lost" "$users" >>table
}

rows=0
pending=()
flush() {
    local row name fault every bad wish login handshake told

    for row in "${pending[@]}"; do
        IFS=';' read -r name fault every bad wish login handshake told <<<"$row"
        begin "$name" "$fault" "$every" "$bad" "$wish"
    done
    for row in "${pending[@]}"; do
        IFS=';' read -r name fault every bad wish login handshake told <<<"$row"
        check "$name" "$login" "$handshake" "$told"
    done
    pending=()
}

# What is asked for; what the others are. Each row: fault, how often, certificate, TLS, the login's and the handshake's names.
new='versions: [1.3]'
old='versions: [1.2], groups: [X25519, P-256]'
while IFS=';' read -r fault every bad version login handshake; do
    case $version in
    new) wish=$new ;;
    old) wish=$old ;;
    *) wish=$version ;;
    esac
    name=${fault//@/-}${bad:+-$bad}$([ "$version" = old ] && echo -1.2)
    told=told
    case $fault in
    kill* | gone | full) told=- ;;
    esac
    pending+=("$name;$fault;$every;$bad;$wish;$login;$handshake;$told")
    if [ "${#pending[@]}" -eq "$at_once" ]; then
        flush
    fi
done <<'END'
fine;1;;new;-;-
reset@accept;2;;new;(handshake_reset|connect_reset| )+;(handshake_reset|connect_reset| )+
reset@hello;2;;new;handshake_reset;handshake_reset
reset@part;2;;new;handshake_reset;handshake_reset
reset@flight;2;;old;handshake_reset;handshake_reset
reset@flight;2;;new;request_reset;-
reset@finished;2;;new;request_reset;-
reset@answer;2;;new;request_reset;-
stall@accept;2;;new;handshake_timeout;handshake_timeout
stall@hello;2;;new;handshake_timeout;handshake_timeout
stall@part;2;;new;handshake_timeout;handshake_timeout
stall@flight;2;;old;handshake_timeout;handshake_timeout
stall@flight;2;;new;login_timeout;-
stall@finished;2;;new;login_timeout;-
stall@answer;2;;new;login_timeout;-
close@accept;2;;new;handshake_closed;handshake_closed
close@hello;2;;new;handshake_closed;handshake_closed
close@part;2;;new;handshake_closed;handshake_closed
close@flight;2;;old;handshake_closed;handshake_closed
close@flight;2;;new;request_closed;-
close@finished;2;;new;request_closed;-
close@answer;2;;new;request_closed;-
drip@hello;2;;new;handshake_timeout;handshake_timeout
drip@answer;2;;new;login_timeout;-
drip0@hello;1;;new;-;-
garbage@accept;2;;new;handshake_protocol;handshake_protocol
garbage@hello;2;;new;handshake_protocol;handshake_protocol
garbage@part;2;;new;handshake_protocol;handshake_protocol
garbage@flight;2;;new;request_protocol;-
garbage@finished;2;;new;request_protocol;-
garbage@answer;2;;new;request_protocol;-
alert40@hello;2;;new;handshake_alert;handshake_alert
alert70@hello;2;;new;handshake_alert;handshake_alert
alert80@hello;2;;new;handshake_alert;handshake_alert
alert112@accept;2;;new;handshake_alert;handshake_alert
alert40@flight;2;;old;handshake_alert;handshake_alert
alert80@answer;2;;new;request_protocol;-
notify@finished;2;;new;request_closed;-
notify@answer;2;;new;request_closed;-
late@hello;2;;new;handshake_timeout;handshake_timeout
late@answer;2;;new;login_timeout;-
flood@hello;2;;new;(handshake_protocol|handshake_timeout| )+;(handshake_protocol|handshake_timeout| )+
flood@answer;1;;new;-;-
bad;2;expired;new;certificate_rejected;certificate_rejected
bad;2;future;new;certificate_rejected;certificate_rejected
bad;2;other;new;certificate_rejected;certificate_rejected
bad;2;untrusted;old;certificate_rejected;certificate_rejected
again;2;;versions: [1.3], groups: [X25519, P-256];handshake_protocol;handshake_protocol
kill@hello;6;;new;(connect_refused|handshake_reset| )+;(connect_refused|handshake_reset| )+
gone;1;;new;(connect_refused|handshake_reset| )+;(connect_refused|handshake_reset| )+
full;1;;new;connect_timeout;connect_timeout
END
flush

# The whole login has a deadline: neither a drip of one handshake nor several of them outlive it.
begin drip-long drip@hello 2 '' "$new" '' 'handshake: 60s, login: 2s'
begin drip-thrice drip2@hello 1 '' "$new" 3 'handshake: 60s, login: 2s'
check drip-long login_timeout login_timeout told
check drip-thrice login_timeout "login_timeout|" -

# Who asks for another key share, and who has forgotten the tickets, is served: by one more round trip, and by full handshakes.
begin keys keys 5 '' "$new, resume: 100%"
check keys - - -
is "other ticket keys: each ticket is offered, and none of those that are refused costs a login" \
    "$(of keys '.runs[0].handshakes | .offered == 24 and .full > 0 and .full + .resumed == 24')" true
begin back back 1 '' "$new" '' '' 'retry: {attempts: 9, wait: 300ms, factor: 1, jitter: none}'
check back - "(connect_refused|handshake_reset| )+" - # who was in its queue is reset
holds "a gateway that comes back: who was refused came again" "$(of back '.runs[0].logins.retried') > 0"

# A gateway, or what stands before it, that looks at the first segment of a Client Hello alone: a post-quantum one has more.
quantum='versions: [1.3], groups: [X25519MLKEM768, X25519, P-256]'
begin short segment 1 '' "$new"
begin segment segment 1 '' "$quantum" '' '' '' --counter-proof
begin silence silence 2 '' "$quantum" '' 'handshake: 1s, login: 2s'
begin slow slow 1 '' "$new"
check short - - -
check segment handshake_reset handshake_reset -
check silence handshake_timeout handshake_timeout told
check slow - - -
is "a reset and silence are told to be the Client Hello's, and nobody else's" \
    "$(for name in short segment silence fine reset-hello stall-accept; do of $name '.runs[0].handshakes | .long_hello_unanswered - (if .long_hello_unanswered > 0 then .failed else 0 end)'; done | sort -u)" 0
holds "as many as failed" "$(of segment .runs[0].handshakes.long_hello_unanswered) > 20 && $(of silence .runs[0].handshakes.long_hello_unanswered) > 8"
call report segment
out=$(tr -s " \n" " " <<<"$out") # however wide the page is
has "in words" "$out" "Client Hellos with a post-quantum key share not a byte came: mostly that is a firewall or balancer on the way"
has "the counter-proof is in the result" "$(of segment '.notes[]')" "10 of 10 handshakes without a post-quantum key share came through: something on the way, or the gateway, cannot take"
lacks "and is none where it was not asked for" "$(of silence '.notes[]')" "counter-proof"

# What the first look says of a gateway that does this to everybody, and that it comes to an end. Each row: fault, certificate, TLS, exit status, words;
# "-" where a handshake shows nothing amiss: then the users find it.
looked=0
look_begin() { # NAME FAULT BAD_CERTIFICATE TLS
    local port

    serve "$1" "$2" 0 "$3"
    cat >"$1.yaml" <<END
loginstorm: 1
users: 2
seed: 7
window: {from: 08:00, to: 09:00}
arrivals: {shape: uniform, placement: even}
pace: {speedup: 36000}
populations: [{name: all, tls: {server_name: gw.example, $4}}]
login: {hold: none, request: {send: 200B, receive: 500B}, timeouts: {connect: 3s, handshake: 3s, login: 6s}}
gateway: {target: "127.0.0.1:$port", trust: ca.pem}
END
    setsid timeout -k 1 60 "$BIN" run "$1.yaml" --out "$1" --quiet >"$1.out" 2>"$1.err" </dev/null &
    echo "$!" >"$1.pid"
    started+=($!)
}
look_check() { # NAME STATUS WORDS
    local said

    ended "$(cat "$1.pid")"
    said=$(cat "$1.err")
    looked=$((looked + 1))
    if [ "$3" = - ]; then
        is "$1: a look finds nothing, and the users play" "$(of "$1" '.runs[0].logins.total' 2>/dev/null)" 2
        return
    fi
    is "$1: the run ends before the storm" "$status $(ls -d "$1" 2>/dev/null)" "$2 "
    has "$1: which says why" "$said" "$3"
    is "$1: in one line" "$(wc -l <<<"$said")" 1
}
look_flush() {
    local row name fault bad wish code words

    for row in "${pending[@]}"; do
        IFS=';' read -r name fault bad wish code words <<<"$row"
        look_begin "$name" "$fault" "$bad" "$wish"
    done
    for row in "${pending[@]}"; do
        IFS=';' read -r name fault bad wish code words <<<"$row"
        look_check "$name" "$code" "$words"
    done
    pending=()
}
while IFS=';' read -r fault bad version code words; do
    case $version in
    new) wish=$new ;;
    old) wish=$old ;;
    quantum) wish=$quantum ;;
    esac
    pending+=("look-${fault//@/-}${bad:+-$bad}-$version;$fault;$bad;$wish;$code;$words")
    if [ "${#pending[@]}" -eq "$at_once" ]; then
        look_flush
    fi
done <<'END'
fine;;new;;-
reset@accept;;new;69;resets the connection amid the handshake
reset@hello;;new;69;resets the connection amid the handshake
reset@part;;new;69;resets the connection amid the handshake
reset@flight;;old;69;resets the connection amid the handshake
reset@answer;;new;;-
stall@accept;;new;69;takes the connection and then says nothing: no TLS within login.timeouts.handshake
stall@hello;;new;69;no TLS within login.timeouts.handshake
stall@part;;new;69;takes the connection and then begins an answer that it does not end: no TLS within login.timeouts.handshake
stall@flight;;old;69;no TLS within login.timeouts.handshake
stall@finished;;new;;-
close@accept;;new;69;closes the connection amid the handshake
close@hello;;new;69;closes the connection amid the handshake
close@part;;new;69;closes the connection amid the handshake
close@finished;;new;;-
drip@hello;;new;69;no TLS within login.timeouts.handshake
garbage@accept;;new;69;the peer does not speak TLS
garbage@hello;;new;69;the peer does not speak TLS
alert40@hello;;new;65;the peer sent the alert handshake_failure(40); it agrees to nothing that is offered
alert70@hello;;new;65;the peer sent the alert protocol_version(70)
alert80@hello;;new;65;the peer sent the alert internal_error(80)
alert112@accept;;new;65;the peer sent the alert unrecognized_name(112)
late@hello;;new;69;no TLS within login.timeouts.handshake
flood@hello;;new;69;gateway.target: 127.0.0.1:
bad;expired;new;65;expired on 2021-01-01
bad;future;new;65;is not valid before 2040-01-01
bad;other;new;65;is not for gw.example, but for elsewhere.example
bad;untrusted;old;65;says that "stranger" issued it
segment;;quantum;69;resets the connection at a Client Hello with a post-quantum key share
segment;;new;;-
silence;;quantum;69;says nothing to a Client Hello with a post-quantum key share
reset@accept;;quantum;69;resets the connection amid the handshake
stall@accept;;quantum;69;takes the connection and then says nothing: no TLS within login.timeouts.handshake
END
look_flush
has "a long Client Hello: with how long, and what to do" "$(cat look-segment-quantum.err)" \
    "bytes, two segments), and answers one without: mostly that is a firewall or balancer that cannot take a Client Hello in two segments; have it brought up to date, or write groups without MLKEM under tls"

# A full queue: the kernel counts it, and the users that wait for a second SYN are told apart.
holds "a full queue: dropped, and counted" "$(of slow .runs[0].validity.kernel_listen_overflows) > 0 && $(of slow .runs[0].validity.kernel_listen_drops) > 0"
holds "and the SYNs that were sent again, too" "$(of slow .runs[0].validity.kernel_syn_retransmits) > 0"
holds "by connection" "$(of slow .runs[0].validity.retransmitted_connections) > 0"
is "the others' latencies stand beside" \
    "$(of slow '.runs[0] | .validity.retransmitted_connections + .validity.login_without_retransmits_us.count == 24 and .latency_us.login.p100 > 1000000')" true
call report slow
out=$(tr -s " \n" " " <<<"$out")
matches "the report says so" "$out" "this machine's kernel sent [0-9]+ SYNs? again, each after a second or more, and its listeners dropped [0-9]+ connection"
matches "and p100 with and without them" "$out" "sent again [0-9]+, suspect above 0: a lost SYN waits a second without any CPU; login p100 without them [0-9.]+ .?s"

# A hello retry, by somebody who does it well.
setsid openssl s_server -accept 127.0.0.1:0 -cert good.pem -key leaf.key -groups P-256 -www >retry.txt 2>&1 </dev/null &
started+=($!)
disown
# shellcheck disable=SC2317
accepts() { grep -q '^ACCEPT' retry.txt; }
patiently accepts
sed "s/target: [^,]*,/target: \"127.0.0.1:$(sed -n 's/^ACCEPT .*://p' retry.txt)\",/; s/groups: [^]]*]/groups: [X25519, P-256]/; s/500B/100B/" again.yaml >retry.yaml
call run retry.yaml --out retry --quiet
is "a hello retry costs a round trip, and no login" "$(of retry '.runs[0] | "\(.logins.logged_in) \(.handshakes.hello_retry)"')" "24 24"
cat table
printf '%d faults, %d looks, 0 hangs\n' "$rows" "$looked"
finish
