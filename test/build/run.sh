#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# What configure says where something is missing, and what the installations hold.
#   test/build/run.sh --build DIR [--ompi5 PREFIX]
# DIR is a standalone build for the packaged Open MPI that is installed, PREFIX an Open MPI 5.x with the component built in its tree, of which
# there is more to be seen.
# LEVEL=nightly also configures with other compilers and without libraries, and uninstalls. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
while [ $# -gt 1 ]; do
    case $1 in
    --build) build=$2 ;;
    --ompi5) ompi5=$2 ;;
    esac
    shift 2
done
: "${build:?}" "${ompi5:=}"
nightly=no
[ "$level" != nightly ] || nightly=yes
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# result NAME CODE
result() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $1"
    else
        failed=$((failed + 1))
        echo "FAIL  $1"
    fi
}

# What configure found for DIR, as a cache file: most of its time goes into these questions. A variable on the command line stands before it.
sed -n '/^## Cache variables/,/^## Output/{/^ac_cv_env/d; s/^\([A-Za-z0-9_]*_cv_[A-Za-z0-9_]*\)=.*/test ${\1+y} || &/p}' "$build/config.log" >"$scratch/known"

# stops NAME TEXT [VARIABLE=VALUE...] [--option...]: configure fails, and its message has the text. All run at the same time, each in a
# folder of its own; stopped tells how they went.
names=()
runs=()
stops() {
    local text=$2 folder=$scratch/stops.${#names[@]}
    names+=("$1")
    shift 2
    mkdir "$folder"
    (
        cd "$folder" || exit 1
        cp ../known .
        if "$here/configure" --cache-file=known "$@" >output 2>&1; then
            echo "configure did not stop" >>output
            exit 1
        fi
        grep -qe "$text" output
    ) &
    runs+=($!)
}
stopped() {
    local i code
    for ((i = 0; i < ${#names[@]}; i++)); do
        wait "${runs[i]}"
        code=$?
        [ $code = 0 ] || tail -5 "$scratch/stops.$i/output"
        result "${names[i]}" $code
    done
}

stops "missing hwloc names the package" libhwloc-dev ac_cv_header_hwloc_h=no
stops "a hwloc that does not link names the option" --with-hwloc ac_cv_lib_hwloc_hwloc_topology_init=no
stops "missing libaio names the package" libaio-dev --with-libaio ac_cv_header_libaio_h=no
stops "missing nlohmann-json names the package" nlohmann-json3-dev --with-nlohmann ac_cv_header_nlohmann_json_hpp=no
stops "missing Open MPI names the package" "libopenmpi-dev.*--with-ompi" --with-ompi="$scratch/nowhere"
# The headers of a build with --enable-debug, whose objects are larger, beside a library without.
if [ -n "$ompi5" ]; then
    mkdir "$scratch/debug"
    cp -r "$ompi5/include" "$scratch/debug/"
    ln -s "$ompi5/lib" "$ompi5/share" "$scratch/debug/"
    sed -i 's/#define OPAL_ENABLE_DEBUG 0/#define OPAL_ENABLE_DEBUG 1/' "$scratch/debug/include/openmpi/opal_config.h"
    OPAL_PREFIX=$scratch/debug stops "headers that are not the library's name the option" --with-openmpi-source=DIR --with-openmpi-install="$ompi5"
fi
stops "a wrong source tree is named" "$scratch is not the top folder" --with-ompi-source="$scratch"
stopped

# lists OMPI_INFO: every parameter is shown.
lists() {
    local name shown
    shown=$("$1" --param fcoll overlap --level 9)
    for name in algorithm shuffle window_threshold put_threshold throttle writer slots partition placement holes reads writes topology topology_bandwidths aggregators_per_node \
        domains_per_rank eager_bytes rules priority; do
        grep -q "fcoll_overlap_$name\"" <<<"$shown" || { echo "no parameter $name"; return 1; }
    done
}

# For people who look at ompi_info: few parameters at their level, and no text that takes more than a line of 100 characters.
levels() {
    local counts
    counts=$(for level in 3 5 9; do ompi_info --param fcoll overlap --level $level --parsable | grep -c ':param:fcoll_overlap_.*:level:'; done)
    [ "$(head -1 <<<"$counts")" = 5 ] && [ "$(sed -n 2p <<<"$counts")" -gt 5 ] && [ "$(tail -1 <<<"$counts")" -gt "$(sed -n 2p <<<"$counts")" ]
}
too_long() { ompi_info --param fcoll overlap --level 9 --parsable | sed -n 's/^mca:fcoll:overlap:.*:help:"\{0,1\}\(.*[^"]\)"\{0,1\}$/\1/p' | grep -E '.{101}'; }

prefix=$(sed -n 's/^prefix = //p' "$build/Makefile")
# looks_in FOLDER: the component path with it.
looks_in() { "$here/config/component-path.sh" "$1" mpicc.openmpi; }
installed=$(looks_in "$prefix/lib/openmpi")
[ -e "$prefix/lib/openmpi/mca_fcoll_overlap.so" ] && [ -e "$prefix/share/openmpi/help-fcoll-overlap.txt" ]
result "make install: PREFIX/lib/openmpi and PREFIX/share/openmpi" $?

make -C "$scratch" -f "$here/examples/placement/Makefile" INCLUDE="$prefix/include" CFLAGS="-Wall -Wextra -Werror" >"$scratch/output" 2>&1 &&
    nm -D --defined-only "$scratch/greedy.so" | grep -q ' overlap_placement_plugin$'
result "make install: PREFIX/include/overlap_placement.h is all that the example plugin needs" $?

printf '#include <overlap_declare.h>\nint main(void) { return overlap_declare(MPI_FILE_NULL, 0, NULL); }\n' >"$scratch/declares.c"
mpicc -std=c99 -Wall -Wextra -Werror -I"$prefix/include" -o "$scratch/declares" "$scratch/declares.c" >"$scratch/output" 2>&1
result "make install: PREFIX/include/overlap_declare.h is all that a program needs that declares its writes" $?

(export OMPI_MCA_mca_base_component_path=$installed && lists ompi_info)
result "ompi_info lists the component of a component path" $?
(export OMPI_MCA_mca_base_component_path=$installed && levels)
result "ompi_info shows five parameters at level 3, an administrator's at 5, the rest at 9" $?
(export OMPI_MCA_mca_base_component_path=$installed && ! too_long)
result "no help text has more than 100 characters" $?

version=$(sed -n 's/^OVERLAP_OMPI_VERSION = //p' "$build/Makefile")
mkdir "$scratch/home"
open_pmix mpicc.openmpi
(
    export HOME=$scratch/home
    ! make -C "$build" check-installed >"$scratch/output" 2>&1 &&
        make -C "$build" install-user >>"$scratch/output" 2>&1 && lists ompi_info
)
result "make install-user: ompi_info lists it without any option" $?
HOME=$scratch/home make -C "$build" check-installed 2>&1 | tee "$scratch/output" | grep -qF "Open MPI $version: the test's small write was served by overlap"
result "make check-installed says so, and before that it was not there" $?
(
    export OMPI_MCA_mca_base_component_path
    OMPI_MCA_mca_base_component_path=$(looks_in "$scratch/home/.openmpi/overlap-$version")
    make -C "$build" check-installed
) 2>&1 | grep -q 'served by overlap'
result "the one for this Open MPI alone is found by the line of docs/guide/install.rst" $?
# As where the prefix of Open MPI, in which it looks first, has another copy.
own=$scratch/home/.openmpi/overlap-$version
mkdir "$scratch/other"
cp "$prefix/lib/openmpi/mca_fcoll_overlap.so" "$scratch/other/"
echo "mca_base_component_path = $(looks_in "$scratch/other")" >"$scratch/home/.openmpi/mca-params.conf"
! HOME=$scratch/home make -C "$build" check-installed >"$scratch/output" 2>&1 &&
    grep -qF "$scratch/other/mca_fcoll_overlap.so serves, and not $own/mca_fcoll_overlap.so" "$scratch/output"
result "make check-installed fails where another copy serves, and names both" $?
(
    eval "$(grep '^    export OMPI_MCA_' "$scratch/output")"
    HOME=$scratch/home make -C "$build" check-installed
) 2>&1 | grep -q 'served by overlap'
result "and with the line that it prints the installed one serves" $?
! HOME=$scratch/home make -C "$build" ownuserdir=/nowhere ompilibdir=/nowhere check-installed >"$scratch/output" 2>&1 &&
    grep -qF "$scratch/other/mca_fcoll_overlap.so serves, and this build folder has installed nothing" "$scratch/output"
result "nor does it pass for another copy where nothing is installed" $?
rm "$scratch/home/.openmpi/mca-params.conf"

cat >"$scratch/open.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
END
mpicc.openmpi -o "$scratch/open" "$scratch/open.c"
cat >"$scratch/write.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_File file;
    int rank;
    char bytes[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bytes[0] = bytes[1] = (char)('0' + rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 2 * rank, bytes, 2, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
END
mpicc.openmpi -o "$scratch/write" "$scratch/write.c"
# helps NAME VARIABLE=VALUE...: a bad value is answered from the component's help file. Several attempts, as in
# test/mpi_suite.sh; that the help file was not found comes through as often.
helps() {
    local name=$1 code=1 attempt
    shift
    for ((attempt = 0; attempt < 12; attempt++)); do
        (
            export "$@"
            timeout 60 mpirun.openmpi -np 1 --mca io ompio --mca fcoll overlap --mca fcoll_overlap_slots 99 "$scratch/open" "$scratch/file"
        ) >"$scratch/output" 2>&1
        if grep -q "Sorry" "$scratch/output"; then break; fi
        if grep -q "2 to 16" "$scratch/output"; then
            code=0
            break
        fi
    done
    [ $code = 0 ] || head -20 "$scratch/output"
    result "$name" "$code"
}
# The same where the prefix that was compiled in is gone, as on a machine that only got the two files.
uninstalls() {
    if make -C "$build" uninstall >/dev/null 2>&1; then
        helps "make install-user alone: a bad value is explained" "HOME=$scratch/home"
        make -C "$build" install >/dev/null 2>&1
    fi
    [ -e "$prefix/lib/openmpi/mca_fcoll_overlap.so" ]
    result "make uninstall and install again" $?
}

# As 1.17 is; what autoconf makes of the compiler may be an older one.
later_gtest() {
    mkdir -p "$scratch/later/gtest"
    printf '#if __cplusplus < 201703L\n#error C++17 is needed\n#endif\n' >"$scratch/later/gtest/gtest.h"
    cd "$scratch/later" && "$here/configure" CXX="g++ -std=gnu++11" CPPFLAGS="-I$scratch/later" >output 2>&1
    grep -q 'gtest/gtest.h\.\.\. yes' output
}

# Without libaio: a user who asks for it is told, and an I/O thread writes. All but the file that calls it is as it was built.
without_libaio() {
    mkdir "$scratch/without"
    grep -rl OVERLAP_HAVE_LIB --include='*.c' --include='*.cc' --include='*.h' "$here/ompi/mca/fcoll/overlap" | xargs -n 1 basename | grep -qx 'libaio.cc'
    result "one file depends on libaio" $?
    (
        cd "$scratch/without" && "$here/configure" --without-libaio --prefix="$scratch/without" CFLAGS=-O0 CXXFLAGS=-O0 >"$scratch/output" 2>&1 &&
            find ompi -name .deps -exec touch '{}/.dirstamp' ';' &&
            tar cf - -C "$build/ompi/mca/fcoll/overlap" --exclude=Makefile --exclude=.deps --exclude='*.la' --exclude='libaio.*' . |
            tar xmf - -C ompi/mca/fcoll/overlap &&
            make -C ompi/mca/fcoll/overlap -j"$(nproc)" >"$scratch/output" 2>&1 &&
            make -C ompi/mca/fcoll/overlap install >"$scratch/output" 2>&1
    )
    local code=$? attempt
    [ $code = 0 ] || tail -20 "$scratch/output"
    result "configure --without-libaio builds" $code
    ! ldd "$scratch/without/lib/openmpi/mca_fcoll_overlap.so" | grep libaio
    result "such a component does not need libaio" $?
    # Several attempts: see helps.
    code=1
    for ((attempt = 0; attempt < 12; attempt++)); do
        rm -f "$scratch/file"
        OMPI_MCA_mca_base_component_path=$(looks_in "$scratch/without/lib/openmpi") timeout 60 mpirun.openmpi --oversubscribe -np 2 \
            --mca io ompio --mca fcoll overlap --mca fcoll_overlap_writer libaio "$scratch/write" "$scratch/file" \
            >"$scratch/output" 2>&1 || break
        [ "$(cat "$scratch/file")" = 0011 ] || break
        if grep -q "built without" "$scratch/output"; then
            code=0
            break
        fi
    done
    [ $code = 0 ] || head -20 "$scratch/output"
    result "writer libaio without its library: said, and written" $code
}

helps "make install: a bad value is explained" "OMPI_MCA_mca_base_component_path=$installed"
helps "make install-user: a bad value is explained" "HOME=$scratch/home"
[ "$nightly" = no ] || uninstalls
# Another release's is there too.
components=$scratch/home/.openmpi/components
mkdir "$scratch/home/.openmpi/overlap-9.9.9"
echo 9.9.9 | tee "$scratch/home/.openmpi/overlap-9.9.9/mca_fcoll_overlap.so" >"$components/mca_fcoll_overlap.so"
HOME=$scratch/home make -C "$build" install-user >"$scratch/output" 2>&1
grep -q "another release .* replaced .* stays in .*/overlap-9.9.9" "$scratch/output" && cmp -s "$components/mca_fcoll_overlap.so" "$own/mca_fcoll_overlap.so"
result "make install-user says that it replaces that of another release" $?
HOME=$scratch/home make -C "$build" install-user 2>&1 | grep -q "another release"
[ "${PIPESTATUS[1]}" = 1 ]
result "and it does not say so of its own" $?
cp "$scratch/home/.openmpi/overlap-9.9.9/mca_fcoll_overlap.so" "$components/"
HOME=$scratch/home make -C "$build" uninstall-user >"$scratch/output" 2>&1
[ ! -e "$own" ] && [ "$(cat "$components/mca_fcoll_overlap.so")" = 9.9.9 ]
result "make uninstall-user leaves that of another release" $?
rm -r "$scratch/home/.openmpi/overlap-9.9.9" "$components/mca_fcoll_overlap.so"
HOME=$scratch/home make -C "$build" install-user >"$scratch/output" 2>&1
HOME=$scratch/home make -C "$build" uninstall-user >"$scratch/output" 2>&1
[ -z "$(find "$scratch/home" -type f)" ]
result "make uninstall-user leaves nothing" $?

if [ "$nightly" = yes ]; then
    (later_gtest)
    result "a GoogleTest of C++17 is found" $?
    without_libaio
fi

# The page has a row "* - ``name``" and a row "- default" for each parameter.
shown=$(OMPI_MCA_fcoll=overlap OMPI_MCA_mca_base_component_path=$installed ompi_info --param fcoll overlap --level 9 --parsable |
    sed -n 's/.*:param:\(fcoll_overlap_[a-z_]*\):value:/\1 /p' | sed 's/^\([^ ]*\) $/\1 *empty*/' | tr -d '"' | sort)
written=$(grep -A1 '^   \* - ``fcoll_overlap_' "$here/packaging/upstream/fcoll-overlap.rst" |
    sed -n 's/^   \* - ``\(.*\)``$/\1/p; s/^     - //p' | paste -d ' ' - - | sort)
[ -n "$shown" ] && diff <(echo "$shown") <(echo "$written")
result "the page of the documentation has every parameter with its default" $?

if [ -n "$ompi5" ]; then
    lists "$ompi5/bin/ompi_info"
    result "drop-in: ompi_info of that build lists it" $?
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
