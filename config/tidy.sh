#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# clang-tidy over the sources of the engine. What was clean is known by its text and those of its headers, and not looked at again.
#   config/tidy.sh [--all]
# The glue is left out: its findings would be those of Open MPI's macros.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
known=${OVERLAP_CACHE:-$HOME/.cache/overlap}/tidy
mkdir -p "$known"
[ "${1:-}" != --all ] || rm -f "$known"/*
tool=$(clang-tidy --version; cat "$here/.clang-tidy") || exit 1
export known tool
export flags="-std=c++17 -DOVERLAP_HAVE_LIBAIO -DOVERLAP_HAVE_NLOHMANN_JSON"

cd "$here/ompi/mca/fcoll/overlap/engine" || exit 1
# shellcheck disable=SC2016
find . -name '*.cc' -print0 | xargs -0 -P "$(nproc)" -n 1 bash -c '
    files=$(g++ $flags -MM "$1" | tr -d "\\\\" | cut -d: -f2-) || exit 1
    sum=$({ echo "$tool $1"; cat $files; } | sha256sum | cut -d" " -f1)
    [ ! -e "$known/$sum" ] || exit 0
    clang-tidy --quiet "$1" -- $flags && touch "$known/$sum"' tidy
