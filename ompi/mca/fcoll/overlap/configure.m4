dnl The component inside an Open MPI source tree.

dnl The engine is C++, so the component has to be a DSO: what is built statically goes into libmpi, which the C compiler links
dnl without the C++ library. Up to 5.0.7 the macro that calls this one copies the mode from the variable that the result names, so
dnl a variable "dso" has to hold it as well.
AC_DEFUN([MCA_ompi_fcoll_overlap_COMPILE_MODE], [
    AC_MSG_CHECKING([for MCA component $2:$3 compile mode])
    $4="dso"
    dso="dso"
    AC_MSG_RESULT([dso])
])

dnl MCA_ompi_fcoll_overlap_CONFIG([action-if-can-compile], [action-if-cant-compile])
AC_DEFUN([MCA_ompi_fcoll_overlap_CONFIG], [
    AC_CONFIG_FILES([ompi/mca/fcoll/overlap/Makefile])
    OPAL_VAR_SCOPE_PUSH([overlap_why_not overlap_saved_cxxflags overlap_saved_libs])
    overlap_why_not=
    AS_IF([test "$enable_dlopen" = no || test "$OPAL_ENABLE_DLOPEN_SUPPORT" = 0],
        [overlap_why_not="it is a DSO, and --disable-dlopen rules those out"])
    AS_IF([test "$enable_static" = yes],
        [overlap_why_not="it is a DSO, and --enable-static rules those out"])
    AS_IF([test -z "$CXX" || test "$CXX" = no],
        [overlap_why_not="there is no C++ compiler"],
        [AC_LANG_PUSH([C++])
         overlap_saved_cxxflags=$CXXFLAGS
         CXXFLAGS="$CXXFLAGS -std=c++17"
         AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <optional>]], [[std::optional<int> x = 1; return *x;]])],
             [], [overlap_why_not="$CXX does not compile C++17"])
         CXXFLAGS=$overlap_saved_cxxflags
         AC_LANG_POP([C++])])
    AS_IF([test -z "$overlap_why_not"], [$1],
        [AC_MSG_NOTICE([fcoll:overlap is not built: $overlap_why_not])
         $2])
    dnl The queues of the kernel that the write engines libaio and io_uring are made for.
    fcoll_overlap_QUEUES_CPPFLAGS=
    fcoll_overlap_QUEUES_LIBS=
    overlap_saved_libs=$LIBS
    AC_CHECK_HEADER([libaio.h],
        [AC_CHECK_LIB([aio], [io_queue_init],
            [fcoll_overlap_QUEUES_CPPFLAGS="-DOVERLAP_HAVE_LIBAIO"
             fcoll_overlap_QUEUES_LIBS="-laio"])])
    AC_CHECK_HEADER([liburing.h],
        [AC_CHECK_LIB([uring], [io_uring_wait_cqe_timeout],
            [fcoll_overlap_QUEUES_CPPFLAGS="$fcoll_overlap_QUEUES_CPPFLAGS -DOVERLAP_HAVE_LIBURING"
             fcoll_overlap_QUEUES_LIBS="$fcoll_overlap_QUEUES_LIBS -luring"])])
    LIBS=$overlap_saved_libs
    AC_SUBST([fcoll_overlap_QUEUES_CPPFLAGS])
    AC_SUBST([fcoll_overlap_QUEUES_LIBS])
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
    OPAL_VAR_SCOPE_POP
    dnl What the standalone build sets for itself.
    AC_SUBST([fcoll_overlap_CPPFLAGS], [])
    AC_SUBST([fcoll_overlap_CFLAGS], [])
    AC_SUBST([fcoll_overlap_CXXFLAGS], [])
    dnl From 6.0 on the internals are in a library below libmpi, which programs of the standard's ABI do not have.
    AS_IF([grep -q 'libopen_mpi\.la' "$srcdir/ompi/Makefile.am"],
        [fcoll_overlap_LIBS='$(OMPI_TOP_BUILDDIR)/ompi/libopen_mpi.la'],
        [fcoll_overlap_LIBS='$(OMPI_TOP_BUILDDIR)/ompi/lib$(OMPI_LIBMPI_NAME).la'])
    AC_SUBST([fcoll_overlap_LIBS])
])dnl
