# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The parameters of a sweep: names, and the values that a list or a range stands for."""
import difflib
import re

from failure import Failure

PREFIX = "fcoll_overlap_"
# What leaves a parameter as it is without the sweep.
DEFAULT = "default"

# As engine/base/settings.cc has them, in that order; test/bench/sweep_test.sh compares.
NAMES = {
    "algorithm": ["none", "comm", "write", "write-comm", "write-comm-2", "dataflow", "auto"],
    "shuffle": ["two-sided", "put-fence", "put-lock", "auto"],
    "writer": ["fbtl", "thread", "libaio", "auto"],
    "partition": ["even", "static"],
    "placement": ["ompio", "spread", "locality", "lap", "tapioca"],
    "holes": ["auto", "list", "sieve"],
    "reads": ["auto", "collective", "independent"],
    "writes": ["auto", "collective", "independent"],
    "node_merge": ["off", "on"],
    "report": ["off", "text", "json", "line"],
}
_MOST = 2**31 - 1
# (least, most, whether 0 is valid as well), as in fcoll_overlap_params.c; test/bench/sweep_test.sh compares.
NUMBERS = {
    "slots": (2, 16, True),
    "window_threshold": (0, _MOST, False),
    "put_threshold": (0, _MOST, False),
    "throttle": (1, _MOST, True),
    "eager_bytes": (0, _MOST, False),
    "aggregators_per_node": (0, _MOST, False),
    "domains_per_rank": (1, 1024, False),
    "candidates_per_node": (0, _MOST, False),
    "priority": (0, 1000, False),
    "trace_bytes": (1024, _MOST, False),
    "roll_call": (0, 1000000, False),
}
TEXTS = ["topology", "topology_bandwidths", "storage_nodes", "rules", "report_file", "trace"]
# Hints that an MCA parameter of OMPIO carries.
HINTS = {"cb_nodes": "io_ompio_num_aggregators", "cb_buffer_size": "io_ompio_bytes_per_agg"}
_HINT_NUMBERS = {"io_ompio_num_aggregators": (1, _MOST, False), "io_ompio_bytes_per_agg": (1, _MOST, False)}
_BYTES = {"window_threshold", "put_threshold", "eager_bytes", "trace_bytes", "io_ompio_bytes_per_agg"}
_OTHER_HINTS = {"striping_unit", "striping_factor", "cb_config_list", "collective_buffering", "romio_cb_write", "romio_cb_read",
                "romio_ds_write", "romio_ds_read", "romio_no_indep_rw"}
# The first words of MCA parameters: projects and frameworks of Open MPI 4.1 to 6.0.
_FRAMEWORKS = set("""accelerator allocator bml btl coll common compress ess fbtl fcoll fs hook hwloc if io iof mca memory mpi mpool mtl oob
odls ompi op opal orte osc part patcher plm pmix pml prte pstat ras rcache reachable rmaps rml routed schizo sharedfp shmem smsc state
threads timer topo vprotocol""".split())

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_NUMBER = re.compile(r"^(-?\d+)([kKmMgG]?)(?:i?[bB])?$")
_RANGE = re.compile(r"^(.+?)\.\.(.+?)(?:([*+])(\d+[kKmMgG]?))?$")
_MOST_VALUES = 1000


class Parameter:
    """`name` as the user gave it, `mca` as Open MPI has it, `values` in their order, texts as MCA parameters take them."""

    def __init__(self, name, mca, values):
        self.name, self.mca, self.values = name, mca, values

    def shown(self, value):
        """A value as people read it: bytes in whole M or K."""
        if value.isdigit() and (self.name in _BYTES or self.mca in _BYTES):
            for unit, letter in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
                if int(value) and int(value) % unit == 0:
                    return "%d%s" % (int(value) // unit, letter)
        return value

    def to_json(self):
        return {"name": self.name, "mca": self.mca, "values": self.values}

    @staticmethod
    def from_json(data):
        return Parameter(data["name"], data["mca"], data["values"])


def parse(text):
    """A Parameter from NAME=VALUES. Raises Failure."""
    name, equals, values = text.partition("=")
    if not equals or not name:
        raise Failure('"%s" is no parameter: NAME=VALUES, as algorithm=none..dataflow' % text, 2)
    name, mca = _resolve(name)
    # A comma that belongs to a value has a backslash before it.
    words = [word.replace("\\,", ",") for word in re.split(r"(?<!\\),", values)]
    expanded = []
    for word in words:
        if not word:
            raise Failure("%s: an empty value in \"%s\"" % (name, values), 2)
        expanded += _expand(name, mca, word)
        if len(expanded) > _MOST_VALUES:
            raise Failure("%s: more than %d values" % (name, _MOST_VALUES), 2)
    for value in expanded:
        if expanded.count(value) > 1:
            raise Failure("%s: the value %s is there twice" % (name, value), 2)
    return Parameter(name, mca, expanded)


def _resolve(name):
    short = name[len(PREFIX):] if name.startswith(PREFIX) else name
    known = list(NAMES) + list(NUMBERS) + TEXTS
    if short in known:
        return short, PREFIX + short
    if name in HINTS:
        return name, HINTS[name]
    for hint, mca in HINTS.items():
        if name == mca:
            return hint, mca
    if name in _OTHER_HINTS:
        raise Failure("%s is a hint that no MCA parameter carries; of hints there are %s" % (name, " and ".join(HINTS)), 2)
    if re.match(r"^[a-z][a-z0-9_]*$", name) and (name.split("_")[0] in _FRAMEWORKS):
        return name, name
    close = difflib.get_close_matches(name, known + list(HINTS), 1)
    raise Failure("no parameter %s%s; short names: %s; hints: %s; or the whole name of an MCA parameter" %
                  (name, ", did you mean %s?" % close[0] if close else "", ", ".join(known), ", ".join(HINTS)), 2)


def _expand(name, mca, word):
    if word == DEFAULT:
        return [word]
    if name in NAMES:
        return _expand_names(name, word)
    if name in NUMBERS or mca in _HINT_NUMBERS:
        bounds = NUMBERS.get(name) or _HINT_NUMBERS[mca]
        values = _numbers(name, word)
        if values is None:
            raise Failure("%s: %s is no number and no range of numbers, as 2..8, 2..8+2 or 1..16*2%s" %
                          (name, word, ", with K, M or G" if name in _BYTES or mca in _BYTES else ""), 2)
        least, most, zero = bounds
        for value in values:
            if not (least <= value <= most or (zero and value == 0)):
                raise Failure("%s: %d is not %s%d to %d" % (name, value, "0 or " if zero else "", least, most), 2)
        return [str(value) for value in values]
    if name not in TEXTS and _RANGE.match(word):
        values = _numbers(name, word)
        if values is not None:
            return [str(value) for value in values]
    return [word]


def _expand_names(name, word):
    names = NAMES[name]

    def place(text):
        if text in names:
            return names.index(text)
        if text.isdigit() and int(text) < len(names):
            return int(text)
        raise Failure("%s: no value %s; there are %s%s" %
                      (name, text, ", ".join(names), ", and paths of plugins" if name == "placement" else ""), 2)

    if name == "placement" and "/" in word:
        return [word]
    first, dots, last = word.partition("..")
    if not dots:
        return [names[place(word)]]
    begin, end = place(first), place(last)
    if begin > end:
        raise Failure("%s: %s is before %s; the order is %s" % (name, last, first, ", ".join(names)), 2)
    return names[begin:end + 1]


def number(text):
    """The number that a text as 64, 4K or 2MiB stands for, None where it is none."""
    match = _NUMBER.match(text)
    return int(match.group(1)) * _UNITS[match.group(2).lower()] if match else None


def _numbers(name, word):
    """Those of a number or range, both ends included where the steps reach them; None where it is neither."""
    one = number(word)
    if one is not None:
        return [one]
    match = _RANGE.match(word)
    if not match:
        return None
    first, last = number(match.group(1)), number(match.group(2))
    if first is None or last is None:
        return None
    by, step = match.group(3) or "+", number(match.group(4) or "1")
    if first > last:
        raise Failure("%s: the range %s ends before it begins" % (name, word), 2)
    if step < (2 if by == "*" else 1) or (by == "*" and first < 1):
        raise Failure("%s: the range %s never ends: steps are +1 and more, or *2 and more from 1 and more" % (name, word), 2)
    values = []
    while first <= last:
        values.append(first)
        first = first * step if by == "*" else first + step
        if len(values) > _MOST_VALUES:
            raise Failure("%s: more than %d values" % (name, _MOST_VALUES), 2)
    return values
