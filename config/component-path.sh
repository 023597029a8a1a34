#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# What the parameter mca_base_component_path has to be for the Open MPI of an mpicc to find the components of a folder beside its own.
#   config/component-path.sh FOLDER MPICC
# 4.1 looks for its own components where two words say. Later ones have them within the library, and hand the path to PMIx, which complains
# of every word that is no folder.
set -eu
version=$("$2" --showme:version | sed -n 's/.*Open MPI v\{0,1\}\([0-9]*\)\..*/\1/p')
[ -n "$version" ] || { echo "component-path: $2 is not an Open MPI's" >&2; exit 1; }
if [ "$version" -lt 5 ]; then echo "$1:SYSTEM_DEFAULT:USER_DEFAULT"; else echo "$1"; fi
