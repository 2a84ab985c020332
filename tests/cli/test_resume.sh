#!/bin/bash
# Users who come with a ticket of an earlier session: who they are, that they resume, that nobody else does, and what it saves.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# resuming FILE SHARE VERSIONS [LINE...]: 600 users in two seconds
resuming() {
    local file=$1 share=$2 versions=$3

    shift 3
    scenario "$file" 'users: 600' 'pace: {speedup: 30}' 'certificates: [{name: P, key: ecdsa-p256}]' 'gateway: {tickets: on, workers: 2}' \
        'login: {hold: none, request: {send: 300B, receive: 300B}}' \
        "populations: [{name: all, tls: {resume: $share, versions: $versions}}]" "$@"
}

# bring FOLDER: the users who offer a ticket
bring() { awk -F, 'NR > 1 && $11 == 1 { print $2 }' "$1/handshakes.csv" | sort -un; }

for version in 1.3 1.2; do
    resuming "$version.yaml" 35% "[$version]"
    call run "$version.yaml" --injectors 2 --out "o$version"
    is "TLS $version: the run ends well, but for a machine that is too busy" "$status" 0 98
    has "TLS $version: it is told that tickets are fetched" "$err" "fetching tickets: 0 of "
    is "TLS $version: every secured handshake is full or resumed, and none beside the storm's" \
        "$(of "o$version" '.runs[0].handshakes | "\(.total) \(.full + .resumed)"')" "600 600"
    is "TLS $version: whoever offered a ticket was resumed, and nobody else" \
        "$(of "o$version" '.runs[0].handshakes | .offered - .resumed') $(column "o$version/handshakes.csv" offered | paste -sd '') " \
        "0 $(column "o$version/handshakes.csv" resumed | paste -sd '') "
    between "TLS $version: they are the share that was asked for" "$(of "o$version" '.runs[0].handshakes | .resumed / .total * 100')" 33 37
    is "TLS $version: and the gateway paid for these handshakes alone" "$(of "o$version" .runs[0].gateway.wasted_handshakes)" 0
    is "TLS $version: what was asked for is in the result" "$(of "o$version" .scenario.resume_share)" 0.35
    has "TLS $version: the report says so beside the CPU" "$out" "%) were resumed"
    is "TLS $version: it is that version" "$(column "o$version/handshakes.csv" tls13 | sort -u)" "$([ $version = 1.3 ] && echo 1 || echo 0)"
done
is "the same users resume in any version" "$(bring o1.2)" "$(bring o1.3)"
call run 1.3.yaml --out one --quiet
is "and with any number of injectors" "$(bring one)" "$(bring o1.3)"
matches "--quiet says so too" "$out" 'us CPU a handshake \([0-9]+ % resumed\), '
call run 1.3.yaml --out more --quiet --set populations.0.tls.resume=60%
is "who resumes at 35 % does so at 60 %" "$(comm -23 <(bring o1.3 | sort) <(bring more | sort))" ""

# Each population its own share; who does not resume gets full handshakes, by every connection.
resuming mixed.yaml 0% '[1.3]' 'populations: [{name: new, share: 50%}, {name: back, share: 50%, connections: 3, tls: {resume: 100%}}]'
call run mixed.yaml --out mixed --quiet
is "a population that does not resume makes full handshakes, one that does resumes by every connection" \
    "$(awk -F, 'NR == FNR { population[$2] = $3; next } FNR > 1 { print population[$2], $12 }' mixed/samples.csv mixed/handshakes.csv | sort -u | tr '\n' ' ')" \
    "back 1 new 0 "

# Whether a ticket has come by the time of the next connection is no matter of timing: no request keeps the two apart here.
for version in 1.3 1.2; do
    resuming "all$version.yaml" 100% "[$version]" 'users: 200' 'login: {hold: none}' 'certificates: [{name: R, key: rsa-2048}, {name: P, key: ecdsa-p256}]' \
        "populations: [{name: all, connections: 4, tls: {resume: 100%, versions: [$version]}}]"
    call run "all$version.yaml" --out "all$version" --repeat 2
    is "TLS $version, four connections a login, no request: each offers a ticket and is resumed, by every certificate in every round" \
        "$(of "all$version" '[.runs[].handshakes | "\(.total) \(.offered) \(.resumed)"] | join(", ")')" \
        "800 800 800, 800 800 800, 800 800 800, 800 800 800"
done

# RSA 4096 signs, and a resumption does not: a gap that no noise closes. Few users: on a busy machine some may not get in.
for share in 0% 100%; do
    resuming "rsa$share.yaml" "$share" '[1.3]' 'users: 60' 'certificates: [{key: rsa-4096}]' 'gateway: {tickets: on}'
    call run "rsa$share.yaml" --out "rsa$share" --quiet
done
is "RSA 4096: all are full, or all are resumed" \
    "$(of rsa0% '.runs[0].handshakes | .full > 0 and .resumed == 0') $(of rsa100% '.runs[0].handshakes | .full == 0 and .resumed > 0')" "true true"
is "a resumed handshake costs less than half of a full one" \
    "$(jq -n --slurpfile full rsa0%/result.json --slurpfile resumed rsa100%/result.json \
        '$resumed[0].runs[0].gateway.tls_us_per_handshake < $full[0].runs[0].gateway.tls_us_per_handshake / 2')" true
is "Client Hello and server flight are those of full handshakes, of which there were none" \
    "$(of rsa100% '.runs[0].bytes | "\(.client_hello) \(.server_flight)"')" "null null"

# A stop while tickets are fetched: nothing was measured, and nobody is left.
resuming slow.yaml 100% '[1.3]' 'users: 6000' 'certificates: [{key: rsa-4096}]'
launch early run slow.yaml --out early
patiently grep -q '^fetching tickets: [1-9]' early.err
kill -INT "$pid"
ended "$pid"
is "SIGINT while tickets are fetched: exit status 130" "$status" 130
has "it says that nothing was measured" "$(cat early.err)" "nothing was measured"
patiently nobody_in "$pid"
is "and no process is left" "$(members "$pid")" ""
is "nor a result" "$(ls early/result.json 2>/dev/null)" ""

# An injector that dies then is missing as one is in the storm.
launch dead run slow.yaml --out dead
patiently grep -q '^fetching tickets: [1-9]' dead.err
kill -KILL "$(children "$pid" injector-process)"
ended "$pid"
is "an injector killed while tickets are fetched: exit status 75" "$status" 75
has "it is named" "$(cat dead.err)" "an injector died (signal 9)"
finish
