dnl GoogleTest, for make check only.
AC_DEFUN([OVERLAP_CHECK_GTEST], [
    AC_LANG_PUSH([C++])
    AC_CHECK_HEADER([gtest/gtest.h], [overlap_gtest=yes],
        [overlap_gtest=no
         AC_MSG_WARN([GoogleTest is missing, so make check tests nothing; on Debian: apt-get install libgtest-dev])])
    AC_LANG_POP([C++])
    AM_CONDITIONAL([OVERLAP_HAVE_GTEST], [test "$overlap_gtest" = yes])
])
