#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Builds the documentation: pages in HTML and man pages. A warning is an error.
#   config/docs.sh [--man] [FOLDER]       default: build-docs of this checkout; --man: no HTML
# Prints the first page and the folder of the man pages. It needs sphinx-build and the theme of Read the Docs, which
# config/install-packages.sh --docs-only installs. Exit code 77: they are missing.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-} in
-h | --help)
    sed -n '5,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
    exit 0
    ;;
esac
html=yes
if [ "${1:-}" = --man ]; then html='' && shift; fi
out=${1:-$here/build-docs}
# The python3 of PATH need not be the one that has Sphinx.
sphinx=$(command -v sphinx-build || true)
python=$([ -z "$sphinx" ] || sed -n '1s/^#! *//p' "$sphinx")
# shellcheck disable=SC2086
if [ -z "$sphinx" ] || ! $python -c 'import sphinx_rtd_theme' 2>/dev/null; then
    echo "docs: Sphinx or its theme of Read the Docs is missing; config/install-packages.sh --docs-only installs them" >&2
    exit 77
fi
mkdir -p "$out"
# The sources may lie where nobody but root writes.
export PYTHONDONTWRITEBYTECODE=1
# Afresh (-E): Sphinx does not see that a table is made from a source that changed.
afresh=-E
if [ -n "$html" ]; then
    "$sphinx" -q $afresh -n -W --keep-going -b html -d "$out/doctrees" "$here/docs" "$out/html"
    afresh=
fi
"$sphinx" -q $afresh -n -W --keep-going -b man -d "$out/doctrees" "$here/docs" "$out/man"
[ -z "$html" ] || echo "$out/html/index.html"
echo "$out/man"
