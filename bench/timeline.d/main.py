# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""bench/timeline: see there."""

import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from calls import NoTimeline, Trace  # noqa: E402  beside this file


def ranks(text):
    return [int(rank) for rank in text.split(",")]


def inches(text):
    width = float(text)
    if not 1 <= width <= 100:
        raise argparse.ArgumentTypeError("it is from 1 to 100 inches")
    return width


def arguments():
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.error = lambda text: parser.exit(2, f"timeline: {text}; overlap timeline --help tells more\n")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--output", default="timeline.svg")
    parser.add_argument("--label", action="append", default=[])
    parser.add_argument("--call", type=int)
    parser.add_argument("--file", default="")
    parser.add_argument("--ranks", type=ranks)
    parser.add_argument("--aggregators", type=int, default=2)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--width", type=inches, default=8)
    return parser.parse_args()


def shown(call, asked):
    if asked.ranks is not None:
        return [process for process in call.processes if process in asked.ranks]
    aggregators = call.aggregators[: asked.aggregators or None]
    return aggregators + [process for process in call.processes if asked.all and process not in call.aggregators]


def main():
    asked = arguments()
    panels = []
    for number, path in enumerate(asked.files):
        call = Trace(path).call(asked.call, asked.file)
        label = asked.label[number] if number < len(asked.label) else os.path.splitext(os.path.basename(path))[0]
        if not shown(call, asked):
            raise NoTimeline(f"{path}: none of the processes that were asked for")
        panels.append((label, call, shown(call, asked)))
    from figure import draw  # behind the arguments, as matplotlib takes a second

    try:
        draw(panels, asked.output, asked.width)
    except OSError as error:
        raise NoTimeline(f"{asked.output}: {error.strerror}") from error
    except ValueError as error:
        if "is not supported" not in str(error):
            raise
        print(f"timeline: {asked.output}: {error}", file=sys.stderr)
        sys.exit(2)


try:
    main()
except NoTimeline as error:
    print(f"timeline: {error}", file=sys.stderr)
    sys.exit(1)
