# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../filesystem: MooseFS, with its default caches.
# shellcheck shell=bash
# shellcheck disable=SC2154

# moosefs_config NAME FOLDER LINE...: the settings that all of its servers have.
moosefs_config() {
    mkdir -p "$2"
    printf '%s\n' "WORKING_USER = root" "WORKING_GROUP = root" "DATA_PATH = $2" "SYSLOG_IDENT = overlap-$1" "LOCK_MEMORY = 0" "NICE_LEVEL = 0" "${@:3}" \
        >"$base/$1.cfg"
}

moosefs_client() { serve mfsmount "$1" -H $server_address >>"$base/log/$2.log" 2>&1; }

moosefs_chunkserver() { serve mfschunkserver -c "$base/chunkserver$1.cfg" start >>"$base/log/chunkserver$1.log" 2>&1; }

# A file of goal 1 has each chunk on one server.
moosefs_goal() { serve mfssetgoal -r 1 "$base/moosefs/checker" >>"$base/log/goal.log" 2>&1; }

moosefs_ready() { [ "$(df -Pm "$base/moosefs/checker" | awk 'NR == 2 { print $4 }')" -gt 1024 ]; }

moosefs_up() {
    local server
    moosefs_config master "$base/master" "EXPORTS_FILENAME = $base/exports.cfg" "TOPOLOGY_FILENAME = $base/topology.cfg" \
        "MATOML_LISTEN_HOST = $server_address" "MATOCS_LISTEN_HOST = $server_address" "MATOCL_LISTEN_HOST = $server_address"
    cp /var/lib/mfs/metadata.mfs.empty "$base/master/metadata.mfs"
    echo '* / rw,alldirs,admin,maproot=0:0' >"$base/exports.cfg"
    : >"$base/topology.cfg"
    serve mfsmaster -c "$base/master.cfg" start >>"$base/log/master.log" 2>&1 || failed "no master: $(tail -1 "$base/log/master.log")"
    for server in 1 2; do
        mount_image $server 2G mkfs.ext4 -q
        echo "$base/disk/$server" >"$base/disks$server.cfg"
        moosefs_config chunkserver$server "$base/chunkserver$server" "HDD_CONF_FILENAME = $base/disks$server.cfg" \
            "HDD_LEAVE_SPACE_DEFAULT = 16MiB" "MASTER_HOST = $server_address" "CSSERV_LISTEN_PORT = 952$server"
        moosefs_chunkserver $server || failed "no chunk server: $(tail -1 "$base/log/chunkserver$server.log")"
    done
    add_volume moosefs moosefs_client
    moosefs_goal || failed "no goal: $(tail -1 "$base/log/goal.log")"
    await 60 "the chunk servers have no room" moosefs_ready
}

# mfsfileinfo names the server by its port.
moosefs_kill() {
    local server
    server=$(serve mfsfileinfo "$base/moosefs/checker/$2" | sed -n 's/.*:952\([12]\).*/\1/p' | head -1)
    [ -n "$server" ] || failed "no server has $2"
    # shellcheck disable=SC2046
    kill -9 $(cat "$base/chunkserver$server/.mfschunkserver.lock")
    echo "$server" >"$base/dead-server"
    say "chunk server $server is dead"
}

moosefs_restart() { moosefs_chunkserver "$(<"$base/dead-server")" || true; }
