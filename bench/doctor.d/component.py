# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The installed component: where Open MPI finds it, what it was built for, and why it cannot be loaded or is not asked."""
import glob
import os
import re

from finding import Finding
from openmpi import output_of, selects

NAME = "mca_fcoll_overlap.so"


# Symbols and texts of a shared library are in front of its debugging information, which is 40 MB.
ENOUGH = 8 << 20


class Component:
    """What the file says without being loaded. `names`: texts in it, parameters among them."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                data = file.read(ENOUGH)
            self.error = None if data.startswith(b"\x7fELF") else "it is no shared library"
        except OSError as error:
            data, self.error = b"", error.strerror
        self.is_overlap = b"mca_fcoll_overlap_component" in data
        self.names = {text.decode() for text in re.findall(rb"\0([a-z][a-z_]{2,30})(?=\0)", data)}
        release = re.search(rb"\0([4-9]\.\d+\.\d+(?:a|b|rc)?\d*)\0", data)
        self.release = release.group(1).decode() if release and self.is_overlap else None


def series(release):
    return release.split(".")[:2]


def elsewhere(openmpi, home):
    """Components that are installed, on the component path or not; those of this release first."""
    here = os.path.dirname(os.path.realpath(__file__))
    folders = [os.path.join(home, ".openmpi", "components"), openmpi.folders.get("pkglibdir", ""), os.path.join(here, "../../../../lib/openmpi")]
    folders += sorted(glob.glob(os.path.join(home, ".openmpi", "overlap-*")))
    folders += [os.path.join(os.environ[name], "lib/openmpi") for name in ("EBROOTOPENMPIMINFCOLLMINOVERLAP", "OVERLAP_HOME") if name in os.environ]
    found = [Component(os.path.realpath(os.path.join(folder, NAME))) for folder in folders if os.path.exists(os.path.join(folder, NAME))]
    return sorted(found, key=lambda each: each.release is None or series(each.release) != series(openmpi.version or "0.0"))


def set_path(openmpi, folder):
    """The line that has Open MPI look there too (4.1 asks for its own folders by name, later ones have their components in the library)."""
    return "export OMPI_MCA_mca_base_component_path=%s%s" % (folder, ":SYSTEM_DEFAULT:USER_DEFAULT" if openmpi.major == 4 else "")


def without_it(parameters, outcome):
    """What follows where the component is not loaded: Open MPI opens no file with a component of fcoll that was asked for by name and is not there."""
    setting = parameters.find("fcoll")
    if setting and selects(setting.value, "overlap") and not setting.value.startswith("^") and not (outcome and outcome.component()):
        return "MPI_File_open fails with MPI_ERR_OTHER, because the job asks for overlap by name (%s)." % setting.place
    return "Another component serves collective calls; with --mca io ompio --mca fcoll overlap MPI_File_open fails with MPI_ERR_OTHER."


def find(openmpi, parameters, outcome):
    """(Component or None, findings about where it is). `outcome`: of the probe, None where there is none."""
    probed = outcome.result["environment"] if outcome and outcome.result else None
    default = openmpi.default_component_path(parameters.home)
    folders = parameters.component_path(default)
    setting = parameters.find("mca_base_component_path")
    place = setting.place if setting else "Open MPI"
    undo = setting.undo if setting else ""
    handed_on = (probed or {}).get("OMPI_MCA_mca_base_component_path")
    # mpirun hands on to the ranks what PMIx's own file of parameters says (Debian 13).
    if handed_on and setting is None:
        folders, place, undo = handed_on.split(":"), "mpirun, which hands on the path of PMIx's own components", "export PMIX_MCA_mca_base_param_files=/dev/null"
    findings = []
    for number, folder in enumerate(folders):
        path = os.path.join(folder, NAME)
        if os.path.lexists(path):
            if not os.path.isabs(folder):
                findings.append(Finding("The component path has the folder %s without where it is (from %s)" % (folder, place),
                                        "Only processes whose working folder is this one find the component.", set_path(openmpi, os.path.abspath(folder))))
            return Component(path), findings
        # A home without components is no mistake.
        if folder and not os.path.isdir(folder) and number + 1 < len(folders):
            findings.append(Finding("The component path has the folder %s, which cannot be opened (from %s)" % (folder, place),
                                    "Open MPI stops there: the folders behind it are not searched.", undo or "mkdir -p " + folder, stops=True))
            break
    known = elsewhere(openmpi, parameters.home)
    looked = ", ".join(folder for folder in folders if folder)
    if not known:
        return None, findings + [Finding("The component is not installed: there is no %s in %s" % (NAME, looked), without_it(parameters, outcome),
                                         "./configure && make && make install-user     # in the sources of overlap", stops=True)]
    line = undo if undo and os.path.dirname(known[0].path) in map(os.path.realpath, default) else set_path(openmpi, os.path.dirname(known[0].path))
    return None, findings + [Finding("The component is in %s, and %s looks in %s only: it is not in the component path" % (os.path.dirname(known[0].path), place, looked),
                                     "Open MPI does not find it. " + without_it(parameters, outcome), line, stops=True)]


def loading(component, openmpi, parameters, outcome):
    """Findings about a component that is there and is not loaded, by what Open MPI said in the probe, or by the file where none ran."""
    said = outcome.messages if outcome else ""
    rebuild = "./configure --with-openmpi-install=%s && make && make install-user" % openmpi.folders.get("prefix", "PREFIX")
    other = re.search(r"fcoll/overlap that was found is made for Open MPI (\S+), and this is ([^\s:]+?)(, configured in another way)?: it is", said)
    failed = re.search(r"unable to open mca_fcoll_overlap: (.*?) \(ignored\)", said)
    foreign = re.search(r"mca_fcoll_overlap\"? does not appear to be a valid|file data does not match filename: \S*mca_fcoll_overlap|mca_fcoll_overlap\S*\"? uses an MCA interface", said)
    no_file = component.error and not component.is_overlap
    wrong_series = component.release and openmpi.version and series(component.release) != series(openmpi.version)
    findings = []
    if no_file:
        what = "%s cannot be used: %s" % (component.path, component.error)
    elif other or (wrong_series and not (outcome and outcome.served)):
        made, runs = (other.group(1), other.group(2)) if other else (component.release, openmpi.version)
        what = "%s is made for Open MPI %s, and this is Open MPI %s%s" % (component.path, made, runs, (other and other.group(3)) or "")
    elif foreign or not component.is_overlap:
        what = "%s is another component under this name: it lacks the symbol mca_fcoll_overlap_component of overlap" % component.path
    elif failed:
        what = "%s cannot be loaded: %s" % (component.path, failed.group(1))
        if "cannot open shared object" in what:
            what = "%s needs a library that is missing: %s" % (component.path, failed.group(1).split(":")[0])
            rebuild = "export LD_LIBRARY_PATH=FOLDER_OF_%s:$LD_LIBRARY_PATH" % failed.group(1).split(":")[0]
    elif outcome is None and re.search(r"=> not found", output_of(["ldd", component.path])):
        missing = re.findall(r"(\S+) => not found", output_of(["ldd", component.path]))
        what, rebuild = "%s needs libraries that are missing: %s" % (component.path, ", ".join(missing)), "export LD_LIBRARY_PATH=FOLDER:$LD_LIBRARY_PATH"
    else:
        return findings
    fitting = [each for each in elsewhere(openmpi, parameters.home) if each.release and openmpi.version and series(each.release) == series(openmpi.version)]
    if fitting and os.path.realpath(component.path) != fitting[0].path:
        rebuild = set_path(openmpi, os.path.dirname(fitting[0].path))
    findings.append(Finding(what, "Open MPI leaves it out. " + without_it(parameters, outcome), rebuild, stops=True))
    errors = parameters.find("mca_base_component_show_load_errors")
    if errors and errors.value.lower() in ("0", "false", "f", "no", "n", "none", "disabled"):
        findings.append(Finding("mca_base_component_show_load_errors is %s (%s)" % (errors.value, errors.place),
                                "Load errors are hidden: Open MPI does not say that it could not load the component.", errors.undo))
    return findings


def instead_of(setting, parameters):
    """The line that asks for overlap where `setting` does not; the environment counts more than a file of the user or the site."""
    if setting.undo.startswith("take "):
        return "%s, and put in: --mca io ompio --mca fcoll overlap" % setting.undo
    edit = setting.undo + "\n" if "override" in setting.place else ""
    return edit + "export OMPI_MCA_io=ompio" + ("" if setting.name == "io" and selects(parameters.value("fcoll") or "^overlap", "overlap") else " OMPI_MCA_fcoll=overlap")


def selection(parameters, outcome):
    """Findings about parameters that leave OMPIO or the component out."""
    findings = []
    served = outcome.component() if outcome else None
    # What the test shows counts more than where a parameter was found: 4.1 does not take every file that names itself.
    refuted = {"io"} if served and "romio" not in served.lower() and served != "another component" else set()
    if outcome and "initialising fcoll component overlap" in outcome.messages:
        refuted.add("fcoll")
    for framework, component, instead in (("io", "ompio", "ROMIO, if there is one, serves the file, and no component of fcoll is asked."),
                                          ("fcoll", "overlap", "Another component of fcoll serves collective calls.")):
        setting = None if framework in refuted else parameters.find(framework)
        if setting and "^" in setting.value.lstrip("^"):
            findings.append(Finding("%s is \"%s\" (%s)" % (framework, setting.value, setting.place),
                                    "Only the first character of a list may be \"^\": Open MPI refuses it, and no file can be opened.", setting.undo, stops=True))
        elif setting and re.search(r"\s", setting.value) and not setting.value.startswith("^"):
            findings.append(Finding("%s is \"%s\" (%s), with a space" % (framework, setting.value, setting.place),
                                    "Open MPI takes it for a part of the name, has no such component, and no file can be opened.",
                                    "export OMPI_MCA_%s=%s" % (framework, "".join(setting.value.split())), stops=True))
        elif setting and not selects(setting.value, component):
            findings.append(Finding("%s is \"%s\" (%s)" % (framework, setting.value, setting.place), "It leaves out %s. %s" % (component, instead),
                                    instead_of(setting, parameters), stops=True))
    closed = parameters.find("mca_base_component_disable_dlopen")
    if closed and closed.value.lower() in ("1", "true", "t", "yes", "y", "enabled"):
        findings.append(Finding("mca_base_component_disable_dlopen is %s (%s)" % (closed.value, closed.place), "Open MPI loads no component from a file.", closed.undo, stops=True))
    if served in (None, "overlap") or any(finding.stops for finding in findings):
        return findings
    priorities = dict(re.findall(r"initialising fcoll component (\w+)\n.*query returned priority (\d+)", outcome.messages))
    own = parameters.find("fcoll_overlap_priority")
    if "overlap" in priorities or (own and own.value == "0"):
        asked = "" if own or parameters.find("fcoll") else "Nothing asks for overlap. "
        where = " (%s)" % own.place if own else ""
        findings.append(Finding("%sThe priority of overlap is %s%s, that of %s is %s" % (asked, priorities.get("overlap", "0"), where, served, priorities.get(served, "higher")),
                                "Open MPI takes the component with the highest priority, %s." % served,
                                (own.undo + "\n" if own else "") + "export OMPI_MCA_io=ompio OMPI_MCA_fcoll=overlap", stops=True))
    romio = next((setting for setting in parameters.settings if re.match(r"io_\w+_priority$", setting.name)), None)
    if "romio" in served.lower():
        why = "%s is %s (%s)" % (romio.name, romio.value, romio.place) if romio else "Nothing sets io, and Open MPI prefers %s on this file system" % served
        findings.append(Finding(why, "%s serves the file, and no component of fcoll is asked." % served, (romio.undo + "\n" if romio else "") + "export OMPI_MCA_io=ompio",
                                stops=True))
    return findings
