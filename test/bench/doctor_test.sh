#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# overlap doctor in set-ups that are broken, each in one way, and in good ones: whether it names the cause, and no other. Arguments: see
# ../mpi_suite.sh. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
doctor=$here/bench/doctor

# The Open MPI of this suite is that of PATH; home and environment are those of a new user.
export HOME=$scratch/home
mkdir -p "$HOME/.openmpi/components" "$scratch/bin" "$scratch/folder"
bin=$(dirname "$(command -v "$mpirun")")
for command in mpirun ompi_info mpicc; do
    original=$bin/$command$(basename "$mpirun" | sed 's/^[^.]*//')
    [ -x "$original" ] || original=$bin/$command
    # Those of config/openmpi-debian.sh look for the command in PATH, within their folder.
    printf '#!/bin/sh\nPATH=%s exec "%s" "$@"\n' "'$PATH'" "$original" >"$scratch/bin/$command"
    chmod +x "$scratch/bin/$command"
done
export PATH=$scratch/bin:$PATH
unset OMPI_MCA_mca_base_component_path PMIX_MCA_mca_base_param_files
components=$HOME/.openmpi/components
if [ "$component_path" = none ]; then
    skip "overlap doctor: it needs --component-path, to install the component in a home of its own"
    suite_end
    exit
fi
original=${component_path%%:*}/mca_fcoll_overlap.so
open_pmix "$mpicc" "${ROOT_OF_OPEN_MPI:-}"

# whole: as after make install-user.
whole() {
    rm -rf "$components" "$HOME/.openmpi/mca-params.conf" "$scratch/folder"
    mkdir -p "$components" "$scratch/folder"
    cp "$original" "$components/"
}

# finds CODE FINDINGS PATTERN [NAME=VALUE...] [ARGUMENT...]: doctor's exit code, how many findings there are, and what they say.
finds() {
    local code=$1 count=$2 pattern=$3 settings=()
    shift 3
    while [[ ${1:-} =~ ^[A-Z][A-Za-z_]*= ]]; do settings+=("$1") && shift; done
    env "${settings[@]}" timeout 200 "$doctor" "$@" >"$scratch/said" 2>&1
    local actual=$?
    cat "$scratch/said"
    # Lines are broken at 78 characters.
    tr -s '\n ' ' ' <"$scratch/said" >"$scratch/joined"
    echo "exit code $actual, expected $code; findings: $(grep -cE '^[0-9]+\. ' "$scratch/said"), expected $count, with \"$pattern\""
    [ $actual = "$code" ] && [ "$(grep -cE '^[0-9]+\. ' "$scratch/said")" = "$count" ] && grep -qE -- "$pattern" "$scratch/joined"
}
folder=$scratch/folder
job=(mpirun --oversubscribe -n 2)
asked=("${job[@]}" --mca io ompio --mca fcoll overlap)

whole
holds "a good set-up: served, and it says what it passed" finds 0 0 'passed "--mca io ompio --mca fcoll overlap": nothing else asks' "$folder"
holds "one that the environment asks for" finds 0 0 'the test.s small write was served by overlap; every byte was right. *$' OMPI_MCA_fcoll=overlap "$folder"
holds "a job that asks" finds 0 0 'served by overlap; every byte.*The line of its report tells whether the program.s own calls are collective: .*fcoll_overlap_report line.*the job ran.*exit code 0' "$folder" -- "${asked[@]}" sh -c 'echo the job ran'
holds "a job that does not ask" finds 1 1 'Nothing asks for overlap.*export OMPI_MCA_io=ompio OMPI_MCA_fcoll=overlap .*the test.s small write was served by [a-z_]+, not by overlap' "$folder" -- "${job[@]}" true
holds "it leaves nothing in the folder" is "$(find "$folder" -mindepth 1 | wc -l)" 0

# Parameters that leave it out.
holds "io=^ompio in the environment" finds 1 1 'io is "\^ompio" \(OMPI_MCA_io in the environment\).*export OMPI_MCA_io=ompio' OMPI_MCA_io=^ompio "$folder"
holds "a job's own --mca io ompio counts more" finds 0 0 'served by overlap; every byte' OMPI_MCA_io=^ompio "$folder" -- "${asked[@]}" true
printf '# an old advice\nio = ^ompio\n' >"$HOME/.openmpi/mca-params.conf"
holds "io=^ompio in the user's file" finds 1 1 'io is "\^ompio" \(.*/\.openmpi/mca-params.conf, line 2\)' "$folder"
holds "and the environment counts more than the file" finds 0 0 'served by overlap; every byte' OMPI_MCA_io=ompio OMPI_MCA_fcoll=overlap "$folder"
whole
printf '# ours\n\nfcoll=vulcan\n' >"$scratch/site.conf"
holds "another file, named by the environment" finds 1 1 'fcoll is "vulcan" \(.*/site.conf, line 3\)' OMPI_MCA_mca_base_param_files="$scratch/site.conf" "$folder"
holds "fcoll=^overlap on the command line" finds 1 1 'fcoll is "\^overlap" \(--mca fcoll \^overlap of mpirun\)' "$folder" -- "${job[@]}" --mca fcoll ^overlap true
printf -- '-mca fcoll vulcan\n' >"$scratch/tuned"
holds "a name with a space" finds 1 1 'fcoll is "overlap " \(OMPI_MCA_fcoll in the environment\), with a space.*export OMPI_MCA_fcoll=overlap ' OMPI_MCA_fcoll='overlap ' "$folder"
holds "parameters behind the program" finds 1 2 'mca fcoll overlap stands behind the program, true.*mpirun --mca fcoll overlap \.\.\. true' "$folder" -- "${job[@]}" true --mca fcoll overlap
holds "a file of --tune" finds 1 1 'fcoll is "vulcan" \(.*/tuned, line 1\)' "$folder" -- "${job[@]}" --tune "$scratch/tuned" true
holds "a priority that is too low" finds 1 1 'priority of overlap is 5 \(OMPI_MCA_fcoll_overlap_priority in the environment\), that of' \
    OMPI_MCA_fcoll_overlap_priority=5 "$folder"
holds "beside vulcan in a list" finds 1 1 'priority of overlap is 10, that of' "$folder" -- mpirun --oversubscribe -n 3 --mca fcoll overlap,vulcan true
holds "no component from a file" finds 1 1 'mca_base_component_disable_dlopen is 1' OMPI_MCA_mca_base_component_disable_dlopen=1 OMPI_MCA_fcoll=overlap "$folder"

holds "a component that is not there, of another framework" finds 1 1 'no component foo of sharedfp, which is asked for \(OMPI_MCA_sharedfp' \
    OMPI_MCA_sharedfp=foo OMPI_MCA_fcoll=overlap "$folder"

# The component.
rm "$components/mca_fcoll_overlap.so"
holds "it is not installed" finds 1 1 'not installed: there is no mca_fcoll_overlap.so in' "$folder"
mkdir -p "$HOME/.openmpi/overlap-1" "$scratch/empty"
cp "$original" "$HOME/.openmpi/overlap-1/"
holds "it is not in the component path" finds 1 1 'The component is in .*/overlap-1, and .* not in the component path.*export OMPI_MCA_mca_base_component_path=.*/overlap-1' "$folder"
holds "the same, asked for by name" finds 1 1 'does not find it. MPI_File_open fails with MPI_ERR_OTHER, because .* by name \(--mca fcoll overlap of mpirun\)' \
    "$folder" -- "${asked[@]}" true
rm -r "$HOME/.openmpi/overlap-1"
holds "it is not installed, and asked for by name" finds 1 1 'not installed: .*MPI_File_open fails with MPI_ERR_OTHER, because .* by name' "$folder" -- "${asked[@]}" true
holds "a list with another component opens no file either" finds 1 1 'because .* by name \(--mca fcoll overlap,vulcan of mpirun\).*overlap does not serve' \
    "$folder" -- "${job[@]}" --mca io ompio --mca fcoll overlap,vulcan true
holds "it is not installed, and given a priority" finds 1 1 'not installed: .*Another component serves collective calls; with --mca io ompio --mca fcoll overlap MPI_File_open fails.*served by [a-z_]+, not by overlap' \
    "$folder" -- "${job[@]}" --mca io ompio --mca fcoll_overlap_priority 1000 true
whole
holds "a component path without the home" finds 1 1 'component is in .*/components, and OMPI_MCA_mca_base_component_path in the environment looks in .*/empty only.*unset' \
    OMPI_MCA_mca_base_component_path="$scratch/empty" "$folder"
python3 - "$original" "$components/mca_fcoll_overlap.so" <<'END'
import re
import sys

data = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(re.sub(rb"\0[4-9]\.\d+\.\d+\0", lambda found: b"\x009.9.9" + b"\0" * (len(found.group(0)) - 6), data))
END
holds "it is made for another release" finds 1 1 'is made for Open MPI 9.9.9, and this is' "$folder"
holds "the same, asked for by name" finds 1 1 'leaves it out. MPI_File_open fails with MPI_ERR_OTHER, because .* by name' "$folder" -- "${asked[@]}" true
python3 - "$original" "$components/mca_fcoll_overlap.so" <<'END'
import sys

data = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(data.replace(b"\0libstdc++.so.6\0", b"\0libmissing.so\0\0"))
END
holds "a library is missing" finds 1 1 'needs a library that is missing: libmissing.so.*LD_LIBRARY_PATH' "$folder"
holds "and load errors are hidden" finds 1 2 'missing: libmissing.so.*Load errors are hidden' OMPI_MCA_mca_base_component_show_load_errors=0 "$folder"
whole
mkdir "$scratch/relative"
mv "$components/mca_fcoll_overlap.so" "$scratch/relative/"
cd "$scratch" || exit
holds "a component path that depends on the working folder" finds 0 1 'component path has the folder relative without where it is.*export OMPI_MCA_mca_base_component_path=/.*/relative' \
    OMPI_MCA_fcoll=overlap OMPI_MCA_mca_base_component_path=relative:SYSTEM_DEFAULT:USER_DEFAULT "$folder"
cd "$here" || exit
whole
printf 'int mca_fcoll_else_component;\n' >"$scratch/else.c"
gcc -shared -fPIC -o "$components/mca_fcoll_overlap.so" "$scratch/else.c"
holds "another component has its name" finds 1 1 'is another component under this name' "$folder"
echo 'Not found' >"$components/mca_fcoll_overlap.so"
holds "it is no library" finds 1 1 'cannot be used: it is no shared library' "$folder"

# Names and values.
whole
holds "a misspelt parameter" finds 0 1 'fcoll_overlap_algoritm .*misspelt.*did you mean fcoll_overlap_algorithm\?' OMPI_MCA_fcoll_overlap_algoritm=none "$folder"
echo 'fcol = overlap' >"$HOME/.openmpi/mca-params.conf"
holds "a misspelt framework in a file" finds 0 1 'parameter fcol .*mca-params.conf, line 1\) is misspelt.*did you mean fcoll\?' "$folder"
whole
holds "PRRTE's prefix" finds 0 1 'PRTE_MCA_fcoll=overlap in the environment.*export OMPI_MCA_fcoll=overlap' PRTE_MCA_fcoll=overlap "$folder"
printf 'cb_buffer_size 16m\ncb_nodes 4\nromio_no_indep_rw true\nfcoll_overlap_slot 4\nstriping_facter 4\nmy_own 1\n' >"$scratch/hints"
holds "hints: a suffix, ROMIO's, and two misspelt ones" finds 0 4 'cb_buffer_size is "16m".*cb_buffer_size=16777216.*romio_no_indep_rw .*is ROMIO.s.*fcoll_overlap_slots.*striping_factor' \
    --hints "$scratch/hints" "$folder"
printf 'romio_ds_write disable\ncb_nodes 4\n' >"$scratch/romio"
holds "ROMIO_HINTS" finds 0 1 'ROMIO_HINTS names the file .*export OMPI_MCA_fcoll_overlap_holes=list export OMPI_MCA_io_ompio_num_aggregators=4' ROMIO_HINTS="$scratch/romio" "$folder"
printf '#include <stdio.h>\nconst char version[] = "@(#) PnetCDF library version 1.15.0 of today";\nint main(void) { return puts(version) < 0; }\n' >"$scratch/app.c"
gcc -o "$scratch/app" "$scratch/app.c"
holds "PnetCDF with GIO" finds 1 1 'PnetCDF 1.15.0 .*GIO.*never come to MPI-IO.*PNETCDF_HINTS="nc_driver=mpiio' "$folder" -- "${asked[@]}" "$scratch/app"
printf '#include <mpi.h>\nint main(void) { return MPI_Init(NULL, NULL) + MPI_Finalize(); }\n' >"$scratch/linked.c"
"$mpicc" -o "$scratch/linked" "$scratch/linked.c"
mkdir "$scratch/other"
cp "$(ldd "$scratch/linked" | sed -n 's/.*libmpi\.so\.40 => \(\/[^ ]*\).*/\1/p')" "$scratch/other/libmpi.so.40"
holds "a program of this Open MPI" finds 0 0 'served by overlap; every byte' "$folder" -- "${asked[@]}" "$scratch/linked"
holds "a program that loads the libmpi of another" finds 1 1 'linked loads .*/other/libmpi.so.40, which is not the libmpi of .*/mpirun' \
    LD_LIBRARY_PATH="$scratch/other" "$folder" -- "${asked[@]}" "$scratch/linked"
holds "a library path with another one" finds 1 1 'LD_LIBRARY_PATH has .*/other/libmpi.so.40, which is not the libmpi of' OMPI_MCA_fcoll=overlap LD_LIBRARY_PATH="$scratch/other" "$folder"
holds "PnetCDF that was told to use MPI-IO" finds 0 0 'served by overlap; every byte' 'PNETCDF_HINTS=nc_driver=mpiio' "$folder" -- "${asked[@]}" "$scratch/app"

# The folder.
holds "a folder that is not there" finds 1 1 'nowhere is no folder.*mkdir -p' "$folder/nowhere"
holds "a file in its place" finds 1 1 'mounts is no folder.*overlap doctor /proc ' /proc/mounts
chmod a-w "$folder"
holds "a read-only folder" finds 1 1 'read-only for everybody|cannot be written to' "$folder"
chmod u+w "$folder"

# mounted KIND OPTIONS: the folder, on such a file system.
mounted() { printf '1 0 8:1 / / rw - ext4 /dev/x rw\n2 1 0:40 / %s %s - %s server:/ rw,%s\n' "$(readlink -f "$folder")" rw "$1" "$2" >"$scratch/mounts"; }
mounted fuse.glusterfs user_id=0
holds "a file system that is not coherent" finds 0 1 'fuse.glusterfs\) is not coherent' OVERLAP_DOCTOR_MOUNTINFO="$scratch/mounts" "$folder"
mounted nfs4 local_lock=all
holds "NFS whose locks stay on the client" finds 0 1 'nfs4\) is not coherent: its locks stay on the client' OVERLAP_DOCTOR_MOUNTINFO="$scratch/mounts" "$folder"
mounted nfs4 local_lock=none
holds "NFS with locks at the server is good" finds 0 0 'nfs4, under a lock' OVERLAP_DOCTOR_MOUNTINFO="$scratch/mounts" "$folder"
mounted ext4 ro
holds "a read-only mount" finds 1 1 'mounted read-only' OVERLAP_DOCTOR_MOUNTINFO="$scratch/mounts" "$folder"
mounted lustre flock
cat >"$scratch/bin/lfs" <<'END'
#!/bin/sh
case $1 in
getstripe) echo "stripe_count:  1 stripe_size:   1048576 stripe_offset: -1" ;;
osts) printf 'OBDS:\n0: a ACTIVE\n1: b ACTIVE\n2: c ACTIVE\n' ;;
esac
END
chmod +x "$scratch/bin/lfs"
holds "Lustre with one stripe for eight nodes, and three targets" finds 0 1 'lfs setstripe -c 3 ' OVERLAP_DOCTOR_MOUNTINFO="$scratch/mounts" SLURM_JOB_NUM_NODES=8 "$folder"
mounted lustre localflock
holds "Lustre whose locks are local" finds 0 1 'gives no locks: mounted with localflock' OVERLAP_DOCTOR_MOUNTINFO="$scratch/mounts" "$folder"
touch "$folder/data-123456-77.lock"
holds "lock files of sharedfp" finds 0 1 'has 1 lock file of sharedfp, such as data-123456-77.lock.*OMPI_MCA_sharedfp=\^lockedfile' "$folder"
whole

# Open MPI itself.
printf '#!/bin/sh\necho "HYDRA build details:"\n' >"$scratch/folder/mpirun"
chmod +x "$scratch/folder/mpirun"
holds "another MPI's mpirun" finds 1 1 'mpirun is not Open MPI.s: "HYDRA' "$folder" -- "$folder/mpirun" -n 2 true
rm "$scratch/folder/mpirun"
holds "more ranks than slots" finds 1 1 'asks for more ranks than there are slots.* mpirun --oversubscribe -n 2 --host localhost:1 .*overlap true ' \
    "$folder" -- mpirun -n 2 --host localhost:1 --mca io ompio --mca fcoll overlap true
holds "a launcher that fails" finds 2 1 'exit code' "$folder" -- mpirun --no-such-option true
holds "wrong arguments" answers 2 '"--what" is not understood' "$doctor" --what
holds "--help fits a screen" is "$("$doctor" --help | awk 'length > 80 || NR > 24' | wc -l)" 0
suite_end
