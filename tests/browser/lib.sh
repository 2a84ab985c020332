# shellcheck shell=bash
# For the tests in Debian's Chromium. playwright-core and axe-core come from npm, into the build folder; they are needed by these tests alone.
# A test sources it with LOGINSTORM and the packages' FOLDER as its own arguments, and ends by `in_browser NAME.mjs ARGUMENT...`.
: "${here:?}" # this folder
# shellcheck source=tests/cli/lib.sh
source "$here/../cli/lib.sh" "$1"

fail() {
    printf 'not ok %s\n' "$1"
    exit 1
}

command -v node >/dev/null || fail "node is there (tools/setup check installs it)"
command -v chromium >/dev/null || fail "chromium is there (tools/setup check installs it)"
packages=$2
mkdir -p "$packages" && packages=$(realpath "$packages")
if ! cmp -s "$here/package-lock.json" "$packages/installed"; then
    cp "$here/package.json" "$here/package-lock.json" "$packages/"
    if ! npm ci --prefix "$packages" --ignore-scripts --no-audit --no-fund >"$packages/npm.log" 2>&1; then
        tail -n 5 "$packages/npm.log"
        fail "npm brings what tests/browser/package-lock.json names (is its registry within reach?)"
    fi
    cp "$here/package-lock.json" "$packages/installed"
fi
cd "$TMP" || exit 1
export XDG_CACHE_HOME=$TMP/cache

# Node looks for packages beside the program.
in_browser() {
    local program=$1

    shift
    cp "$here"/*.mjs "$packages/"
    mkdir profile
    TMPDIR=$TMP/profile node "$packages/$program" "$@"
    exit
}
