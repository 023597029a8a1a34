#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Copies the component and its page of the documentation into an Open MPI source tree, 5.0 or later, and says how to build it there and
# what a pull request to Open MPI would hold.
#   config/dropin.sh SOURCE_TREE
# A second run copies what changed; the rest keeps its time, so that a tree that was built before builds only that.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
tree=${1:-}
if [ $# -ne 1 ] || [ ! -d "$tree/ompi/mca/fcoll" ]; then
    echo "usage: config/dropin.sh SOURCE_TREE   (the top folder of an Open MPI source tree; \"$tree\" has no ompi/mca/fcoll)" >&2
    exit 2
fi
tree=$(cd "$tree" && pwd)
folder=ompi/mca/fcoll/overlap
component=$here/$folder
target=$tree/$folder
page=docs/tuning-apps/fcoll-overlap.rst
contents=docs/tuning-apps/index.rst

# What a tree does not need: it serves builds outside of one, and releases before it. Makefile.am has it in a list of its own.
left_out=compat

# What the component is made of; whatever else a build left in the source folder is of other kinds.
own_files() {
    (cd "$1" && find . -type f \( -name '*.c' -o -name '*.cc' -o -name '*.h' -o -name '*.m4' -o -name '*.md' -o -name '*.txt' \
        -o -name '*.map' -o -name '*.json' -o -name Makefile.am \) ! -name help_texts.h ! -name help_dir.h) | sed "s,^./,," | grep -v "^$left_out/"
}

# The glue has the form of the C beside it, where that has a say: a clone has the file, a tarball has not.
form=no
if [ -e "$tree/.clang-format" ] && command -v clang-format >/dev/null; then form=theirs; fi

staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
own_files "$component" | (cd "$component" && xargs cp --parents -t "$staged")
sed -i '/^# For one release/,/^$/d; s/ $('$left_out'_sources)//' "$staged/Makefile.am"
[ $form = no ] || (cd "$staged" && clang-format --style="file:$tree/.clang-format" -i ./*.[ch] include/*/*.h glue/*/*.[ch])
# Open MPI's block, behind our own copyright where a file has that.
block='\1 $COPYRIGHT$\n\1\n\1 Additional copyrights may follow\n\1\n\1 $HEADER$'
find "$staged" -name '*.[ch]' -o -name '*.cc' | xargs sed -s -i -E '1,3s@^( \*|//) Copyright .*@&\n'"$block@"
for file in Makefile.am:# configure.m4:dnl help-fcoll-overlap.txt:#; do
    sed -i "1i ${file#*:} Copyright (c) 2026 The overlap project" "$staged/${file%:*}"
    sed -i -E '1s@^(#|dnl) .*@&\n'"$block"'\n@' "$staged/${file%:*}"
done

mkdir -p "$target"
# What differs, all at once.
own_files "$staged" | (cd "$staged" && xargs sha1sum) | (cd "$target" && LC_ALL=C sha1sum --check --quiet 2>/dev/null) |
    sed 's/: FAILED.*//' | (cd "$staged" && xargs -r cp --parents -t "$target")
own_files "$target" | while read -r file; do
    [ -e "$component/$file" ] || rm "$target/$file"
done
rm -rf "${target:?}/$left_out" # of a copy that had it
cmp -s "$here/packaging/upstream/fcoll-overlap.rst" "$tree/$page" || cat "$here/packaging/upstream/fcoll-overlap.rst" >"$tree/$page"
listed="one line more"
if ! grep -qs '^   fcoll-overlap$' "$tree/$contents"; then
    # Behind the page on MPI-IO, which is a folder up to 5.0.
    if grep -qsE '^   mpi-io(/index)?$' "$tree/$contents"; then
        sed -i -E 's,^   mpi-io(/index)?$,&\n   fcoll-overlap,' "$tree/$contents"
    else
        listed="to do: no mpi-io in its toctree to put fcoll-overlap behind"
    fi
fi

# part NAME PATTERN WHAT: files of the component.
part() {
    files=$(own_files "$target" | grep -E "$2")
    # shellcheck disable=SC2086
    printf '    %-36s %4d files %6d lines   %s\n' "$1" "$(echo "$files" | wc -l)" "$(cd "$target" && cat $files | wc -l)" "$3"
}

cat <<END
The component is in $target. Now, with autoconf, automake, libtool, flex and perl:

    cd $tree
    ./autogen.pl --force
    ./configure --prefix=PREFIX
    make && make install
    PREFIX/bin/ompi_info --param fcoll overlap --level 9

It is a DSO; --enable-mca-static=fcoll-overlap makes it a part of Open MPI's library.

A pull request to Open MPI would hold:

END
part "$folder" '^((glue|include)/.*|[^/]*)\.[ch]$' "C, the glue"
part "$folder/engine" '^engine/' "C++17"
part "$folder" '\.(am|m4|md|txt|map|json)$' "build, messages, README"
printf '    %-36s %4d file  %6d lines   %s\n' "$page" 1 "$(wc -l <"$tree/$page")" "documentation"
printf '    %-36s %s\n' "$contents" "$listed"
case $form in
theirs) formatted="the glue has the form that it asks for" ;;
*) formatted="to do: in a clone, with clang-format installed, this script gives the glue the form that it asks for" ;;
esac
cat <<END

autogen.pl and configure find the component by themselves. What docs/contributing.rst and AGENTS.md of Open MPI ask for besides:

    .clang-format                     $formatted
    .gitignore                        $folder/help_texts.h and help_dir.h, which the build makes
    docs/release-notes/changelog      an entry for the next release; a line where docs/tuning-apps/mpi-io* lists fcoll components
    git commit -s                     a Signed-off-by of a person who may submit it; first to main, to release branches from there
END
