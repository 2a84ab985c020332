#!/bin/bash
# The JSON Schemas that are shipped: what is written holds to them, and what they refuse the program refuses, too.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
tree=$(realpath "$(dirname "$0")/../..")
cd "$TMP" || exit 1
# Debian's, whose module jsonschema is; a python3 of somebody's own may stand before it.
schema() { /usr/bin/python3 "$tree/tests/cli/schema.py" "$@" 2>&1; }
result=$tree/scenarios/loginstorm-result.schema.json
costs=$tree/scenarios/loginstorm-costs.schema.json
plan=$tree/scenarios/loginstorm-plan.schema.json

# Strictly: every key that is written is in the schema.
for file in result simulated loops; do
    is "tests/golden/$file.json holds to it" "$(schema --strict "$result" "$tree/tests/golden/$file.json")" ""
done
scenario small.yaml 'pace: {speedup: 300}' 'targets: {failed: 0%}' \
    'certificates: [{key: rsa-2048, published: {source: a paper, handshake_mean: 5ms, rate: 10/s}}, {key: ecdsa-p256}]'
call run small.yaml --out live --repeat 2
is "a live storm: done" "$status" 0 98
is "its result holds to the schema" "$(schema --strict "$result" live/result.json)" ""
call simulate small.yaml --out model --replications 3 --set farm.costs.exponential=5ms
is "a simulation: done" "$status" 0
is "so does that of a simulation" "$(schema --strict "$result" model/result.json)" ""
scenario loops.yaml 'arrivals: [{shape: sequence, runs: 5}, {shape: closed, requests: 100, concurrency: 20}]' 'farm: {cores: 1, costs: {fixed: 10ms}}'
sed -i '/^users:/d; /^window:/d; /^pace:/d' loops.yaml
call simulate loops.yaml --out loops --replications 2
is "and that of closed loops" "$(schema --strict "$result" loops/result.json)" ""
scenario slow.yaml 'pace: {speedup: 1}'
launch early run slow.yaml --out early
under_way "$pid" 0
kill -INT "$pid"
ended "$pid"
is "a storm that a signal ends: exit status 130" "$status" 130
if [ -e early/result.json ]; then
    is "what is left of it is partial" "$(of early .partial)" true
    is "and holds to the schema" "$(schema --strict "$result" early/result.json)" ""
fi

is "the cost profile that comes with the program holds to its schema" "$(schema --strict "$costs" "$tree/scenarios/costs/published.json")" ""

scenario plan.yaml 'targets: {login_p99: 5s, failed: 1%}' 'farm: {gateways: 2, cores: 1, spare: 1, costs: {exponential: 900ms}}' \
    'events: [{at: "08:00:30", gateway_down: 1, for: 5s}]'
call plan plan.yaml --replications 3 -o plan -q
is "a plan whose farm is too small: exit status 99" "$status" 99
is "it holds to the schema of plans" "$(schema --strict "$plan" plan/plan.json)" ""
scenario counted.yaml 'farm: {gateways: 2, capacity: 40 in 1m}'
call plan counted.yaml --replications 3 -o counted -q
is "so does one by a published capacity" "$(schema --strict "$plan" counted/plan.json)" ""

# Wrong values, one at a time: SCHEMA FILE COMMAND..., prints where schema and program do not agree.
differences() {
    local schema=$1 file=$2 number verdict where how reader

    shift 2
    rm -rf broken
    mkdir broken
    schema --broken "$schema" "$file" broken >broken.txt
    while read -r number verdict where how; do
        "$BIN" "$@" "broken/$number.json" >said 2>&1
        case $? in
        0 | 98 | 99) reader=takes ;;
        65) reader=refuses ;;
        *) reader="ends with $?" ;;
        esac
        [ "$reader" = "$verdict" ] || printf '%s %s: schema %s, program %s: %s\n' "$where" "$how" "$verdict" "$reader" "$(tail -n 1 said)"
    done <broken.txt
}
# All parts that a result may have, in one.
jq --slurpfile model "$tree/tests/golden/simulated.json" --slurpfile loops "$tree/tests/golden/loops.json" \
    '.runs[0].mornings = $model[0].runs[0].mornings | .runs[0].waves = $loops[0].runs[0].waves | .costs = "a profile"' \
    "$tree/tests/golden/result.json" >all.json
is "a result with all parts holds to the schema" "$(schema --strict "$result" all.json)" ""
differences "$result" all.json report --quiet >differences.txt
holds "there are many ways to be wrong" "$(wc -l <broken.txt) > 1000 && $(grep -c refuses broken.txt) > 800"
# A figure's unit and a target's missed_by are for others: the program knows them. That slices begin where they must no schema says.
is "what the schema refuses is refused, and what it takes is taken" \
    "$(grep -v -E '/unit [a-z]+: schema refuses|/missed_by [a-z]+: schema refuses|^(scenario/window/(from|to)|runs/0/timeline_slice_us) null: schema takes' differences.txt | cut -c1-300)" ""
# Lists are cut to their first entry there, so the farms are to miss no other target.
jq '(.. | objects | select(has("login_p99") and has("failed"))) |= del(.failed)' plan/plan.json >single.json
differences "$plan" single.json report --quiet >differences.txt
# What may be null goes with other keys: no gateways with why not, no certificate with a published capacity.
is "of a plan, too, what the program refuses the schema refuses" \
    "$(grep 'schema takes' differences.txt | grep -v -E '^certificates/0/(certificate|gateways/needed) null:' | cut -c1-300)" ""
holds "and in many ways both do" "$(grep -c refuses broken.txt) > 300"
scenario costs.yaml
differences "$costs" "$tree/scenarios/costs/published.json" simulate costs.yaml --replications 1 --out again --quiet --costs >differences.txt
is "of a cost profile, too, what the schema refuses is refused" "$(grep 'schema refuses' differences.txt | cut -c1-300)" ""
holds "in many ways" "$(grep -c refuses broken.txt) > 100"
finish
