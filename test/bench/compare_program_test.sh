#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# compare [option...] -- COMMAND...: a program of the user's, with the components that are installed. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
compare=$here/bench/compare
[ "$component_path" = none ] || export OMPI_MCA_mca_base_component_path=$component_path
# The command's first word tells where its Open MPI is.
mkdir "$scratch/bin"
for command in mpirun ompi_info; do ln -s "$(dirname "$(command -v "$mpirun")")/$(basename "$mpirun" | sed "s/mpirun/$command/")" "$scratch/bin/$command"; done
PATH=$scratch/bin:$PATH
"$mpicc" -O1 -o "$scratch/checkpoint" "$here/examples/checkpoint.c"
job=(mpirun --oversubscribe -n 2 "$scratch/checkpoint" "$data/checkpoint.dat")

# says CODE PATTERN ARGUMENT...: as answers, without a build: nothing may be made where tools are built.
says() {
    local code=$1 pattern=$2
    shift 2
    OVERLAP_CACHE=$scratch/none answers "$code" "$pattern" "$compare" "$@" && [ ! -e "$scratch/none" ]
}
contenders=(--repetitions 1 --contenders vulcan,mine=overlap:slots=4)
holds "a program runs with each contender, and overlap served it" says 0 '^mine .* 1 file, [0-9.]+ s in collective calls$' "${contenders[@]}" \
    --json "$scratch/json" -- "${job[@]}"
holds "the results are kept" is "$(python3 -c 'import json, sys; print(*(len(r) for r in json.load(open(sys.argv[1]))["results"].values()))' "$scratch/json")" "1 1"
holds "a component that is not there is left out, and that is said" says 0 'nobody is left out' --repetitions 1 --contenders nobody,overlap -- true
holds "a program without collective calls was not served" says 0 'NO FILE WAS SERVED' --repetitions 1 --contenders overlap -- true
holds "one that fails is no result" says 1 'failed: exit code 1' "${contenders[@]}" -- false
holds "without a command it says so" says 2 'behind -- stands a command' --repetitions 1 --
holds "a wrong contender is named" says 2 '"overlap:slots" is no contender' --contenders overlap:slots -- true
holds "--help behind -- is the command's" says 0 '^overlap ' --repetitions 1 --contenders overlap -- ls --help
suite_end
