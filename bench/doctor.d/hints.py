# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Names and values that do nothing, or not what they say: MCA parameters, hints in files and variables, PnetCDF's own engine."""
import difflib
import os
import re

from finding import Finding
from openmpi import output_of

SIZES = {"cb_buffer_size", "striping_unit", "striping_factor", "cb_nodes"}
STANDARD = SIZES | {"cb_config_list", "collective_buffering", "romio_cb_read", "romio_cb_write", "romio_ds_write"}
# ROMIO's (ad_hints.c, ad_lustre_hints.c and others in romio/adio) that no component of OMPIO hears.
ROMIO_ONLY = re.compile(r"(romio_\w+|ind_(rd|wr)_buffer_size|start_iodevice|direct_(read|write)|lb_\w+|ibm_\w+|bg_nodes_pset|nfs_\w+|panfs_\w+|cb_block_size)$")
NO_HINT = {"topology", "rules", "report_file", "trace", "priority"}
# What carries a hint to all files of a job.
AS_PARAMETERS = {"cb_nodes": "io_ompio_num_aggregators", "cb_buffer_size": "io_ompio_bytes_per_agg"}
TRANSFERS = {"enable": "collective", "disable": "independent"}
HOLES = {"enable": "sieve", "disable": "list"}


def closest(name, names):
    return next(iter(difflib.get_close_matches(name, names, 1, 0.75)), None)


def as_parameter(key, value):
    """A hint as an MCA parameter of this component or of OMPIO; None where it does nothing."""
    name = key[14:] if key.startswith("fcoll_overlap_") else None
    if key in AS_PARAMETERS:
        return "OMPI_MCA_%s=%s" % (AS_PARAMETERS[key], value)
    if key in ("romio_cb_read", "romio_cb_write") and value in TRANSFERS:
        return "OMPI_MCA_fcoll_overlap_%s=%s" % (key[9:] + "s", TRANSFERS[value])
    if key == "romio_ds_write" and value in HOLES:
        return "OMPI_MCA_fcoll_overlap_holes=" + HOLES[value]
    return "OMPI_MCA_fcoll_overlap_%s=%s" % (name, value) if name else None


def look_at_hint(key, value, place, names):
    """The finding about one hint, or None. `names`: the component's parameters, without its name."""
    if key in SIZES and not re.match(r"\d+$", value):
        number = re.match(r"(\d+)\s*([kmg]?)", value.lower())
        bytes_ = int(number.group(1)) << {"": 0, "k": 10, "m": 20, "g": 30}[number.group(2)] if number else None
        taken = "%s of it counts: %s" % (number.group(1), number.group(1) + (" bytes" if key.endswith(("size", "unit")) else "")) if number else "it is no number"
        return Finding("The hint %s is \"%s\" (%s)" % (key, value, place), "This hint is a number without a suffix; %s." % taken, "%s=%s" % (key, bytes_ or "NUMBER"))
    if key.startswith("fcoll_overlap_"):
        name = key[14:]
        if name in NO_HINT:
            return Finding("The hint %s (%s) is an MCA parameter only" % (key, place), "As a hint it is ignored.", "export OMPI_MCA_%s=%s" % (key, value))
        if names and name not in names:
            other = closest(name, names)
            return Finding("The hint %s (%s) is misspelt: there is no such parameter%s" % (key, place, ", did you mean fcoll_overlap_%s?" % other if other else ""),
                           "It is ignored without a message.", "fcoll_overlap_%s=%s" % (other or "NAME", value))
        return None
    if key in STANDARD or key.startswith("nc_"):
        return None
    if key in names:
        return Finding("The hint %s (%s) lacks the component's name" % (key, place), "It is ignored without a message.", "fcoll_overlap_%s=%s" % (key, value))
    other = closest(key, STANDARD | {"fcoll_overlap_" + name for name in names})
    if ROMIO_ONLY.match(key) and not (other and not key.startswith("romio_")):
        return Finding("The hint %s (%s) is ROMIO's" % (key, place), "It does nothing here.", "# take %s out; docs/guide/romio.rst has what takes its place" % key)
    if other:
        return Finding("The hint %s (%s) is misspelt: did you mean %s?" % (key, place, other), "It is ignored without a message.", "%s=%s" % (other, value))
    return None


def pairs_of_file(path):
    """[(key, value, line number)] of a file of hints: "key value" a line as ROMIO has it, or key=value."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    found = [re.match(r"\s*([\w.]+)\s*[\s=:]\s*(\S+)", line) for line in lines]
    return [(match.group(1), match.group(2), number) for number, match in enumerate(found, 1) if match]


def hints(environment, given, names):
    """Findings about ROMIO_HINTS, PNETCDF_HINTS and the file that the user gave."""
    findings = []
    romio = environment.get("ROMIO_HINTS")
    if romio:
        pairs = pairs_of_file(romio)
        lines = [line for line in (as_parameter(key, value) for key, value, _ in pairs) if line]
        findings.append(Finding("ROMIO_HINTS names the file %s%s" % (romio, ": " + ", ".join(key for key, _, _ in pairs) if pairs else ""),
                                "Only ROMIO reads it: these hints do nothing here.", "unset ROMIO_HINTS" + "".join("\nexport " + line for line in lines)))
    seen = [(key, value, "%s, line %d" % (given, number)) for key, value, number in (pairs_of_file(given) if given else [])]
    seen += [(key, value, "%s, line %d" % (romio, number)) for key, value, number in (pairs_of_file(romio) if romio else [])]
    for pair in environment.get("PNETCDF_HINTS", "").split(";"):
        key, _, value = pair.partition("=")
        if value:
            seen.append((key.strip(), value.strip(), "PNETCDF_HINTS in the environment"))
    return findings + [finding for finding in (look_at_hint(*hint, names) for hint in seen) if finding]


def misspelt(parameters, openmpi, component):
    """Findings about parameters that nobody has, and of those that stand under a prefix that nobody asks for."""
    known = set(openmpi.parameters())
    own = {name for name in known if name.startswith("fcoll_overlap_")}
    findings = []
    for setting in parameters.settings:
        name = setting.name
        # Parameters of mpirun and of PRRTE are not in the list of ompi_info: only what is close to a name of file access is looked at.
        if name in known or name in ("mca_component_path", "mca_param_files") or re.match(r"(ompi|opal)_", name):
            continue
        if name.startswith("OMPI_MCA_"):
            findings.append(Finding("\"%s\" (%s) has the prefix of the environment" % (name, setting.place), "In a file Open MPI knows no such name: it does nothing.",
                                    "export %s=%s" % (name, setting.value)))
        elif name.startswith("fcoll_overlap_") and not own and (component is None or name[14:] in component.names):
            continue
        elif name.startswith("fcoll_overlap_"):
            other = closest(name, own or {"fcoll_overlap_" + each for each in component.names})
            findings.append(_unknown(name, setting, other))
        else:
            other = closest(name.lower(), known | own)
            if other and re.match(r"(io$|io_|fcoll|fbtl|fs$|fs_|sharedfp|mca_base_component)", other) and not re.match(r"(prte|orte|pmix|plm|rmaps|ras|iof|oob|if_)", name):
                findings.append(_unknown(name, setting, other))
    for variable, value in sorted(parameters.environment.items()):
        prefix = re.match(r"(?:(PRTE|PMIX|ORTE|OPAL)_MCA_|OMPI_MCA|OMPI_|MCA_|ompi_mca_)_?((?:fcoll|io|fbtl|fs|sharedfp)(?:_\w+)?)$", variable)
        if prefix and not variable.startswith("OMPI_MCA_"):
            findings.append(Finding("%s=%s in the environment" % (variable, value), "MPI-IO's parameters have the prefix OMPI_MCA_: this one does nothing.",
                                    "unset %s\nexport OMPI_MCA_%s=%s" % (variable, prefix.group(2), value)))
    for option in ("prtemca", "pmixmca"):
        for place, word in enumerate(parameters.words[:-2]):
            if word.lstrip("-") == option and re.match(r"(fcoll|io)($|_)", parameters.words[place + 1]):
                findings.append(Finding("%s %s %s of mpirun" % tuple(parameters.words[place:place + 3]), "MPI-IO's parameters are Open MPI's: this one does nothing.",
                                        "--mca %s %s" % tuple(parameters.words[place + 1:place + 3])))
    return findings


def behind_program(words):
    """Findings about parameters that the program gets as arguments, in the place of mpirun."""
    places = [place for place, word in enumerate(words[:-2]) if place and re.match(r"--?mca$", word) and re.match(r"(fcoll|io)($|_)", words[place + 1])]
    return [Finding("%s stands behind the program, %s" % (" ".join(words[place:place + 3]), words[0]), "It is an argument of the program: mpirun does not know of it.",
                    "mpirun %s ... %s" % (" ".join(words[place:place + 3]), words[0])) for place in places]


def _unknown(name, setting, other):
    return Finding("The parameter %s (%s) is misspelt: there is none of this name%s" % (name, setting.place, ", did you mean %s?" % other if other else ""),
                   "Open MPI ignores it without a message.", setting.undo + ("\nexport OMPI_MCA_%s=%s" % (other, setting.value) if other else ""))


def refused(outcome):
    """Findings about values that the component did not take, as it said in the probe."""
    said = set(re.findall(r"Name:\s+(fcoll_overlap_\w+)\s+Value:\s+\"([^\"\n]*)\"\s+Valid values:\s+([^\n]*)", outcome.messages if outcome else ""))
    return [Finding("%s is \"%s\"" % (name, value), "The component does not know this value; the default serves. Valid values: %s." % valid,
                    "unset OMPI_MCA_%s" % name) for name, value, valid in sorted(said)]


def pnetcdf(program, environment):
    """The finding about a PnetCDF from 1.15 on, whose own engine, GIO, is used unless a hint says otherwise (src/drivers/ncmpio of PnetCDF)."""
    if re.search(r"nc_driver\s*=\s*mpiio|nc_pncio\s*=\s*disable", environment.get("PNETCDF_HINTS", "")):
        return []
    files = []
    if program:
        files = [program] + re.findall(r"lib(?:pnetcdf|gio)\S* => (/\S+)", output_of(["ldd", program]))
    version, where = None, None
    for path in files:
        try:
            with open(path, "rb") as file:
                data = file.read()
        except OSError:
            continue
        found = re.search(rb"PnetCDF library version (\d+\.\d+(?:\.\d+)?)", data)
        if found:
            version, where = found.group(1).decode(), path
        elif os.path.basename(path).startswith("libgio"):
            version, where = version or "1.15", where or path
    if not program:
        found = re.search(r"(\d+\.\d+(?:\.\d+)?)", output_of(["pnetcdf-config", "--version"], 10))
        version, where = (found.group(1), "pnetcdf-config of PATH") if found else (None, None)
    if version is None or [int(part) for part in version.split(".")[:2]] < [1, 15]:
        return []
    return [Finding("PnetCDF %s (%s) has an engine of its own, GIO" % (version, where), "Its calls never come to MPI-IO, so no component of fcoll serves them.",
                    'export PNETCDF_HINTS="nc_driver=mpiio;nc_pncio=disable"', stops=bool(program))]
