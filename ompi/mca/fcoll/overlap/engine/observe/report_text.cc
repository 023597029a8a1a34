// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report_text.h"

#include "../ports.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>

namespace overlap {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kIndent = 4;
constexpr std::size_t kLinesOfChoice = 5; // of either direction, so that both fit

std::string Format(const char *format, double number) {
    char text[32];
    std::snprintf(text, sizeof(text), format, number);
    return text;
}

// Three digits that count.
std::string Short(double number) { return Format(number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f", number); }

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

// No end of a line within a line, nor more than fits.
std::string Line(std::string text) {
    for (char &letter : text) {
        letter = static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
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

std::string Row(const char *name, const Spread &spread) {
    char row[kColumns];
    std::snprintf(row, sizeof(row), "  %-28s%14.6f%14.6f%14.6f", name, spread.least, spread.mean, spread.most);
    return Line(row);
}

NodeTraffic MostOfANode(const std::vector<NodeTraffic> &nodes) {
    NodeTraffic most;
    for (const NodeTraffic &node : nodes) {
        most.of_file = std::max(most.of_file, node.of_file);
        most.to_network = std::max(most.to_network, node.to_network);
        most.from_network = std::max(most.from_network, node.from_network);
    }
    return most;
}

std::string GainText(const DirectionSummary &summary, bool reads) {
    const char *const file = reads ? "reads" : "writes";
    if (summary.gain.ranks == 0) {
        return "overlap: none, as no rank shuffled and accessed the file";
    }
    const char *const held[] = {"nothing", "turns", "shuffles", file};
    const Gain &gain = summary.gain;
    const auto mean = [&gain](double seconds) { return Short(seconds / gain.ranks) + " s"; };
    return "overlap gained " + Format("%.0f", 100 * gain.Share()) + " %: shuffles " + mean(gain.shuffle) + " + " + file +
           " " + mean(gain.file) + " in " + mean(gain.elapsed) + ", bound " +
           held[static_cast<std::size_t>(summary.Bound())];
}

std::string DirectionText(const DirectionSummary &summary, bool reads) {
    const auto &counts = summary.counts;
    const auto number = [&counts](overlap_count count) { return std::to_string(counts[count]); };
    const NodeTraffic most = MostOfANode(summary.nodes);
    std::string text = Line(std::string(reads ? "reads" : "writes") + ": " + number(OVERLAP_COUNT_CALLS) + " (nonblocking " +
                            number(OVERLAP_COUNT_NONBLOCKING) + ", alone " + number(OVERLAP_COUNT_INDEPENDENT) +
                            ", planned " + number(OVERLAP_COUNT_PLANS) + ", failed " + number(OVERLAP_COUNT_FAILED) + ")");
    text += Line("  " + BytesText(counts[OVERLAP_COUNT_BYTES]) + ", " + number(OVERLAP_COUNT_PIECES) + " pieces, " +
                 number(OVERLAP_COUNT_CYCLES) + " cycles, " + number(OVERLAP_COUNT_SIEVED) + " read-modify-writes of " +
                 BytesText(counts[OVERLAP_COUNT_BYTES_SIEVED]));
    const bool merged = counts[OVERLAP_COUNT_MERGED] > 0;
    text += Wrapped((merged ? "merged " + number(OVERLAP_COUNT_MERGED) + ": " : "") + summary.chosen, kLinesOfChoice);
    text += Line(std::string("  shuffled: ") + BytesText(counts[OVERLAP_COUNT_BYTES_TO_SELF]) + " within a rank, " +
                 BytesText(counts[OVERLAP_COUNT_BYTES_TO_NODE]) + " within a node, " +
                 BytesText(counts[OVERLAP_COUNT_BYTES_TO_NETWORK]) + " between nodes");
    text += Line("  most of a node: file " + BytesText(most.of_file) + ", its NICs " + BytesText(most.to_network) +
                 (reads ? " in, " : " out, ") + BytesText(most.from_network) + (reads ? " out" : " in"));
    text += Line("  seconds of a rank                    least          mean          most");
    text += Row("waiting for others to begin", summary.seconds[OVERLAP_TIME_ENTRY]);
    text += Row("planning", summary.seconds[OVERLAP_TIME_PLANNING]);
    text += Row("shuffle", summary.seconds[OVERLAP_TIME_SHUFFLE]);
    text += Row(reads ? "read" : "write", summary.seconds[OVERLAP_TIME_FILE]);
    text += Row("copy", summary.seconds[OVERLAP_TIME_COPY]);
    text += Row("waiting for others to end", summary.seconds[OVERLAP_TIME_FINISH]);
    text += Row("sum: in the calls", summary.seconds[OVERLAP_TIME_ELAPSED]);
    text += Line("  rates: shuffle " + RateText(summary.ShuffleRate()) + ", raw " + (reads ? "read " : "write ") +
                 RateText(summary.FileRate()) + ", net " + RateText(summary.NetRate()));
    return text + Line("  " + GainText(summary, reads));
}

} // namespace

std::string TextOf(const Summary &summary) {
    const std::size_t nodes = summary.of[OVERLAP_WRITE].nodes.size();
    std::string text = Line("fcoll/overlap: " + std::to_string(summary.ranks) + " ranks on " + std::to_string(nodes) +
                            " nodes, " + summary.file);
    bool any = false;
    for (const overlap_direction direction : {OVERLAP_WRITE, OVERLAP_READ}) {
        const DirectionSummary &of = summary.of[direction];
        if (of.counts[OVERLAP_COUNT_CALLS] > 0) {
            text += DirectionText(of, direction == OVERLAP_READ);
            any = true;
        }
    }
    return any ? text : text + Line("no collective call");
}

} // namespace overlap
