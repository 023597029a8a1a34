dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl hwloc: the topology inside a node.
AC_DEFUN([OVERLAP_CHECK_HWLOC], [
    AC_ARG_WITH([hwloc], [AS_HELP_STRING([--with-hwloc=PREFIX], [where hwloc is installed])],
        [CPPFLAGS="$CPPFLAGS -I$withval/include" LDFLAGS="$LDFLAGS -L$withval/lib"])
    overlap_saved_libs=$LIBS
    AC_CHECK_HEADER([hwloc.h],
        [AC_CHECK_LIB([hwloc], [hwloc_topology_init], [OVERLAP_HWLOC_LIBS=-lhwloc], [overlap_hwloc_missing=yes])],
        [overlap_hwloc_missing=yes])
    LIBS=$overlap_saved_libs
    AS_IF([test "$overlap_hwloc_missing" = yes],
        [AC_MSG_ERROR([hwloc is missing; on Debian: apt-get install libhwloc-dev; else --with-hwloc=PREFIX])])
    AC_SUBST([OVERLAP_HWLOC_LIBS])
])
