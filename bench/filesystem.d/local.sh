# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../filesystem: one ext4 that all clients share. Its caches are this kernel's, so that all clients see the same.
# shellcheck shell=bash
# shellcheck disable=SC2154

local_client() { mount --bind "$base/disk/1" "$1"; }

local_up() {
    mount_image 1 2G mkfs.ext4 -q
    add_volume local local_client
}

local_kill() { failed "there is no server of local"; }
local_restart() { local_kill; }
