dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl Flags for our own sources: warnings always, as errors with --enable-werror; sanitizers with --enable-sanitizer.
AC_DEFUN([OVERLAP_WARNINGS], [
    AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make warnings errors (CI does)])], [], [enable_werror=no])
    overlap_warnings="-Wall -Wextra -Wconversion"
    AS_IF([test "$enable_werror" = yes], [overlap_warnings="$overlap_warnings -Werror"])
    dnl Open MPI's macros mix signs. A function of a table has the parameters of the table, whether it uses them or not.
    AC_SUBST([fcoll_overlap_CFLAGS], ["$overlap_warnings -Wno-sign-conversion -Wno-unused-parameter"])
    AC_SUBST([fcoll_overlap_CXXFLAGS], ["$overlap_warnings"])
])

AC_DEFUN([OVERLAP_SANITIZER], [
    AC_ARG_ENABLE([sanitizer], [AS_HELP_STRING([--enable-sanitizer=LIST], [address,undefined or thread])],
        [overlap_sanitizer="-fsanitize=$enableval -fno-omit-frame-pointer -fno-sanitize-recover=all"
         CFLAGS="$CFLAGS $overlap_sanitizer"
         CXXFLAGS="$CXXFLAGS $overlap_sanitizer"
         LDFLAGS="$LDFLAGS -fsanitize=$enableval"
         dnl gcc says of every fence in Open MPI's headers that TSan does not see it; what TSan is to see is the engine.
         AS_CASE([$enableval], [*thread*], [CFLAGS="$CFLAGS -Wno-tsan"])])
])
