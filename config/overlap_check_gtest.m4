dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl GoogleTest, for make check only. From 1.17 on it is C++17, as what is tested with it.
AC_DEFUN([OVERLAP_CHECK_GTEST], [
    AC_LANG_PUSH([C++])
    overlap_saved_cxxflags=$CXXFLAGS
    CXXFLAGS="$CXXFLAGS -std=c++17"
    AC_CHECK_HEADER([gtest/gtest.h], [overlap_gtest=yes],
        [overlap_gtest=no
         AC_MSG_WARN([GoogleTest is missing, so make check tests nothing; on Debian: apt-get install libgtest-dev])])
    CXXFLAGS=$overlap_saved_cxxflags
    AC_LANG_POP([C++])
    AM_CONDITIONAL([OVERLAP_HAVE_GTEST], [test "$overlap_gtest" = yes])
])
