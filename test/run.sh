#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sets up what is missing, then tests. The last line is "N passed, N failed", above it a table tells of each suite how long it took.
#   test/run.sh [quick|all|nightly] [--first] [--no-install] [PART...]
# quick    what sees most mistakes soonest: format, a build with warnings as errors, the unit tests, one functional suite
# all      (the default) what guards correctness on every release of Open MPI
# nightly  the full products of algorithms, rank counts and patterns, a part of them each day, all packages, the papers, an Open MPI from source
# Parts, those of the level where none is named:
#   style        clang-format, clang-tidy, the symbols of the component, the order of includes, licences
#   unit         unit tests: plain; but for quick with ASan and UBSan, and those of several threads with TSan
#   functional   mpirun with the packaged Open MPI, which is 4.1 on Debian 12
#   releases     the Open MPI of Debian 13 (5.0.7) and unstable (6.0), each in a folder of its own, and components of one offered to another
#   cluster      mpirun over emulated hosts; more ranks than processors by far
#   fault        full disks, file size limits, closed descriptors, a failing storage server
#   clients      parallel HDF5 and PnetCDF
#   programs     programs of Debian that write by MPI-IO: LAMMPS, netCDF, h5py, mpi4py, PETSc; their packages are installed, unless --no-install says no
#   others       nightly: the tests of HDF5 and PnetCDF, from the source packages of the installed libraries, where vulcan passes them
#   filesystems  emulated hosts that share an ext4; nightly GlusterFS, MooseFS and CephFS on loop devices, with a client for each host
#   leaks        functional tests under valgrind
#   build        what configure says where something is missing, make install-user, the drop-in, README and docs/; nightly all ways to build that
#   bench        the tools of bench/: the emulated cluster and storage, the kernels, the comparison, the sweep; nightly the papers
#   packages     recipes and the tarball; nightly the Debian packages of 12, 13 and unstable, each built, used and removed in a folder of its own
#   dropin       nightly: Open MPI 5.0.7 from source with the component in its tree, and the component outside it
#   mutants      nightly: whether the tests see the mistakes of test/mutants, a seventh of them each day; test/mutants/run full tries all
#   tree         as dropin with the Open MPI source tree, 5.0 or later, that OVERLAP_TREE names; OVERLAP_TREE_FLAGS are options of its configure,
#                OPENMPI_AUTOGEN those of its autogen.pl
# --first ends with the first failure and says which it was; --no-install takes the packages as they are. What is built is in build-* of this
# checkout; what other checkouts can use is in OVERLAP_CACHE (default ~/.cache/overlap).
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here" || exit 1
. "$here/config/compilers.sh"
cache=$cache_of_all
logs=$here/build-logs
# shellcheck disable=SC2034
quick_parts="style functional unit"
all_parts="style unit releases functional cluster fault clients programs filesystems leaks build bench packages"
nightly_parts="$all_parts others dropin mutants tree"
level=all
install=yes
parts=
for argument in "$@"; do
    case $argument in
    quick | all | nightly) level=$argument ;;
    --first) export FIRST=yes ;;
    --no-install) install=no ;;
    -h | --help)
        sed -n '5,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
        exit 0
        ;;
    *)
        [[ " $nightly_parts " == *" $argument "* ]] || { echo "test/run.sh: no part \"$argument\"; parts: $nightly_parts" >&2; exit 2; }
        parts="$parts $argument"
        ;;
    esac
done
export LEVEL=$level OVERLAP_INSTALL=$install
level_parts=${level}_parts
parts=${parts:-${!level_parts}}
# Seconds that a suite may take. Far more than it does: the limit is for what hangs.
limit=$([ $level = nightly ] && echo 20000 || echo 1200)
rm -rf "$logs"
mkdir -p "$logs" "$cache"
# Open MPI refuses to run as root, in a container as well, unless both are set.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# The programs of bench/ are only tested here: they need not be fast, and compile in half of the time.
export OVERLAP_BENCH_FLAGS=-O0

. "$here/test/suites.sh"

# standalone NAME [configure option...]: sets `build` and `prefix`, or counts a failure.
standalone() {
    local name=$1 line
    if line=$("$here/config/standalone.sh" "$@"); then
        read -r build prefix <<<"${line##*$'\n'}"
    else
        record build 0 1 0 "$name does not compile"
        return 1
    fi
}

# The Open MPI 5.0.7 with the component in it, made once: sets `ompi5`.
need_ompi5() {
    if [ -z "${ompi5:-}" ]; then
        say "Open MPI 5.0.7 with the component in its source tree (the first time takes about ten minutes)"
        ompi5=$("$here/config/openmpi-5.sh" | tail -1)
        { [ -n "$ompi5" ] && [ -x "$ompi5/bin/mpirun" ]; } || ompi5=failed
    fi
    [ "$ompi5" != failed ] || { record "$1: drop-in build" 0 1 0; return 1; }
}

# version_of MPICC: of its Open MPI, as 4.1.4.
version_of() { "$1" --showme:version | sed 's/.*Open MPI \([^ ]*\).*/\1/'; }

# The standalone component for the packaged Open MPI, made once: sets `build`, `prefix`, and `series`, as 4.1.
made_packaged=
need_packaged() {
    if [ -z "$made_packaged" ]; then
        standalone packaged --enable-werror && made_packaged="$build $prefix" || made_packaged=failed
        series=$(version_of mpicc.openmpi | grep -oE '^[0-9]+\.[0-9]+')
    fi
    [ "$made_packaged" != failed ] && read -r build prefix <<<"$made_packaged"
}

check_format() { make -C "$build" check-format; }

# Only the component struct is visible, and no MPI_* or PMPI_* function is called (Open MPI 6.1 rules that out).
check_symbols() {
    local library=$prefix/lib/openmpi/mca_fcoll_overlap.so
    local visible called
    visible=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -v '^mca_fcoll_overlap_component$')
    called=$(nm -D --undefined-only "$library" | awk '{print $2}' | grep -E '^P?MPI_')
    [ -z "$visible" ] || echo "visible beside the component struct: $visible"
    [ -z "$called" ] || echo "called: $called"
    [ -z "$visible$called" ]
}

# The same in the sources, where the parts for other Open MPIs are as well. Comments may name what a program calls; names of types and
# handles are no calls.
check_calls() {
    # The header is for programs, into which alone it is compiled.
    # shellcheck disable=SC2016
    ! find "$here/ompi" \( -name '*.c' -o -name '*.cc' -o -name '*.h' \) ! -name overlap_declare.h -print0 |
        xargs -0 -n 20 -P "$(nproc)" sh -c 'for file; do
            "${CC:-cc}" -w -fpreprocessed -dD -E -P "$file" | grep -HE --label="$file" "\\<P?MPI_[A-Z][a-z]+(_[a-z_]+)? *\\("
        done; true' sh | grep .
}

# Each line is an include of the engine against the order of its folders: the last of the rules in its developer's guide.
check_includes() {
    # shellcheck disable=SC2016
    ! (cd "$here/ompi/mca/fcoll/overlap/engine" && grep -roE '^#include "[^"]+"' .) | awk -F '(:#include )?"|^\\./' '
        function folder(path) { return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "file" }
        BEGIN {
            count = split("base access team placement schedule policy plan shuffle io merge call stages file", order, " ")
            for (i = 1; i <= count; ++i) place[order[i]] = i
        }
        {
            file = path = $2
            sub("[^/]*$", "", path)
            path = path $3
            while (sub("[^/.]+/\\.\\./", "", path)) continue
            from = folder(file)
            to = folder(path)
            if (path ~ "^\\.\\./" || path == "ports.h" || path == "entry.h" || from == to) next
            if (from == "observe") right = place[to] <= place["plan"]
            else if (to != "observe") right = place[to] < place[from]
            else right = place[from] > place["call"] || (from ~ "^(shuffle|call)$" && path ~ "/(watch|recorder).h$")
            if (!right) print file " includes " path
        }' | grep .
}

# The same of the glue: its folders from the lowest to the highest, those of one level apart from each other, and what Open MPI asks for above.
check_glue_includes() {
    # shellcheck disable=SC2016
    ! (cd "$here/ompi/mca/fcoll/overlap" && grep -oE '^ *# *include "[^"]+"' ./*.[ch] compat/*.[ch] glue/*/*.[ch]) | sed 's,^\./,,' | awk -F '(: *# *include )?"' '
        function folder(path) { return path ~ "/" ? substr(path, 1, match(path, "/[^/]*$") - 1) : "" }
        function level(path) {
            if (path ~ "^(engine/|help_|compat/.*\\.h$)") return 0
            if (path ~ "^compat/") return 6
            if (path ~ "^fcoll_overlap(_compat|_params)?\\.h$") return 1
            if (path !~ "/") return 6
            return of[folder(path)]
        }
        BEGIN { split("base 2 nonblocking 3 host 4 transport 4 storage 4 file 5", words, " "); for (i = 1; i < 12; i += 2) of["glue/" words[i]] = words[i + 1] }
        {
            path = $2
            if (path ~ "^(ompi|opal)/|_config.h$") next
            if (path !~ "^(glue|engine|compat/|help_)") path = (folder($1) == "" ? "" : folder($1) "/") path
            while (sub("[^/.]+/\\.\\./", "", path)) continue
            if (level(path) >= level($1) && folder(path) != folder($1)) print $1 " includes " path
        }' | grep .
}

# Each line is a source file that does not say under which licence it is.
check_licences() { ! git ls-files '*.c' '*.cc' '*.h' '*.m4' '*.py' '*.sh' | xargs grep -L 'SPDX-License-Identifier: BSD-3-Clause' | grep .; }

part_style() {
    alone
    need_packaged || return
    # Each release of these tools has other opinions. One that is not there fails.
    if ! command -v clang-format >/dev/null || clang-format --version | grep -q 'version 14\.'; then
        check format check_format
        [ $level = quick ] || check tidy "$here/config/tidy.sh" $([ $level != nightly ] || echo --all)
    else
        skips+=("format, tidy: the sources have the form of clang 14, which is Debian 12's")
    fi
    check symbols check_symbols
    check calls check_calls
    check includes check_includes
    check glue-includes check_glue_includes
    check licences check_licences
}

# flavour_options FLAVOUR: sets `options`, those of config/standalone.sh for the unit tests, and `watched`.
flavour_options() {
    # With -O3 and -g they take twice as long to compile and are hardly faster; reports need the lines only.
    local lines=(CFLAGS="-Og -g1" CXXFLAGS="-Og -g1")
    watched="-Og -g1 -fno-omit-frame-pointer -fsanitize"
    case $1 in
    plain) options=(packaged --enable-werror) ;;
    asan) options=(asan --enable-sanitizer=address,undefined "${lines[@]}" --enable-werror) ;;
    tsan) options=(tsan --enable-sanitizer=thread "${lines[@]}" --enable-werror) ;;
    esac
}

part_unit() {
    [ "$level" = quick ] || alone
    local flavour aslr=
    local -a options tests program
    local watched
    # TSan's shadow memory collides with the wide address space randomisation of newer kernels.
    if setarch "$(uname -m)" -R true 2>/dev/null; then aslr="setarch $(uname -m) -R"; fi
    for flavour in plain $([ $level = quick ] || echo asan tsan); do
        flavour_options $flavour
        case $flavour in
        plain) tests=(CFLAGS="-O1 -g1" CXXFLAGS="-O1 -g1") program=unit_tests ;;
        # UBSan looks at the engine alone: the tests take twice as long to compile with it.
        asan) tests=(CFLAGS="$watched=address" CXXFLAGS="$watched=address") program=unit_tests ;;
        tsan) tests=(CFLAGS="$watched=thread" CXXFLAGS="$watched=thread") program=threaded_tests ;;
        esac
        # Of the component they have the engine alone.
        standalone --only-configure "${options[@]}" || continue
        say "unit tests, $flavour: building"
        if ! { make -C "$build/ompi/mca/fcoll/overlap" -j"$(nproc)" libengine.la &&
            make -C "$build/test/unit" -j"$(nproc)" $program "${tests[@]}"; } >"$logs/unit-$flavour.log" 2>&1; then
            tail -30 "$logs/unit-$flavour.log"
            record build 0 1 0 "the unit tests, $flavour, do not compile"
            continue
        fi
        # What counts allocations, where sanitizers take them over, finds nothing that the same calls elsewhere do not have.
        # shellcheck disable=SC2086
        case $flavour in
        plain) OVERLAP_ALL_CASES=$([ $level != nightly ] || echo 1) unit unit-plain "$build/test/unit/$program" $([ $level = nightly ] || echo "--gtest_filter=-*Slow*") ;;
        asan) unit unit-asan "$build/test/unit/$program" "--gtest_filter=-Memory.*:*Slow*" ;;
        tsan)
            # TSan finds what no lock and no message orders, whenever it runs; and on one processor, where no other has to be told of each
            # new page of its shadow memory, it takes half of the time. The other flavours run their threads on all processors.
            pinned=yes unit unit-tsan $aslr "$build/test/unit/$program" "--gtest_filter=-Memory.*:*Slow*"
            ;;
        esac
    done
}

# on_packaged NAME SCRIPT and on5 NAME SCRIPT: a suite with the packaged Open MPI, with 5.0.7 from source.
on_packaged() {
    need_packaged || return
    suite "$1-$series" "$2" --mpirun "$(command -v mpirun.openmpi)" --mpicc "$(command -v mpicc.openmpi)" \
        --component-path "$prefix/lib/openmpi" --version "${series%%.*}" "${@:3}"
}
on5() {
    need_ompi5 "$1" || return
    suite "$1" "$2" --mpirun "$ompi5/bin/mpirun" --mpicc "$ompi5/bin/mpicc" --component-path none --version 5
}

part_functional() {
    on_packaged functional "$here/test/functional/run.sh" $([ $level != nightly ] || echo --full)
    [ $level != quick ] || return 0
    on_packaged values "$here/test/functional/values.sh"
    on_packaged placement "$here/test/functional/placement.sh"
    on_packaged opens "$here/test/functional/opens.sh"
    on_packaged report "$here/test/functional/report.sh"
    on_packaged trace "$here/test/functional/trace.sh"
}
part_cluster() {
    on_packaged cluster "$here/test/functional/cluster.sh"
    on_packaged many-ranks "$here/test/functional/many_ranks.sh"
}
part_fault() { on_packaged fault "$here/test/fault/run.sh"; }
part_clients() { on_packaged clients "$here/test/clients/run.sh"; }
part_programs() { on_packaged programs "$here/test/programs/run.sh"; }
part_others() { on_packaged others "$here/test/others/run.sh"; }
# One distributed file system at a time, whose servers need a processor.
part_filesystems() {
    alone
    on_packaged filesystems "$here/test/filesystems/run.sh"
    alone
}
part_leaks() { on_packaged leaks "$here/test/leaks/run.sh"; }

part_build() {
    # It takes installations away and makes them again.
    alone
    suite build-dropin "$here/test/build/dropin.sh"
    suite build-in-tree "$here/test/build/in_tree.sh"
    suite build-debian "$here/test/build/debian.sh"
    alone
    need_packaged || return
    on_packaged docs "$here/test/docs/run.sh"
    alone
    if [ $level = nightly ]; then need_ompi5 build || return; fi
    # shellcheck disable=SC2154
    suite build "$here/test/build/run.sh" --build "$build" ${ompi5:+--ompi5 "$ompi5"}
    alone
    made_packaged=
}

part_bench() {
    # Without MPI.
    suite bench-placement "$here/test/bench/placement_test.sh"
    suite bench-topology "$here/test/bench/topology_test.sh"
    suite bench-regret "$here/test/bench/regret_test.sh"
    suite bench-plan "$here/test/bench/plan_test.sh"
    suite bench-simulate "$here/test/bench/simulate_test.sh"
    suite bench-model "$here/test/bench/model_test.sh"
    suite bench-sweep-slurm "$here/test/bench/sweep_slurm_test.sh"
    suite bench-results "$here/test/bench/results_test.sh"
    suite bench-timeline "$here/test/bench/timeline_test.sh"
    suite bench-pages "$here/test/bench/pages_test.sh"
    suite bench-command "$here/test/bench/command_test.sh"
    on_packaged bench-doctor "$here/test/bench/doctor_test.sh"
    on_packaged bench-sweep "$here/test/bench/sweep_test.sh"
    on_packaged bench-kernels "$here/test/bench/kernels_test.sh"
    on_packaged bench-compare-program "$here/test/bench/compare_program_test.sh"
    on_packaged bench-compare "$here/test/bench/compare_test.sh"
    on_packaged bench-against "$here/test/bench/against_test.sh"
    on_packaged bench-never-slower "$here/test/bench/never_slower_test.sh"
    on_packaged bench-pieces "$here/test/bench/pieces_test.sh"
    # They look at the mounts and the network of the whole machine.
    wide=1
    alone
    suite bench-storage "$here/test/bench/storage_test.sh"
    on_packaged bench-cluster "$here/test/bench/cluster_test.sh"
    [ $level != nightly ] || on_packaged bench-papers "$here/test/bench/papers_test.sh"
    alone
    wide=2
}

# component_of_release SUITE: the component for Debian's own Open MPI of that suite, from a tarball in `dist`, as it has no autotools. Prints what
# config/standalone.sh does.
component_of_release() {
    local there
    there=$("$here/config/openmpi-debian.sh" "$1" | tail -1) && [ -n "$there" ] &&
        "$there/bin/enter" "$dist/config/standalone.sh" "$1" CFLAGS="-O0 -g1" CXXFLAGS="-O0 -g1"
}

# release SUITE: sets `there`, where that Open MPI is, and `prefix`, where the component for it is. Where there can be no such folder that is
# said; a release that cannot be installed today is no failure of the component.
release() {
    local code=0 line
    say "Open MPI of Debian $1"
    there=$("$here/config/openmpi-debian.sh" "$1" | tail -1; exit "${PIPESTATUS[0]}") || code=$?
    if [ $code = 77 ]; then
        skips+=("release-$1: it cannot be had here")
        return 1
    fi
    [ $code = 0 ] || { record "release-$1" 0 1 0; return 1; }
    if [ "$(version_of "$there/bin/mpicc")" = "$(version_of mpicc.openmpi)" ]; then
        skips+=("release-$1: it is the packaged one, which the other parts have")
        return 1
    fi
    line=$(component_of_release "$1") || { record "release-$1" 0 1 0 "the component does not compile"; return 1; }
    prefix=${line##* }
    offers+=("$(version_of "$there/bin/mpicc")" "$there/bin" "$prefix/lib/openmpi")
}

# on_release FOLDER [SUITE]: a sample of a suite of test/ with the Open MPI and the component that `there`, `component`, `version` and `name` tell of.
on_release() {
    LEVEL=$([ $level = nightly ] && echo nightly || echo sample) suite "${2:-$1}-$name" "$here/test/$1/${2:-run}.sh" --mpirun "$there/bin/mpirun" \
        --mpicc "$there/bin/mpicc" --component-path "$component" --version "$version"
}

part_releases() {
    local offers=() ready=() folder=$cache/mpi-packaged dist=$cache/dist each component name version
    alone
    need_packaged || return
    rm -rf "$dist" "$build"/overlap-*.tar.gz
    mkdir "$dist"
    check dist make -C "$build" dist
    tar xf "$build"/overlap-*.tar.gz -C "$dist" --strip-components=1
    # Names without Debian's ending.
    mkdir -p "$folder"
    ln -sf "$(command -v mpirun.openmpi)" "$folder/mpirun"
    ln -sf "$(command -v mpicc.openmpi)" "$folder/mpicc"
    offers+=("$(version_of mpicc.openmpi)" "$folder" "$prefix/lib/openmpi")
    # Beside ranks that wait for each other a compiler takes five times as long: both are built before any begins, and beside each other, as
    # configure keeps one processor busy.
    for each in trixie unstable; do begin_early component-$each component_of_release $each; done
    for each in trixie unstable; do
        ! release $each || ready+=("$each $there $prefix/lib/openmpi")
    done
    for each in "${ready[@]}"; do
        read -r each there component <<<"$each"
        case $each in trixie) name=debian-13 version=5 ;; *) name=6.0 version=6 ;; esac
        on_release functional
        # What 5.0 has of these, the two around it show.
        if [ $version = 6 ] || [ $level = nightly ]; then
            on_release functional cluster
            on_release functional values
            on_release fault
        fi
        if [ $level = nightly ]; then
            on_release functional placement
            on_release clients
            on_release programs
        fi
    done
    need_packaged
    suite other-open-mpi "$here/test/build/other_open_mpi.sh" --build "$build" "${offers[@]}"
}

part_packages() {
    need_packaged || return
    suite recipes "$here/test/build/recipes.sh" --mpicc "$(command -v mpicc.openmpi)" --build "$build"
    [ $level = nightly ] || return 0
    local each there code
    alone # recipes makes a tarball in the same folder
    # The tarball is whole: it configures, builds, installs, removes and cleans up in a tree that cannot be written. Part unit runs the tests.
    check distcheck make -C "$build" distcheck DISTCHECK_CONFIGURE_FLAGS=ac_cv_header_gtest_gtest_h=no
    for each in bookworm trixie unstable; do
        code=0
        there=$("$here/config/openmpi-debian.sh" "$each" | tail -1; exit "${PIPESTATUS[0]}") || code=$?
        case $code in
        0) suite "packages-$each" "$here/test/build/packages.sh" "$there" "$build"/overlap-*.tar.gz ;;
        77) skips+=("packages-$each: this Debian cannot be had here") ;;
        *) record "packages-$each" 0 1 0 ;;
        esac
    done
}

part_dropin() {
    alone
    on5 functional-5.0.7-dropin "$here/test/functional/run.sh"
    on5 values-5.0.7-dropin "$here/test/functional/values.sh"
    on5 report-5.0.7-dropin "$here/test/functional/report.sh"
    on5 cluster-5.0.7 "$here/test/functional/cluster.sh"
    on5 fault-5.0.7 "$here/test/fault/run.sh"
    JOBS_ONLY=yes on5 bench-compare-5.0.7 "$here/test/bench/compare_test.sh"
    JOBS_ONLY=yes on5 bench-kernels-5.0.7 "$here/test/bench/kernels_test.sh"
    on5 bench-pieces-5.0.7 "$here/test/bench/pieces_test.sh"
    # Kernels of bench/ from the memory of a GPU, where there is one that this Open MPI knows, and of a stand-in.
    on5 gpu-5.0.7 "$here/test/bench/device_test.sh"
    alone
    suite build-both-ways "$here/test/build/both_ways.sh" "$(dirname "$ompi5")"
    installed5
}
part_mutants() {
    alone
    # The mistakes of all seven days take more than an hour on two processors.
    suite mutants "$here/test/mutants/run" full --part $(($(date +%s) / 86400 % 7))/7
}

# The component path names no default folder, so the drop-in copy in the same installation is out of reach.
installed5() {
    standalone 5 --with-openmpi-install="$ompi5" --enable-werror CFLAGS="-O0 -g1" CXXFLAGS="-O0 -g1" || return
    local kernel=$build/demo_kernel target=$build/smoke.dat algorithm
    check installed5-kernel "$ompi5/bin/mpicc" -O2 -o "$kernel" "$here/bench/demo_kernel.c"
    for algorithm in none comm write write-comm write-comm-2 dataflow; do
        check "installed5-$algorithm" timeout 120 "$ompi5/bin/mpirun" --oversubscribe -np 4 --mca mpi_yield_when_idle 1 --mca io ompio \
            --mca mca_base_component_path "$prefix/lib/openmpi" --mca fcoll overlap --mca fcoll_overlap_algorithm $algorithm \
            "$kernel" "$target" 1000 2000 1
    done
    rm -f "$target"
}

part_tree() {
    local there version each
    if [ -z "${OVERLAP_TREE:-}" ]; then
        skips+=("tree: OVERLAP_TREE names no source tree")
        return
    fi
    say "the Open MPI of $OVERLAP_TREE with the component in it (the first time takes about ten minutes)"
    # shellcheck disable=SC2086
    there=$("$here/config/openmpi-tree.sh" "$OVERLAP_TREE" ${OVERLAP_TREE_FLAGS:-} | tail -1)
    { [ -n "$there" ] && [ -x "$there/bin/mpirun" ]; } || { record "tree: drop-in build" 0 1 0; return; }
    version=$(version_of "$there/bin/mpicc")
    for each in functional:run functional:report fault:run; do
        suite "$(sed 's/:run//; s/.*://' <<<"$each")-$version-tree" "$here/test/${each/://}.sh" --mpirun "$there/bin/mpirun" --mpicc "$there/bin/mpicc" \
            --component-path none --version "${version%%.*}"
    done
}

say "$level: $parts"
if [ $install = yes ]; then
    if ! "$here/config/install-packages.sh"; then
        echo "test/run.sh: packages are missing" >&2
        record packages 0 1 0
        parts=
    fi
    # ccache among them.
    . "$here/config/compilers.sh"
fi
case " $parts " in *" releases "*) for release in trixie unstable; do begin_early $release "$here/config/openmpi-debian.sh" $release; done ;; esac
# While the packaged component is configured one processor has nothing to do.
if [ $level != quick ] && [[ " $parts " = *" unit "* ]]; then
    for flavour in asan tsan; do
        flavour_options $flavour
        begin_early configure-$flavour "$here/config/standalone.sh" --only-configure "${options[@]}"
    done
fi
case " $parts " in *" dropin "*) begin_early openmpi-5 "$here/config/openmpi-5.sh" ;; esac
set_up=$((SECONDS - started))
for part in $parts; do
    "part_$part"
done
alone

report "$set_up"
[ $failed = 0 ] && [ $passed != 0 ]
