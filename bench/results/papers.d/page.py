# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The page: what the papers say and what was measured in a table, then a section for each figure."""
import html

from document import document
from parts import table


def render(parts, results, size, kept):
    """The text of the page."""
    claims = [claim for part in parts for claim in part.claims(results, size)]
    return document("Five papers, measured again", [_header(results, kept), _claims(claims), *(part.page(results, size) for part in parts), _method(parts, results, size, kept)])


def _compared(results):
    return [result for result in results.values() if isinstance(result, dict) and "openmpi" in result]


def _header(results, kept):
    dates = sorted(result["date"][:10] for result in _compared(results))
    facts = ["size: " + kept.size, "%d comparisons" % len(results)]
    if dates:
        facts.append(dates[0] if dates[0] == dates[-1] else "%s to %s" % (dates[0], dates[-1]))
    text = "<header>\n<h1>Five papers, measured again</h1>\n<p>%s</p>\n</header>" % " · ".join(facts)
    if kept.size != "full":
        text += '\n<p class="warning">Few and single runs: this shows that everything is measured, not what is true. Without --%s it is.</p>' % kept.size
    return text


def _claims(claims):
    rows = "".join("<tr><td class=\"text\">%s<br><span class=\"soft\">%s</span></td><td class=\"text\">%s</td><td class=\"text\"><b>%s</b></td></tr>" % (
        html.escape(claim.what), claim.source, html.escape(claim.theirs), html.escape(claim.ours or "not measured")) for claim in claims)
    return ('<section id="claims">\n<h2>What they say, and what is so here</h2>\n<div class="scroll"><table><thead><tr><th style="width: 44%%"></th><th>theirs</th><th>ours</th></tr></thead>'
            '<tbody>%s</tbody></table></div>\n</section>' % rows)


def _method(parts, results, size, kept):
    runs = list({run.name: run for part in parts for run in part.runs(size, kept.openmpi)}.values())
    missing = [run.name for run in runs if run.name not in results]
    in_part = [run.name for run in runs if run.name in results and not kept.has(run)]
    compared = _compared(results)
    machines = sorted({"%s, %d cores" % (result["machine"]["cpu"], result["machine"]["cores"]) for result in compared})
    left_out = sorted({label for result in compared for label in result["left_out"]})
    facts = [("Machine", "; ".join(map(html.escape, machines)) or "–"),
             ("Open MPI", ", ".join(sorted({html.escape(result["openmpi"]) for result in compared})) or kept.openmpi),
             ("Testbed", "Hosts are network namespaces of one machine with shaped NICs, the storage is a FUSE server that takes its time (bench/cluster, bench/storage). All ranks share "
              "the machine's processors, so what is measured is their network and their storage in small, not their processors or their file systems."),
             ("Rounds", "%d that count%s, each contender once in each, in shuffled order, behind one in which the files are verified; medians." % (
                 size.repetitions, "" if size.repetitions > 1 else ", so that a median is one run")),
             ("Their numbers", "As the texts of the papers give them. Where a figure's values are lost nothing stands in their place.")]
    if left_out:
        facts.append(("Left out", html.escape(", ".join(left_out)) + ": this Open MPI does not have them"))
    if missing:
        facts.append(("Missing", "%d of %d: %s" % (len(missing), len(runs), html.escape(", ".join(missing)))))
    if in_part:
        facts.append(("Failed in part", "%s: FOLDER/logs says what; the same command measures them again" % html.escape(", ".join(in_part))))
    text = "".join("<dt>%s</dt><dd>%s</dd>" % fact for fact in facts)
    listed = table(["Comparison", "overlap compare, overlap placement or bench/results/trend"],
                   [[html.escape(run.name), "<code>%s</code>" % html.escape(run.text())] for run in runs])
    return ('<section id="method">\n<h2>How it was measured</h2>\n<dl>%s</dl>\n<details><summary>All commands</summary>%s</details>\n</section>' %
            (text, listed.replace('td class="number"', 'td class="text"').replace('th class="number"', "th")))
