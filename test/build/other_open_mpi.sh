#!/bin/bash
# A component that was built for another Open MPI is offered to one: it is not used, somebody says why, and the job goes on.
#   test/build/other_open_mpi.sh VERSION BIN COMPONENTS [VERSION BIN COMPONENTS]...
# VERSION is as 5.0.7, BIN the folder of its mpirun and mpicc, COMPONENTS the folder of the component that was built for it. Each component
# is offered to each of the others. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/write.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_File file;
    int rank;
    char byte;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    byte = (char)('0' + rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return argc != 2;
}
END

# writes VERSION BIN COMPONENTS [mpirun option...]: a job with that component; its output is kept.
writes() {
    local version=$1 bin=$2 components=$3
    shift 3
    components=$("$suite_dir/../config/component-path.sh" "$components" "$bin/mpicc")
    rm -f "$scratch/file"
    timeout 60 "$bin/mpirun" --oversubscribe -np 2 --mca io ompio --mca mca_base_component_path "$components" "$@" \
        "$scratch/write-$version" "$scratch/file" >"$scratch/output" 2>&1
    local code=$?
    cat "$scratch/output"
    [ $code = 0 ] && [ "$(cat "$scratch/file")" = 01 ]
}
# What the component says, or the loader where not even that can be.
reason() { grep -qaE "made for Open MPI $1, and this is $2|unable to open mca_fcoll_overlap: .*(cannot open shared object|undefined symbol)" "$scratch/output"; }

all=("$@")
for ((to = 0; to < ${#all[@]}; to += 3)); do
    holds "a program for ${all[to]} compiles" "${all[to + 1]}/mpicc" -o "$scratch/write-${all[to]}" "$scratch/write.c"
done
for ((from = 0; from < ${#all[@]}; from += 3)); do
    for ((to = 0; to < ${#all[@]}; to += 3)); do
        pair="of ${all[from]} in ${all[to]}"
        offer=("${all[to]}" "${all[to + 1]}" "${all[from + 2]}")
        if [ $from = $to ]; then
            holds "the component $pair writes" writes "${offer[@]}" --mca fcoll overlap --mca fcoll_base_verbose 10
            holds "and says so" grep -qa 'fcoll:overlap: ' "$scratch/output"
        else
            holds "the component $pair leaves the job alone" writes "${offer[@]}"
            holds "and the user is told" reason "${all[from]}" "${all[to]}"
            holds "as does one whose load errors are silenced" writes "${offer[@]}" --mca mca_base_component_show_load_errors 0
        fi
    done
done
suite_end
