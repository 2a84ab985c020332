#!/bin/bash
# What goes wrong in the middle: processes that die, signals, limits, folders and disks. What was measured stays, marked, and no process does.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# 600 users in a minute that lasts for a minute: long enough to be interrupted, held until the end so that the sessions can be counted.
scenario long.yaml 'users: 600' 'pace: {speedup: 1}' 'certificates: [{name: first, key: ecdsa-p256}, {name: second, key: ecdsa-p256}]'

# partial NAME WHY: its result is there, marked, and accounts for every user
partial() {
    is "$1: result.json is marked as partial" "$(of "$1" .partial)" true
    is "$1: the certificate's run, too, with why" "$(of "$1" '.runs[-1] | "\(.partial) \(.partial_why)"')" "true $2"
    is "$1: users = logged in + failed + cut off" "$(of "$1" '.runs[-1].logins | .total == .logged_in + .failed + .cut_off and .total == 600')" true
    is "$1: a row a user" "$(column "$1/samples.csv" user first | sort -n | tr '\n' ' ')" "$(seq -s ' ' 0 599) "
    is "$1: the rows have the same counts" "$(column "$1/samples.csv" outcome first | sort | uniq -c | awk '{ print $2 "=" $1 }' | tr '\n' ' ')" \
        "$(of "$1" '.runs[-1].logins | {cut_off, failed, logged_in} | to_entries | map(select(.value > 0) | "\(.key)=\(.value) ") | add')"
    holds "$1: who had come in before is logged in" "$(of "$1" '.runs[-1].logins.logged_in') >= 20"
    is "$1: what can be trusted of it is said" "$(of "$1" '.runs[-1].validity.verdict')" suspect invalid
    is "$1: no half-written file is left" "$(cd "$1" && echo *)" "handshakes.csv report.html result.json samples.csv scenario.yaml timeline.csv"
    call report "$1"
    is "$1: report shows it, and its exit status says that something is missing" "$status" 75
    has "$1: and that it is partial" "$out" "PARTIAL RESULT: first ended early ($2)"
}

# gone NAME: nothing of the run's process group is alive
gone() {
    if patiently nobody_in "$pid"; then
        good "$1: no process is left behind"
    else
        bad "$1: no process is left behind" "nothing" "$(members "$pid" | tr '\n' ' ')"
    fi
}

# The gateway is killed.
launch gateway run long.yaml --out gateway
under_way "$pid" 30
is "gateway killed: it is a child of the run, found by its name" "$(children "$pid" gateway-process)" "$gateway"
call run long.yaml --users 5 --out gateway
is "a folder that a run writes into is refused to another one: exit status 73" "$status" 73
has "a folder that a run writes into: said so" "$err" "another run is writing into gateway"
kill -KILL "$gateway"
ended "$pid"
is "gateway killed: exit status 69" "$status" 69
has "gateway killed: a message that says so" "$(cat gateway.err)" "the gateway died (signal 9)"
partial gateway "the gateway died (signal 9)"
is "gateway killed: nothing is known of its CPU's parts" "$(of gateway '.runs[-1].gateway | "\(.tls_us_per_handshake) \(.wasted_handshakes)"')" "null null"
is "gateway killed: the second certificate was not begun" "$(of gateway '.runs | length')" 1
has "gateway killed: and the result says whose run is not there" "$(of gateway '.notes[]')" "of these certificates none was: second"
gone "gateway killed"

# A run that ends before anybody was decided has nothing to show: what lay in its folder stays.
scenario late.yaml 'users: 30' 'arrivals: {shape: burst, at: "08:00:55", over: 2s}' 'pace: {speedup: 1}' 'certificates: [{name: first, key: ecdsa-p256}]'
call run late.yaml --speedup 60 --out kept -q
is "an earlier run into the folder" "$(of kept '.runs[0].logins.logged_in')" 30
cp kept/result.json before.json
launch empty run late.yaml --out kept
# shellcheck disable=SC2317
injecting() { [ -n "$(children "$pid" injector-process)" ]; }
patiently injecting || bad "empty: an injector is there" "one" "none"
sleep 0.5
kill -INT "$pid"
ended "$pid"
is "stopped before anybody was decided: exit status 130" "$status" 130
has "stopped before anybody was decided: said so" "$(cat empty.err)" "nothing was measured"
is "stopped before anybody was decided: the earlier result stays, to the byte" "$(cmp kept/result.json before.json && echo same)" same

# One injector of two is killed, early in a storm that is long enough to find it in on a slow machine; the other comes to its end. It is
# held still first, so that what it had done when it was found is what it has done when it is killed.
scenario short.yaml 'users: 120' 'pace: {speedup: 5}' 'certificates: [{name: first, key: ecdsa-p256}]'
launch injector run short.yaml --out injector --injectors 2
under_way "$pid" 30
killed=$(children "$pid" injector-process | tail -n 1)
kill -STOP "$killed"
holds "injector killed: found in the middle of the storm" "$(find "/proc/$killed/fd" -lname 'socket:*' | wc -l) < 60"
kill -KILL "$killed"
ended "$pid"
is "injector killed: exit status 75" "$status" 75
has "injector killed: a message that says so" "$(cat injector.err)" "an injector died (signal 9)"
is "injector killed: marked as partial" "$(of injector '"\(.partial) \(.runs[0].partial_why)"')" "true an injector died (signal 9)"
is "injector killed: users = logged in + failed + cut off" "$(of injector '.runs[0].logins | .total == .logged_in + .failed + .cut_off and .total == 120')" true
is "injector killed: a row a user" "$(rows injector/samples.csv)" 120
for shard in 0 1; do
    awk -F, -v s="$shard" 'NR > 1 && $2 % 2 == s { print $10 }' injector/samples.csv | sort | uniq -c | awk '{ print $2 "=" $1 }' | tr '\n' ' ' >"shard$shard"
done
is "injector killed: all of one shard's users are logged in" "$(grep -c -x 'logged_in=60 ' shard0 shard1 | awk -F: '{ s += $2 } END { print s }')" 1
is "injector killed: the other's are logged in until then, and never sent from then on" \
    "$(grep -c -x -E '(cut_off=[0-9]+ )?failed=[0-9]+ logged_in=[0-9]+ ' shard0 shard1 | awk -F: '{ s += $2 } END { print s }')" 1
is "injector killed: no other reason" "$(of injector '.runs[0].logins | .by_reason.never_sent == .failed')" true
is "injector killed: so the measurement is invalid, and that is said first" "$(of injector '.runs[0].validity | "\(.verdict) \(.reasons[0] | .[0:25])"')" \
    "invalid logins due but never sent"
gone "injector killed"

# Signals: to the whole group, as a terminal sends SIGINT, and to the conductor alone.
for how in "INT group 130" "INT alone 130" "TERM alone 143" "TERM group 143"; do
    read -r signal to expected <<<"$how"
    name="SIG$signal-$to"
    launch "$name" run long.yaml --out "$name"
    under_way "$pid" 30
    kill "-$signal" -- "$([ "$to" = group ] && echo "-$pid" || echo "$pid")"
    ended "$pid"
    is "$name: exit status $expected" "$status" "$expected"
    has "$name: it says that it stops early" "$(cat "$name.err")" "stopping early; what was measured is kept"
    partial "$name" "SIG$signal"
    holds "$name: who was not yet in is cut off" "$(of "$name" '.runs[-1].logins.cut_off') > 0"
    is "$name: nobody failed by it" "$(of "$name" '.runs[-1].logins | .failed - (.by_reason.never_sent // 0)')" 0
    is "$name: the gateway's CPU is known all the same" "$(of "$name" '.runs[-1].gateway | .tls_us_per_handshake > 0 and .cpu_us_per_handshake.total > 0')" true
    gone "$name"
done

# One is enough even when a process stands still, as one does that somebody stopped.
for who in gateway injector; do
    name="$who-stopped"
    launch "$name" run long.yaml --out "$name"
    under_way "$pid" 30
    kill -STOP "$(children "$pid" "$who-process")"
    kill -INT "$pid"
    ended "$pid"
    is "$name: SIGINT, exit status 130" "$status" 130
    partial "$name" SIGINT
    gone "$name"
done

# A second one quits at once, even when the gateway does not answer any more.
launch twice run long.yaml --out twice
under_way "$pid" 30
kill -STOP "$gateway"
kill -INT "$pid"
patiently grep -q "stopping early" twice.err
kill -INT "$pid"
ended "$pid"
is "a second SIGINT: exit status 130" "$status" 130
gone "a second SIGINT"

# Nor does a process that stands still outlive its conductor.
launch orphans run long.yaml --out orphans
under_way "$pid" 30
kill -STOP "$gateway" "$(children "$pid" injector-process)"
kill -KILL "$pid"
ended "$pid"
gone "conductor killed, its children stopped"

# The conductor is killed: its children end by themselves.
launch conductor run long.yaml --out conductor
under_way "$pid" 30
is "conductor killed: it had two children" "$({ children "$pid" gateway-process; children "$pid" injector-process; } | wc -l)" 2
kill -KILL "$pid"
ended "$pid"
is "conductor killed: that is what the shell sees" "$status" 137
gone "conductor killed"
is "conductor killed: no half-written result" "$(ls conductor)" ""

# The limit of open files.
scenario many.yaml 'users: 400' 'pace: {speedup: 60}' 'certificates: [{key: ecdsa-p256}]'
# Root may raise a hard limit; that right is taken away.
without=()
[ "$(id -u)" -ne 0 ] || without=(setpriv --inh-caps=-sys_resource --bounding-set=-sys_resource)
for limit in 64 256; do
    (ulimit -n "$limit" && exec "${without[@]}" "$BIN" run many.yaml --out "limit$limit" --quiet) >out 2>err
    status=$?
    is "ulimit -n $limit with 400 users: refused" "$status" 70
    matches "ulimit -n $limit: says which limit, and what to do" "$(cat err)" "limit of open files is .* and may not be raised: run .ulimit -n 464"
    is "ulimit -n $limit: no result that could be taken for one" "$(ls "limit$limit/result.json" 2>/dev/null)" ""
    (ulimit -S -n "$limit" && exec "$BIN" run many.yaml --out "soft$limit" --quiet) >out 2>err
    status=$?
    is "a soft limit of $limit is raised" "$status" 0 98
    is "and all 400 are logged in" "$(of "soft$limit" '.runs[0].logins | "\(.logged_in) \(.cut_off) \(.by_reason)"')" "400 0 {}"
done

# A folder that cannot be made is refused before a process is started or a key is made.
scenario small.yaml
echo "a file" >file
for folder in file file/below/it /proc/nowhere; do
    call run small.yaml --out "$folder"
    is "--out $folder: exit status 73" "$status" 73
    matches "--out $folder: says where" "$err" "cannot create .*${folder%%/below*}"
    is "--out $folder: before anything else is said or done" "$out$(wc -l <"$TMP/err")" 1
done
is "the file in the way is as it was" "$(cat file)" "a file"

# An older result survives a run that comes to nothing, and gives way to one that comes to something.
scenario quick.yaml 'pace: {speedup: 300}' 'certificates: [{key: ecdsa-p256}]'
call run quick.yaml --out kept --users 5
(cd kept && md5sum -- *) >before
scenario bad.yaml 'users: none'
call run bad.yaml --out kept
is "a bad scenario: exit status 65" "$status" 65
is "and the older result is as it was" "$(cd kept && md5sum -- *)" "$(cat before)"
(ulimit -n 64 && exec "${without[@]}" "$BIN" run many.yaml --out kept --quiet) >out 2>err
is "so is it when the gateway cannot start" "$? $(cd kept && md5sum -- *)" "70 $(cat before)"
call run quick.yaml --out kept --injectors 999
is "so is it after wrong usage" "$status $(cd kept && md5sum -- *)" "64 $(cat before)"
call run quick.yaml --out kept --users 7
is "a good run takes its place" "$status" 0 98
is "in every file" "$(rows kept/samples.csv) $(rows kept/handshakes.csv) $(of kept '.runs[0].logins.total') $(of kept .scenario.users)" "7 7 7 7"

# The limit of a file's size (`ulimit -f`, in KiB), which binds what processes share, too.
scenario modelled.yaml 'users: 400' 'farm: {gateways: 2, cores: 2, costs: {fixed: 2ms}}' 'certificates: [{key: ecdsa-p256}]'
while IFS=';' read -r kib expected what says command; do
    # shellcheck disable=SC2086
    (ulimit -f "$kib" && exec "$BIN" $command) >long 2>err
    status=$?
    is "ulimit -f of $what: exit status $expected" "$status" "$expected"
    matches "ulimit -f of $what: said" "$(cat err)" "$says: File too large"
done <<'END'
16;70;shared memory;bytes to share with a process;run many.yaml --out sized --quiet
1;74;standard output;cannot (be written|write).*;check many.yaml
1;74;a file;cannot write sized-model/scenario.yaml;simulate modelled.yaml --out sized-model --quiet
END

# A full disk.
mkdir disk
if unshare --mount true 2>/dev/null; then
    # full SIZE OUT: runs in a file system of that size, and lists what is there afterwards
    full() {
        # shellcheck disable=SC2016
        unshare --mount sh -c 'mount -t tmpfs -o size="$1" none disk || exit 99; "$2" run "$3" --out disk/o --quiet >out 2>err; echo $?; ls disk/o; cat disk/o/result.json >result.json' \
            sh "$1" "$BIN" "$2" 2>/dev/null
    }
    # The samples alone have 160 kB; the rest (more rows of the timeline when the machine is slow, fewer the lower the pace) 30 to 70.
    scenario wide.yaml 'users: 2000' 'pace: {speedup: 10}' 'certificates: [{name: first, key: ecdsa-p256}]'
    full 128k wide.yaml >seen
    if [ "$(head -n 1 seen)" = 99 ] || [ ! -s seen ]; then
        skip "a full disk: no file system may be mounted here"
    else
        is "a full disk: exit status 74" "$(head -n 1 seen)" 74
        matches "a full disk: says which file, and why" "$(cat err)" "disk/o/samples.csv: error: cannot write the samples: No space left on device"
        is "a full disk: no half-written file is left" "$(sed 1d seen | tr '\n' ' ')" "result.json scenario.yaml "
        is "a full disk: the figures are there, marked as partial" "$(jq -r '"\(.partial) \(.runs[0].logins.total)"' result.json)" "true 2000"
        # The first certificate leaves 180 to 240 kB; with the second's rows beside them it would be 430 to 490.
        scenario wider.yaml 'users: 1000' 'pace: {speedup: 20}' 'certificates: [{name: first, key: ecdsa-p256}, {name: second, key: ecdsa-p256}]'
        full 340k wider.yaml >seen
        is "a disk that is full at the second certificate: exit status 74" "$(head -n 1 seen)" 74
        is "the first one's result stays, marked" "$(jq -r '"\(.partial) \(.runs[0].certificate) \(.runs[0].logins.total)"' result.json)" "true first 1000"
    fi
else
    skip "a full disk: no file system may be mounted here"
fi
finish
