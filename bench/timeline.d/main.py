"""bench/timeline: see there."""

import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from calls import NoTimeline, Trace  # noqa: E402  beside this file


def arguments():
    parser = argparse.ArgumentParser(prog="timeline", description="Draws timelines of collective calls.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", default="timeline.svg")
    parser.add_argument("--label", action="append", default=[])
    parser.add_argument("--call", type=int)
    parser.add_argument("--file", default="")
    parser.add_argument("--ranks", type=lambda text: [int(rank) for rank in text.split(",")])
    parser.add_argument("--aggregators", type=int, default=2)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--width", type=float, default=8)
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

    draw(panels, asked.output, asked.width)


try:
    main()
except NoTimeline as error:
    print(f"timeline: {error}", file=sys.stderr)
    sys.exit(1)
