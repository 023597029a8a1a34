#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Prints the version, of which configure.ac is the only source.
sed -n 's/^AC_INIT(\[overlap\], \[\(.*\)\])$/\1/p' "$(dirname "$0")/../configure.ac"
