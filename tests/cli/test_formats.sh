#!/bin/bash
# What other tools eat: each format read back by its own consumer or checker.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
tree=$(realpath "$(dirname "$0")/../..")
cd "$TMP" || exit 1
# Debian's, whose modules these are; a python3 of somebody's own may stand before it.
python=/usr/bin/python3
PATH=$PATH:${XDG_CACHE_HOME:-$HOME/.cache}/loginstorm/unpacked
command -v promtool >/dev/null || bad "promtool is there (tools/setup check)" "a command" "none"

# promtool for Prometheus's own text format, which node_exporter reads; the strict parser for OpenMetrics. Prints what was
# wrong, else nothing.
metrics_fault() {
    promtool check metrics <"$1" 2>&1
    # shellcheck disable=SC2016
    "$python" -c 'import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
from prometheus_client.parser import text_string_to_metric_families as parse_old
text = open(sys.argv[1], encoding="utf-8").read()
new = {(s.name, tuple(sorted(s.labels.items()))): s.value for f in parse(text) for s in f.samples}
old = {(s.name, tuple(sorted(s.labels.items()))): s.value for f in parse_old(text) for s in f.samples}
if new != old: print("both parsers do not read the same")
if len(new) < 20: print("hardly a sample")' "$1" 2>&1
}

# sample FILE NAME LABEL=VALUE...: its value, by the OpenMetrics parser
sample() {
    "$python" -c 'import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
want = dict(word.split("=", 1) for word in sys.argv[3:])
for f in parse(open(sys.argv[1], encoding="utf-8").read()):
    for s in f.samples:
        if s.name == sys.argv[2] and want.items() <= s.labels.items(): print("%.12g" % s.value)' "$@"
}

scenario small.yaml 'pace: {speedup: 300}' 'targets: {failed: 0%, login_p99: 20s}'
call run small.yaml --out live --metrics live.prom
is "a live storm: done" "$status" 0 98
is "its metrics are in the file that was asked for, by both parsers" "$(metrics_fault live.prom)" ""
is "and end as OpenMetrics wants it" "$(tail -n 1 live.prom)" "# EOF"
is "there is no half of it left over" "$(echo live.prom*)" "live.prom"
"$BIN" report live --format openmetrics >again.prom
same "report --format openmetrics is the same" again.prom live.prom
for certificate in "RSA 4096" "ECDSA P-256"; do
    run=".runs[] | select(.certificate == \"$certificate\")"
    is "$certificate: logins" "$(sample live.prom loginstorm_logins "certificate=$certificate" outcome=logged_in)" "$(of live "$run | .logins.logged_in")"
    is "$certificate: p99" "$(sample live.prom loginstorm_login_latency_seconds "certificate=$certificate" quantile=0.99)" \
        "$(of live "$run | .latency_us.login.p99" | awk '{ printf "%.12g", $1 / 1e6 }')"
    is "$certificate: CPU a handshake" "$(sample live.prom loginstorm_gateway_cpu_seconds_per_handshake "certificate=$certificate")" \
        "$(of live "$run | .gateway.cpu_us_per_handshake.total" | awk '{ printf "%.12g", $1 / 1e6 }')"
    is "$certificate: verdict" "$(sample live.prom loginstorm_measurement_verdict "certificate=$certificate" "verdict=$(of live "$run | .validity.verdict")")" 1
    is "$certificate: target" "$(sample live.prom loginstorm_target_met "certificate=$certificate" target=failed)" 1
done

# A name that would get out of wherever it is put.
cat >names.yaml <<'YAML'
loginstorm: 1
name: "</script><img src=x onerror=alert(1)> \"|`\\"
users: 40
seed: 11
window: {from: 08:00, to: 08:01}
arrivals: {shape: uniform}
farm: {gateways: 1, cores: 1, costs: {fixed: 10ms}}
targets: {login_p99: 1ms, failed: 1%}
certificates: [{name: "a|b`c`<i>\"}\\", key: rsa-4096}, {name: "]]>&amp;{", key: ecdsa-p256}]
YAML
call simulate names.yaml --out names --replications 3 --metrics names.prom
is "a simulation of strange names misses a target" "$status" 99
is "its metrics are read by both parsers" "$(metrics_fault names.prom)" ""
strange=$(of names '.runs[0].certificate')
is "and the names come back as they are" "$(sample names.prom loginstorm_mornings "certificate=$strange" engine=model)" 3

# JUnit.
junit_fault() { xmllint --nonet --noout --schema "$tree/tests/data/junit.xsd" "$1" 2>&1 | grep -v ' validates$'; }
xpath() { xmllint --nonet --xpath "$2" "$1"; }
call report live --format junit
printf '%s\n' "$out" >live.xml
is "JUnit of a live storm holds to the schema" "$(junit_fault live.xml)" ""
is "a case a certificate, a target, and the end" "$(xpath live.xml 'count(//testcase)')" 5
is "as it says itself" "$(xpath live.xml 'string(/testsuites/@tests)')" 5
is "an error a measurement that is invalid" "$(xpath live.xml 'count(//error)')" "$(of live '[.runs[] | select(.validity.verdict == "invalid")] | length')"
call report names --format junit
printf '%s\n' "$out" >names.xml
is "exit status is that of the report" "$status" 99
is "JUnit of strange names holds to the schema" "$(junit_fault names.xml)" ""
is "the missed target is a failure" "$(xpath names.xml 'string(//testcase[failure]/@name)')" login_p99
matches "that says by how much" "$(xpath names.xml 'string(//failure/@message)')" '^missed by [0-9.]+ ms, [0-9.]+ (% over|times the limit): [0-9.]+ ms, limit 1.00 ms$'
is "and names come back as they are, each with its own figure" "$(xpath names.xml 'string(//failure)' | sed -E 's/ by [0-9.]+ ms, [0-9.]+ (% over|times the limit)//g')" \
    "missed with $(of names '[.runs[].certificate] | join("; ")')"
sed 's/<testcase /<testcase bogus="1" /' names.xml >bogus.xml
has "the schema refuses what is not in it" "$(junit_fault bogus.xml)" "bogus"

# Markdown, as GitHub and GitLab render it (their tables; HTML let through, as some do).
call report names --format markdown
is "Markdown has the exit status of the report, too" "$status" 99
printf '%s\n' "$out" >names.md
cmark-gfm -e table -e strikethrough --unsafe names.md >names.html
is "two tables are rendered" "$(grep -c '^<table>' names.html)" 2
is "no name becomes an element" "$(grep -c -i '<img\|<script\|<code\|<i>' names.html)" 0
# shellcheck disable=SC2016
is "a name stands in its cell as it is" "$(grep -c -x -F '<td>a|b`c`&lt;i&gt;&quot;}\</td>' names.html)" 1
is "every row has its six cells" "$(awk '/^<tr>/ { n = 0 } /^<td/ { n++ } /^<\/tr>/ && n { print n }' names.html | head -n 2 | tr '\n' ' ')" "6 6 "
has "what was missed is bold" "$(cat names.html)" "<strong>missed</strong> by "
"$BIN" report live --format markdown >live.md
is "of a live storm it is short" "$(($(wc -l <live.md) < 40))" 1

# Curves for the plotter of HdrHistogram: what it takes for points, by its own rule.
points() { awk '!/^#/ && NF == 4 && $1 + 0 == $1 && $4 + 0 == $4 { print $1, $2 }' "$1"; }
call report live --format hgrm
is "several curves want a folder" "$status" 64
has "and it says so" "$err" "name a folder with --out"
call report live --format hgrm -o curves
is "with a folder there is a file a certificate and kind" "$out" "curves/rsa-4096-login.hgrm
curves/rsa-4096-handshake.hgrm
curves/ecdsa-p-256-login.hgrm
curves/ecdsa-p-256-handshake.hgrm"
i=0
for certificate in rsa-4096 ecdsa-p-256; do
    for kind in login handshake; do
        file=curves/$certificate-$kind.hgrm
        is "$file: its points are those of the result" "$(points "$file" | awk '{ printf "%.3f %.6f\n", $1 * 1000, $2 }')" \
            "$(of live ".runs[$i].distribution_us.${kind}[:-1][] | \"\(.[1]) \(.[0])\"" | awk '{ printf "%.3f %.6f\n", $1, $2 }')"
        is "$file: and its last row is the slowest" "$(awk '!/^#/ && NF == 3 { printf "%.3f %d\n", $1 * 1000, $3 }' "$file")" \
            "$(of live ".runs[$i].latency_us.$kind | \"\(.p100) \(.count)\"" | awk '{ printf "%.3f %d\n", $1, $2 }')"
    done
    i=$((i + 1))
done
call run small.yaml --out curved --format hgrm
is "run puts its curves beside its result" "$(grep -c '^curved/.*hgrm$' "$TMP/out")$(find curved -name '*.hgrm' | wc -l)" 44
call simulate small.yaml --out one --format hgrm --replications 2 --set farm.costs.exponential=5ms
is "so does simulate" "$(find one -name '*.hgrm' | wc -l)" 4
scenario single.yaml 'certificates: [{name: "Übung", key: ecdsa-p256}]' 'farm: {costs: {fixed: 5ms}}'
call simulate single.yaml --out single --replications 2
call report single --format hgrm
is "of a single run the login curve comes to standard output" "$(printf '%s\n' "$out" | awk '!/^#/ && NF == 3 { print $3 }')" 60
scenario twins.yaml 'certificates: [{name: "A, one", key: ecdsa-p256}, {name: "A, two", key: ecdsa-p256}]' 'farm: {costs: {fixed: 5ms}}'
call simulate twins.yaml --out twins --format hgrm --replications 2
is "names that would be the same are numbered" "$(find twins -name '*-login.hgrm' | sort | tr '\n' ' ')" "twins/1-a-login.hgrm twins/2-a-login.hgrm "

# By how much, in text, JSON and CSV.
has "the text says by how much a target was missed" "$("$BIN" report names)" "MISSED by "
is "so does result.json" "$(of names '.targets[] | select(.name == "login_p99") | .missed_by == (.value - .limit) and .missed_by > 0')" true
is "and of one that was met nothing" "$(of names '.targets[] | select(.name == "failed") | .missed_by')" null
"$BIN" report names --format csv >names.csv
is "and the spreadsheet, by certificate" "$(column names.csv target_login_p99_missed_by_us | awk '$1 > 0' | wc -l)" 2

# Where it goes.
call report live --format csv -o there.csv
is "report -o writes a file and nothing else" "$out$err" ""
"$BIN" report live --format csv >here.csv
same "of the same bytes" there.csv here.csv
call report live -o nowhere/there.csv
is "a file that cannot be made: exit status 73" "$status" 73
call run small.yaml --out none --metrics nowhere/x.prom
is "metrics that cannot be written are refused before the storm" "$status" 73
is "and nothing is run" "$([ -e none ] && echo there)" ""
call simulate names.yaml --out none --metrics -
is "metrics on standard output are a format" "$status" 64
call plan names.yaml --format junit
is "a format that a command does not have: exit status 64" "$status" 64
has "and it says which there are" "$err" "is none of text, json, csv"
finish
