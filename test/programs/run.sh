#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Unmodified programs and libraries of Debian that write by MPI-IO, and scripts as their users write them. What they write with this component is
# compared with what ROMIO writes, by their own tools. Arguments: see ../mpi_suite.sh. LEVEL=nightly has 2, 3 and 7 ranks, tmpfs and ext4, and settings
# that weaken nothing. Ends with 77 where there is none of them.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/programs
within=$(command -v "$(dirname "$(command -v "$mpicc")")/enter")
romio=$($within ompi_info 2>/dev/null | sed -n 's/.*MCA io: \(romio[0-9]*\).*/\1/p' | head -1)
# /usr/local may have another one, which knows nothing of Debian's modules.
python=/usr/bin/python3

suite_down() {
    local each
    for each in disk full; do ! mountpoint -q "$scratch/$each" || umount "$scratch/$each"; done
}

# as ROMIO, or the arguments of the suite and more: sets `io`.
as() {
    if [ "$1" = romio ]; then io=(--mca io "$romio"); else io=("${arguments[@]}" "${@:2}"); fi
}

job() { "$suite_dir/within.sh" 120 "$mpirun" --oversubscribe -n "$ranks" "${io[@]}" "$@" </dev/null; }

# run_NAME FOLDER, with `ranks` and `io`.
run_lammps() {
    job lmp -in "$here/melt.lammps" -log none -var out "$1" && job lmp -in "$here/restart.lammps" -log none -var out "$1"
}
run_classic() { job "$build/time_steps_classic" "$1/classic.nc" classic; }
run_netcdf4() { job "$build/time_steps_netcdf4" "$1/netcdf4.nc" netcdf4; }
run_h5py() { job $python -m mpi4py "$here/datasets.py" "$1/datasets.h5"; }
run_mpi4py() { job $python "$here/threads.py" "$1/threads"; }
run_petsc() { PYTHONPATH=$petsc job $python -m mpi4py "$here/viewers.py" "$1/viewers"; }
run_ncmpidiff() { job ncmpidiff "$reference/classic/classic.nc" "$reference/classic/classic.nc"; }

same_bytes() { cmp "$1/$3" "$2/$3"; }
h5_same() { $within h5diff "$1/$3" "$2/$3"; }
# same_NAME FOLDER REFERENCE
same_lammps() {
    local each
    for each in dump.mpiio dump.mpiio.bin restart.10.mpiio restart.20.mpiio after.mpiio; do same_bytes "$1" "$2" $each || return; done
}
same_classic() {
    $within ncvalidator -q "$1/classic.nc" && cmp <($within ncdump "$1/classic.nc") <($within ncdump "$2/classic.nc") && same_bytes "$1" "$2" classic.nc
}
# Space that HDF5 leaves unused has any bytes.
same_netcdf4() { cmp <($within ncdump "$1/netcdf4.nc") <($within ncdump "$2/netcdf4.nc"); }
same_h5py() { h5_same "$1" "$2" datasets.h5; }
# It looks at its file itself: threads do not come to an end with ROMIO (packaging/upstream/reports/romio-threads.md).
same_mpi4py() { true; }
same_petsc() { same_bytes "$1" "$2" viewers && h5_same "$1" "$2" viewers.h5; }
same_ncmpidiff() { true; }

declare -A about=([lammps]="LAMMPS: dumps and restart files" [classic]="netCDF over PnetCDF" [netcdf4]="netCDF over HDF5"
    [h5py]="h5py: contiguous, chunked, gzip, growing" [mpi4py]="mpi4py: threads" [petsc]="PETSc: MPI-IO and HDF5 viewers" [ncmpidiff]="ncmpidiff reads in parallel")

# refer NAME: what ROMIO writes, once for each number of ranks.
refer() {
    local io folder=$reference/$1
    [ ! -e "$folder" ] || return 0
    mkdir -p "$folder"
    case $1 in mpi4py | ncmpidiff) return 0 ;; esac
    as romio
    "run_$1" "$folder"
}

# equal NAME FOLDER [mpirun option...]
equal() {
    local io folder=$2/$1 code=0
    rm -rf "$folder"
    mkdir -p "$folder"
    as overlap "${@:3}"
    refer "$1" && "run_$1" "$folder" && "same_$1" "$folder" "$reference/$1" || code=$?
    rm -rf "$folder"
    return $code
}

# fails NAME FOLDER: a program whose file does not fit says so by its exit code.
fails() {
    local io code=0
    as overlap
    "run_$1" "$2" || code=$?
    rm -rf "${2:?}"/*
    echo "exit code $code"
    [ $code != 0 ] && [ $code != 124 ]
}

# has NAME: whether it is installed; says why not.
has() {
    case $1 in
    lammps) [ -n "$($within sh -c 'lmp -h' 2>/dev/null | grep -w MPIIO)" ] ;; # the package of its MPI-IO, which the LAMMPS of Debian 13 lacks
    classic) built classic pnetcdf ;;
    netcdf4) built netcdf4 mpi ;;
    h5py) $within $python -c 'import mpi4py, numpy, h5py._debian_h5py_mpi' 2>/dev/null ;;
    mpi4py) $within $python -c 'import mpi4py, numpy' 2>/dev/null ;;
    petsc) [ -n "$petsc" ] ;;
    ncmpidiff) $within sh -c 'command -v ncmpidiff' >/dev/null && [ -e "$build/time_steps_classic" ] ;;
    esac
}

# built NAME LIBRARY
built() {
    local flags
    flags=$($within pkg-config --cflags --libs "netcdf-$2" 2>/dev/null) || return
    # shellcheck disable=SC2086
    "$mpicc" -O1 -Wall -I"$($within pkg-config --variable=libdir "netcdf-$2")/netcdf/$2/include" -o "$build/time_steps_$1" "$here/time_steps.c" $flags
}

disks() {
    mkdir -p "$scratch/disk" "$scratch/full"
    folders=("$data")
    if from nightly; then
        truncate -s 300M "$scratch/disk.image"
        if mkfs.ext4 -q "$scratch/disk.image" && mount -o loop "$scratch/disk.image" "$scratch/disk" 2>/dev/null; then
            folders+=("$scratch/disk")
        else
            skip "ext4: a loop device can only be mounted as root"
        fi
    fi
}

[ "${OVERLAP_INSTALL:-yes}" = no ] || $within "$suite_dir/../config/install-packages.sh" --programs >/dev/null 2>&1 || echo "not all packages can be installed; each program says so"
petsc=$($within sh -c 'ls -d /usr/lib/petscdir/*/*-real/lib/python3/dist-packages' 2>/dev/null | head -1)
settings=("" cycles $(at_levels '' = = 'holes=list writes=independent writes=collective algorithm=dataflow algorithm=none node_merge=on shuffle=put-fence'))
names=()
if [ -z "$romio" ]; then
    skip "all programs: this Open MPI has no ROMIO to compare with"
else
    disks
    for each in ${PROGRAMS:-lammps classic netcdf4 h5py mpi4py petsc ncmpidiff}; do
        if has "$each"; then names+=("$each"); else skip "${about[$each]}: not installed for this Open MPI"; fi
    done
fi
for ranks in $(at_levels 3 = 3 '2 3 7'); do
    reference=$data/reference.$ranks
    for folder in "${folders[@]}"; do
        for setting in "${settings[@]}"; do
            option=()
            case $setting in
            '') ;;
            cycles) option=(--mca io_ompio_bytes_per_agg 3000) ;;
            *) option=(--mca "fcoll_overlap_${setting%=*}" "${setting#*=}") ;;
            esac
            for each in "${names[@]}"; do
                holds "${about[$each]}, $ranks ranks, $(stat -f -c %T "$folder" | sed 's,ext2/ext3,ext4,'), $(sed 's/^$/defaults/; s/^cycles$/many cycles/' <<<"$setting")" equal "$each" "$folder" "${option[@]}"
            done
        done
    done
    rm -rf "$reference"
done
ranks=3
if [ ${#names[@]} != 0 ] && mount -t tmpfs -o size=40k overlap-test "$scratch/full" 2>/dev/null; then
    # LAMMPS looks at what its restart file's calls return, not at what those of its dumps do.
    for each in lammps classic netcdf4 h5py petsc; do
        [[ " ${names[*]} " != *" $each "* ]] || holds "${about[$each]}: a full file system is told by the exit code" fails $each "$scratch/full"
    done
elif [ ${#names[@]} != 0 ]; then
    skip "a full file system: a small tmpfs can only be mounted as root"
fi
code=0
suite_end || code=$?
if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then code=77; fi
exit $code
