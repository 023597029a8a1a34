#!/bin/bash
# What users get the component by agrees with it: the version, the options of recipes, the tarball, the environment module, the tools in a
# prefix.
#   test/build/recipes.sh --build DIR
# DIR is a standalone build for the packaged Open MPI that is installed. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
version=$("$here/config/version.sh")
prefix=$(sed -n 's/^prefix = //p' "$build/Makefile")

holds "configure.ac has a version of three numbers" grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' <<<"$version"
holds "configure knows it" is "$("$here/configure" --version | sed -n '1s/.* //p')" "$version"
holds "CHANGELOG.md begins with it" is "$(sed -n 's/^## //p' "$here/CHANGELOG.md" | head -1)" "$version"
holds "debian/changelog begins with it" is "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$here/debian/changelog")" "$version"
holds "the Spack recipe has it" grep -q "version(\"$version\"" "$here/packaging/spack/packages/openmpi_fcoll_overlap/package.py"
holds "the Spack recipe takes its tarball" grep -q "/overlap-$version.tar.gz" "$here/packaging/spack/packages/openmpi_fcoll_overlap/package.py"
holds "the easyconfig has it" grep -qx "version = '$version'" "$here/packaging/easybuild/overlap-$version-"*.eb
holds "ompi_info has it" \
    grep -q "fcoll: overlap (.*Component v$version)" <(OMPI_MCA_mca_base_component_path=$("$here/config/component-path.sh" "$prefix/lib/openmpi" "$mpicc") ompi_info)
for tool in cluster storage trend papers overlap doctor compare sweep timeline report placement simulate; do
    holds "bench/$tool --version" is "$("$here/bench/$tool" --version)" "overlap $version"
done

# known OPTION...: configure --help has each, or its opposite.
known() {
    local option help
    help=$("$here/configure" --help)
    [ $# != 0 ] || return
    for option in "$@"; do
        grep -qE -- "--(with|enable)(out)?-${option#--*-}(\[|=|$|[[:space:]])" <<<"$help" || { echo "configure knows no $option"; return 1; }
    done
}
mapfile -t options < <("$here/test/build/recipes.py")
holds "configure knows the options of the recipes" known "${options[@]}"

# What tests that were built would leave.
mkdir -p "$build/test/functional/.deps" "$build/bench/placement.d/tool"
touch "$build/test/functional/left.o" "$build/test/functional/.deps/left.Po" "$build/bench/placement.d/tool/left.lo"
rm -f "$build"/overlap-*.tar.gz
holds "make dist" make -C "$build" dist
mkdir "$scratch/dist"
tar xf "$build/overlap-$version.tar.gz" -C "$scratch/dist" --strip-components=1
# All that is in git is in the tarball, but for what concerns checkouts and CI.
in_tarball() {
    local missing
    missing=$(git -C "$here" ls-files | grep -vE '^\.(gitignore|ci/)' | while read -r file; do
        [ -e "$scratch/dist/$file" ] || echo "$file"
    done)
    echo "missing: $missing"
    [ -z "$missing" ]
}
if git -C "$here" ls-files >/dev/null 2>&1; then holds "the tarball has every file of the project" in_tarball; fi
holds "the tarball has nothing that a build made" is \
    "$(cd "$scratch/dist" && find . -name '.deps' -o -name .dirstamp -o -name '*.o' -o -name '*.lo' -o -name '*.1')" ""
rm -rf "$build/test/functional/left.o" "$build/test/functional/.deps/left.Po" "$build/bench/placement.d/tool/left.lo"

open_pmix "$mpicc"

# A file in the place of openmpi-mca-params.conf. From 5.0 on a user's own is not the same: of its component path the ranks hear nothing.
site() {
    sed -n 's/^    \(mca_base_component_path = \|fcoll_overlap_priority = \)/\1/p' "$here/docs/guide/site.rst" |
        sed "s,PREFIX_OF_OPEN_MPI/lib/openmpi,$(ompi_info --parsable --path pkglibdir | cut -d: -f3),; s,PREFIX/,$prefix/," \
            >"$scratch/params.conf"
    cat "$scratch/params.conf"
    OMPI_MCA_mca_base_param_files=$scratch/params.conf "$here/config/check-installed.sh" "$mpicc" --by-default
}
holds "the lines of docs/guide/site.rst for openmpi-mca-params.conf make it everybody's first choice" site
holds "the environment module has no place left open" is "$(grep -o '@[A-Z_]*@' "$prefix/share/overlap/modulefile")" ""
loaded() {
    mkdir -p "$scratch/modules/overlap"
    cp "$prefix/share/overlap/modulefile" "$scratch/modules/overlap/$version"
    MODULEPATH=$scratch/modules modulecmd sh load "overlap/$version" >"$scratch/environment" && cat "$scratch/environment" &&
        (
            # shellcheck disable=SC1091
            . "$scratch/environment"
            is "$OMPI_MCA_mca_base_component_path" "$prefix/lib/openmpi:$(ompi_info --parsable --path pkglibdir | cut -d: -f3)" &&
                "$here/config/check-installed.sh" "$mpicc" --by-default
        )
}
if command -v modulecmd >/dev/null; then
    holds "the environment module makes a collective write served by overlap" loaded
else
    skip "the environment module: modulecmd of Environment Modules is missing"
fi

suite_end
