dnl liburing: the kernel's io_uring, for the write engine io_uring. Optional: without it an I/O thread writes.
AC_DEFUN([OVERLAP_CHECK_LIBURING], [
    AC_ARG_WITH([liburing], [AS_HELP_STRING([--with-liburing@<:@=PREFIX@:>@], [where liburing is installed @<:@used if found@:>@])],
        [], [with_liburing=check])
    AS_CASE([$with_liburing],
        [yes|no|check], [],
        [CPPFLAGS="$CPPFLAGS -I$with_liburing/include" LDFLAGS="$LDFLAGS -L$with_liburing/lib"])
    OVERLAP_LIBURING_CPPFLAGS=
    OVERLAP_LIBURING_LIBS=
    AS_IF([test "$with_liburing" != no], [
        overlap_saved_libs=$LIBS
        AC_CHECK_HEADER([liburing.h],
            [AC_CHECK_LIB([uring], [io_uring_wait_cqe_timeout],
                [OVERLAP_LIBURING_CPPFLAGS=-DOVERLAP_HAVE_LIBURING
                 OVERLAP_LIBURING_LIBS=-luring])])
        LIBS=$overlap_saved_libs
        AS_IF([test -n "$OVERLAP_LIBURING_LIBS"], [],
            [test "$with_liburing" = check],
            [AC_MSG_WARN([liburing is missing, so the write engine io_uring is left out; on Debian: apt-get install liburing-dev])],
            [AC_MSG_ERROR([liburing is missing; on Debian: apt-get install liburing-dev; else --with-liburing=PREFIX])])
    ])
])
