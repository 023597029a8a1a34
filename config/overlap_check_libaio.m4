dnl libaio: the kernel's asynchronous I/O.
AC_DEFUN([OVERLAP_CHECK_LIBAIO], [
    AC_ARG_WITH([libaio], [AS_HELP_STRING([--with-libaio=PREFIX], [where libaio is installed])],
        [CPPFLAGS="$CPPFLAGS -I$withval/include" LDFLAGS="$LDFLAGS -L$withval/lib"])
    overlap_saved_libs=$LIBS
    AC_CHECK_HEADER([libaio.h],
        [AC_CHECK_LIB([aio], [io_queue_init], [OVERLAP_LIBAIO_LIBS=-laio], [overlap_libaio_missing=yes])],
        [overlap_libaio_missing=yes])
    LIBS=$overlap_saved_libs
    AS_IF([test "$overlap_libaio_missing" = yes],
        [AC_MSG_ERROR([libaio is missing; on Debian: apt-get install libaio-dev; else --with-libaio=PREFIX])])
    AC_SUBST([OVERLAP_LIBAIO_LIBS])
])
