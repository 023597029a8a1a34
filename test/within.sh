#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# As timeout(1), but where a command does not end in time the stacks of its processes are printed before they are ended: a hang is told by
# where each rank waits.
#   test/within.sh SECONDS COMMAND...
# Ends with the command's code, with 124 where the time was up.
seconds=$1
shift

descendants() {
    local child
    for child in $(pgrep -P "$1"); do
        echo "$child"
        descendants "$child"
    done
}

# stacks PID...: of programs, not of the shells and launchers above them.
stacks() {
    local each count=0
    command -v gdb >/dev/null || { echo "within.sh: no stacks, gdb is not installed" && return; }
    for each in "$@"; do
        case $(readlink "/proc/$each/exe") in '' | */bash | */dash | */sleep | */timeout | */orterun | */prterun | */prte | */orted | */prted | */gdb) continue ;; esac
        [ $count -lt 8 ] || break
        count=$((count + 1))
        echo "---- process $each: $(tr '\0' ' ' <"/proc/$each/cmdline")"
        # Its libraries may be another Debian's (config/enter.sh).
        timeout 30 gdb -iex "set sysroot /proc/$each/root" "/proc/$each/exe" -p "$each" -batch -ex 'set pagination off' \
            -ex 'thread apply all backtrace 25' 2>/dev/null | grep -E '^(Thread|#)'
    done
}

late=
trap 'late=yes' USR1
"$@" <&0 &
command=$!
# `read` waits without a process of its own, which would live on.
{ read -rt "$seconds" <> <(:); kill -USR1 $$; } >/dev/null 2>&1 &
clock=$!
trap 'kill $clock $command 2>/dev/null; wait $command; exit 143' TERM INT
wait $command
code=$?
if [ -z "$late" ]; then
    kill $clock
    exit $code
fi
echo "it did not end within $seconds seconds: $*"
mapfile -t family < <(echo $command; descendants $command)
stacks "${family[@]}"
kill $command 2>/dev/null
for ((i = 0; i < 50; i++)); do
    kill -0 "${family[@]}" 2>/dev/null || break
    sleep 0.1
done
kill -9 "${family[@]}" 2>/dev/null
exit 124
