#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/never-slower: who takes part, what counts, what it concludes from given times. mpirun is a stand-in that says what a case tells it; no
# real time decides. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
program=$("$here/config/bench.sh" never-slower | tail -1)
export STAND_IN=$scratch/stand-in TMPDIR=$scratch
mkdir "$STAND_IN"

shows() { cat "$scratch/answer" && grep -qE -- "$1" "$scratch/answer"; }

# Times of a side in its file, one a word for each job; "fails" for a job that leaves nothing, "wrong" where wrong bytes are found.
cat >"$scratch/mpirun" <<'END'
#!/bin/bash
side=
while [ "$1" != bench ]; do
    case "$1 $2" in
    "io romio999") side=romio ;;
    "fcoll "*) side=$2 ;;
    fcoll_overlap_*) side=${1#fcoll_overlap_}-$2 ;;
    esac
    shift
done
case " $* " in *" --verify "*) verify=yes ;; *) echo x >>"$STAND_IN/$side.jobs" ;; esac
turn=$(cat "$STAND_IN/$side.jobs" 2>/dev/null | wc -l)
read -ra times <"$STAND_IN/$side"
seconds=${times[turn - 1]:-${times[-1]}}
[ "$seconds" != fails ] || exit 3
answer='{"repetitions":[{"open":0.5,"close":0.25,"seconds":'${seconds/wrong/1}'}]}'
if [ -n "${verify:-}" ] && [ "$seconds" = wrong ]; then answer='{"error":"byte 7","verified":false}'; fi
while [ $# -gt 0 ]; do
    [ "$1" != --json ] || echo "$answer" >"$2"
    shift
done
END
cat >"$scratch/ompi_info" <<'END'
#!/bin/bash
cat <<INFO
ompi:version:full:9.9.9
mca:io:ompio:version:"mca:2.1.0"
mca:io:romio999:version:"mca:2.1.0"
mca:fcoll:vulcan:version:"mca:2.1.0"
mca:fcoll:overlap:version:"mca:2.1.0"
mca:fcoll:overlap:param:fcoll_overlap_algorithm:value:auto
mca:fcoll:overlap:param:fcoll_overlap_writes:value:auto
mca:fcoll:overlap:param:fcoll_overlap_reads:value:auto
INFO
END
chmod +x "$scratch/mpirun" "$scratch/ompi_info"

# given OVERLAP VULCAN ROMIO ARGUMENT...: overlap's other settings take 9 seconds.
given() {
    local side
    rm -f "$STAND_IN"/*
    for side in reads-independent reads-collective algorithm-none; do echo 9 >"$STAND_IN/$side"; done
    echo "$1" >"$STAND_IN/overlap"
    echo "$2" >"$STAND_IN/vulcan"
    echo "$3" >"$STAND_IN/romio"
    shift 3
    "$program" --mpirun "$scratch/mpirun" --ompi-info "$scratch/ompi_info" --component-path path --overlap-bench bench --tools "$here/bench" \
        --json "$scratch/out.json" "$@"
}
export -f given
export program here scratch
say() { answers "$1" "$2" bash -c 'given "$@"' given "${@:3}"; }
turns() { is "$(wc -l <"$STAND_IN/$1.jobs")" "$2"; }
# json EXPRESSION: of the first row.
json() { python3 -c 'import json, sys; row = json.load(open(sys.argv[1]))["rows"][0]; print(eval(sys.argv[2]))' "$scratch/out.json" "$1"; }

arguments() {
    holds "--help tells its usage" answers 0 'never-slower \[--only' "$here/bench/never-slower" --help
    holds "no regular expression" answers 2 'only "\("' "$program" --only-check --only '('
    holds "a case that there is not" answers 2 'no case has "tile"' "$program" --only-check --only tile
    "$program" --list >"$scratch/list"
    holds "at least 24 cases" [ "$(wc -l <"$scratch/list")" -ge 24 ]
    local part
    for part in '^64B:' '^64MiB' hpio holes lists -read: common-read nonblocking: groups ':1:' ':16:' tmpfs ext4 cluster call1KiB open-write-close; do
        holds "one of $part" grep -q -- "$part" "$scratch/list"
    done
}

conclusions() {
    local one=(--only '^1MiB:8:tmpfs')
    holds "as fast as the best" say 0 '^1MiB:8:tmpfs +1\.0400 .* romio +1\.040 +1\.040\.\.1\.040 *$' 1.04 1.2 1 "${one[@]}"
    holds "one round that does not count, five that do" turns romio 6
    holds "slower settings have no further turn" turns algorithm-none 1
    holds "and stand in the table" shows '~9\.0000'
    holds "10 % slower" say 1 'romio +1\.100 .* SLOWER, measured again, 15 times$' 1.1 1.2 1 "${one[@]}"
    holds "was measured 21 times" turns overlap 21
    holds "who is not the best was not" turns vulcan 6
    holds "JSON has the ratio" is "$(json 'row["best"], round(row["ratio"], 3), row["bad"]')" "('romio', 1.1, True)"
    holds "slower by chance: new times alone count" say 0 'measured again, 15 times$|romio +1\.000' "1 1.2 1.2 1.2 1.2 1.2 1" 1.2 1 "${one[@]}"
    holds "within the range seen" say 0 'within the range seen' "1.1 1.1 1.1 1.1 1.1 1.1 1.1 0.9 0.9 0.9 1.1" 1.2 1 "${one[@]}"
    holds "two outliers of fifteen hide nothing" say 1 'SLOWER' "1.1 1.1 1.1 1.1 1.1 1.1 1.1 0.9 0.9 1.1" 1.2 1 "${one[@]}"
    holds "who writes wrong bytes is not the best" say 0 ' wrong +vulcan +0\.833' 1 1.2 wrong "${one[@]}"
    holds "nor is who fails" say 0 ' failed +vulcan +0\.833' 1 1.2 fails "${one[@]}"
    holds "overlap that fails" say 1 'FAILED' fails 1 1 "${one[@]}"
    holds "overlap that writes wrong bytes" say 1 'FAILED: wrong bytes: byte 7' wrong 1 1 "${one[@]}"
    holds "four times tell nothing" say 0 'too few times to tell' 1.2 1.3 1 "${one[@]}" --alternations 4
    holds "open, write, close count together" say 0 '1\.7500' 1 1.3 1 --only '^open-write-close:8:tmpfs'
    holds "ROMIO has no part in nonblocking calls" say 0 ' - +vulcan' 1 1 1 --only '^nonblocking:8:tmpfs'
    holds "nothing is left" is "$(find "$scratch" /dev/shm -maxdepth 1 -name 'overlap-compare.*' -newer "$scratch/ompi_info" -user "$(id -un)" -path "$scratch/*" | wc -l)" 0
}

arguments
conclusions
suite_end
