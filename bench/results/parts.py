# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What is measured: the parts of docs/results/, each with its runs."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Run:
    """`command` is for bash, from the top of the repository. {release} is 4 or 5, {prefix} names that Open MPI for tools
    that take a prefix, {json}, {picture} and {folder} are where it puts its results. `quick` are replacements in the command
    that make it small. `kind` says how its results are read: a function of results.py. `release`, where it is set, is the
    Open MPI whatever else was asked for."""

    title: str
    shows: str  # without figures: those are measured
    command: str
    kind: str = "compare"
    quick: tuple = ()
    release: str = ""


@dataclasses.dataclass(frozen=True)
class Part:
    name: str
    title: str
    runs: tuple


COMPARE = "bench/compare {kernel} --openmpi {{release}} --repetitions 5 --json {{json}} {more}"
HOSTS = "--cluster 4x2 --mbit {mbit} --storage-mbps {mbps}"
ONCE = ("--repetitions 5", "--repetitions 1")
SCHEDULES = "romio,overlap,none=overlap:algorithm=none,comm=overlap:algorithm=comm,write=overlap:algorithm=write," + (
    "write-comm=overlap:algorithm=write-comm,write-comm-2=overlap:algorithm=write-comm-2,dataflow=overlap:algorithm=dataflow"
)
TILE_256 = "tile --element 256 --tiles {ranks} 1 --tile-y 65536"
TILE_1M = "tile --element 1m --tiles {ranks} 1 --tile-y 32"
SMALL = (("--tile-y 65536", "--tile-y 2048"), ("--tile-y 32 ", "--tile-y 2 "), ("--tile-y 512", "--tile-y 16"))


def compare(title, shows, kernel, more, ranks=8, quick=()):
    command = COMPARE.format(kernel=kernel.format(ranks=ranks), more=more)
    return Run(title, shows, command, quick=(ONCE, *SMALL, *quick))


def node(ranks=8, folder="/dev/shm"):
    return f"--ranks {ranks} --no-bounds --dir {folder}"


def hosts(mbit, mbps):
    return HOSTS.format(mbit=mbit, mbps=mbps)


def simulate(title, shows, *commands):
    return Run(
        title, shows, "; ".join(f"bench/simulate {words}" for words in commands), "text",
        (("256,1024,4096,16384,65536", "256"), ("1024,4096,16384", "256"), ("--ranks 16384", "--ranks 256"),
         ("--ranks 4096 --ranks-per-node 64", "--ranks 256 --ranks-per-node 16")),
    )


def never_slower(series, release):
    return Run(
        f"Open MPI {series}", "overlap with nothing set beside its other settings and other components.",
        "bench/never-slower {prefix} --alternations 5 --json {json} --only '{only}'", "never_slower",
        (("--alternations 5", "--alternations 1"), ("'{only}'", "'^(64B|call1KiB):(2|4):tmpfs'")), release,
    )


AGGREGATORS = "vulcan,romio,overlap," + ",".join(
    f"{n}-aggregators=overlap:io_ompio_num_aggregators={n}" for n in (1, 2, 4)
)
HOLES = "romio,overlap,list=overlap:holes=list,sieve=overlap:holes=sieve"
BUFFERS = "overlap," + ",".join(f"{n >> 10}KiB=overlap:io_ompio_bytes_per_agg={4 * n}" for n in (1 << 18, 1 << 19, 1 << 20, 1 << 21))
WHO = "overlap,independent=overlap:writes=independent:reads=independent,collective=overlap:writes=collective:reads=collective"

PARTS = (
    Part("never-slower", "Never slower than the best", (never_slower("4.1", "4"), never_slower("5.0", "5"))),
    Part("one-node", "One node", (
        compare("One node, file on tmpfs", "small interleaved blocks, by the number of aggregators.", TILE_256,
                f"{node(16)} --contenders {AGGREGATORS}", 16),
        compare("One node, blocks of 1 MiB", "large interleaved blocks, by the number of aggregators.", TILE_1M,
                f"{node(16)} --contenders {AGGREGATORS}", 16),
        compare("What is chosen", "size of the sub-buffers, where a write is a copy into the page cache.", TILE_256,
                f"{node(8, '/var/tmp')} --contenders {BUFFERS}"),
        compare("Irregular lists", "lists of elements of a climate model, dealt at random.",
                "lists --deal random --variables 64", f"{node()} --keep-wrong --contenders vulcan,romio,overlap",
                quick=(("--variables 64", "--variables 4"),)),
        compare("Cycles with gaps: list or sieve", "a write with gaps: each piece by itself, or its range under a lock.",
                "hpio --region-count 131072", f"{node(8, '/var/tmp')} --keep-wrong --contenders {HOLES}",
                quick=(("131072", "4096"),)),
        compare("Writes of each rank by itself", "large blocks: by their owners, or through aggregators.", TILE_1M,
                f"{node()} --contenders {WHO}"),
        compare("Reads of each rank by itself", "smaller blocks than for writes: by their owners, or through aggregators.",
                "tile --element 4k --tiles {ranks} 1 --tile-y 4096", f"--read {node()} --contenders {WHO}",
                quick=(("--tile-y 4096", "--tile-y 64"),)),
        compare("Collective reads", "reads of small interleaved blocks.", TILE_256,
                f"--read {node()} --contenders vulcan,romio,overlap"),
        compare("Puts", "puts in the place of messages.", TILE_1M,
                f"{node()} --contenders overlap,put-fence=overlap:shuffle=put-fence,put-lock=overlap:shuffle=put-lock"),
        Run("A small buffer behind fast senders", "memory that a write takes, of the rank that takes most and of the one that "
            "takes least.", "bench/results/memory {release} 8 1024 131072 65536", "text", (("131072", "4096"),)),
        Run("Lists of pieces", "a datatype for the transport, or one more copy.",
            "$(config/bench.sh pieces-benchmark | tail -1) --benchmark_filter='^copy-.*/(8|256|4096)/|/(regular|mixed)/(8|256|4096)/(256|4096)$'",
            "text", (("pieces-benchmark | tail -1)", "pieces-benchmark | tail -1) --benchmark_min_time=0.001"),)),
        Run("Many real ranks on one machine", "memory, open and close.", "bench/results/many_ranks {release}", "text",
            (("{release}", "{release} 2 4"),)),
        Run("What a timeline costs", "a collective write with a timeline and without.", "bench/results/trace_cost", "text",
            (("trace_cost", "trace_cost 2"),)),
        Run("Many ranks, counted", "messages, bytes copied, writes and memory of calls with 4 KiB a rank.",
            "bench/results/counts {prefix} 16 64 128", "text", (("16 64 128", "2 4"),)),
    )),
    Part("cluster", "Four hosts and a storage server", (
        compare("Four hosts and a storage server", "small interleaved blocks, with the bounds of network and storage.", TILE_256,
                f"{hosts(800, 200)} --contenders vulcan,romio,overlap"),
        compare("Four hosts: the defaults", "large interleaved blocks, with the bounds of network and storage.", TILE_1M,
                f"{hosts(800, 400)} --contenders vulcan,romio,overlap"),
        compare("Several shuffles under way", "where the network is the slower part.", TILE_1M,
                f"{hosts(200, 400)} --no-bounds --contenders romio,overlap,one=overlap:slots=2,all=overlap:slots=16"),
        compare("Blocks of 16 MiB", "each rank's block apart from the others', through whom it goes.", "ior --block 16m",
                f"{hosts(400, 400)} --no-bounds --contenders vulcan,romio,{WHO}", quick=(("--block 16m", "--block 1m"),)),
        *(compare(f"Blocks of 64 KiB{what}", "interleaved, through whom they go.", "tile --element 64k --tiles {ranks} 1 --tile-y 256",
                  f"{option}{hosts(400, 400)} --no-bounds --contenders {WHO}", quick=(("--tile-y 256", "--tile-y 8"),))
          for what, option in (("", ""), (", read", "--read "))),
        compare("Collective reads between hosts", "reads of interleaved blocks.", "tile --element 64k --tiles {ranks} 1 --tile-y 512",
                f"--read {hosts(800, 400)} --no-bounds --contenders vulcan,romio,overlap"),
        compare("Nonblocking collectives", "how much of the calls a computation hides.",
                "tile --element 64k --tiles {ranks} 1 --tile-y 512",
                f"--nonblocking {hosts(800, 200)} --contenders overlap"),
        Run("Checkpoints of models", "a safetensors file of all ranks' shards, beside a file for each rank and rank 0 alone.",
            "bench/results/checkpoint 48 1024", "text", (("48 1024", "2 64"),)),
        Run("Declared writes", "several small calls that are written as one.",
            "bench/results/declared openmpi={release} hacc --layout soa --particles 5000", "text",
            (("openmpi={release}", "openmpi={release} rounds=1 repetitions=1 warm_ups=0"),)),
    )),
    Part("schedules", "Schedules side by side", (
        compare("Storage and network equally fast", "every schedule.", TILE_1M, f"{hosts(800, 400)} --contenders {SCHEDULES}",
                quick=(("--cluster 4x2", "--cluster 2x2"), ("--tiles 8 1", "--tiles 4 1"))),
        compare("The network is slower", "every schedule.", TILE_1M, f"{hosts(200, 400)} --no-bounds --contenders {SCHEDULES}",
                quick=(("--cluster 4x2", "--cluster 2x2"), ("--tiles 8 1", "--tiles 4 1"))),
        compare("The storage is slower", "every schedule.", TILE_256, f"{hosts(800, 100)} --no-bounds --contenders {SCHEDULES}",
                quick=(("--cluster 4x2", "--cluster 2x2"), ("--tiles 8 1", "--tiles 4 1"))),
        Run("What the default costs: regret", "the default against every fixed setting, condition by condition.",
            "bench/compare --regret bench/results/conditions --openmpi {release} --repetitions 3 --drop-above 2 --contenders vulcan,romio "
            "--let disk=/var/tmp --only .", "text",
            (("--repetitions 3", "--repetitions 1"), ("--only .", "--only 'tile --element 256 .*dir /dev/shm'"))),
    )),
    Part("picture", "Overlap as a picture", (
        Run("A write with and without overlap", "a row is a sub-buffer of an aggregator; numbers are cycles.",
            "bench/results/picture {release} {picture} 16", "picture", (("{picture} 16", "{picture} 2"),)),
    )),
    Part("placement", "Placement", (
        Run("Hop-bytes on TATP's two machines", "what the strategies would do there; nothing was measured on a network.",
            "bench/results/hop_bytes", "pipe_table", (("hop_bytes", "hop_bytes inspur cube"),)),
        Run("Two switches", "four hosts on two switches whose uplinks are slow.", "bench/results/two_level {release}", "text",
            (("{release}", "{release} 400 1"),)),
    )),
    Part("simulated", "Thousands of ranks, simulated", (
        simulate("Thousands of ranks, simulated", "what a call costs in messages, memory and planning.",
                 "--ranks 256,1024,4096,16384,65536 --set node_merge=off tile",
                 "--ranks 256,1024,4096,16384,65536 --set node_merge=off lists",
                 "--ranks 256,1024,4096,16384,65536 --set node_merge=off flash"),
        simulate("Ranks of a node as one", "messages to an aggregator with node_merge and without.",
                 "--ranks 1024,4096,16384 --set node_merge=off --calls 4 lists",
                 "--ranks 1024,4096,16384 --set node_merge=on --calls 4 lists"),
        simulate("Bytes sent with their description", "messages of a first call.",
                 "--ranks 16384 --set node_merge=off --calls 3 lists"),
        simulate("How many messages an aggregator has under way", "on a network that congestion slows down.",
                 *(f"--ranks 256 --ranks-per-node 16 --nic-rate 1.25e9 --congestion 0.3 --set throttle={k} tile --element 4096 "
                   "--tiles 256 1 --tile-y 1024" for k in (1, 16, 64, 256))),
        Run("Who transfers, simulated", "blocks of the ranks through aggregators and by the ranks, and what the default costs beside the better.",
            "bench/results/who_transfers", "text", (("who_transfers", "who_transfers 65536"),)),
    )),
    Part("papers", "The papers again", (
        Run("Five papers", "what they show, measured again on emulated hosts and storage.",
            "bench/results/papers {folder} --openmpi {release}", "papers", (("{folder}", "{folder} --smallest"),)),
    )),
)
