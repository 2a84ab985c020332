#!/bin/bash
# What `cmake --install` puts where, and that it runs from there.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$TMP" || exit 1

cmake --install "$(dirname "$BIN")" --prefix "$TMP/a place" >log 2>&1
is "it can be installed anywhere" "$?" 0
cd "a place" || exit 1
expected=$({
    echo bin/loginstorm
    [ ! -x "$(dirname "$BIN")/loginstorm-mpi" ] || echo bin/loginstorm-mpi
    printf 'share/%s\n' man/man1/loginstorm.1 bash-completion/completions/loginstorm zsh/site-functions/_loginstorm \
        fish/vendor_completions.d/loginstorm.fish doc/loginstorm/{README.md,CHANGELOG.md,LICENSE}
    cd "$here/scenarios" && find . -type f | sed 's|^\./|share/loginstorm/scenarios/|'
} | sort)
is "the program (and the one for MPI, where that is built), its manual page, completions, scenarios and documents, and nothing else" "$(find . -type f | sed 's|^\./||' | sort)" "$expected"
is "everybody may read it" "$(find . ! -perm -444)" ""

# From a folder where nothing is, with nothing of the build in its environment.
mkdir "$TMP/elsewhere" && cd "$TMP/elsewhere" || exit 1
away() { env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME="$TMP/elsewhere" "$TMP/a place/bin/loginstorm" "$@" >"$TMP/out" 2>"$TMP/err"; }
scenarios="$TMP/a place/share/loginstorm/scenarios"
away --version
is "installed, it says its version" "$(cat "$TMP/out")" "$("$BIN" --version)"
for scenario in "$scenarios"/*.yaml; do
    away check "$scenario"
    is "the installed ${scenario##*/} is sound" "$?$(cat "$TMP/err")" 0
done
away run "$scenarios/smoke.yaml" --users 30 --speedup 3600 --out storm
is "a storm runs with the installed gateway and injector" "$?" 0 98
is "and everybody is through" "$(of storm '[.runs[].logins | .logged_in + .failed + .cut_off] | unique | join(" ")')" 30
away run "$scenarios/recorded-monday.yaml" --speedup 100000 --users 50 --out recorded
is "a scenario finds its curve beside it" "$?$(grep -c 'curve' "$TMP/err")" 00 980
finish
