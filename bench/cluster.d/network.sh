# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../cluster: up, down and status. A namespace `fabric` holds the switches, so that neither the machine's addresses nor its
# firewall (which sees bridged frames where br_netfilter is loaded) meet the cluster's.
# shellcheck shell=bash
mtu=9000

# bucket MBIT: the bytes that a link may send at once after a rest: 0.8 ms, which is what a late timer may cost before rate is lost, and no
# less than two frames.
bucket() { echo $(($1 > 200 ? $1 * 100 : 20000)); }

# shape NAMESPACE DEVICE MBIT: what leaves by the device. The queue is longer than what all senders may have under way (see tune), so no
# frame is lost, as on a network with flow control: a lost frame would cost a TCP timeout of 200 ms and hide what is to be measured.
shape() { tc -n "$1" qdisc replace dev "$2" root tbf rate "$3mbit" burst "$(bucket "$3")" limit 1073741824; }

# What TCP hands to a NIC in one piece: tbf cuts a piece that is larger than its bucket into frames, which costs more of the processor
# than all the rest.
piece() {
    local slowest=$mbit
    if [ "$switches" -gt 1 ] && [ "$uplink_mbit" -lt "$mbit" ]; then slowest=$uplink_mbit; fi
    slowest=$(($(bucket "$slowest") * 3 / 4))
    echo $((slowest > 65536 ? 65536 : slowest))
}

# tune NAMESPACE MBIT: TCP, so that runs repeat. The windows bound what stands in the queue of a NIC that many send to: 8 ms of
# its rate for each connection, at least 2 MiB (with less, a stream with traffic across switches beside it lost 9 % of its rate). reno is the
# one congestion control that every kernel lets a namespace choose; without loss they differ little. What is not there in this kernel
# or not writable (a container) stays as it is.
tune() {
    local window=$(($2 * 1000000 / 8 / 125))
    [ $window -gt 2097152 ] || window=2097152
    ip netns exec "$1" sh -c '
        window=$1
        set_to() { if [ -w "/proc/sys/net/$1" ]; then echo "$2" >"/proc/sys/net/$1"; fi; }
        set_to ipv6/conf/all/disable_ipv6 1
        set_to ipv4/tcp_congestion_control cubic || set_to ipv4/tcp_congestion_control reno
        set_to ipv4/tcp_rmem "4096 131072 $window"
        set_to ipv4/tcp_wmem "4096 65536 $window"
        set_to ipv4/tcp_no_metrics_save 1
        set_to ipv4/tcp_slow_start_after_idle 0' sh "$window" 2>/dev/null || true
}

# add_host NAMESPACE ADDRESS PORT SWITCH: a namespace with a NIC, unshaped.
add_host() {
    ip netns add "$1"
    ip -n "$1" link set lo up
    ip -n "$fabric" link add "$3" mtu $mtu type veth peer name eth0 mtu $mtu netns "$1"
    ip -n "$1" link set eth0 gso_max_size "$(piece)"
    ip -n "$fabric" link set "$3" master "$4" up
    ip -n "$1" address add "$2/15" dev eth0
    ip -n "$1" link set eth0 up
}

add_switch() {
    ip -n "$fabric" link add "$1" mtu $mtu type bridge mcast_snooping 0
    ip -n "$fabric" link set "$1" up
}

# Both ends of a veth pair are shaped: each by what leaves it.
build() {
    local i
    ip netns add "$fabric"
    tune "$fabric" "$mbit"
    for ((i = 1; i <= switches; i++)); do add_switch "sw$i"; done
    if [ "$switches" -gt 1 ]; then
        add_switch core
        for ((i = 1; i <= switches; i++)); do
            ip -n "$fabric" link add "up$i" mtu $mtu type veth peer name "down$i" mtu $mtu
            ip -n "$fabric" link set "up$i" master "sw$i" up
            ip -n "$fabric" link set "down$i" master core up
            shape "$fabric" "up$i" "$uplink_mbit"
            shape "$fabric" "down$i" "$uplink_mbit"
        done
    fi
    for ((i = 1; i <= hosts; i++)); do
        add_host "$(host "$i")" "$(address "$i")" "port$i" "sw$(switch_of "$i")"
        tune "$(host "$i")" "$mbit"
        shape "$(host "$i")" eth0 "$mbit"
        shape "$fabric" "port$i" "$mbit"
    done
}

# What a process needs to be on a host. Open MPI tells hosts apart by their names, and so keeps their shared memory and session
# folders in /dev/shm and /tmp apart.
write_state() {
    local i
    {
        echo "127.0.0.1 localhost"
        for ((i = 1; i <= hosts; i++)); do echo "$(address "$i") $(host "$i")"; done
    } >"$state/hosts"
    : >"$state/mounts"
    # enter HOST COMMAND...: the mounts are those of `ip netns exec`, the process's own. A line of `mounts` is a folder of each host, with % for its
    # number, and the place where the host has it.
    cat >"$state/enter" <<END
#!/bin/sh
host=\$1
shift
exec ip netns exec "\$host" unshare --uts sh -c '
    hostname "\$1" || exit 1
    if [ -e /etc/hosts ]; then mount --bind $state/hosts /etc/hosts; fi
    while IFS=: read -r from to; do
        mount --bind "\${from%%%*}\${1##*-}\${from#*%}" "\$to" || exit 1
    done <$state/mounts
    shift
    exec "\$@"' sh "\$host" "\$@"
END
    # agent HOST WORD...: as ssh does, the words are joined and given to a shell.
    cat >"$state/agent" <<END
#!/bin/sh
host=\$1
shift
exec $state/enter "\$host" sh -c "\$*"
END
    chmod +x "$state/enter" "$state/agent"
}

# Also right where nothing or only a part is there.
remove() {
    local namespace left=0
    end_processes || left=1
    for namespace in $(namespaces); do ip netns del "$namespace" || left=1; done
    if [ $left = 0 ]; then rm -rf "$state"; fi
    return $left
}

parse_up() {
    hosts='' mbit='' switches=1 uplink_mbit=''
    while [ $# -gt 0 ]; do
        case $1 in
        --hosts | --mbit | --switches | --uplink-mbit) [ $# -gt 1 ] || wrong "$1 takes a number" ;;&
        --hosts) hosts=$2 ;;
        --mbit) mbit=$2 ;;
        --switches) switches=$2 ;;
        --uplink-mbit) uplink_mbit=$2 ;;
        *) wrong "up does not know \"$1\"" ;;
        esac
        shift 2
    done
    if [ -z "$hosts" ] || [ -z "$mbit" ]; then wrong "up needs --hosts N and --mbit M"; fi
    count --hosts "$hosts" 1000
    count --mbit "$mbit" 100000
    count --switches "$switches" "$hosts"
    if [ "$switches" -gt 1 ]; then
        [ -n "$uplink_mbit" ] || wrong "several switches need --uplink-mbit U"
        count --uplink-mbit "$uplink_mbit" 100000
    elif [ -n "$uplink_mbit" ]; then
        wrong "--uplink-mbit is for several switches: --switches S"
    fi
}

undo_up() {
    local code=$?
    trap '' INT TERM HUP
    complain "up did not come to its end; removing what it made"
    if ! remove; then complain "something is left; cluster --name $name down tries again"; fi
    [ $code != 0 ] || code=1
    exit $code
}

verb_up() {
    parse_up "$@"
    need_root
    need_command ip iproute2
    need_command tc iproute2
    need_command unshare util-linux
    need_command flock util-linux
    need_command hostname hostname
    lock_machine
    [ ! -e "$state/ready" ] || failed "the cluster \"$name\" is up already; cluster down removes it, --name NAME makes another"
    trap undo_up EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    if [ -d "$state" ] || [ -n "$(namespaces)" ]; then
        say "removing what an interrupted up left"
        remove
    fi
    mkdir -p "$state"
    need_kernel
    build
    write_state
    printf '%s=%s\n' hosts "$hosts" mbit "$mbit" switches "$switches" uplink_mbit "$uplink_mbit" >"$state/settings"
    touch "$state/ready"
    trap - EXIT
    say "$(describe)"
}

describe() {
    local text="\"$name\" is up: $(host 1)"
    [ "$hosts" = 1 ] || text+=" to $(host "$hosts")"
    text+=", NICs of $mbit Mbit/s"
    [ "$switches" = 1 ] || text+=", $switches switches with uplinks of $uplink_mbit Mbit/s"
    echo "$text"
}

down_one() {
    if [ ! -d "$state" ] && [ -z "$(namespaces)" ]; then
        say "\"$name\" is not there, nothing to remove"
        return
    fi
    remove || failed "something of \"$name\" is left; cluster --name $name down tries again"
    say "\"$name\" is down"
}

# The names of all clusters of this machine, finished or not.
every_name() {
    local path
    {
        for path in "$run_directory"/*/; do basename "$path"; done
        for path in "$netns_directory"/overlap-*-*; do
            path=${path##*/overlap-}
            echo "${path%%-*}"
        done
    } | sort -u
}

verb_down() {
    local names=$name one
    if [ "${1:-}" = --all ]; then
        names=$(every_name)
        shift
    fi
    [ $# = 0 ] || wrong "down does not know \"$1\""
    need_root
    need_command ip iproute2
    lock_machine
    # An interrupted down would leave the rest to the next one.
    trap '' INT TERM HUP
    for one in $names; do
        set_name "$one"
        down_one
    done
    rmdir "$run_directory" 2>/dev/null || true
}

verb_status() {
    local i one code=1 mine=$name
    [ $# = 0 ] || wrong "status does not know \"$1\""
    for one in $(every_name); do
        set_name "$one"
        if [ ! -e "$state/ready" ]; then
            say "\"$one\" is left by an interrupted up or down ($(namespaces | wc -l) namespaces); cluster --name $one down removes it"
            continue
        fi
        # shellcheck source=/dev/null
        . "$state/settings"
        say "$(describe)"
        [ "$one" = "$mine" ] || continue
        code=0
        for ((i = 1; i <= hosts; i++)); do
            if [ ! -e "$netns_directory/$(host "$i")" ]; then
                echo "  $(host "$i") is gone; cluster down and up again"
                code=1
                continue
            fi
            printf '  %-28s %-14s switch %-3s %s processes\n' "$(host "$i")" "$(address "$i")" "$(switch_of "$i")" \
                "$(ip netns pids "$(host "$i")" 2>/dev/null | wc -l)"
        done
    done
    [ $code = 0 ] || say "\"$mine\" is not up"
    return $code
}
