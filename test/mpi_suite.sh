# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by the suites that run under mpirun: arguments, building, cases. A suite calls suite_begin "$@", suite_build, run_case and
# suite_end.
#   --mpirun PATH --mpicc PATH     the Open MPI to test with; its mpicxx stands beside mpicc
#   --component-path DIR|none      where mca_fcoll_overlap.so is, "none" where Open MPI finds it by itself
#   --version 4|5|6                its major version
#   --build DIR                    folder for the test programs, by default one that is removed at the end
#   --fcoll NAME                   another component, to try the tests themselves
#   --full                         the whole product instead of a choice: of what takes hours one part of 28, each day another one, or
#                                  that which TEST_PART names (3/28; 0/1 is all)
# From the environment: LEVEL, how much is tested: quick, sample (what releases of Open MPI differ in), all (the default), nightly, of which
# --full has the full product; FIRST: the suite ends with its first failure.
set -u
suite_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
passed=0
failed=0
skipped=0
# An option of the command line comes before them.
level=${LEVEL:-all}
# How often to look for a help message: Open MPI 4.1.4 lost 9 of 40 on their way to mpirun, beside other work ("Data unpack would read past end
# of buffer", "Out of resource" in show_help.c).
attempts=12
# Open MPI's compilers call those of PATH.
here=$(cd "$suite_dir/.." && pwd)
. "$suite_dir/../config/compilers.sh"

# from LEVEL: whether that much, or more, is tested.
from() {
    local each
    for each in quick sample all nightly; do
        [ "$each" != "$1" ] || return 0
        [ "$each" != "$level" ] || return 1
    done
    echo "no level \"$1\" or \"$level\"" >&2
    exit 2
}

# at_levels QUICK SAMPLE ALL NIGHTLY: the words for the level; "=" those of the level before.
at_levels() {
    local each word=
    for each in quick sample all nightly; do
        [ "$1" = = ] || word=$1
        shift
        [ "$each" != "$level" ] || break
    done
    echo "$word"
}

free_mib() { df -Pm "$1" | awk 'NR == 2 { print $4 }'; }

# open_pmix MPICC [ROOT]: docs/guide/install.rst's line for Debian 13 and its like, whose mpirun hands its PMIx's component path to the ranks; that of 4.1 does not.
open_pmix() {
    case $("$1" --showme:version) in *"Open MPI 4."*) return ;; esac
    if grep -qs '^mca_base_component_path' "${2:-}"/usr/lib/*/pmix2/share/pmix-mca-params.conf; then export PMIX_MCA_mca_base_param_files=/dev/null; fi
}

suite_begin() {
    mpirun=mpirun mpicc=mpicc component_path=none version=4 build='' fcoll=overlap full=short
    while [ $# -gt 0 ]; do
        case $1 in
        --mpirun) mpirun=$2 && shift ;;
        --mpicc) mpicc=$2 && shift ;;
        --component-path) component_path=$2 && shift ;;
        --version) version=$2 && shift ;;
        --build) build=$2 && shift ;;
        --fcoll) fcoll=$2 && shift ;;
        --full) full=full level=nightly ;;
        *) echo "$0: unknown argument $1" >&2 && exit 2 ;;
        esac
        shift
    done
    if [ $full = full ]; then
        export TEST_PART=${TEST_PART:-$(($(date +%s) / 86400 % 28))/28}
        echo "of the full product TEST_PART=$TEST_PART"
    fi
    mpicxx=$(dirname "$(command -v "$mpicc")")/$(basename "$mpicc" | sed 's/mpicc/mpicxx/')
    # Open MPI refuses to run as root, in a container as well, unless both are set.
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/overlap-tests.XXXXXX")
    # Memory, where there is some: a container's /dev/shm is often of 64 MiB only.
    data=$scratch/data
    if [ -w /dev/shm ] && [ "$(free_mib /dev/shm)" -gt 512 ]; then data=/dev/shm/overlap-tests.$$; fi
    mkdir -p "$data"
    # Open MPI names a job's memory by 16 bits of a hash of mpirun's process: of two jobs of suites side by side that had the same, one crashed in
    # btl sm and the other hung. Each suite has a folder for it.
    segments=$data.segments
    mkdir -p "$segments"
    export OMPI_MCA_osc_sm_backing_directory=$segments OMPI_MCA_osc_rdma_backing_directory=$segments OMPI_MCA_osc_ucx_backing_directory=$segments
    if [ "$version" -ge 5 ]; then
        export OMPI_MCA_btl_sm_backing_directory=$segments
    else
        export OMPI_MCA_btl_vader_backing_directory=$segments
    fi
    build=${build:-$scratch}
    mkdir -p "$build"
    # shellcheck disable=SC2154
    trap 'code=$?; suite_clean; exit $code' EXIT
    trap 'exit 130' INT TERM
    arguments=(--mca io ompio --mca fcoll "$fcoll")
    if [ "$component_path" != none ]; then
        component_path=$("$suite_dir/../config/component-path.sh" "$component_path" "$mpicc")
        arguments+=(--mca mca_base_component_path "$component_path")
    fi
}

# A suite that has more to take down says how.
suite_down() { :; }
suite_clean() {
    suite_down
    [ -z "${mounted:-}" ] || umount "$mounted"
    umount_storage
    rm -rf "$scratch" "$data" "$segments"
}

# eventually COMMAND...: within 30 s.
eventually() {
    local twentieth
    for ((twentieth = 0; twentieth < 600; twentieth++)); do
        if "$@"; then return 0; fi
        sleep 0.05
    done
    return 1
}

# mount_storage DIR OPTION...: a server of bench/storage that is faster than a test needs it. Where it cannot be, that is said and counted.
stored=()
mount_storage() {
    local answer code=0
    mkdir -p "$1"
    answer=$("$suite_dir/../bench/storage" mount "$1" --mbps 4000 "${@:2}" 2>&1) || code=$?
    if [ $code = 77 ]; then
        skip "a storage server in ${1##*/}: $answer"
    elif [ $code != 0 ]; then
        echo "FAIL bench/storage: $answer"
        failed=$((failed + 1))
    else
        stored+=("$1")
    fi
    return $code
}

umount_storage() {
    local each
    for each in "${stored[@]}"; do "$suite_dir/../bench/storage" umount "$each" >/dev/null; done
    stored=()
}

# suite_compile SOURCE...: once in a suite each, on all processors.
declare -A compiled=()
suite_compile() {
    local source sources=()
    for source in "$@"; do
        [ -n "${compiled[$source]:-}" ] || sources+=("$source")
        compiled[$source]=yes
    done
    [ ${#sources[@]} != 0 ] || return 0
    # shellcheck disable=SC2016
    printf '%s\0' "${sources[@]}" | xargs -0 -P "$(nproc)" -n 1 sh -c 'name=$(basename "$3" .cc) && rm -f "$2/$name.o" &&
        exec "$1" -std=c++17 -O1 -g1 -Wall -Wextra -Wno-cast-function-type -DOMPI_SKIP_MPICXX -c -o "$2/$name.o" "$3"' sh "$mpicxx" "$build"
}

# suite_build NAME [OPTION...] SOURCE|OBJECT...: a program of the suite; options are for the linker.
suite_build() {
    local program=$1 argument options=() sources=() objects=()
    shift
    for argument in "$@"; do
        case $argument in
        -*) options+=("$argument") ;;
        *.o) objects+=("$argument") ;;
        *) sources+=("$argument") && objects+=("$build/$(basename "$argument" .cc).o") ;;
        esac
    done
    suite_compile "${sources[@]}"
    if ! "$mpicxx" -o "$build/$program" "${objects[@]}" "${options[@]}" -lpthread; then
        echo "FAIL $program does not compile"
        failed=$((failed + 1))
        return 1
    fi
}

# internal_headers: sets `internals`, the flags for a program that includes internal headers of Open MPI. Debian keeps PMIx's headers in a
# folder of their own, and not all Open MPIs install the headers that those of the accelerator include.
internal_headers() {
    local within pmix
    within=$(command -v "$(dirname "$(command -v "$mpicc")")/enter")
    read -ra pmix <<<"$($within pkg-config --cflags pmix 2>/dev/null)"
    internals=(-isystem "$("$mpicc" --showme:incdirs | awk '{ print $1 }')/openmpi" "${pmix[@]}" -I"$suite_dir/../ompi/mca/fcoll/overlap")
}

# How often the kernel has said that its own workers, those of a loop device among them, had no processor for half a minute. Linux 6.18 with ranks
# that yield all the time: seen once in some thousand jobs, and nothing that a rank can do or wait for ends it.
starved_workers() { dmesg 2>/dev/null | grep -c 'workqueue lockup'; }

# run_command SECONDS NAME COMMAND...: the counts on the last line of the program that it starts are added to the suite's.
run_command() {
    local seconds=$1 name=$2
    shift 2
    local log=$scratch/case.log
    local command=("$suite_dir/within.sh" "$seconds" "$@")
    local began=$SECONDS starved code=0 line
    starved=$(starved_workers)
    "${command[@]}" </dev/null >"$log" 2>&1 || code=$?
    if [ $code = 124 ] && [ "$(starved_workers)" != "$starved" ]; then
        echo "     $name did not end within $seconds seconds, in which the kernel's workers stood still: once more"
        code=0
        "${command[@]}" </dev/null >"$log" 2>&1 || code=$?
    fi
    # 5.x puts a null byte behind a help message, which then stands in front of the line.
    line=$(grep -aoE '[0-9]+ passed, [0-9]+ failed$' "$log" | tail -1)
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    fi
    if [ $code != 0 ] || [ -z "$line" ]; then
        [ -n "$line" ] && [ "${BASH_REMATCH[2]}" != 0 ] || failed=$((failed + 1))
        echo "FAIL $name (exit code $code); to repeat it: $*"
        grep -aE '^FAIL' "$log" | head -20
        if [ $code = 124 ]; then sed -n '/^it did not end/,$p' "$log" | head -200; else tail -20 "$log"; fi
        end_if_first
    else
        echo "ok   $name: $line ($((SECONDS - began)) s)"
    fi
}

# run_case RANKS SECONDS PROGRAM ARGUMENT...: a program of the suite with the suite's arguments for mpirun.
run_case() {
    local ranks=$1 seconds=$2 program=$3
    shift 3
    run_command "$seconds" "$program $* with $ranks ranks" \
        "$mpirun" --oversubscribe -n "$ranks" "${arguments[@]}" "$build/$program" "$@"
}

# holds NAME COMMAND...: one test, the command's exit code says how it went.
holds() {
    local name=$1
    shift
    if "$@" >"$scratch/holds.log" 2>&1; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name: $*"
        tail -30 "$scratch/holds.log"
        end_if_first
    fi
}

is() { echo "$1, expected $2" && [ "$1" = "$2" ]; }

# answers CODE PATTERN COMMAND...: the exit code, and the pattern in the output, which is kept in $scratch/answer. It may take `patience`
# seconds, 300 by default: that is for what hangs, not for what is slow.
answers() {
    local code=$1 pattern=$2 actual try
    shift 2
    # The mpirun of 4.1 loses messages of processes (22 of 180 jobs lost one, on two busy processors), those of Open MPI as well, and says so.
    # Which one it was is not known then.
    for try in {1..10}; do
        actual=0
        timeout "${patience:-300}" "$@" >"$scratch/answer" 2>&1 || actual=$?
        grep -q 'ORTE_ERROR_LOG: .*orte/util/show_help.c' "$scratch/answer" || break
    done
    cat "$scratch/answer"
    echo "exit code $actual, expected $code and \"$pattern\""
    [ $actual = "$code" ] && grep -qE -- "$pattern" "$scratch/answer"
}

# steadily COMMAND...: of what measures rates, up to three times. While a hypervisor gives the processors to others (vmstat, steal) they are
# off; what is wrong with the thing that is measured stays.
steadily() {
    local try
    for try in 1 2 3; do
        [ $try = 1 ] || sleep 10
        "$@" && return
    done
    return 1
}

skip() {
    echo "skip $*"
    skipped=$((skipped + 1))
}

end_if_first() {
    [ -z "${FIRST:-}" ] || { suite_end; exit 1; }
}

suite_end() {
    if [ "$skipped" = 0 ]; then
        echo "$passed passed, $failed failed"
    else
        echo "$passed passed, $failed failed, $skipped skipped"
    fi
    [ "$failed" = 0 ]
}
