# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../cluster: check. A NIC is measured against a probe, a namespace with an unshaped NIC on the same switch, so that a
# deviation names one direction of one NIC; an uplink between a probe on its switch and one on the core switch.
# shellcheck shell=bash
# The part of a frame that is payload: without 14 bytes of Ethernet, 20 of IP, 20 of TCP and 12 of its time stamp option.
frame_bytes=9014
payload_bytes=8948

# The hosts know the addresses of the probes of the last check for a minute: without always the same ones the first stream of this check
# would wait for ten seconds for a probe that is gone.
add_probe() {
    add_host "$prefix-probe$1" "198.19.255.$1" "probe$1" "$2"
    ip -n "$prefix-probe$1" link set eth0 address "02:00:00:00:00:0$1"
}
remove_probes() {
    local namespace
    end_processes || true
    for namespace in $(namespaces | grep -- -probe); do ip netns del "$namespace"; done
}

# move_probe PROBE SWITCH: to another switch; a switch that still knows it elsewhere would send its frames there.
move_probe() {
    local bridge
    ip -n "$fabric" link set "probe$1" master "$2"
    for bridge in $(ip -n "$fabric" -o link show type bridge | awk -F': ' '{ print $2 }'); do
        ip -n "$fabric" link set "$bridge" type bridge fdb_flush
    done
}

flow() { ip netns exec "$1" perl "$here/cluster.d/flow.pl" "${@:2}" 8>&-; }

# rate FROM TO ADDRESS_OF_TO: Mbit/s on the wire.
rate() {
    local receiver
    flow "$2" receive 5001 "$seconds" >"$state/rate" &
    receiver=$!
    flow "$1" send "$3" 5001 || true
    wait $receiver || return 1
    wire_rate <"$state/rate"
}

wire_rate() { awk -v frame=$frame_bytes -v payload=$payload_bytes '{ printf "%.1f\n", $1 * frame / payload }'; }

# within MEASURED ASKED: inside the tolerance. With --at-most less is right as well.
within() {
    awk -v m="$1" -v a="$2" -v t="$tolerance" -v at_most="$at_most" 'BEGIN { d = (m - a) / a * 100; exit !(d <= t && (at_most || d >= -t)) }'
}

# report WHAT ASKED MEASURED
report() {
    local verdict=ok
    if ! within "$3" "$2"; then
        verdict=WRONG
        deviating=$((deviating + 1))
    fi
    awk -v what="$1" -v a="$2" -v m="$3" -v v=$verdict \
        'BEGIN { printf "%-36s %10.0f %10.1f %+8.1f %%  %s\n", what, a, m, (m - a) / a * 100, v }'
}

# measure WHAT ASKED FROM TO ADDRESS_OF_TO: up to three attempts, as the machine may be busy with something else; a link that is shaped
# wrong is wrong in all of them.
measure() {
    local measured attempt
    for attempt in 1 2 3; do
        measured=$(rate "$3" "$4" "$5") || measured=0
        if within "$measured" "$2"; then break; fi
    done
    report "$1" "$2" "$measured"
}

check_hosts() {
    local i
    for ((i = 1; i <= hosts; i++)); do
        move_probe 1 "sw$(switch_of "$i")"
        measure "$(host "$i") out" "$mbit" "$(host "$i")" "$prefix-probe1" 198.19.255.1
        measure "$(host "$i") in" "$mbit" "$prefix-probe1" "$(host "$i")" "$(address "$i")"
    done
}

check_uplinks() {
    local i
    move_probe 1 core
    for ((i = 1; i <= switches; i++)); do
        move_probe 2 "sw$i"
        measure "switch $i up" "$uplink_mbit" "$prefix-probe2" "$prefix-probe1" 198.19.255.1
        measure "switch $i down" "$uplink_mbit" "$prefix-probe1" "$prefix-probe2" 198.19.255.2
    done
}

# ring: every host sends to the next and receives from the one before, at the same time; one rate per host in $state/ring.
ring() {
    local i next receivers=() senders=()
    rm -f "$state"/ring.*
    for ((i = 1; i <= hosts; i++)); do
        flow "$(host "$i")" receive 5001 "$seconds" >"$state/ring.$i" &
        receivers+=($!)
    done
    for ((i = 1; i <= hosts; i++)); do
        next=$((i % hosts + 1))
        flow "$(host "$i")" send "$(address "$next")" 5001 &
        senders+=($!)
    done
    wait "${senders[@]}" || true
    for i in "${receivers[@]}"; do wait "$i" || return 1; done
}

# The slowest flow of the ring inside a switch and across switches. A machine that is too weak for all NICs at once shows here.
check_ring() {
    local i next attempt inside across limit=$mbit
    [ "$switches" = 1 ] || [ "$uplink_mbit" -gt "$mbit" ] || limit=$uplink_mbit
    for attempt in 1 2 3; do
        inside='' across=''
        if ring; then
            for ((i = 1; i <= hosts; i++)); do
                next=$((i % hosts + 1))
                if [ "$(switch_of "$i")" = "$(switch_of "$next")" ]; then
                    inside+="$(wire_rate <"$state/ring.$next")"$'\n'
                else
                    across+="$(wire_rate <"$state/ring.$next")"$'\n'
                fi
            done
        fi
        inside=$(sort -g <<<"${inside%$'\n'}" | head -1)
        across=$(sort -g <<<"${across%$'\n'}" | head -1)
        if within "${inside:-$mbit}" "$mbit" && within "${across:-$limit}" "$limit" && [ -n "$inside$across" ]; then break; fi
    done
    [ -n "$inside$across" ] || inside=0
    if [ -n "$inside" ]; then report "all hosts at once, slowest" "$mbit" "$inside"; fi
    if [ -n "$across" ]; then report "all at once, slowest across switches" "$limit" "$across"; fi
}

end_check() {
    local code=$?
    trap '' INT TERM HUP
    remove_probes
    exit $code
}

verb_check() {
    seconds=1 tolerance=5 at_most='' deviating=0
    while [ $# -gt 0 ]; do
        if [ "$1" = --at-most ]; then
            at_most=yes
            shift
            continue
        fi
        [ $# -gt 1 ] || wrong "$1 takes a number"
        case $1 in
        --seconds) seconds=$2 ;;
        --tolerance) tolerance=$2 ;;
        *) wrong "check does not know \"$1\"" ;;
        esac
        shift 2
    done
    count --seconds "$seconds" 30
    count --tolerance "$tolerance" 100
    need_up
    need_command perl perl
    lock_cluster
    [ -z "$(processes)" ] || failed "something is running on the hosts"
    trap end_check EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    remove_probes
    add_probe 1 sw1
    printf '%-36s %10s %10s   (Mbit/s)\n' "" "asked" "measured"
    check_hosts
    if [ "$switches" -gt 1 ]; then
        add_probe 2 sw1
        check_uplinks
    fi
    if [ "$hosts" -gt 1 ]; then check_ring; fi
    [ $deviating = 0 ] || failed "$deviating of the rates deviate by more than $tolerance %"
}
