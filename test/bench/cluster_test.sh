#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/cluster: what it builds has the rates, names and ways that were asked for, and nothing of it stays behind. Root and iproute2 are
# needed, what needs them is skipped where they are not there. Arguments: see ../mpi_suite.sh; --mpirun and --mpicc say with which Open
# MPI `cluster run` is tested; where JOBS_ONLY is set nothing else is, for a second Open MPI. LEVEL=nightly and --full measure rates as well, and
# interrupt more. The last line is "N passed, N failed, N skipped".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full
PATH=$PATH:/usr/sbin:/sbin
cluster=$suite_dir/../bench/cluster
first=t$$a
second=t$$b
export OVERLAP_CLUSTER=$first

suite_down() { for name in $first $second; do "$cluster" --name $name down >/dev/null 2>&1; done; }

namespaces_of() { (cd /run/netns 2>/dev/null && ls -d "overlap-$1-"*) 2>/dev/null; }
# Also false where a namespace lives on without a name, for one of its processes.
gone() {
    local before=$1 name=$2
    namespaces_of "$name" && return 1
    [ ! -e "/run/overlap-cluster/$name" ] || return 1
    [ "$(ip -o link show | sed 's/^[0-9]*: //' | sort)" = "$before" ] || return 1
    ! pgrep -af "overlap-$name-"
}
links() { ip -o link show | sed 's/^[0-9]*: //' | sort; }

wrong_arguments() {
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086
        holds "cluster $arguments is refused" answers 2 'cluster: ' "$cluster" $arguments
    done <<END
up
up --hosts 2
up --hosts 0 --mbit 100
up --hosts two --mbit 100
up --hosts 2 --mbit 100 --switches 2
up --hosts 2 --mbit 100 --switches 3 --uplink-mbit 10
run
run --ranks-per-host -1 -- true
down everything
check --tolerance x
--name Bad-Name status
start
END
    holds "--help tells the verbs" answers 0 'cluster up --hosts N --mbit M' "$cluster" --help
}

without_root() {
    # A copy, as the checkout may be closed to others.
    cp -r "$cluster" "$cluster.d" "$scratch/"
    chmod 755 "$scratch"
    holds "without root, up says that it needs root" \
        answers 77 'need root' setpriv --reuid=65534 --regid=65534 --clear-groups "$scratch/cluster" up --hosts 2 --mbit 100
    holds "without root, status works" answers 1 'not up' setpriv --reuid=65534 --regid=65534 --clear-groups "$scratch/cluster" status
}

lacks() {
    cat >"$scratch/hidden_tc" <<END
#!/bin/bash
exec unshare --mount sh -c 'mount --bind /dev/null $(readlink -f "$(command -v tc)") && exec $cluster up --hosts 2 --mbit 100'
END
    chmod +x "$scratch/hidden_tc"
    holds "without tc, up names the package" answers 77 "tc is missing: apt-get install iproute2" "$scratch/hidden_tc"
    # As in a container without CAP_NET_ADMIN and CAP_SYS_ADMIN: root that may not do it.
    holds "without the capability, up says so and leaves nothing" answers 77 'CAP_SYS_ADMIN' \
        setpriv --bounding-set=-sys_admin,-net_admin --inh-caps=-sys_admin,-net_admin "$cluster" up --hosts 2 --mbit 100
    holds "nothing is left after that" gone "$before" $first
}

life() {
    holds "run before up says that there is no cluster" answers 1 'not up' "$cluster" run -- true
    holds "down before up has nothing to do" answers 0 'nothing to remove' "$cluster" down
    holds "up" answers 0 'is up' "$cluster" up --hosts 3 --mbit 400
    holds "a second up is refused" answers 1 'up already' "$cluster" up --hosts 3 --mbit 400
    holds "status shows the hosts" answers 0 "overlap-$first-3 +198.18.0.3" "$cluster" status
    holds "another cluster beside it" answers 0 'is up' "$cluster" --name $second up --hosts 4 --mbit 300 --switches 2 --uplink-mbit 100
    holds "status of one names the other" answers 0 "\"$second\" is up" "$cluster" status
    holds "the machine's own network is as it was" [ "$(links)" = "$before" ]
}

# shaped NAME: the rates that the kernel was told for a cluster, each with the number of links that have it.
shaped() {
    local namespace
    for namespace in $(namespaces_of "$1"); do tc -n "$namespace" qdisc show; done | sed -n 's/.*tbf.* rate \([^ ]*\) .*/\1/p' | sort | uniq -c
}

# verdict MEASURED ASKED [AT_MOST]: with a tolerance of 5 percent.
verdict() {
    bash -c '. "$1" && tolerance=5 at_most=$4 && if within "$2" "$3"; then echo ok; else echo WRONG; fi' sh "$cluster.d/rates.sh" "$1" "$2" "${3:-}"
}

finds_the_open_nic() {
    answers 1 "overlap-$first-2 out .*WRONG" "$cluster" check --tolerance 20 --at-most && grep -qE "overlap-$first-2 in .*ok" "$scratch/answer"
}

# On a machine that has other work to do a link is slower than its rate, never faster: what is too slow is seen by what the kernel was told.
rates() {
    holds "every NIC is told its rate, in both directions" is "$(shaped $first)" "      6 400Mbit"
    holds "and every uplink" is "$(shaped $second)" "$(printf '      4 100Mbit\n      8 300Mbit')"
    holds "a rate inside the tolerance is ok" is "$(verdict 95.1 100) $(verdict 104.9 100)" "ok ok"
    holds "others are not" is "$(verdict 94.9 100) $(verdict 105.1 100)" "WRONG WRONG"
    holds "with --at-most those that are too low are" is "$(verdict 94.9 100 yes) $(verdict 1 100 yes) $(verdict 105.1 100 yes)" "ok ok WRONG"
    [ "$full" = full ] || return 0
    holds "no NIC is faster" steadily answers 0 "overlap-$first-3 in .*ok" "$cluster" check --tolerance 20 --at-most
    holds "no uplink is" steadily answers 0 'switch 2 down .*ok' "$cluster" --name $second check --tolerance 20 --at-most
    tc -n "overlap-$first-2" qdisc del dev eth0 root
    holds "check finds a NIC that is not shaped, and only that direction" steadily finds_the_open_nic
    holds "check leaves no probe behind" [ "$(namespaces_of $first | wc -l)" = 4 ]
}

# measured NAME RANK: what the test program measured of messages from rank 0 to it.
measured() { awk -v name="$1" -v to="$2" '$1 == name && $3 == to { print int($4) }' "$scratch/answer"; }

jobs() {
    local job=("$cluster" run --ranks-per-host 2 --mpirun "$mpirun" --)
    mkdir -p "$scratch/a folder"
    cd "$scratch/a folder" || return
    "$cluster" down >/dev/null && "$cluster" up --hosts 3 --mbit 400 >/dev/null
    holds "run starts two ranks on each host" \
        env OMPI_MCA_fcoll=some_name OVERLAP_TEST="two words" "$BASH" -c '"$@" >"$0" 2>&1 && grep "rank 5 of 6" "$0"' "$scratch/answer" \
        timeout 120 "${job[@]}" -x OVERLAP_TEST "$build/ways"
    holds "each host has its own name" [ "$(grep -o "host overlap-$first-[123]" "$scratch/answer" | sort | uniq -c | grep -c ' 2 ')" = 3 ]
    holds "across hosts the NIC's rate is kept" [ "$(measured bandwidth 2)" -le 480 ]
    holds "and the messages go by the network" [ "$(measured network 2)" -ge 100 ]
    holds "inside a host it is shared memory" [ "$(measured network 1)" -lt 10 ]
    holds "the working directory is the caller's" [ "$(grep -c 'in .*/a folder$' "$scratch/answer")" = 6 ]
    holds "OMPI_MCA_ variables reach all ranks" [ "$(grep -c 'fcoll some_name' "$scratch/answer")" = 6 ]
    holds "so do others with -x" [ "$(grep -c 'test two words' "$scratch/answer")" = 6 ]
    for i in 1 2 3; do mkdir -p "$scratch/own/$i" && echo "own $i" >"$scratch/own/$i/name"; done
    mkdir -p "$scratch/here"
    holds "with --mount each host has a folder of its own at the same path" is "$(timeout 120 "$cluster" run --mpirun "$mpirun" \
        --mount "$scratch/own/%:$scratch/here" -- cat "$scratch/here/name" 2>/dev/null | grep -ao 'own [0-9]' | sort | paste -sd' ')" "own 1 own 2 own 3"
    holds "the machine does not have it there" is "$(ls "$scratch/here")" ""
    holds "--mount without a % is refused" answers 2 '--mount takes FROM:TO' "$cluster" run --mount "$scratch/own/1:$scratch/here" -- true
    # Whatever mpirun says of it: 5.0.7 says nothing now and then.
    timeout 120 "${job[@]}" "$build/ways" exit 37 >"$scratch/answer" 2>&1
    holds "a rank's exit code is forwarded" [ $? = 37 ]
    holds "-n takes fewer ranks, and standard input reaches rank 0" is "$(echo a line from outside | timeout 120 "${job[@]}" -n 1 cat 2>/dev/null)" \
        "a line from outside"
    holds "an mpirun that is not there is named" answers 1 'no such mpirun' "$cluster" run --mpirun nowhere/mpirun -- true
    holds "nothing runs on the hosts after a run" [ "$("$cluster" status | grep -c ' 0 processes')" = 3 ]
    cd / || return
}

# interrupted SIGNAL CODE: a job that would not end by itself.
interrupted() {
    local code=0 job tenth
    env --default-signal=INT "$cluster" run --mpirun "$mpirun" -- "$build/ways" sleep >"$scratch/job" 2>&1 &
    job=$!
    for ((tenth = 0; tenth < 200; tenth++)); do
        [ "$(grep -c sleeping "$scratch/job")" = 3 ] && break
        sleep 0.1
    done
    holds "while a run is at work, another is refused" answers 1 'another run or check' "$cluster" run --mpirun "$mpirun" -- true
    kill "-$1" $job
    wait $job || code=$?
    [ "$1" != KILL ] || return 0
    holds "run ends by $1 with the code $2" [ $code = "$2" ]
    holds "and leaves nothing on the hosts" [ "$("$cluster" status | grep -c ' 0 processes')" = 3 ]
}

interruptions() {
    interrupted INT 130
    if [ "$full" = full ]; then
        interrupted TERM 143
        interrupted KILL 137
        holds "what a killed run left is ended by the next" answers 0 'rank 2 of 3' "$cluster" run --mpirun "$mpirun" -- "$build/ways"
    fi
    interrupted KILL 137
    holds "down ends what still runs" answers 0 'is down' "$cluster" down
    holds "and leaves nothing" gone "$before" $first
}

# At any moment: the delay is a part of what an undisturbed up takes (0.1 to 0.3 s).
broken_up() {
    local signal delay job left=0
    for signal in INT TERM HUP; do
        for delay in 0.01 0.03 0.06 0.1 0.15; do
            env --default-signal=INT "$cluster" up --hosts 8 --mbit 100 --switches 2 --uplink-mbit 50 >"$scratch/up" 2>&1 &
            job=$!
            sleep $delay
            kill -$signal $job 2>/dev/null
            # Where the signal came too late the cluster is up, which is right as well.
            if wait $job; then "$cluster" down >/dev/null; fi
            gone "$before" $first || left=$((left + 1))
        done
        holds "an up that ends by $signal leaves nothing" [ $left = 0 ]
    done
    for delay in 0.02 0.05 0.1; do
        "$cluster" up --hosts 8 --mbit 100 >/dev/null 2>&1 &
        job=$!
        sleep $delay
        kill -KILL $job 2>/dev/null
        wait $job 2>/dev/null
        "$cluster" down >/dev/null 2>&1 || left=$((left + 1))
        gone "$before" $first || left=$((left + 1))
    done
    holds "down removes what a killed up left" [ $left = 0 ]
    "$cluster" up --hosts 8 --mbit 100 >/dev/null 2>&1 &
    job=$!
    sleep 0.05
    kill -KILL $job
    wait $job 2>/dev/null
    holds "so does the next up" answers 0 'is up' "$cluster" up --hosts 2 --mbit 100
    "$cluster" down >/dev/null
    # The sixth use of tc fails, in the middle of the hosts.
    mkdir -p "$scratch/bin"
    cat >"$scratch/bin/tc" <<END
#!/bin/sh
echo x >>$scratch/uses
if [ \$(wc -l <$scratch/uses) = 6 ]; then echo "tc: out of order" >&2; exit 2; fi
exec $(command -v tc) "\$@"
END
    chmod +x "$scratch/bin/tc"
    holds "an up that fails in its middle says why" answers 2 'tc: out of order' env PATH="$scratch/bin:$PATH" \
        "$cluster" up --hosts 4 --mbit 100
    holds "and leaves nothing" gone "$before" $first
}

before=$(links)
[ -n "${JOBS_ONLY:-}" ] || wrong_arguments
missing=
[ "$(id -u)" = 0 ] || missing=root
for tool in ip tc unshare flock setpriv; do
    command -v $tool >/dev/null || missing=${missing:-$tool}
done
if [ -z "$missing" ]; then
    # Root in a container may not be allowed namespaces; cluster says so itself.
    answer=$("$cluster" up --hosts 1 --mbit 100 2>&1)
    [ $? != 77 ] || missing="a machine that can do it: $answer"
    "$cluster" down >/dev/null 2>&1
fi
if [ -n "$missing" ]; then
    skip "all that builds a cluster: it needs $missing"
else
    if [ -z "${JOBS_ONLY:-}" ]; then
        without_root
        lacks
    fi
    life
    [ -n "${JOBS_ONLY:-}" ] || rates
    if command -v "$mpirun" >/dev/null && suite_build ways "$suite_dir/bench/ways.cc"; then
        jobs
        interruptions
    else
        skip "run: no $mpirun"
    fi
    "$cluster" --name $second down >/dev/null
    "$cluster" down >/dev/null
    if [ -z "${JOBS_ONLY:-}" ] && [ "$full" = full ]; then broken_up; fi
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
