#!/bin/bash
# One storm from all processes of an mpirun, all on this machine, over loopback.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
mpi=${LOGINSTORM_MPI:-$(dirname "$BIN")/loginstorm-mpi}
if ! command -v mpirun >/dev/null; then
    skip "Open MPI is not installed (tools/setup mpi)"
    good "nothing of it is asked of who has no Open MPI"
    finish
fi
if [ ! -x "$mpi" ]; then
    skip "loginstorm-mpi is not built here: Open MPI was not there when the build was configured"
    good "loginstorm is built without it"
    finish
fi
cd "$TMP" || exit 1
clock=${OTHER_CLOCK:-$(dirname "$BIN")/tests/libother_clock.so}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# storms NAME ARGUMENT...: mpirun, its exit status in $status, what it and the ranks said in $err
storms() {
    local name=$1

    shift
    setsid mpirun --oversubscribe --mca btl self,vader,tcp --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo "$@" >"$name.out" 2>"$name.err" </dev/null &
    pid=$!
    started+=("$pid")
}
# stormed NAME: until it ends
stormed() {
    ended "$pid"
    err=$(cat "$1.err")
}
# rank_of NUMBER NAME: the process of that rank of the storm NAME, as $rank
# shellcheck disable=SC2317
rank_of() {
    local folder

    for folder in /proc/[0-9]*; do
        if [ "$(readlink "$folder/exe")" = "$(realpath "$mpi")" ] && tr '\0' '\n' <"$folder/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$1" &&
            tr '\0' '\n' <"$folder/cmdline" | grep -qx "$2"; then
            rank=${folder#/proc/}
            return 0
        fi
    done 2>/dev/null
    return 1
}
# who FOLDER: which users were due when, of which kind
who() { tail -n +2 "$1/samples.csv" | cut -d, -f1-4 | sort -t, -k2,2n; }

is "its version is loginstorm's" "$("$mpi" --version)" "loginstorm-mpi $("$BIN" --version | sed 's/^loginstorm \([^,]*\),.*/\1/')"
known=$("$BIN" run --help; "$BIN" merge --help)
for option in $("$mpi" --help | grep -o '^ *\(-., \)\?--[a-z-]*' | grep -o '\--[a-z-]*' | grep -vxE -- '--(patience|program|status|version)'); do
    has "its $option is known to who gets it" "$known" " $option"
done
is "loginstorm itself knows nothing of MPI" "$(ldd "$BIN" | grep -c libmpi)" 0

launch gateway gateway --listen 127.0.0.1:0 --name gw.example --trust ca.pem
patiently grep -q 127.0.0.1: gateway.out || bad "a gateway listens" "an address" "$(cat gateway.out gateway.err)"
port=$(grep -om 1 '127.0.0.1:[0-9]*' gateway.out)
# A CA's file beside it goes along.
scenario storm.yaml "gateway: {target: \"$port\", trust: ca.pem}" \
    'arrivals: {shape: uniform, placement: random}' \
    'populations: [{name: office, share: 50%, tls: {server_name: gw.example}}, {name: home, share: 50%, connections: 2, tls: {server_name: gw.example}}]' \
    'login: {hold: none, timeouts: {connect: 9s, handshake: 9s, login: 9s}}' \
    'certificates: [{name: One, key: ecdsa-p256}]'
call run storm.yaml --out whole
is "one process plays it well, or only noise disturbs it" "$status" 0 98

for ranks in 4 20; do
    storms "r$ranks" -n "$ranks" "$mpi" storm.yaml --out "r$ranks" --status "r$ranks.status"
    stormed "r$ranks"
    is "$ranks ranks: it ends well, or only noise disturbs it" "$status" 0 98
    is "$ranks ranks: that is in the file of --status, too" "$(cat "r$ranks.status")" "$status"
    who whole >whole.who
    who "r$ranks" >merged.who
    same "$ranks ranks play exactly the users of one process, at the same moments" merged.who whole.who
    is "$ranks ranks: users are conserved" "$(of "r$ranks" '.runs[0].logins | [.total, .logged_in + .failed + .cut_off] | @csv')" "60,60"
    is "$ranks ranks: all are there" "$(of "r$ranks" '.shards | [length, (map(select(.missing)) | length)] | @csv')" "$ranks,0"
    is "$ranks ranks: it is whole" "$(of "r$ranks" .partial)" false
    # What the shards themselves wrote is what was merged.
    for permille in 500 990 1000; do
        quantile=$(of "r$ranks" ".runs[0].latency_us.login.p$((permille / 10))" | ns)
        recomputed=$(tail -qn +2 "r$ranks"/shard-*/samples.csv | awk -F, '$10 == "logged_in" { printf "%.0f\n", $8 - $4 }' | rank "$permille")
        is "$ranks ranks: the quantile of $permille in 1000 is that of all shards' rows" "$quantile" "$recomputed"
    done
    is "$ranks ranks: each clock was compared with the first, to an error that is told" \
        "$(of "r$ranks" '[.shards[] | (.clock_ahead_us // .clock_behind_us) != null and .clock_error_us >= 0 and .start_skew_us != null and .start_lag_p99_us >= 0] | all')" true
    is "$ranks ranks: the start was one" "$(of "r$ranks" '.runs[0].shard.start_at | type')" string
    is "$ranks ranks: nothing that helped is left" "$(find "r$ranks" -name '.*')" ""
done

# What the first rank cannot read, or no shard can do, is told once and started nowhere.
scenario embedded.yaml
storms refused -n 3 "$mpi" embedded.yaml --out never
stormed refused
is "a gateway for each rank: refused" "$status" 65
has "in words" "$err" "each of 3 shards would storm a gateway of its own"
storms closed -n 3 "$mpi" storm.yaml --set gateway.target=127.0.0.1:1 --out never
stormed closed
is "nobody listens: not started" "$status" 69
has "by whom that was found" "$err" "shard 3 of 3 ("
is "without a folder" "$(ls -d never 2>/dev/null)" ""

storms again -n 4 "$mpi" storm.yaml --out r4
stormed again
is "a folder with an earlier storm's shards: not started" "$status" 73
has "for they would pass for this one's" "$err" "r4/shard-1-of-4 holds what an earlier storm left: give --out another folder, or remove that one"

# A rank that dies, though mpirun is told to bear it.
storms killed --enable-recovery -n 4 "$mpi" storm.yaml --speedup 6 --patience 30 --out killed --status killed.status
# shellcheck disable=SC2317
told() { grep -q 'ready; One starts at ' killed.err; }
patiently told || bad "the first rank says when it starts" "ready; One starts at" "$(cat killed.err)"
patiently rank_of 2 killed || bad "there is a rank 2" "a process" none
kill -KILL "$rank"
stormed killed
is "a rank that died: the storm's exit status is that of a missing shard" "$(cat killed.status)" 75
has "which is told, since mpirun does not pass it on" "$err" "this is exit status 75, which mpirun --enable-recovery does not pass on"
matches "the shard is named" "$err" 'shard 3 of 4 \([^)]+\): error: it is missing'
is "in the result, too" "$(of killed '[.partial, (.shards | map(.missing))] | tojson')" '[true,[false,false,true,false]]'
is "what the survivors measured counts" "$(of killed '.runs[0].logins | [.logged_in >= 1, .total, .logged_in + .failed + .cut_off] | tojson')" '[true,60,60]'
is "whose users ended are those of three" "$(of killed '.runs[0].logins | .cut_off')" 15

# A rank whose clock is another is told, and starts with the others.
args=("$mpi" storm.yaml --out clock)
storms clock -n 1 "${args[@]}" : -n 1 env LD_PRELOAD="$clock" OTHER_CLOCK_S=3 "${args[@]}" : -n 1 env LD_PRELOAD="$clock" OTHER_CLOCK_S=-3600 "${args[@]}"
stormed clock
is "clocks that are off: it ends well, or only noise disturbs it" "$status" 0 98
matches "who is ahead is told" "$err" 'shard 2 of 3 \([^)]+\): warning: its clock is 3.[0-9]{3} s ahead of|shard 2 of 3 \([^)]+\): warning: its clock is 2.9[0-9]{2} s ahead of'
matches "who is behind, too" "$err" 'shard 3 of 3 \([^)]+\): warning: its clock is 3(600|599).[0-9]{3} s behind'
is "how far stands in the result, to within its own error" \
    "$(of clock '.shards | [.[1].clock_ahead_us - 3e6 - .[1].clock_error_us <= 0, 3e6 - .[1].clock_ahead_us - .[1].clock_error_us <= 0, .[2].clock_behind_us - 3600e6 - .[2].clock_error_us <= 0] | tojson')" \
    '[true,true,true]'
is "all were to start at one moment of the first one's clock" "$(jq -r '.runs[0].shard.start_at' clock/shard-*/result.json | sort -u | wc -l)" 1
is "and their skew is by that" "$(of clock '.runs[0].validity.start_skew_us < 2.9e6')" true

# A rank that hears of its start too late.
cat >slow <<END
#!/bin/sh
case " \$* " in
*" --shard 2/3 "*) { read -r line; sleep 8; echo "\$line"; } | "$BIN" "\$@" ;;
*) exec "$BIN" "\$@" ;;
esac
END
chmod +x slow
storms late -n 3 "$mpi" storm.yaml --program "$PWD/slow" --out late
stormed late
is "who is told too late is missing, not quietly late" "$status" 75
has "and why is told" "$err" "is past, by "
is "the result says so" "$(of late '.shards | map(.missing) | tojson')" '[false,true,false]'
finish
