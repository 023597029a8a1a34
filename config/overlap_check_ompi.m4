dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl An installed Open MPI with its internal headers. Sets OVERLAP_OMPI_CPPFLAGS, OVERLAP_OMPI_LIBS, OVERLAP_OMPI_VERSION,
dnl OVERLAP_OMPI_COMPONENTS, OVERLAP_MPICC.
AC_DEFUN([OVERLAP_CHECK_OMPI], [
    AC_ARG_WITH([openmpi-install], [AS_HELP_STRING([--with-openmpi-install=PREFIX],
        [where Open MPI is installed @<:@the mpicc in PATH@:>@; also --with-ompi])],
        [with_ompi=$with_openmpi_install])
    AC_ARG_WITH([openmpi-source], [AS_HELP_STRING([--with-openmpi-source=DIR],
        [source tree of that Open MPI, where its installed internal headers are not enough; also --with-ompi-source])],
        [with_ompi_source=$with_openmpi_source])
    AC_ARG_WITH([ompi])
    AC_ARG_WITH([ompi-source])
    dnl A relative folder would mean another one in each folder of the build.
    AS_IF([test -n "$with_ompi_source"],
        [test -e "$with_ompi_source/opal/mca/mca.h" ||
             AC_MSG_ERROR([--with-ompi-source=$with_ompi_source is not the top folder of an Open MPI source tree])
         with_ompi_source=`cd "$with_ompi_source" && pwd`])

    dnl mpicc alone may be another MPI's where Debian has two; only Open MPI's knows --showme:version.
    AC_MSG_CHECKING([for Open MPI])
    overlap_mpicc=
    for overlap_try in "${with_ompi:+$with_ompi/bin/}mpicc" "${with_ompi:+$with_ompi/bin/}mpicc.openmpi"; do
        AS_IF(["$overlap_try" --showme:version >/dev/null 2>&1], [overlap_mpicc=$overlap_try; break])
    done
    AS_IF([test -z "$overlap_mpicc"],
        [AC_MSG_RESULT([no])
         AC_MSG_ERROR([no Open MPI found${with_ompi:+ in $with_ompi}; on Debian: apt-get install libopenmpi-dev openmpi-bin; else --with-ompi=PREFIX])])
    AC_MSG_RESULT([$overlap_mpicc])
    OVERLAP_OMPI_VERSION=`"$overlap_mpicc" --showme:version | sed 's/.*Open MPI \([[0-9a-z.]]*\).*/\1/'`
    AC_SUBST([OVERLAP_OMPI_VERSION])
    AC_SUBST([OVERLAP_MPICC], [$overlap_mpicc])
    dnl Where it has components of its own, for those who name other folders and have to name this one as well.
    AC_SUBST([OVERLAP_OMPI_COMPONENTS],
        [`"${with_ompi:+$with_ompi/bin/}ompi_info" --parsable --path pkglibdir 2>/dev/null | sed -n 's/^path:pkglibdir://p'`])

    OVERLAP_OMPI_CPPFLAGS=
    for overlap_dir in `"$overlap_mpicc" --showme:incdirs`; do
        OVERLAP_OMPI_CPPFLAGS="$OVERLAP_OMPI_CPPFLAGS -isystem $overlap_dir -isystem $overlap_dir/openmpi"
    done
    AS_IF([test -n "$with_ompi_source"], [OVERLAP_OMPI_CPPFLAGS="$OVERLAP_OMPI_CPPFLAGS -isystem $with_ompi_source"])
    dnl Internal headers include PMIx's from 5.0 on, and from 6.0 on messages go to it; Debian keeps its headers in a folder of their own.
    dnl No -rpath of pmix.pc: libmpi has loaded PMIx before the component, and lintian refuses one in a package.
    overlap_pmix_libs=
    AS_CASE([$OVERLAP_OMPI_VERSION], [[[1-4].*]], [],
        [OVERLAP_OMPI_CPPFLAGS="$OVERLAP_OMPI_CPPFLAGS `pkg-config --cflags pmix 2>/dev/null | sed 's/-I/-isystem /g'`"])
    AS_CASE([$OVERLAP_OMPI_VERSION], [[[1-5].*]], [], [overlap_pmix_libs=`pkg-config --libs-only-L --libs-only-l pmix 2>/dev/null || echo -lpmix`])
    OVERLAP_OMPI_LIBS=
    overlap_rpaths=
    for overlap_dir in `"$overlap_mpicc" --showme:libdirs`; do
        OVERLAP_OMPI_LIBS="$OVERLAP_OMPI_LIBS -L$overlap_dir"
        overlap_rpaths="$overlap_rpaths -Wl,-rpath,$overlap_dir"
    done

    overlap_saved_cppflags=$CPPFLAGS
    overlap_saved_libs=$LIBS
    CPPFLAGS="$CPPFLAGS $OVERLAP_OMPI_CPPFLAGS"
    AC_MSG_CHECKING([for the internal headers of Open MPI $OVERLAP_OMPI_VERSION])
    m4_define([overlap_internal_headers], [[
#include "ompi_config.h"
#ifdef OVERLAP_OWN_THREAD_HEADERS
#    include "compat/threads.h"
#endif
#include "ompi/mca/common/ompio/common_ompio.h"
#include "ompi/mca/common/ompio/common_ompio_request.h"]])
    overlap_headers=no
    OVERLAP_OWN_THREADS=
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([overlap_internal_headers])],
        [overlap_headers=yes],
        [dnl 5.0 and later do not install those of their threads, which can be others than pthreads.
         AC_EGREP_CPP([threads_pthreads_mutex], [
#include "opal_config.h"
MCA_threads_mutex_base_include_HEADER],
            [overlap_own="-DOVERLAP_OWN_THREAD_HEADERS -I`cd "$srcdir" && pwd`/ompi/mca/fcoll/overlap"
             overlap_before=$CPPFLAGS
             CPPFLAGS="$overlap_own $CPPFLAGS"
             AC_COMPILE_IFELSE([AC_LANG_PROGRAM([overlap_internal_headers])],
                 [overlap_headers="yes, but for those of its threads"
                  OVERLAP_OWN_THREADS=$overlap_own])
             CPPFLAGS=$overlap_before])])
    AC_MSG_RESULT([$overlap_headers])
    AS_IF([test "$overlap_headers" = no],
        [AC_MSG_ERROR([the internal headers of Open MPI $OVERLAP_OMPI_VERSION are missing or not whole.
    Debian's Open MPI:  apt-get install libopenmpi-dev, from 5.0 on libpmix-dev as well
    your own:           configure it --with-devel-headers, or give its source tree here: --with-openmpi-source=DIR])])
    CPPFLAGS="$OVERLAP_OWN_THREADS $CPPFLAGS"

    dnl Up to 4.1 what the OMPIO components share is a library of its own; later it is part of libmpi, from 6.0 on of libopen_mpi.
    AC_MSG_CHECKING([which libraries of Open MPI hold what OMPIO's components share])
    overlap_libs=
    for overlap_try in "-lmpi -lopen-pal" "-l:libmca_common_ompio.so -lmpi -lopen-pal" "-lopen_mpi -lopen-pal"; do
        LIBS="$OVERLAP_OMPI_LIBS $overlap_try $overlap_saved_libs"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[char mca_common_ompio_file_read(void);]], [[return mca_common_ompio_file_read();]])],
            [overlap_libs=$overlap_try; break])
    done
    AS_IF([test -z "$overlap_libs"],
        [AC_MSG_RESULT([none])
         AC_MSG_ERROR([this Open MPI has no OMPIO (it was configured with --disable-io-ompio), so no component of it can run])])
    AC_MSG_RESULT([$overlap_libs])

    AC_MSG_CHECKING([that these headers and the library agree on the sizes of objects])
    LIBS="$overlap_rpaths $LIBS"
    AC_RUN_IFELSE([AC_LANG_PROGRAM([overlap_internal_headers],
            [[#define DIFFERS(type) (type##_class.cls_sizeof != sizeof(type))
              return (DIFFERS(opal_object_t) || DIFFERS(opal_mutex_t) || DIFFERS(ompi_request_t) || DIFFERS(mca_ompio_request_t) ||
                     DIFFERS(ompi_communicator_t) || DIFFERS(ompi_datatype_t)) ? 3 : 0;]])],
        [AC_MSG_RESULT([yes])],
        [overlap_code=$?
         AC_MSG_RESULT([no])
         AS_IF([test "$overlap_code" != 3],
             [AC_MSG_ERROR([a program that is linked with Open MPI $OVERLAP_OMPI_VERSION does not run; config.log tells why])])
         AC_MSG_ERROR([the internal headers are not those of the library of Open MPI $OVERLAP_OMPI_VERSION; give its source tree: --with-openmpi-source=DIR])],
        [AC_MSG_RESULT([cannot be tried when cross-compiling])])
    OVERLAP_OMPI_CPPFLAGS="$OVERLAP_OWN_THREADS $OVERLAP_OMPI_CPPFLAGS"
    OVERLAP_OMPI_LIBS="$OVERLAP_OMPI_LIBS $overlap_libs $overlap_pmix_libs"
    CPPFLAGS=$overlap_saved_cppflags
    LIBS=$overlap_saved_libs
])
