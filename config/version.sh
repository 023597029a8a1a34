#!/bin/sh
# Prints the version, of which configure.ac is the only source.
sed -n 's/^AC_INIT(\[overlap\], \[\(.*\)\])$/\1/p' "$(dirname "$0")/../configure.ac"
