#!/bin/bash
# One collective write of two ranks, with the mpirun that belongs to an mpicc and no component path: says
# which component of fcoll served it. Ends with 0 where overlap did, and the file is right.
#   config/check-installed.sh [MPICC [--by-default]]
# With --by-default it is not asked for: where a site has made it the first choice, it is that without.
set -u
mpicc=$(command -v "${1:-mpicc}") || { echo "check-installed: no ${1:-mpicc}" >&2; exit 1; }
# Debian keeps several MPIs apart by the end of the name.
mpirun=$(dirname "$mpicc")/$(basename "$mpicc" | sed 's/mpicc/mpirun/')
asked=(--mca io ompio --mca fcoll overlap)
[ "${2:-}" != --by-default ] || asked=()
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

cat >"$scratch/write.c" <<'END'
#include <mpi.h>
#include <stdio.h>
/* Rank r writes the letter 'a' + r at offset r; what the component uses stands in the info of the file after its first write. */
int main(int argc, char **argv) {
    MPI_File file;
    MPI_Info info;
    int rank, served = 0;
    char letter, value[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    letter = (char)('a' + rank);
    if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_File_write_at_all(file, rank, &letter, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_get_info(file, &info);
    MPI_Info_get(info, "fcoll_overlap_algorithm", 63, value, &served);
    if (rank == 0) {
        printf("served by %s\n", served ? "overlap" : "another component");
    }
    MPI_Info_free(&info);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
END
# In the place of MPI_Info_get, which 6.0 warns of, 4.1 has nothing.
"$mpicc" -Wno-deprecated-declarations -o "$scratch/write" "$scratch/write.c" || exit 1
timeout 60 "$mpirun" --oversubscribe -n 2 "${asked[@]}" "$scratch/write" "$scratch/file" >"$scratch/output" 2>&1 || {
    cat "$scratch/output"
    echo "check-installed: $("$mpicc" --showme:version): the write failed; where Open MPI says \"A requested component was not found\", docs/guide/install.rst tells" \
        "how to make it look where the component is" >&2
    exit 1
}
[ "$(cat "$scratch/file")" = ab ] || { echo "check-installed: the file is not what was written" >&2; exit 1; }
grep -a '^served by' "$scratch/output" | sed "s,^,$("$mpicc" --showme:version | sed 's/.*\(Open MPI [^ ]*\).*/\1/'): ,"
grep -qa '^served by overlap' "$scratch/output"
