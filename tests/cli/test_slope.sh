#!/bin/bash
# What a handshake costs a gateway that is not ours, as the slope of its CPU over its handshakes: gateways whose CPU is made up, of which the
# answer is known to the last digit, and a real one.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
here=$(realpath "$(dirname "$0")")
cd "$TMP" || exit 1
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout gw.key -out gw.pem -days 2 -subj /CN=gw.example \
    -addext subjectAltName=DNS:gw.example 2>/dev/null

# outside FILE TARGET CPU [LINE...]: a scenario whose gateway is there, and its CPU
outside() {
    local file=$1 target=$2 cpu=$3

    shift 3
    scenario "$file" "gateway: {target: \"$target\", trust: gw.pem, cpu: $cpu}" 'certificates: [{name: ours, key: ecdsa-p256}]' \
        'populations: [{name: all, connections: 1, tls: {server_name: gw.example}}]' 'login: {hold: none, request: {send: 200B, receive: 100B}}' "$@"
}

# What can be refused before anybody comes.
# refused STATUS PART ARGUMENT...
refused() {
    local expected=$1 part=$2

    shift 2
    echo old >kept.json
    call calibrate "$@"
    is "calibrate $*: exit status $expected" "$status" "$expected"
    has "calibrate $*: says '$part'" "$err" "$part"
    is "calibrate $*: what was there is still there" "$(cat kept.json)" old
}
outside gw.yaml 127.0.0.1:9 '{from: process, pid: 1}'
scenario own.yaml
outside nocpu.yaml 127.0.0.1:9 none
outside there.yaml 192.0.2.1:443 '{from: exporter, url: "http://192.0.2.1:9100/metrics"}'
outside allowed.yaml 192.0.2.1:443 '{from: exporter, url: "http://192.0.2.1:9100/metrics"}'
sed -i 's/trust: gw.pem/trust: gw.pem, allow: {addresses: [192.0.2.1], authorised_by: its owner, until: 2999-01-01, max_connections_per_s: 100}/' allowed.yaml
refused 64 "--rates: 3 of them, and 4 is the least" gw.yaml -o kept.json --rates 50,100,200
refused 64 "--rates: \"50,100,much,400\" is no list of handshakes a second" gw.yaml -o kept.json --rates 50,100,much,400
refused 64 "--rates: 100 stands there twice" gw.yaml -o kept.json --rates 100,50,100,200
refused 64 "--rates: 1 a second make 5 handshakes in 5 seconds; 10 are the least" gw.yaml -o kept.json --rates 1,50,100,200
refused 64 "--rates: 4e+07 handshakes in all" gw.yaml -o kept.json --rates 50,100,200,1000000 --seconds 20
refused 64 "--rounds: 3 is none of 2, 4" gw.yaml -o kept.json --rates 50,100,200,400 --rounds 3
refused 64 "--seconds: 0 is out of range (1 to 600)" gw.yaml -o kept.json --rates 50,100,200,400 --seconds 0
refused 64 "--out: where does the profile go?" gw.yaml --rates 50,100,200,400
refused 64 "--rates: only for a gateway that is not ours" own.yaml -o kept.json --rates 50,100,200,400
refused 64 "--seconds: only for a gateway that is not ours" own.yaml -o kept.json --seconds 3
refused 65 "gateway.cpu: what a handshake costs 127.0.0.1:9 is told by its CPU" nocpu.yaml -o kept.json --rates 50,100,200,400
refused 65 "pace.speedup: at this pace the fullest second has" gw.yaml -o kept.json --set pace.speedup=1
refused 65 "which is another machine, and nobody permits a storm there" there.yaml -o kept.json --rates 50,100,200,400
refused 64 "to storm it, say --allow-outside, too" allowed.yaml -o kept.json --rates 10,20,40,80
refused 65 "gets at most 100 new connections in a second" allowed.yaml -o kept.json --rates 50,100,200,400 --allow-outside
refused 69 "nobody listens" gw.yaml -o kept.json --rates 50,100,200,400

# made_up NAME HOW: such a gateway, and a calibration of it in the background; its process in $pid
made_up() {
    local name=$1 gateway exporter

    setsid /usr/bin/python3 "$here/made_up_gateway.py" gw.pem gw.key "$2" >"$name.ports" 2>"$name.log" </dev/null &
    started+=($!)
    disown
    patiently test -s "$name.ports" || bad "a made-up gateway starts" "two ports" "$(cat "$name.log")"
    read -r gateway exporter <"$name.ports"
    outside "$name.yaml" "127.0.0.1:$gateway" "{from: exporter, url: \"http://127.0.0.1:$exporter/metrics\", process: made-up}"
    echo old >"$name.json"
    launch "$name" calibrate "$name.yaml" --rates 45,10.5,30,20 --seconds 2 -o "$name.json"
}
declare -A run
for how in exact curve flat coarse failing slow; do
    made_up "$how" "$how"
    run[$how]=$pid
done
made_up stopped exact
run[stopped]=$pid

# A real one, by its process, at the rates of the scenario's own fullest second: it depends on the machine whether there is a line.
setsid "$BIN" gateway --listen 127.0.0.1:0 --trust gw-real.pem --name gw.example >real.log 2>&1 </dev/null &
real_gateway=$!
started+=("$real_gateway")
disown
patiently grep -q '127.0.0.1:[0-9]' real.log || bad "a gateway listens" "its address" "$(cat real.log)"
outside real.yaml "$(grep -o '127.0.0.1:[0-9]*' real.log)" "{from: process, pid: $real_gateway}"
sed -i 's/trust: gw.pem/trust: gw-real.pem/' real.yaml
echo old >real.json
launch real calibrate real.yaml --seconds 4 -o real.json
run[real]=$pid
patiently grep -q '^round 1 of 2, up' stopped.err
kill -INT "${run[stopped]}"
ended "${run[stopped]}"
is "Ctrl-C: exit status 130" "$status" 130
has "and it says that nothing is written" "$(cat stopped.err)" "stopped by SIGINT; nothing is written, since a line wants all of its rates"
is "nor is it" "$(cat stopped.json)" old
patiently nobody_in "${run[stopped]}"
is "nobody is left of it" "$(members "${run[stopped]}")" ""

# profile SENTENCE FILE JQ-CONDITION
profile() {
    if jq -e "$3" "$2" >/dev/null 2>jq.err; then
        good "$1"
    else
        bad "$1" "$3" "$(jq -c '.handshakes[] | {key, group, version, regression, cpu_us: .loads[0].cpu_us, handshakes: .loads[0].handshakes}' "$2") $(cat jq.err)"
    fi
}
# points FILE: offered rates and residuals of the table on standard output, a line each
points() { awk '$1 ~ /^[0-9.]+$/ && NF == 4' "$1"; }

# Rates in the order in which they were played, up and down.
up_and_down="10.5 20.0 30.0 45.0 45.0 30.0 20.0 10.5 "

ended "${run[exact]}"
if [ "$status" = 98 ] && grep -q 'piled up\|failed\|short of' exact.out; then
    skip "this machine is too busy for ten users a second: $(grep 'no line' exact.out)"
else
    is "a gateway that takes 3 ms a handshake: it ends well" "$status" 0
    profile "3 ms, to the last digit" exact.json \
        '.handshakes[0].loads[0].cpu_us | (.mean - 3000 | fabs) < 1e-5 and (.low - 3000 | fabs) < 1e-5 and (.high - 3000 | fabs) < 1e-5'
    profile "nothing with nobody coming" exact.json '.handshakes[0].regression | (.idle_cores.mean | fabs) < 1e-9 and .idle_cores.low <= .idle_cores.mean and .idle_cores.mean <= .idle_cores.high'
    profile "and all of it is explained" exact.json '.handshakes[0].regression.r2 > 0.999999999 and .handshakes[0].regression.r2 <= 1'
    profile "every handshake that was offered is in a point" exact.json '.handshakes[0].loads[0].handshakes == 2 * (21 + 40 + 60 + 90)'
    profile "the points are as they were played, up and down" exact.json '[.handshakes[0].regression.points[].offered_per_s] == [10.5, 20, 30, 45, 45, 30, 20, 10.5]'
    profile "each lies on the line, at what came through" exact.json \
        'all(.handshakes[0].regression.points[]; .per_s > 0 and (.cores - .per_s * 0.003 | fabs) < 1e-9 and (.residual_cores | fabs) < 1e-9)'
    profile "it says whose costs, by which clock" exact.json \
        ".source == \"outside\" and (.handshakes[0].regression | .gateway == \"127.0.0.1:$(cut -d' ' -f1 exact.ports)\" and .clock == \"exporter\" and (.counted | test(\"made-up\")))"
    profile "of what kind of handshake" exact.json '.handshakes[0] | [.certificate, .key, .group, .version, .resumed] == ["ours", "ecdsa-p256", "X25519", "1.3", false]'
    profile "what it cannot know it leaves open" exact.json \
        '.host.cpu == null and .host.tls_library == null and (.handshakes[0].loads[0] | .tls_us == null and .cpu_us.user == null and .core_share == null and .latency_us.login.count == 0)'
    is "it holds to the schema of profiles" "$(/usr/bin/python3 "$here/schema.py" --strict "$here/../../scenarios/loginstorm-costs.schema.json" exact.json 2>&1)" ""
    is "the table has a line a point" "$(points exact.out | awk '{ printf "%s ", $1 }')" "$up_and_down"
    matches "and the cost, with its interval" "$(cat exact.out)" 'a handshake: 3000\.0 µs ± 0\.0 \(95 %\), so one core carries 333/s'
    is "the last line is where the profile is" "$(tail -n 1 exact.out)" exact.json
    matches "on the way it says where it is" "$(cat exact.err)" 'warming up: ours, 45 handshakes a second'
    has "and how long it takes" "$(cat exact.err)" "1 kind of handshake at 4 rates, up to 45 a second, 2 rounds: about"

    # Those who take costs take these.
    outside farm.yaml 127.0.0.1:9 none 'farm: {gateways: 1, cores: 1}' 'targets: {failed: 1%}'
    call simulate farm.yaml --costs exact.json --replications 2 --out simulated
    is "simulate takes the profile" "$status" 0
    is "at its cost" "$(of simulated '.runs[0].gateway.cpu_us_per_handshake.total')" 3000 3000.0
    call plan farm.yaml --costs exact.json --replications 3 -o planned -q
    is "so does plan" "$status" 0
    lacks "to which it is no bare TLS gateway" "$(jq -r '.notes // ""' planned/plan.json)" "bare TLS gateway"
fi

# no_line HOW ERE: refused, for that reason, and the points are shown
no_line() {
    local how=$1

    ended "${run[$how]}"
    is "$how: exit status 98" "$status" 98
    matches "$how: it says why" "$(cat "$how.out")" "no line: $2"
    has "$how: and that nothing is written" "$(cat "$how.err")" "what it costs is not known, and nothing is written"
    is "$how: nor is it" "$(cat "$how.json")" old
    is "$how: the points are shown" "$(points "$how.out" | awk '{ printf "%s ", $1 }')" "$up_and_down"
    lacks "$how: there is no cost on the table" "$(cat "$how.out")" "a handshake: "
}
no_line curve 'what a further handshake costs more or less at the highest rate than at the lowest, by a parabola through the points: [0-9.]+ %, above 20 %'
no_line flat '(CPU that does not rise with the handshakes|the slope.s 95 % interval, to either side: [0-9.]+ %, above 10 %)'
no_line coarse 'one step of the CPU clock, of the rise from the lowest rate to the highest: [0-9.]+ %, above 2 %'
no_line failing 'handshakes and logins that failed at [0-9.]+ a second: [0-9.]+ %, above 0\.1 %'
no_line slow 'users who piled up \(how much longer [a-z ,]*\) at [0-9.]+ a second: [0-9.]+ %, above 5 %'
has "failing: such a rate is played once more" "$(cat failing.err)" "once more, since users failed or piled up"

ended "${run[real]}"
is "a real gateway: there is a line, or there is none" "$status" 0 98
is "its rates are a tenth, a quarter, a half, three quarters and all of the fullest second" "$(points real.out | awk '{ printf "%s ", $1 }')" \
    "3.0 7.5 15.0 22.5 30.0 30.0 22.5 15.0 7.5 3.0 "
has "it says whose CPU that is" "$(cat real.out)" "the gateway's CPU is that of process $real_gateway and its children"
if [ "$status" = 0 ]; then
    profile "a handshake costs something, within its interval" real.json '.handshakes[0].loads[0].cpu_us | .low > 0 and .low < .mean and .mean < .high and (.high - .mean) <= 0.1 * .mean'
    profile "what the points miss the line by adds up to nothing" real.json '[.handshakes[0].regression.points[].residual_cores] | add | fabs < 1e-9'
    profile "the host is this one, its TLS library nobody knows" real.json '.host.cpu != null and .host.tls_library == null'
else
    matches "why there is none is said" "$(cat real.out)" 'no line: [a-z]'
    is "and nothing is written" "$(cat real.json)" old
fi
finish
