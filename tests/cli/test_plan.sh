#!/bin/bash
# `plan`: how many gateways, what today's farm carries, and how near the cliff is.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
HOUSE=$(realpath "$(dirname "$0")/../..")
cd "$TMP" || exit 1
export XDG_CACHE_HOME=$TMP/cache # no profile of this host but what the test puts there

cat >capacity.yaml <<'END'
loginstorm: 1
name: capacity
users: 6000
seed: 20261130
certificates: [{name: RSA 4096, key: rsa-4096}]
farm: {gateways: 2, capacity: 700 in 10m}
END

call plan capacity.yaml --replications 40
is "a farm that is too small for its morning ends with 99" "$status" 99
has "6,000 users need four gateways of 700 in ten minutes" "${out//$'\n'/ }" "they need 4 gateways"
has "the curve's mean is told" "${out//$'\n'/ }" "the curve's mean has 2,404, 3.43 times that"
call plan capacity.yaml --replications 40 --set farm.spare=1 --quiet
has "five with a spare one" "$out" "any certificate: 5 gateways"
is "quiet is a line" "$(wc -l <<<"$out")" 1
call plan capacity.yaml --replications 40 --set farm.gateways=4 --quiet
is "a farm that is large enough ends with 0" "$status" 0
call plan capacity.yaml --replications 40 --users 3500
has "3,500 users stand on the edge of two" "${out//$'\n'/ }" "2 stand exactly on the edge"
has "and so need three" "${out//$'\n'/ }" "they need 3 gateways"
call plan capacity.yaml --replications 40 --format json
is "as JSON it names its format" "$(jq -r '.format, .version' <<<"$out" | paste -sd ' ')" "loginstorm-plan 1"
between "with the fullest stretch of the mean curve" "$(jq .capacity.fullest_stretch_logins.mean_curve <<<"$out")" 2403 2405
is "latencies are not known by counting" "$(jq -c '.certificates[0].today.login_us.p99' <<<"$out")" '{"median":null,"p95":null}'

# 100 logins a minute of 1.2 s are two cores; at 70 % three.
cat >even.yaml <<'END'
loginstorm: 1
name: even
users: 1000
seed: 1
window: {from: 08:00, to: 08:10}
arrivals: {shape: uniform, placement: even}
populations: [{name: all, connections: 1, network: {rtt: 10ms}}]
certificates: [{name: RSA 4096, key: rsa-4096}, {name: ECDSA P-256, key: ecdsa-p256}]
farm: {gateways: 3, cores: 1, costs: {fixed: 1200ms}}
targets: {gateway_cpu_peak: 70%}
END
call plan even.yaml --replications 20 --format json --out deep/folder
is "today's three gateways are enough: 0" "$status" 0
is "three is what the law of utilisation says, for each certificate" \
    "$(jq -c '[.certificates[] | .certificate, .gateways.needed, .cores_of_a_single_gateway]' <<<"$out")" \
    '["RSA 4096",3,3,"ECDSA P-256",3,3]'
between "what it carries fills each core to 70 %" "$(jq '.certificates[0].planned_carries.users' <<<"$out")" 1020 1055
is "the cliff has four steps" "$(jq -c '[.certificates[0].cliff[] | .times, .farm.users]' <<<"$out")" '[1,1000,1.1,1100,1.25,1250,1.5,1500]'
is "and the second is beyond it, by CPU" \
    "$(jq -c '.certificates[0].cliff[1].farm | [.met, .breaks_first, .targets.gateway_cpu_peak.met]' <<<"$out")" '[false,"cpu",false]'
printf '%s\n' "$out" >shown.json
same "plan.json is what was shown" deep/folder/plan.json shown.json
call plan even.yaml --replications 20 --format json --threads 1
printf '%s\n' "$out" >one.json
call plan even.yaml --replications 20 --format json --threads 2
printf '%s\n' "$out" >two.json
same "any number of threads gives the same plan" one.json two.json
call plan even.yaml --replications 20 --format csv
is "as CSV a certificate has a row for each number of users" "$(printf '%s\n' "$out" | wc -l)" 9
is "and each row as many fields as there are headings" "$(awk -F, '{ print NF }' <<<"$out" | sort -u)" 24
call plan even.yaml --replications 20 --set farm.gateways=2
is "two are too few: 99" "$status" 99
has "and the words say what is missed" "${out//$'\n'/ }" "with 1,000 users they miss gateway_cpu_peak"
call plan even.yaml --replications 20 --set targets.login_p50=8ms
is "what nothing can meet ends with 99" "$status" 99
has "and says why" "${out//$'\n'/ }" "login_p50 is to be within 8.00 ms, but takes 1.22 s even where nobody waits"
call plan even.yaml --replications 20 --set 'targets={}'
has "assumed targets are called so" "$out" "login_p99 at most 1.00 s"
has "with a word" "$out" "assumed, since the scenario has none"

sed '/^farm/d' even.yaml >farmless.yaml
call plan farmless.yaml
is "costs that nobody measured are no input" "$status" 66
has "and how to get them is said" "$err" "loginstorm calibrate"
call plan farmless.yaml --costs "$HOUSE/scenarios/costs/published.json" --replications 20
is "a profile of the command line serves" "$status" 0
has "an assumed farm is called so" "${out//$'\n'/ }" "assumed, since the scenario has none: 1 gateway of 2 cores"
call plan even.yaml --replications 0
is "no morning at all is wrong usage" "$status" 64
call plan even.yaml --costs nowhere.json
is "a profile that is named beats the farm's law, and must be there" "$status" 66
call plan even.yaml --set 'arrivals={shape: closed, requests: 10, concurrency: 2}' --set 'targets={}'
is "a closed loop is no input" "$status" 65
call plan even.yaml --users 100000000
is "nor are 100 million users" "$status" 65
call plan even.yaml --users 9000000
is "nor are more than can be planned for at once" "$status" 65
has "and what to do is said" "$err" "plan a part of them"
call plan even.yaml --set farm.cores=0
is "nor is a farm of no cores" "$status" 65
has "at its place" "$err" "farm.cores: 0 is out of range"
call plan even.yaml --replications 20 --out /dev/null/x
is "a folder that cannot be made has its own status" "$status" 73

call plan "$HOUSE/scenarios/plan-rollout.yaml" --replications 8 --format json
is "the roll-out is more than today's farm bears with RSA 4096" "$status" 99
is "each certificate has its answer, and P-256 the smallest" \
    "$(jq -r '.certificates | sort_by(.gateways.needed) | .[0].certificate' <<<"$out")" "ECDSA P-256"
is "whose interval holds it" "$(jq '[.certificates[].gateways | .low <= .needed and .needed <= .high] | all' <<<"$out")" true
is "the event is counted" "$(jq .scenario.events <<<"$out")" 1

call plan --help
has "--help has examples" "$out" "loginstorm plan scenarios/plan-rollout.yaml"
has "and says when it ends with 99" "$out" "Ends with 99"
finish
