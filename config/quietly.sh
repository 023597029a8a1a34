# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by scripts that build in steps. Needs: `cache`, the folder of their logs; `who` speaks, where it is not the script.

say() { echo "${who:-$(basename "$0" .sh)}: $*" >&2; }

# quietly NAME FOLDER COMMAND...: a failed command's last lines are worth more than all of its output.
quietly() {
    local log=$cache/$1.log folder=$2
    shift 2
    (cd "$folder" && exec "$@") >"$log" 2>&1 || {
        say "failed: $*; the end of $log:"
        tail -30 "$log" >&2
        exit 1
    }
}

# one_at_a_time LOCK: until this script ends, and what it becomes; who comes meanwhile waits, and says so.
one_at_a_time() {
    local lock
    exec {lock}>"$1"
    flock -n "$lock" || { say "waiting for another run"; flock "$lock"; }
}
