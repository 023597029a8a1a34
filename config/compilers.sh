# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by scripts that compile, which have `here`, the top of the sources: by way of ccache where that is installed, so that a new checkout
# finds what another one compiled. Paths count as relative to the sources, and those that only debuggers read not at all.
cache_of_all=${OVERLAP_CACHE:-$HOME/.cache/overlap}
export CCACHE_DIR=${CCACHE_DIR:-$cache_of_all/ccache} CCACHE_BASEDIR=$here CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_ctime,include_file_mtime
case $PATH in
/usr/lib/ccache:*) ;;
*) [ ! -x /usr/lib/ccache/g++ ] || export PATH=/usr/lib/ccache:$PATH ;;
esac
