#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# The packages of debian/, in a Debian of their own: built, looked at by lintian, installed, used, and removed.
#   test/build/packages.sh FOLDER TARBALL
# FOLDER is what config/openmpi-debian.sh printed; its Debian stays as it is, and what is written goes beside it. TARBALL is that of "make dist".
# The last line is "N passed, N failed".
if [ -z "${OVERLAP_OWN_MOUNTS:-}" ]; then OVERLAP_OWN_MOUNTS=yes exec unshare --mount --propagation slave "$BASH" "$0" "$@"; fi
. "$(dirname "$0")/../mpi_suite.sh"
folder=$1 tarball=$(readlink -f "$2")
suite_begin
here=$(cd "$suite_dir/.." && pwd)
overlap=$("$here/config/version.sh")
DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} nocheck parallel=$(nproc)"
export DEB_BUILD_OPTIONS DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
packages=(openmpi-fcoll-overlap openmpi-fcoll-overlap-bench openmpi-fcoll-overlap-dev)

# fresh NAME: the Debian as it was when it was made; sets mounted.
fresh() {
    [ -z "${mounted:-}" ] || umount "$mounted"
    mkdir -p "$scratch/$1.upper" "$scratch/$1.work" "$scratch/$1"
    mount -t overlay -o "lowerdir=$folder/root,upperdir=$scratch/$1.upper,workdir=$scratch/$1.work" overlay "$scratch/$1" || exit 1
    mounted=$scratch/$1
    within=("$here/config/enter.sh" "$mounted")
}
inside() { "${within[@]}" "$@"; }
# A mirror may stand still.
lists() { inside apt-get -o Acquire::Check-Valid-Until=false -q update; }
install() { inside apt-get -q -y --no-install-recommends install "$@"; }

fresh building
mkdir "$scratch/build"
tar xf "$tarball" -C "$scratch/build"
# The original has no debian/, or nothing would be Debian's own.
tar czf "$scratch/build/openmpi-fcoll-overlap_$overlap.orig.tar.gz" -C "$scratch/build" --exclude "overlap-$overlap/debian" "overlap-$overlap"
cd "$scratch/build/overlap-$overlap" || exit 1
holds "what the build needs can be had" eval 'lists && install lintian dpkg-dev && inside apt-get -q -y --no-install-recommends -P nocheck build-dep ./'
holds "dpkg-buildpackage" inside dpkg-buildpackage --no-sign --build=full -Pnocheck
for package in "${packages[@]}"; do
    holds "$package has this version" is "$(dpkg-deb -f ../"$package"_*.deb Version)" "$overlap-1"
done
[ "$failed" = 0 ] || { suite_end; exit; }
# The tag is for packages that are uploaded to Debian.
holds "lintian" inside lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs --allow-root --tag-display-limit 0 ../*.changes

fresh using
# What a package must not leave; lists and logs are apt's.
files() { inside find /etc /usr /opt /var -path /var/cache -prune -o -path /var/log -prune -o -path /var/lib/apt -prune -o -path /var/lib/dpkg -prune -o -print | sort; }
# netbase, which Python needs, makes one where there is none, and leaves it.
touch "$mounted/etc/hosts"
files >"$scratch/before"
ompi=$(inside mpicc.openmpi --showme:version | sed 's/.*Open MPI \([^ ]*\).*/\1/')
component() { inside ompi_info --parsable --level 9 | grep '^mca:fcoll:overlap:version:.*component:'; }
kept() { inside ompi_info --parsable --path pkglibdir | sed 's/^path:pkglibdir://'; }
holds "without the package ompi_info shows no component" is "$(component)" ""
holds "apt installs them" eval 'lists && install ../openmpi-fcoll-overlap_*.deb ../openmpi-fcoll-overlap-bench_*.deb ../openmpi-fcoll-overlap-dev_*.deb'
holds "the component is where this Open MPI has its own" inside test -e "$(kept)/mca_fcoll_overlap.so"
holds "ompi_info shows its version" grep -q "component:$overlap" <<<"$(component)"
holds "it depends on the release of Open MPI $ompi" grep -qF "(>= ${ompi/rc/\~rc}), " <<<"$(dpkg-deb -f ../openmpi-fcoll-overlap_*.deb Depends)"
holds "it depends on no later one" grep -qF "(<< ${ompi/rc/\~rc}.0~)" <<<"$(dpkg-deb -f ../openmpi-fcoll-overlap_*.deb Depends)"
open_pmix "$folder/bin/mpicc" "$mounted"
holds "a collective write is served by it" inside "$here/config/check-installed.sh" mpicc.openmpi
holds "the test of debian/tests passes" inside debian/tests/served
holds "an example plugin compiles" inside make -C "$scratch" -f /usr/share/doc/openmpi-fcoll-overlap-dev/examples/Makefile INCLUDE=/usr/include
for tool in doctor compare sweep timeline report placement simulate; do
    holds "overlap $tool --version" is "$(inside overlap "$tool" --version)" "overlap $overlap"
    holds "overlap-$tool has a man page" inside test -e "/usr/share/man/man1/overlap-$tool.1.gz"
done
holds "overlap doctor" answers 0 'served by overlap' "${within[@]}" overlap doctor "$data"
holds "overlap-bench" answers 0 'every byte is right' "${within[@]}" mpirun.openmpi --oversubscribe -n 2 --mca io ompio --mca fcoll overlap \
    /usr/libexec/overlap/programs/overlap-bench ior --file "$data/file" --repetitions 1 --verify
holds "overlap compare" answers 0 'overlap' "${within[@]}" overlap compare ior --ranks 2 --repetitions 1 --no-bounds --contenders vulcan,overlap --dir "$data"
# What another package only suggests or recommends apt keeps, as Python, which iproute2 suggests.
holds "apt purges them" inside apt-get -q -y -o APT::AutoRemove::SuggestsImportant=false -o APT::AutoRemove::RecommendsImportant=false \
    --autoremove --purge remove "${packages[@]}"
holds "ompi_info shows no component any more" is "$(component)" ""
files >"$scratch/after"
holds "nothing is left" diff "$scratch/before" "$scratch/after"

cd "$here" || exit 1
suite_end
