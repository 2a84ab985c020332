#!/bin/bash
# Closed loops: what run makes of them, that each figure can be had again from the rows, and what does not go with them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
scenarios=$(cd "$(dirname "$0")/../../scenarios" && pwd)
cd "$TMP" || exit 1

cat >loops.yaml <<'YAML'
loginstorm: 1
name: Two loops
seed: 11
arrivals: [{shape: sequence, runs: 3}, {shape: closed, requests: 40, concurrency: 8}]
login: {request: {send: 200B, receive: 1kB}}
certificates:
  - {name: RSA 2048, key: rsa-2048, published: {source: a paper, handshake_mean: 20ms, rate: 50/s, login_p100: 604ms}}
  - {name: ECDSA P-256, key: ecdsa-p256, published: {source: a paper, handshake_mean: 10ms, rate: 100/s}}
YAML
call check loops.yaml
is "check takes closed loops" "$status$err" 0
has "it says how many log in" "$out" "users: 43 "
has "and how" "$out" "# closed loops: 43 logins, each begins when one before it is done
#   3 one after another
#   40, 8 at a time
# they say what a certificate costs, not what happens at 08:30"
is "and draws no morning" "$(grep -c 'fullest\|the schedule\|^window' "$TMP/out")" 0
printf '%s\n' "$out" >shown.yaml
"$BIN" check shown.yaml >again.yaml
same "what it prints is a scenario that means the same" shown.yaml again.yaml

call run loops.yaml --out o
is "two loops for each of two certificates: done, or too noisy a machine" "$status" 0 98
is "the result says which loop it was" "$(of o .scenario.loop)" closed
is "it has no window" "$(of o '.scenario.window | "\(.from) \(.to)"')" "null null"
is "no fullest minute, and no cores for it" "$(of o '[.runs[].load | .peak_minute, .peak_minute_logins, .peak_second, .peak_second_logins, .cores_at_peak_minute, .cores_at_peak_second] | unique | tostring')" "[null]"
is "no start lag" "$(of o '[.runs[].validity.start_lag_us.count] | unique | tostring')" "[0]"
is "each certificate has both loops" "$(of o '[.runs[] | [.waves[] | "\(.shape) \(.logins)/\(.concurrency)"] | join(" ")] | unique | join(";")')" \
    "sequence 3/1 closed 40/8"
is "all are logged in" "$(of o '[.runs[].waves[].logged_in] | tostring')" "[3,40,3,40]"
is "the published figures are there as they were given" "$(of o '.runs[0].published | "\(.source) \(.handshake_mean_us) \(.rate_per_s) \(.login_p50_us) \(.login_p100_us)"')" \
    "a paper 20000 50 null 604000"
for word in "RSA 2048" "  published" "Handshakes, TCP to TLS: 3 logins one after another" "Closed loop: 40 logins, 8 at a time" "published: a paper" "not what happens"; do
    has "the report says '$word'" "$(tr '\n' ' ' <"$TMP/out")" "$word"
done
"$BIN" check o/scenario.yaml >kept.yaml
same "the scenario that is kept means what was given" kept.yaml shown.yaml

# The rows: due is the start; never more than so many at a time; one loop after the other.
for certificate in "RSA 2048" "ECDSA P-256"; do
    rows=$(awk -F, -v c="$certificate" '$1 == c { printf "%d %.0f %.0f %.0f %.0f %.0f\n", $2, $4, $5, $6, $7, $8 }' o/samples.csv)
    is "$certificate: everyone is due when it starts" "$(awk '$2 != $3' <<<"$rows" | wc -l)" 0
    for loop in "0 2 1" "3 42 8"; do
        read -r first last most <<<"$loop"
        is "$certificate, $most at a time: so many, and never more" \
            "$(awk -v first="$first" -v last="$last" '$1 >= first && $1 <= last { print $3, 1; print $6, -1 }' <<<"$rows" |
                sort -k 1,1n -k 2,2n | awk '{ n += $2; if (n > m) m = n } END { print m }')" "$most"
    done
    holds "$certificate: the second loop begins when the first is over" \
        "$(awk '$1 >= 3 { print $3 }' <<<"$rows" | sort -n | head -n 1) >= $(awk '$1 <= 2 { print $6 }' <<<"$rows" | sort -n | tail -n 1)"
    wave=".runs[] | select(.certificate == \"$certificate\") | .waves"
    is "$certificate: the handshakes of the sequence, in their order" "$(of o "${wave}[0].handshakes_us[]" | ns | tr '\n' ' ')" \
        "$(awk '$1 <= 2 { printf "%.0f\n", $5 - $4 }' <<<"$rows" | tr '\n' ' ')"
    is "$certificate: their mean" "$(of o "${wave}[0].latency_us.handshake.mean" | ns)" "$(awk '$1 <= 2 { s += $5 - $4 } END { printf "%d\n", s / 3 }' <<<"$rows")"
    is "$certificate: the median to TLS of the loop" "$(of o "${wave}[1].latency_us.secured.p50" | ns)" "$(awk '$1 >= 3 { printf "%.0f\n", $5 - $3 }' <<<"$rows" | rank 500)"
    is "$certificate: its median login" "$(of o "${wave}[1].latency_us.login.p50" | ns)" "$(awk '$1 >= 3 { printf "%.0f\n", $6 - $3 }' <<<"$rows" | rank 500)"
    is "$certificate: its longest" "$(of o "${wave}[1].latency_us.login.p100" | ns)" "$(awk '$1 >= 3 { printf "%.0f\n", $6 - $3 }' <<<"$rows" | rank 1000)"
    between "$certificate: logins a second" "$(of o "${wave}[1] | .logins_per_s * .duration_us / 1e6 / .logged_in")" 0.9999 1.0001
done
call report o
is "report shows it again" "$status" 0 98
call report o --quiet
is "--quiet has a line a loop" "$(wc -l <"$TMP/out")" 4
call report o --format csv
is "the spreadsheet leaves the fullest minute empty" "$(column "$TMP/out" peak_minute | sort -u)" ""

# refused WORDS EXIT PART: what does not go with a closed loop
refused() {
    # shellcheck disable=SC2086
    call run loops.yaml --out never $1
    is "run $1 is refused" "$status" "$2"
    has "in words" "$err" "$3"
    is "before anything is made" "$(ls -d never 2>/dev/null)" ""
}
refused "--users 60" 65 "error: users: closed loops say themselves how many log in: 43 in all"
refused "--speedup 60" 65 "error: pace.speedup: a closed loop has no pace to change"
refused "--set window.to=10:00" 65 "error: window: a closed loop has no window"
refused "--set login.hold=until_end" 65 "error: login.hold: until_end never lets the next login"
refused "--set arrivals.1.concurrency=41" 65 "error: arrivals.1.concurrency: is more than all requests"
refused "--injectors 2" 64 "a closed loop has one injector, not 2"
call check loops.yaml --set arrivals.1.requests=60 --users 63
is "users that agree are taken" "$status$err" 0

# The same certificates under an open morning.
sed -e 's/^arrivals: .*/users: 3/' loops.yaml >open.yaml
call run open.yaml --set window.to=08:01 --speedup 60 --out n
is "published figures may stand in an open scenario" "$status" 0 98
is "which says that it leaves them out" "$(of n '.notes | map(select(startswith("left out: published figures"))) | length')" 1

# Nobody at home: each failure lets the next one come.
call run loops.yaml --out f --set login.timeouts.handshake=1ms --set login.timeouts.login=1ms --set certificates.0.key=rsa-4096
is "logins that fail come to an end, too" "$status" 0 98
is "every one of them" "$(of f '[.runs[] | .logins.total - .logins.logged_in - .logins.failed] | tostring')" "[0,0]"
is "and each loop counts its own" "$(of f '[.runs[] | (.waves | map(.failed) | add) == .logins.failed] | unique | tostring')" "[true]"

# A signal in the middle: whose turn never came was not due before.
launch stopped run loops.yaml --out s --quiet --set arrivals.1.requests=100000
patiently has_children "$pid" injector-process 1
sleep 1
kill -INT "$pid"
ended "$pid"
is "a signal is the exit status" "$status" 130
is "the partial result adds up" "$(of s '.partial, .runs[0].logins.total == (.runs[0].logins | .logged_in + .failed + .cut_off)' | tr '\n' ' ')" "true true "
is "nobody is said never to have been sent" "$(of s '.runs[0].validity.reasons | map(select(test("never sent"))) | length')" 0

is "the published benchmark is a scenario that run takes" "$("$BIN" check "$scenarios/published-benchmark.yaml" 2>&1 >/dev/null)" ""
finish
