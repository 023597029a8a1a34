#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Runs a command in the Debian that lies in a folder, with all folders of this machine that are not the system's own at the places where
# they are: what was built in one is seen in the other. Needs root; the mounts are seen by the command alone and end with it.
#   config/enter.sh ROOT COMMAND...
set -eu
if [ -z "${OVERLAP_ENTERED:-}" ]; then
    OVERLAP_ENTERED=$PWD exec unshare --mount --propagation slave "$BASH" "$0" "$@"
fi
root=$1
shift
# A place to mount on, as `ip netns exec` wants its root to be.
mount --bind "$root" "$root"
for top in /*; do
    case $top in
    /bin | /boot | /etc | /lib* | /sbin | /usr | /var | /lost+found) continue ;;
    esac
    if [ ! -d "$top" ] || [ -L "$top" ]; then continue; fi
    mkdir -p "$root$top"
    mount --rbind "$top" "$root$top"
done
folder=$OVERLAP_ENTERED
unset OVERLAP_ENTERED
# shellcheck disable=SC2016
exec chroot "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"
