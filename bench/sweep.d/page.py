# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The report: one page of HTML that needs no other file and no network."""
import html
import os
import shlex

import advice
import charts
import comparison as comparisons
import interaction
import journal
from document import document, number, percent, tile

_MOST_ROWS = 40
_MOST_FAILURES = 50
_MOST_MAPS = 3
# A heatmap with more is a wall of figures.
_MOST_CELLS = 400


class Page:
    """What the parts of the page share."""

    def __init__(self, sweep, results, title, when):
        self.sweep, self.results = sweep, results
        self.conditions = advice.conditions(when)
        self.title = title or _title(sweep.command)
        self.comparison = comparisons.Comparison(sweep, results)
        self.effects = interaction.effects(sweep, self.comparison)
        self.pairs = interaction.pairs(sweep, self.comparison)
        # Whose values differ: the others say nothing of a setting.
        self.varied = [i for i, p in enumerate(sweep.parameters) if len(p.values) > 1]
        what = "wall time" if sweep.metric is None else "metric"
        self.axis = "%s%s, %s is better" % (what, " in " + sweep.unit if sweep.unit else "", "more" if sweep.higher_is_better else "less")

    def value(self, value, digits=3):
        return "%s%s" % (number(value, digits), " " + html.escape(self.sweep.unit) if self.sweep.unit else "")

    def setting(self, row):
        return html.escape(self.sweep.label(row.setting))


def render(sweep, results, title=None, when=()):
    """The text of the page. Raises Failure on wrong conditions."""
    page = Page(sweep, results, title, when)
    parts = [_header(page), _best(page)]
    if any(row.all for row in page.comparison.rows):
        parts += [_boxes(page), _effects(page), _interactions(page)]
    parts += [_lines(page), _settings(page), _failures(page), _method(page)]
    return document("%s: overlap sweep" % page.title, parts)


def _title(command):
    """The program's name: what stands behind an mpirun and its options is not to be guessed."""
    return os.path.basename(command[0]) if len(command) == 1 else "%s … %s" % (os.path.basename(command[0]), os.path.basename(command[-1]))


def _header(page):
    sweep = page.sweep
    failed = sum(result["outcome"] != journal.OK for result in page.results.values())
    facts = ["%d settings" % len(sweep.settings), "%d repetitions" % sweep.repetitions,
             "%d of %d runs" % (len(page.results), len(sweep.order)), "%d failed" % failed]
    began = sorted(result["started"] for result in page.results.values())
    if began:
        facts.append(began[0][:10] if began[0][:10] == began[-1][:10] else "%s to %s" % (began[0][:10], began[-1][:10]))
    text = "<header>\n<h1>%s</h1>\n<p>%s</p>\n</header>" % (html.escape(page.title), " · ".join(facts))
    if len(page.results) < len(sweep.order):
        text += '\n<p class="warning">%d runs are missing: <code>overlap sweep run FOLDER</code> does them.</p>' % (len(sweep.order) - len(page.results))
    return text


def _best(page):
    best, second = page.comparison.best, page.comparison.second
    if best is None:
        return '<section id="best"><h2>No best setting</h2><p>No setting has run without a failure.</p></section>'
    words = "".join("<span>%s</span><b>%s</b>" % (html.escape(p.name), html.escape(p.shown(value)))
                    for p, value in zip(page.sweep.parameters, page.sweep.settings[best.setting])) or "<b>one setting</b>"
    tiles = [tile(page.value(best.median), "median of %d runs, 95 %% interval %s to %s" % (len(best.all), number(best.interval[0]), number(best.interval[1])))]
    verdict = ""
    if second:
        if page.comparison.fewest >= comparisons.FEW:
            tiles += [tile(percent(page.comparison.confidence), "confidence: how often it beats the second in %s resamples" % number(comparisons.RESAMPLES, 5))]
        if page.comparison.gain is not None and page.comparison.fewest >= comparisons.FEW:
            tiles.append(tile(percent(page.comparison.gain), "%s than the second, %s; 90 %% interval %s to %s" % (
                _better_word(page), page.setting(second), *map(percent, page.comparison.gain_interval))))
        worst = [row for row in page.comparison.rows if row.median is not None and not row.failed][-1]
        if worst is not second:
            tiles.append(tile(_ratio(best, worst), "between it and the last, %s" % page.setting(worst)))
        verdict = _verdict(page)
    return '<section id="best">\n<p class="kicker">%s</p>\n<p class="setting">%s</p>\n<div class="tiles">%s</div>\n%s\n</section>' % (
        "Best setting" if len(page.comparison.tied) == 1 else "Best median, not shown to be the best setting", words, "".join(tiles), verdict)


def _better_word(page):
    return "more" if page.sweep.higher_is_better else "less"


def _ratio(best, worst):
    low, high = sorted((abs(best.median), abs(worst.median)))
    return "× %s" % number(high / low) if low else "–"


def _verdict(page):
    comparison = page.comparison
    others = len(comparison.tied) - 1
    if comparison.fewest < comparisons.FEW:
        text, kind = "%d run%s of a setting %s too few to tell which is best: <code>overlap sweep run FOLDER --repetitions %d</code> adds runs." % (
            comparison.fewest, *(("", "is") if comparison.fewest == 1 else ("s", "are")), max(10, 2 * page.sweep.repetitions)), "open"
    elif not others:
        text, kind = "It is the best of all with at least 95 % confidence against each other setting.", "sure"
    else:
        which = "No other setting can" if others + 1 == len([row for row in comparison.rows if row.median is not None]) else (
            "1 other setting cannot" if others == 1 else "%d other settings cannot" % others)
        text, kind = "%s be told from it with 95 %% confidence; the table marks them. More repetitions tell more." % which, "open"
    return '<p class="verdict %s">%s</p>' % (kind, text)


def _boxes(page):
    rows = [row for row in page.comparison.rows if row.all]
    shown = rows[:charts.MOST_BOXES]
    coloured = charts.colourable(page.effects)
    more = " The best %d of %d settings; the table has all." % (len(shown), len(rows)) if len(shown) < len(rows) else ""
    return ('<section id="boxes">\n<h2>All runs, best setting first</h2>\n'
            '<p class="soft">Box: quartiles and median; line: least to most; each dot is a run.%s%s</p>\n'
            '<figure>%s</figure>\n</section>' %
            (" Colour and pattern: %s." % html.escape(coloured.name) if coloured else "", more, charts.boxes(page.sweep, shown, page.axis, coloured)))


def _effects(page):
    known = [effect for effect in page.effects if effect.best is not None]
    if not known:
        return ""
    shown = [effect for effect in known if effect.shown]
    if shown:
        lead = "%s matters most: its worst value costs %s, even with the best of all others." % (html.escape(shown[0].parameter.name), percent(shown[0].loss))
    elif not any(effect.can_be_told for effect in known):
        lead = "These are too few runs to tell what matters."
    else:
        lead = "No parameter is shown to matter: all differences are within what runs of one setting differ by."
    rows = "".join('<tr><td>%s</td><td>%s</td><td>%s</td><td class="number">%s</td><td class="number">%s</td></tr>' % (
        html.escape(effect.parameter.name), html.escape(effect.parameter.shown(effect.parameter.values[effect.best])),
        html.escape(effect.parameter.shown(effect.parameter.values[effect.worst])), percent(effect.loss), percent(effect.confidence)) for effect in known)
    return ('<section id="effects">\n<h2>What matters</h2>\n<p>%s</p>\n'
            '<figure>%s<figcaption>For each value the best median that a setting with it has.</figcaption></figure>\n'
            '<div class="scroll"><table><thead><tr><th>parameter</th><th>best value</th><th>worst value</th><th class="number">which costs</th>'
            '<th class="number">confidence</th></tr></thead><tbody>%s</tbody></table></div>\n</section>' %
            (lead, charts.effects(known, page.axis), rows))


def _interactions(page):
    pairs = [pair for pair in page.pairs if pair.cells.size <= _MOST_CELLS and (pair.cells == pair.cells).any()]
    if not pairs:
        return ""
    better = -1 if page.sweep.higher_is_better else 1
    figures = []
    for pair in pairs:
        figures.append('<figure><h3>%s and %s</h3>%s<figcaption>%s</figcaption></figure>' %
                       (html.escape(pair.first.name), html.escape(pair.second.name), charts.heatmap(pair, better, number), _dependence(pair)))
    more = ""
    if len(figures) > _MOST_MAPS:
        more = '<details><summary>%d more pairs</summary><div class="maps">%s</div></details>' % (
            len(figures) - _MOST_MAPS, "".join(figures[_MOST_MAPS:]))
    return ('<section id="interaction">\n<h2>Two parameters together</h2>\n'
            '<p class="soft">Each cell: the best median%s%s, darker is better, the best is framed; a dash: failed or missing.%s</p>\n'
            '<div class="maps">%s</div>\n%s</section>' %
            (" in " + html.escape(page.sweep.unit) if page.sweep.unit else "", " over the other parameters" if len(page.varied) > 2 else "",
             " Pairs that depend on each other come first." if any(pair.exceptions for pair in pairs) and len(pairs) > 1 else "",
             "".join(figures[:_MOST_MAPS]), more))


def _dependence(pair):
    """Whether what is best of the second parameter depends on the first."""
    if pair.common is None:
        return ""
    second, first, value = html.escape(pair.second.name), html.escape(pair.first.name), html.escape(pair.second.shown(pair.second.values[pair.common]))
    if not pair.exceptions:
        return "%s %s serves every %s: nowhere is another value shown to be better." % (second, value, first)
    groups = {}
    for i, best in pair.exceptions.items():
        groups.setdefault(best, []).append(pair.first.shown(pair.first.values[i]))
    return "%s %s, but %s." % (second, value, "; ".join("%s with %s %s" % (
        html.escape(pair.second.shown(pair.second.values[best])), first, html.escape(", ".join(values))) for best, values in groups.items()))


def _lines(page):
    best = page.comparison.best
    if best is None or not page.sweep.parameters:
        return ""
    headline = "sweep: %s, median %s" % (page.title, " ".join([number(best.median)] + ([page.sweep.unit] if page.sweep.unit else [])))
    mca = advice.mca_lines(page.sweep, best.setting, headline)
    json_text, left_out = advice.rules(page.sweep, best.setting, page.conditions)
    if json_text:
        where = ("It holds for the calls of these conditions." if page.conditions else
                 "Without a condition it holds for every call; <code>report --when ranks_min=16</code> narrows it.")
        also = " No rule carries %s: see the lines beside." % html.escape(", ".join(left_out)) if left_out else ""
        rules = ('<h3>Rules of a site</h3>\n<pre id="rules">%s</pre>\n<p class="soft">A file that <code>fcoll_overlap_rules</code> names. %s%s</p>' %
                 (html.escape(json_text), where, also))
    else:
        rules = '<h3>Rules of a site</h3>\n<p class="soft">There is none to write: %s.</p>' % (
            "no rule carries " + html.escape(", ".join(left_out)) if left_out else "the best setting is the default")
    doubt = "" if len(page.comparison.tied) == 1 else '<p class="soft">Of the best median, which is not shown to be the best setting.</p>\n'
    return ('<section id="lines">\n<h2>To use it</h2>\n%s<div class="two"><div><h3>openmpi-mca-params.conf</h3>\n<pre id="mca">%s</pre>\n'
            '<p class="soft">In <code>etc/</code> of Open MPI\'s prefix for all, or <code>~/.openmpi/mca-params.conf</code> for yourself.</p></div>\n<div>%s</div></div>\n</section>' %
            (doubt, html.escape(mca), rules))


def _settings(page):
    names = [page.sweep.parameters[i].name for i in page.varied]
    head = ('<tr><th class="number">#</th>%s<th class="number">median%s</th><th class="number">95 %% interval</th>'
            '<th class="number">least</th><th class="number">most</th>'
            '<th class="number">behind the best</th><th class="number">runs</th><th class="number">failed</th></tr>' %
            ("".join("<th>%s</th>" % html.escape(name) for name in names), ", " + html.escape(page.sweep.unit) if page.sweep.unit else ""))
    rows = [_setting_row(page, place, row) for place, row in enumerate(page.comparison.rows)]
    table = '<div class="scroll"><table class="settings"><thead>%s</thead><tbody>%s</tbody></table></div>'
    text = table % (head, "".join(rows[:_MOST_ROWS]))
    if len(rows) > _MOST_ROWS:
        text += "<details><summary>%d more settings</summary>%s</details>" % (len(rows) - _MOST_ROWS, table % (head, "".join(rows[_MOST_ROWS:])))
    return ('<section id="settings">\n<h2>All settings</h2>\n<p class="soft">Marked: the best, and those that cannot be told from it with 95 %% confidence. '
            'A setting with a failed run comes behind those without.</p>\n%s\n</section>' % text)


def _setting_row(page, place, row):
    best = page.comparison.best
    kind = "best" if row is best else "tied" if row in page.comparison.tied else ""
    values = "".join("<td>%s</td>" % html.escape(page.sweep.parameters[i].shown(page.sweep.settings[row.setting][i])) for i in page.varied)
    behind = "–"
    if best is not None and row.median is not None and row is not best and best.median:
        behind = percent(abs(row.median - best.median) / abs(best.median))
    cells = [number(row.median, 4), "–" if row.interval is None else "%s – %s" % (number(row.interval[0]), number(row.interval[1])), number(row.least),
             number(row.most), behind, str(row.runs)]
    return '<tr class="%s"><td class="number">%d</td>%s%s<td class="number%s">%d</td></tr>' % (
        kind, place + 1, values, "".join('<td class="number">%s</td>' % cell for cell in cells), " failed" if row.failed else "", row.failed)


def _failures(page):
    failed = [page.results[run] for run in sorted(page.results) if page.results[run]["outcome"] != journal.OK]
    if not failed:
        return ""
    rows = "".join('<tr><td class="number">%d</td><td>%s</td><td class="number">%d</td><td>%s</td><td class="text">%s</td></tr>' %
                   (result["run"], html.escape(page.sweep.label(page.sweep.order[result["run"]][0])), result["repetition"] + 1,
                    html.escape(result["outcome"]), html.escape(result["note"])) for result in failed[:_MOST_FAILURES])
    more = '<p class="soft">And %d more, in results.csv.</p>' % (len(failed) - _MOST_FAILURES) if len(failed) > _MOST_FAILURES else ""
    return ('<section id="failures">\n<h2>Failed runs</h2>\n<p class="soft">Their output is in logs/, by the number of the run.</p>\n'
            '<div class="scroll"><table class="failures"><thead><tr>'
            '<th class="number">run</th><th>setting</th><th class="number">repetition</th><th>outcome</th><th>why</th></tr></thead>'
            '<tbody>%s</tbody></table></div>%s\n</section>' % (rows, more))


def _method(page):
    sweep = page.sweep
    hosts = sorted({result["host"] for result in page.results.values()})
    facts = [
        ("Command", "<code>%s</code>" % html.escape(" ".join(shlex.quote(word) for word in sweep.command))),
        ("Parameters", "; ".join("<code>%s</code>: %s" % (html.escape(p.mca), html.escape(", ".join(p.values))) for p in sweep.parameters) or "none"),
        ("Measured", "the wall time of the command, in s" if sweep.metric is None else
         "the last match of <code>%s</code> in the output%s" % (html.escape(sweep.metric), ", in " + html.escape(sweep.unit) if sweep.unit else "")),
        ("Order", "%d rounds of all settings, each in an order of its own, from seed %d" % (sweep.repetitions, sweep.seed)),
        ("Timeout", "%g s a run" % sweep.timeout),
        ("Hosts", html.escape(", ".join(hosts)) or "none"),
        ("Confidence", "Bootstrap of the median: of each setting %s resamples with replacement, as many values as it has runs. The confidence is the share of them in "
         "which the best setting's median is better than the other's, ties counted half; intervals hold the middle 95 %%. Each setting is compared with the best by itself, "
         "without a correction for their number; of fewer than %d runs nothing is sure. What matters: of a parameter the share of permutations in which its values lie less far "
         "apart, in the mean, than they do, where the runs of settings that differ in it alone are dealt anew within their round." % (number(comparisons.RESAMPLES, 5), comparisons.FEW)),
    ]
    return '<section id="method">\n<h2>How it was measured</h2>\n<dl>%s</dl>\n</section>' % "".join("<dt>%s</dt><dd>%s</dd>" % fact for fact in facts)
