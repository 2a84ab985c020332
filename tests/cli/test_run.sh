#!/bin/bash
# loginstorm run: what it writes, and that every figure can be had again from the rows.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

scenario small.yaml 'targets: {failed: 0%}'
call run small.yaml --out o
is "60 users for each of two certificates: done, or too noisy a machine" "$status" 0 98
is "the folder holds the six files and nothing else" "$(echo o/*)" "o/handshakes.csv o/report.html o/result.json o/samples.csv o/scenario.yaml o/timeline.csv"
printf '%s\n' "$out" >run.txt
is "the last line says where the result is" "$(tail -n 1 run.txt)" "o/report.html"
has "the heading tells the pace" "$(head -n 1 run.txt)" "Sixty users · 60 users · 08:00-08:01 at 30 times its pace · seed 11"
for word in "RSA 4096" "ECDSA P-256" "measurement: " "30 times as dense"; do
    has "the report says '$word'" "$out" "$word"
done
"$BIN" check o/scenario.yaml >kept.yaml
is "the scenario that is kept is valid" "$?" 0
"$BIN" check small.yaml >given.yaml
same "and means what was given" kept.yaml given.yaml

# The contract: a key's path, and its type; null where there is nothing to tell.
while read -r path words; do
    IFS='|' read -r -a types <<<"$words"
    is "result.json: $path is ${types[*]}" "$(jq -r "$path | type" o/result.json 2>&1)" "${types[@]}"
done <<'KEYS'
.format string
.version number
.created string
.scenario.name string
.scenario.sha256 string
.scenario.seed number
.scenario.users number
.scenario.window.from string
.scenario.window.to string
.scenario.window.timezone null|string
.scenario.speedup number
.host.cpu string
.host.cores number
.host.kernel string
.host.tls_library string
.host.tls_build string
.partial boolean
.runs array
.comparison null|object|array
.targets array
.targets[0].name string
.targets[0].limit number
.targets[0].value number
.targets[0].met boolean
.runs[0].certificate string
.runs[0].key string
.runs[0].engine string
.runs[0].validity.verdict string
.runs[0].validity.reasons array
.runs[0].validity.start_lag_us.p50 number
.runs[0].validity.start_lag_us.p99 number
.runs[0].validity.start_lag_us.p100 number
.runs[0].validity.injector_cpu_share number
.runs[0].logins.total number
.runs[0].logins.logged_in number
.runs[0].logins.failed number
.runs[0].logins.cut_off number
.runs[0].logins.by_reason object
.runs[0].handshakes.total number
.runs[0].handshakes.full number
.runs[0].handshakes.resumed number
.runs[0].handshakes.offered number
.runs[0].handshakes.failed number
.runs[0].handshakes.hello_retry number
.runs[0].bytes.client_hello number
.runs[0].bytes.server_flight number
.runs[0].bytes.tickets number|null
.runs[0].bytes.per_handshake_to_gateway number
.runs[0].bytes.per_handshake_from_gateway number
.runs[0].gateway.source string
.runs[0].gateway.workers number
.runs[0].gateway.cpu_us_per_login number
.runs[0].gateway.cpu_us_per_handshake.user null
.runs[0].gateway.cpu_us_per_handshake.system null
.runs[0].gateway.cpu_us_per_handshake.total number
.runs[0].gateway.tls_us_per_handshake number
.runs[0].gateway.capacity_handshakes_per_s_per_core number
.runs[0].gateway.wasted_handshakes number
.runs[0].load.peak_minute string
.runs[0].load.peak_minute_logins number
.runs[0].load.peak_second_logins number
.runs[0].load.peak_in_flight number
.runs[0].load.cores_at_peak_minute number
.runs[0].load.cores_at_peak_second number
.runs[0].timeline array
.runs[0].timeline[0].at string
.runs[0].timeline[0].due number
.runs[0].timeline[0].logged_in number
.runs[0].timeline[0].failed number
.runs[0].timeline[0].in_flight number
.runs[0].timeline[0].peak_in_flight number
.runs[0].timeline[0].p50_us number|null
.runs[0].timeline[0].p99_us number|null
.runs[0].timeline[0].p100_us number|null
.runs[0].distribution_us.login array
.runs[0].distribution_us.handshake array
.runs[0].timeline[0].gateway_cpu_share number|null
KEYS
for what in connect handshake login; do
    is "result.json: the latencies of $what" \
        "$(of o "[.runs[].latency_us.$what | [.count, .min, .mean, .p50, .p90, .p95, .p99, .p99_9, .p100] | map(type) | unique | join(\" \")] | unique | join(\" \")")" number
done
is "it names its format and version" "$(of o '"\(.format) \(.version)"')" "loginstorm-result 1"
is "the scenario is named" "$(of o '.scenario | "\(.name) \(.seed) \(.users) \(.window.from) \(.window.to) \(.speedup)"')" "Sixty users 11 60 08:00 08:01 30"
is "a finished run is not partial" "$(of o .partial)" false
is "the certificates, in the scenario's order" "$(of o '[.runs[] | "\(.certificate)/\(.key)/\(.engine)"] | join(" ")')" \
    "RSA 4096/rsa-4096/live ECDSA P-256/ecdsa-p256/live"
is "the verdict is one of three words" "$(of o '[.runs[].validity.verdict] | map(select(. == "valid" or . == "suspect" or . == "invalid")) | length')" 2
is "a verdict that is not valid has reasons, a valid one none" "$(of o '[.runs[].validity | (.verdict == "valid") == (.reasons == [])] | unique | join(" ")')" true
is "exit status and verdict agree" "$status" "$(of o 'if any(.runs[]; .validity.verdict == "invalid") then 98 else 0 end')"
is "the target was met" "$(of o '.targets[] | "\(.name) \(.limit) \(.value) \(.met)"')" "failed 0 0 true"

is "samples.csv: its columns" "$(head -n 1 o/samples.csv)" "certificate,user,population,due_ns,started_ns,connected_ns,secured_ns,done_ns,attempts,outcome,reason,repeat"
is "samples.csv: a row a user and certificate, beside the header" "$(wc -l <o/samples.csv)" 121
is "handshakes.csv: one a login here" "$(rows o/handshakes.csv)" 120
i=0
for certificate in "RSA 4096" "ECDSA P-256"; do
    run=".runs[$i]"
    i=$((i + 1))
    is "$certificate: 60 rows" "$(rows o/samples.csv "$certificate")" 60
    is "$certificate: user i in row i" "$(column o/samples.csv user "$certificate" | tr '\n' ' ')" "$(seq -s ' ' 0 59) "
    is "$certificate: due every 1/30 s, in the middle of its share, to the nanosecond" \
        "$(column o/samples.csv due_ns "$certificate" | awk '{ want = (NR - 0.5) * 2e9 / 60; d = $1 - want; if (d < -1 || d > 1) print $1 }')" ""
    is "$certificate: all are logged in, with no reason" "$(awk -F, -v c="$certificate" '$1 == c { print $10 "/" $11 }' o/samples.csv | sort -u)" "logged_in/"
    is "$certificate: due <= started <= connected <= secured <= done in every row" \
        "$(awk -F, -v c="$certificate" '$1 == c && !($4 <= $5 && $5 <= $6 && $6 <= $7 && $7 <= $8)' o/samples.csv)" ""
    is "$certificate: users = logged in + failed + cut off" "$(of o "$run.logins | .total == .logged_in + .failed + .cut_off and .total == 60")" true
    is "$certificate: the counts are those of the rows" "$(of o "$run.logins | \"\\(.logged_in) \\(.failed) \\(.cut_off)\"")" "60 0 0"
    is "$certificate: handshakes = full + resumed + failed + cut off" \
        "$(of o "$run.handshakes | .total == .full + .resumed + .failed + .cut_off and .total == 60 and .full == 60")" true

    awk -F, -v c="$certificate" '$1 == c && $10 == "logged_in" { printf "%.0f\n", $8 - $4 }' o/samples.csv >login
    awk -F, -v c="$certificate" '$1 == c && $8 == "secured" { printf "%.0f\n", $7 - $6 }' o/handshakes.csv >handshake
    awk -F, -v c="$certificate" '$1 == c && $6 != "" { printf "%.0f\n", $6 - $5 }' o/handshakes.csv >connect
    awk -F, -v c="$certificate" '$1 == c { printf "%.0f\n", $5 - $4 }' o/samples.csv >lag
    for what in login handshake connect; do
        for quantile in p50:500 p90:900 p95:950 p99:990 p99_9:999 p100:1000; do
            is "$certificate: ${quantile%:*} of $what is that of the rows to the nanosecond" \
                "$(of o "$run.latency_us.$what.${quantile%:*}" | ns)" "$(rank "${quantile#*:}" <"$what")"
        done
        is "$certificate: so is its least" "$(of o "$run.latency_us.$what.min" | ns)" "$(sort -n "$what" | head -n 1)"
        is "$certificate: and its count" "$(of o "$run.latency_us.$what.count")" "$(wc -l <"$what")"
        between "$certificate: and its mean" "$(of o "$run.latency_us.$what.mean" | ns)" \
            "$(awk '{ s += $1 } END { printf "%.0f", s / NR - 2 }' "$what")" "$(awk '{ s += $1 } END { printf "%.0f", s / NR + 2 }' "$what")"
    done
    is "$certificate: the start lag's p99 and p100 are those of the rows" \
        "$(of o "$run.validity.start_lag_us | .p99, .p100" | ns | tr '\n' ' ')" "$(rank 990 <lag) $(rank 1000 <lag) "

    is "$certificate: the timeline's due users add up to all" "$(of o "[$run.timeline[].due] | add")" 60
    is "$certificate: and so do those logged in and failed" "$(of o "[$run.timeline[] | .logged_in + .failed] | add")" 60
    is "$certificate: at its end nobody is in flight" "$(of o "$run.timeline[-1].in_flight")" 0
    is "$certificate: in every slice, in flight = due before its end - done before its end" \
        "$(of o "[foreach $run.timeline[] as \$m (0; . + \$m.due - \$m.logged_in - \$m.failed; . == \$m.in_flight)] | unique | join(\" \")")" true
    is "$certificate: a slice is a second of the scenario, 60 of them or, with a late end, some more" \
        "$(of o "$run | .timeline_slice_us == 1000000 and (.timeline | length) >= 60 and .timeline[0].at == \"08:00:00\"")" true
    is "$certificate: timeline.csv has the same rows" "$(rows o/timeline.csv "$certificate")" "$(of o "$run.timeline | length")"
    is "$certificate: of the same users" "$(column o/timeline.csv due "$certificate" | awk '{ s += $1 } END { print s }')" 60

    is "$certificate: cores at the peak are logins x CPU per login" \
        "$(of o "$run | (.load.peak_minute_logins * .gateway.cpu_us_per_login / 60e6 - .load.cores_at_peak_minute) | fabs < 1e-5")" true
    is "$certificate: all 60 are of one minute at the scenario's own pace" "$(of o "$run.load | \"\\(.peak_minute) \\(.peak_minute_logins) \\(.peak_second_logins)\"")" "08:00 60 1"
    is "$certificate: a core carries 1 s / CPU per handshake" \
        "$(of o "$run.gateway | (.capacity_handshakes_per_s_per_core * .cpu_us_per_handshake.total / 1e6 - 1) | fabs < 1e-3")" true
    is "$certificate: no handshake was wasted" "$(of o "$run.gateway.wasted_handshakes")" 0
    is "$certificate: one login a connection, so both cost the same" "$(of o "$run.gateway | .cpu_us_per_login == .cpu_us_per_handshake.total")" true
    is "$certificate: TLS alone costs less than all" "$(of o "$run.gateway | .tls_us_per_handshake > 0 and .tls_us_per_handshake < .cpu_us_per_handshake.total")" true
    is "$certificate: user and system are told apart from a second of CPU on, and add up but for clock ticks" \
        "$(of o "$run.gateway | if .cpu_us < 1000000 then .cpu_us_per_handshake.user == null and .cpu_us_per_handshake.system == null
            else .cpu_us_per_handshake | ((.user + .system - .total) * 60 | fabs < 25000) end")" true
done
is "a P-256 handshake costs the gateway less than half of an RSA 4096 one" "$(of o '.runs[1].gateway.cpu_us_per_handshake.total * 2 < .runs[0].gateway.cpu_us_per_handshake.total')" true
is "both met the same schedule" "$(column o/samples.csv due_ns "RSA 4096" | md5sum)" "$(column o/samples.csv due_ns "ECDSA P-256" | md5sum)"

# The report again, without a run.
call report o
is "report exits as run did" "$status" "$(of o 'if any(.runs[]; .validity.verdict == "invalid") then 98 else 0 end')"
is "report of the folder prints what run printed" "$out" "$(sed '$d' run.txt)"
printf '%s\n' "$out" >folder.txt
call report o/result.json
is "report of the file, too" "$out" "$(cat folder.txt)"
"$BIN" report o --format json >again.json
jq -S . o/result.json >want.json
jq -S . again.json >got.json
same "report --format json is result.json" got.json want.json
"$BIN" report o --format csv >report.csv
is "report --format csv: a row a certificate" "$(wc -l <report.csv)" 3
is "with the figures of the result" "$(column report.csv login_p50_us | ns | tr '\n' ' ')" "$(of o '.runs[].latency_us.login.p50' | ns | tr '\n' ' ')"
call report o --quiet
is "report --quiet: a line a certificate" "$(wc -l <"$TMP/out")" 2
has "that a script can read" "$out" "RSA 4096: 60/60 logged in, 0 failed, p50 "
is "no colours into a pipe" "$(grep -c $'\033' folder.txt run.txt err | tr '\n' ' ')" "folder.txt:0 run.txt:0 err:0 "

# The same on standard output, as asked.
scenario quick.yaml 'pace: {speedup: 300}' 'certificates: [{key: ecdsa-p256}, {key: ecdsa-p384}]'
call run quick.yaml --out j --format json
is "run --format json: done" "$status" 0 98
same "its standard output is the result.json" out j/result.json
call run quick.yaml --out c --format csv --users 20
is "run --format csv: done" "$status" 0 98
is "a row a certificate, and nothing else" "$(wc -l <out)" 3
is "with --users' users" "$(column out users | tr '\n' ' ')" "20 20 "
call run quick.yaml --out q --quiet
is "run --quiet: two lines" "$(wc -l <out)" 2
is "and no word on standard error" "$err" ""
call run - --out s --quiet --users 5 <quick.yaml
is "a scenario from standard input runs" "$status" 0 98
is "with all of its users" "$(of s '.runs[].logins.logged_in' | tr '\n' ' ')" "5 5 "
call run quick.yaml --quiet --users 5
is "without --out the folder is made under results" "$status" 0 98
matches "named after the scenario and the moment" "$(echo results/*)" '^results/sixty-users-[0-9]{8}-[0-9]{4}$'
call run quick.yaml --quiet --users 5
is "a second run in the same minute gets its own" "$(find results -name result.json | wc -l)" 2

# A target that is missed.
scenario strict.yaml 'pace: {speedup: 300}' 'targets: {login_p100: 1us}' 'certificates: [{key: ecdsa-p256}]'
call run strict.yaml --out t
is "a missed target: exit status 99, unless the measurement is invalid" "$status" "$(of t 'if any(.runs[]; .validity.verdict == "invalid") then 98 else 99 end')"
is "and it is in the result" "$(of t '.targets[] | "\(.name) \(.met)"')" "login_p100 false"
call report t
is "report has the same exit status" "$status" "$(of t 'if any(.runs[]; .validity.verdict == "invalid") then 98 else 99 end')"

# Names that a table must not trip over.
cat >names.yaml <<'YAML'
loginstorm: 1
name: "Übung, \"laut\""
users: 40
seed: 11
window: {from: 08:00, to: 08:01}
arrivals: {shape: uniform, placement: even}
pace: {speedup: 600}
populations:
  - {name: "Büro, \"oben\"", share: 50%}
  - {name: 'it''s; home', share: 50%}
certificates: [{name: "P-256, \"grün\"", key: ecdsa-p256}, {name: '=1+1', key: ecdsa-p384}]
YAML
call run names.yaml --out n
is "names with commas, quotes and umlauts: done" "$status" 0 98
is "the certificate's name as it was given, in result.json" "$(of n '.runs[0].certificate')" 'P-256, "grün"'
is "and the scenario's" "$(of n '.scenario.name')" 'Übung, "laut"'
# A field in quotes, quotes doubled: what RFC 4180 reads is the name again.
fields() {
    awk -v at="$2" 'NR > 1 {
        n = 0; i = 1; length_of = length($0)
        while (i <= length_of + 1) {
            value = ""
            if (substr($0, i, 1) == "\"") {
                for (i++; i <= length_of; i++) {
                    c = substr($0, i, 1)
                    if (c == "\"") { if (substr($0, i + 1, 1) != "\"") { i++; break } i++ }
                    value = value c
                }
            } else while (i <= length_of && (c = substr($0, i, 1)) != ",") { value = value c; i++ }
            if (++n == at) print value
            i++
        }
    }' "$1" | sort | uniq -c | sed 's/^ *//'
}
is "samples.csv reads back as the certificates' names" "$(fields n/samples.csv 1 | grep -c -x -F -e '40 P-256, "grün"')" 1
is "and the populations' names" "$(fields n/samples.csv 3 | sed 's/^[0-9]* //' | tr '\n' '|')" "Büro, \"oben\"|it's; home|"
is "handshakes.csv too" "$(fields n/handshakes.csv 1 | grep -c -x -F -e '40 P-256, "grün"')" 1
is "every row has its eleven fields" "$(for f in $(seq 1 11); do fields n/samples.csv "$f" | awk '{ s += $1 } END { print s }'; done | sort -u)" 80
finish
