# shellcheck shell=bash disable=SC2034
# For the tests of the command line: checks that print a sentence each and count, and ways to start and to look at a run.
# A test sources it with the program's path as $1, and ends with `finish`.
set -u
export LC_ALL=C.UTF-8
unset COLUMNS NO_COLOR
BIN=$(realpath "$1")
TMP=$(mktemp -d "${TMPDIR:-/tmp}/loginstorm-test.XXXXXX")
passed=0
failed=0
status=0
started=() # what this test has in the background, so that nothing outlives it

clean() {
    local pid

    for pid in "${started[@]}"; do
        kill -CONT -- "-$pid" 2>/dev/null
        kill -KILL -- "-$pid" 2>/dev/null
    done
    rm -rf "$TMP"
}
trap clean EXIT

good() {
    passed=$((passed + 1))
    printf 'ok %s\n' "$1"
}

# bad SENTENCE EXPECTED GOT
bad() {
    failed=$((failed + 1))
    printf 'not ok %s\n    expected: %s\n    got:      %s\n' "$1" "$2" "$3"
}

skip() { printf 'skipped: %s\n' "$1"; }

# is SENTENCE GOT EXPECTED...: one of them
is() {
    local sentence=$1 got=$2 one

    shift 2
    for one in "$@"; do
        if [ "$got" = "$one" ]; then
            good "$sentence"
            return
        fi
    done
    bad "$sentence" "$*" "$got"
}

# has SENTENCE TEXT PART: the part as it is written
has() {
    case $2 in
    *"$3"*) good "$1" ;;
    *) bad "$1" "with: $3" "$2" ;;
    esac
}

# lacks SENTENCE TEXT PART
lacks() {
    case $2 in
    *"$3"*) bad "$1" "without: $3" "$2" ;;
    *) good "$1" ;;
    esac
}

# matches SENTENCE TEXT ERE
matches() {
    if [[ $2 =~ $3 ]]; then
        good "$1"
    else
        bad "$1" "like: $3" "$2"
    fi
}

# holds SENTENCE CONDITION: arithmetic over whole numbers
holds() {
    if (($2)); then
        good "$1"
    else
        bad "$1" "$2" "false"
    fi
}

# between SENTENCE GOT LOW HIGH: any numbers
between() {
    if awk -v got="$2" -v low="$3" -v high="$4" 'BEGIN { exit !(got != "" && got + 0 >= low + 0 && got + 0 <= high + 0) }'; then
        good "$1"
    else
        bad "$1" "$3 to $4" "$2"
    fi
}

# same SENTENCE FILE FILE: byte for byte
same() {
    local seen

    if seen=$(cmp "$2" "$3" 2>&1); then
        good "$1"
    else
        bad "$1" "the same bytes" "$seen"
    fi
}

# call ARGUMENT...: the program's exit status in $status, what it said in $out and $err
call() {
    "$BIN" "$@" >"$TMP/out" 2>"$TMP/err"
    status=$?
    out=$(cat "$TMP/out")
    err=$(cat "$TMP/err")
}

# launch NAME ARGUMENT...: in the background, in a process group of its own; $pid, and $TMP/NAME.out and .err
launch() {
    local name=$1

    shift
    setsid "$BIN" "$@" >"$TMP/$name.out" 2>"$TMP/$name.err" &
    pid=$!
    started+=("$pid")
}

# ended PID: waits for it; its exit status in $status
ended() {
    wait "$1" 2>/dev/null
    status=$?
}

# patiently COMMAND...: until it succeeds; gives up after a time that no sane machine needs
patiently() {
    local tries

    for ((tries = 0; tries < 2400; tries++)); do
        if "$@" >/dev/null 2>&1; then
            return 0
        fi
        sleep 0.05
    done
    return 1
}

# stat_of PID: "state ppid pgrp", nothing when it is gone
stat_of() {
    local line

    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 0
    line=${line##*) }
    # shellcheck disable=SC2086
    set -- $line
    printf '%s %s %s\n' "$1" "$2" "$3"
}

# children PID WORD: its child processes whose first argument is WORD (gateway-process, injector-process), oldest first
children() {
    local folder line words

    # Without a process for each: a storm goes on while this looks.
    for folder in /proc/[0-9]*; do
        { read -r line <"$folder/stat"; } 2>/dev/null || continue
        line=${line##*) }
        if [[ $line == [!Z]" $1 "* ]]; then
            words=()
            mapfile -d '' -t words <"$folder/cmdline"
            if [ "${words[1]:-}" = "$2" ]; then
                printf '%s\n' "${folder#/proc/}"
            fi
        fi
    done 2>/dev/null | sort -n
}

# members PGRP: the processes of a group that are alive
members() {
    local folder state pgrp

    for folder in /proc/[0-9]*; do
        read -r state _ pgrp < <(stat_of "${folder#/proc/}")
        if [ "${pgrp:-}" = "$1" ] && [ "$state" != Z ]; then
            printf '%s\n' "${folder#/proc/}"
        fi
    done 2>/dev/null
}

nobody_in() { [ -z "$(members "$1")" ]; }
has_children() { [ "$(children "$1" "$2" | wc -l)" -ge "$3" ]; }

# stormed PID: its injectors are logging users in (a gateway's sessions are open)
has_open_sessions() { [ "$(find "/proc/$1/fd" -lname 'socket:*' 2>/dev/null | wc -l)" -ge "$2" ]; }

# under_way PID SESSIONS: the gateway of the run PID, as $gateway, once it has that many connections; sessions must be held
under_way() {
    gateway=none
    patiently has_children "$1" injector-process 1 || return 1
    gateway=$(children "$1" gateway-process | head -n 1)
    patiently has_open_sessions "$gateway" "$2"
}

# scenario FILE [LINE...]: a small one of 60 users in two seconds, both certificates; further lines are added or, when they begin with a key
# that is there already, take its line's place
scenario() {
    local file=$1 line key

    shift
    {
        printf '%s\n' 'loginstorm: 1' 'name: Sixty users' 'users: 60' 'seed: 11' 'window: {from: 08:00, to: 08:01}' \
            'arrivals: {shape: uniform, placement: even}' 'pace: {speedup: 30}' \
            'certificates: [{name: RSA 4096, key: rsa-4096}, {name: ECDSA P-256, key: ecdsa-p256}]'
    } >"$file"
    for line in "$@"; do
        key=${line%%:*}
        grep -v "^$key:" "$file" >"$file.rest"
        mv "$file.rest" "$file"
        printf '%s\n' "$line" >>"$file"
    done
}

# listens PID: whether it catches SIGINT, by the mask of caught signals, or has ended; before it is ours it is still a shell, which catches it, too
listens() {
    grep -q '^State:.Z' "/proc/$1/status" ||
        { [ "/proc/$1/exe" -ef "$BIN" ] && (($((16#$(sed -n 's/^SigCgt:\t//p' "/proc/$1/status"))) & 2)); }
}

# column FILE NAME [CERTIFICATE]: a column of one of the result's tables, its rows of that certificate; for names without a comma
column() {
    awk -F, -v name="$2" -v certificate="${3:-}" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        certificate == "" || $1 == certificate { print $at }' "$1"
}

# rows FILE [CERTIFICATE]: without the header
rows() { column "$1" certificate "${2:-}" | wc -l; }

# rank PERMILLE: the nearest-rank quantile of the whole numbers on standard input
rank() {
    sort -n | awk -v permille="$1" '{ value[NR] = $1 } END { print value[int((NR * permille + 999) / 1000)] }'
}

# ns: microseconds with decimals, as a result has them, to whole nanoseconds
ns() { awk '{ printf "%.0f\n", $1 * 1000 }'; }

# of RESULT FILTER: jq on a result.json
of() { jq -r "$2" "$1/result.json"; }

finish() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}
