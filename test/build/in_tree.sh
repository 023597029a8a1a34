#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Whether Open MPI's configure builds the component, and how, as configure.m4 decides: its macros in a configure script that has
# nothing else. The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

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

cd "$scratch" || exit 1
mkdir ompi
cat >configure.ac <<END
AC_INIT([tree], [1])
AC_DEFUN([OPAL_VAR_SCOPE_PUSH], [])
AC_DEFUN([OPAL_VAR_SCOPE_POP], [])
m4_include([$here/ompi/mca/fcoll/overlap/configure.m4])
AC_PROG_CC
AC_PROG_CXX
test -z "\$no_cxx" || CXX=no
MCA_ompi_fcoll_overlap_COMPILE_MODE([ompi], [fcoll], [overlap], [compile_mode])
# Up to 5.0.7 the mode is taken from the variable that it names.
AS_VAR_COPY([compile_mode], [\$compile_mode])
MCA_ompi_fcoll_overlap_CONFIG([built=yes], [built=no])
AC_MSG_NOTICE([built: \$built; \$compile_mode with \$fcoll_overlap_LIBS; wrappers: \$fcoll_overlap_WRAPPER_EXTRA_LIBS])
END
autoconf 2>output || { cat output; exit 1; }
# As a compiler that has the option but not the whole library.
printf '#!/bin/sh\nexec g++ "$@" -D_GLIBCXX_CHARCONV=1\n' >half
chmod +x half
printf '#include <sys/types.h>\n#define off_t int\n' >narrow.h

# says NAME TEXT VARIABLE=VALUE...: a line of configure's output has the text.
says() {
    local name=$1 text=$2 code
    shift 2
    # Another compiler, or another flag, may have nothing of what is known.
    case "$*" in *CXX=* | *CPPFLAGS=*) rm -f known ;; esac
    ./configure --cache-file=known host_os=linux-gnu "$@" >output 2>&1 && grep -qe "$text" output
    code=$?
    [ $code = 0 ] || tail -3 output
    result "$name" $code
}

echo 'lib_LTLIBRARIES = lib@OMPI_LIBMPI_NAME@.la' >ompi/Makefile.am
says "it is a DSO that needs libmpi" 'built: yes; dso with .*/ompi/lib$(OMPI_LIBMPI_NAME).la;'
says "in libmpi where that is asked for, with the C++ library" 'built: yes; static with -lstdc++; wrappers: .*-lstdc++' STATIC_fcoll_overlap=1
echo 'lib_LTLIBRARIES = libopen_mpi.la lib@OMPI_LIBMPI_NAME@.la' >ompi/Makefile.am
says "in 6.x it needs libopen_mpi" 'built: yes; dso with .*/ompi/libopen_mpi.la;'
says "without a C++ compiler it is left out" 'fcoll:overlap is not built: there is no C++ compiler' no_cxx=yes
says "without DSOs it is left out, and says what helps" 'not built: --disable-dlopen .*--enable-mca-static=fcoll-overlap' enable_dlopen=no
says "with static libraries it is left out, and says what helps" 'not built: --enable-static .*--enable-mca-static=fcoll-overlap' enable_static=yes
says "where stacks cannot be switched it is left out" 'fcoll:overlap is not built: the C library has no makecontext' ac_cv_func_makecontext=no
says "with a narrow off_t it is left out" 'fcoll:overlap is not built: off_t has less than 64 bits' CPPFLAGS="-include $scratch/narrow.h"
says "with half of C++17 it is left out" 'fcoll:overlap is not built: ./half has no C++17' CXX=./half

echo "$passed passed, $failed failed"
[ $failed = 0 ]
