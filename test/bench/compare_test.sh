#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/compare: the numbers of its table and its JSON from given times, what it does with jobs that fail, and that nothing it sets up stays
# behind. mpirun, overlap-bench, cluster and storage are stand-ins that do what a case tells them; the last cases take the real
# ones. Arguments: see ../mpi_suite.sh; LEVEL=nightly and --full try more. Where JOBS_ONLY is set there are none but those with the real programs,
# for a second Open MPI. The last line is "N passed, N failed, N skipped".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full
here=$(cd "$suite_dir/.." && pwd)
. "$here/test/bench/compare_stand_ins.sh"

wrong_arguments() {
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086
        holds "compare $arguments is refused" answers 2 'compare: ' "$program" $arguments
    done <<END
tile --ranks 0
tile --openmpi 3
tile --cluster 4x2
tile --cluster 4by2 --mbit 100
tile --cluster 4x2 --mbit 100 --ranks 8
tile --storage-mbps fast
tile --storage-stripes 4
tile --contenders vulcan,vulcan
tile --contenders overlap:algorithm
tile --file /dev/shm/x
tile --json
END
    holds "without arguments it tells its usage" answers 2 'compare KERNEL' "$here/bench/compare"
    holds "the kernel comes first" answers 2 'the kernel comes first' "$here/bench/compare" --ranks 2 tile
    holds "a parameter that Open MPI does not have is refused" answers 2 'no parameter algoritm' \
        "${compare[@]}" tile --contenders overlap:algoritm=comm
    holds "so is an algorithm that there is not" answers 2 'knows no value comms' "${compare[@]}" tile --contenders overlap:algorithm=comms
    holds "a JSON file that cannot be written is refused" answers 2 'cannot be written' env out=/nowhere/out.json "${compare[@]}" tile
    holds "a folder that is not there is refused" answers 2 'no folder can be made' env target=/nowhere "${compare[@]}" tile
    holds "nothing was run for that" [ ! -e "$STAND_IN/calls" ]
}

numbers() {
    anew
    times vulcan 9 0.75 1.5 1.2
    times romio999 9 0.6
    times overlap-none 9 0.9 1.1 1.0
    times overlap-comm 9 0.7
    times T_comm-none 9 0.9
    times T_comm-comm 9 0.5
    times T_comm-dataflow 9 0.55
    times T_write 9 0.6
    holds "a comparison" answers 0 'contender +median s' "${compare[@]}" tile --element 256 "${on_storage[@]}" --repetitions 3 --seed 5 \
        --contenders "vulcan romio" --contenders overlap:algorithm=none,overlap:algorithm=comm --ranks 6
    holds "median, least, most, MB/s and ratios" shows '^vulcan +1\.2000 +0\.7500 \.\. 1\.5000 +250\.0 +1\.00 +0\.50 +2\.00 +-$'
    holds "efficiency: (1.0 - 0.7) / (1.0 - max(0.5, 0.6))" shows '^overlap:algorithm=comm +0\.7000 .* 428\.6 +1\.71 +0\.86 +1\.17 +0\.75$'
    holds "none for the baseline" shows '^overlap:algorithm=none +1\.0000 .* 1\.20 +0\.60 +1\.67 +-$'
    holds "the bounds" shows '^T_write +0\.6000'
    holds "of the shuffles the fastest" shows '^T_comm +0\.5000 .*: none 0\.9000 comm 0\.5000 dataflow 0\.5500$'
    holds "there is none of the network on one node" [ "$(grep -c T_net "$scratch/answer")" = 0 ]
    holds "and their maximum" shows '^max\(T_comm, T_write\) +0\.6000'
    holds "and their sum" shows '^T_comm \+ T_write +1\.1000'
    holds "the head tells kernel and parameters" shows '^kernel +tile --element 256; \{"element":256\}, 300\.0 MB in 2 calls$'
    holds "the storage" shows '^file .*emulated storage of 100 MB/s \(standinfs\)$'
    holds "Open MPI" shows '^Open MPI +9\.9\.9 '
    holds "the seed" shows 'seed 5'
    holds "JSON has each time" is "$(json 'join " ", @{$j->{jobs}[0]{seconds}}')" "0.75 1.5 1.2"
    holds "and the efficiency" is "$(json 'sprintf "%.6f", $j->{results}[3]{overlap_efficiency}')" 0.750000
    holds "and what the jobs said" is "$(json '$j->{jobs}[0]{runs}[2]{versions}{mpi}')" "Open MPI v9.9.9"
    holds "and the bounds" is "$(json 'join " ", @{$j->{bounds}}{qw(t_none t_comm t_write max sum)}')" "1 0.5 0.6 0.6 1.1"
    holds "and which shuffle it was" is "$(json '"$j->{bounds}{t_comm_schedule} $j->{bounds}{t_comm_of}{dataflow}"')" "comm 0.55"
    holds "each round has each job once, the bounds too" is \
        "$(json 'join " ", map { my %h = map { $_ => 1 } @$_; scalar(@$_) . "/" . keys %h } @{$j->{order}}')" "8/8 8/8 8/8 8/8"
    holds "the first job of a contender is verified" is "$(grep -c -- --verify "$STAND_IN/calls")" 7
    holds "each job has the ranks asked for" is "$(grep -c 'ranks=6 yield=1' "$STAND_IN/calls")" 32
    local mount order four=(--contenders "vulcan romio overlap:algorithm=none overlap:algorithm=comm")
    mount=$(sed -n 's/^storage mount \([^ ]*\) .*/\1/p' "$STAND_IN/calls")
    holds "the file's folder is the mount" is "$(grep -c -- "--file $mount/file" "$STAND_IN/calls")" 20
    order=$(json 'join ",", map { @$_ } @{$j->{order}}')
    "${compare[@]}" tile "${on_storage[@]}" --repetitions 3 --seed 5 "${four[@]}" >/dev/null 2>&1
    holds "the same seed means the same order" is "$(json 'join ",", map { @$_ } @{$j->{order}}')" "$order"
    "${compare[@]}" tile "${on_storage[@]}" --repetitions 3 --seed 6 "${four[@]}" >/dev/null 2>&1
    holds "another seed means another" [ "$(json 'join ",", map { @$_ } @{$j->{order}}')" != "$order" ]
    holds "nothing is left" nothing_left
}

nonblocking() {
    anew
    times vulcan 9 1.8 1.6 1.7
    times overlap 9 0.9 1.0 1.1
    local three=(--contenders "vulcan romio overlap" --repetitions 3)
    holds "nonblocking calls" answers 0 'contender +both s .* call share +test share +hidden' "${compare[@]}" tile --nonblocking --test-every 0.001 \
        --compute-by sleep "${three[@]}"
    holds "what was hidden, with the medians it comes from" shows '^overlap +1\.0000 +0\.9000 \.\. 1\.1000 +1\.0000 +0\.8000 +0\.2000 +0\.250 +0\.125 +1\.00 +-$'
    holds "of vulcan as well" shows '^vulcan +1\.7000 .* 0\.9000 +0\.250 +0\.125 +0\.1[23] +-$'
    holds "ROMIO is left out" shows '^left out: romio: .*crashes'
    holds "and there are no bounds" is "$(grep -c . "$STAND_IN/calls")" 8
    holds "the options are the kernel's" is "$(grep -c 'tile --nonblocking --test-every 0.001 --compute-by sleep --file' "$STAND_IN/calls")" 8
    holds "JSON has it" is "$(json 'join " ", map { sprintf "%.3f", $_ } @{$j->{results}[1]{nonblocking}}{qw(blocking compute added start_share test_share hidden)}')" \
        "1.000 0.800 0.200 0.250 0.125 1.000"
    holds "and no rate" is "$(json '$j->{results}[1]{megabytes_per_second}')" null
    holds "where all compute the same, times are compared" answers 0 '^overlap .* 1\.55$' "${compare[@]}" tile --nonblocking --compute 0.8 "${three[@]}"
    holds "a list of conditions does not take them" answers 2 'nonblocking is not for a list' "${compare[@]}" --regret <(echo "tile --nonblocking")
    holds "nothing is left" nothing_left
}

# efficiency NAME WRITE OVERLAP EXPECTED: with T_none 1 and T_comm 0.5.
efficiency() {
    anew
    times overlap-none 1 && times T_comm-none 0.5 && times T_write "$2" && times overlap "$3"
    "${compare[@]}" tile "${on_storage[@]}" --repetitions 2 --contenders overlap >"$scratch/answer" 2>&1
    holds "$1" shows "^overlap +.* +- +- +[0-9.]+ +$4\$"
}

corners() {
    efficiency "no efficiency where there is less than 2 % to gain" 0.99 0.995 -
    efficiency "none where the bound is no less than the baseline" 1.2 1 -
    efficiency "a loss is a negative efficiency" 0.8 1.1 -0.50
    efficiency "the whole gain is an efficiency of 1" 0.25 0.5 1.00
    holds "the baseline is measured as a bound where it is no contender" is "$(json '$j->{bounds}{t_none}')" 1
    anew
    times vulcan 9 0.2 0.4
    holds "without bounds" answers 0 '^vulcan +0\.3000 +0\.2000 \.\. 0\.4000' "${compare[@]}" tile --no-bounds --repetitions 2 \
        --contenders vulcan,mine=overlap:slots=4:io_ompio_num_aggregators=3:algorithm=comm
    holds "there are no jobs for them" is "$(grep -c . "$STAND_IN/calls")" 6
    holds "a label names a contender" shows '^mine '
    holds "its parameters are passed" is "$(json 'join " ", @{$j->{jobs}[1]{mca}}')" \
        "--mca io ompio --mca fcoll overlap --mca fcoll_overlap_slots 4 --mca io_ompio_num_aggregators 3 --mca fcoll_overlap_algorithm comm"
    anew
    holds "buffers on a device have no bounds" answers 0 '^vulcan ' "${compare[@]}" tile --device --repetitions 2 --contenders vulcan,overlap
    holds "and only the kernels know of it" is "$(grep -c . "$STAND_IN/calls") $(grep -c 'tile --device' "$STAND_IN/calls")" "6 6"
    holds "a component that is not there is left out" answers 0 'left out: two_phase: Open MPI 9.9.9 has no fcoll component two_phase' \
        "${compare[@]}" tile --no-bounds --contenders two_phase,vulcan
    holds "nor is GIO where it is not said" answers 0 'left out: gio: there is no GIO; --with-gio PREFIX' \
        "${compare[@]}" tile --no-bounds --contenders gio,vulcan
    anew
    holds "where it is, its parameters are hints" answers 0 '^gio:cb_nodes=2 ' \
        "${compare[@]}" tile --no-bounds --with-gio /somewhere --contenders gio:cb_nodes=2,vulcan --repetitions 1
    holds "of a method of its own" grep -q -- '--method gio --hint cb_nodes=2' "$STAND_IN/calls"
    holds "with nobody left it fails" answers 1 'no contender is left' "${compare[@]}" tile --contenders two_phase
    if in_memory; then
        holds "in memory there is no T_comm of its own" answers 0 '^T_comm is not defined separately' \
            env target=/dev/shm "${compare[@]}" tile --contenders overlap
    else
        skip "T_comm in memory: /dev/shm is no tmpfs"
    fi
    holds "nothing is left" nothing_left
}

# networked WHAT PATTERN OPTION...: 300 MB on a cluster, written onto a storage server.
networked() {
    local what=$1 pattern=$2
    shift 2
    holds "$what" answers 0 "$pattern" "${compare[@]}" tile --repetitions 1 --contenders overlap "$@"
}

network() {
    local four=(--cluster 4x2 --mbit 800)
    anew
    times overlap-none 1 && times T_comm-none 0.9 && times T_comm-comm 0.6 && times T_write 0.5 && times overlap 0.7
    networked "each NIC of four takes 3/16 of the bytes" '^T_net +0\.5625 +s, 56\.2 MB into each NIC at 800 Mbit/s, where' "${four[@]}" "${on_storage[@]}"
    holds "the least is the larger of network and storage" shows '^max\(T_net, T_write\) +0\.5625'
    holds "a contender is compared with it, its efficiency with the fastest shuffle" shows '^overlap .* 1\.24 +0\.75$'
    holds "JSON has the bytes" is "$(json 'join " ", @{$j->{bounds}{network}}{qw(seconds nic_bytes uplink_bytes holds)}')" "0.5625 56250000 0 1"
    times T_write 0.65
    networked "of a slower storage it is the storage's" '^max\(T_net, T_write\) +0\.6500' "${four[@]}" "${on_storage[@]}"
    times T_comm-comm 0.3
    networked "where something is faster it is no bound" '^T_net +0\.5625 .*; not so here' "${four[@]}" "${on_storage[@]}"
    holds "and nothing is compared with it" shows '^x bound +=.*T_comm'
    times T_comm-comm 0.55
    networked "a rate may be 5 % off" '^T_net +0\.5625 .*evenly' "${four[@]}" "${on_storage[@]}"
    times T_comm-comm 6 && times T_comm-dataflow 6 && times overlap-none 9 && times T_comm-none 9 && times overlap 7
    networked "an uplink counts its switch's hosts" '^T_net +5\.3333 .*66\.7 MB over an uplink at 100, where' \
        --cluster 3x1 --mbit 800 --switches 2 --uplink-mbit 100 "${on_storage[@]}"
    if in_memory; then
        times overlap-none 1 && times overlap 0.8 && times T_write 0.2
        target=/dev/shm networked "in memory the network stands for the shuffle: (1 - 0.8) / (1 - 0.5625)" '^overlap .* 1\.42 +0\.46$' "${four[@]}"
    else
        skip "the network's bound in memory: /dev/shm is no tmpfs"
    fi
    holds "nothing is left" nothing_left
}

# fails WHAT PATTERN TURN...: overlap's jobs, vulcan's go on.
fails() {
    local what=$1 pattern=$2
    shift 2
    anew
    times overlap "$@"
    holds "$what is a failure" answers 1 "^FAILED overlap: $pattern" \
        "${compare[@]}" tile --no-bounds --contenders overlap,vulcan --repetitions 2 --time-limit 1
    holds "and is in the table" shows '^overlap +FAILED$'
    holds "the others go on" shows '^vulcan +1\.0000'
    holds "JSON has the reason" is "$(json '$j->{jobs}[0]{failure}{reason} =~ /^'"$pattern"'/ ? 1 : 0')" 1
}

failures() {
    fails "wrong bytes" 'wrong bytes' wrong
    times overlap wrong 9 0.5 0.7
    rm -f "$STAND_IN/overlap.count"
    holds "with --keep-wrong it is none" answers 0 '^ITS FILE WAS WRONG.*: overlap: wrong bytes in the file: byte 3' \
        "${compare[@]}" tile --no-bounds --contenders overlap,vulcan --repetitions 2 --keep-wrong
    holds "its times count and bear a mark" shows '^overlap +0\.6000 .* ITS FILE WAS WRONG$'
    holds "no other's do" shows '^vulcan +1\.0000 .*-$'
    holds "JSON has it" is "$(json 'join " ", map { $_->{file_is_wrong} ? 1 : 0 } @{$j->{results}}')" "1 0"
    holds "and what was wrong" is "$(json '$j->{jobs}[0]{wrong_file}{reason}')" "wrong bytes in the file: byte 3"
    anew
    times overlap wrong 9 0.5 exit
    holds "with --keep-wrong a job that fails is a failure" answers 1 '^FAILED overlap: exit code 3' \
        "${compare[@]}" tile --no-bounds --contenders overlap,vulcan --repetitions 2 --keep-wrong
    if [ "$full" = full ]; then
        fails "no verification" 'it did not verify' silent
        fails "no result" 'it left no result' nothing
        fails "a time below zero" 'its result has no time' endless
    fi
    fails "half a result" 'it left no result' garbage
    fails "a job that hangs" 'it did not end within 1 seconds' hang
    holds "which is ended" ended "$(cat "$STAND_IN/hanging")"
    fails "an exit code in a later round" 'exit code 3' 1 1 exit
    holds "and so is the end of its output" shows '^ +it is out of order$'
    holds "the command to repeat it does" answers 3 'it is out of order' bash -c "$(sed -n 's/^to repeat it: //p' "$scratch/answer")"
    rm -rf "$scratch"/target/*
    anew
    times overlap-none exit
    holds "a bound that fails is a failure" answers 1 '^FAILED T_none: exit code 3' "${compare[@]}" tile "${on_storage[@]}" --contenders overlap
    holds "and there is no efficiency then" shows '^overlap .* -$'
    holds "nothing is left" nothing_left
}

ended() {
    local tenth
    for ((tenth = 0; tenth < 100; tenth++)); do
        kill -0 "$1" 2>/dev/null || return 0
        sleep 0.1
    done
    return 1
}

# interrupted SIGNAL CODE: while something hangs.
interrupted() {
    local code=0 job tenth
    env --default-signal=INT "${compare[@]}" tile --contenders overlap --cluster 2x3 --mbit 100 "${on_storage[@]}" >"$scratch/answer" 2>&1 &
    job=$!
    for ((tenth = 0; tenth < 200; tenth++)); do
        [ -s "$STAND_IN/hanging" ] && break
        sleep 0.1
    done
    # bash has made itself compare's parent, or has become it.
    kill "-$1" "$(pgrep -P $job -f -- --tools || echo $job)"
    wait $job || code=$?
    holds "$1 ends it with $2" is $code "$2"
    holds "and what it ran" ended "$(cat "$STAND_IN/hanging")"
    holds "nothing is left" nothing_left
    holds "cluster and storage were there" is "$(grep -cE '^cluster .* (up|down)|^storage (u?mount)' "$STAND_IN/calls")" 4
}

clean_up() {
    anew
    holds "on a cluster" answers 0 '6 ranks on 2 emulated hosts, NICs of 100 Mbit/s, 2 switches, uplinks of 50 Mbit/s' \
        "${compare[@]}" tile --contenders vulcan --cluster 2x3 --mbit 100 --switches 2 --uplink-mbit 50 --no-bounds --repetitions 1
    holds "jobs go through cluster run" is "$(grep -c '^cluster --name compare[0-9]* run --ranks-per-host 3 --mpirun' "$STAND_IN/calls")" 2
    holds "it is taken down" nothing_left
    holds "the storage's options" answers 0 'vulcan' "${compare[@]}" tile --contenders vulcan --no-bounds --repetitions 1 "${on_storage[@]}" \
        --storage-latency-ms 2 --storage-stripes 4 --storage-stripe-size 64k
    holds "are passed" grep -qE '^storage mount [^ ]* --mbps 100 --latency-ms 2 --stripes 4 --stripe-size 64k$' "$STAND_IN/calls"
    touch "$STAND_IN/no-storage"
    holds "storage that cannot be is told with 77" answers 77 'FUSE is missing here' "${compare[@]}" tile "${on_storage[@]}"
    rm "$STAND_IN/no-storage"
    touch "$STAND_IN/broken-cluster"
    holds "a cluster that does not come up is a failure" answers 1 'no cable' "${compare[@]}" tile --cluster 2x3 --mbit 100 "${on_storage[@]}"
    holds "nothing is left of both" nothing_left
    anew
    times overlap hang && times overlap-none hang && times T_write hang
    interrupted INT 130
    [ "$full" = full ] || return 0
    anew
    times overlap hang && times overlap-none hang && times T_write hang
    interrupted TERM 143
    anew
    touch "$STAND_IN/slow-cluster"
    interrupted HUP 129
}

# With the Open MPI of the arguments.
real() {
    local overlap_bench options=()
    overlap_bench=$("$here/config/bench.sh" overlap-bench "$mpicxx" 2>"$scratch/bench.log" | tail -1)
    if [ -z "$overlap_bench" ]; then
        skip "a comparison with the real programs: overlap-bench does not build: $(head -1 "$scratch/bench.log")"
        return
    fi
    [ "$component_path" = none ] || options=(--component-path "$component_path")
    options+=(--tools "$here/bench" --mpirun "$(command -v "$mpirun")" --ompi-info "$(dirname "$(command -v "$mpirun")")/ompi_info"
        --overlap-bench "$overlap_bench" --dir "$data" --repetitions 1 --time-limit 300)
    echo "tile --element 256 --tile-y 1000 --ranks 4" >"$scratch/conditions"
    holds "a list of conditions with the real programs" answers 0 '^mean regret [0-9.]+ %, worst [0-9.]+ % \(line 1\)' "$program" "${options[@]}" \
        --regret "$scratch/conditions" --settings overlap:algorithm=none --contenders vulcan
    holds "nonblocking calls of the real programs" answers 0 '^overlap( +[0-9.]+){2} \.\. ' "$program" "${options[@]}" flash --variables 3 \
        --blocks 2 --nonblocking --compute-by sleep --ranks 4 --contenders vulcan,overlap
    holds "an argument that the kernel does not know is told" answers 1 'FAILED vulcan: exit code 2' "$program" "${options[@]}" \
        tile --elephant 256 --ranks 2 --contenders vulcan --no-bounds
    if [ "$full" != full ]; then
        holds "nothing is left" is "$(ls -A "$data")" ""
        return
    fi
    timeout 400 "$program" "${options[@]}" tile --element 256 --tile-y 1000 --cluster 2x2 --mbit 400 --storage-mbps 500 \
        --contenders vulcan,overlap >"$scratch/answer" 2>&1
    if [ $? = 77 ]; then
        skip "on a real cluster with real storage: $(tail -2 "$scratch/answer" | head -1)"
    else
        holds "on a real cluster with real storage" shows '^overlap +[0-9]'
        holds "with all bounds" shows '^T_comm +[0-9]'
    fi
    holds "nothing is left" is "$(ls -A "$data")" ""
}

wrapper() {
    if ! command -v mpirun.openmpi >/dev/null; then
        skip "the wrapper: no package of Open MPI"
        return
    fi
    # It compiles the whole component, on a machine that may have other things to do.
    patience=600 holds "the wrapper builds what is needed" answers 0 '^overlap +[0-9]' \
        env OVERLAP_BENCH="$tools/overlap-bench" "$here/bench/compare" tile --ranks 1 --repetitions 1 --contenders overlap --no-bounds --dir "$scratch/target"
}

if [ -z "${JOBS_ONLY:-}" ]; then
    wrong_arguments
    numbers
    nonblocking
    network
    failures
    clean_up
    [ "$full" != full ] || corners
fi
if command -v "$mpirun" >/dev/null; then real; else skip "the real programs: no $mpirun"; fi
if [ -z "${JOBS_ONLY:-}" ] && [ "$full" = full ]; then wrapper; fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
