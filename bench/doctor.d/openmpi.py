# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""An Open MPI: its commands, folders and releases, and the parameters that a job has, each with the place that sets it."""
import glob
import os
import re
import shutil
import subprocess

# What the command line sets, and how many words behind the option it takes.
PARAMETER_OPTIONS = ("mca", "omca", "gmca", "gomca")
FILE_OPTIONS = ("tune", "am", "amca")
OLD_NAMES = {"mca_base_component_path": "mca_component_path", "mca_base_param_files": "mca_param_files",
             "mca_base_component_show_load_errors": "mca_component_show_load_errors",
             "mca_base_component_disable_dlopen": "mca_component_disable_dlopen"}


def output_of(command, seconds=60):
    """Standard output and error together; the empty text where it cannot run."""
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
                              check=False).stdout.decode(errors="replace").replace("\0", "")
    except (OSError, subprocess.TimeoutExpired):
        return ""


class OpenMpi:
    """`mpirun` is a path; the other commands are beside it, as Debian has them with the same ending."""

    def __init__(self, mpirun):
        self.mpirun = mpirun
        folder, name = os.path.split(mpirun)
        ending = re.sub(r"^[^.]*", "", name)
        candidates = [os.path.join(folder, "ompi_info" + ending), os.path.join(folder, "ompi_info")]
        self.info = next((path for path in candidates if os.access(path, os.X_OK)), None)
        said = output_of([self.info, "--version"]) if self.info else ""
        self.words = said or output_of([mpirun, "--version"])
        found = re.search(r"(?:Open MPI|OpenRTE)\)? v?((\d+)\.\d+\.\d+\S*)", self.words)
        self.version, self.major = (found.group(1), int(found.group(2))) if found else (None, None)
        if found and self.info is None:
            # A script of the site's may call the mpirun of an Open MPI whose other commands are in PATH.
            other = next(filter(None, map(shutil.which, ("ompi_info" + ending, "ompi_info", "ompi_info.openmpi"))), None)
            self.info = other if other and self.version in output_of([other, "--version"]) else None
        # A folder that is in the list twice is the same both times.
        self.folders = dict(re.findall(r"^path:(\w+):(.*)$", output_of([self.info, "--parsable", "--path", "all"]), re.M)) if found and self.info else {}
        self._listed = None

    def libraries(self):
        """What a program loads as libmpi; one without a folder where the linker finds it by itself."""
        folder = self.folders.get("libdir", "")
        return [path for name in ("libmpi.so.40", "libmpi.so", "libmpi.so.*") for path in glob.glob(os.path.join(folder, name))] + ["libmpi.so.40", "libmpi.so"]

    def parameters(self):
        """{name: help} of all that its components have, overlap's where it can be loaded."""
        if self._listed is None:
            text = output_of([self.info, "--parsable", "--all", "--level", "9"]) if self.info else ""
            self._listed = dict(re.findall(r"^mca:[^:\n]*:[^:\n]*:param:(\w+):help:(.*)$", text, re.M))
            self._listed.update({name: "" for name in re.findall(r":param:(\w+):value:", text) if name not in self._listed})
        return self._listed

    def lacking(self, parameters):
        """(framework, component) that a parameter asks for and ompi_info does not list, None where there is none."""
        listed = re.findall(r"^mca:(\w+):([\w-]+):version:", output_of([self.info, "--parsable"]) if self.info else "", re.M)
        for framework in sorted({framework for framework, _ in listed}):
            asked = parameters.value(framework) or "^"
            for name in [] if asked.startswith("^") else asked.split(","):
                if (framework, name.strip()) not in listed and name.strip() != "overlap":
                    return framework, name.strip()
        return None

    def default_component_path(self, home):
        return [self.folders.get("pkglibdir", ""), os.path.join(home, ".openmpi", "components")]


def read_file(path):
    """[(name, value, line number)] of a parameter file: NAME = VALUE, as well as --mca NAME VALUE and -x NAME=VALUE (keyval_lex.l)."""
    found = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return found
    for number, line in enumerate(lines, 1):
        line = re.sub(r"^\s*#.*", "", line).strip()  # behind a value it is a part of that
        options = re.findall(r"(?:^|\s)--?(?:g?o?mca)\s+(\S+)\s+(\"[^\"]*\"|'[^']*'|\S+)", line)
        exported = re.findall(r"(?:^|\s)-x\s+OMPI_MCA_(\w+)\s*=\s*(\S+)", line)
        setting = re.match(r"([\w.-]+)\s*=\s*(.*)$", line)
        if setting and not line.startswith("-"):
            options.append(setting.groups())
        found += [(name, value.strip().strip("\"'"), number) for name, value in options + exported]
    return found


class Setting:
    """`undo`: the line of a job script that takes it back."""

    def __init__(self, name, value, place, undo):
        self.name, self.value, self.place, self.undo = name, value, place, undo


class Parameters:
    """
    What sets the parameters of a job: the file of overrides, the command line, files that it names, the environment, then the files of the
    user and of the site; the first counts (mca_base_var.c, var_set_initial). `words`: the launcher's, without the program.
    """

    def __init__(self, openmpi, environment, words):
        self.openmpi, self.environment, self.words = openmpi, environment, words
        self.home = environment.get("HOME") or os.path.expanduser("~")
        self.settings = []
        site = openmpi.folders.get("sysconfdir", "/etc")
        self.given, named = self._of_command_line()
        self._add_file(os.path.join(site, "openmpi-mca-params-override.conf"))
        self.settings += self.given
        for path in named:
            self._add_file(self._found(path))
        for name, value in sorted(environment.items()):
            if name.startswith("OMPI_MCA_"):
                self.settings.append(Setting(name[9:], value, name + " in the environment", "unset " + name))
        for name in ("mca_base_param_file_prefix", "mca_base_envar_file_prefix"):
            for path in filter(None, re.split("[,:]", self.value(name) or "")):
                self._add_file(self._found(path))
        default = os.path.join(self.home, ".openmpi", "mca-params.conf") + "," + os.path.join(site, "openmpi-mca-params.conf")
        files = self.value("mca_base_param_files") or default
        for path in filter(None, [] if files == "none" else re.split("[,:]", files)):
            self._add_file(os.path.expanduser(path))

    def _of_command_line(self):
        settings, files = [], []
        for place, word in enumerate(self.words):
            option = re.match(r"--?([\w-]+)(?:=(.*))?$", word)
            rest = self.words[place + 1:place + 3]
            if not option:
                continue
            name, value = option.groups()
            if name in PARAMETER_OPTIONS and len(rest) == 2:
                settings.append(Setting(rest[0], rest[1].strip("\"'"), "%s %s %s of mpirun" % (word, rest[0], rest[1]),
                                        "take %s %s %s out of the mpirun line" % (word, rest[0], rest[1])))
            elif name == "x" and rest and rest[0].startswith("OMPI_MCA_") and "=" in rest[0]:
                key, _, text = rest[0][9:].partition("=")
                settings.append(Setting(key, text, "-x %s of mpirun" % rest[0], "take -x %s out of the mpirun line" % rest[0]))
            elif name in FILE_OPTIONS and (value or rest):
                files += filter(None, re.split("[,:]", value or rest[0]))
        return settings, files

    def _found(self, path):
        """Beside the sets that Open MPI installs, then in the working folder."""
        folders = (self.value("mca_base_param_file_path") or os.path.join(self.openmpi.folders.get("pkgdatadir", ""), "amca-param-sets")).split(":")
        tried = [path] if os.path.isabs(path) else [os.path.join(folder, path) for folder in [*folders, os.getcwd()]]
        return next((each for each in tried if os.path.exists(each)), path)

    def _add_file(self, path):
        for name, value, number in reversed(read_file(path)):
            self.settings.append(Setting(name, value, "%s, line %d" % (path, number), "sed -i '%ds/^/# /' %s" % (number, path)))

    def find(self, name):
        """What counts, None where nothing sets it."""
        names = {name, "ompi_" + name, "opal_" + name, OLD_NAMES.get(name)}
        return next((setting for setting in self.settings if setting.name in names), None)

    def value(self, name):
        setting = self.find(name)
        return setting.value if setting else None

    def component_path(self, default):
        """The folders in which Open MPI looks, in order. It stops at the first that it cannot open (mca_base_component_repository_add)."""
        path = self.value("mca_base_component_path")
        if not path:
            return default
        known = {"SYSTEM_DEFAULT": default[0], "SYS_DEFAULT": default[0], "USER_DEFAULT": default[1], "USR_DEFAULT": default[1]}
        return [known.get(folder, os.path.expanduser(folder)) for folder in path.split(":") if folder]


def selects(value, component):
    """Whether the value of a framework's parameter, as "ompio", "a,b" or "^a,b", leaves a component in."""
    if not value:
        return True
    listed = component in [name.strip() for name in value.lstrip("^").split(",")]
    return listed != value.startswith("^")
