#!/bin/bash
# The shards of one storm, merged: what one machine would have measured.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

launch gateway gateway --listen 127.0.0.1:0
patiently grep -q 127.0.0.1: gateway.out || bad "a gateway listens" "an address" "$(cat gateway.out gateway.err)"
port=$(grep -om 1 '127.0.0.1:[0-9]*' gateway.out)
# A name with all that a table has to quote, failures, targets, and a gateway whose CPU is known.
scenario storm.yaml "gateway: {target: \"$port\", cpu: {from: process, pid: $pid}}" \
    'arrivals: {shape: uniform, placement: random}' \
    'populations: [{name: "office, \"north\"", share: 50%, tls: {verify: none}}, {name: home, share: 50%, connections: 2, tls: {verify: none}}]' \
    'login: {hold: none, timeouts: {connect: 4s, handshake: 4s, login: 5s}}' \
    'targets: {login_p99: 1s, failed: 1%}' \
    'certificates: [{name: "One, and only", key: ecdsa-p256}]'

# split FOLDER SHARDS INTO: folders INTO1, INTO2, ... as that many machines would have left them, of one machine's run that had an injector for
# each of them
split() {
    local i rows handshakes fates

    for ((i = 1; i <= $2; i++)); do
        mkdir "$3$i"
        cp "$1/scenario.yaml" "$3$i"
        # The user is the first field that is a number; names have commas.
        for table in samples handshakes; do
            awk -v shards="$2" -v shard="$i" 'NR == 1 { print; next }
                { rest = $0; sub(/^"[^"]*",/, "", rest); if (int(rest) % shards == shard - 1) print }' "$1/$table.csv" >"$3$i/$table.csv"
        done
        rows=$(tail -n +2 "$3$i/samples.csv" | wc -l)
        handshakes=$(tail -n +2 "$3$i/handshakes.csv" | wc -l)
        # What became of them: outcome and reason are the last fields but one.
        fates=$(tail -n +2 "$3$i/samples.csv" | awk -F, '{ print $(NF - 2) "," $(NF - 1) }' | jq -Rn '
            [inputs / ","] | {logged_in: map(select(.[0] == "logged_in")) | length, failed: map(select(.[0] == "failed")) | length,
                cut_off: map(select(.[0] == "cut_off")) | length,
                by_reason: (map(select(.[0] == "failed")) | group_by(.[1]) | map({(.[0][1]): length}) | add // {})}')
        jq --argjson i "$i" --argjson fates "$fates" --argjson count "$2" --argjson rows "$rows" --argjson handshakes "$handshakes" '
            .shard.index = $i | .shard.count = $count | .injectors = 1
            | .runs[0].logins.total = $rows | .runs[0].logins += $fates | .runs[0].handshakes.total = $handshakes
            | .runs[0].injector.cpu_us = if $i == 1 then .runs[0].injector.cpu_us else 0 end' "$1/result.json" >"$3$i/result.json"
    done
}
# table FOLDER FILE: its rows in an order of their own
table() { tail -n +2 "$1/$2" | sort; }

call run storm.yaml --injectors 3 --shard 1/1 --out whole
is "one machine's storm ends well, or only noise disturbs it" "$status" 0 98
split whole 3 part
call merge part2 part3 part1 --out merged
is "the same rows of three shards end as one machine's" "$status" 0 98
same "all logins are there, each in its place" whole/samples.csv merged/samples.csv
table whole handshakes.csv >whole.csv
table merged handshakes.csv >merged.csv
same "all handshakes are there" whole.csv merged.csv
same "the timeline is the same, byte for byte" whole/timeline.csv merged/timeline.csv
same "so is the scenario" whole/scenario.yaml merged/scenario.yaml
for part in logins handshakes latency_us distribution_us bytes gateway injector load timeline waves sessions_lost; do
    is "runs[].$part is the same" "$(of merged ".runs[].$part | tojson")" "$(of whole ".runs[].$part | tojson")"
done
of whole '.runs[] | del(.shard, .validity.reasons, .validity.start_skew_us)' >whole.json
of merged '.runs[] | del(.shard, .validity.reasons, .validity.start_skew_us)' >merged.json
same "and every other figure of the run" whole.json merged.json
is "targets too" "$(of merged '.targets | tojson')" "$(of whole '.targets | tojson')"
is "the storm is the same one" "$(of merged '[.scenario, .target, .injectors, .partial] | tojson')" "$(of whole '[.scenario, .target, .injectors, .partial] | tojson')"
is "who is in it" "$(of merged '.shards | map(.missing) | tojson')" '[false,false,false]'
has "whose CPU it is is said" "$(of merged '.notes[]')" "the gateway's CPU, "
# took FOLDER...: how long each who came in took, by the rows
took() { for one in "$@"; do sed 's/^"[^"]*",//; s/"office, ""north"""/office/' "$one/samples.csv"; done | awk -F, '$9 == "logged_in" { print $7 - $3 }'; }
# A second opinion on a quantile, of the shards' own rows.
is "the median is that of all shards' rows" "$(of merged '.runs[0].latency_us.login.p50' | ns)" \
    "$(took part[123] | rank 500)"
is "the slowest as well" "$(of merged '.runs[0].latency_us.login.p100' | ns)" \
    "$(took part[123] | rank 1000)"
call report merged
is "any report can be made of it" "$status" 0 98
has "its head says of what" "$out" "3 shards of 1 injector"

# A shard is missing.
call merge part1 part3 --out two
is "a missing shard: exit status 75, whatever else" "$status" 75
has "it is named" "$err" "shard 2 of 3 is missing"
has "in the report, too" "$out" "shard 2 of 3 is missing"
is "the result is marked" "$(of two '[.partial, .runs[0].partial] | @csv')" "true,true"
is "who is missing" "$(of two '.shards | map(.missing) | tojson')" '[false,true,false]'
is "users are conserved" "$(of two '.runs[0].logins | [.total, .logged_in + .failed + .cut_off, .cut_off] | @csv')" "60,60,20"
is "CPU that was for others, too, is divided by nothing" "$(of two '.runs[0].gateway | [.cpu_us > 0, .cpu_us_per_handshake.total, .cpu_us_per_login] | tojson')" '[true,null,null]'
is "a verdict of valid it has not" "$(of two '.runs[0].validity.verdict')" suspect invalid
call merge part1 --out one
is "one of three is two missing" "$status" 75
has "both are named" "$err" "shards 2, 3 of 3 are missing"

# A shard that was killed hard left its folder, or only its scenario.
mkdir killed killed2
cp part1/scenario.yaml killed2
call merge part1 killed part3 --out three
is "a folder without a result: exit status 75" "$status" 75
has "whose shard is missing" "$err" "shard 2 of 3 is missing"
has "and the folder is named" "$(of three '.notes[]')" "no result.json is in killed: a shard that was to write there did not"
is "those of the others are in it" "$(of three '.runs[0].logins | [.total, .cut_off] | @csv')" "60,20"
call merge killed2 killed part3 --out four
is "also in front" "$status $(of four '.shards | map(.missing) | tojson')" "75 [true,true,false]"
has "each is named" "$(of four '.notes[]')" "no result.json is in killed2, killed: "

# refused SENTENCE STATUS PART FOLDER...
refused() {
    local sentence=$1 code=$2 part=$3

    shift 3
    call merge "$@" --out never
    is "$sentence: refused" "$status" "$code"
    has "$sentence: in its words" "$err" "$part"
    is "$sentence: and leaves nothing" "$(ls -d never 2>/dev/null)" ""
}
# other NAME FILTER: shard 2 of it with another result.json
other() {
    rm -rf "$1"
    cp -r part2 "$1"
    jq "$2" part2/result.json >"$1/result.json"
}
refused "nothing" 64 'which RESULT?'
refused "nowhere" 66 'nowhere' nowhere
refused "nowhere beside a shard" 66 'cannot open nowhere (leave it out to merge the others)' part1 nowhere
refused "folders without any result" 66 'killed/result.json' killed killed2
refused "the same shard twice" 65 'part1: error: shard 1 of 3 a second time: it is in part1, too' part1 part1
refused "a merged result" 65 'merged: error: no shard, but what was merged of 3 shards' part1 merged
call run storm.yaml --out plain
refused "a whole storm" 65 'plain: error: no shard, but the whole of a storm: only what ' part1 plain
while IFS='|' read -r what filter words; do
    other changed "$filter"
    refused "another $what" 65 "$words" part1 changed
done <<'END'
name|.scenario.name = "Tuesday"|of another storm: the scenario is Tuesday here, and Sixty users in part1
seed|.scenario.seed = 12|the seed is 12 here, and 11 in part1
number of users|.scenario.users = 61|the number of users is 61 here, and 60 in part1
number of shards|.shard.count = 4|the number of shards is 4 here, and 3 in part1
number of injectors|.injectors = 2|the number of injectors a shard, by which users are split, is 2 here, and 1 in part1
target|.target = "192.0.2.1:443"|the target is 192.0.2.1:443 here, and 127.0.0.1:
version|.shard.loginstorm = "9.9.9"|the version of loginstorm is 9.9.9 here, and
pace|.scenario.speedup = 31|the speed-up is 31 here, and 30 in part1
build|.host.tls_build = "none of ours"|the TLS library's build is none of ours here, and
digest|.scenario.sha256 = "0000"|the scenario's sha256 (of its text and what its paths name) is 0000 here, and
END
other changed '.runs[0].logins.total = 19'
refused "a result that counts otherwise" 65 'samples.csv: error: 20 logins of One, and only, and the result.json beside it counts 19' part1 changed
other changed '.runs[0].logins.logged_in -= 1'
refused "another number of logins that came through" 65 'changed/samples.csv: error: edited, or not of this run: 20 logins came through, and the result.json beside it counts 19' part1 changed
other changed '.runs[0].logins.cut_off += 1'
refused "of those that were cut off" 65 'changed/samples.csv: error: edited, or not of this run: 0 logins were cut off, and the result.json beside it counts 1' part1 changed
other changed '.runs[0].logins.by_reason.connect_timeout = 2'
refused "of those that failed by a reason" 65 'changed/samples.csv: error: edited, or not of this run: 0 logins failed by connect_timeout, and the result.json beside it counts 2' part1 changed
other changed '.runs[0].handshakes.total += 1'
refused "a handshake that is gone" 65 'and the result.json beside it counts' part1 changed
other changed '.runs[0].handshakes.total = 1000000000000'
refused "more handshakes than a file can have" 65 'handshakes.csv: error: too short for the 1000000000000 handshakes' part1 changed
other changed '.runs[0].certificate = "Another"'
refused "a run of nobody's certificate" 65 'a run of none of the scenario' part1 changed
# row SENTENCE LINE COMMAND WORDS: shard 2 with a row of samples.csv changed by sed
row() {
    other changed .
    sed -i "$2$3" changed/samples.csv
    refused "$1" 65 "$4" part1 changed
}
row "another shard's user" 3 's/,4,/,5,/' 'samples.csv:3: error: this user is another shard'
row "a user twice" 3 's/,4,/,1,/' 'samples.csv:3: error: this user has a row already'
row "no number" 2 's/,1,/,one,/' 'samples.csv:2: error: this is no row of a login'
row "a row that is cut" 20 's/,,1$/,1/' 'samples.csv:20: error: this is no row of a login'
row "a row of another round" '$' 's/,1$/,2/' '19 logins of One, and only, and the result.json beside it counts 20'
row "a line that is gone" 2 d '19 logins of One, and only, and the result.json beside it counts 20'
row "a reason of what came through at once" 2 's/,logged_in,[a-z_]*,/,logged_in,connect_timeout,/' 'changed/samples.csv:2: error: a login that came through at once has no reason'
row "a failure without a reason" 2 's/,logged_in,/,failed,/' 'changed/samples.csv:2: error: a login that failed has a reason'
row "another header" 1 's/user/users/' 'samples.csv:1: error: this is no samples.csv of this loginstorm'
row "who was due at another moment" 2 's/\(,[a-z]*\|""",\)\([0-9]*\)/\11\2/' 'error: '
other changed .
sed -i 's/^seed: .*/seed: 12/' changed/scenario.yaml
refused "another scenario than was played" 65 'changed/scenario.yaml: error: not the scenario that was played' changed part1
other changed .
rm changed/handshakes.csv
refused "a table that is gone" 66 'changed/handshakes.csv' part1 changed
call merge part1 part2 part3 --out part1
is "a shard is not written over" "$status" 73
has "by what was merged of it" "$err" 'part1 holds shard 1 of 3'
is "it is still there" "$(of part1 .shard.index)" 1

# A signal at any moment: with a word, and nothing is left, or all of it where it came too late.
(cd merged && md5sum -- *) >before
for signal in INT:130 TERM:143; do
    for out in never merged; do
        for wait in 0 0.01 0.02 0.04; do
            launch cut merge part1 part2 part3 --out "$out"
            until listens "$pid"; do :; done
            sleep "$wait"
            kill "-${signal%:*}" "$pid" 2>/dev/null
            ended "$pid"
            if [ "$status" -eq "${signal#*:}" ]; then
                has "SIG${signal%:*} while $out is merged: it says so" "$(cat cut.err)" "loginstorm: error: stopped by SIG${signal%:*}; nothing was merged"
                is "and nothing is left of it" "$(ls -d never* merged-partial 2>/dev/null)" ""
                is "an older result is as it was, in every file" "$(cd merged && md5sum -- *)" "$(cat before)"
            else
                is "SIG${signal%:*} when $out is merged: it is whole" "$(of "$out" .partial)" false
                (cd merged && md5sum -- *) >before
                rm -rf never
            fi
        done
    done
done

# The worst shard's word counts, with its name.
other part4 '.runs[0].validity.verdict = "invalid" | .runs[0].validity.reasons = ["start lag p99 9.00 ms, invalid above 1.00 ms: users were sent late, and that is in their latency"]
    | .shard.host = "elsewhere" | .host.cpu = "Another CPU"'
call merge part1 part4 part3 --out worst
is "an invalid shard makes it invalid" "$status" 98
has "with its name" "$(of worst '.runs[0].validity.reasons[]')" 'shard 2 of 3 (elsewhere): start lag p99 9.00 ms, invalid above 1.00 ms'
has "another CPU is told" "$(of worst '.notes[]')" 'shard 2 of 3 (elsewhere) ran on another CPU, Another CPU'
# apart SECONDS: shard 2 began so much later
apart() { other part4 ".runs[0].shard.started = ((.runs[0].shard.started | sub(\"\\\\.[0-9]+\"; \"\") | fromdate) + $1 | todate)"; }
apart 5
call merge part1 part4 part3 --out apart
is "shards that began seconds apart are no one storm" "$status" 98
matches "by how much stands in it" "$(of apart '.runs[0].validity.reasons[]')" "shards' starts apart by [45]\.[0-9]* s, invalid above 1.00 s"
is "and nobody's reading of the gateway's CPU is the storm's" "$(of apart '.runs[0].gateway | [.source, .cpu_us, .cpu_us_per_handshake.total] | tojson')" '["none",null,null]'
between "as a figure, too" "$(of apart '.runs[0].validity.start_skew_us')" 4000000 5000000
for i in 1 3; do
    rm -rf "read$i"
    cp -r "part$i" "read$i"
    jq '.runs[0].gateway.cpu_us = 1000000' "part$i/result.json" >"read$i/result.json"
done
other part4 '.runs[0].gateway.cpu_us = 700000'
call merge read1 part4 read3 --out readings
has "readings of one gateway that differ are told" "$(of readings '.runs[0].validity.reasons[]')" "shards' readings of the gateway's CPU apart by 30.0 %, suspect above 20.0 %: they read the same gateway, so one of them is wrong"
other part4 '.shard.host = "elsewhere" | .shard.clock_error_us = null'
call merge part1 part4 part3 --out clocks
has "a clock that nobody keeps is told, on several machines" "$(of clocks '.runs[0].validity.reasons[]')" ': nobody keeps its clock (NTP), so suspect: how far apart the shards began is not known'

# due FOLDER: user, population and moment of its first run
due() { tail -n +2 "$1/samples.csv" | sed 's/^"One, and only",\|^One,//; s/"office, ""north"""/office/' | grep -v ^Two | cut -d, -f1-3; }
# A storm in three shards at the same time, two certificates, one of the shards stopped on the way.
at=$(($(date +%s) + 8))
for i in 1 2 3; do
    launch "live$i" run storm.yaml --set 'certificates=[{name: One, key: ecdsa-p256}, {name: Two, key: ecdsa-p256}]' --shard "$i/3" --start-at "@$at" --out "live$i"
    pids[i]=$pid
done
# shellcheck disable=SC2317
ready_again() { grep -q 'ready; Two starts at' live3.err; }
patiently ready_again
kill -INT "${pids[3]}"
for i in 1 2; do
    ended "${pids[i]}"
    is "shard $i ends well, or only noise disturbs it" "$status" 0 98
done
ended "${pids[3]}"
is "shard 3 was stopped before its second certificate" "$status" 130
call merge live1 live2 live3 --out live
is "what a shard did not play is missing" "$status" 75
has "and told" "$err" "shard 3 of 3 ("
is "the first certificate is whole" "$(of live '.runs[0] | [.partial, .logins.total, .logins.cut_off] | @csv')" "false,60,0"
is "the second one is not" "$(of live '.runs[1] | [.partial, .logins.total, .logins.cut_off] | @csv')" "true,60,20"
is "its users are those of one machine, at the same moments" "$(due live)" "$(due whole)"
finish
