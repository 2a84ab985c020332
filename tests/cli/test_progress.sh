#!/bin/bash
# What is said while a command works, and what a signal leaves of a simulation and of a plan.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
export XDG_CACHE_HOME=$TMP/cache

# 18 million logins: seconds of work on any machine. They are one schedule, which takes no memory.
scenario long.yaml 'users: 6000' 'window: {from: 08:00, to: 09:00}' 'farm: {gateways: 2, cores: 2, costs: {fixed: 2ms}}' \
    'targets: {login_p99: 1s}'
long=(long.yaml --replications 3000)

# On standard error that is a file: lines, whole ones.
launch lines simulate "${long[@]}" --out lines
patiently test -d lines
patiently test -s lines.err
kill -INT "$pid"
ended "$pid"
is "simulate, SIGINT: exit status 130" "$status" 130
is "each line says what is being done, and for how long" "$(grep -c -v -E '^(drawing 3000 mornings|RSA 4096: [0-9]+ of 3000 mornings) · [0-9]+ s$' lines.err)" 1
is "and the last one what became of it" "$(tail -n 1 lines.err)" \
    "loginstorm: error: stopped by SIGINT; what was played until then is in lines; 1 of 2 certificates was not played"
is "no line is drawn anew in a file" "$(grep -c $'[\r\033]' lines.err)" 0
is "result.json is marked as partial, and so is its run, with why" "$(of lines '"\(.partial) \(.runs[0].partial) \(.runs[0].partial_why)"')" "true true SIGINT"
holds "it has the mornings that were played" "$(of lines '.runs[0].mornings.count') >= 1 && $(of lines '.runs[0].mornings.count') < 3000"
is "the first of them is in the folder, whole" "$(rows lines/samples.csv) $(of lines '.runs[0].logins | "\(.total) \(.logged_in)"')" "6000 6000 6000"
is "whose certificate was not played is noted" "$(of lines '.notes[]' | grep -c 'not played, since the simulation was stopped: ECDSA P-256$')" 1
is "a target is not known then" "$(of lines '.targets[] | "\(.name) \(.value) \(.met)"')" "login_p99 null false"
out=$(cat lines.out)
matches "the report says on top that it is partial" "$out" 'PARTIAL RESULT: RSA 4096 ended early \(SIGINT\): [0-9,]+ of its mornings (was|were)[[:space:]]+played'
call report lines
has "and again" "$out" "PARTIAL RESULT: RSA 4096 ended early"

launch quiet simulate "${long[@]}" --out quiet --quiet
patiently test -d quiet
sleep 1
kill -TERM "$pid"
ended "$pid"
is "SIGTERM: exit status 143" "$status" 143
is "--quiet: not a word on the way" "$(grep -c -v '^loginstorm: error: stopped by SIGTERM; ' quiet.err)" 0
launch twice simulate "${long[@]}" --out twice
patiently test -d twice
kill -STOP "$pid"
kill -INT "$pid"
kill -TERM "$pid"
kill -CONT "$pid"
ended "$pid"
holds "a second signal ends it, at the latest" "$status > 128"

# A plan that is stopped amid its first certificate has no answer; tests/unit/plan has one of several.
launch plan plan "${long[@]}" --out plan
patiently test -s plan.err
kill -INT "$pid"
ended "$pid"
is "plan, SIGINT: exit status 130" "$status" 130
is "it says that there is no answer" "$(tail -n 1 plan.err)" "loginstorm: error: stopped by SIGINT; no certificate had its answer"
is "and nothing is taken for one" "$(cat plan.out; ls plan 2>/dev/null)" ""

# Its reader waits for a log that comes in pieces.
feed() {
    printf '{"time":"2026-11-30T07:55:00Z","user":"u"}\n'
    until grep -q ' · ' import.err || [ -e enough ]; do
        printf '{"time":"2026-11-30T07:56:00Z","user":"u"}\n'
        sleep 0.1
    done
}
feed | "$BIN" import - >import.out 2>import.err &
started+=("$!")
patiently grep -q ' · ' import.err
touch enough
wait "$!"
matches "import says what it does when that takes longer" "$(grep ' · ' import.err | head -n 1)" '^(reading 1 log|0 MB, [0-9,]+ logins?) · [0-9]+ s$'
"$BIN" import - --quiet <<<'{"time":"2026-11-30T07:55:00Z","user":"u"}' >import.out 2>import.err
is "import --quiet: not a word" "$(cat import.err)" ""

# A terminal: one line, drawn anew, gone at the end. A dumb one cannot.
terminal() {
    # shellcheck disable=SC2016
    TERM=$1 script -qefc 'stty cols 60; exec "$BIN" simulate long.yaml --replications 3000 --out "$OUT"' "$2" >/dev/null 2>&1 </dev/null &
    pid=$!
    started+=("$pid")
    patiently grep -q "$3" "$2"
    kill -INT "$(children "$pid" simulate)"
    ended "$pid"
}
export BIN
if command -v script >/dev/null; then
    OUT=screen terminal xterm screen.txt 'of 3000 mornings · '
    is "on a terminal: the exit status is the same" "$status" 130
    holds "its line is drawn anew" "$(grep -c $'\r\033\\[K.* · [0-9]* s' screen.txt) >= 1"
    is "and gone before anything else is printed" "$(grep -o $'\r\033\\[K[^\r\033]*' screen.txt | tail -n 1 | cut -c 5- | grep -c ' s$')" 0
    OUT=dumb terminal dumb dumb.txt ' · '
    is "a terminal that is dumb gets lines" "$(grep -c $'\033' dumb.txt)" 0
else
    skip "no script(1): terminals"
fi
finish
