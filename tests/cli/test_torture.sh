#!/bin/bash
# A system call or an allocation fails, once or from then on, in one of a storm's processes or in its report: a short walk. The whole one is
# tests/torture/walk with a larger number.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
if grep -q __asan_init "$BIN"; then
    skip "the torture takes the place of malloc, which a sanitizer has"
    good "nothing to do under a sanitizer"
    finish
fi
seen=$("$(dirname "$0")/../torture/walk" "$BIN" "$TORTURE" 1 4 13)
status=$?
printf '%s\n' "$seen"
is "each fault ends in a clear error or a result that knows what it is worth" "$status" 0
holds "and there were some" "$(sed -n 's/^\([0-9]*\) faults injected.*/\1/p' <<<"$seen") > 20"
finish
