#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/sweep as a job array of a real Slurm: a slurmctld and four slurmd of its own, one for each of four node names, all on loopback, with
# all they have in the scratch folder, ended with it. Skipped where Slurm is missing, or for who is not root. Only with
# LEVEL=nightly or --full. The last line is "N passed, N failed[, N skipped]".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
if [ "$level" != nightly ] && [ "$full" != full ]; then
    skip "a job array of Slurm: LEVEL=nightly has it"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
here=$(cd "$suite_dir/.." && pwd)
. "$here/test/bench/sweep_stand_in.sh"
PATH=$PATH:/usr/sbin

# What it shall come to.
go_on whole >/dev/null
holds "a sweep of 24 runs here" is "$(wc -l <"$scratch/whole/results.jsonl")" 24

lacks() { for each in slurmctld slurmd sbatch squeue scancel scontrol; do command -v $each >/dev/null || { echo "there is no $each"; return; }; done; }
lacking=$(lacks)
[ "$(id -u)" = 0 ] || lacking="not root"
if [ -z "$lacking" ] && ! ls /usr/lib/*/slurm*/auth_none.so >/dev/null 2>&1; then lacking="this Slurm has no auth/none"; fi
if [ -n "$lacking" ]; then
    skip "a job array of Slurm: $lacking"
    suite_end
    exit
fi

export SLURM_CONF=$scratch/slurm.conf
daemons=()
# Port of nobody, five of them.
mapfile -t ports < <(python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(5)]
print(*(each.getsockname()[1] for each in sockets), sep="\n")')
cat >"$SLURM_CONF" <<END
ClusterName=sweep
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=${ports[0]}
AuthType=auth/none
CredType=cred/none
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool-%n
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd-%n.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
KillWait=5
SlurmdParameters=config_overrides
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SchedulerParameters=batch_sched_delay=0
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=1
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=1
NodeName=n3 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[3]} CPUs=1
NodeName=n4 NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[4]} CPUs=1
PartitionName=all Nodes=n[1-4] Default=YES State=UP
END
mkdir "$scratch/state"

# Jobs first, whose steps are no children of a slurmd, then the daemons, by their numbers, and steps that are still there. Those know the
# configuration by its path, which is this test's alone.
stop_slurm() {
    local each
    timeout 20 scancel --me 2>/dev/null && within_a_minute idle
    kill "${daemons[@]}" 2>/dev/null
    wait "${daemons[@]}" 2>/dev/null
    for each in $(grep -lzs "^SLURM_CONF=$SLURM_CONF\$" /proc/[0-9]*/environ | cut -d/ -f3); do kill -KILL "$each" 2>/dev/null; done
    daemons=()
}
# shellcheck disable=SC2154
trap 'code=$?; [ ${#daemons[@]} = 0 ] || stop_slurm; suite_clean; exit $code' EXIT
# In sessions of their own: who ends this test's process group leaves them to it.
setsid slurmctld -D >"$scratch/slurmctld.out" 2>&1 &
daemons+=($!)
for node in n1 n2 n3 n4; do
    setsid slurmd -D -N $node >"$scratch/$node.out" 2>&1 &
    daemons+=($!)
done

queue() { timeout 20 squeue --noheader --array --format "%K %T"; }
idle() { local lines; lines=$(queue) && [ -z "$lines" ]; }
ready() { [ "$(timeout 20 sinfo --noheader --format '%D %t' 2>/dev/null)" = "4 idle" ]; }
holds "a Slurm of four nodes" within_a_minute ready
ready || { tail -n 20 "$scratch"/slurm*.log "$scratch"/*.out; suite_end; exit 1; }

# A task of this sweep waits until the test has killed it; after that none does.
cat >"$STAND_IN/trouble" <<'END'
echo "$SLURMD_NODENAME" >>"$STAND_IN/nodes"
if [ "$OVERLAP_SWEEP_RUN" = 9 ] && [ ! -e "$STAND_IN/killed" ]; then
    echo $$ >"$STAND_IN/waiting"
    exec sleep 600
fi
END
array=("$sweep" run "$scratch/array" "${what[@]}" --repetitions 3 --seed 5 --timeout 600 --submit --at-once 4 -- "$scratch/app")
holds "an array of 24 tasks is submitted" answers 0 'job [0-9]+, an array of 24 tasks' "${array[@]}"
job=$(sed -n 's/.*job \([0-9]*\),.*/\1/p' "$scratch/answer")
only_ninth() { [ "$(queue)" = "9 RUNNING" ] && [ -s "$STAND_IN/waiting" ]; }
holds "all but one come to their end" within_a_minute only_ninth
holds "submitted again, what runs is left alone" answers 0 'no run is missing that is not queued already' "${array[@]}"
holds "and it is not done here beside them" answers 1 'queued in Slurm' "$sweep" run "$scratch/array"
touch "$STAND_IN/killed"
holds "that one is killed" scancel "${job}_9"
holds "and ends" within_a_minute idle
holds "with its command" within_a_minute gone "$(cat "$STAND_IN/waiting")"
holds "23 runs are there" answers 0 '^23 of 24 runs, 0 failed, 1 missing' "$sweep" status "$scratch/array"
holds "a line each, in files of their own" is "$(cat "$scratch"/array/tasks/*.jsonl | wc -l) $(ls "$scratch/array/tasks" | wc -l)" "23 23"
holds "the script of what is missing has one task" answers 0 '^#SBATCH --array=0%1$' "$sweep" run "$scratch/array" --slurm
holds "which is run 9" grep -q 'SLURM_ARRAY_TASK_ID + 9' "$scratch/answer"
holds "only that is submitted" answers 0 'an array of 1 tasks' "$sweep" run "$scratch/array" --submit
holds "and comes to its end" within_a_minute idle
complete() { [ "$(wc -l <"$scratch/array/results.csv")" = 25 ]; }
holds "the last task merges all" within_a_minute complete
holds "to the same table as without Slurm" is "$(table array)" "$(table whole)"
holds "nothing is missing" answers 0 'no run is missing' "$sweep" run "$scratch/array" --submit
holds "tasks ran on all four nodes" is "$(sort -u "$STAND_IN/nodes" | tr '\n' ' ')" "n1 n2 n3 n4 "
holds "no task had anything to say" is "$(cat "$scratch"/array/slurm/*.out | grep -v CANCELLED)" ""

rm "$STAND_IN/nodes"
holds "options of sbatch" answers 0 'an array of 2 tasks' \
    "$sweep" run "$scratch/options" slots=2 --repetitions 2 --submit --sbatch "nodelist=n2 job-name=mine" -- "$scratch/app"
holds "and its end" within_a_minute idle
holds "are obeyed" is "$(sort -u "$STAND_IN/nodes")" n2
holds "there are two results" answers 0 '^2 of 2 runs, 0 failed' "$sweep" status "$scratch/options"
holds "what sbatch refuses is told" answers 1 'sbatch: ' "$sweep" run "$scratch/refused" slots=2 --submit --sbatch partition=nowhere -- "$scratch/app"

numbers=("${daemons[@]}")
stop_slurm
for each in "${numbers[@]}"; do holds "the daemon $each is gone" gone "$each"; done
suite_end
