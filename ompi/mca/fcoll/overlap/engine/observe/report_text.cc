// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "../ports.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

namespace overlap {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kIndent = 4;
// Of either direction, so that both fit, and of one without the other.
constexpr std::size_t kLinesOfChoice = 5;
constexpr std::size_t kLinesOfOneChoice = 20;

std::string Format(const char *format, double number) {
    char text[32];
    std::snprintf(text, sizeof(text), format, number);
    return text;
}

// Three digits that count.
std::string Short(double number) { return Format(number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f", number); }

// 4.56 ms, 1.23 s.
std::string TimeText(double seconds) { return seconds < 0.09995 ? Short(1000 * seconds) + " ms" : Short(seconds) + " s"; }

// 1.23 MB, and such.
std::string BytesText(double bytes) {
    static constexpr const char *kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < std::size(kUnits); ++unit) {
        bytes /= 1000;
    }
    return (unit == 0 ? Format("%.0f", bytes) : Short(bytes)) + " " + kUnits[unit];
}

std::string BytesText(std::int64_t bytes) { return BytesText(static_cast<double>(bytes)); }

std::string RateText(double rate) { return rate > 0 ? BytesText(rate) + "/s" : "-"; }

// 1 node, 2 nodes.
std::string Counted(std::int64_t number, const char *what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// No end of a line within a line.
std::string OneLine(std::string text) {
    for (char &letter : text) {
        letter = static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return text;
}

// Nor more than fits.
std::string Line(std::string text) {
    text = OneLine(std::move(text));
    return (text.size() <= kColumns ? text : text.substr(0, kColumns - 3) + "...") + "\n";
}

// The words of a text over lines, the last of which says that there are more.
std::string Wrapped(std::string_view text, std::size_t most_lines) {
    std::string lines;
    const std::size_t room = kColumns - kIndent;
    for (std::size_t line = 1; !text.empty(); ++line) {
        if (text.size() <= room || line == most_lines) {
            return lines + Line(std::string(kIndent, ' ') + std::string(text));
        }
        const std::size_t blank = text.rfind(' ', room);
        const std::size_t taken = blank == std::string_view::npos || blank == 0 ? room : blank;
        lines += Line(std::string(kIndent, ' ') + std::string(text.substr(0, taken)));
        text.remove_prefix(std::min(text.size(), taken == blank ? taken + 1 : taken));
    }
    return lines;
}

std::string GainText(const DirectionReport &report, const std::string &files) {
    const Gain &gain = report.gain;
    if (gain.ranks == 0) {
        return "overlap: none, as no rank shuffled and accessed the file";
    }
    const std::string bound = report.Bound();
    const auto mean = [&gain](double seconds) { return Short(seconds / gain.ranks); };
    return "overlap gained " + Format("%.0f", 100 * gain.Share()) + " %: shuffles " + mean(gain.shuffle) + " + " + files +
           " " + mean(gain.file) + " in " + mean(gain.elapsed) + " s, bound " + (bound == "file" ? files : bound);
}

std::string GainInShort(const DirectionReport &report) {
    return report.gain.ranks == 0 ? "nothing to overlap"
                                  : "overlap gained " + Format("%.0f", 100 * report.gain.Share()) + " %";
}

std::string WhereText(const Report &report) {
    return Counted(report.ranks, "rank") + " on " +
           Counted(static_cast<std::int64_t>(report.of[OVERLAP_WRITE].nodes.size()), "node");
}

// The most of a node, and between its NICs and others which way it goes in this direction.
std::string NodesText(const DirectionReport &report, bool reads) {
    NodeTraffic most;
    for (const NodeTraffic &node : report.nodes) {
        most.of_file = std::max(most.of_file, node.of_file);
        most.to_network = std::max(most.to_network, node.to_network);
        most.from_network = std::max(most.from_network, node.from_network);
    }
    return "most of a node: file " + BytesText(most.of_file) + ", its NICs " + BytesText(most.to_network) +
           (reads ? " in, " : " out, ") + BytesText(most.from_network) + (reads ? " out" : " in");
}

std::string SecondsText(const DirectionReport &report, bool reads) {
    const std::pair<const char *, overlap_time> rows[] = {{"waiting for others to begin", OVERLAP_TIME_ENTRY},
                                                          {"planning", OVERLAP_TIME_PLANNING},
                                                          {"shuffle", OVERLAP_TIME_SHUFFLE},
                                                          {reads ? "read" : "write", OVERLAP_TIME_FILE},
                                                          {"copy", OVERLAP_TIME_COPY},
                                                          {"waiting for others to end", OVERLAP_TIME_FINISH},
                                                          {"sum: in the calls", OVERLAP_TIME_ELAPSED}};
    std::string text = Line("  seconds of a rank                    least          mean          most");
    for (const auto &[name, time] : rows) {
        const Spread &spread = report.seconds[time];
        char row[kColumns];
        std::snprintf(row, sizeof(row), "  %-28s%14.6f%14.6f%14.6f", name, spread.least, spread.mean, spread.most);
        text += Line(row);
    }
    return text;
}

std::string DirectionText(const DirectionReport &report, bool reads, std::size_t lines_of_choice) {
    const auto number = [&report](overlap_count count) { return std::to_string(report.counts[count]); };
    const auto counted = [&report](overlap_count count, const char *what) { return Counted(report.counts[count], what); };
    const auto bytes = [&report](overlap_count count) { return BytesText(report.counts[count]); };
    const std::string files = reads ? "reads" : "writes";
    const std::string merged =
        report.counts[OVERLAP_COUNT_MERGED] > 0 ? "merged " + number(OVERLAP_COUNT_MERGED) + ": " : "";
    return Line(files + ": " + number(OVERLAP_COUNT_CALLS) + " (nonblocking " + number(OVERLAP_COUNT_NONBLOCKING) +
                ", alone " + number(OVERLAP_COUNT_INDEPENDENT) + ", planned " + number(OVERLAP_COUNT_PLANS) + ", failed " +
                number(OVERLAP_COUNT_FAILED) + ")") +
           Line("  " + bytes(OVERLAP_COUNT_BYTES) + ", " + counted(OVERLAP_COUNT_PIECES, "piece") + ", " +
                counted(OVERLAP_COUNT_CYCLES, "cycle") + ", " + counted(OVERLAP_COUNT_SIEVED, "read-modify-write") + " of " +
                bytes(OVERLAP_COUNT_BYTES_SIEVED)) +
           Wrapped(merged + report.chosen, lines_of_choice) +
           Line("  shuffled: " + bytes(OVERLAP_COUNT_BYTES_TO_SELF) + " within a rank, " +
                bytes(OVERLAP_COUNT_BYTES_TO_NODE) + " within a node, " + bytes(OVERLAP_COUNT_BYTES_TO_NETWORK) +
                " between nodes") +
           Line("  " + NodesText(report, reads)) + SecondsText(report, reads) +
           Line("  rates: shuffle " + RateText(report.ShuffleRate()) + ", raw " + (reads ? "read " : "write ") +
                RateText(report.FileRate()) + ", net " + RateText(report.NetRate())) +
           Line("  " + GainText(report, files));
}

} // namespace

std::string TextOf(const Report &report) {
    const auto calls = [&report](overlap_direction direction) { return report.of[direction].counts[OVERLAP_COUNT_CALLS]; };
    const bool both = calls(OVERLAP_WRITE) > 0 && calls(OVERLAP_READ) > 0;
    std::string text = Line("fcoll/overlap: " + WhereText(report) + ", " + report.file);
    if (!report.ignored_hints.empty()) {
        text += Line("hints that are ignored: " + report.ignored_hints);
    }
    for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
        if (calls(direction) > 0) {
            text +=
                DirectionText(report.of[direction], direction == OVERLAP_READ, both ? kLinesOfChoice : kLinesOfOneChoice);
        }
    }
    return calls(OVERLAP_WRITE) + calls(OVERLAP_READ) > 0 ? text : text + Line("no collective call");
}

std::string LineOf(const Report &report) {
    std::string line = "fcoll/overlap: " + report.file + ": " + WhereText(report);
    for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
        const DirectionReport &of = report.of[direction];
        if (of.counts[OVERLAP_COUNT_CALLS] > 0) {
            line += std::string(direction == OVERLAP_READ ? "; read " : "; wrote ") +
                    BytesText(of.counts[OVERLAP_COUNT_BYTES]) + " in " + TimeText(of.seconds[OVERLAP_TIME_ELAPSED].mean) +
                    " (" + RateText(of.NetRate()) + "), " + GainInShort(of) + ": " + of.chosen;
        }
    }
    return OneLine(line + (report.ignored_hints.empty() ? "" : "; hints that are ignored: " + report.ignored_hints)) + "\n";
}

} // namespace overlap
