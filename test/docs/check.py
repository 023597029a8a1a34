#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What README.md and docs/ name exists, and their figures are those of docs/results/data.

    check.py                     the names of the checks, one a line
    check.py NAME                one of them; prints what is wrong and ends with 1
    check.py links HTML_FOLDER   links between the built pages
    check.py runnable [PAGE]     the pages with code blocks marked as runnable; those of PAGE as a script
"""
import html.parser
import pathlib
import re
import subprocess
import sys
import urllib.parse

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

import gain  # noqa: E402
import parameters  # noqa: E402

sys.path.append(str(ROOT / "bench/results"))
import parts as results_parts  # noqa: E402

PAGES = sorted(DOCS.rglob("*.rst"))
TEXTS = [ROOT / "README.md", *PAGES]


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def check_lines():
    for path in [*TEXTS, DOCS / "parameters.ini", DOCS / "gain.txt"]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if len(line) > 100:
                yield f"{name_of(path)}:{number}: {len(line)} characters, at most 100"


def check_readme():
    count = len((ROOT / "README.md").read_text().splitlines())
    if count > 150:
        yield f"README.md: {count} lines, at most 150"


def check_parameters():
    names = [parameter.name for parameter in parameters.parameters()]
    if len(names) < 20:
        yield f"fcoll_overlap_params.c: only {len(names)} parameters were found"
    shown = "\n".join(parameters.reference())
    remarks = parameters.remarks()
    for name in names:
        if f"``fcoll_overlap_{name}``" not in shown:
            yield f"docs/reference/parameters.rst: no {name}"
        if not (remarks.has_section(name) and remarks[name].get("when")):
            yield f"docs/parameters.ini: when to set {name} is not said"
    for section in remarks.sections():
        if not section.startswith("= ") and section not in names:
            yield f"docs/parameters.ini: there is no parameter {section}"


def check_names():
    """fcoll_overlap_X in a page is a parameter."""
    known = {parameter.name for parameter in parameters.parameters()} | {"NAME"}
    prefixes = ("write_", "read_", "params", "compat")
    for path in TEXTS:
        for name in re.findall(r"\bfcoll_overlap_(\w+)", path.read_text()):
            if name not in known and not name.startswith(prefixes):
                yield f"{name_of(path)}: there is no parameter fcoll_overlap_{name}"


def paths_in(text):
    return re.findall(r"(?<![\w/.$~-])((?:bench|config|docs|examples|ompi|packaging|test)/[\w./+-]*[\w+])", text)


def check_files():
    """Paths from the top of the repository, and those in the component's folder, exist."""
    component = ROOT / "ompi/mca/fcoll/overlap"
    made = {"sweep/report.html"}
    for path in TEXTS:
        text = path.read_text()
        inner = re.findall(r"``((?:engine|glue)/[\w./]+)``", text)
        for name in [*paths_in(text), *inner]:
            if name not in made and not (ROOT / name).exists() and not (component / name).exists():
                yield f"{name_of(path)}: there is no {name}"
    readme = (ROOT / "README.md").read_text()
    for name in re.findall(r"\]\(([^)#]+)", readme):
        if not (ROOT / name).exists():
            yield f"README.md: a link to {name}, which is not there"


def check_targets():
    """`make TARGET` is one of Makefile.am, or of automake."""
    text = (ROOT / "Makefile.am").read_text()
    known = set(re.findall(r"^([\w-]+):", text, re.MULTILINE)) | {"check", "install", "uninstall", "dist", "distcheck"}
    for path in TEXTS:
        for target in re.findall(r"(?:``|`|^ {3,4}|&& )make ([a-z][a-z-]*)", path.read_text(), re.MULTILINE):
            if target not in known:
                yield f"{name_of(path)}: there is no make {target}"


def sources_of(tool):
    """What may name an option of a tool: its script, its folder, and what those use."""
    files = [ROOT / tool, *(ROOT / "bench" / "common").rglob("*")]
    for folder in (f"{tool}.d", tool.replace("overlap-", "") + ".d", tool.replace("overlap-", "")):
        files += (ROOT / folder).rglob("*") if (ROOT / folder).is_dir() else []
    files += (ROOT / "bench/placement.d/tool").rglob("*") if tool.endswith("placement") else []
    files += (ROOT / "bench/kernels").rglob("*") if tool == "bench/compare" else []
    return "\n".join(file.read_text(errors="replace") for file in set(files) if file.is_file())


def commands_in(path):
    """Command lines of code blocks, continued ones as one."""
    text = re.sub(r"\\\n\s*", "", path.read_text())
    return re.findall(r"^(?: {3,4})((?:bench|config|test)/\S+.*)$", text, re.MULTILINE)


def check_options():
    """Options with which a page calls a tool occur in its sources."""
    for path in TEXTS:
        for command in commands_in(path):
            tool, _, rest = re.sub(r"\s#.*", "", command).partition(" ")
            if tool == "bench/overlap":
                name, _, rest = rest.partition(" ")
                tool = f"bench/{name}"
            for option in re.findall(r"(?:^|\s)(--[a-z][\w-]*)", rest.split(" -- ")[0].split("&&")[0]):
                sources = sources_of(tool)
                # Some tools have their options in a table, without dashes.
                if option not in ("--help", "--version") and option not in sources and f'"{option[2:]}"' not in sources:
                    yield f"{name_of(path)}: {tool} has no {option}"


def check_promises():
    """Tests that the contract names are there."""
    units = "\n".join(path.read_text() for path in (ROOT / "test/unit").glob("*.cc"))
    text = (DOCS / "what-you-can-rely-on.rst").read_text()
    for suite, test in re.findall(r"``([A-Z]\w+)\.([A-Z]\w+)``", text):
        if not re.search(rf"TEST(?:_P|_F)?\(\w*{suite}\w*,\s*{test}\b", units):
            yield f"docs/what-you-can-rely-on.rst: there is no test {suite}.{test}"


def check_gains():
    """The chart and the table of README are those of docs/results/data."""
    for name in gain.differing():
        yield f"{name}: docs/gain.py makes another one"


def check_results():
    """The pages of docs/results are those of their data."""
    done = subprocess.run([ROOT / "bench/results/run", "--check"], stdout=subprocess.PIPE, text=True)
    yield from done.stdout.splitlines()


def check_claims():
    """What a comment cites of docs/results is a section there: docs/results, "TITLE"."""
    titles = {run.title for part in results_parts.PARTS for run in part.runs}
    for folder in ("ompi", "bench", "test/unit"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cc", ".h", ".c", ".md"):
                text = re.sub(r"\n\s*//+\s*", " ", path.read_text())
                for title in re.findall(r'docs/results, "([^"]+)"', text):
                    if title not in titles:
                        yield f'{name_of(path)}: docs/results has no "{title}"'


def check_tools():
    """Each command of overlap has a man page, and nothing else has one."""
    text = (ROOT / "bench/overlap").read_text()
    tools = {f"overlap-{name}" for name in re.search(r'^commands="([^"]*)"', text, re.MULTILINE).group(1).split()}
    pages = {page.stem for page in (DOCS / "reference/man").glob("overlap*.rst")}
    for page in sorted(pages - tools - {"overlap", "overlap_declare"}):
        yield f"docs/reference/man: {page} is no command"
    for tool in sorted(tools | {"overlap", "overlap_declare"}):
        if not (DOCS / f"reference/man/{tool}.rst").exists():
            yield f"docs/reference/man: no page {tool}"


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[key] for key in ("id", "name") if values.get(key))
        self.links += [values[key] for key in ("href", "src") if values.get(key)]


def links(folder):
    top = pathlib.Path(folder)
    pages = {path: Links(path.read_text()) for path in top.rglob("*.html")}
    if len(pages) < 20:
        yield f"{folder}: only {len(pages)} pages"
    for path, page in pages.items():
        for link in page.links:
            target = urllib.parse.urlsplit(link)
            if target.scheme or target.netloc or link == "#":
                continue
            file = (path.parent / urllib.parse.unquote(target.path)).resolve() if target.path else path
            if not file.exists():
                yield f"{path.relative_to(top)}: {link} is not there"
            elif target.fragment and file in pages and target.fragment not in pages[file].anchors:
                yield f"{path.relative_to(top)}: {link} has no such place"


def blocks(path):
    """The code blocks behind ".. runnable"."""
    text = path.read_text()
    for body in re.findall(r"^\.\. runnable\n\n\.\. code-block:: sh\n\n((?: {3}.*\n|\n)+)", text, re.MULTILINE):
        yield re.sub(r"^ {3}", "", body, flags=re.MULTILINE).strip()


def runnable(page=None):
    if page is not None:
        print("set -eu\n" + "\n".join(blocks(DOCS / page)))
        return
    for path in PAGES:
        if path.read_text().count("\n.. runnable\n") != len(list(blocks(path))):
            sys.exit(f"{name_of(path)}: something else than a code block is marked as runnable")
        if list(blocks(path)):
            print(path.relative_to(DOCS).as_posix())


def main(arguments):
    checks = {name[len("check_") :]: function for name, function in globals().items() if name.startswith("check_")}
    if not arguments:
        print("\n".join(checks))
        return 0
    if arguments[0] == "runnable":
        runnable(*arguments[1:])
        return 0
    wrong = list(links(*arguments[1:]) if arguments[0] == "links" else checks[arguments[0]]())
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
