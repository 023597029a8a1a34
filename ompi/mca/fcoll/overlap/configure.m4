dnl SPDX-License-Identifier: BSD-3-Clause
dnl Copyright (c) 2026 The overlap project
dnl
dnl The component inside an Open MPI source tree.

dnl The engine is C++, and what is built statically goes into libmpi, which the C compiler links and which needs no C++ library of its
dnl own. So the component is a DSO, whatever the others are, unless it is named itself: --enable-mca-static=fcoll-overlap. Up to
dnl 5.0.7 the macro that calls this one copies the mode from the variable that the result names, so there has to be one of that name.
AC_DEFUN([MCA_ompi_fcoll_overlap_COMPILE_MODE], [
    AC_MSG_CHECKING([for MCA component $2:$3 compile mode])
    AS_IF([test "$STATIC_fcoll_overlap" = 1],
        [static="static"
         $4="static"],
        [dso="dso"
         $4="dso"])
    AC_MSG_RESULT([$$4])
])

dnl MCA_ompi_fcoll_overlap_CONFIG([action-if-can-compile], [action-if-cant-compile])
AC_DEFUN([MCA_ompi_fcoll_overlap_CONFIG], [
    AC_REQUIRE([AC_PROG_CXX])
    AC_CONFIG_FILES([ompi/mca/fcoll/overlap/Makefile])
    OPAL_VAR_SCOPE_PUSH([overlap_why_not overlap_saved_cxxflags overlap_saved_libs overlap_cxx_library])
    overlap_why_not=
    AS_CASE([$host_os], [linux*], [], [overlap_why_not="it is made for Linux"])
    AS_IF([test "$compile_mode" = dso],
        [AS_IF([test "$enable_dlopen" = no || test "$OPAL_ENABLE_DLOPEN_SUPPORT" = 0],
            [overlap_why_not="--disable-dlopen rules DSOs out; --enable-mca-static=fcoll-overlap puts it into libmpi"])
         AS_IF([test "$enable_static" = yes],
            [overlap_why_not="--enable-static rules DSOs out; --enable-mca-static=fcoll-overlap puts it into libmpi"])])
    dnl Nonblocking calls run on stacks of their own. musl declares these functions, but has none.
    AC_CHECK_FUNC([makecontext], [], [overlap_why_not="the C library has no makecontext"])
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <sys/types.h>]], [[static char wide[sizeof(off_t) < 8 ? -1 : 1]; return wide[0];]])],
        [], [overlap_why_not="off_t has less than 64 bits"])
    AS_IF([test -z "$CXX" || test "$CXX" = no],
        [overlap_why_not="there is no C++ compiler"],
        [AC_LANG_PUSH([C++])
         overlap_saved_cxxflags=$CXXFLAGS
         CXXFLAGS="$CXXFLAGS -std=c++17"
         dnl g++ 7 takes the option, but its library lacks the header.
         AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <charconv>
#include <optional>]], [[std::optional<int> x = 1; const char digit[] = "1"; std::from_chars(digit, digit + 1, *x); return *x;]])],
             [], [overlap_why_not="$CXX has no C++17"])
         AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <optional>
#ifndef _LIBCPP_VERSION
#error another C++ library
#endif]], [[]])],
             [overlap_cxx_library=-lc++], [overlap_cxx_library=-lstdc++])
         CXXFLAGS=$overlap_saved_cxxflags
         AC_LANG_POP([C++])])
    AS_IF([test -z "$overlap_why_not"], [$1],
        [AC_MSG_NOTICE([fcoll:overlap is not built: $overlap_why_not])
         $2])
    fcoll_overlap_LIBAIO_CPPFLAGS=
    fcoll_overlap_LIBAIO_LIBS=
    overlap_saved_libs=$LIBS
    AC_CHECK_HEADER([libaio.h],
        [AC_CHECK_LIB([aio], [io_queue_init],
            [fcoll_overlap_LIBAIO_CPPFLAGS="-DOVERLAP_HAVE_LIBAIO"
             fcoll_overlap_LIBAIO_LIBS="-laio"])])
    LIBS=$overlap_saved_libs
    AC_SUBST([fcoll_overlap_LIBAIO_CPPFLAGS])
    AC_SUBST([fcoll_overlap_LIBAIO_LIBS])
    dnl The rules of a site are JSON; comments in it came with nlohmann-json 3.9.
    fcoll_overlap_JSON_CPPFLAGS=
    AS_IF([test -z "$overlap_why_not"],
        [AC_LANG_PUSH([C++])
         overlap_saved_cxxflags=$CXXFLAGS
         CXXFLAGS="$CXXFLAGS -std=c++17"
         AC_CHECK_HEADER([nlohmann/json.hpp], [fcoll_overlap_JSON_CPPFLAGS="-DOVERLAP_HAVE_NLOHMANN_JSON"], [],
            [[#include <nlohmann/json.hpp>
#if NLOHMANN_JSON_VERSION_MAJOR * 100 + NLOHMANN_JSON_VERSION_MINOR < 309
#error too old
#endif]])
         CXXFLAGS=$overlap_saved_cxxflags
         AC_LANG_POP([C++])])
    AC_SUBST([fcoll_overlap_JSON_CPPFLAGS])
    dnl What the standalone build sets for itself.
    AC_SUBST([fcoll_overlap_CPPFLAGS], [])
    AC_SUBST([fcoll_overlap_CFLAGS], [])
    AC_SUBST([fcoll_overlap_CXXFLAGS], [])
    dnl From 6.0 on the internals are in a library below libmpi, which programs of the standard's ABI do not have. What is itself a part
    dnl of that library brings the C++ library along, and the wrapper compilers name it where programs are linked statically.
    AS_IF([test "$compile_mode" = static],
        [fcoll_overlap_LIBS=$overlap_cxx_library
         fcoll_overlap_WRAPPER_EXTRA_LIBS="$fcoll_overlap_LIBAIO_LIBS $overlap_cxx_library"],
        [grep -q 'libopen_mpi\.la' "$srcdir/ompi/Makefile.am"],
        [fcoll_overlap_LIBS='$(OMPI_TOP_BUILDDIR)/ompi/libopen_mpi.la'],
        [fcoll_overlap_LIBS='$(OMPI_TOP_BUILDDIR)/ompi/lib$(OMPI_LIBMPI_NAME).la'])
    AC_SUBST([fcoll_overlap_LIBS])
    OPAL_VAR_SCOPE_POP
])dnl
