dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl The engine is C++17.
AC_DEFUN([OVERLAP_CHECK_CXX17], [
    AC_LANG_PUSH([C++])
    AC_MSG_CHECKING([whether $CXX compiles C++17])
    overlap_saved_cxxflags=$CXXFLAGS
    CXXFLAGS="$CXXFLAGS -std=c++17"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <optional>]], [[std::optional<int> x = 1; return *x;]])],
        [AC_MSG_RESULT([yes])],
        [AC_MSG_RESULT([no])
         AC_MSG_ERROR([a C++17 compiler is needed; on Debian: apt-get install g++])])
    CXXFLAGS=$overlap_saved_cxxflags
    AC_LANG_POP([C++])
])
