#!/bin/bash
# A signal at any moment: with a word, with its exit status, without an empty folder, and never at the cost of an older result.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
costs=$(realpath "$(dirname "$0")/../../scenarios/costs/published.json")
cd "$TMP" || exit 1

# In the first moment: while the scenario is read, from a pipe that gives nothing.
mkfifo pipe
exec 9<>pipe
while IFS=';' read -r command what; do
    for signal in INT:130 TERM:143; do
        setsid "$BIN" "$command" - --out never >first.out 2>first.err <pipe &
        pid=$!
        started+=("$pid")
        patiently listens "$pid" || bad "$command: it listens" "SIGINT caught" "$(cat "/proc/$pid/status")"
        kill "-${signal%:*}" "$pid"
        ended "$pid"
        is "$command: SIG${signal%:*} at once: its exit status" "$status" "${signal#*:}"
        is "$command: in one line" "$(cat first.err)" "loginstorm: error: stopped by SIG${signal%:*}; $what"
        is "$command: and no folder is made" "$(ls -d never* results 2>/dev/null)" ""
    done
done <<'END'
run;nothing was measured
simulate;nothing was played
plan;no certificate had its answer
calibrate;nothing was measured
END
exec 9>&-

# When the folder is there, and keys are being made.
scenario keys.yaml "certificates: [$(for i in {1..40}; do printf '{name: c%s, key: rsa-4096},' "$i"; done)]"
launch keys run keys.yaml --out keys
patiently test -d keys || bad "keys: its folder" "keys" "none"
kill -INT "$pid"
ended "$pid"
is "while keys are made: exit status 130" "$status" 130
matches "while keys are made: said so" "$(cat keys.err)" "stopped by SIGINT; nothing was measured"
is "while keys are made: no empty folder is left" "$(ls -d keys 2>/dev/null)" ""
mkdir own
launch own run keys.yaml --out own
patiently listens "$pid"
patiently grep -q . own.err own.out
kill -INT "$pid"
ended "$pid"
is "a folder that was there before stays" "$status $(ls -d own)" "130 own"

# A storm in which nobody was decided yet.
scenario late.yaml 'users: 30' 'arrivals: {shape: burst, at: "08:00:55", over: 2s}' 'pace: {speedup: 1}' 'certificates: [{name: first, key: ecdsa-p256}]'
launch late run late.yaml --out late
patiently has_children "$pid" injector-process 1
kill -INT "$pid"
ended "$pid"
is "before anybody was decided: no empty folder is left" "$status $(ls -d late 2>/dev/null)" "130 "

# An older result, which is whole, stays until the new one is.
scenario short.yaml 'pace: {speedup: 300}' 'certificates: [{name: first, key: ecdsa-p256}]'
scenario long.yaml 'users: 600' 'pace: {speedup: 1}' 'certificates: [{name: first, key: ecdsa-p256}]'
call run short.yaml --out older
is "an older result" "$(of older '"\(.partial) \(.runs[0].logins.total)"')" "false 60"
echo "what was good about it" >older/notes.txt
(cd older && md5sum -- *) >before
launch stopped run long.yaml --out older/
under_way "$pid" 30
kill -INT "$pid"
ended "$pid"
is "a run into its folder that is stopped: exit status 130" "$status" 130
is "the older result is as it was, in every file" "$(cd older && md5sum -- *)" "$(cat before)"
is "the new one lies beside it, marked" "$(of older-partial '"\(.partial) \(.runs[0].logins.total)"')" "true 600"
is "with all that it has" "$(cd older-partial && echo *)" "handshakes.csv report.html result.json samples.csv scenario.yaml timeline.csv"
has "and both are told" "$(cat stopped.err)" "what was measured until then is in older-partial; the earlier result stays in older"
call report older-partial
is "a report of a partial result: exit status 75" "$status" 75
call report older
is "of a whole one: as its run" "$status" 0 98
call run short.yaml --users 50 --out older
is "a run that is whole takes the older one's place" "$(of older '"\(.partial) \(.runs[0].logins.total)"') $(rows older/samples.csv) $(rows older/handshakes.csv)" "false 50 50 50"
is "beside what somebody else put there" "$(cat older/notes.txt)" "what was good about it"
is "and nothing is left of what was partial" "$(ls -d older-partial 2>/dev/null)" ""
has "the last line is where it is" "$(tail -n 1 <<<"$out")" older/report.html

# A partial one gives way to a partial one, in its place.
launch again run long.yaml --out young
under_way "$pid" 30
kill -INT "$pid"
ended "$pid"
launch again run long.yaml --out young
under_way "$pid" 60
kill -INT "$pid"
ended "$pid"
is "a partial result stands in for a partial one" "$status $(of young .partial) $(ls -d young-partial 2>/dev/null)" "130 true "

# What lies there under that name already is somebody else's.
mkdir older-partial
echo '{"format": "loginstorm-plan", "scenario": {"name": "Sixty users"}}' >older-partial/plan.json
call run short.yaml --out older
is "another kind of result in the folder beside it: refused" "$status" 73
has "with its name" "$err" "older-partial holds a plan"
rm -r older-partial

# Nor may a whole result be lost that somebody gave that name.
cp -r older older-partial
(cd older-partial && md5sum -- *) >before
call run short.yaml --out older
is "a whole result in the folder beside it: refused" "$status" 73
has "with what to do" "$err" "older-partial holds a result that is whole, and what is stopped before its end would take its place: move that folder away"
is "it is as it was, in every file" "$(cd older-partial && md5sum -- *)" "$(cat before)"
rm -r older-partial

# The same of a simulation.
scenario mornings.yaml 'users: 2000' 'certificates: [{name: first, key: ecdsa-p256}, {name: second, key: ecdsa-p256}]' 'farm: {gateways: 2, cores: 2, costs: {fixed: 2ms}}'
call simulate mornings.yaml --replications 5 --out model
is "a simulation" "$(of model '"\(.partial) \(.runs | length)"')" "false 2"
(cd model && md5sum -- *) >before
launch model simulate mornings.yaml --replications 20000 --out model
patiently test -d model-partial
kill -INT "$pid"
ended "$pid"
is "one that is stopped: exit status 130" "$status" 130
matches "and says so" "$(cat model.err)" "stopped by SIGINT; (nothing was played|what was played until then is in model-partial)"
is "the older one is as it was, in every file" "$(cd model && md5sum -- *)" "$(cat before)"
call simulate mornings.yaml --replications 6 --out model
is "a whole one takes its place" "$(of model '.runs[0].mornings.count // .runs[0].mornings.played') $(ls -d model-partial 2>/dev/null)" "6 "

# And of a plan: whenever it is stopped, with an answer for some of its certificates or without any. A machine so fast that it is whole by then is done.
kinds='rsa-4096 ecdsa-p256 ecdsa-p384'
scenario plan.yaml 'users: 4000' "certificates: [$(for kind in $kinds; do printf '{key: %s},' "$kind"; done)]" 'farm: {gateways: 2, cores: 2}'
call plan plan.yaml --costs "$costs" --set 'certificates=[{key: rsa-4096}]' --replications 20 --out plan
is "a plan" "$(jq -r .partial plan/plan.json)" false
(cd plan && md5sum -- *) >before
for wait in 0.2 2 12; do
    launch plan plan plan.yaml --costs "$costs" --replications 2000 --out plan
    patiently listens "$pid"
    sleep "$wait"
    kill -INT "$pid"
    ended "$pid"
    [ "$status" -eq 130 ] || break
    is "one that is stopped after $wait s: the older one is as it was, in every file" "$(cd plan && md5sum -- *)" "$(cat before)"
done
if [ -d plan-partial ]; then
    is "what was answered lies beside it, marked" "$(jq -r .partial plan-partial/plan.json)" true
fi
rm -rf plan-partial
cp -r plan plan-partial
call plan plan.yaml --costs "$costs" --set 'certificates=[{key: rsa-4096}]' --replications 20 --out plan
is "a whole plan in the folder beside it: refused" "$status" 73
has "before anything is drawn" "$err" "plan-partial holds a result that is whole"
mkdir ended
jq '.partial = true' plan/plan.json >ended/plan.json
call report ended
is "a report of a partial plan: exit status 75" "$status" 75
finish
