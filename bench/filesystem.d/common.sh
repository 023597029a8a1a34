# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../filesystem: messages, loop devices, clients, up and down. All that runs is in one network namespace and all that is mounted
# below one folder: `down` finds both whatever happened before.
# shellcheck shell=bash
# shellcheck disable=SC2154
base=/var/tmp/overlap-filesystem
namespace=overlap-filesystem
# On the namespace's loopback; several servers do not take 127.0.0.1.
server_address=198.18.255.1

say() { echo "filesystem: $*"; }
complain() { echo "filesystem: $*" >&2; }
failed() { complain "$*" && exit 1; }
wrong() { complain "$*; filesystem --help tells more" && exit 2; }
unable() { complain "$*" && exit 77; }

# The lock is held by descriptor 9, until the script ends; no server inherits it.
lock_machine() {
    exec 9>/run/overlap-filesystem.lock
    flock -w 120 9 || failed "another filesystem up or down has been at work for two minutes"
}

# serve COMMAND...: in the network namespace, with the mounts of this machine, so that what it mounts is seen by all.
serve() { nsenter --net="/run/netns/$namespace" "$@" 9>&- </dev/null; }

# await SECONDS WHAT COMMAND...
await() {
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || failed "$what in time; the servers' logs are in $base/log"
        sleep 0.1
    done
}

# mount_image NAME SIZE MKFS...: a file system of its own in a sparse file, at $base/disk/NAME.
mount_image() {
    local image=$base/image/$1 at=$base/disk/$1 size=$2
    shift 2
    mkdir -p "$base/image" "$at"
    truncate -s "$size" "$image"
    "$@" "$image" >/dev/null || failed "$1: $* fails"
    mount -o loop "$image" "$at" || unable "no loop devices here (a container needs docker run --privileged)"
}

# add_volume VOLUME FUNCTION ARGUMENT...: mounts its clients: FUNCTION ARGUMENT... FOLDER NAME mounts one.
add_volume() {
    local volume=$1 client at
    shift
    for client in $(seq "$clients") checker; do
        at=$base/$volume/$client
        mkdir -p "$at"
        "$@" "$at" "$volume-$client"
        await 30 "$volume does not answer client $client" stat -f "$at/."
        mountpoint -q "$at" || failed "$volume is not mounted by client $client; logs are in $base/log"
    done
    echo "$volume" >>"$base/volumes"
}

# Mounts below the base, the last one first.
mounts() { awk -v base="$base/" 'index($5, base) == 1 { print $5 }' /proc/self/mountinfo | tac; }

devices() { losetup -n -O NAME,BACK-FILE 2>/dev/null | awk -v base="$base/" 'index($2, base) == 1 { print $1 }'; }

processes() { [ ! -e "/run/netns/$namespace" ] || ip netns pids "$namespace"; }

is_gone() { [ -z "$(processes)" ]; }

# idle SECONDS
idle() {
    local tenth
    for ((tenth = 0; tenth < 10 * $1; tenth++)); do
        ! is_gone || return 0
        sleep 0.1
    done
    return 1
}

# Clients first, or they would wait for their servers; lazily, as a process that is killed may have a file open there.
remove() {
    local each signal tenth
    for each in $(mounts | grep -v "^$base/disk/"); do umount -l "$each" || true; done
    for signal in TERM KILL; do
        # shellcheck disable=SC2046
        is_gone || kill -$signal $(processes) 2>/dev/null || true
        ! idle 5 || break
    done
    is_gone || { complain "these do not end: $(processes | tr '\n' ' ')" && return 1; }
    for each in $(mounts); do umount "$each" || umount -l "$each"; done
    # A device between losetup and mount, where `up` was killed; the kernel frees the others a moment after the last umount.
    for each in $(devices); do losetup -d "$each" || true; done
    for ((tenth = 0; tenth < 50; tenth++)); do
        [ -n "$(devices)" ] || break
        sleep 0.1
    done
    [ ! -e "/run/netns/$namespace" ] || ip netns del "$namespace"
    [ -z "$(mounts)" ] || { complain "still mounted: $(mounts | tr '\n' ' ')" && return 1; }
    rm -rf --one-file-system "$base"
}

undo_up() {
    local code=$?
    trap '' INT TERM HUP
    complain "up did not come to its end; removing what it made"
    tail -n 3 "$base"/log/*.log >&2 || true
    remove || complain "something is left; filesystem down tries again"
    [ $code != 0 ] || code=1
    exit $code
}

parse_up() {
    kind=${1:-} clients=4
    case $kind in
    glusterfs | moosefs | cephfs | local) shift ;;
    *) wrong "up takes a kind: glusterfs, moosefs, cephfs or local" ;;
    esac
    while [ $# -gt 0 ]; do
        [ "$1" = --clients ] || wrong "up does not know \"$1\""
        [[ ${2:-} =~ ^[1-9][0-9]?$ ]] || wrong "--clients takes a whole number from 1 to 99"
        clients=$2
        shift 2
    done
}

need_machine() {
    unshare --net true 2>/dev/null || unable "no network namespaces here (a container needs CAP_SYS_ADMIN)"
    [ "$kind" != local ] || return 0
    [ -e /dev/fuse ] || modprobe fuse 2>/dev/null || true
    { : <>/dev/fuse; } 2>/dev/null || unable "/dev/fuse is missing or cannot be opened (a container needs docker run --device /dev/fuse)"
    "$here/../config/install-packages.sh" "$kind" 9>&- || unable "the packages of $kind cannot be installed"
}

verb_up() {
    parse_up "$@"
    [ "$(id -u)" = 0 ] || unable "mounting needs root: run it as root or with sudo"
    lock_machine
    [ ! -e "$base/ready" ] || failed "$(<"$base/ready") is up already; filesystem down removes it"
    need_machine
    trap undo_up EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    remove
    mkdir -p "$base/log" "$base/here"
    ip netns add "$namespace"
    ip -n "$namespace" link set lo up
    ip -n "$namespace" address add $server_address/32 dev lo
    "${kind}_up"
    echo "$kind" >"$base/ready"
    trap - EXIT
    verb_status
}

verb_down() {
    [ $# = 0 ] || wrong "down does not know \"$1\""
    [ "$(id -u)" = 0 ] || unable "unmounting needs root: run it as root or with sudo"
    lock_machine
    # An interrupted down would leave the rest to the next one.
    trap '' INT TERM HUP
    if [ ! -e "$base" ] && [ ! -e "/run/netns/$namespace" ]; then
        say "nothing to remove"
        return
    fi
    remove || failed "something is left; filesystem down tries again"
    say "down"
}

verb_status() {
    local volume
    [ -e "$base/ready" ] || { say "not up" && return 1; }
    for volume in $(<"$base/volumes"); do say "$(<"$base/ready"): $base/$volume/{1..$(($(printf '%s\n' "$base/$volume"/* | wc -l) - 1))} and checker"; done
}

# need_volume VERB VOLUME: sets kind.
need_volume() {
    [ -e "$base/ready" ] || failed "no file system is up; filesystem up KIND"
    grep -qxF -- "${2:-}" "$base/volumes" || wrong "$1 takes a volume: $(paste -sd' ' "$base/volumes")"
    kind=$(<"$base/ready")
}

verb_kill() {
    need_volume kill "${1:-}"
    [ -e "$base/$1/checker/${2:-}" ] && [ -n "${2:-}" ] || wrong "kill takes the name of a file of the volume"
    "${kind}_kill" "$1" "$2"
    echo "$2" >"$base/dead-file"
}

# is_back VOLUME: starts what does not run, and whether all clients see it. A server that died is not started while its process is not gone.
is_back() {
    local client
    "${kind}_restart" "$1"
    for client in "$base/$1"/*; do timeout 10 head -c 1 "$client/$(<"$base/dead-file")" || return; done
}

verb_restart() {
    need_volume restart "${1:-}"
    [ -e "$base/dead-file" ] || failed "no server was killed"
    await 90 "$1 does not come back" is_back "$1"
}
