#!/bin/bash
# loginstorm check: what a scenario means, and every mistake in it at its place.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

printf 'loginstorm: 1\nusers: 60\ncertificates: [{key: ecdsa-p256}]\n' >least.yaml
call check least.yaml
is "the smallest scenario is valid" "$status$err" 0
for default in 'from: 08:00 ' 'to: 09:00 ' 'shape: normal ' 'placement: random ' 'versions: [1.3] ' 'groups: [X25519, P-256] ' 'key_shares: [X25519] ' \
    'verify: chain ' 'hold: until_end ' 'connect: 5s ' 'handshake: 10s ' 'login: 30s ' 'attempts: 1 ' 'close: fin ' 'target: embedded ' \
    'workers: 1 ' 'backlog: 4096 ' 'speedup: 1 ' 'name: least ' 'key: rsa-2048 '; do
    has "check shows the default ${default% }" "$out" "$default"
done
has "check shows the schedule as a picture" "$out" "# the schedule: 60 users"
has "check says that the seed was drawn" "$out" "the seed was drawn"

scenario small.yaml
call check small.yaml
is "check of a small scenario exits 0" "$status$err" 0
printf '%s\n' "$out" >as-it-runs.yaml
has "the picture tells the fullest minute, of all 60 users" "$out" "fullest minute 08:00 with 60 logins"
is "a given seed is not called drawn" "$(grep -c "seed was drawn" as-it-runs.yaml)" 0
"$BIN" check - <as-it-runs.yaml >again.yaml
is "what check prints is itself a scenario" "$?" 0
same "and means the same" as-it-runs.yaml again.yaml
"$BIN" check - --set name=Other <small.yaml >other.yaml
is "a scenario is read from standard input, too" "$?" 0
has "and changed on the way" "$(cat other.yaml)" "name: Other "

# changed WORDS LINE
changed() {
    # shellcheck disable=SC2086
    call check small.yaml $1
    is "check $1 exits 0" "$status$err" 0
    has "check $1 shows $2" "$out" "$2 "
}
changed "--users 77" "users: 77"
changed "--users 77" "# the schedule: 77"
changed "-u 77" "users: 77"
changed "--seed 99" "seed: 99"
changed "--speedup 12" "speedup: 12"
changed "--set arrivals.shape=normal" "shape: normal"
changed "--set window.to=08:30" "to: 08:30"
changed "--set login.hold=none" "hold: none"
changed "--set login.request.receive=6kB" "receive: 6kB"
changed "--set users=5 --set users=6" "users: 6"
changed "--set certificates.1.key=rsa-2048" "key: rsa-2048"
call check small.yaml --seed 1
one=$out
call check small.yaml --seed 1
is "the same seed, the same text" "$out" "$one"

cat >five.yaml <<'YAML'
loginstorm: 1
name: Five mistakes
usrs: 60
users: 60
window: {from: 08:00, to: 25:00}
arrivals:
  shape: gaussian
populations:
  - name: office
    connections: 0
certificates:
  - {name: RSA, key: rsa-1024}
YAML
call check five.yaml
is "a scenario with five mistakes exits 65" "$status" 65
is "and prints five errors" "$(wc -l <"$TMP/err")" 5
is "nothing of it goes to standard output" "$out" ""
is "each with its line and column, in the file's order" "$(sed -n 's/^\(five.yaml:[0-9]*:[0-9]*\): error: .*/\1/p' "$TMP/err" | tr '\n' ' ')" \
    "five.yaml:3:1 five.yaml:5:27 five.yaml:7:10 five.yaml:10:18 five.yaml:12:22 "
mapfile -t lines <"$TMP/err"
matches "the unknown key, with the one that was meant" "${lines[0]}" 'usrs.*users'
matches "the time of day" "${lines[1]}" 'window\.to.*25:00'
matches "the shape, with those that there are" "${lines[2]}" 'arrivals.*gaussian.*normal'
matches "the number" "${lines[3]}" 'connections: 0'
matches "the key" "${lines[4]}" 'rsa-1024.*rsa-2048'
five=$(cat "$TMP/err")
call run five.yaml --out never
is "run refuses it with the same errors" "$status $err" "65 $five"
is "and makes no folder" "$(ls -d never 2>/dev/null)" ""

# mistaken SENTENCE TEXT PLACE PART
mistaken() {
    printf '%b' "$2" >mistaken.yaml
    call check mistaken.yaml
    is "$1: exit status 65" "$status" 65
    matches "$1: at its place" "$err" "^mistaken.yaml:$3: error: "
    has "$1: in words" "$err" "$4"
}
mistaken "YAML that is none" 'loginstorm: 1\nusers: [60\n' '[0-9]+:[0-9]+' ''
mistaken "a key twice" 'loginstorm: 1\nusers: 60\nusers: 61\ncertificates: [{key: rsa-2048}]\n' '3:1' 'users'
mistaken "no certificate" 'loginstorm: 1\nusers: 60\n' '[0-9]+:[0-9]+' 'certificates'
mistaken "another format's version" 'loginstorm: 2\nusers: 60\ncertificates: [{key: rsa-2048}]\n' '1:13' '2'
mistaken "an empty file" '' '[0-9]+:[0-9]+' ''
head -c 3000 /dev/urandom | base64 -w 0 >noise.yaml
call check noise.yaml
is "noise is refused" "$status" 65
mistaken "tickets that nobody gives" 'loginstorm: 1\nusers: 60\npopulations: [{name: all, tls: {resume: 50%}}]\ncertificates: [{key: rsa-2048}]\n' \
    '3:41' 'populations.0.tls.resume: the embedded gateway gives out no session tickets to resume with; write tickets: on under gateway'

for scenario in outside files; do
    case $scenario in
    outside) refusal=65 && place=outside.yaml && scenario outside.yaml 'gateway: {target: "192.0.2.1:443", allow: {addresses: [192.0.2.2], authorised_by: "J. Doe", until: 2099-12-31, max_connections_per_s: 10}}' ;;
    files) refusal=66 && place='files.yaml:8:36' && scenario files.yaml 'certificates: [{name: ours, chain: a.pem, private_key: a.key}]' ;;
    esac
    call check "$scenario.yaml"
    is "check $scenario.yaml: shows it and ends as run would" "$status" "$refusal"
    matches "check $scenario.yaml: says at its place why run would refuse it" "$err" "^$place: error: \`loginstorm run\` would refuse it: "
    has "check $scenario.yaml: all the same it is shown" "$out" "users: 60 "
    call run "$scenario.yaml" --out never
    is "run $scenario.yaml is refused" "$status" "$refusal"
    is "before anything is made of it" "$(ls -d never 2>/dev/null)" ""
done

# The schema for editors.
schema=$(dirname "$0")/../../scenarios/loginstorm.schema.json
if [ -f "$schema" ]; then
    is "the schema is valid JSON" "$(jq -r type "$schema")" object
    is "the schema knows every top key that check shows" \
        "$("$BIN" check least.yaml | sed -n 's/^\([a-z]*\):.*/\1/p' | jq -R -r --slurpfile s "$schema" 'select(($s[0].properties // {}) | has(.) | not)')" ""
    is "every scenario that comes with the program is valid" \
        "$(for file in "$(dirname "$schema")"/*.yaml; do "$BIN" check "$file" >/dev/null || echo "$file"; done 2>&1)" ""
fi

# What it takes of who storms: by this host's cost profile where it has one, else by an assumption that is told as one.
export XDG_CACHE_HOME=$TMP/cache
scenario many.yaml 'arrivals: {shape: burst, at: "08:00", over: 0s}' 'certificates: [{key: ecdsa-p256}]' 'pace: {speedup: 1}' 'gateway: {target: "127.0.0.1:1"}' 'login: {hold: none}'
takes() { printf '%s\n' "$out" | sed -n 's/^# \(it takes .*\|and [0-9]* source.*\)/\1/p'; }
call check many.yaml --users 4000
has "4,000 at once are 1.2 injectors" "$(takes)" "it takes 2 injectors: 4,000 handshakes in the fullest second (whenever it begins), at 240 µs of CPU each (assumed, of a core of a server; \`loginstorm calibrate\` measures it), and one may take 80 % of a core"
has "who come from one address" "$(takes)" "and 1 source address: 4,000 ports at once, should every login last as long as its time-outs allow, with those of connections closed less than"
is "it is a comment" "$(printf '%s\n' "$out" | "$BIN" check - >/dev/null 2>&1; echo $?)" 0
call check many.yaml --users 30001
has "30,001 come from four" "$(takes)" "and 4 source addresses, which loopback has: 30,001 ports at once"
call check many.yaml --users 30001 --set populations.0.connections=2
has "a login of two connections takes two of everything" "$(takes)" "60,002 handshakes in the fullest second"
call check many.yaml --users 4000 --set arrivals.over=60s --speedup 60
has "a pace makes a minute a second" "$(takes)" "it takes 2 injectors: 4,000 handshakes in the fullest second at 60 times its pace (whenever it begins)"
call check many.yaml --users 100 --set certificates.0.key=rsa-4096
has "each kind of key has its own" "$(takes)" "it takes 1 injector: 100 handshakes in the fullest second (whenever it begins), at 410 µs"
call check many.yaml --users 100 --set 'populations.0.tls={groups: [X25519MLKEM768], key_shares: [X25519MLKEM768]}'
has "a post-quantum key share comes beside it" "$(takes)" "at 330 µs"
if [ "$(id -u)" = 0 ]; then
    skip "a limit of open files, which does not bind root"
else
    (ulimit -n 1064; "$BIN" check many.yaml --users 4000 --set certificates.0.key=ed25519) >"$TMP/out"
    has "who may have 1,000 files open" "$(cat "$TMP/out")" "it takes 4 injectors: 4,000 connections open at once, and one may have 1,000 (\`ulimit -n\`)"
fi
# What run refuses for want of descriptors check refuses, too. Root may raise a hard limit; that right is taken away.
without=()
[ "$(id -u)" -ne 0 ] || without=(setpriv --inh-caps=-sys_resource --bounding-set=-sys_resource)
for command in check run; do
    (ulimit -n 64 && exec "${without[@]}" "$BIN" "$command" small.yaml --users 300) >"$TMP/out" 2>"$TMP/err"
    is "$command of 300 users by 64 descriptors: refused" "$?" 70
    has "$command: which limit, and what to do" "$(cat "$TMP/err")" "the limit of open files is 64 and may not be raised: run \`ulimit -n 364\`"
done
# A name that nobody asks for is not shown.
call check many.yaml
lacks "an outside gateway is not asked for our own name" "$out" "gateway.loginstorm.test"
has "but for its host" "$out" "# server_name: left out, users ask for the target's host, and for no name where that is an address"
call check many.yaml --set populations.0.tls.server_name=gw.example
has "or for what is said" "$out" "server_name: gw.example"
call check small.yaml
has "the embedded one is" "$out" "server_name: gateway.loginstorm.test"
call run many.yaml --users 4000 --out no
has "run says what it does not have, before it begins" "$err" "loginstorm: note: it takes 2 injectors and has 1 ("
call run many.yaml --users 4000 --out no --injectors 2
lacks "and nothing when it has it" "$err" "loginstorm: note: it takes"
call run small.yaml --out measured
mkdir -p "$XDG_CACHE_HOME/loginstorm"
jq '(.runs[] | .validity.verdict, .injector.cpu_us_per_handshake) |= {"number": 500, "string": "valid"}[type]' measured/result.json >"$XDG_CACHE_HOME/loginstorm/costs.json"
call check many.yaml --users 4000
has "where this host was measured it goes by that" "$(takes)" "it takes 3 injectors: 4,000 handshakes in the fullest second (whenever it begins), at 500 µs of CPU each (this host's cost profile)"

finish
