# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../storage: messages, what the machine has to have, where the state of a mount is.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034
run_directory=/run/overlap-storage

say() { echo "storage: $*"; }
complain() { echo "storage: $*" >&2; }
failed() { complain "$*" && exit 1; }
wrong() { complain "$*; storage --help tells more" && exit 2; }
unable() { complain "$*" && exit 77; }

need_root() { [ "$(id -u)" = 0 ] || unable "mounting needs root: run it as root or with sudo"; }

need_fuse() {
    [ -e /dev/fuse ] || modprobe fuse 2>/dev/null || true
    [ -e /dev/fuse ] || unable "there is no /dev/fuse (a container needs docker run --device /dev/fuse)"
    { : <>/dev/fuse; } 2>/dev/null || unable "/dev/fuse cannot be opened (a container needs docker run --device /dev/fuse)"
    unshare --mount true 2>/dev/null || unable "mounting is not allowed here (a container needs CAP_SYS_ADMIN)"
}

# Whether writes to one file go on at the same time (FOPEN_PARALLEL_DIRECT_WRITES).
writes_in_parallel() { printf '%s\n' 6.2 "$(uname -r)" | sort -CV; }

# What the build lacks, where it fails.
missing_package() {
    command -v make >/dev/null || echo make
    command -v g++ >/dev/null || echo g++
    command -v pkg-config >/dev/null || echo pkg-config
    pkg-config --exists fuse3 2>/dev/null || echo libfuse3-dev
    g++ -std=c++17 -fsyntax-only -x c++ - <<<'#include <CLI/CLI.hpp>' 2>/dev/null || echo libcli11-dev
}

# Sets server.
need_server() {
    local missing answer
    if answer=$("$here/../config/bench.sh" storage-server 2>&1); then
        server=$(tail -1 <<<"$answer")
    else
        missing=$(missing_package | tr '\n' ' ')
        [ -z "$missing" ] || unable "the server cannot be built: apt-get install ${missing% }"
        failed "$answer"
    fi
}

# One mount or umount at a time on this machine. The lock is held by descriptor 9, until the script ends.
lock_machine() {
    mkdir -p "$run_directory"
    exec 9>"$run_directory/lock"
    flock -w 60 9 || failed "another storage mount or umount has been at work for a minute"
}

# set_directory VERB ARGUMENT...: the mount that everything is about; sets directory, state and own_backing.
set_directory() {
    local key
    if [ $# -lt 2 ] || [ -z "$2" ] || [[ $2 == -* ]]; then wrong "$1 takes a folder as its first argument"; fi
    # A folder whose server is gone cannot be looked at, but its name can.
    directory=$(readlink -m -- "$2") || failed "$2: no such folder"
    key=$(printf '%s' "$directory" | md5sum | cut -c 1-16)
    state=$run_directory/$key
    own_backing=/dev/shm/overlap-storage-$key
}

# The folder as it stands in mountinfo, where these characters are octal.
mounted() {
    local name=${directory//\\/\\134}
    name=${name// /\\040}
    name=${name//$'\t'/\\011}
    name=${name//$'\n'/\\012}
    FIELD=$name awk '$5 == ENVIRON["FIELD"] && / - fuse\.overlap-storage / { found = 1 } END { exit !found }' /proc/self/mountinfo
}

# The server's process, nothing where it is gone: the number may be another's by now.
server_process() {
    local pid
    pid=$(cat "$state/pid" 2>/dev/null) || return 0
    if [ -n "$pid" ] && tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep -qxF -- "$state"; then echo "$pid"; fi
}

# Sets process.
need_mounted() {
    process=$(server_process)
    [ -n "$process" ] || mounted || failed "$directory is not mounted; storage mount $directory --mbps B"
    [ -n "$process" ] || failed "the server of $directory is gone; storage umount $directory removes what it left"
}
