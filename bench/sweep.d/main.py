# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The command line."""
import argparse
import os
import random
import re
import subprocess
import sys

import job
import journal
import local
import parameters
import slurm
import sweep as sweeps
import tables
from failure import Failure, run
from interpreter import need_matplotlib
from whole import write_whole

USAGE = """\
overlap sweep run FOLDER [OPTION...] NAME=VALUES... -- COMMAND...
overlap sweep run FOLDER [--repetitions N] [--retry-failed]
overlap sweep status|report FOLDER [OPTION...]

Runs a program once for each combination of values, several times in shuffled
order, and reports which setting is best. "run FOLDER" goes on where it ended.
  NAME=VALUES       algorithm=none..dataflow slots=2,4,8 cb_nodes=1..8*2
                    a parameter without fcoll_overlap_, or any MCA parameter
  --repetitions N   runs of each setting (default 5)
  --metric REGEX    what counts: the number of its first group in the output
                    (default: the wall time); --higher-is-better, --unit TEXT
  --timeout SECONDS for a run (default 300)
  --seed N          of the order; --retry-failed does failed runs again
  --slurm, --submit, --sbatch OPTIONS, --at-once N       a job array of Slurm
"status" writes results.csv and results.json, "report" one page, report.html:
  --output FILE, --title TEXT, --when CONDITION=VALUE    (of a rule of a site)
Values reach the program as OMPI_MCA_..., with io=ompio and fcoll=overlap unless
these are set; OVERLAP_SWEEP_RUN and OVERLAP_SWEEP_REPETITION count from 0.
Exit codes: 1 something went wrong, 2 wrong arguments, 77 something is missing
here, 129, 130 or 143 ended by a signal. A failed run is a result.
"""


def main(arguments, tool):
    try:
        return run("sweep", lambda: _dispatch(arguments, tool))
    except BrokenPipeError:
        # Whoever read the summary has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def _dispatch(arguments, tool):
    own = arguments[:arguments.index("--")] if "--" in arguments else arguments
    if not own:
        print(USAGE, end="", file=sys.stderr)
        return 2
    if "--help" in own or "-h" in own:
        print(USAGE, end="")
        return 0
    if "--version" in own:
        version = os.path.join(os.path.dirname(tool), "..", "config", "version.sh")
        print("overlap " + subprocess.run([version], capture_output=True, text=True, check=True).stdout.strip())
        return 0
    commands = {"run": _run, "status": _status, "report": _report, "task": _task}
    if own[0] not in commands:
        raise Failure('no command "%s"; there are run, status and report; overlap sweep --help tells more' % own[0], 2)
    return commands[own[0]](own[1:], arguments[len(own) + 1:], tool)


class _Parser(argparse.ArgumentParser):
    def __init__(self):
        super().__init__(add_help=False, allow_abbrev=False)
        self.add_argument("folder")

    def error(self, message):
        raise Failure(message + "; overlap sweep --help tells more", 2)


def _run_parser():
    parser = _Parser()
    parser.add_argument("parameters", nargs="*")
    parser.add_argument("--repetitions", type=_above_zero(int))
    parser.add_argument("--metric")
    parser.add_argument("--higher-is-better", action="store_true")
    parser.add_argument("--unit")
    parser.add_argument("--timeout", type=_above_zero(float))
    parser.add_argument("--seed", type=int)
    parser.add_argument("--retry-failed", action="store_true")
    parser.add_argument("--slurm", action="store_true")
    parser.add_argument("--submit", action="store_true")
    parser.add_argument("--sbatch", action="append", default=[])
    parser.add_argument("--at-once", type=_above_zero(int), default=1)
    return parser


def _above_zero(kind):
    def convert(text):
        value = kind(text)
        if not 0 < value < float("inf"):
            raise ValueError
        return value
    convert.__name__ = "number above 0"
    return convert


def _run(arguments, command, tool):
    options = _run_parser().parse_intermixed_args(arguments)
    folder = options.folder
    if "=" in folder and not os.path.isdir(folder):
        raise Failure('the folder comes first, not "%s"' % folder, 2)
    sweep = _asked_for(options, command)
    try:
        os.makedirs(folder, exist_ok=True)
        with local.alone(folder):
            sweep = _kept(options, sweep)
            results = journal.read(folder, len(sweep.order))
            again = {number for number, result in results.items() if options.retry_failed and result["outcome"] != journal.OK}
            missing = [number for number in range(len(sweep.order)) if number not in results or number in again]
            array = options.slurm or options.submit
            if missing and slurm.queued(folder) and not array:
                raise Failure("runs of this sweep are queued in Slurm; wait for them, or scancel them")
            if options.submit:
                slurm.need_sbatch()
            if again:
                journal.forget(folder, again, len(sweep.order))
                results = journal.read(folder, len(sweep.order))
            if array:
                return _array(options, sweep, missing, tool)
            print("sweep: %d settings, %d repetitions, %d of %d runs to do, order of seed %d" %
                  (len(sweep.settings), sweep.repetitions, len(missing), len(sweep.order), sweep.seed), file=sys.stderr)
            try:
                local.run(sweep, folder, results, missing)
            except SystemExit:
                print("sweep: ended; overlap sweep run %s goes on" % folder, file=sys.stderr)
                raise
    except OSError as error:
        raise Failure("%s: %s" % (error.filename or folder, error.strerror)) from None
    tables.write(sweep, folder, results)
    print(tables.summary(sweep, results))
    return 0


def _asked_for(options, command):
    """The sweep of the arguments, None where they are those to go on with."""
    if not command:
        given = [name for name in ("metric", "unit", "timeout", "seed") if getattr(options, name) is not None]
        if options.parameters or given or options.higher_is_better:
            raise Failure("the command is missing: overlap sweep run FOLDER NAME=VALUES... -- COMMAND...", 2)
        return None
    for text in options.parameters + command:
        # Tables are text, a line for each run.
        if not text.isprintable() and text not in command or any("\udc80" <= letter <= "\udcff" for letter in text):
            raise Failure("%s holds what is no text of one line" % ascii(text), 2)
    swept = [parameters.parse(text) for text in options.parameters]
    for parameter in swept:
        if [other.mca for other in swept].count(parameter.mca) > 1:
            raise Failure("%s is there twice" % parameter.mca, 2)
        if parameter.mca in _set_by(command):
            raise Failure("the command itself sets %s, which counts more than the sweep" % parameter.mca, 2)
    if (options.higher_is_better or options.unit) and not options.metric:
        raise Failure("--higher-is-better and --unit go with --metric", 2)
    if options.metric is not None:
        try:
            re.compile(options.metric)
        except re.error as error:
            raise Failure("--metric %s is no regular expression: %s" % (options.metric, error), 2) from None
    seed = random.SystemRandom().randrange(1 << 31) if options.seed is None else options.seed
    return sweeps.Sweep(command, swept, options.repetitions or 5, seed, options.timeout or 300.0, options.metric, options.higher_is_better,
                        options.unit)


def _set_by(command):
    """The MCA parameters among the options of an mpirun."""
    return {command[i + 1] for i in range(len(command) - 2) if command[i] in ("--mca", "-mca", "--gmca", "-gmca", "--omca")}


def _kept(options, asked):
    """The sweep of the folder: made where there is none, extended where more repetitions are asked for. Raises Failure where it is another."""
    folder = options.folder
    if not os.path.exists(sweeps.path(folder)) and asked:
        if os.path.exists(journal.local_path(folder)):
            raise Failure("%s has results, and no sweep.json that says of what" % folder)
        sweeps.save(asked, folder)
        return asked
    kept = sweeps.load(folder)
    more = options.repetitions or kept.repetitions
    if more < kept.repetitions:
        raise Failure("the sweep in %s has %d repetitions already" % (folder, kept.repetitions), 2)
    if asked:
        asked.repetitions = kept.repetitions
        if options.seed is None:
            asked.seed = kept.seed
        different = kept.difference(asked)
        if different:
            raise Failure("%s has another sweep, its %s differs; take another folder" % (folder, different), 2)
    if more > kept.repetitions:
        kept.repetitions = more
        kept.order = sweeps.shuffled(len(kept.settings), more, kept.seed)
        sweeps.save(kept, folder)
    return kept


def _array(options, sweep, missing, tool):
    queued = slurm.queued(options.folder)
    missing = [number for number in missing if number not in queued]
    if not missing:
        print("sweep: no run is missing%s" % (" that is not queued already" if queued else ""), file=sys.stderr)
        return 0
    words = ["--" + word.lstrip("-") for words in options.sbatch for word in words.split()]
    # Slurm does not make the folder of a task's output.
    os.makedirs(os.path.join(options.folder, "slurm"), exist_ok=True)
    text, count, offset = slurm.script(sweep, options.folder, missing, tool, words, options.at_once)
    if options.slurm:
        print(text, end="")
    if options.submit:
        print("sweep: job %d, an array of %d tasks" % (slurm.submit(text, options.folder, offset), count), file=sys.stderr)
    if count < len(missing):
        print("sweep: %d runs do not fit into the array: again when these have run" % (len(missing) - count), file=sys.stderr)
    return 0


def _task(arguments, _, __):
    """A run of a job array: its line of results goes to a file of its own, and the last one merges them."""
    parser = _Parser()
    parser.add_argument("run", type=int)
    options = parser.parse_args(arguments)
    sweep = sweeps.load(options.folder)
    if not 0 <= options.run < len(sweep.order):
        raise Failure("the sweep has no run %d" % options.run, 2)
    if options.run not in journal.read(options.folder, len(sweep.order)):
        journal.append(journal.task_path(options.folder, options.run), job.run(sweep, options.run, options.folder))
    results = journal.read(options.folder, len(sweep.order))
    if len(results) == len(sweep.order):
        tables.write(sweep, options.folder, results)
    return 0


def _status(arguments, _, __):
    folder = _Parser().parse_args(arguments).folder
    sweep = sweeps.load(folder)
    results = journal.read(folder, len(sweep.order))
    tables.write(sweep, folder, results)
    print(tables.summary(sweep, results))
    return 0


def _report(arguments, _, tool):
    parser = _Parser()
    parser.add_argument("--output")
    parser.add_argument("--title")
    parser.add_argument("--when", action="append", default=[])
    options = parser.parse_args(arguments)
    sweep = sweeps.load(options.folder)
    results = journal.read(options.folder, len(sweep.order))
    need_matplotlib(tool, ["report", *arguments])
    import page
    tables.write(sweep, options.folder, results)
    output = options.output or os.path.join(options.folder, "report.html")
    write_whole(output, page.render(sweep, results, options.title, options.when))
    print(output)
    return 0
