#!/bin/bash
# Shards of one storm, here all on one machine, at a gateway that they share.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1


launch gateway gateway --listen 127.0.0.1:0
gateway_pid=$pid
patiently grep -q 127.0.0.1: gateway.out || bad "a gateway listens" "an address" "$(cat gateway.out gateway.err)"
port=$(grep -om 1 '127.0.0.1:[0-9]*' gateway.out)
# Users of two kinds; nobody waits long for anything.
scenario storm.yaml "gateway: {target: \"$port\"}" \
    'arrivals: {shape: uniform, placement: random}' \
    'populations: [{name: office, share: 50%, tls: {verify: none}}, {name: home, share: 50%, connections: 2, tls: {verify: none}}]' \
    'login: {hold: none, timeouts: {connect: 4s, handshake: 4s, login: 5s}}' \
    'certificates: [{name: One, key: ecdsa-p256}]'

# refused SENTENCE STATUS PART ARGUMENT...
refused() {
    local sentence=$1 code=$2 part=$3

    shift 3
    call run "$@" --out never
    is "$sentence: refused" "$status" "$code"
    has "$sentence: in its words" "$err" "$part"
    is "$sentence: before anything is made" "$(ls -d never* 2>/dev/null)" ""
}
refused "no such shard" 64 'there is no shard 5 of 4: they are counted from 1 to 4' storm.yaml --shard 5/4
refused "no launcher" 64 'none of LOGINSTORM_SHARD,' storm.yaml --shard auto
refused "a start that is past" 64 '--start-at: @1 is past, by ' storm.yaml --shard 1/2 --start-at @1
refused "a start without a zone" 64 'is no moment with its zone' storm.yaml --start-at 2099-01-01T08:00:00
refused "gateways of their own" 65 'each of 2 shards would storm a gateway of its own' storm.yaml --shard 1/2 --set gateway.target=embedded
grep -v '^seed:' storm.yaml >drawn.yaml
refused "a seed that each would draw" 65 'each of 2 shards would draw a seed of its own' drawn.yaml --shard 1/2
refused "the same, and it says what to do" 65 'write seed: N into the scenario, or give all of them the same --seed N' drawn.yaml --shard 2/2
refused "a seed by word, as far as that goes" 64 'are more than there are users, 60' drawn.yaml --seed 11 --shard 1/61
refused "more shards than users" 64 'are more than there are users, 60' storm.yaml --shard 1/61
refused "a counter-proof by each" 64 '--counter-proof: its ten users' storm.yaml --shard 1/2 --counter-proof

# One machine, and the same by three shards of two injectors.
call run storm.yaml --injectors 2 --out whole
is "the whole storm ends" "$status" 0 98
is "it is no shard" "$(of whole '[.shard, .shards, .runs[0].shard, .runs[0].validity.start_skew_us] | map(. == null) | all')" true
at=$(($(date +%s) + 5))
for i in 1 2; do
    launch "shard$i" run storm.yaml --injectors 2 --shard "$i/3" --start-at "@$at" --out "s$i"
    pids[i]=$pid
done
LOGINSTORM_SHARD=3/3 launch shard3 run storm.yaml --injectors 2 --shard auto --start-at "@$at" --out auto
pids[3]=$pid
for i in 1 2 3; do
    ended "${pids[i]}"
    is "shard $i ends well, or only noise disturbs it" "$status" 0 98
done
is "by a launcher's word a shard has a folder of its own" "$(ls auto)" shard-3-of-3
mv auto/shard-3-of-3 s3
# shards FILE COLUMNS: the rows of all of them in the order of users
shards() { tail -qn +2 s[123]/"$1" | cut -d, "-f$2" | sort -t, -k2,2n -k3; }
shards samples.csv 1-4 >shards.csv
tail -n +2 whole/samples.csv | cut -d, -f1-4 | sort -t, -k2,2n -k3 >whole.csv
same "shards play exactly the users of one machine, at the same moments" shards.csv whole.csv
shards handshakes.csv 1-4 >shards.csv
tail -n +2 whole/handshakes.csv | cut -d, -f1-4 | sort -t, -k2,2n -k3 >whole.csv
same "by the same connections" shards.csv whole.csv
for i in 1 2 3; do
    is "shard $i says which it is" "$(of "s$i" '.shard | "\(.index) of \(.count)"')" "$i of 3"
    is "of which storm" "$(of "s$i" .scenario.sha256)" "$(of whole .scenario.sha256)"
    is "its injectors are those of all shards" "$(column "s$i/samples.csv" user | awk '{ print int($1 % 6 / 2) + 1 }' | sort -u)" "$i"
    is "its users are conserved" "$(of "s$i" '.runs[0].logins | [.total, .logged_in + .failed + .cut_off] | @csv')" "20,20"
    is "when it was to start" "$(of "s$i" '.runs[0].shard.start_at')" "$(date -u -d "@$at" +%FT%TZ)"
    is "how late it was is the difference" "$(of "s$i" '.runs[0] | ((.shard.started | sub("\\.[0-9]+";"") | fromdate) - (.shard.start_at | fromdate) - .validity.start_skew_us / 1e6) | . > -1 and . <= 0')" true
    has "a reader is told" "$(of "s$i" '.notes[]')" "this is shard $i of 3: 20 of the users"
    has "first of all" "$(cat "shard$i.out")" "shard $i of 3"
done
is "a shard's folder is for that shard alone" "$("$BIN" run storm.yaml --shard 2/3 --out s1 2>&1 >/dev/null | sed 's/.*s1 holds/s1 holds/')" \
    's1 holds shard 1 of 3 of "Sixty users", which shard 2 of 3 of "Sixty users" would take the place of: give --out another folder, or remove that one'

# Two certificates start at moments that nobody needs to talk about.
call run storm.yaml --set 'certificates=[{name: One, key: ecdsa-p256}, {name: Two, key: ecdsa-p256}]' --shard 2/2 --start-at "@$(($(date +%s) + 3))" --out two
is "two certificates end" "$status" 0 98
# 1.98 s, 5 for a login, 10 around it
is "the second one's start follows from the scenario" "$(of two '.runs | map(.shard.start_at | fromdate) | .[1] - .[0]')" 17

# What was not ready is late, and says so.
call run storm.yaml --set 'gateway.cpu={from: process, pid: '"$gateway_pid"'}' --shard 1/1 --start-at "@$(($(date +%s) + 1))" --out late
is "who is late by seconds has measured nothing" "$status" 98
is "and is told so" "$(of late '.runs[0].validity | [.verdict, (.reasons | map(startswith("shards'"'"' starts apart by ")) | any), .start_skew_us > 1e6] | @csv')" '"invalid",true,true'

# A launcher may say the start once everybody is ready, by its own clock: an hour ahead of this one.
mkfifo told.in
setsid "$BIN" run storm.yaml --shard 1/2 --start-at - --out told <told.in >told.out 2>told.err &
pid=$!
started+=("$pid")
exec 9>told.in
# shellcheck disable=SC2317
asks() { grep -q '^ready; standard input is to say when it starts, at least 1 s ahead$' told.err; }
patiently asks || bad "who is ready says so" "ready; standard input" "$(cat told.err)"
at=$(($(date +%s) + 3600 + 6))
echo "@$at -3600 0.25" >&9
exec 9>&-
ended "$pid"
is "who is told of his start ends well, or only noise disturbs it" "$status" 0 98
is "it was to start by that clock" "$(of told '.runs[0].shard.start_at')" "$(date -u -d "@$at" +%FT%TZ)"
is "and did, as exactly as by its own" "$(of told '.runs[0] | (.shard.started | sub("\\.[0-9]+";"") | fromdate) - (.shard.start_at | fromdate) - .validity.start_skew_us / 1e6 | . > -1 and . <= 0')" true
is "how far this clock is off stands beside it" "$(of told '.shard | [.clock_ahead_us, .clock_behind_us, .clock_error_us] | @csv')" ",3600000000,250000"
refused "a start from where the scenario comes from" 64 '--start-at -: standard input is the scenario already' - --shard 1/2 --start-at - <storm.yaml
call run storm.yaml --shard 1/2 --start-at - --out untold </dev/null
is "who is never told measures nothing" "$status" 64
has "and says so" "$err" 'standard input ended before it said when; nothing was measured'

# A shard that is stopped keeps what it has.
launch stopped run storm.yaml --set pace.speedup=1 --shard 1/2 --start-at "@$(($(date +%s) + 2))" --out stopped
# shellcheck disable=SC2317
stormed() { grep -q '/30 ' stopped.err; }
patiently stormed
kill -INT "$pid"
ended "$pid"
is "a shard that was stopped says by what" "$status" 130
is "it is marked" "$(of stopped '[.partial, .shard.index, .shard.count] | @csv')" "true,1,2"
is "and its users are conserved" "$(of stopped '.runs[0].logins | [.total, .logged_in + .failed + .cut_off] | @csv')" "30,30"

# A wait can be ended, and leaves no result.
launch waiting run storm.yaml --shard 1/2 --start-at "@$(($(date +%s) + 600))" --out waiting
# shellcheck disable=SC2317
waits() { grep -q 'ready; One starts at ' waiting.err; }
patiently waits || bad "it says for what it waits" "ready; One starts at" "$(cat waiting.err)"
kill -TERM "$pid"
ended "$pid"
is "who waits can be stopped" "$status" 143
is "without a result" "$(ls waiting/result.json 2>/dev/null)" ""
finish
