# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by run.sh, which has `logs`, `limit`, `here` and `cache`: runs suites, some beside each other, and tells how they went.

started=$SECONDS
passed=0
failed=0
summary=()
skips=()

# stdout of this script; the suites' own output goes the same way.
say() { printf '==> [%d:%02d] %s\n' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60)) "$*"; }

# record NAME PASSED FAILED SECONDS [NOTE]
record() {
    passed=$((passed + $2))
    failed=$((failed + $3))
    summary+=("$(printf '%-26s %6d %6d %8d  %s' "$1" "$2" "$3" "$4" "${5:-}")")
    if [ "$3" != 0 ] && [ -n "${FIRST:-}" ]; then
        echo "first failure: $1: $(sed -n 's/^FAIL *//p; s/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$logs/$1".*log "$logs/$1.log" 2>/dev/null | head -1 | cut -c1-200)"
        echo "$passed passed, $failed failed"
        exit 1
    fi
}

# check NAME COMMAND...: one test, the command's exit code says how it went.
check() {
    local name=$1 began=$SECONDS
    shift
    say "$name"
    # A function of this shell is none of another one's.
    local within=("$here/test/within.sh" "$limit")
    ! declare -F "$1" >/dev/null || within=()
    if "${within[@]}" "$@" >"$logs/$name.log" 2>&1; then
        record "$name" 1 0 $((SECONDS - began))
    else
        tail -40 "$logs/$name.log"
        record "$name" 0 1 $((SECONDS - began)) "$logs/$name.log"
    fi
}

# suite NAME COMMAND...: a suite, many tests, beside others, each on processors of its own where there are enough: ranks that wait for each other then
# yield to each other only (two jobs of 9 and 7 ranks beside each other: 10.0 s on the two processors, 7.8 s with one each). The last line
# "N passed, N failed[, N skipped]" says how they went. One that ends with 77 could run none of them, and has said why in lines that begin with
# "skip". What must be alone calls `alone` before and after. Results come in the order of their beginnings.
suites=() # NAME:SEAT:PID
wide=2   # suites beside each other
suite() {
    local name=$1 seat=0
    local -a pin=()
    shift
    while [ "$(at_work | wc -w)" -ge $wide ]; do sleep 0.5; done
    while [ ${#suites[@]} != 0 ] && ! kill -0 "${suites[0]##*:}" 2>/dev/null; do oldest; done
    while [[ " $(at_work | tr '\n' ' ') " == *" $seat "* ]]; do seat=$((seat + 1)); done
    if [ $wide -le "$(nproc)" ]; then
        pin=(taskset -c "$(seq -s, $seat $wide $(($(nproc) - 1)))")
        "${pin[@]}" true 2>/dev/null || pin=()
    fi
    say "$name begins"
    set -m # a group of its own, which the end of this script ends
    # 5.x prints its help messages with a NUL at their end.
    {
        began=$SECONDS
        "${pin[@]}" "$here/test/within.sh" "$limit" "$@" 2>&1 | tr -d '\0' >"$logs/$name.log"
        echo "${PIPESTATUS[0]} $((SECONDS - began))" >"$logs/$name.end"
    } &
    suites+=("$name:$seat:$!")
    set +m
}
# The seats of suites that have not ended.
at_work() {
    local each
    for each in "${suites[@]}"; do
        if kill -0 "${each##*:}" 2>/dev/null; then cut -d: -f2 <<<"$each"; fi
    done
}
oldest() {
    local name=${suites[0]%%:*} code seconds line good=0 bad=0 note=
    wait "${suites[0]##*:}"
    suites=("${suites[@]:1}")
    read -r code seconds <"$logs/$name.end"
    say "$name: $seconds s"
    cat "$logs/$name.log"
    line=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$logs/$name.log" | tail -1)
    if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
        # A suite that ends badly after its last line, or counts no test, did not pass.
        if [ "$bad" = 0 ] && [ "$code" != 0 ] && { [ "$code" != 77 ] || [ "$good" != 0 ]; }; then bad=1 note="exit code $code"; fi
        if [ "$bad$good$code" = 000 ]; then bad=1 note="no test ran"; fi
    else
        bad=1 note="it ended without a result (exit code $code)"
    fi
    mapfile -t -O ${#skips[@]} skips < <(sed -n "s/^skip /$name: /p" "$logs/$name.log")
    record "$name" "$good" "$bad" "$seconds" "$note$(grep -ac '^skip ' "$logs/$name.log" | sed 's/^0$//; s/$/ skipped/; s/^ skipped//')"
}
end_suites() {
    local each
    for each in "${suites[@]}" "${early[@]}"; do kill -- "-${each##*:}" 2>/dev/null; done
}
alone() { while [ ${#suites[@]} != 0 ]; do oldest; done; }

# begin_early NAME COMMAND...: what takes long on a new machine, and waits for packages and for one processor most of the time. Who needs it
# calls the same command again, which waits for this one.
early=()
begin_early() {
    local name=$1
    shift
    set -m
    "$@" >"$logs/$name.early" 2>&1 &
    early+=("$!")
    set +m
}
trap 'code=$?; end_suites; exit $code' EXIT
trap 'exit 130' INT TERM

# unit NAME BINARY...: a GoogleTest binary, its tests in many parts: who has done one takes the next, as tests take from no time to minutes.
# With `pinned` set each part stays on one processor.
unit() {
    local name=$1 began=$SECONDS workers worker shards shard part good=0 bad=0 code passed_here failed_here running
    local -a pin jobs=()
    shift
    say "$name"
    workers=$(($(nproc) < 8 ? $(nproc) : 8))
    shards=$((8 * workers))
    mkdir "$logs/$name.taken"
    for ((worker = 0; worker < workers; worker++)); do
        pin=()
        if [ -n "${pinned:-}" ] && taskset -c $worker true 2>/dev/null; then pin=(taskset -c $worker); fi
        for ((shard = 0; shard < shards; shard++)); do
            # With FIRST what the other workers have not begun is left out as well.
            [ ! -e "$logs/$name.failed" ] || break
            mkdir "$logs/$name.taken/$shard" 2>/dev/null || continue
            GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$shard "$here/test/within.sh" "$limit" "${pin[@]}" "$@" ${FIRST:+--gtest_fail_fast} \
                >"$logs/$name.$shard.log" 2>&1
            code=$?
            echo $code >"$logs/$name.$shard.code"
            [ $code = 0 ] || [ -z "${FIRST:-}" ] || touch "$logs/$name.failed"
        done &
        jobs+=($!)
    done
    wait "${jobs[@]}"
    for ((shard = 0; shard < shards; shard++)); do
        part="$logs/$name.$shard.log"
        [ -e "$part" ] || continue
        code=$(cat "$logs/$name.$shard.code")
        passed_here=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests*\..*/\1/p' "$part" | tail -1)
        failed_here=$(sed -n 's/^\[  FAILED  \] \([0-9]*\) tests*,.*/\1/p' "$part" | tail -1)
        # A part that ends badly after its last line, or counts no test, did not pass.
        if [ "${failed_here:-0}" = 0 ] && { [ "$code" != 0 ] || [ "${passed_here:-0}" = 0 ]; }; then
            failed_here=1
            running=$(sed -n 's/^\[ RUN      \] /FAIL /p' "$part" | tail -1)
            echo "$running" >>"$part"
        fi
        [ "${failed_here:-0}" = 0 ] || { grep -vE '^\[ (RUN|      OK)' "$part" | tail -60; echo "exit code $code, $part"; }
        good=$((good + ${passed_here:-0}))
        bad=$((bad + ${failed_here:-0}))
    done
    record "$name" "$good" "$bad" $((SECONDS - began)) "$(cat "$logs/$name".*.log | grep -c '^\[  SKIPPED \] .*ms)$' | sed 's/^0$//; s/$/ skipped/; s/^ skipped//')"
}

# report SECONDS: the table, after so many of set-up; then the last line.
report() {
    say "done"
    printf '    %-26s %6s %6s %8s\n' suite passed failed seconds "packages" 0 0 "$1"
    printf '    %s\n' "${summary[@]}"
    [ ${#skips[@]} = 0 ] || printf '    skipped: %s\n' "${skips[@]}"
    echo "    the slowest tests, in seconds:"
    cat "$logs"/*.log | sed -nE 's/^\[ +OK \] (.*) \(([0-9]+)([0-9]{3}) ms\)$/\2.\3 \1/p; s/^ok +(.*): [0-9]+ passed, 0 failed \(([0-9]+) s\)$/\2 \1/p' |
        sed "s,$cache,..,g; s,/[^ ]*/overlap-tests[^ /]*/,,g" | sort -rn | head -10 | sed 's/^/    /'
    echo "$passed passed, $failed failed"
}
