#!/bin/bash
# loginstorm simulate: the folder of a run, many mornings, and the same bytes whoever plays them.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
scenarios=$(realpath "$(dirname "$0")/../../scenarios")
export XDG_CACHE_HOME=$TMP/cache
cd "$TMP" || exit 1

scenario small.yaml 'farm: {gateways: 2, cores: 1, costs: {exponential: 20ms}}' 'targets: {failed: 0%, login_p99: 5s}' \
    'events: [{at: "08:00:30", gateway_down: 1, for: 5s}]' 'login: {hold: until_end, retry: {attempts: 3, wait: 1s}}'
call simulate small.yaml --out o --replications 20
is "a farm that is large enough: done" "$status" 0
is "the folder holds the six files of a run" "$(echo o/*)" "o/handshakes.csv o/report.html o/result.json o/samples.csv o/scenario.yaml o/timeline.csv"
sed '$d' "$TMP/out" >o.txt
is "the last line says where the result is" "$(tail -n 1 "$TMP/out")" "o/report.html"
has "the heading tells the farm" "$out" "gateway: model, 2 gateways of 1 core, round robin"
has "and the morning's own pace" "$(head -n 1 "$TMP/out")" "at its own pace"
has "the report tells how many mornings, and what they go by" "$out" "simulated: 20 mornings"
is "nothing is called measured" "$(grep -c 'measurement:' "$TMP/out")" 0

is "there is a run a certificate" "$(of o '.runs | length')" 2
for row in '.engine|model' '.validity.verdict|valid' '.validity.reasons|[]' '.validity.start_lag_us.count|0' '.validity.injector_cpu_share|null' \
    '.bytes.client_hello|null' '.bytes.per_handshake_from_gateway|null' '.gateway.source|model' '.gateway.workers|2' \
    '.gateway.cpu_us_per_handshake.user|null' '.mornings.count|20'; do
    is "runs[0]${row%%|*} is ${row#*|}" "$(jq -c ".runs[0]${row%%|*}" o/result.json | tr -d '"')" "${row#*|}"
done
is "a live run's speedup is not the simulation's" "$(of o .scenario.speedup)" 1
is "nor that of the scenario in the folder" "$(grep -c 'speedup: 1$' o/scenario.yaml)" 1
for figure in login_us.p50 login_us.p95 login_us.p99 login_us.p100 failed_share peak_minute_logins gateway_peak_share; do
    is "mornings.$figure: low, median, in 95 % and worst are in their order" \
        "$(of o ".runs[0].mornings.$figure | .low <= .median and .median <= .in_95_percent and .in_95_percent <= .high and .high <= .worst")" true
done
returned=$(of o '.runs[0].mornings.returned_logins')
holds "the gateway's death sent users in again" "$returned > 0"
is "each of them is a row behind the others" "$(rows o/samples.csv 'RSA 4096')" "$((60 + returned))"
is "and a login of the total" "$(of o '.runs[0].logins.total')" "$((60 + returned))"
is "there is a handshake for each at least" "$(($(rows o/handshakes.csv 'RSA 4096') >= 60 + returned))" 1
is "a handshake's bytes are not known" "$(column o/handshakes.csv client_hello_bytes 'RSA 4096' | sort -u)" ""
is "the p100 is one of the rows" \
    "$(awk -F, '$1 == "RSA 4096" && $10 == "logged_in" { printf "%.0f\n", $8 - $4 }' o/samples.csv | sort -n | tail -n 1)" \
    "$(of o '.runs[0].latency_us.login.p100' | ns)"
between "the timeline's CPU adds up to the gateway's" \
    "$(awk -F, '$1 == "RSA 4096" { sum += $11 } END { printf "%.0f", sum * 1000 }' o/timeline.csv)" \
    "$(of o '.runs[0].gateway.cpu_us / 1000 - 1')" "$(of o '.runs[0].gateway.cpu_us / 1000 + 1')"
call report o
is "report shows it again, to the letter" "$out" "$(cat o.txt)"

for threads in 1 2 3; do
    call simulate small.yaml --out "t$threads" --replications 20 --threads "$threads"
    for table in samples handshakes timeline; do
        same "by $threads threads $table.csv is the same" o/$table.csv "t$threads/$table.csv"
    done
    is "by $threads threads the figures are the same" "$(jq -S 'del(.created)' "t$threads/result.json" | cksum)" \
        "$(jq -S 'del(.created)' o/result.json | cksum)"
done
call simulate small.yaml --out other --replications 20 --seed 12
is "another seed is another morning" "$(cmp -s o/samples.csv other/samples.csv; echo $?)" 1

call simulate small.yaml --out json --replications 3 --format json
is "--format json is the result itself" "$(printf '%s' "$out" | jq -c '[.format, .runs[0].mornings.count]')" '["loginstorm-result",3]'
call simulate small.yaml --out csv --replications 3 --format csv
is "--format csv is a row a certificate" "$(wc -l <"$TMP/out")" 3
call simulate small.yaml --out quiet --replications 3 --quiet
is "--quiet is a line a certificate, and nothing else" "$(wc -l <"$TMP/out")$err" 2
call simulate small.yaml --out pace --replications 1 --speedup 30
is "a pace that is asked for is played" "$(of pace .scenario.speedup)" 30

call simulate small.yaml --out as-run --replications 3 --injectors 2
is "--injectors foretells a run" "$(of as-run .placement)" "as run on this host: 1 worker, 2 injectors"
is "at the run's pace" "$(of as-run .scenario.speedup)" 30
has "without events, as run has it" "$out" "left out, as by \`run\`: events"
is "and nobody comes again" "$(of as-run '.runs[0].mornings.returned_logins')" 0

# Where the costs are from.
scenario plain.yaml
call simulate plain.yaml --out none
is "without any costs: no such input" "$status" 66
has "and it says how to get them" "$err" "run \`loginstorm calibrate\`"
is "no folder is left behind" "$([ -e none ] && echo there)" ""
call simulate plain.yaml --out published --replications 3 --costs "$scenarios/costs/published.json"
is "--costs names a profile" "$status" 0
has "which is told" "$out" "costs/published.json"
has "without a farm one is taken, and told" "$out" "the scenario has no \`farm\`: taken is 1 gateway of 2 cores"
is "RSA costs what the profile says" "$(of published '.runs[0].gateway.cpu_us_per_handshake.total')" 17500
sed "s|^farm:.*|farm: {gateways: 1, cores: 1, cpu: {factor: 0.5}, costs: $scenarios/costs/published.json}|" small.yaml >slow.yaml
call simulate slow.yaml --out slow --replications 3
is "a gateway of half the speed takes twice as long" "$(of slow '.runs[0].gateway.cpu_us_per_handshake.total')" 35000
has "and how sure that is, is told" "$out" "from 80 % to 120 %"
call simulate small.yaml --out over --replications 3 --costs "$scenarios/costs/published.json"
is "--costs wins over the scenario's law" "$(of over '.runs[1].gateway.cpu_us_per_handshake.total')" 9000
call simulate plain.yaml --costs o/result.json
is "what was simulated is no cost that was measured" "$status" 65
scenario dsa.yaml 'certificates: [{name: Ed25519, key: ed25519}]'
call simulate dsa.yaml --out dsa --costs "$scenarios/costs/published.json"
is "a kind of key that the profile does not have is refused" "$status" 65
has "by what it has" "$err" "rsa-4096"

# Closed loops are played too.
scenario loops.yaml 'arrivals: [{shape: sequence, runs: 5}, {shape: closed, requests: 100, concurrency: 20}]' 'farm: {cores: 1, costs: {fixed: 10ms}}'
sed -i '/^users:/d; /^window:/d; /^pace:/d' loops.yaml
call simulate loops.yaml --out loops --replications 2
is "closed loops are simulated" "$status" 0
is "one after another takes what the burst takes" "$(of loops '.runs[0].waves[0].latency_us.login.p50')" 10000
is "twenty at a time wait for nineteen others" "$(of loops '.runs[0].waves[1].latency_us.login.p50')" 200000

# Clear answers.
answer() {
    local sentence=$1 expected=$2 part=$3

    shift 3
    call simulate small.yaml --out no "$@"
    is "$sentence: exit status $expected" "$status" "$expected"
    has "$sentence: says so" "$err$out" "$part"
}
answer "no gateway" 65 "out of range (1 to 10000)" --set farm.gateways=0
answer "no core" 65 "out of range (1 to 1024)" --set farm.cores=0
answer "no mornings" 64 "--replications: 0 is out of range" --replications 0
answer "no injector" 64 "--injectors: 0 is out of range" --injectors 0
answer "100 million users" 65 "out of range" --users 100000000
answer "more than memory holds" 70 "10,000,000 users take about" --users 10000000 --replications 100000 --memory 2000
has "and says what is allowed, and what to do" "$err" "and 2,000 MB are allowed by --memory: ask for a tenth of the users on a tenth of the gateways"
is "it is refused before anything is made" "$([ -e no ] && echo there)" ""

# Memory: by fewer threads where it is short, with the same result, and never more than was told.
each() {
    sed -n 's/.*it would take about \([0-9,]*\) MB of memory, so it takes \([0-9,]*\)$/\1 \2/p' <<<"$err" | tr -d ,
}
if grep -q -e __asan_init -e __tsan_init "$BIN"; then
    skip "memory that is short: a sanitizer takes its own"
else
    wide=(--users 50000 --set farm.gateways=100 --replications 4 --threads 4)
    call simulate small.yaml --out threads "${wide[@]}" --memory 74
    has "by fewer threads" "$err" "loginstorm: note: 2 threads instead of 4: by so many it would take about"
    read -r four two <<<"$(each)"
    holds "which take less" "$two <= 74 && 74 < $four"
    call simulate small.yaml --out free "${wide[@]}"
    lacks "who has memory is told nothing" "$err" "loginstorm: note"
    for table in samples handshakes timeline; do
        same "by fewer threads $table.csv is the same" "threads/$table.csv" "free/$table.csv"
    done
    is "and so are the figures" "$(jq -S 'del(.created)' threads/result.json | cksum)" "$(jq -S 'del(.created)' free/result.json | cksum)"

    wide=(--users 200000 --set farm.gateways=100 --set login.retry.attempts=1 --replications 1)
    call simulate small.yaml --out no "${wide[@]}" --memory 41
    told=$(sed -n 's/.* take about \([0-9,]*\) MB of memory.*/\1/p' <<<"$err" | tr -d ,)
    took=$(python3 - "$BIN" simulate small.yaml --out large "${wide[@]}" --memory "$told" --quiet <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
END
    )
    is "what was told is enough" "$(rows large/samples.csv 'RSA 4096')" "$(of large '.runs[0].logins.total')"
    holds "and as much as it takes, or a little more" "$took <= $told * 1000000 && $took > $told * 500000"
fi
call simulate small.yaml --out spare --replications 2 --set farm.spare=1
has "spare gateways are up here, unlike in a plan" "$out" "all gateways are up"
answer "a target that nothing meets" 99 "MISSED" --set targets.login_p50=1ms --replications 3
scenario outside.yaml 'gateway: {target: "ras.example.lan:443", allow: {addresses: [192.0.2.10], authorised_by: me, until: 2030-01-01}}'
sed -i '/^certificates:/d' outside.yaml
call simulate outside.yaml
is "an outside gateway without certificates: bad scenario" "$status" 65
has "and why" "$err" "certificates"

# A folder belongs to one kind of result of one scenario; the same takes its place.
scenario owner.yaml 'farm: {gateways: 2, cores: 1, costs: {fixed: 2ms}}'
scenario owner2.yaml 'name: Other users' 'farm: {gateways: 2, cores: 1, costs: {fixed: 2ms}}'
call simulate owner.yaml --out owned --replications 2 --quiet
is "a folder of its own: done" "$status" 0
call simulate owner.yaml --out owned --replications 3 --quiet
is "the same again takes its place" "$status $(of owned '.runs[0].mornings.count')" "0 3"
(cd owned && md5sum -- *) >owned.md5
# keeps SENTENCE PART ARGUMENT...
keeps() {
    local sentence=$1 part=$2

    shift 2
    call "$@"
    is "$sentence: refused" "$status" 73
    has "$sentence: says why" "$err" "$part"
    is "$sentence: and nothing is touched" "$(cd owned && md5sum -- *)" "$(cat owned.md5)"
}
keeps "another scenario into it" 'owned holds a simulation of "Sixty users", which a simulation of "Other users" would take the place of: give --out another folder' \
    simulate owner2.yaml --out owned --replications 2
keeps "a run into it" 'owned holds a simulation of "Sixty users", which a run of "Sixty users"' run owner.yaml --out owned
keeps "a plan into it" 'which a plan of "Sixty users"' plan owner.yaml --out owned --replications 2
mkdir mine
cp owner.yaml mine/scenario.yaml
call simulate mine/scenario.yaml --out mine --replications 2
is "one's own scenario.yaml is not written over" "$status $(cmp mine/scenario.yaml owner.yaml && echo same)" "73 same"
has "which is told" "$err" "mine/scenario.yaml would be written over, and no result is beside it"
mkdir foreign
echo '{"format": "mine"}' >foreign/result.json
call simulate owner.yaml --out foreign --replications 2
is "nor a result.json of somebody else" "$status $(cat foreign/result.json)" '73 {"format": "mine"}'
has "which is told, too" "$err" "loginstorm did not make it"

# The scenarios that come with the program.
for name in gateway-failure reconnect-after-outage; do
    call simulate "$scenarios/$name.yaml" --out "$name" --replications 5
    is "$name: each of the three certificates has its run" "$(of "$name" '.runs | length')" 3
done
holds "a dead gateway sends a third of those who are in again" \
    "$(of gateway-failure '.runs[0].mornings.returned_users') > 800 && $(of gateway-failure '.runs[0].mornings.returned_users') < 1300"
is "and the fullest minute is theirs, as the timeline has it" "$(of gateway-failure '.runs[0].load.peak_minute')" 08:30
is "with all who came in it, once or again" "$(of gateway-failure '.runs[0].load.peak_minute_logins')" \
    "$(of gateway-failure '[.runs[0].timeline[].due] | max')"
holds "on each morning" "$(of gateway-failure '.runs[0].mornings.peak_minute_logins.low') > 1000"
is "of 100 logins a second P-256 carries all" "$(of reconnect-after-outage '.runs[1].logins.failed')" 0
holds "and RSA 4096 does not" "$(of reconnect-after-outage '.runs[0].logins.failed') > 600"
is "so the target is missed" "$status" 99
call simulate "$scenarios/retry-storm.yaml" --out storm --replications 20
holds "a retry storm: more than three in four never log in" "$(of storm '.runs[0].logins.failed') > 4500"
is "on each of its mornings" "$(of storm '.runs[0].mornings.failed_share.low > 0.75')" true
call simulate "$scenarios/retry-storm.yaml" --out eased --replications 20 --set farm.drops_closed=yes
holds "eased by a gateway that notices who has left" "$(of eased '.runs[0].logins.failed') < $(of storm '.runs[0].logins.failed')"
holds "but not cured" "$(of eased '.runs[0].logins.failed') > 3000"
call simulate "$scenarios/retry-storm.yaml" --out cured --replications 20 --set farm.cores=2
is "cured by a second core" "$(of cured '.runs[0].mornings.failed_share.worst')" 0
finish
