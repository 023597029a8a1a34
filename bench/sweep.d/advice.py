# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The lines that make a setting everybody's: for openmpi-mca-params.conf, and for the rules of a site."""
import json

from failure import Failure
from parameters import DEFAULT

# docs/reference/rules.rst: keys of conditions, and what a rule may say.
_BOUNDS = [key + end for key in ("ranks", "nodes", "ranks_per_node", "bytes", "mean_piece") for end in ("_min", "_max")]
_RULE_KEYS = {"algorithm": "algorithm", "shuffle": "shuffle", "writer": "writer", "partition": "partition", "slots": "slots",
              "cb_nodes": "aggregators"}
_WHOLE = {"slots", "cb_nodes"}


def mca_lines(sweep, setting, headline):
    """Lines of openmpi-mca-params.conf; `headline` becomes a comment."""
    lines = ["# " + headline]
    names = {parameter.mca for parameter in sweep.parameters}
    lines += ["%s = %s" % pair for pair in (("io", "ompio"), ("fcoll", "overlap")) if pair[0] not in names]
    for parameter, value in zip(sweep.parameters, sweep.settings[setting]):
        lines.append("# %s: the default" % parameter.mca if value == DEFAULT else "%s = %s" % (parameter.mca, value))
    return "\n".join(lines) + "\n"


def rules(sweep, setting, conditions):
    """(JSON of a rules file, names of the parameters that no rule can carry). The JSON is None where the setting is not one of a rule."""
    rule, left_out = dict(conditions), []
    for parameter, value in zip(sweep.parameters, sweep.settings[setting]):
        if parameter.name == "fcoll" and value not in ("overlap", DEFAULT):
            return None, [parameter.name]
        if value == DEFAULT or parameter.mca in ("fcoll", "io"):
            continue
        if parameter.name not in _RULE_KEYS:
            left_out.append(parameter.name)
        else:
            rule[_RULE_KEYS[parameter.name]] = int(value) if parameter.name in _WHOLE else value
    if not set(rule) - set(conditions):
        return None, left_out
    said = [["%s: %s" % (json.dumps(key), json.dumps(value)) for key, value in rule.items() if (key in conditions) == when] for when in (True, False)]
    text = ",\n                ".join(", ".join(each) for each in said if each)
    return """{
    "rule_file_version": 1,
    "module": "overlap",
    "collectives": {
        "write_all": [
            {
                %s
            }
        ]
    }
}
""" % text, left_out


def conditions(texts):
    """From CONDITION=VALUE. Raises Failure."""
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name in found:
            raise Failure("--when %s is there twice" % name, 2)
        if name == "file_system" and value:
            found[name] = value.split(",") if "," in value else value
        elif name in _BOUNDS and value.isdigit():
            found[name] = int(value)
        else:
            raise Failure("--when %s: conditions are file_system=NAME and, with a whole number, %s" % (text, ", ".join(_BOUNDS)), 2)
    return found
