#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
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
holds "debian/changelog begins with it" is "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$here/debian/changelog")" "$version-1"
holds "the Spack recipe has it" grep -q "version(\"$version\"" "$here/packaging/spack/packages/openmpi_fcoll_overlap/package.py"
holds "the Spack recipe takes its tarball" grep -q "/overlap-$version.tar.gz" "$here/packaging/spack/packages/openmpi_fcoll_overlap/package.py"
holds "the easyconfig has it" grep -qx "version = '$version'" "$here/packaging/easybuild/overlap-$version-"*.eb
holds "the RPM spec has it" grep -qxE "Version: +$version" "$here/packaging/rpm/openmpi-fcoll-overlap.spec"
holds "CITATION.cff has it" grep -qx "version: $version" "$here/CITATION.cff"
holds "ompi_info has it" \
    grep -q "fcoll: overlap (.*Component v$version)" <(OMPI_MCA_mca_base_component_path=$("$here/config/component-path.sh" "$prefix/lib/openmpi" "$mpicc") ompi_info)
for tool in cluster storage overlap doctor compare sweep timeline report placement simulate; do
    holds "bench/$tool --version" is "$("$here/bench/$tool" --version)" "overlap $version"
done

# --help builds nothing, of no tool.
helps() {
    local tool
    for tool in simulate placement compare cluster storage sweep timeline report doctor against results/papers results/trend; do
        OVERLAP_CACHE=$scratch/unbuilt timeout 20 "$here/bench/$tool" --help >"$scratch/help" 2>&1 && [ "$(wc -l <"$scratch/help")" -gt 5 ] ||
            { echo "$tool --help" && cat "$scratch/help" && return 1; }
    done
    [ ! -e "$scratch/unbuilt" ]
}
holds "--help of no tool builds anything" helps
building() { OVERLAP_CACHE=$scratch/unbuilt "$here/config/bench.sh" trend >"$scratch/help" 2>&1; head -1 "$scratch/help" | grep -q '^bench: building trend, which takes minutes'; }
holds "what builds a tool says so before" building

# Loading a module or a package, or having it installed, changes no job: only the administrator makes it the first choice.
first_choice() { ! grep -rnE '^[^#]*fcoll_overlap_priority' "$here/packaging/modulefile.in" "$here/packaging/easybuild" "$here/packaging/rpm" "$here/debian"; }
holds "no module and no package makes it the first choice by itself" first_choice
spack_asks() { grep -B1 'fcoll_overlap_priority' "$here/packaging/spack/packages/openmpi_fcoll_overlap/package.py" | grep -q 'satisfies("+default")'; }
holds "with Spack a variant does, which is off" spack_asks
holds "and its repository leaves the site's openmpi alone" test ! -e "$here/packaging/spack/packages/openmpi"

# The fields that the format requires (citation-file-format 1.2.0).
citation() {
    python3 - "$here/CITATION.cff" <<'END'
import sys, yaml
cff = yaml.safe_load(open(sys.argv[1]))
for key in ("cff-version", "message", "title", "authors"):
    assert cff[key], key
for work in [cff] + cff["references"]:
    assert work["title"] and work["type"] and all(a.keys() & {"name", "family-names"} for a in work["authors"]), work
assert cff["cff-version"] == "1.2.0" and cff["type"] == "software" and all(r["year"] > 1990 for r in cff["references"])
END
}
if python3 -c 'import yaml' 2>/dev/null; then holds "CITATION.cff has what the format requires" citation; else skip "CITATION.cff: python3-yaml is missing"; fi
spec=$here/packaging/rpm/openmpi-fcoll-overlap.spec
parsed() { rpmspec --parse "$spec" | grep -qx 'Name: *openmpi-fcoll-overlap'; }
if command -v rpmspec >/dev/null; then holds "rpmspec reads the RPM spec" parsed; else skip "the RPM spec: rpm is missing"; fi
# The source is no address that could be asked.
if command -v rpmlint >/dev/null; then holds "rpmlint has nothing to say of it" answers 0 ' 0 errors' rpmlint "$spec"; else skip "the RPM spec: rpmlint is missing"; fi
skip "spack audit and eb --check-contrib: Debian has neither; a stand-in of Spack runs the recipe, Python the easyconfig"

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
# A release: copies of the recipes with the checksum of this tarball.
released() {
    "$here/packaging/release" "$build/overlap-$version.tar.gz" "$scratch/release" https://project.example/overlap "Jane <jane@project.example>" || return
    local sum
    sum=$(sha256sum "$build/overlap-$version.tar.gz" | cut -d' ' -f1)
    grep -q "version(\"$version\", sha256=\"$sum\")" "$scratch/release/spack/packages/openmpi_fcoll_overlap/package.py" &&
        grep -qx "checksums = \['$sum'\]" "$scratch/release/easybuild/"*.eb && ! grep -rn 'overlap\.example' "$scratch/release/spack" "$scratch/release/easybuild" "$scratch/release/rpm" &&
        [ "$(grep -rl 'https://project.example/overlap' "$scratch/release" | wc -l)" -ge 3 ] && grep -q 'Jane <jane@project.example> - 0' "$scratch/release/rpm/"*.spec
}
holds "packaging/release writes checksum, page and maintainer" released
# Debian's source package; nightly ../build/packages.sh builds, installs and removes what it makes.
source_package() {
    mkdir "$scratch/debian"
    tar xf "$build/overlap-$version.tar.gz" -C "$scratch/debian" &&
        tar czf "$scratch/debian/openmpi-fcoll-overlap_$version.orig.tar.gz" -C "$scratch/debian" --exclude "overlap-$version/debian" "overlap-$version" &&
        (cd "$scratch/debian" && dpkg-source -b "overlap-$version")
}
holds "dpkg-source makes the source package" source_package
if command -v lintian >/dev/null; then
    holds "lintian has nothing to say of it" lintian --fail-on error,warning --allow-root "$scratch/debian/openmpi-fcoll-overlap_$version-1.dsc"
else
    skip "Debian's source package: lintian is missing"
fi
# The package for OpenHPC, built by its own tool. Names of Debian's packages are none that rpm knows.
rpm_package() {
    mkdir -p "$scratch/rpm/SOURCES"
    cp "$build/overlap-$version.tar.gz" "$scratch/rpm/SOURCES/"
    rpmbuild -ba --nodeps --define "_topdir $scratch/rpm" --define "_smp_mflags -j$(nproc)" --define "debug_package %{nil}" "$spec" >"$scratch/rpm.log" 2>&1 ||
        { tail -20 "$scratch/rpm.log" && return 1; }
    rpm -qlp "$scratch/rpm/RPMS/"*/*.rpm | tee "$scratch/rpm.files"
    grep -q '/lib/openmpi/mca_fcoll_overlap.so$' "$scratch/rpm.files" && grep -q "/modulefiles/overlap/$version\$" "$scratch/rpm.files"
}
if [ "$level" != nightly ]; then
    skip "the RPM package: it is built nightly"
elif command -v rpmbuild >/dev/null; then
    holds "rpmbuild makes the package" rpm_package
else
    skip "the RPM package: rpmbuild is missing"
fi
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
                "$here/config/check-installed.sh" "$mpicc" && ! "$here/config/check-installed.sh" "$mpicc" --by-default
        )
}
if command -v modulecmd >/dev/null; then
    holds "with the environment module overlap serves who asks for it, and nobody else" loaded
else
    skip "the environment module: modulecmd of Environment Modules is missing"
fi

suite_end
