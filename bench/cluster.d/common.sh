# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../cluster: names, messages, what the machine has to have, processes on the hosts.
# shellcheck shell=bash
run_directory=/run/overlap-cluster
netns_directory=/run/netns

say() { echo "cluster: $*"; }
complain() { echo "cluster: $*" >&2; }
failed() { complain "$*" && exit 1; }
wrong() { complain "$*; cluster --help tells more" && exit 2; }
unable() { complain "$*" && exit 77; }

# set_name NAME: the cluster that everything below is about.
set_name() {
    name=$1
    prefix=overlap-$name
    fabric=$prefix-fabric
    state=$run_directory/$name
}

# count OPTION VALUE LIMIT: VALUE is a whole number from 1 to LIMIT.
count() {
    if ! [[ $2 =~ ^[1-9][0-9]{0,6}$ ]] || [ "$2" -gt "$3" ]; then wrong "$1 takes a whole number from 1 to $3, not \"$2\""; fi
}

need_root() { [ "$(id -u)" = 0 ] || unable "network namespaces need root: run it as root or with sudo"; }

# need_command COMMAND PACKAGE
need_command() { [ -x "$(type -P "$1")" ] || unable "$1 is missing: apt-get install $2"; }

# try WHAT COMMAND...: the command as a test of the kernel and its permissions.
try() {
    local what=$1 answer
    shift
    answer=$("$@" 2>&1) || unable "$what: \"$*\" says: ${answer:-nothing}"
}

# What `up` takes from the machine, tried in a namespace of its own, so that a lack is named before anything is built.
need_kernel() {
    local trial=$prefix-trial
    try "no network namespaces here (a container needs CAP_SYS_ADMIN, as with docker run --privileged)" ip netns add "$trial"
    try "no namespaces for host names and mounts here (CONFIG_UTS_NS; a container needs CAP_SYS_ADMIN)" \
        ip netns exec "$trial" unshare --uts true
    try "the kernel has no bridges (module bridge)" ip -n "$trial" link add bridge0 type bridge
    try "the kernel has no veth pairs (module veth)" ip -n "$trial" link add veth0 type veth peer name veth1
    try "the kernel cannot shape with tbf (module sch_tbf)" tc -n "$trial" qdisc add dev veth0 root tbf rate 1mbit burst 20000 limit 100000
    ip netns del "$trial"
}

# One up or down at a time on this machine. The lock is held by descriptor 9, until the script ends.
lock_machine() {
    mkdir -p "$run_directory"
    exec 9>"$run_directory/lock"
    flock -w 60 9 || failed "another cluster up or down has been at work for a minute"
}

# One run or check at a time on a cluster, as they share its links; descriptor 8.
lock_cluster() {
    exec 8>"$state/lock"
    flock -n 8 || failed "another run or check is using the cluster \"$name\""
}

# Sets hosts, mbit, switches and uplink_mbit.
need_up() {
    need_root
    [ -e "$state/ready" ] || failed "the cluster \"$name\" is not up; cluster up --hosts N --mbit M"
    # shellcheck source=/dev/null
    . "$state/settings"
}

host() { echo "$prefix-$1"; }
address() { echo "198.18.$((($1 - 1) / 250)).$((($1 - 1) % 250 + 1))"; }
# The switch of a host: the hosts are dealt out in order, in groups that differ by one at most.
switch_of() { echo $((($1 - 1) * switches / hosts + 1)); }

# The namespaces of this cluster that exist, finished or not.
namespaces() {
    local path
    for path in "$netns_directory/$prefix"-*; do echo "${path##*/}"; done
}

processes() {
    local namespace
    for namespace in $(namespaces); do ip netns pids "$namespace" 2>/dev/null || true; done
}

# idle SECONDS: waits until nothing runs on the hosts.
idle() {
    local deadline=$((SECONDS + $1))
    while [ -n "$(processes)" ]; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.05
    done
}

# Ends what runs on the hosts: this cluster's namespaces hold nobody else's processes.
end_processes() {
    local signal
    for signal in TERM KILL; do
        # shellcheck disable=SC2046
        kill -$signal $(processes) 2>/dev/null || true
        if idle 3; then return 0; fi
    done
    complain "these processes on the hosts do not end: $(processes | tr '\n' ' ')"
    return 1
}
