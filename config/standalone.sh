#!/bin/bash
# Builds the component outside an Open MPI tree and installs it, all below OVERLAP_CACHE (default ~/.cache/overlap).
#   config/standalone.sh NAME [configure option...]
# Prints the build folder and the prefix on its last line. What did not change since the last run with this name is not built again.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
name=$1
shift
top=${OVERLAP_CACHE:-$HOME/.cache/overlap}/standalone-$name
build=$top/build
prefix=$top/install

say() { echo "standalone-$name: $*" >&2; }

# A failed command's last lines are worth more than all of its output.
quietly() {
    local log=$top/$1.log
    shift
    "$@" >"$log" 2>&1 || {
        say "failed: $*; the end of $log:"
        tail -30 "$log" >&2
        exit 1
    }
}

mkdir -p "$top"
exec 9>"$top/lock"
flock -n 9 || { say "waiting for another run"; flock 9; }

cd "$here"
build_files=(configure.ac config/overlap_*.m4 Makefile.am */*/Makefile.am ompi/mca/fcoll/overlap/Makefile.am)
# The source folder is one for all names.
exec 8<configure.ac
flock 8
stale=
for file in "${build_files[@]}"; do
    case $file in
    *Makefile.am) made=${file%.am}.in ;;
    *) made=configure ;;
    esac
    if [ ! -e "$made" ] || [ "$file" -nt configure ]; then stale=yes; fi
done
if [ -n "$stale" ]; then
    say "making configure"
    quietly autogen ./autogen.sh
fi
flock -u 8

configured="$here $* $(cat "${build_files[@]}" | sha256sum)"
if [ "$(cat "$top/configured" 2>/dev/null)" != "$configured" ]; then
    say "configuring"
    rm -rf "$build" "$prefix" "$top/configured"
    mkdir -p "$build"
    cd "$build"
    quietly configure "$here/configure" --prefix="$prefix" "$@"
    echo "$configured" >"$top/configured"
fi
say "building"
quietly make make -C "$build" -j"$(nproc)"
quietly install make -C "$build" install
echo "$build $prefix"
