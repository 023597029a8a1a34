#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/storage: what it mounts has the rates, latencies and faults that were asked for, stores what it is given, and nothing of it stays
# behind. Root and FUSE are needed, what needs them is skipped where they are not there. The last line is "N passed, N failed", with
# ", N skipped" behind it where something was. LEVEL=nightly and --full measure rates as well, and interrupt mounts.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full
PATH=$PATH:/usr/sbin:/sbin
storage=$suite_dir/../bench/storage
mount_point="$scratch/a storage"
second=$scratch/second
mkdir -p "$mount_point" "$second"

suite_down() { for each in "$mount_point" "$second"; do "$storage" umount "$each" >/dev/null 2>&1; done; }

# answers CODE PATTERN COMMAND...: the exit code, and the pattern in the output, of which there is none where the pattern is empty.
answers() {
    local code=$1 pattern=$2 actual=0
    shift 2
    "$@" >"$scratch/answer" 2>&1 || actual=$?
    cat "$scratch/answer"
    echo "exit code $actual, expected $code and \"$pattern\""
    [ $actual = "$code" ] || return 1
    if [ -n "$pattern" ]; then grep -qE -- "$pattern" "$scratch/answer"; else [ ! -s "$scratch/answer" ]; fi
}

# here VERB OPTION...: on the mount that most tests use.
here() {
    local verb=$1
    shift
    timeout 180 "$storage" "$verb" "$mount_point" "$@"
}
server_of() { "$storage" status "$1" | sed -n 's/.*its server is process //p'; }
key_of() { printf '%s' "$(readlink -m "$1")" | md5sum | cut -c 1-16; }
dead() { [ -z "$1" ] || [ -z "$(tr '\0' ' ' 2>/dev/null <"/proc/$1/cmdline")" ]; }

# gone SERVER: nothing of a mount is left. A process that has ended may stay in the table of a container for a while.
gone() {
    local key
    key=$(key_of "$mount_point")
    dead "$1" || { echo "the server $1 runs" && return 1; }
    ! grep -F "$scratch" /proc/self/mountinfo || return 1
    [ ! -e "/run/overlap-storage/$key" ] || { echo "/run/overlap-storage/$key is there" && return 1; }
    [ ! -e "/dev/shm/overlap-storage-$key" ] || { echo "/dev/shm/overlap-storage-$key is there" && return 1; }
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }
between() { echo "$2 <= $1 <= $3?" && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

wrong_arguments() {
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086
        holds "storage $arguments is refused" answers 2 'storage: ' "$storage" $arguments
    done <<END
start
mount
umount $second now
status $second --all
fault
check --attempts 0
END
    holds "--help tells the verbs" answers 0 'storage mount DIR --mbps B' "$storage" --help
    holds "status before mount says that nothing is mounted" answers 1 'is not mounted' "$storage" status "$second"
}

wrong_mounts() {
    local arguments
    while read -r arguments; do
        # shellcheck disable=SC2086
        holds "mount DIR $arguments is refused" answers 2 'storage: ' "$storage" mount "$second" $arguments
    done <<END
--latency-ms 1
--mbps 0
--mbps fast
--mbps 10 --latency-ms -1
--mbps 10 --stripes 0
--mbps 10 --stripe-size 1x
--mbps 10 --stripes 2 --stripe-mbps 4,3,3
--mbps 10 --eio-at 99999999999999999999
--mbps 10 --speed 3
END
    holds "a folder that is not there is named" answers 1 'nowhere: no such folder' "$storage" mount "$scratch/nowhere" --mbps 10
    holds "nothing is left of these" [ ! -e "/run/overlap-storage/$(key_of "$second")" ]
}

lacks() {
    # A copy, as the checkout may be closed to others.
    mkdir -p "$scratch/copy/bench"
    cp -r "$storage" "$storage.d" "$scratch/copy/bench/"
    cp -r "$suite_dir/../config" "$scratch/copy/"
    chmod -R a+rX "$scratch"
    holds "without root, mount says that it needs root" answers 77 'needs root' \
        setpriv --reuid=65534 --regid=65534 --clear-groups "$scratch/copy/bench/storage" mount "$second" --mbps 10
    holds "without the capability, mount says so" answers 77 'CAP_SYS_ADMIN' \
        setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin "$storage" mount "$second" --mbps 10
    cat >"$scratch/hidden_fuse" <<END
#!/bin/bash
exec unshare --mount sh -c 'mount -t tmpfs none /dev && exec "$storage" mount "$second" --mbps 10'
END
    chmod +x "$scratch/hidden_fuse"
    mkdir "$scratch/old"
    printf '#!/bin/sh\necho 6.1.0-13-amd64\n' >"$scratch/old/uname"
    chmod +x "$scratch/old/uname"
    holds "on a Linux without parallel writes, check says so" answers 77 '6.2 is needed' env PATH="$scratch/old:$PATH" "$storage" check
    holds "without /dev/fuse, mount says so" answers 77 'no /dev/fuse' "$scratch/hidden_fuse"
}

life() {
    holds "umount before mount has nothing to do" answers 0 'nothing to remove' "$storage" umount "$mount_point"
    holds "mount" answers 0 'is mounted' "$storage" mount "$mount_point" --mbps 2000 --latency-ms 0.1 --stripes 3 --stripe-size 64k
    holds "a second mount is refused" answers 1 'mounted already' "$storage" mount "$mount_point" --mbps 100
    holds "status shows the model" answers 0 '3 target.s. of 666.667,666.667,666.667 MB/s, stripes of 65536' "$storage" status "$mount_point"
    holds "without root, status works" answers 0 'is mounted' \
        setpriv --reuid=65534 --regid=65534 --clear-groups "$scratch/copy/bench/storage" status "$mount_point"
    mkdir "$scratch/backing"
    holds "another mount beside it, with a backing folder" answers 0 'is mounted' \
        "$storage" mount "$second" --stripe-mbps 500,1500 --backing "$scratch/backing"
}

# Blocks of an odd size at odd offsets, in an order that leaves gaps and fills them.
odd_offsets() {
    local target=$1 block
    for block in 7 3 0 5 1 4; do
        dd if="$scratch/bytes" of="$target" bs=77777 count=2 skip=$block seek=$block conv=notrunc status=none || return 1
    done
    dd if="$scratch/bytes" of="$target" bs=3000001 seek=1 count=1 conv=notrunc status=none &&
        dd if="$scratch/bytes" of="$target" oflag=append bs=1234567 count=2 conv=notrunc status=none
}

same_as_elsewhere() {
    odd_offsets "$1/odd" && odd_offsets "$scratch/odd" && cmp "$1/odd" "$scratch/odd" &&
        dd if="$1/odd" bs=33333 status=none | cmp - "$scratch/odd"
    local code=$?
    rm -f "$scratch/odd"
    return $code
}

names() {
    cd "$mount_point" || return 1
    mkdir folder && echo one >folder/first && mv folder/first second && [ "$(cat second)" = one ] &&
        echo two >folder/first && mv folder/first second && [ "$(cat second)" = two ] && chmod 640 second &&
        [ "$(stat -c '%a %s' second)" = '640 4' ] && truncate -s 100000 second && [ "$(stat -c %s second)" = 100000 ] &&
        touch -d @1000000 second && [ "$(stat -c %Y second)" = 1000000 ] && sync second && rmdir folder &&
        [ "$(ls)" = "$(printf 'odd\nsecond')" ] && flock -n second true && df . && rm second && [ ! -e second ] &&
        seq -f file%04.0f 2000 | xargs touch && [ "$(find . -name 'file*' | wc -l)" = 2000 ] && find . -name 'file*' -delete
    local code=$?
    cd /
    return $code
}

contents() {
    head -c 9000000 /dev/urandom >"$scratch/bytes"
    holds "bytes at odd offsets are right" same_as_elsewhere "$mount_point"
    holds "in a backing folder as well" same_as_elsewhere "$second"
    holds "which holds them under the same name" cmp "$second/odd" "$scratch/backing/odd"
    holds "names and attributes pass through" names
    dd if="$scratch/bytes" of="$mount_point/sparse" bs=64k count=1 seek=8 status=none
    holds "where data begins is told" answers 0 '^DATA[[:space:]]+524288$' xfs_io -r -c "seek -d 0" "$mount_point/sparse"
    holds "a user's file is the user's" setpriv --reuid=65534 --regid=65534 --clear-groups sh -c \
        'echo x >"$1/theirs" && [ "$(stat -c %u "$1/theirs")" = 65534 ]' sh "$(chmod 777 "$mount_point" && echo "$mount_point")"
    server=$(server_of "$mount_point")
    other=$(server_of "$second")
    holds "umount" answers 0 'is unmounted' "$storage" umount "$mount_point"
    "$storage" umount "$second" >/dev/null
    holds "it leaves nothing behind" gone "$server"
    holds "nor does the one with a backing folder" gone "$other"
    holds "which keeps its files" [ -s "$scratch/backing/odd" ]
}

# store FILE SIZE COUNT [SEEK]
store() { timeout 90 dd if="$scratch/bytes" of="$1" bs="$2" count="$3" seek="${4:-0}" conv=notrunc status=none; }

faults() {
    here mount --mbps 4000 --enospc-after 2500k >/dev/null
    server=$(server_of "$mount_point")
    holds "ENOSPC comes when the room is used up" answers 1 'No space left' store "$mount_point/full" 1M 5
    holds "behind a write up to the limit" [ "$(stat -c %s "$mount_point/full")" = $((2500 * 1024)) ]
    holds "whose bytes are right" cmp -n $((2500 * 1024)) "$mount_point/full" "$scratch/bytes"
    holds "in another file too" answers 1 'No space left' store "$mount_point/other" 4k 1
    holds "bytes that are written again need no room" store "$mount_point/full" 1M 2
    truncate -s 1M "$mount_point/full"
    holds "a file that is cut gives its room back" store "$mount_point/other" 1M 1
    rm "$mount_point/other"
    holds "so does one that is removed" store "$mount_point/third" 1M 1
    holds "faults are changed on a live mount" answers 0 '' here fault --eio-at 3m
    holds "and shown" answers 0 'faults eio-at=3145728,' here status
    holds "a write before the offset succeeds" store "$mount_point/broken" 1M 3
    holds "one that touches it fails" answers 1 'Input/output error' store "$mount_point/broken" 1000000 1 3
    holds "and stores nothing" [ "$(stat -c %s "$mount_point/broken")" = $((3 * 1024 * 1024)) ]
    holds "one behind it succeeds" store "$mount_point/broken" 1M 1 4
    holds "wrong faults are refused" answers 2 'storage: ' here fault --eio-at nowhere
    holds "so is no fault at all" answers 2 'storage: ' here fault
    holds "--none ends all faults" here fault --none
    holds "after which everything succeeds" store "$mount_point/broken" 1M 8
}

held() { here status | grep -qF ", $1 writes held"; }

stalls() {
    local writers=() begin i
    here fault --stall-after 1m
    for i in 1 2 3; do
        store "$mount_point/stalled$i" 512k 3 2>"$scratch/stall$i" &
        writers+=($!)
    done
    holds "a stall holds all writers" eventually held 3
    sleep 0.3
    holds "for longer than a write takes" held 3
    holds "names and reads go on during it" sh -c 'ls "$1" && cat "$1/third" && touch "$1/new"' sh "$mount_point"
    begin=$(milliseconds)
    holds "release" answers 0 '' here release
    for i in 0 1 2; do holds "writer $((i + 1)) goes on" wait "${writers[i]}"; done
    # Not only when the test's own patience ends the writers.
    holds "soon" between $(($(milliseconds) - begin)) 0 30000
    holds "what it wrote is right" cmp -n 1572864 "$mount_point/stalled2" "$scratch/bytes"
    holds "the stall is over" answers 0 'faults none' here status
    here fault --stall-after 0
    store "$mount_point/stalled1" 1M 1 2>/dev/null &
    writers=($!)
    eventually held 1
    holds "new faults let go on, too" here fault --eio-at 0
    wait "${writers[0]}"
    holds "and hold for what went on" [ $? = 1 ]
}

# Three writers of one file, each behind the one before.
grows() {
    local writers=() begun=$1 i
    here fault --stall-after 0
    for i in 0 1 2; do
        dd if="$scratch/bytes" of="$mount_point/grows" bs=64k count=1 skip="$i" seek="$i" conv=notrunc 2>/dev/null &
        writers+=($!)
    done
    holds "$begun of three writers of a file that $2 have begun" eventually held "$begun"
    sleep 0.3
    holds "and no more" held "$begun"
    here release
    for i in 0 1 2; do holds "writer $((i + 1)) goes on" wait "${writers[i]}"; done
    holds "what they wrote is right" cmp -n 196608 "$mount_point/grows" "$scratch/bytes"
}

allocates() {
    here fault --none
    : >"$mount_point/grows"
    grows 1 "grows"
    : >"$mount_point/grows"
    holds "a file becomes longer" fallocate -o 196607 -l 1 "$mount_point/grows"
    holds "to where it was asked to" sh -c '[ "$(stat -c %s "$1")" = 196608 ]' sh "$mount_point/grows"
    grows 3 "has its length"
    here fault --enospc-after 1000
    holds "room is taken by what was there before" fallocate -o 0 -l 196608 "$mount_point/grows"
    holds "there is no room for more" answers 1 'No space left' fallocate -o 196608 -l 1001 "$mount_point/grows"
    holds "what there is room for is taken" fallocate -o 196608 -l 1000 "$mount_point/grows"
    holds "by what is written as well" answers 1 'No space left' fallocate -o 197608 -l 1 "$mount_point/grows"
    here fault --none
}

# written FILE BYTES: what one write(2) of the first bytes says.
written() {
    perl -e 'open my $in, "<", shift; sysread $in, my $bytes, $ARGV[1]; open my $out, ">", $ARGV[0] or die "$!";
             my $count = syswrite $out, $bytes; print defined $count ? $count : $!, "\n"' "$scratch/bytes" "$mount_point/$1" "$2"
}

short_writes() {
    here fault --short-above 0
    holds "short writes are shown" answers 0 'faults short-above=0,' here status
    holds "half of a write is stored" [ "$(written short 1000)" = 500 ]
    holds "and says so" [ "$(stat -c %s "$mount_point/short")" = 500 ]
    holds "its bytes are right" cmp -n 500 "$mount_point/short" "$scratch/bytes"
    holds "the larger half of an odd one" [ "$(written short 7)" = 4 ]
    holds "one byte is written" [ "$(written short 1)" = 1 ]
    holds "who goes on where a write ended gets all to the file" store "$mount_point/short" 100000 1
    holds "byte for byte" cmp -n 100000 "$mount_point/short" "$scratch/bytes"
    here fault --short-above 1000
    holds "up to its size a write is whole" [ "$(written short 1000)" = 1000 ]
    holds "beyond it is not" [ "$(written short 1001)" = 501 ]
    here fault --none
}

no_direct() {
    "$storage" mount "$second" --mbps 1000 >/dev/null
    holds "a file is opened with O_DIRECT" dd if="$scratch/bytes" of="$second/direct" bs=4096 count=2 oflag=direct status=none
    "$storage" umount "$second" >/dev/null
    "$storage" mount "$second" --mbps 1000 --no-direct >/dev/null
    holds "with --no-direct it is not" answers 1 'Invalid argument' \
        dd if="$scratch/bytes" of="$second/direct" bs=4096 count=2 oflag=direct status=none
    holds "but without" dd if="$scratch/bytes" of="$second/direct" bs=4096 count=2 status=none
    holds "then not with it either" answers 1 'Invalid argument' \
        dd if="$scratch/bytes" of="$second/direct" bs=4096 count=2 conv=notrunc oflag=direct status=none
    "$storage" umount "$second" >/dev/null
}

stalled_umount() {
    local writers=() begin i code
    here fault --stall-after 0
    for i in 1 2; do
        store "$mount_point/held$i" 1M 2 2>/dev/null &
        writers+=($!)
    done
    eventually held 2
    begin=$(milliseconds)
    holds "umount during a stall" answers 0 'is unmounted' here umount
    holds "does not wait for the end of the stall" between $(($(milliseconds) - begin)) 0 30000
    for i in 0 1; do
        wait "${writers[i]}"
        code=$?
        holds "its writer $((i + 1)) goes on and ends" between $code 0 1
    done
    holds "and nothing is left" gone "$server"
}

# A user who never leaves: umount ends the server underneath.
busy_umount() {
    here mount --mbps 1000 >/dev/null
    server=$(server_of "$mount_point")
    sleep 60 >"$mount_point/open" &
    local user=$!
    holds "umount with an open file" answers 0 'is unmounted' here umount
    holds "leaves nothing" gone "$server"
    kill $user
    wait $user 2>/dev/null
}

killed_server() {
    here mount --mbps 100 >/dev/null
    server=$(server_of "$mount_point")
    echo x >"$mount_point/x"
    kill -KILL "$server"
    eventually dead "$server"
    holds "status sees that the server was killed" answers 1 'the server of .* is gone' here status
    holds "umount removes what it left" answers 0 'is unmounted' here umount
    holds "all of it" gone "$server"
    here mount --mbps 100 >/dev/null
    kill -KILL "$(server_of "$mount_point")"
    holds "so does the next mount" answers 0 'is mounted' here mount --mbps 100
    server=$(server_of "$mount_point")
    kill -TERM "$server"
    holds "a server that is asked to end leaves nothing" eventually gone "$server"
    here mount --mbps 100 >/dev/null
    server=$(server_of "$mount_point")
    umount "$mount_point"
    holds "nor does one whose mount is removed by umount(8)" eventually gone "$server"
}

# At any moment: the delay is a part of what an undisturbed mount takes (about 0.2 s).
broken_mounts() {
    local signal delay job code left
    for signal in INT TERM HUP KILL; do
        left=0
        for delay in 0.02 0.05 0.08 0.11 0.14 0.17; do
            setsid env --default-signal=INT "$storage" mount "$mount_point" --mbps 100 >/dev/null 2>&1 &
            job=$!
            sleep $delay
            # The keyboard's signal goes to all processes of the job, others to the first.
            if [ $signal = INT ]; then kill -INT -- -$job 2>/dev/null; else kill -$signal $job 2>/dev/null; fi
            # Where the signal came too late it is mounted, which is right as well.
            code=0
            wait $job 2>/dev/null || code=$?
            if [ $code = 0 ] || [ $signal = KILL ]; then here umount >/dev/null; fi
            if ! gone ''; then
                echo "left by a signal after $delay s, exit code $code"
                left=$((left + 1))
                here umount >/dev/null
            fi
        done
        holds "a mount that ends by $signal leaves nothing that umount does not remove" [ $left = 0 ]
    done
}

# The copy gets a server whose first target of uneven rates and whose latencies are not those asked for, both to the fast side: slow is
# what a busy machine makes of all.
spoiled_server() {
    cat >"$scratch/spoiled" <<END
#!/bin/bash
arguments=("\$@")
for ((i = 1; i < \$#; i++)); do
    case \${arguments[i - 1]} in
    --mbps) [[ "\$*" != *--stripe-mbps* ]] || arguments[i]=55 ;;
    --stripe-mbps) arguments[i]=40,10,5 ;;
    --latency-ms) arguments[i]=\$((arguments[i] / 5)) ;;
    esac
done
exec $("$suite_dir/../config/bench.sh" storage-server) "\${arguments[@]}"
END
    chmod +x "$scratch/spoiled"
    printf '#!/bin/sh\necho %s\n' "$scratch/spoiled" >"$scratch/copy/config/bench.sh"
}

finds_what_is_spoiled() {
    answers 1 'writer of target 1 .*WRONG' "$scratch/copy/bench/storage" check --at-most &&
        grep -qE 'a small write.*WRONG' "$scratch/answer" && grep -qE 'four writers to one target.*ok' "$scratch/answer"
}

# verdict UNIT MEASURED ASKED [AT_MOST]: with a tolerance of 5 percent.
verdict() {
    bash -c '. "$1" && tolerance=5 at_most=$5 && if within "$2" "$3" "$4"; then echo ok; else echo WRONG; fi' sh \
        "$storage.d/check.sh" "$1" "$2" "$3" "${4:-}"
}

model() {
    local program=$scratch/rate_model_test
    holds "the tests of the model build" g++ -std=c++17 -o "$program" "$suite_dir/bench/rate_model_test.cc" \
        "$suite_dir/../bench/storage.d/rate_model.cc" -lgtest -lgtest_main -pthread
    holds "the model has the rates and latencies asked for" "$program"
}

# The model is exact with a clock of a test's own, above; on a machine that has other work to do only what is too fast is an error.
rates() {
    export TMPDIR=$scratch
    if ! printf '%s\n' 6.2 "$(uname -r)" | sort -CV; then
        holds "check says that this kernel cannot do it" answers 77 '6.2 is needed' "$storage" check
        skip "rates and latencies: Linux 6.2 is needed"
        return
    fi
    holds "no rate is higher than asked, no latency lower" steadily answers 0 'uneven rates' "$storage" check --at-most
    cat "$scratch/answer"
    holds "check leaves no mount" gone ''
    holds "nor a folder" [ -z "$(find "$scratch" -maxdepth 1 -name 'overlap-storage-check*')" ]
    spoiled_server
    holds "check finds a server that is faster, in its latency as well, and only there" steadily finds_what_is_spoiled
    holds "a figure inside the tolerance is ok" is "$(verdict MB/s 95.1 100) $(verdict ms 10.49 10)" "ok ok"
    holds "others are not" is "$(verdict MB/s 94.9 100) $(verdict MB/s 105.1 100) $(verdict ms 9.4 10) $(verdict ms 10.6 10)" \
        "WRONG WRONG WRONG WRONG"
    holds "with --at-most those that are slower are" is "$(verdict MB/s 1 100 yes) $(verdict ms 99 10 yes)" "ok ok"
    holds "and those that are faster are not" is "$(verdict MB/s 105.1 100 yes) $(verdict ms 9.4 10 yes)" "WRONG WRONG"
}

wrong_arguments
model
missing=$("$storage" mount "$second" --mbps 100 2>&1)
if [ $? = 77 ]; then
    skip "all that mounts: $missing"
else
    "$storage" umount "$second" >/dev/null
    wrong_mounts
    lacks
    life
    contents
    faults
    stalls
    allocates
    short_writes
    stalled_umount
    killed_server
    if [ "$full" = full ]; then
        no_direct
        busy_umount
        broken_mounts
        rates
    fi
fi
suite_end
