# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The command line of overlap doctor, the order of its questions, and the answer."""
import os
import re
import shlex
import subprocess
import sys

import component as components
import folder as folders
import hints
from finding import Finding
from job import Job, path_of, run_probe
from openmpi import OpenMpi, Parameters, output_of

ASKED = {"io": "ompio", "fcoll": "overlap"}
SERVED, NOT_SERVED, UNKNOWN = 0, 1, 2


class Examination:
    """What is looked at, and what was found. `added`: options that the probe has and the job has not."""

    def __init__(self, folder, words, hint_file):
        self.folder, self.hint_file = folder, hint_file
        self.job = Job(words) if words else None
        self.environment = self.job.environment() if self.job else dict(os.environ)
        self.findings, self.notes, self.added = [], [], []
        self.outcome = self.openmpi = self.component = None
        program = self.job.program[:1] if self.job else []
        self.program = path_of(program[0], self.environment) if program else None

    def run(self):
        """The exit code."""
        writable = folders.can_write(self.folder)
        if not self._find_openmpi():
            self.findings += folders.findings(self.folder, None)
            return NOT_SERVED if any(finding.stops for finding in self.findings) else UNKNOWN
        self.parameters = Parameters(self.openmpi, self.environment, self.job.options if self.job else [])
        if not writable:
            self._probe()
        nodes = len(self.outcome.result["hosts"]) if self.outcome and self.outcome.result else None
        self._look_at_slots()
        self._look_at_component()
        self._look_at_program()
        self.findings += hints.misspelt(self.parameters, self.openmpi, self.component) + hints.refused(self.outcome)
        names = {name[14:] for name in self.openmpi.parameters() if name.startswith("fcoll_overlap_")} or (self.component.names if self.component else set())
        self.findings += hints.hints(self.environment, self.hint_file, names)
        self.findings += folders.findings(self.folder, nodes)
        return self._verdict()

    def _find_openmpi(self):
        named = self.job.launcher if self.job and self.job.is_open_mpi() else None
        mpirun = path_of(named, self.environment) if named else next(filter(None, (path_of(name, self.environment) for name in ("mpirun", "mpiexec", "mpirun.openmpi"))), None)
        if mpirun is None:
            self.findings.append(Finding("There is no %s in PATH" % (named or "mpirun"), "No job of Open MPI can start.", "module load openmpi     # or export PATH=PREFIX/bin:$PATH"))
            return False
        self.openmpi = OpenMpi(mpirun)
        prefix = self.environment.get("OPAL_PREFIX")
        if prefix and not os.path.isdir(self.openmpi.folders.get("pkglibdir", "")) and not os.path.isdir(os.path.join(prefix, "lib")):
            self.findings.append(Finding("OPAL_PREFIX is %s (in the environment), where no Open MPI is installed" % prefix, "Open MPI looks for its own files there.", "unset OPAL_PREFIX", stops=True))
        if self.openmpi.version is None and not self.findings:
            said = output_of([mpirun, "--version"]).strip()
            other = re.search(r"HYDRA|MPICH|Intel|MVAPICH|Cray|ParaStation", said)
            what = "is not Open MPI's" if other else "does not say that it is Open MPI's"
            self.findings.append(Finding("%s %s: \"%s\"" % (mpirun, what, (said or "nothing").splitlines()[0][:120]),
                                         "overlap is a component of Open MPI; another MPI does not know it.", "module load openmpi     # or export PATH=PREFIX/bin:$PATH", stops=bool(other)))
        return self.openmpi.version is not None

    def _probe(self):
        if self.job and self.job.launcher:
            command = [*self.job.before, self.job.launcher, *self.job.options]
        else:
            command = [self.openmpi.mpirun, "--oversubscribe", "-n", "2"]
        self.command = command
        self.outcome = run_probe(command, self.folder, self.openmpi.libraries(), self.environment)
        if self.job or self.outcome.served or any(self.parameters.find(name) for name in ("fcoll", "fcoll_overlap_priority")) or self._keeps_out():
            return
        missing = [name for name in ASKED if not self.parameters.find(name)]
        added = [word for name in missing for word in ("--mca", name, ASKED[name])]
        again = run_probe(command + added, self.folder, self.openmpi.libraries(), self.environment)
        if again.served or again.result is None or "mca_fcoll_overlap" in again.messages:
            self.outcome, self.added = again, added

    def _keeps_out(self):
        """Whether a parameter leaves out OMPIO or overlap."""
        return [finding for finding in components.selection(self.parameters, self.outcome) if "riority" not in finding.what]

    def _look_at_slots(self):
        if not (self.job and self.outcome and self.outcome.result is None and "There are not enough slots available" in self.outcome.text):
            return
        more = list(self.job.words)
        more.insert(len(self.job.before) + 1, "--oversubscribe")
        self.findings.append(Finding("The job asks for more ranks than there are slots: one for each core, unless a batch system or a host file says otherwise",
                                     "mpirun starts no rank. Ask the batch system for more tasks, or share cores:", shlex.join(more), stops=True))

    def _look_at_component(self):
        self.component, missing = components.find(self.openmpi, self.parameters, self.outcome)
        if self.outcome and self.outcome.served:
            self.component = components.Component(self.outcome.result["component"] or self.component.path)
            self.findings += [finding for finding in missing if not finding.stops]
            return
        why = components.selection(self.parameters, self.outcome)
        loads = components.loading(self.component, self.openmpi, self.parameters, self.outcome) if self.component else []
        if missing or loads:
            # A component that is not there has no priority either.
            why = [finding for finding in why if "riority" not in finding.what]
        self.findings += why + missing + loads

    def _look_at_program(self):
        self.findings += hints.pnetcdf(self.program, self.environment) + hints.behind_program(self.job.program if self.job else [])
        libraries = output_of(["ldd", self.program]) if self.program else ""
        other = re.search(r"(libmpich\S*|libmpi\.so\.12|libmpi_cray\S*|libmpi_gnu\S*) =>.*", libraries)
        if other:
            self.findings.append(Finding("%s is linked with another MPI: %s" % (self.program, other.group(0)), "Open MPI's mpirun starts it as many programs of one rank.",
                                         "# build it with %s" % os.path.join(os.path.dirname(self.openmpi.mpirun), "mpicc"), stops=True))
        elif re.search(r"libmpi\.so\.\d+ => not found", libraries):
            self.findings.append(Finding("%s does not find its libmpi" % self.program, "It cannot start.", "export LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH" % self.openmpi.folders.get("libdir", "PREFIX/lib")))
        else:
            self._look_at_library(re.search(r"libmpi\.so\.\d+ => (/\S+)", libraries))

    def _look_at_library(self, linked):
        """`linked`: the libmpi that the program loads; where there is no program, the first of LD_LIBRARY_PATH counts."""
        own = {os.path.realpath(path) for path in self.openmpi.libraries() if os.path.exists(path)}
        searched = [] if self.program else filter(None, self.environment.get("LD_LIBRARY_PATH", "").split(":"))
        path = linked.group(1) if linked else next(filter(os.path.exists, (os.path.join(folder, "libmpi.so.40") for folder in searched)), None)
        if own and path and os.path.realpath(path) not in own:
            self.findings.append(Finding("%s %s, which is not the libmpi of %s" % (self.program + " loads" if linked else "LD_LIBRARY_PATH has", path, self.openmpi.mpirun),
                                         "The program runs with another Open MPI: with its components, or as many programs of one rank.",
                                         "export LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH     # or build it with %s" % (
                                             self.openmpi.folders["libdir"], os.path.join(os.path.dirname(self.openmpi.mpirun), "mpicc")), stops=True))

    def _verdict(self):
        errors = self.parameters.find("mca_base_component_show_load_errors")
        if errors and errors.value.lower() in ("0", "false", "none") and not any("show_load_errors" in finding.what for finding in self.findings):
            self.notes.append("%s: a component that cannot be loaded is left out without a message." % errors.place)
        blocked = any(finding.stops for finding in self.findings)
        outcome = self.outcome
        if outcome and outcome.served:
            return NOT_SERVED if blocked else SERVED
        if outcome and outcome.result and outcome.result.get("overlap"):
            self.findings.append(Finding("What overlap wrote was not read back: %s" % outcome.result.get("error", "other bytes"), "Do not trust this file system with data.", "# report it to the project"))
            return NOT_SERVED
        if outcome and outcome.component() and not blocked:
            self.findings.append(Finding("%s served, and no cause was found" % outcome.component(), "overlap did not serve.", "mpirun --mca io ompio --mca fcoll overlap"))
            return NOT_SERVED
        said = re.search(r"Framework:\s+(\w+)\s+Component:\s+(\S+)", outcome.text) if outcome else None
        # An mpirun of 4.1 may have lost what Open MPI said.
        lacking = said.groups() if said else self.openmpi.lacking(self.parameters) if outcome and not outcome.component() else None
        if lacking and not blocked:
            setting = self.parameters.find(lacking[0])
            self.findings.append(Finding("Open MPI has no component %s of %s%s" % (lacking[1], lacking[0], ", which is asked for (%s)" % setting.place if setting else ""),
                                         "No file can be opened.", setting.undo if setting else last_lines(outcome.text)))
            return NOT_SERVED
        if outcome and not outcome.component() and not blocked:
            self.findings.append(Finding("The job of the test ended with exit code %d%s" % (outcome.code, ": " + outcome.result["error"] if outcome.result else ""),
                                         "Whether overlap serves is not known.", last_lines(outcome.text)))
            return UNKNOWN
        return NOT_SERVED


def last_lines(text):
    lines = [line for line in text.splitlines() if line.strip() and "mca: base: " not in line]
    return "# " + "\n# ".join(lines[-12:]) if lines else "# it said nothing"


def header(examination):
    if examination.openmpi:
        yield "Open MPI %s, %s" % (examination.openmpi.version or "?", examination.openmpi.mpirun)
    component = examination.component
    if component:
        yield "Component %s%s" % (component.path, ", for Open MPI " + component.release if component.release else "")
    yield "Folder %s" % folders.describe(examination.folder)
    if examination.outcome:
        result = examination.outcome.result
        where = ", %d ranks on %d node%s" % (result["ranks"], len(result["hosts"]), "" if len(result["hosts"]) == 1 else "s") if result else ""
        yield "Test     %s%s" % (" ".join(examination.command + examination.added), where)


def answer(examination, code):
    version = examination.openmpi.version if examination.openmpi else None
    who = "Open MPI %s: " % version if version else ""
    served = examination.outcome.component() if examination.outcome else None
    if code == SERVED:
        yield who + "the test's small write was served by overlap; every byte was right."
        if examination.added:
            options = " ".join(examination.added)
            yield "The test passed \"%s\":\nnothing else asks for it, so your job has to. In the job script:" % options
            yield "  mpirun %s ...     # or\n  export %s" % (options, " ".join("OMPI_MCA_%s=%s" % (name, ASKED[name]) for name in ASKED if name in examination.added))
        if examination.program:
            yield "The line of its report tells whether the program's own calls are collective:\n  mpirun --mca fcoll_overlap_report line ..."
    elif code == NOT_SERVED and served and served != "overlap":
        yield who + "the test's small write was served by %s, not by overlap." % served
    elif code == NOT_SERVED:
        yield who + "overlap does not serve."
    else:
        yield who + "could not tell whether overlap serves."


def parse(arguments):
    """(folder, file of hints, words of the job)."""
    own, words = arguments, []
    if "--" in arguments:
        own, words = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    folder, hint_file, i = None, None, 0
    while i < len(own):
        if own[i] == "--hints" and i + 1 < len(own):
            hint_file, i = own[i + 1], i + 1
        elif own[i].startswith("--hints="):
            hint_file = own[i][8:]
        elif own[i].startswith("-") or folder is not None:
            raise ValueError("\"%s\" is not understood" % own[i])
        else:
            folder = own[i]
        i += 1
    if hint_file and not os.access(hint_file, os.R_OK):
        raise ValueError("%s cannot be read" % hint_file)
    return folder or ".", hint_file, words


def main(arguments):
    try:
        folder, hint_file, words = parse(arguments)
    except ValueError as error:
        print("doctor: %s; overlap doctor --help tells more" % error, file=sys.stderr)
        return UNKNOWN
    examination = Examination(folder, words, hint_file)
    code = examination.run()
    print("\n".join(header(examination)))
    for number, finding in enumerate(examination.findings, 1):
        print("\n" + finding.text(number))
    for note in examination.notes:
        print("\nNote: " + note)
    print("\n" + "\n".join(answer(examination, code)))
    sys.stdout.flush()
    if words and (examination.job.program or not examination.job.launcher):
        try:
            print("The command ended with exit code %d." % subprocess.call(words))
        except OSError as error:
            print("The command cannot start: %s" % error)
    return code
