#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# What config/dropin.sh does to a source tree, and what it says of it. The trees are only the folders that it looks at.
# The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=ompi/mca/fcoll/overlap
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

# result NAME CODE
result() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $1"
    else
        failed=$((failed + 1))
        echo "FAIL  $1"
    fi
}

# tree NAME PAGE: one whose documentation has that page on MPI-IO; the first run's output is in NAME.said.
tree() {
    mkdir -p "$scratch/$1/ompi/mca/fcoll" "$scratch/$1/docs/tuning-apps"
    printf '.. toctree::\n   :maxdepth: 1\n\n   affinity\n   %s\n   benchmarking\n' "$2" >"$scratch/$1/docs/tuning-apps/index.rst"
    "$here/config/dropin.sh" "$scratch/$1" >"$scratch/$1.said"
}

# listed NAME PAGE: the page of the component stands once, behind that one.
listed() {
    [ "$(grep -A1 "^   $2\$" "$scratch/$1/docs/tuning-apps/index.rst" | tail -1)" = "   fcoll-overlap" ] &&
        [ "$(grep -c overlap "$scratch/$1/docs/tuning-apps/index.rst")" = 1 ]
}

# counted NAME: the list has as many files and lines as came into the tree.
counted() {
    local new said
    new=$(cd "$scratch/$1" && find . -type f ! -name index.rst ! -name '.*')
    new="$(wc -l <<<"$new") $(cd "$scratch/$1" && xargs cat <<<"$new" | wc -l)"
    said=$(awk '$3 ~ /^files?$/ && $5 == "lines" { files += $2; lines += $4 } END { print files, lines }' "$scratch/$1.said")
    [ "$new" = "$said" ] || { echo "files and lines: $new, said: $said"; return 1; }
}

tree v5 mpi-io/index
changed=$(cd "$here/$folder" && find . -path ./compat -prune -o \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name owner.txt \) ! -name help_texts.h -print |
    while read -r file; do
        sed '/\$COPYRIGHT\$$/,/\$HEADER\$$/d' "$scratch/v5/$folder/$file" | cmp - "$file" 2>&1
    done)
[ -z "$changed" ]
result "sources come into the tree as they are" $?
without=$(cd "$scratch/v5/$folder" && grep -rL --include='*.[ch]' --include='*.cc' --include='*.m4' --include=Makefile.am --include='help*' '\$HEADER\$$' .)
[ -z "$without" ]
result "but with Open MPI's copyright block" $?
# shellcheck disable=SC2016
sed '/^# For one release/,/^$/d; s/ $(compat_sources)//' "$here/$folder/Makefile.am" | cmp - <(sed '1,/\$HEADER\$$/d' "$scratch/v5/$folder/Makefile.am" | tail -n +2) &&
    [ ! -e "$scratch/v5/$folder/compat" ] && ! grep -qE 'compat/|compat_sources' "$scratch/v5/$folder/Makefile.am" &&
    grep -oE '^    [a-z0-9_/]+\.[ch]+' "$scratch/v5/$folder/Makefile.am" | (cd "$scratch/v5/$folder" && xargs ls >/dev/null)
result "but what only other builds need, and Makefile.am names no such file" $?
[ -z "$(find "$scratch/v5" -name Makefile.in -o -name '*.o' -o -name help_texts.h)" ]
result "nothing that a build made does" $?
cmp "$here/packaging/upstream/fcoll-overlap.rst" "$scratch/v5/docs/tuning-apps/fcoll-overlap.rst" && listed v5 mpi-io/index
result "the page comes into the documentation of 5.0" $?
tree v6 mpi-io
listed v6 mpi-io
result "the page comes into the documentation of 6.x" $?
counted v5
result "the list of a pull request counts what came into the tree" $?
# A file of the component that is no more, and one that changed.
touch "$scratch/v5/$folder/fcoll_overlap_former.c"
echo >>"$scratch/v5/$folder/engine/entry.cc"
touch "$scratch/before"
"$here/config/dropin.sh" "$scratch/v5" >/dev/null
[ "$(find "$scratch/v5" -type f -newer "$scratch/before")" = "$scratch/v5/$folder/engine/entry.cc" ] &&
    [ ! -e "$scratch/v5/$folder/fcoll_overlap_former.c" ] && listed v5 mpi-io/index
result "a second run touches what differs, and removes what is no more" $?

printf 'BasedOnStyle: LLVM\nColumnLimit: 80\nSpaceAfterCStyleCast: true\n' >"$scratch/v6/.clang-format"
"$here/config/dropin.sh" "$scratch/v6" >"$scratch/v6.said"
clang-format --dry-run --Werror "$scratch/v6/$folder"/*.[ch] "$scratch/v6/$folder"/glue/*/*.[ch] && diff -r "$scratch/v5/$folder/engine" "$scratch/v6/$folder/engine" &&
    ! cmp -s "$scratch/v5/$folder/fcoll_overlap_module.c" "$scratch/v6/$folder/fcoll_overlap_module.c" &&
    grep -q 'clang-format .*has the form' "$scratch/v6.said" && counted v6
result "the glue takes the form of a clone, the engine keeps its own" $?

! "$here/config/dropin.sh" "$scratch" >"$scratch/said" 2>&1 && grep -q 'has no ompi/mca/fcoll' "$scratch/said"
result "what is no source tree is refused" $?

echo "$passed passed, $failed failed"
[ $failed = 0 ]
