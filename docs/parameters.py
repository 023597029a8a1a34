#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Describes the parameters of the component from the one table in its source.

    docs/parameters.py              the reference, as reStructuredText
    docs/parameters.py --names      the names, one a line

Names, types, values, defaults and what a parameter does come from fcoll_overlap_params.c and
engine/base/settings.*. parameters.ini adds when to set one and what its values mean.
"""
import configparser
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
COMPONENT = HERE.parent / "ompi" / "mca" / "fcoll" / "overlap"
TYPES = {
    "NUMBER": "integer",
    "ENUMERATION": "name",
    "PLACEMENT": "name or path",
    "BYTES": "bytes",
    "TEXT": "text",
}


def source(path):
    text = (COMPONENT / path).read_text()
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)


def constants():
    """Enumerators by name, of the settings and of the table's own file."""
    known = {"INT_MAX": 2**31 - 1}
    for path in ("engine/base/settings.h", "fcoll_overlap_params.c"):
        for body in re.findall(r"\benum\b\s*\w*\s*\{([^}]*)\}", source(path)):
            value = -1
            for item in filter(None, map(str.strip, body.split(","))):
                name, _, expression = (part.strip() for part in item.partition("="))
                if expression:
                    try:
                        value = number_of(expression, known)
                    except (NameError, SyntaxError):
                        continue
                else:
                    value += 1
                known[name] = value
    return known


def number_of(expression, known):
    return int(eval(expression, {"__builtins__": {}}, dict(known)))  # integers of our own source


def value_names():
    lists = {}
    for name, body in re.findall(r"(overlap_\w+_names)\[\]\s*=\s*\{([^}]*)\}", source("engine/base/settings.cc")):
        lists[name] = re.findall(r'"([^"]*)"', body)
    return lists


class Parameter:
    """A row of the table."""

    def __init__(self, row, known, lists):
        self.fields = dict(
            re.findall(r'\.(\w+)\s*=\s*((?:"(?:[^"\\]|\\.)*"\s*)+|[^,{}]+)', row)
        )
        self.known = known
        self.name = self.text("name")
        self.what = self.text("help")
        self.kind = self.fields["kind"].strip()
        self.names = lists.get(self.fields.get("names", "").strip(), [])
        self.is_hint = "mca_only" not in self.fields and "NOT_A_SETTING" not in self.fields.get("setting", "")

    def text(self, field):
        return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', self.fields.get(field, ""))).replace('\\"', '"')

    def number(self, field):
        return number_of(self.fields.get(field, "0"), self.known)

    @property
    def type(self):
        return TYPES[self.kind]

    @property
    def level(self):
        return {"USER": 3, "SITE": 5, "RARE": 9}[self.fields["level"].strip()]

    @property
    def default(self):
        if "initial" in self.fields:
            return self.text("initial")
        return self.names[self.number("value")] if self.kind == "ENUMERATION" else str(self.number("value"))

    @property
    def values(self):
        if self.kind == "TEXT":
            return self.text("valid")
        if self.names:
            path = ", or as an MCA parameter the path of a plugin, with a ``/``" if self.kind == "PLACEMENT" else ""
            return ", ".join(f"``{name}`` ({i})" for i, name in enumerate(self.names)) + path
        zero = "0 or " if "zero_chooses" in self.fields else ""
        unit = ", with ``k``, ``m`` or ``g`` for powers of 1024" if self.kind == "BYTES" else ""
        return f"{zero}{self.number('least')} to {self.number('most')}{unit}"


def arguments_of(text, start):
    """The arguments of a call whose parenthesis is at `start`, and where it ends."""
    depth, begin, arguments = 0, start + 1, []
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|[(){},]').finditer(text, start):
        token = match.group()
        depth += (token in "({") - (token in ")}")
        if (token == "," and depth == 1) or depth == 0:
            arguments.append(text[begin : match.start()].strip())
            begin = match.end()
        if depth == 0:
            return arguments, match.end()
    raise SystemExit("docs/parameters.py: a call of a macro has no end")


def expanded(text, macros):
    """`text` with the calls of `macros`, {name: (parameters, body)}, replaced as the preprocessor does."""
    while call := re.search(r"\b(" + "|".join(macros) + r")\(", text):
        names, body = macros[call.group(1)]
        given, end = arguments_of(text, call.end() - 1)
        values = dict(zip(names, given)) | {"__VA_ARGS__": ", ".join(given[len(names) :])}
        any_name = "|".join(values)
        body = re.sub(rf"(?<!#)#({any_name})\b", lambda name: f'"{values[name.group(1)]}"', body)
        body = re.sub(rf"(?<![A-Za-z0-9])({any_name})(?![A-Za-z0-9_])", lambda name: values[name.group(1)], body)
        text = text[: call.start()] + body.replace("##", "") + text[end:]
    return text


def parameters():
    text = source("fcoll_overlap_params.c").replace("\\\n", " ")
    macros = {
        name: ([word.strip() for word in names.split(",") if "..." not in word], body)
        for name, names, body in re.findall(r"#define (\w+)\(([^)]*)\)([^\n]*)", text)
    }
    body = re.search(r"\bparams\[\]\s*=\s*\{(.*?)\n\};", text, re.DOTALL).group(1)
    body = expanded(body, macros)
    known, lists = constants(), value_names()
    rows = [Parameter(row, known, lists) for row in re.findall(r"\{\s*(\.name.*?)\}\s*,?\s*(?=\{|$)", body, re.DOTALL)]
    if len(rows) != body.count(".name ="):
        raise SystemExit("docs/parameters.py: a row of fcoll_overlap_params.c was not understood")
    return rows


def remarks():
    """parameters.ini: a section for each parameter, in the order of the pages, and "[= title]" for groups."""
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str
    parser.read(HERE / "parameters.ini")
    return parser


def entry(parameter, remark):
    """A definition for one parameter."""
    default = f"``{parameter.default}``" if parameter.default else "empty"
    lines = [f".. _fcoll_overlap_{parameter.name}:", "", f"``fcoll_overlap_{parameter.name}``", f"   {parameter.what}.", ""]
    lines += [f"   :Type: {parameter.type}", f"   :Values: {parameter.values}", f"   :Default: {default}"]
    lines += [f"   :Hint: {'yes' if parameter.is_hint else 'no, an MCA parameter only'}"]
    lines += [f"   :Level: {parameter.level} of ``ompi_info``"]
    lines += [f"   :When: {remark['when']}"] if "when" in remark else []
    lines += [""]
    for value, meaning in remark.items():
        if value != "when":
            lines += [f"   * ``{value}``: {meaning}"]
    return lines + [""]


def groups():
    """(title, [(parameter, remark)]) in the order of parameters.ini; what that does not name comes last."""
    rows = {parameter.name: parameter for parameter in parameters()}
    every = []
    ini = remarks()
    for section in ini.sections():
        if section.startswith("= "):
            every.append((section[2:], []))
        elif section in rows:
            every[-1][1].append((rows.pop(section), ini[section]))
    if rows:
        every.append(("Others", [(row, {}) for row in rows.values()]))
    return every


def reference():
    lines = []
    for title, rows in groups():
        lines += [title, "-" * len(title), ""]
        for parameter, remark in rows:
            lines += entry(parameter, remark)
    return lines


def main():
    if sys.argv[1:] == ["--names"]:
        print("\n".join(parameter.name for parameter in parameters()))
    elif len(sys.argv) == 1:
        print("\n".join(reference()))
    else:
        print(__doc__, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
