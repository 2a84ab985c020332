#!/bin/bash
# `run --repeat`: certificates in turn, the same users each time, all rounds in one result.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
scenario small.yaml

call run small.yaml --repeat 3 --out o --quiet
is "run --repeat 3 ends well, but for a machine that is too busy" "$status" 0 98
is "two certificates thrice are six runs" "$(jq '.runs | length' o/result.json)" 6
is "they take turns" "$(jq -r '[.runs[] | "\(.certificate) \(.repeat)"] | join(", ")' o/result.json)" \
    "$(jq -r '(.runs[0:2] | map(.certificate)) as $names | [range(1; 4) as $r | $names[] | "\(.) \($r)"] | join(", ")' o/result.json)"
is "it is whole" "$(jq .partial o/result.json)" false
is "each round meets the same users at the same moments" \
    "$(awk -F, 'NR > 1 { print $1, $2, $3, $4 }' o/samples.csv | sort | uniq -c | awk '{ print $1 }' | sort -u)" 3
for table in samples handshakes timeline; do
    is "$table.csv tells the round in its last column" "$(awk -F, 'NR == 1 { print $NF }' o/$table.csv)" repeat
    is "$table.csv has the rows of every round" "$(awk -F, 'NR > 1 { print $NF }' o/$table.csv | sort -u | tr '\n' ' ')" "1 2 3 "
done
is "--quiet has a line a certificate" "$(printf '%s\n' "$out" | wc -l)" 2
matches "and it says what it is" "$out" 'medians of [123]( to [23])? rounds?'

for times in 0 101 x -1; do
    call run small.yaml --repeat "$times" --out never
    is "--repeat $times is wrong usage" "$status" 64
    matches "and says so" "$err" '^loginstorm.*--repeat'
done
is "and nothing was made" "$(ls -d never 2>/dev/null)" ""

launch stopped run small.yaml --repeat 50 --out s --quiet
patiently test -s s/result.json
# shellcheck disable=SC2016
patiently sh -c 'test "$(jq ".runs | length" s/result.json)" -ge 3'
kill -INT "$pid"
ended "$pid"
is "a signal between rounds is the exit status" "$status" 130
holds "what was measured until then is there" "$(jq '.runs | length' s/result.json) >= 3"
is "and marked as partial" "$(jq .partial s/result.json)" true
matches "the result says so, too" "$(jq -r '.notes[]' s/result.json)" 'of 100 runs were not played$'
matches "and it is said how many runs were not played" "$(cat "$TMP/stopped.err")" 'of 100 runs were not played'
finish
