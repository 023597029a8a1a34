#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# The Open MPI of another release of Debian, in a folder of its own below OVERLAP_CACHE (default ~/.cache/overlap), where a component can
# be built for it and run in it.
#   config/openmpi-debian.sh bookworm|trixie|unstable
# Prints on its last line a folder whose bin/ has that Open MPI's commands, and `enter`, which runs any other command beside it. Ends with
# 77, and says why, where such a folder cannot be made: without root or debootstrap, or while the release cannot be installed.
# The libraries of test/clients are there if the release has them for its Open MPI at the time: else their packages stand in `lacking` in that
# folder, one a line.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
suite=$1
cache=${OVERLAP_CACHE:-$HOME/.cache/overlap}/debian-$suite
root=$cache/root
packages="ccache g++ make pkg-config openmpi-bin libopenmpi-dev libpmix-dev libhwloc-dev libaio-dev nlohmann-json3-dev iproute2"
clients="libhdf5-openmpi-dev libpnetcdf-dev"
commands="mpirun mpicc mpicxx ompi_info"

say() { echo "openmpi-debian: $*" >&2; }
cannot() {
    say "$*"
    exit 77
}

# Where apt has Debian's own packages from: no host is named here.
mirror() {
    sed -n 's/^URIs:[[:space:]]*\([^[:space:]]*\).*/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null
    sed -En 's/^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+)[[:space:]].*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null
}

# apt within the folder. A mirror may stand still.
apt() { DEBIAN_FRONTEND=noninteractive "$here/config/enter.sh" "$root" apt-get -o Acquire::Check-Valid-Until=false "$@"; }

# Whether each package was installed, or could not be, when the folder was made.
is_made() {
    local package
    [ -e "$cache/made" ] || return 1
    for package in $packages $clients; do
        cat "$cache/made" "$cache/lacking" 2>/dev/null | tr ' ' '\n' | grep -qxF "$package" || return 1
    done
}

mkdir -p "$cache"
exec 9>"$cache/lock"
flock -n 9 || { say "waiting for another run"; flock 9; }

if ! is_made; then
    [ "$(id -u)" = 0 ] || cannot "a Debian $suite in a folder needs root"
    command -v debootstrap >/dev/null || cannot "debootstrap is missing"
    from=$(mirror | grep '/debian/*$' | head -1)
    [ -n "$from" ] || cannot "no source of Debian packages in /etc/apt to derive one for $suite from"
    say "installing Debian $suite in $root"
    # One that was whole gets what it lacks.
    [ -e "$cache/made" ] || rm -rf "$root"
    rm -f "$cache/made" "$cache/lacking"
    # shellcheck disable=SC2086
    # What depends on a package that another one provides, debootstrap cannot install; apt can.
    {
        { [ -d "$root" ] || debootstrap --variant=minbase "$suite" "$root" "$from"; } &&
            apt update && apt install -y --no-install-recommends $packages
    } >"$cache/debootstrap.log" 2>&1 || {
        tail -5 "$cache/debootstrap.log" >&2
        cannot "Debian $suite cannot be installed now"
    }
    made=$packages
    for package in $clients; do
        # None of them may cost the Open MPI.
        if apt install -y --no-install-recommends --no-remove "$package" >>"$cache/debootstrap.log" 2>&1; then
            made="$made $package"
        else
            echo "$package" >>"$cache/lacking"
        fi
    done
    rm -rf "$root"/var/cache/apt/archives/*.deb
    echo "$made" >"$cache/made"
fi
[ ! -e "$cache/lacking" ] ||
    say "Debian $suite cannot install $(paste -sd' ' "$cache/lacking"): what needs that is left out (to try again, remove $cache/made)"
# Of its own, as the checkout may be gone when the folder is used again.
mkdir -p "$cache/bin"
install -m 755 "$here/config/enter.sh" "$cache/enter.sh"
for command in $commands enter; do
    name=$command
    [ "$command" != enter ] || name=
    printf '#!/bin/sh\nexec "%s/enter.sh" "%s" %s "$@"\n' "$cache" "$root" "$name" >"$cache/bin/$command"
    chmod +x "$cache/bin/$command"
done
echo "$cache"
