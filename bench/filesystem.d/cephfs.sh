# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../filesystem: CephFS, one monitor, one metadata server, one object store in memory, clients by ceph-fuse.
# shellcheck shell=bash
# shellcheck disable=SC2154

# Nothing is authenticated: all of it is on the loopback of a namespace.
ceph_config() {
    local id
    id=$(</proc/sys/kernel/random/uuid)
    cat >"$base/ceph.conf" <<END
[global]
fsid = $id
mon host = $server_address
mon initial members = a
mon data = $base/mon
mon allow pool size one = true
mon warn on pool no redundancy = false
auth cluster required = none
auth service required = none
auth client required = none
run dir = $base/run
admin socket = $base/run/\$name.\$pid.socket
log file = $base/log/\$name.\$pid.log
crash dir = $base/run
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd crush chooseleaf type = 0
osd data = $base/osd
osd objectstore = memstore
memstore device bytes = 2147483648
osd journal =
mds data = $base/mds
END
    monmaptool --create --addv a "[v2:$server_address:3300,v1:$server_address:6789]" --fsid "$id" "$base/monmap"
}

ceph_cli() { serve timeout 60 ceph -c "$base/ceph.conf" "$@" >>"$base/log/cli.log" 2>&1; }

ceph_has_osd() { serve timeout 20 ceph -c "$base/ceph.conf" osd stat | grep -q '1 up'; }
ceph_has_mds() { serve timeout 20 ceph -c "$base/ceph.conf" mds stat | grep -q 'up:active'; }

cephfs_client() { serve timeout 60 ceph-fuse -c "$base/ceph.conf" --client-mountpoint=/ "$1" >>"$base/log/$2.log" 2>&1; }

# ceph_try WHAT COMMAND...
ceph_try() {
    local what=$1
    shift
    "$@" >>"$base/log/up.log" 2>&1 || unable "$what: $(tail -1 "$base/log/up.log")"
}

ceph_servers() {
    local id
    id=$(</proc/sys/kernel/random/uuid)
    ceph_try "the monitor cannot be made" serve ceph-mon -c "$base/ceph.conf" -i a --mkfs --monmap "$base/monmap"
    ceph_try "the monitor does not start" serve ceph-mon -c "$base/ceph.conf" -i a
    await 60 "the monitor does not answer" ceph_cli mon stat
    ceph_try "no object store" ceph_cli osd new "$id" 0
    ceph_try "the object store cannot be made" serve ceph-osd -c "$base/ceph.conf" -i 0 --mkfs --osd-uuid "$id"
    ceph_try "the object store does not start" serve ceph-osd -c "$base/ceph.conf" -i 0
    await 60 "the object store is not up" ceph_has_osd
    ceph_try "no pool" ceph_cli osd pool create metadata 8
    ceph_try "no pool" ceph_cli osd pool create data 8
    ceph_try "no file system" ceph_cli fs new cephfs metadata data
    ceph_try "the metadata server does not start" serve ceph-mds -c "$base/ceph.conf" -i a
    await 60 "the metadata server is not active" ceph_has_mds
}

cephfs_up() {
    mkdir -p "$base"/{mon,osd,mds,run}
    ceph_try "no map" ceph_config
    ceph_servers
    add_volume cephfs cephfs_client
}

# It keeps everything in memory: there is none to go on with.
cephfs_kill() { failed "the one server of cephfs cannot come back"; }
cephfs_restart() { cephfs_kill; }
