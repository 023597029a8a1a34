#!/bin/sh
# Copies the component into an Open MPI source tree, 5.0 or later, and says how to build it there.
#   config/dropin.sh SOURCE_TREE
set -e
here=$(cd "$(dirname "$0")/.." && pwd)
tree=$1
if [ $# -ne 1 ] || [ ! -d "$tree/ompi/mca/fcoll" ]; then
    echo "usage: config/dropin.sh SOURCE_TREE   (the top folder of an Open MPI source tree; $tree has no ompi/mca/fcoll)" >&2
    exit 2
fi
target=$tree/ompi/mca/fcoll/overlap
# Only what git tracks, or, outside a checkout, what stands there: never the products of a build in the source folder.
rm -rf "$target.new"
mkdir "$target.new"
if git -C "$here" rev-parse >/dev/null 2>&1; then
    (cd "$here/ompi/mca/fcoll/overlap" && git ls-files -co --exclude-standard -z . | xargs -0 tar cf -) | tar xf - -C "$target.new"
else
    (cd "$here/ompi/mca/fcoll/overlap" && tar cf - .) | tar xf - -C "$target.new"
fi
# Files that did not change keep their time, so that a tree that was built before builds only the rest; files that are gone go.
mkdir -p "$target"
(cd "$target.new" && find . -type f) | while read -r file; do
    if ! cmp -s "$target.new/$file" "$target/$file"; then
        mkdir -p "$(dirname "$target/$file")"
        cp "$target.new/$file" "$target/$file"
    fi
done
(cd "$target" && find . -name '*.cc' -o -name '*.c' -o -name '*.h') | while read -r file; do
    [ -e "$target.new/$file" ] || rm "$target/$file"
done
rm -rf "$target.new"
cat <<E2
The component is in $target. Now, with autoconf, automake, libtool, flex and perl:

    cd $tree
    ./autogen.pl --force
    ./configure --prefix=PREFIX
    make && make install
    PREFIX/bin/ompi_info --param fcoll overlap --level 9
E2
