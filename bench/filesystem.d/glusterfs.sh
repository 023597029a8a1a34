# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../filesystem: GlusterFS.
# shellcheck shell=bash
# shellcheck disable=SC2154

# Of this glusterd: its socket is not that of the machine's own.
gluster_cli() { serve gluster --mode=script --glusterd-sock="$base/glusterd.socket" "$@" >>"$base/log/cli.log" 2>&1; }

# gluster_client VOLUME OPTION... FOLDER NAME
gluster_client() {
    local volume=$1 at=${*: -2:1} name=${*: -1}
    serve glusterfs --volfile-server=$server_address --volfile-id="$volume" "${@:2:$#-3}" --log-file="$base/log/$name.log" "$at"
}

# gluster_volume NAME DISK,DISK [WORD...]
gluster_volume() {
    local name=$1 disk bricks=()
    for disk in ${2//,/ }; do bricks+=("$server_address:$base/disk/$disk/$name"); done
    gluster_cli volume create "$name" "${@:3}" transport tcp "${bricks[@]}" force || failed "no volume $name; $base/log/cli.log says why"
    gluster_cli volume start "$name" || failed "volume $name does not start; $base/log/cli.log says why"
}

glusterfs_up() {
    local disk
    for disk in 1 2; do
        mount_image $disk 2G mkfs.xfs -q
        mount_image small$disk 48M mkfs.ext4 -q -m 0
    done
    mkdir -p "$base/glusterd" "$base/run"
    cat >"$base/glusterd.vol" <<END
volume management
    type mgmt/glusterd
    option working-directory $base/glusterd
    option glusterd-sockfile $base/glusterd.socket
    option transport-type socket
    option transport.socket.listen-port 24007
    option ping-timeout 0
    option max-port 60999
end-volume
END
    # glusterd and its bricks write below these folders, whatever they are told. They see others in their place.
    mkdir -p /run/gluster /var/log/glusterfs
    # shellcheck disable=SC2016
    serve unshare --mount --propagation slave sh -c 'mount --bind "$1/run" /run/gluster && mount --bind "$1/log" /var/log/glusterfs && shift && exec "$@"' \
        sh "$base" glusterd -f "$base/glusterd.vol" --log-file="$base/log/glusterd.log" --pid-file="$base/glusterd.pid"
    await 30 "glusterd does not answer" gluster_cli volume list
    gluster_volume distribute 1,2
    gluster_volume replicate 1,2 replica 2
    gluster_volume small small1,small2
    # The reserve of a brick, 1 % by default, is counted by a thread that wakes up every 5 s; without it a full brick says so by itself.
    gluster_cli volume set small storage.reserve 0
    add_volume distribute gluster_client distribute
    add_volume replicate gluster_client replicate
    add_volume direct gluster_client distribute --direct-io-mode=enable
    add_volume small gluster_client small
}

# The volume of which another one has the clients.
gluster_volume_of() { if [ "$1" = direct ]; then echo distribute; else echo "$1"; fi; }

# A brick's process names its folder, with - for /.
glusterfs_kill() {
    local volume disk brick
    volume=$(gluster_volume_of "$1")
    for disk in "$base/disk"/*; do
        # A file that is elsewhere has an empty one with the sticky bit, which says where.
        [ -e "$disk/$volume/$2" ] && [ ! -k "$disk/$volume/$2" ] || continue
        for brick in $(processes); do
            if tr '\0' '\n' <"/proc/$brick/cmdline" | grep -qxF "$disk/$volume"; then
                kill -9 "$brick"
                say "the server of $disk/$volume is dead"
                return
            fi
        done
    done
    failed "no server has $2"
}

glusterfs_restart() { gluster_cli volume start "$(gluster_volume_of "$1")" force; }
