dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl nlohmann-json: the rules of a site (fcoll_overlap_rules) are JSON. Optional, header only: without it they are not read. Comments in
dnl JSON came with 3.9.
AC_DEFUN([OVERLAP_CHECK_NLOHMANN], [
    AC_ARG_WITH([nlohmann], [AS_HELP_STRING([--with-nlohmann@<:@=PREFIX@:>@],
        [where nlohmann-json 3.9 or later is installed @<:@used if found@:>@])],
        [], [with_nlohmann=check])
    OVERLAP_NLOHMANN_CPPFLAGS=
    overlap_nlohmann_include=
    AS_CASE([$with_nlohmann],
        [yes|no|check], [],
        dnl Its warnings are not ours.
        [overlap_nlohmann_include="-isystem $with_nlohmann/include"])
    AS_IF([test "$with_nlohmann" != no], [
        AC_LANG_PUSH([C++])
        overlap_saved_cppflags=$CPPFLAGS
        overlap_saved_cxxflags=$CXXFLAGS
        CPPFLAGS="$CPPFLAGS $overlap_nlohmann_include"
        CXXFLAGS="$CXXFLAGS -std=c++17"
        AC_CHECK_HEADER([nlohmann/json.hpp],
            [OVERLAP_NLOHMANN_CPPFLAGS="$overlap_nlohmann_include -DOVERLAP_HAVE_NLOHMANN_JSON"], [],
            [[#include <nlohmann/json.hpp>
#if NLOHMANN_JSON_VERSION_MAJOR * 100 + NLOHMANN_JSON_VERSION_MINOR < 309
#error too old
#endif]])
        CPPFLAGS=$overlap_saved_cppflags
        CXXFLAGS=$overlap_saved_cxxflags
        AC_LANG_POP([C++])
        AS_IF([test -n "$OVERLAP_NLOHMANN_CPPFLAGS"], [],
            [test "$with_nlohmann" = check],
            [AC_MSG_WARN([nlohmann-json 3.9 or later is missing, so the rules of a site are not read; on Debian: apt-get install nlohmann-json3-dev])],
            [AC_MSG_ERROR([nlohmann-json 3.9 or later is missing; on Debian: apt-get install nlohmann-json3-dev; else --with-nlohmann=PREFIX])])
    ])
])
