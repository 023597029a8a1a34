#!/bin/sh
# Copies the component into an Open MPI source tree, 5.0 or later, and says how to build it there.
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
component=$here/ompi/mca/fcoll/overlap
target=$tree/ompi/mca/fcoll/overlap

# What the component is made of; whatever a build left in the source folder is of other kinds.
own_files() {
    (cd "$1" && find . -type f \( -name '*.c' -o -name '*.cc' -o -name '*.h' -o -name '*.m4' -o -name '*.md' -o -name '*.txt' \
        -o -name '*.map' -o -name Makefile.am \))
}

mkdir -p "$target"
own_files "$component" | while read -r file; do
    if ! cmp -s "$component/$file" "$target/$file"; then
        mkdir -p "$(dirname "$target/$file")"
        cp "$component/$file" "$target/$file"
    fi
done
own_files "$target" | while read -r file; do
    [ -e "$component/$file" ] || rm "$target/$file"
done

cat <<END
The component is in $target. Now, with autoconf, automake, libtool, flex and perl:

    cd $tree
    ./autogen.pl --force
    ./configure --prefix=PREFIX
    make && make install
    PREFIX/bin/ompi_info --param fcoll overlap --level 9
END
