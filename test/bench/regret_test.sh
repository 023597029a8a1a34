#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/compare --regret: lists of conditions, regret from given times, conditions that fail, further rounds, and runs that are resumed.
# Programs are stand-ins, no time is measured. LEVEL=nightly and --full try more lists. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full
here=$(cd "$suite_dir/.." && pwd)
. "$here/test/bench/compare_stand_ins.sh"

list=$scratch/conditions
# conditions LINE...: the list.
conditions() { printf '%s\n' "$@" >"$list"; }
regret=("${compare[@]}" --regret "$list")
once=(--repetitions 1)
two=(--settings overlap:algorithm=none,comm=overlap:algorithm=comm)
calls() { grep -c -- --file "$STAND_IN/calls"; }

# refused WHAT PATTERN LINE...: a list with these lines.
refused() {
    local what=$1 pattern=$2
    shift 2
    conditions "$@"
    holds "$what" answers 2 "$pattern" "${regret[@]}"
}

wrong_lists() {
    anew
    refused "a wrong option is told with its line" "^$list:2: .*--cluster" "# fine" "tile --cluster 4x2"
    refused "so is an option of the whole list" "^$list:1: --repetitions is for the whole list" "tile --repetitions 3"
    refused "so is a condition that is there twice, blanks apart" "^$list:4: the same as line 1" "tile --ranks 4" "" "ior" "tile  --ranks   4 # again"
    refused "all wrong lines are told, the last as well" "^$list:3: " "tile --ranks 0" "ior" "tile --ranks x"
    holds "and the first" shows "^$list:1: "
    refused "an empty list is refused" "no condition in it" "# nothing" ""
    conditions "tile"
    holds "a list that is not there is refused" answers 2 'cannot be read' "${compare[@]}" --regret /nowhere/list
    holds "--only that no condition has is refused" answers 2 'no condition has it' "${regret[@]}" --only flash
    holds "a setting that Open MPI does not know is refused" answers 2 'knows no value' "${regret[@]}" --settings overlap:algorithm=comms
    holds "nothing was run for that" [ ! -e "$STAND_IN/calls" ]
    holds "bench/results/conditions is right, and has 20 conditions and more" \
        answers 0 '^5$' "$program" --only-check --openmpi 5 --regret "$here/bench/results/conditions" --let disk=/mnt
    holds "conditions are counted" [ "$(grep -c '^[a-z]' "$here/bench/results/conditions")" -ge 20 ]
}

numbers() {
    anew
    conditions "# a comment" "tile --element 256" "ior --ranks 4 --storage-mbps 100 # behind a condition"
    times overlap 9 1.2 1.1 1.3 && times overlap-none 9 1.5 1.4 1.6 && times overlap-comm 9 1.05 1.0 0.9
    times vulcan 9 2.4 && times romio999 9 0.6
    times ior-overlap 9 0.5 && times ior-overlap-none 9 0.8 && times ior-overlap-comm 9 0.7
    holds "a list" answers 0 'mean regret' "${regret[@]}" "${two[@]}" --repetitions 3 --seed 5
    holds "default, best setting, regret, best of the others and the condition" \
        shows '^2 +1\.2000 +1\.0000 +20\.0 %  +comm +0\.6000 +0\.50 +romio +tile --element 256$'
    holds "a default that is faster than all has no regret" \
        shows '^3 +0\.5000 +0\.7000 +0\.0 %~ +comm +0\.6000 +1\.20 +romio +ior --ranks 4 --storage-mbps 100$'
    holds "mean and worst" shows '^mean regret 10\.0 %, worst 20\.0 % \(line 2\), of 2 conditions$'
    holds "where others are faster" shows '^slower than the best of the others in 1 condition$'
    holds "each contender has its turns in rounds" is "$(calls)" 40
    holds "a condition has its ranks" is "$(grep -c '^[^ ]* ranks=4 .* ior ' "$STAND_IN/calls")" 20
    holds "and its storage" is "$(grep -cE '^storage mount .* --mbps 100$' "$STAND_IN/calls")" 1
    holds "JSON has each time" is "$(json 'join " ", @{$j->{conditions}[0]{jobs}[0]{seconds}}')" "1.2 1.1 1.3"
    holds "and the regret" is "$(json 'sprintf "%.3f", $j->{conditions}[0]{regret}')" 0.200
    holds "and the summary" is "$(json 'join " ", map { sprintf "%.3f", $j->{summary}{$_} } qw(mean_regret worst_regret)')" "0.100 0.200"
    holds "and who is what" is "$(json 'join " ", map { $_->{part} } @{$j->{conditions}[0]{jobs}}')" "default setting setting other other"
    times overlap 9 1.2 0.9 1.3
    rm "$STAND_IN"/*.count
    "${regret[@]}" "${two[@]}" --repetitions 3 >"$scratch/answer" 2>/dev/null
    holds "times that overlap are marked" shows '^2 +1\.2000 +1\.0000 +20\.0 %~'
    holds "nothing is left" nothing_left
}

choices() {
    anew
    conditions "tile" "ior --dir {disk}" "hpio --keep-wrong"
    holds "all settings are each algorithm with each shuffle, but auto" answers 0 'mean regret' "${regret[@]}" "${once[@]}" --no-contenders --only '^tile'
    holds "which are eight here" is "$(json 'join " ", grep { /lock/ } map { $_->{label} } @{$j->{conditions}[0]{jobs}}')" \
        "comm/put-lock dataflow/put-lock none/put-lock write-comm/put-lock"
    holds "and the default" is "$(json 'scalar @{$j->{conditions}[0]{jobs}}')" 9
    holds "without others there is none" shows '^1 .* +- +- +- +tile$'
    holds "a folder that nobody gave is left out" answers 0 '^left out: line 2: --let disk=VALUE' "${regret[@]}" "${once[@]}" "${two[@]}"
    holds "which is no failure" shows '^0 conditions failed, 1 left out$'
    anew
    holds "one that was given is taken" answers 0 "ior --dir $scratch/target/$" "${regret[@]}" "${once[@]}" "${two[@]}" --only ior --let disk="$scratch/target/"
    anew
    times overlap 1 && times mine 1
    holds "another default" answers 0 '^default +mine=overlap:algorithm=write-comm$' \
        "${regret[@]}" "${once[@]}" "${two[@]}" --default mine=overlap:algorithm=write-comm --only tile --contenders vulcan
    anew
    times overlap-none 9 1 && times overlap-comm 2 3 && times overlap 99 3 && times vulcan 99 4
    holds "what is slow at first is dropped" answers 0 '^1 +3\.0000 +3\.0000 +0\.0 %~ +comm ' "${regret[@]}" "${once[@]}" "${two[@]}" --drop-above 4 --only tile
    holds "but neither default nor others" is "$(json 'join " ", map { $_->{dropped} ? 1 : 0 } @{$j->{conditions}[0]{jobs}}')" "0 1 0 0 0"
    anew
    times romio999 wrong 9 0.5
    holds "ROMIO may take part with a wrong file" answers 0 '^3 .* romio ! +hpio --keep-wrong$' "${regret[@]}" "${once[@]}" "${two[@]}" --only hpio
    anew
    times overlap-comm wrong 9 0.5
    holds "a setting may not" answers 1 '^FAILED line 3, comm: wrong bytes' "${regret[@]}" "${once[@]}" "${two[@]}" --only hpio
    holds "and is not the best" shows '^3 .* overlap:algorithm=none '
    holds "nothing is left" nothing_left
}

failures() {
    anew
    conditions "tile" "ior" "tile --cluster 2x2 --mbit 100" "flash"
    times ior-overlap exit && times flash-overlap-none 9 exit
    touch "$STAND_IN/broken-cluster"
    holds "conditions that fail end with 1" answers 1 'mean regret 0\.0 %, worst 0\.0 % \(line 1\), of 2 conditions' "${regret[@]}" "${once[@]}" "${two[@]}"
    holds "without its default a condition fails" shows '^2 +FAILED +ior$'
    holds "with the reason" shows '^FAILED line 2, overlap: exit code 3$'
    holds "without its cluster as well" shows '^FAILED line 3: .*cluster.* ended with exit code 1$'
    holds "one that lacks a setting has a regret" shows '^4 +1\.0000 +1\.0000 +0\.0 %'
    holds "and the reason" shows '^FAILED line 4, overlap:algorithm=none: exit code 3$'
    holds "they are counted" shows '^2 conditions failed, 0 left out$'
    holds "JSON tells them apart" is "$(json 'join " ", map { $_->{state} } @{$j->{conditions}}')" "measured failed failed measured"
    holds "nothing is left" nothing_left
}

# Numbers from a file: the conditions need not be measured.
resumed() {
    local before
    anew
    conditions "tile" "ior"
    times ior-overlap exit
    "${regret[@]}" "${once[@]}" "${two[@]}" >/dev/null 2>&1
    before=$(calls)
    rm "$STAND_IN/ior-overlap"
    perl -MJSON::PP -e 'local $/; open F, "<", $ARGV[0]; my $j = decode_json(<F>); my @jobs = @{$j->{conditions}[0]{jobs}};
        $jobs[0]{seconds} = [1.5]; $jobs[1]{seconds} = [1.25]; $jobs[2]{seconds} = [2]; $jobs[3]{seconds} = [3];
        open F, ">", $ARGV[0]; print F encode_json($j)' "$scratch/out.json"
    holds "--resume measures what failed" answers 0 '^2 +1\.0000 +1\.0000 +0\.0 %~' "${regret[@]}" "${once[@]}" "${two[@]}" --resume
    holds "and nothing else" is $(($(calls) - before)) 10
    holds "of what it has it takes the times" shows '^1 +1\.5000 +1\.2500 +20\.0 %  +overlap:algorithm=none .* tile$'
    holds "both count" shows '^mean regret 10\.0 %, worst 20\.0 % \(line 1\), of 2 conditions$'
    conditions "" "flash" "ior"
    holds "lines may move" answers 0 '^3 .* ior$' "${regret[@]}" "${once[@]}" "${two[@]}" --resume --only ior
    holds "what this run does not have stays in the file" is "$(json 'join " ", map { $_->{condition} } @{$j->{known}}')" tile
    holds "but is not counted" shows 'worst 0\.0 % .* of 1 condition$'
    holds "other rounds are refused" answers 2 'has another "repetitions"' "${regret[@]}" "${two[@]}" --repetitions 2 --resume
    holds "other contenders as well" answers 2 'has another "contenders"' "${regret[@]}" "${once[@]}" "${two[@]}" --resume --no-contenders
    echo '{"program": "compare"}' >"$scratch/out.json"
    holds "and another file" answers 2 'is no result of --regret' "${regret[@]}" "${once[@]}" "${two[@]}" --resume
    holds "which is still there" grep -q '"compare"' "$scratch/out.json"
    rm "$scratch/out.json"
    holds "without a file it begins" answers 0 'of 1 condition$' "${regret[@]}" "${once[@]}" "${two[@]}" --resume --only ior
    holds "nothing is left" nothing_left
}

# Who has had how many rounds, without the one that does not count.
counted() { json 'join " ", map { scalar @{$_->{seconds}} } @{$j->{conditions}['"${1:-0}"']{jobs}}'; }
# Who had a turn in further rounds, a line for each round.
turns() {
    local i
    for i in 1 2 3 4; do sed -nE "s/^compare: again $i\/4: (.*): .*/\1/p" "$scratch/answer" | paste -sd ' '; done
}

settled() {
    local three=("${two[@]}" --repetitions 3)
    anew
    conditions "tile"
    # comm looks faster by its first median alone, vulcan is it beyond doubt, romio is not.
    times overlap 9 1.2 1.1 1.3 1.0 1.0 && times overlap-none 9 1.5 1.4 1.6 && times overlap-comm 9 1.15 1.0 1.25 1.3 1.3
    times vulcan 9 0.9 && times romio999 9 2
    holds "what looks faster while times overlap has further rounds" \
        answers 0 '^1 +1\.1000 +1\.2500 +0\.0 %~ +comm ' "${regret[@]}" "${three[@]}" --settle 2 --seed 5
    holds "with the default, also when it does so no more" is "$(counted)" "5 3 5 3 3"
    holds "the file has the times" is "$(json 'join " ", @{$j->{conditions}[0]{jobs}[0]{seconds}}')" "1.2 1.1 1.3 1 1"
    holds "the report says who had more" shows '^more than 3 rounds in line 1: overlap 5, comm 5$'
    holds "and that some may" shows '^ +and of 2 more of the default '
    holds "progress is told" shows '^compare: again 1/2: comm: 1\.3000 s$'
    rm "$STAND_IN"/*.count
    holds "nobody has any where it was not asked for" answers 0 '^1 +1\.2000 +1\.1500 +4\.3 %~' "${regret[@]}" "${three[@]}"
    holds "and the report is silent" eval '! shows "more of the default|more than 3"'
}

settled_and_resumed() {
    local three=("${two[@]}" --repetitions 3) before order
    anew
    conditions "tile"
    times overlap 9 1.2 1.1 1.3 1.2 && times overlap-comm 9 1.15 1.0 1.25 1.1 && times overlap-none 9 1.2 1.2 1.1 1.2
    times vulcan 9 1.11 && times romio999 9 1.1 1.2 1.3
    holds "rounds end with their number" answers 0 '^1 +1\.2000 +1\.1000 +9\.1 %~ +comm ' "${regret[@]}" "${three[@]}" --settle 4 --seed 5
    holds "others take part, what is as fast does not" is "$(counted)" "7 3 7 7 3"
    holds "which stays open" shows '^more than 3 rounds in line 1: overlap 7, comm 7, vulcan 7$'
    order=$(turns)
    holds "they have an order each" [ "$(sort -u <<<"$order" | wc -l)" -gt 1 ]
    rm "$STAND_IN"/*.count
    "${regret[@]}" "${three[@]}" --settle 4 --seed 5 >"$scratch/answer" 2>&1
    holds "which the seed decides" is "$(turns)" "$order"
    before=$(calls)
    holds "--resume takes further rounds as they are" \
        answers 0 '^1 +1\.2000 +1\.1000 +9\.1 %~ +comm ' "${regret[@]}" "${three[@]}" --settle 4 --resume
    holds "without a job" is "$(calls)" "$before"
    holds "and says of them who had them" shows '^more than 3 rounds in line 1: overlap 7, comm 7, vulcan 7$'
    holds "other further rounds are refused" answers 2 'has another "settle"' "${regret[@]}" "${three[@]}" --settle 5 --resume
    holds "and none" answers 2 'has another "settle"' "${regret[@]}" "${three[@]}" --resume

    anew
    conditions "tile" "ior"
    times overlap 9 1.2 1.1 1.3 1.2 && times overlap-comm 9 1.15 1.0 1.25 1.1 exit && times overlap-none 9 1.5
    times ior-overlap 9 1.2 1.1 1.3 exit && times ior-overlap-comm 9 1.15 1.0 1.25
    holds "who fails in one goes no further" answers 1 '^FAILED line 1, comm: exit code 3$' "${regret[@]}" "${three[@]}" --settle 4 --no-contenders
    holds "and is not the best" shows '^1 +1\.2000 +1\.5000 +0\.0 %~ +overlap:algorithm=none '
    holds "nor does anybody with it" is "$(counted)" "7 3 4"
    holds "nor is it told how far it came" shows '^more than 3 rounds in line 1: overlap 7$'
    holds "without its default a condition fails" shows '^2 +FAILED +ior$'
    holds "and ends" is "$(counted 1)" "3 3 7"
    holds "without a word of its rounds" eval '! shows "rounds in line 2"'

    anew
    conditions "tile"
    # overlap-none and vulcan would go on, had the one not been dropped and the other not failed.
    times overlap 1 1.2 1.1 1.3 1.2 && times overlap-comm 1 1.15 1.0 1.25 1.1 && times overlap-none 9 1.1
    times vulcan 9 1.1 1.1 exit && times romio999 9 2
    holds "what was dropped stays so" answers 1 'again 4/4' "${regret[@]}" "${three[@]}" --settle 4 --drop-above 4
    holds "and what failed" is "$(counted)" "7 0 7 2 3"

    anew
    conditions "hpio --keep-wrong"
    times overlap 9 1.2 1.1 1.3 1.2
    times romio999 wrong 9 1.15 1.0 1.25 1.1
    times overlap-comm wrong 9 1.1 && times overlap-none 9 2 && times vulcan 9 2
    holds "with a wrong file ROMIO may, a setting may not" answers 1 '^more than 3 rounds in line 1: overlap 5, romio 5$' \
        "${regret[@]}" "${three[@]}" --settle 2
    holds "a number below 0 is refused" answers 2 '--settle' "${regret[@]}" "${three[@]}" --settle -1
    refused "--settle is for all conditions" "^$list:1: --settle is for the whole list" "tile --settle 3"
    holds "nothing is left" nothing_left
}

wrong_lists
numbers
failures
settled
if [ "$full" = full ]; then
    choices
    resumed
    settled_and_resumed
fi
suite_end
