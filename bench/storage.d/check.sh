# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../storage: check. Each row mounts a server of its own and measures it with clients that write or read at the same time.
# shellcheck shell=bash
# shellcheck disable=SC2154

# within UNIT MEASURED ASKED: inside the tolerance. What is slower than that is right with --at-most: a smaller rate, a longer time.
within() {
    awk -v unit="$1" -v m="$2" -v a="$3" -v t="$tolerance" -v at_most="$at_most" \
        'BEGIN { d = (m - a) / a * 100; faster = unit == "ms" ? -d : d; exit !(faster <= t && (at_most || faster >= -t)) }'
}

# report WHAT UNIT ASKED MEASURED
report() {
    local verdict=ok
    if ! within "$2" "$4" "$3"; then
        verdict=WRONG
        deviating=$((deviating + 1))
    fi
    awk -v what="$1" -v unit="$2" -v a="$3" -v m="$4" -v v=$verdict \
        'BEGIN { printf "%-52s %9.2f %9.2f %-4s %+6.1f %%  %s\n", what, a, m, unit, (m - a) / a * 100, v }'
}

# with_server OPTION...: the server for what follows.
with_server() {
    remove
    mount_here "$@" || failed "a server with $* cannot be mounted"
}

# column LINE COLUMN: of what the clients said.
column() { awk -v line="$1" -v column="$2" 'NR == line { print $column }' <<<"$answer"; }

# What a lone client's request takes of this machine, ms, by its options: the way through FUSE, which is no part of the model.
declare -A way=()

# learn_way MOST OPTION...: of the server that is there, which limits nothing; the shortest of three, as the machine may be busy. More
# than MOST ms are no way through FUSE, but a server that dawdles.
learn_way() {
    local most=$1 attempt shortest=
    shift
    # Beside other work it cannot be known, and only makes slower.
    if [ -n "$at_most" ]; then
        way["$*"]=0
        return
    fi
    for ((attempt = 0; attempt < 3; attempt++)); do
        answer=$("$server" measure "$directory/file" --requests 50 "$@") || failed "the clients of \"$*\" failed"
        shortest=$(awk -v a="$(column 1 3)" -v b="$shortest" 'BEGIN { print b == "" || a < b + 0 ? a : b }')
    done
    way["$*"]=$shortest
    if awk -v way="$shortest" -v most="$most" 'BEGIN { exit !(way > most) }'; then failed "a request takes $shortest ms where nothing limits it"; fi
}

# less_way COLUMN VALUE MS WAY: a figure of column 2 or 3 without it, where a request took MS.
less_way() { awk -v c="$1" -v v="$2" -v ms="$3" -v way="$4" 'BEGIN { print c == 2 ? v * ms / (ms - way) : v - way }'; }

# measure LINE COLUMN WHAT UNIT ASKED OPTION...: some attempts, as the machine may be busy with something else; a model that is
# wrong is wrong in all of them. Line 1 is all clients together, line 1 + i is client i; column 2 is MB/s, column 3 ms per request.
measure() {
    local line=$1 column=$2 what=$3 unit=$4 asked=$5 attempt measured
    shift 5
    for ((attempt = 0; attempt < attempts; attempt++)); do
        # Others that are busy are for longer than an attempt takes.
        if [ "$attempt" -ge 3 ]; then sleep 1; fi
        answer=$("$server" measure "$directory/file" "$@") || failed "the clients of \"$what\" failed"
        measured=$(less_way "$column" "$(column "$line" "$column")" "$(column "$line" 3)" "${own_way:-0}")
        if within "$unit" "$measured" "$asked"; then break; fi
    done
    report "$what" "$unit" "$asked" "$measured"
}

# alone WAY COLUMN WHAT...: measure, where nothing hides a client's way through FUSE.
alone() {
    local own_way=${way[$1]}
    shift
    measure 1 "$@"
}

check_rates() {
    with_server --mbps 100000
    learn_way 2 --readers 0
    learn_way 2 --readers 1
    learn_way 0.5 --request-size 4k --readers 0
    learn_way 0.5 --request-size 4k --readers 1
    with_server --mbps 50
    alone "--readers 0" 2 "one writer" MB/s 50 --requests 25
    alone "--readers 1" 2 "one reader" MB/s 50 --requests 25 --readers 1
    with_server --mbps 400
    measure 1 2 "four writers to one target" MB/s 400 --clients 4 --requests 50
    measure 1 2 "two writers and two readers" MB/s 400 --clients 4 --readers 2 --requests 50
    # Slow enough for the way through FUSE, which several clients take at a time, to stay far below the tolerance.
    with_server --mbps 100 --stripes 4
    measure 1 2 "a writer for each of four targets" MB/s 100 --clients 4 --stripes 4 --requests 25
    measure 1 2 "a writer and a reader for each of them" MB/s 100 --clients 8 --readers 4 --stripes 4 --requests 12
    with_server --mbps 50 --stripes 4 --stripe-size 64k
    alone "--readers 0" 2 "a writer to all of four targets at once" MB/s 50 --requests 25
}

check_uneven_rates() {
    local i rates=(20 10 5)
    with_server --mbps 35 --stripe-mbps 20,10,5 --stripe-size 256k
    for i in 0 1 2; do
        measure $((i + 2)) 2 "the writer of target $((i + 1)) of uneven rates" MB/s "${rates[i]}" \
            --clients 3 --stripes 3 --stripe-size 256k --request-size 256k --requests 12
    done
}

check_latencies() {
    with_server --mbps 1000 --latency-ms 5
    alone "--request-size 4k --readers 0" 3 "a small write, latency 5 ms" ms 5 --request-size 4k --requests 50
    alone "--request-size 4k --readers 1" 3 "a small read, latency 5 ms" ms 5 --request-size 4k --requests 50 --readers 1
    with_server --mbps 100 --latency-ms 20
    measure 1 3 "sixteen small writes at once, latency 20 ms" ms 20 --clients 16 --request-size 1k --requests 15
    alone "--readers 0" 3 "a write of 1 MiB, latency 20 ms" ms 30.49 --requests 12
    measure 1 2 "eight writers, latency 20 ms" MB/s 100 --clients 8 --requests 12
}

end_check() {
    local code=$?
    trap '' INT TERM HUP
    remove || true
    rmdir "$directory"
    exit $code
}

verb_check() {
    tolerance=5 attempts=3 at_most='' deviating=0
    while [ $# -gt 0 ]; do
        if [ "$1" = --at-most ]; then
            at_most=yes
            shift
            continue
        fi
        case $1 in
        --tolerance)
            if ! [[ ${2:-} =~ ^[0-9]{1,3}(\.[0-9]+)?$ ]]; then wrong "--tolerance takes a number"; fi
            tolerance=$2
            ;;
        --attempts)
            if ! [[ ${2:-} =~ ^[1-9][0-9]?$ ]]; then wrong "--attempts takes a number from 1 to 99"; fi
            attempts=$2
            ;;
        *) wrong "check does not know \"$1\"" ;;
        esac
        shift 2
    done
    need_root
    need_fuse
    writes_in_parallel || unable "this is Linux $(uname -r), which does the writes to one file one after the other; 6.2 is needed"
    need_server
    mkdir -p "$run_directory"
    set_directory check "$(mktemp -d "${TMPDIR:-/tmp}/overlap-storage-check.XXXXXX")"
    trap end_check EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    printf '%-52s %9s %9s\n' "" "asked" "measured"
    check_rates
    check_uneven_rates
    check_latencies
    [ "$deviating" = 0 ] || failed "$deviating of the figures deviate by more than $tolerance %"
}
