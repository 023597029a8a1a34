dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl libaio: the kernel's asynchronous I/O, for the write engine libaio. Optional: without it an I/O thread writes.
AC_DEFUN([OVERLAP_CHECK_LIBAIO], [
    AC_ARG_WITH([libaio], [AS_HELP_STRING([--with-libaio@<:@=PREFIX@:>@], [where libaio is installed @<:@used if found@:>@])],
        [], [with_libaio=check])
    AS_CASE([$with_libaio],
        [yes|no|check], [],
        [CPPFLAGS="$CPPFLAGS -I$with_libaio/include" LDFLAGS="$LDFLAGS -L$with_libaio/lib"])
    OVERLAP_LIBAIO_CPPFLAGS=
    OVERLAP_LIBAIO_LIBS=
    AS_IF([test "$with_libaio" != no], [
        overlap_saved_libs=$LIBS
        AC_CHECK_HEADER([libaio.h],
            [AC_CHECK_LIB([aio], [io_queue_init],
                [OVERLAP_LIBAIO_CPPFLAGS=-DOVERLAP_HAVE_LIBAIO
                 OVERLAP_LIBAIO_LIBS=-laio])])
        LIBS=$overlap_saved_libs
        AS_IF([test -n "$OVERLAP_LIBAIO_LIBS"], [],
            [test "$with_libaio" = check],
            [AC_MSG_WARN([libaio is missing, so the write engine libaio is left out; on Debian: apt-get install libaio-dev])],
            [AC_MSG_ERROR([libaio is missing; on Debian: apt-get install libaio-dev; else --with-libaio=PREFIX])])
    ])
])
