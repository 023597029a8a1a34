# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../storage: all verbs but check.
# shellcheck shell=bash
# shellcheck disable=SC2154

# ended SECONDS: waits for the server's end.
ended() {
    local deadline=$((SECONDS + $1))
    while [ -n "$(server_process)" ]; do
        [ $SECONDS -lt $deadline ] || return 1
        sleep 0.02
    done
}

# Removes the mount at once where nobody uses it, else so that it goes with its last user.
unmount() {
    local tenth
    for ((tenth = 0; tenth < 10; tenth++)); do
        mounted || return 0
        umount "$directory" 2>/dev/null || sleep 0.1
    done
    umount -l "$directory"
}

# Everything of this mount, whatever state it is in. A write that was held is given 5 s to end.
remove() {
    local process signal
    process=$(server_process)
    if [ -n "$process" ]; then kill -USR1 "$process" 2>/dev/null || true; fi
    unmount || return 1
    for signal in '' TERM KILL; do
        process=$(server_process)
        [ -n "$process" ] || break
        if [ -n "$signal" ]; then kill -$signal "$process" 2>/dev/null || true; fi
        ended 5 || true
    done
    rm -rf "$own_backing" "$state"
}

end_mount() {
    local code=$?
    trap '' INT TERM HUP
    if [ $code != 0 ]; then remove; fi
    exit $code
}

# mount_here OPTION...: below the trap of the caller.
mount_here() {
    mkdir -p "$state"
    printf '%s\n' "$directory" >"$state/directory"
    "$server" mount "$directory" --state "$state" --own-backing "$own_backing" "$@" 9>&-
}

verb_mount() {
    set_directory mount "$@"
    shift
    need_root
    need_fuse
    need_server
    [ -d "$directory" ] || mounted || failed "$directory: no such folder"
    lock_machine
    [ -z "$(server_process)" ] || failed "$directory is mounted already; storage umount $directory removes it"
    remove
    trap end_mount EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    mount_here "$@"
    # It stands: a signal from here on comes too late, and must not end this with an exit code that says otherwise.
    trap '' INT TERM HUP
    writes_in_parallel || complain "Linux before 6.2 does the writes to one file one after the other, whatever the targets could do"
    say "$directory is mounted"
}

verb_umount() {
    set_directory umount "$@"
    [ $# = 1 ] || wrong "umount takes a folder only"
    need_root
    lock_machine
    if [ ! -e "$state" ] && [ ! -e "$own_backing" ] && ! mounted; then
        say "$directory is not mounted, there is nothing to remove"
        return
    fi
    remove || failed "$directory cannot be unmounted"
    say "$directory is unmounted"
}

verb_status() {
    set_directory status "$@"
    [ $# = 1 ] || wrong "status takes a folder only"
    need_mounted
    say "$directory is mounted, its server is process $process"
    # Not everybody may run it.
    if [ -x "/proc/$process/exe" ]; then "/proc/$process/exe" status "$directory"; fi
}

verb_fault() {
    set_directory fault "$@"
    shift
    need_root
    need_mounted
    "/proc/$process/exe" fault "$directory" "$@"
}

verb_release() {
    set_directory release "$@"
    [ $# = 1 ] || wrong "release takes a folder only"
    need_root
    need_mounted
    kill -USR1 "$process"
}
