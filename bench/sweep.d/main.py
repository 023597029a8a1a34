"""The command line."""
import argparse
import os
import random
import re
import signal
import subprocess
import sys

import job
import journal
import local
import parameters
import slurm
import sweep as sweeps
import tables
from failure import Failure
from interpreter import need_matplotlib
from whole import write_whole

USAGE = """\
Usage: overlap-sweep run FOLDER [OPTION...] NAME=VALUES... -- COMMAND...
       overlap-sweep run FOLDER [--repetitions N] [--retry-failed]
       overlap-sweep status FOLDER
       overlap-sweep report FOLDER [--output FILE] [--title TEXT] [--when CONDITION=VALUE...]

Runs an application, often an mpirun, once for each combination of the parameters' values, several times in shuffled order, and reports
which setting is best. What it has lies in FOLDER, a line for each run, on disk before the next one begins: `run FOLDER` goes on where a sweep was
ended, whatever ended it.

Parameters: NAME=VALUES, values separated by commas, as algorithm=none..dataflow slots=2,4,8 cb_nodes=1..8*2
  NAME          a parameter of the component without fcoll_overlap_, the whole name of any MCA parameter, or one of the hints cb_nodes
                and cb_buffer_size, which io_ompio_num_aggregators and io_ompio_bytes_per_agg carry
  a..b          all values from a to b, of algorithms and the like in the order of their numbers
  a..b+c, a..b*c  each c more, or c times as much; numbers may have K, M or G
  default       as it is without the sweep
  \\,            a comma within a value
They reach the application as environment variables OMPI_MCA_..., with OMPI_MCA_io=ompio and OMPI_MCA_fcoll=overlap where these are not set; OVERLAP_SWEEP_RUN and
OVERLAP_SWEEP_REPETITION, both from 0, serve for names of files.

Options of run:
  --repetitions N     runs of each setting (default 5); more than a sweep had adds to it
  --metric REGEX      what counts is the number that its first group matches in the output, at its last place; otherwise it is the wall time
  --higher-is-better  of the metric
  --unit TEXT         of the metric, for tables and charts
  --timeout SECONDS   for a run (default 300); what takes longer is ended and counts as failed
  --seed N            of the order (default: drawn)
  --retry-failed      failed runs are done again; otherwise a failure is a result
  --slurm             prints the script of a job array with a task for each run that is missing, and runs nothing
  --submit            hands it to sbatch; runs that are queued or running are left alone, so it may be repeated until nothing is missing
  --sbatch OPTIONS    for the script, words without --, as "nodes=4 ntasks-per-node=16 exclusive"; may be repeated
  --at-once N         tasks that may run at the same time (default 1: they would share the network and the storage)

status prints what there is, best setting first, and writes FOLDER/results.csv and results.json, as run does at its end.
report writes FOLDER/report.html, one file that needs nothing else: tables, charts, the best setting with its confidence, and the
lines for openmpi-mca-params.conf and for the rules of a site (fcoll_overlap_rules).
  --output FILE       in its place
  --title TEXT        in the place of the command's name
  --when CONDITION=VALUE  a condition of the rule, as ranks_min=16 or file_system=lustre; may be repeated

--help prints this, --version the version. Exit codes: 1 something went wrong, 2 wrong arguments, 77 something is missing here (the
message says what), 129, 130 or 143 ended by a signal. A failed run is none of these: it is a result.
"""


def main(arguments, tool):
    for signal_ in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_, _end)
    try:
        return _dispatch(arguments, tool)
    except Failure as failure:
        print("overlap-sweep: %s" % failure, file=sys.stderr)
        return failure.code
    except BrokenPipeError:
        # Whoever read the summary has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def _end(number, _):
    # As an exception, so that the command that runs is ended as well.
    sys.exit(128 + number)


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
        raise Failure('no command "%s"; there are run, status and report; overlap-sweep --help tells more' % own[0], 2)
    return commands[own[0]](own[1:], arguments[len(own) + 1:], tool)


class _Parser(argparse.ArgumentParser):
    def __init__(self):
        super().__init__(add_help=False, allow_abbrev=False)
        self.add_argument("folder")

    def error(self, message):
        raise Failure(message + "; overlap-sweep --help tells more", 2)


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
            print("overlap-sweep: %d settings, %d repetitions, %d of %d runs to do, order of seed %d" %
                  (len(sweep.settings), sweep.repetitions, len(missing), len(sweep.order), sweep.seed), file=sys.stderr)
            try:
                local.run(sweep, folder, results, missing)
            except SystemExit:
                print("overlap-sweep: ended; overlap-sweep run %s goes on" % folder, file=sys.stderr)
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
            raise Failure("the command is missing: overlap-sweep run FOLDER NAME=VALUES... -- COMMAND...", 2)
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
        print("overlap-sweep: no run is missing%s" % (" that is not queued already" if queued else ""), file=sys.stderr)
        return 0
    words = ["--" + word.lstrip("-") for words in options.sbatch for word in words.split()]
    # Slurm does not make the folder of a task's output.
    os.makedirs(os.path.join(options.folder, "slurm"), exist_ok=True)
    text, count, offset = slurm.script(sweep, options.folder, missing, tool, words, options.at_once)
    if options.slurm:
        print(text, end="")
    if options.submit:
        print("overlap-sweep: job %d, an array of %d tasks" % (slurm.submit(text, options.folder, offset), count), file=sys.stderr)
    if count < len(missing):
        print("overlap-sweep: %d runs do not fit into the array: again when these have run" % (len(missing) - count), file=sys.stderr)
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
