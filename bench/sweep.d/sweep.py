# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""A sweep: a command, the settings that it is run with, and the order of the runs. Kept in FOLDER/sweep.json, never changed."""
import itertools
import json
import os
import random

from failure import Failure
from whole import write_whole
from parameters import DEFAULT, Parameter

FORMAT = 1


class Sweep:
    """
    `settings`: lists of values, one of each parameter, all combinations. `order`: (setting, repetition) of each run; a run is known by its
    place in it. `metric`: None for the wall time, else a regular expression.
    """

    def __init__(self, command, parameters, repetitions, seed, timeout, metric=None, higher_is_better=False, unit=None, order=None):
        self.command, self.parameters, self.repetitions, self.seed, self.timeout = command, parameters, repetitions, seed, timeout
        self.metric, self.higher_is_better = metric, higher_is_better
        self.unit = unit if metric else "s"
        self.settings = [list(values) for values in itertools.product(*(p.values for p in parameters))]
        self.order = order or shuffled(len(self.settings), repetitions, seed)

    def label(self, setting):
        """A setting in a line."""
        return " ".join("%s=%s" % (p.name, p.shown(value)) for p, value in zip(self.parameters, self.settings[setting])) or "(no parameters)"

    def environment(self, run, base):
        """The environment of a run: MCA parameters travel in it through mpirun as well as srun."""
        setting, repetition = self.order[run]
        environment = dict(base, OVERLAP_SWEEP_RUN=str(run), OVERLAP_SWEEP_REPETITION=str(repetition))
        environment.setdefault("OMPI_MCA_io", "ompio")
        environment.setdefault("OMPI_MCA_fcoll", "overlap")
        for parameter, value in zip(self.parameters, self.settings[setting]):
            key = "OMPI_MCA_" + parameter.mca
            if value == DEFAULT:
                environment.pop(key, None)
            else:
                environment[key] = value
        return environment

    def to_json(self):
        return {
            "format": FORMAT, "command": self.command, "parameters": [p.to_json() for p in self.parameters],
            "repetitions": self.repetitions, "seed": self.seed, "timeout": self.timeout, "metric": self.metric,
            "higher_is_better": self.higher_is_better, "unit": self.unit, "order": self.order,
        }

    def difference(self, other):
        """What makes the other one another sweep, as a text; None where it is the same."""
        mine, theirs = self.to_json(), other.to_json()
        for key in ("command", "parameters", "repetitions", "timeout", "metric", "higher_is_better", "unit", "seed"):
            if mine[key] != theirs[key]:
                return key.replace("_", " ")
        return None


def shuffled(settings, repetitions, seed):
    """Round after round, each of all settings in an order of its own: a sweep that ends early has runs of all, and a drift meets all."""
    generator = random.Random(seed)
    order = []
    for repetition in range(repetitions):
        round_ = list(range(settings))
        generator.shuffle(round_)
        order += [[setting, repetition] for setting in round_]
    return order


def path(folder):
    return os.path.join(folder, "sweep.json")


def save(sweep, folder):
    write_whole(path(folder), json.dumps(sweep.to_json(), indent=1) + "\n")


def load(folder):
    try:
        with open(path(folder), encoding="utf-8") as file:
            data = json.load(file)
        if data["format"] != FORMAT:
            raise Failure("%s is of format %s, this is for %d" % (path(folder), data["format"], FORMAT))
        return Sweep(data["command"], [Parameter.from_json(p) for p in data["parameters"]], data["repetitions"], data["seed"],
                     data["timeout"], data["metric"], data["higher_is_better"], data["unit"], data["order"])
    except FileNotFoundError:
        raise Failure("there is no sweep in %s; overlap sweep run %s NAME=VALUES... -- COMMAND... makes one" % (folder, folder), 2) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure("%s cannot be read: %s" % (path(folder), error)) from None
