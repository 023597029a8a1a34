#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# config/openmpi-debian.sh where a release cannot install a package, and what the clients' suite makes of it. debootstrap, and apt within the
# folder, are stand-ins, so this needs neither root nor a mirror. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin
here=$(cd "$suite_dir/.." && pwd)
export STAND_IN=$scratch OVERLAP_CACHE=$scratch/cache
folder=$OVERLAP_CACHE/debian-unstable
mkdir -p "$scratch/config" "$scratch/bin" "$scratch/apt/sources.list.d"
echo 'URIs: http://mirror.example/debian' >"$scratch/apt/sources.list.d/debian.sources"
sed "s,/etc/apt/,$scratch/apt/,g" "$here/config/openmpi-debian.sh" >"$scratch/config/openmpi-debian.sh"
cat >"$scratch/bin/debootstrap" <<'END'
#!/bin/sh
echo "$*" >>"$STAND_IN/bootstrapped"
mkdir -p "$3/var/cache/apt/archives"
END
cat >"$scratch/config/enter.sh" <<'END'
#!/bin/sh
for word; do
    for lacks in $LACKS; do [ "$word" != "$lacks" ] || { echo "E: Unable to locate package $word"; exit 100; }; done
done
END
printf '#!/bin/sh\necho 0\n' >"$scratch/bin/id"
chmod +x "$scratch/bin/"* "$scratch/config/"*

# makes CODE PATTERN LACKS: the script of a release that lacks these packages; the pattern is in what it says.
makes() { LACKS=$3 PATH=$scratch/bin:$PATH answers "$1" "$2" "$scratch/config/openmpi-debian.sh" unstable; }
bootstraps() { wc -l <"$scratch/bootstrapped"; }
clients() { answers 77 "$1" "$suite_dir/clients/run.sh" --mpicc "$folder/bin/mpicc" --version 6; }

holds "a release that has all" makes 0 "^$folder\$" ""
holds "lacks nothing" test ! -e "$folder/lacking"
holds "one without HDF5 is made" eval 'rm "$folder/made" && makes 0 "cannot install libhdf5-openmpi-dev: " libhdf5-openmpi-dev'
holds "with all but that" is "$(cat "$folder/lacking") $(grep -cw libpnetcdf-dev "$folder/made")" "libhdf5-openmpi-dev 1"
holds "and is not made again" eval 'makes 0 "cannot install libhdf5-openmpi-dev: " "" && is "$(bootstraps)" 2'
holds "until that is asked for" eval 'rm "$folder/made" && makes 0 "^$folder\$" "" && is "$(bootstraps)" 3 && test ! -e "$folder/lacking"'
holds "a longer list of packages comes into the one there is" eval \
    'sed -i "s/ iproute2//" "$folder/made" && makes 0 "^$folder\$" "" && is "$(bootstraps) $(grep -cw iproute2 "$folder/made")" "3 1"'
holds "without both libraries it is made" eval \
    'rm "$folder/made" && makes 0 "cannot install libhdf5-openmpi-dev libpnetcdf-dev: " "libhdf5-openmpi-dev libpnetcdf-dev"'
holds "the clients' suite is skipped there" clients '^0 passed, 0 failed, 2 skipped$'
holds "and says why" clients '^skip hdf5_client: this Debian cannot install libhdf5-openmpi-dev$'
holds "without Open MPI there is none" eval 'rm "$folder/made" && makes 77 "Debian unstable cannot be installed now" libopenmpi-dev'
holds "and none is left behind" test ! -e "$folder/made"
suite_end
