#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# One collective write of two ranks, with the mpirun that belongs to an mpicc and no component path: says which component served
# it, and if that is not overlap, why (overlap doctor). Ends with 0 where overlap did, and the file is right.
#   config/check-installed.sh [MPICC [--by-default]]
# With --by-default it is not asked for: where a site has made it the first choice, it is that without.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
mpicc=$(command -v "${1:-mpicc}") || { echo "check-installed: no ${1:-mpicc}" >&2; exit 1; }
command -v python3 >/dev/null || { echo "check-installed: python3 is missing" >&2; exit 1; }
# Debian keeps several MPIs apart by the end of the name.
mpirun=$(dirname "$mpicc")/$(basename "$mpicc" | sed 's/mpicc/mpirun/')
asked=(--mca io ompio --mca fcoll overlap)
[ "${2:-}" != --by-default ] || asked=()
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$here/bench/doctor" "$scratch" -- "$mpirun" --oversubscribe -n 2 "${asked[@]}"
