# Sourced by tools/storm and tools/check: configure and build a preset, quietly.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# configure PRESET: only where it is needed; ninja itself sees to later changes. A checkout that was moved starts afresh.
configure() {
    local dir=$root/build/$1 anew=()
    if [ -f "$dir/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
        anew=(--fresh)
    elif [ "$dir/build.ninja" -nt "$root/CMakePresets.json" ]; then
        return 0
    fi
    (cd "$root" && cmake --preset "$1" "${anew[@]}")
}

# build PRESET [ARGUMENT...]
build() { (cd "$root" && cmake --build --preset "$@"); }
