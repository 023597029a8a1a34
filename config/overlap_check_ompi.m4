dnl An installed Open MPI with its internal headers. Sets OVERLAP_OMPI_CPPFLAGS, OVERLAP_OMPI_LIBS, OVERLAP_OMPI_VERSION.
AC_DEFUN([OVERLAP_CHECK_OMPI], [
    AC_ARG_WITH([ompi], [AS_HELP_STRING([--with-ompi=PREFIX], [where Open MPI is installed @<:@the mpicc in PATH@:>@])],
        [], [with_ompi=])
    AC_ARG_WITH([ompi-source], [AS_HELP_STRING([--with-ompi-source=DIR],
        [source tree of that Open MPI; 5.x and later install their internal headers without a few that are needed])],
        [], [with_ompi_source=])
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

    OVERLAP_OMPI_CPPFLAGS=
    for overlap_dir in `"$overlap_mpicc" --showme:incdirs`; do
        OVERLAP_OMPI_CPPFLAGS="$OVERLAP_OMPI_CPPFLAGS -isystem $overlap_dir -isystem $overlap_dir/openmpi"
    done
    AS_IF([test -n "$with_ompi_source"], [OVERLAP_OMPI_CPPFLAGS="$OVERLAP_OMPI_CPPFLAGS -isystem $with_ompi_source"])
    OVERLAP_OMPI_LIBS=
    for overlap_dir in `"$overlap_mpicc" --showme:libdirs`; do
        OVERLAP_OMPI_LIBS="$OVERLAP_OMPI_LIBS -L$overlap_dir"
    done

    overlap_saved_cppflags=$CPPFLAGS
    overlap_saved_libs=$LIBS
    CPPFLAGS="$CPPFLAGS $OVERLAP_OMPI_CPPFLAGS"
    AC_MSG_CHECKING([for the internal headers of Open MPI $OVERLAP_OMPI_VERSION])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#include "ompi_config.h"
#include "ompi/mca/common/ompio/common_ompio.h"]])],
        [AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])
         AC_MSG_ERROR([the internal headers of Open MPI $OVERLAP_OMPI_VERSION are missing or not whole.
    Debian's Open MPI:  apt-get install libopenmpi-dev
    your own 4.1:       configure it --with-devel-headers
    your own 5.x, 6.x:  configure it --with-devel-headers, and give its source tree here: --with-ompi-source=DIR
    6.x also needs      apt-get install libpmix-dev])])

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
    OVERLAP_OMPI_LIBS="$OVERLAP_OMPI_LIBS $overlap_libs"
    CPPFLAGS=$overlap_saved_cppflags
    LIBS=$overlap_saved_libs
])
