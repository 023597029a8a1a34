dnl LEMON: an independent solver that the assignment of domains is compared with, for make check only.
AC_DEFUN([OVERLAP_CHECK_LEMON], [
    AC_LANG_PUSH([C++])
    AC_MSG_CHECKING([for LEMON])
    overlap_saved_libs=$LIBS
    overlap_lemon=no
    dnl LEMON's own build names it libemon, Debian liblemon.
    for overlap_try in -llemon -lemon; do
        LIBS="$overlap_try $overlap_saved_libs"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>]], [[return lemon::SmartDigraph::Node(lemon::INVALID) == lemon::INVALID ? 0 : 1;]])],
            [overlap_lemon=yes
             OVERLAP_LEMON_LIBS=$overlap_try
             break])
    done
    LIBS=$overlap_saved_libs
    AC_MSG_RESULT([$overlap_lemon])
    AS_IF([test "$overlap_lemon" = no],
        [AC_MSG_WARN([LEMON is missing, so make check does not compare the assignment with it; on Debian: apt-get install liblemon-dev])])
    AC_SUBST([OVERLAP_LEMON_LIBS])
    AC_LANG_POP([C++])
    AM_CONDITIONAL([OVERLAP_HAVE_LEMON], [test "$overlap_lemon" = yes])
])
