#!/bin/bash
# What the program says of itself, and what it says to a wrong command line.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
scenario small.yaml

call --help
is "--help exits 0" "$status" 0
is "--help says nothing on standard error" "$err" ""
overview=$out
for command in run simulate check report compare import fit request calibrate gateway; do
    has "--help names the command $command" "$overview" "  $command "
done
call -h
is "-h says what --help says" "$out" "$overview"
call help
is "so does help" "$out" "$overview"
call
is "no command at all is wrong usage" "$status" 64
is "and then the overview goes to standard error" "$err" "$overview"
call --version
is "--version exits 0" "$status" 0
matches "--version names the program's version and its TLS library" "$out" '^loginstorm [0-9]+\.[0-9]+\.[0-9]+, wolfSSL [0-9.]+ \(.+\)$'

# An option is shown as "  -o, --out DIR   text" or "      --tickets   text".
options_of() {
    "$BIN" "$1" --help | awk '/^  (-.,|   ) --/ { sub(/^  /, ""); letter = substr($0, 1, 1) == "-" ? substr($0, 1, 2) : "-"
        match($0, /--[a-z-]+/); long = substr($0, RSTART, RLENGTH); rest = substr($0, RSTART + RLENGTH)
        argument = rest ~ /^ [A-Za-z]/ ? substr(rest, 2) : "-"; sub(/ .*/, "", argument); print letter, long, argument }'
}
value_of() {
    case $1 in
    N | MB) echo 3 ;;
    PATH=VALUE) echo users=3 ;;
    'text|json|csv'*) echo html ;;
    *) echo word ;;
    esac
}
for command in run simulate check report compare import fit request calibrate gateway; do
    count=0
    while read -r letter long argument; do
        count=$((count + 1))
        words=("$long") short=("$letter") glued=("$long")
        if [ "$argument" != - ]; then
            value=$(value_of "$argument")
            words+=("$value") short+=("$value") glued=("$long=$value")
        fi
        call "$command" "${words[@]}" --help
        is "$command takes ${words[*]}" "$status$err" 0
        call "$command" "${glued[@]}" --help
        is "$command takes ${glued[*]}" "$status$err" 0
        if [ "$letter" != - ]; then
            call "$command" "${short[@]}" --help
            is "$command takes ${short[*]}" "$status$err" 0
        fi
        if [ "$argument" != - ]; then
            call "$command" "$long"
            is "$command $long without its value is wrong usage" "$status" 64
            has "and says that $long wants a value" "$err" "$long wants a value"
        fi
    done < <(options_of "$command")
    holds "$command's help lists options" "$count >= 3"
    while read -r example; do
        # shellcheck disable=SC2086
        call ${example#loginstorm } --help
        is "the example parses: loginstorm ${example#loginstorm }" "$status$err" 0
    done < <("$BIN" "$command" --help | sed -n 's/ [<>].*//; s/^  \(loginstorm .*\)/\1/p')
done

# refused LINE STATUS PART...
refused() {
    local line=$1 expected=$2 part

    shift 2
    # shellcheck disable=SC2086
    call $line
    is "loginstorm $line: exit status $expected" "$status" "$expected"
    for part in "$@"; do
        has "loginstorm $line: says '$part'" "$err" "$part"
    done
    is "loginstorm $line: nothing on standard output" "$out" ""
}
refused "runn small.yaml" 64 'there is no command "runn"; did you mean "run"?' 'loginstorm --help'
refused "chek small.yaml" 64 'did you mean "check"?'
refused "gatewya" 64 'did you mean "gateway"?'
refused "xyzzy" 64 'there is no command "xyzzy"; see'
refused "--bogus" 64 '"--bogus"'
refused "run small.yaml --userss 3" 64 '--userss is not known here; did you mean --users?' 'loginstorm run --help'
refused "run small.yaml --sede=3" 64 'did you mean --seed?'
refused "check --injectors 2 small.yaml" 64 '--injectors is not known here'
refused "gateway --out x" 64 '--out is not known here'
refused "run -Z small.yaml" 64 '-Z is not known here'
refused "run --quiet=3 small.yaml" 64 '--quiet takes no value'
refused "run" 64 'which SCENARIO?'
refused "check" 64 'which SCENARIO?'
refused "report" 64 'which RESULT?'
refused "run small.yaml other.yaml" 64 '"other.yaml" is one argument too many'
refused "gateway small.yaml" 64 'one argument too many'
refused "run small.yaml --format xml" 64 '"xml" is none of text, json, csv, html, markdown, openmetrics, junit, hgrm'
refused "run small.yaml --injectors two" 64 '--injectors: "two"'
refused "run small.yaml --injectors -1" 64 '--injectors: "-1"'
refused "run small.yaml --injectors 0" 64 '--injectors: 0 is out of range (1 to 256)'
refused "run small.yaml --set users" 64 'is not PATH=VALUE'
refused "run small.yaml --set =3" 64 'is not PATH=VALUE'
refused "run small.yaml --users many" 65 'users' 'many'
refused "run small.yaml --set user=3" 65 'unknown key "user"' 'users'
refused "run nowhere.yaml" 66 'nowhere.yaml: No such file or directory'
refused "check nowhere.yaml" 66 'nowhere.yaml: No such file or directory'
refused "calibrate nowhere.yaml" 66 'nowhere.yaml: No such file or directory'
refused "report nowhere" 66 'nowhere: No such file or directory'
refused "check ." 66 'Is a directory'
refused "report small.yaml" 64 "small.yaml is a scenario; report wants the folder of a run"
echo '{"format": "something else", "version": 1}' >other.json
refused "report other.json" 65 'other.json'
is "a wrong command line leaves nothing behind" "$(echo *)" "err other.json out small.yaml"

# Output that cannot be written.
for line in --help --version "run --help" "check small.yaml"; do
    # shellcheck disable=SC2086
    err=$("$BIN" $line 2>&1 >/dev/full)
    is "loginstorm $line onto a full disk: exit status 74" "$?" 74
    has "loginstorm $line onto a full disk: says so" "$err" "No space left on device"
    # shellcheck disable=SC2086
    err=$("$BIN" $line 2>&1 >&-)
    is "loginstorm $line with standard output closed: exit status 74" "$?" 74
done
# A reader who leaves early, as `head` does, is no error, and the status is that of the work.
early() {
    local expected=$1 pipe

    shift
    mkfifo pipe.early
    "$BIN" "$@" 2>err >pipe.early &
    pipe=$!
    # Opened, so that it begins to write, and closed before it can have written anything.
    : <pipe.early
    wait "$pipe"
    is "loginstorm $* with nobody left to read: exit status $expected" "$?" "$expected"
    is "loginstorm $* with nobody left to read: no word of it" "$(grep -c -i 'pipe\|cannot write' err)" 0
    rm pipe.early
}
early 0 --help
early 0 check small.yaml
sed 's/^certificates:.*/certificates: [{chain: a.pem, private_key: a.key}]/' small.yaml >unsound.yaml
early 66 check unsound.yaml
"$BIN" check small.yaml <&- >&- 2>&-
is "with all three standard streams closed, check still ends by itself" "$?" 74
"$BIN" --help >/dev/full 2>&-
is "a message that nobody can read does not hide the exit status" "$?" 74
finish
