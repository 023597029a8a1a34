#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Builds GIO (github.com/wkliao/gio), the engine of PnetCDF 1.15, for bench/compare, and prints its prefix on the last line.
#   config/gio.sh SOURCE [MPICC]
# SOURCE is a checkout or an unpacked tarball; it is copied, and stays as it is. The result is below OVERLAP_CACHE (default
# ~/.cache/overlap), of its own for each MPICC, and is made again where SOURCE has changed.
set -eu
source=${1:?config/gio.sh SOURCE [MPICC]}
mpicc=$(command -v "${2:-mpicc.openmpi}") || { echo "gio: no such compiler: ${2:-mpicc.openmpi}" >&2; exit 1; }
[ -f "$source/src/gio.h.in" ] || { echo "gio: $source is no source tree of GIO, which has src/gio.h.in" >&2; exit 1; }
top=${OVERLAP_CACHE:-$HOME/.cache/overlap}/gio-$(printf '%s' "$mpicc" | cksum | cut -d' ' -f1)
state=$(cd "$source" && find . -type f -not -path './.git/*' -print0 | LC_ALL=C sort -z | xargs -0 cksum | cksum)
mkdir -p "$top"
exec 9>"$top/lock"
flock 9
if [ "$(cat "$top/built" 2>/dev/null)" != "$state" ]; then
    rm -rf "$top/source" "$top/install" "$top/built"
    cp -r "$source" "$top/source"
    cd "$top/source"
    # A checkout asks for a newer libtool than Debian 12 has, of which it uses nothing.
    sed -i 's/LT_PREREQ(\[[0-9.]*\])/LT_PREREQ([2.4.6])/' configure.ac
    # Its examples and tests are not needed.
    if ! { [ -x configure ] || autoreconf -i; } >"$top/log" 2>&1 ||
        ! ./configure --prefix="$top/install" --disable-shared MPICC="$mpicc" >>"$top/log" 2>&1 ||
        ! make -j"$(nproc)" -C src install >>"$top/log" 2>&1; then
        echo "gio: it does not build; the end of $top/log:" >&2
        tail -30 "$top/log" >&2
        exit 1
    fi
    echo "$state" >"$top/built"
fi
echo "$top/install"
