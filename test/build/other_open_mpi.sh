#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# A component that was built for another Open MPI is offered to one: it is not used, somebody says why, and the job goes on. One that was built
# for another release of the same series is used where the structs are the same.
#   test/build/other_open_mpi.sh [--build BUILD] VERSION BIN COMPONENTS [VERSION BIN COMPONENTS]...
# VERSION is as 5.0.7, BIN the folder of its mpirun and mpicc, COMPONENTS the folder of the component that was built for it. Each component
# is offered to each of the others. BUILD is the folder that the first of them was built in: there it is linked again as if it were for another
# release, or for one whose struct ompio_file_t has a field in another place. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
build=
if [ "$1" = --build ]; then build=$2 && shift 2; fi
scratch=$(mktemp -d)
copy=${build:-$scratch/none}-as-another # beside BUILD, as its Makefiles find the sources from there
trap 'rm -rf "$scratch" "${copy:?}"' EXIT

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
        if [ "${all[from]%.*}" = "${all[to]%.*}" ]; then
            holds "the component $pair writes" writes "${offer[@]}" --mca fcoll overlap --mca fcoll_base_verbose 10
            holds "and says so" grep -qa 'fcoll:overlap: ' "$scratch/output"
        else
            holds "the component $pair leaves the job alone" writes "${offer[@]}"
            holds "and the user is told" reason "${all[from]}" "${all[to]}"
            holds "as does one whose load errors are silenced" writes "${offer[@]}" --mca mca_base_component_show_load_errors 0
        fi
    done
done

# built_as NAME FLAG...: the component of BUILD in the folder NAME; what it knows of its Open MPI is compiled with these flags.
built_as() {
    local folder=ompi/mca/fcoll/overlap name=$1
    shift
    mkdir -p "$scratch/$name" "$copy"
    (cd "$build" && cp -a --parents libtool config.status Makefile $folder "$copy") || return
    (cd "$copy/$folder" && rm -f compat/layout.lo compat/layout.o compat/.libs/layout.o mca_fcoll_overlap.la .libs/mca_fcoll_overlap.so &&
        make CFLAGS="-O0 $*" mca_fcoll_overlap.la && cp .libs/mca_fcoll_overlap.so "$scratch/$name")
}

# header NAME PROGRAM: the headers beside that of struct ompio_file_t and itself, edited by an awk program, in a folder that -I can name.
header() {
    local header folder=$scratch/header-$1/ompi/mca/common/ompio
    mkdir -p "$folder"
    for header in $("${all[1]}/mpicc" --showme:incdirs); do
        header=$header/openmpi/ompi/mca/common/ompio
        [ -e "$header/common_ompio.h" ] || continue
        cp "$header"/*.h "$folder"
        awk "/^struct ompio_file_t *\\{/ { inside = 1 } $2 { print }" "$header/common_ompio.h" >"$folder/common_ompio.h"
        ! cmp -s "$header/common_ompio.h" "$folder/common_ompio.h" || echo "-DNOTHING_WAS_CHANGED(" # does not compile
    done
    echo "-I$scratch/header-$1"
}
# moved FIELD: the field is at the end. doubled FIELD: one of the same type stands before it. swapped FIELD OTHER: each is in the other's place.
moved() { header "$1" "inside && /[ *]$1;/ { held = \$0; next } inside && /^};/ { print held; inside = 0 }"; }
doubled() { header "2-$1" "inside && /[ *]$1;/ { line = \$0; sub(/$1/, \"f_new\", line); print line }"; }
swapped() { header "$1-$2" "inside && /[ *]$1;/ { sub(/$1/, \"$2\"); print; next } inside && /[ *]$2;/ { sub(/$2/, \"$1\") }"; }

# refused NAME FLAG...: a component that is linked so as one of another release is not used.
refused() {
    holds "a component links as one of $other with $1" built_as "$1" -include "$scratch/other.h" "${@:2}"
    holds "and leaves the job of $version alone" writes "$version" "$bin" "$scratch/$1"
    holds "and the user is told" reason "$other" "$version"
}

if [ -n "$build" ]; then
    version=${all[0]} bin=${all[1]} other=${all[0]%.*}.99
    printf '#include "opal_config.h"\n#undef OPAL_IDENT_STRING\n#define OPAL_IDENT_STRING "%s"\n' "$other" >"$scratch/other.h"
    holds "a component links as one of $other" built_as other -include "$scratch/other.h"
    holds "and writes in $version" writes "$version" "$bin" "$scratch/other" --mca fcoll overlap --mca fcoll_base_verbose 10
    holds "and says so" grep -qa 'fcoll:overlap: ' "$scratch/output"
    for field in f_atomicity f_stripe_size f_fs f_info f_init_aggr_list; do refused $field "$(moved $field)"; done
    # The size of the struct tells nothing of these.
    for field in f_rank f_fs_block_size f_fs_component; do refused 2-$field "$(doubled $field)"; done
    refused rank-size "$(swapped f_rank f_size)"
    refused atomicity-block "$(swapped f_atomicity f_fs_block_size)"
    refused extent-size "$(swapped f_view_extent f_view_size)"
    refused components "$(swapped f_fs_component f_fbtl_component)"
    holds "a component links as one of $version with f_flags in another place" built_as f_flags "$(moved f_flags)"
    holds "and leaves the job alone" writes "$version" "$bin" "$scratch/f_flags"
    holds "and the user is told" reason "$version" "$version, configured in another way"
fi
suite_end
