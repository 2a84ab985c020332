#!/bin/bash
# The same seed, the same users at the same moments, however many injectors play them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

scenario small.yaml 'users: 200' 'pace: {speedup: 60}' 'arrivals: {shape: normal}' 'certificates: [{key: ecdsa-p256}]' \
    'populations: [{name: office, share: 70%}, {name: home, share: 30%}]'
schedule_of() { awk -F, '{ print $2 "," $3 "," $4 }' "$1/samples.csv" >"$1.schedule"; }
play() {
    call run small.yaml --out "$@"
    is "run --out $*: done" "$status" 0 98
    schedule_of "$1"
    is "$1: all 200 users, once each" "$(column "$1/samples.csv" user | sort -n | uniq | wc -l)" 200
    is "$1: all are logged in" "$(of "$1" '.runs[0].logins | "\(.logged_in) \(.cut_off) \(.by_reason)"')" "200 0 {}"
}
play one --seed 7
play again --seed 7
play two --seed 7 --injectors 2
play three --seed 7 --injectors 3
play workers --seed 7 --injectors 2 --set gateway.workers=2
play other --seed 8
same "seed 7 twice: user, population and due time are the same bytes" one.schedule again.schedule
same "with two injectors, too" one.schedule two.schedule
same "with three" one.schedule three.schedule
same "with two injectors and two gateway workers" one.schedule workers.schedule
is "another seed is another morning" "$(cmp -s one.schedule other.schedule || echo differs)" differs
is "the seed is in the result" "$(of one .scenario.seed) $(of other .scenario.seed)" "7 8"
is "and how many injectors there were" "$(of one .injectors) $(of three .injectors)" "1 3"
is "due times ascend" "$(column one/samples.csv due_ns | sort -n -c 2>&1)" ""
is "both populations come, and nobody else" "$(column one/samples.csv population | sort -u | tr '\n' ' ')" "home office "
between "140 of the office, as a draw has it" "$(column one/samples.csv population | grep -c office)" 105 175
is "the workers both took handshakes, all in one account" "$(of workers '.runs[0] | "\(.gateway.workers) \(.handshakes.full)"')" "2 200"
"$BIN" run small.yaml --out drawn --quiet --users 5 >/dev/null
matches "a seed that was drawn would be shown: this one is the scenario's" "$(of drawn .scenario.seed)" '^11$'
finish
