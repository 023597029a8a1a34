#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Makes ./configure.
set -e
cd "$(dirname "$0")"
for tool in autoreconf automake libtoolize; do
    command -v $tool >/dev/null || { echo "autogen.sh: $tool is missing; on Debian: apt-get install autoconf automake libtool" >&2; exit 1; }
done
exec autoreconf --force --install --warnings=all,no-obsolete
