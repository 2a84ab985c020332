#!/bin/bash
# `compare`, and the comparison that `run` makes of its own certificates.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
scenario small.yaml

call run small.yaml --repeat 4 --out o
is "a run of two certificates ends well, but for a machine that is too busy" "$status" 0 98
has "it sets them side by side itself" "$out" "ECDSA P-256 against RSA 4096"
is "and keeps that in its result" "$(jq -r '.comparison.pairs | length' o/result.json)" 1
call report o
has "report shows it again" "$out" "ECDSA P-256 against RSA 4096"
call run small.yaml --set 'certificates=[{name: ECDSA P-256, key: ecdsa-p256}]' --out single --quiet
is "a single certificate is compared with nothing" "$(jq -r .comparison single/result.json)" null

# What a busy machine made of the run is not what is tested here: the verdicts are set to valid.
trust() {
    mkdir -p "$2"
    jq "(.runs[].validity.verdict) = \"valid\" | (.runs[].validity.reasons) = [] | $3" "$1/result.json" >"$2/result.json"
}
trust o whole .
call compare whole
is "compare of one result with two certificates exits 0" "$status" 0
matches "RSA 4096 is shown to cost more CPU than P-256" "$out" 'CPU a handshake .* -[0-9.]+ % .* less'
has "with an interval from the rounds" "$out" "4 rounds side by side"
has "and a recommendation" "$out" "Take ECDSA P-256"
call compare whole/result.json --format json
is "as JSON it names its format" "$(jq -r .format <<<"$out")" loginstorm-comparison
is "the interval of the CPU leaves 1 out" "$(jq -r '.comparison.pairs[0].figures.cpu_per_handshake | .high < 1 and .low > 0' <<<"$out")" true
is "the ratio is that of the geometric means" \
    "$(jq -r '(.comparison.sides[1].values.cpu_per_handshake / .comparison.sides[0].values.cpu_per_handshake / .comparison.pairs[0].figures.cpu_per_handshake.ratio * 1000000 | round)' <<<"$out")" 1000000
call compare whole --format csv
is "as CSV a figure is a row" "$(printf '%s\n' "$out" | wc -l)" 10

call compare whole whole
is "a result against itself exits 0" "$status" 0
is "and differs in nothing" "$(grep -c 'none shown' <<<"$(awk '/\[2\] against/ { on = 1 } on' <<<"$out")")" 16
has "results are numbered" "$out" "[2] whole"

trust o first '.runs = [.runs[0]]'
trust o second '.runs = [.runs[1]]'
call compare first second
has "single runs are called that" "$out" "single runs, whose spread is assumed"
matches "and RSA 4096 still differs from P-256" "$(grep 'CPU a handshake' <<<"$out")" ' less$'
trust o elsewhere '.runs = [.runs[1]] | .host.cpu = "another"'
call compare first elsewhere
has "another machine's CPU is not compared" "$out" "made on different machines"
matches "but the bytes are" "$out" 'bytes, both ways .* less'
call compare first elsewhere --force
has "--force compares it" "$out" "FORCED"
trust o other '.scenario.speedup = 1'
call compare whole other
has "another storm is not compared" "$out" "of different storms"
trust o resumed '.runs[].handshakes |= (.resumed = 10 | .full -= 10)'
call compare whole resumed --force
is "what was refused as unlike is told in words and ends with 0, whatever is forced" "$status" 0
has "and called that" "$out" "were resumed"
trust o invalid '.runs[0].validity.verdict = "invalid" | .runs[2].validity.verdict = "invalid"'
call compare invalid
has "what is invalid is named" "$out" "RSA 4096, left out: 2 of 4 runs: round 1 is invalid"
trust o noisy '(.runs[].validity.verdict) = "invalid"'
call compare noisy
is "an invalid measurement of everything is an invalid comparison" "$status" 98
matches "whose bytes are compared all the same" "$out" 'bytes.* -[0-9]+ % .*less'
has "and what to do is said" "$out" "a machine that does nothing else"
call compare noisy --format json
is "the JSON has no finding but theirs" \
    "$(jq -r '[.comparison.pairs[0].figures | to_entries[] | select(.value.finding != "not_compared") | .key] | join(" ")' <<<"$out")" bytes_per_handshake
call compare first second --format csv
matches "the slowest login of single runs is not judged, in CSV as well" "$out" 'login_p100,.*,not_judged,the slowest'
trust o ended '.runs = [.runs[0], .runs[1]] | .runs[1].partial = true'
call compare ended
is "nothing left to judge is an invalid comparison" "$status" 98

call compare single
is "one certificate alone is wrong usage" "$status" 64
has "and says what is missing" "$err" "name a second result"
call compare
is "so is none" "$status" 64
call compare small.yaml
is "and a scenario" "$status" 64
has "which is told apart" "$err" "small.yaml is a scenario"
call compare whole nowhere
is "a result that is not there has its own status" "$status" 66
call compare --help
has "--help has examples" "$out" "loginstorm compare results/rsa results/p256"
has "and says when it ends with 98" "$out" "an invalid measurement left nothing but bytes"
has "and takes several results" "$out" "RESULT..."
finish
