#!/bin/bash
# What a handshake costs on this host, as a cost profile. A busy machine may leave all of it out: then the status is 98, and says so.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
here=$(realpath "$(dirname "$0")")
cd "$TMP" || exit 1
export XDG_CACHE_HOME=$TMP/cache

# profile SENTENCE FILE JQ-CONDITION
profile() {
    if jq -e "$3" "$2" >/dev/null 2>jq.err; then
        good "$1"
    else
        bad "$1" "$3" "$(jq -c '[.handshakes[] | {certificate, group, version, resumed, loads: [.loads[] | {per_s, core_share, handshakes, verdict}]}]' "$2") $(cat jq.err)"
    fi
}

scenario small.yaml 'certificates: [{name: P, key: ecdsa-p256}]' \
    'populations: [{name: a, share: 50%, tls: {resume: 50%}}, {name: b, share: 50%, tls: {versions: [1.2], groups: [P-256]}}]' \
    'login: {request: {send: 900B, receive: 6kB}}' 'gateway: {tickets: on}'
printf 'version: 3.0.19\n+F4:3:256:30383.6:10506.1\n' >speed.txt

for read in small.yaml speed.txt; do
    cp "$read" kept
    call calibrate small.yaml --quick -o "$read" --openssl-speed speed.txt
    is "a profile does not take the place of what is read ($read)" "$status" 64
    has "which is told ($read)" "$err" "--out: $read is read here, and the profile would take its place: give the profile another name"
    same "and it is as it was ($read)" "$read" kept
done

# Three kinds: full and resumed with X25519 and TLS 1.3, full with P-256 and TLS 1.2.
call calibrate small.yaml --quick -o costs.json --openssl-speed speed.txt
is "a quick calibration ends well, or says that what it saw cannot be trusted" "$status" 0 98
has "it says before how long it takes" "$err" "3 kinds of handshake, 1 round: about"
if [ -f costs.json ]; then
    profile "the profile says what it is" costs.json '.format == "loginstorm-costs" and .version == 1 and .source == "calibrate" and .factor == 1'
    is "and holds to the schema of one" \
        "$(/usr/bin/python3 "$here/schema.py" --strict "$here/../../scenarios/loginstorm-costs.schema.json" costs.json 2>&1)" ""
    has "and with which TLS library" "$("$BIN" --version)" "$(jq -r .host.tls_library costs.json)"
    profile "a row is of a kind that the scenario has" costs.json \
        'all(.handshakes[]; .key == "ecdsa-p256" and
            ([.group, .version, .resumed] | . == ["X25519", "1.3", false] or . == ["X25519", "1.3", true] or . == ["P-256", "1.2", false]))'
    profile "each kind has one row" costs.json '(.handshakes | length) == ([.handshakes[] | [.key, .version, .resumed]] | unique | length)'
    profile "three of them, but for those that are named as left out" costs.json \
        '(.handshakes | length) + (.left_out // "" | [scan("\\([a-z ]+\\)")] | length) == 3'
    profile "the request is that of the scenario" costs.json 'all(.handshakes[]; .request == {send_bytes: 900, receive_bytes: 6000})'
    profile "a load has handshakes, CPU, and no round that is invalid" costs.json \
        'all(.handshakes[].loads[]; .handshakes > 0 and .cpu_us.mean > 0 and .rounds >= 1 and .verdict != "invalid" and .per_s > 0)'
    profile "the loads rise" costs.json 'all(.handshakes[]; [.loads[].core_share] | . == sort)'
    profile "each handshake's TLS CPU is in the spreads" costs.json \
        'all(.handshakes[].loads[]; .hello_us.count == .handshakes and .finish_us.count == .handshakes)'
    profile "a spread is 101 quantiles that rise" costs.json \
        'all(.handshakes[].loads[] | .hello_us, .finish_us, .latency_us.connect, .latency_us.handshake, .latency_us.login; (.points | length) == 101 and .points == (.points | sort))'
    profile "what the parts cost in the mean is within the TLS CPU, and that within the whole" costs.json \
        'all(.handshakes[].loads[]; .hello_us.mean + .finish_us.mean <= .tls_us + 0.001 and .tls_us < .cpu_us.mean)'
    profile "this host'\''s openssl speed is in it" costs.json '.openssl_speed.version == "3.0.19" and .openssl_speed.sign_per_s["ecdsa-p256"] == 30383.6'
    has "the table is on standard output, and where the profile is" "$out" "costs.json"
    matches "with a line for each kind" "$out" 'P, X25519, TLS 1\.3|P, P-256, TLS 1\.2'
fi
if [ "$status" = 98 ]; then
    matches "what is left out is told with its reason" "$out$err" "invalid"
fi

# The place of this host's own profile.
scenario one.yaml 'certificates: [{name: P, key: ecdsa-p256}]'
call calibrate one.yaml --quick -q
is "a profile without a place of its own is this host's" "$status" 0 98
matches "--quiet says where it is, and nothing else" "${out:-$TMP/cache/loginstorm/costs.json}" '^[^[:space:]]*/cache/loginstorm/costs(\.partial)?\.json$'
is "--quiet says nothing on the way" "$(grep -c '^round \|: about' <<<"$err")" 0
if [ "$status" = 0 ]; then
    profile "it lies in the cache" cache/loginstorm/costs.json '.handshakes[0].key == "ecdsa-p256" and .openssl_speed.version == null'
fi
call calibrate one.yaml --quick -o -
if [ -n "$out" ]; then
    is "-o - writes the profile to standard output alone" "$(jq -r .format <<<"$out")" "loginstorm-costs"
    has "and the table to standard error" "$err" "CPU of one handshake"
else
    is "-o - writes nothing where nothing can be trusted" "$status" 98
fi

# Stopped half-way.
launch stopped calibrate one.yaml --rounds 50 -o part.json --openssl-speed speed.txt
patiently grep -q 'round 1 of 50' stopped.err
patiently has_children "$pid" injector-process 1
sleep 6
kill -INT "$pid"
ended "$pid"
is "Ctrl-C: exit status 130" "$status" 130
has "and it says so" "$(cat stopped.err)" "stopped by SIGINT"
patiently nobody_in "$pid"
is "nobody is left of it" "$(members "$pid")" ""
if grep -q 'what was measured until then is kept' stopped.err; then
    profile "what was measured is kept" part.json '.handshakes[0].loads | length >= 1'
fi

# refused STATUS PART ARGUMENT...
refused() {
    local expected=$1 part=$2

    shift 2
    call calibrate "$@"
    is "calibrate $*: exit status $expected" "$status" "$expected"
    has "calibrate $*: says '$part'" "$err" "$part"
}
refused 64 "--rounds: 0 is out of range (1 to 100)" one.yaml --rounds 0
refused 64 "--rounds: 101 is out of range" one.yaml --rounds 101
refused 64 "--injectors: 0 is out of range" one.yaml --injectors 0
echo nothing >nothing.txt
refused 65 "nothing.txt: error: no line of a signature in it" one.yaml --quick -o x.json --openssl-speed nothing.txt
refused 66 "nowhere.txt: No such file or directory" one.yaml --quick -o x.json --openssl-speed nowhere.txt
refused 66 "nowhere.yaml: No such file or directory" nowhere.yaml
refused 73 "nowhere/x.json" one.yaml --quick -o nowhere/x.json
is "what is refused leaves nothing behind" "$(ls x.json nowhere 2>/dev/null)" ""
finish
