#!/bin/bash
# The manual page and the completions: each has what --help has, and each is asked by who reads it: mandoc, man, bash, zsh, fish.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
here=$(cd "$(dirname "$0")" && pwd)
share=$(dirname "$BIN")/share
page=$share/man/man1/loginstorm.1
bash=$share/bash-completion/completions/loginstorm
zsh=$share/zsh/site-functions
fish=$share/fish/vendor_completions.d/loginstorm.fish
mkdir "$TMP/work" && cd "$TMP/work" || exit 1

mapfile -t commands < <("$BIN" --help | sed -n 's/^  \([a-z]*\)  *[A-Z[ ].*  .*/\1/p' | grep -v '^loginstorm$')
holds "--help names the commands" "${#commands[@]} >= 11"

# options COMMAND: "LETTER --NAME ARGUMENT" each, - for what there is none of, [=ARGUMENT] where it may be left out
options() {
    "$BIN" "$1" --help | sed -n 's/^  \(-.\),\( --[a-z-]*\)/\1\2/p; s/^     \( --[a-z-]*\)/-\1/p' |
        awk '{ rest = $0; sub(/^[^ ]+ --[a-z-]+/, "", rest); argument = rest ~ /^ [^ ]/ ? $3 : "-"
            if (match($2, /\[=.*/)) { argument = substr($2, RSTART); $2 = substr($2, 1, RSTART - 1) }
            print $1, $2, argument }'
}
names() { options "$1" | cut -d' ' -f2 | sort | xargs; }

# The manual page.
is "mandoc has nothing against the page" "$(mandoc -Tlint -W warning "$page" 2>&1)" ""
if command -v man groff >/dev/null; then
    is "nor has groff" "$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)" ""
else
    skip "no man or groff here"
fi
mandoc -T utf8 -O width=200 "$page" | sed "s/.\x08//g" >shown
section() { sed -n "/^$1\$/,/^[A-Z]/p" shown; }
for command in "${commands[@]}"; do
    awk -v title="   loginstorm $command" '/^ ?[^ ]/ || /^   [^ ]/ { on = $0 == title } on' shown >told
    while read -r letter name argument; do
        line="${letter#-}, $name"
        [ "$letter" = - ] && line=$name || line="$letter, $name"
        case $argument in
        -) ;;
        \[*) line+=$argument ;; # may be left out
        *) line+=" $argument" ;;
        esac
        # A short one has its text in the same line.
        matches "the page has $command $line" "$(grep -F -- "     $line" told | head -n 1)" "^     ${line//[/\\[}($|  )"
    done < <(options "$command")
    is "the page has no more of $command than --help has" "$(grep -c '^     -[a-z-]' told)" "$(options "$command" | wc -l)"
    first=$("$BIN" "$command" --help | sed -n '/^Examples:/{n;s/^  //;s/ [<>].*//;p}')
    has "and its first example" "$(section EXAMPLES | sed -e ':a' -e '/\\$/N; s/ \\\n */ /; ta')" "$first"
done
while read -r variable; do
    has "the page names the variable $variable" "$(section ENVIRONMENT)" "     $variable"
done < <(grep -rhoE --exclude-dir=mpi 'getenv\("[A-Z_]+"\)' "$here/../../src" | cut -d'"' -f2 | sort -u)
while read -r status; do
    matches "the page has the exit status $status" "$(section 'EXIT STATUS')" "(^|"$'\n'")     $status +[a-z]"
done < <(sed -n 's/^ *X(LS_[A-Z]*, \([0-9]*\),.*/\1/p' "$here/../../include/loginstorm/error.h" | sort -u)

# What each shell is asked, and what it has to offer; files are those of this folder.
mkdir -p nested "a folder"
touch morning.yaml evening.yml notes.txt curve.csv result.json
cat >questions <<END
loginstorm |${commands[*]}
loginstorm cal|calibrate
loginstorm run --fo|--format
loginstorm run --format j|json junit
loginstorm run -f t|text
loginstorm import --format win|windows-csv windows-xml
loginstorm import -z Europe/Par|Europe/Paris
loginstorm import --date-order |dmy mdy
loginstorm gateway --key ecdsa|ecdsa-p256 ecdsa-p384 ecdsa-p521
loginstorm gateway --key rsa-2048 --name a --ke|--key
loginstorm run |a folder evening.yml morning.yaml nested
loginstorm run --quiet mor|morning.yaml
loginstorm calibrate ev|evening.yml
loginstorm fit cu|curve.csv
loginstorm report res|result.json
loginstorm import not|notes.txt
loginstorm simulate --costs res|result.json
loginstorm run --out |a folder nested
loginstorm run --out=ne|nested
loginstorm run --users |
loginstorm gateway x|
END
for command in "${commands[@]}"; do
    printf 'loginstorm %s --|%s\n' "$command" "$(names "$command")" >>questions
done
cut -d'|' -f1 questions >lines

# asked SHELL: its answers, "LINE: WORD" each, beside what is expected; a command's options, which a shell may show in any order, are sorted.
asked() {
    local shell=$1 line expected got

    while IFS='|' read -r line expected; do
        got=$(grep -F -- "$line: " "answers.$shell" | sed -n "s|^$line: ||p" | sed 's|/$||' | sort -u | xargs)
        expected=$(tr ' ' '\n' <<<"${expected//a folder/a%folder}" | tr % ' ' | sort -u | xargs)
        is "$shell offers for '$line': $expected" "$got" "$expected"
    done <questions
}

is "bash reads its completion" "$(bash -n "$bash" 2>&1)" ""
# Words as readline splits them: at spaces and at "=".
ask_bash() {
    # shellcheck source=/dev/null
    source "$bash"
    local line found
    while IFS= read -r line; do
        read -ra COMP_WORDS <<<"${line//=/ = }"
        [[ $line != *' ' ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _loginstorm
        for found in "${COMPREPLY[@]}"; do
            printf '%s: %s\n' "$line" "$found"
        done
    done
}
(ask_bash) <lines >answers.bash 2>complaints
is "bash has nothing to complain of" "$(cat complaints)" ""
sed -i 's/: --version$/: -/; s/^loginstorm : -.*//' answers.bash # beside the commands
asked bash
lacks "bash leaves its options as they are" "$(bash -c 'source "$1"; COMP_WORDS=(loginstorm run m); COMP_CWORD=2; _loginstorm; shopt extglob' - "$bash")" "on"

if command -v zsh >/dev/null; then
    is "zsh reads its completion" "$(zsh -n "$zsh/_loginstorm" 2>&1)" ""
    mapfile -t lines <lines
    zsh -f "$here/ask.zsh" "$zsh" "${lines[@]}" 2>&1 | tr -d '\r' | grep . >answers.zsh
    sed -i 's|\(import -z Europe/Par: \)|\1Europe/|' answers.zsh # which it has typed already
    asked zsh
else
    skip "no zsh here"
fi

if command -v fish >/dev/null; then
    is "fish reads its completion" "$(fish -n "$fish" 2>&1)" ""
    # shellcheck disable=SC2016
    HOME=$TMP fish -N -c 'source $argv[1]; while read -l line; complete -C $line | string replace -r "\t.*" "" | string replace -r "^--out=" "" | string replace -r "^" "$line: "; end' "$fish" <lines >answers.fish 2>complaints
    is "fish has nothing to complain of" "$(cat complaints)" ""
    asked fish
else
    skip "no fish here"
fi
finish
