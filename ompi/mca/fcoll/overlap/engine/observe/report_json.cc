// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report_json.h"

#include "../ports.h"

#include <cmath>
#include <cstdio>
#include <locale>
#include <sstream>
#include <string_view>

namespace overlap {
namespace {

// The version of the schema.
constexpr int kVersion = 1;

// Bytes of the UTF-8 character that `text` begins with, 0 where it begins with none.
std::size_t LengthOfCharacter(std::string_view text) {
    const auto byte = [text](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    const bool longer_than_needed = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool no_character = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    return longer_than_needed || no_character ? 0 : length;
}

// A file's name may be any bytes; what is no UTF-8 cannot be written in JSON.
std::string Quoted(std::string_view text) {
    std::string quoted = "\"";
    while (!text.empty()) {
        const std::size_t length = LengthOfCharacter(text);
        const char first = text.front();
        if (length == 0) {
            quoted += "\\ufffd";
        } else if (static_cast<unsigned char>(first) < ' ') {
            char escaped[8];
            std::snprintf(escaped, sizeof(escaped), "\\u%04x", static_cast<unsigned>(first));
            quoted += escaped;
        } else {
            quoted += first == '"' || first == '\\' ? "\\" : "";
            quoted += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return quoted + '"';
}

// Whatever the program's locale has in the place of the point.
std::string Number(double number) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(9);
    text << (std::isfinite(number) ? number : 0.0);
    return text.str();
}

// An object, member by member.
class Object {
  public:
    Object &Add(std::string_view name, const std::string &value) {
        text_ += text_.empty() ? "" : ",";
        text_ += Quoted(name) + ":" + value;
        return *this;
    }
    Object &Add(std::string_view name, std::int64_t number) { return Add(name, std::to_string(number)); }
    std::string Text() const { return "{" + text_ + "}"; }

  private:
    std::string text_;
};

std::string SpreadJson(const Spread &spread) {
    return Object()
        .Add("least", Number(spread.least))
        .Add("mean", Number(spread.mean))
        .Add("most", Number(spread.most))
        .Text();
}

std::string OverlapJson(const DirectionSummary &summary) {
    static constexpr const char *kBounds[] = {"nothing", "turns", "shuffles", "file"};
    const Gain &gain = summary.gain;
    return Object()
        .Add("gained", gain.ranks > 0 ? Number(gain.Share()) : "null")
        .Add("shuffle", Number(gain.shuffle))
        .Add("file", Number(gain.file))
        .Add("elapsed", Number(gain.elapsed))
        .Add("ranks", gain.ranks)
        .Add("bound", Quoted(kBounds[static_cast<std::size_t>(summary.Bound())]))
        .Text();
}

std::string NodesJson(const std::vector<NodeTraffic> &nodes) {
    std::string list;
    for (const NodeTraffic &node : nodes) {
        list += list.empty() ? "" : ",";
        list += Object()
                    .Add("bytes_of_file", node.of_file)
                    .Add("bytes_to_network", node.to_network)
                    .Add("bytes_from_network", node.from_network)
                    .Text();
    }
    return "[" + list + "]";
}

std::string DirectionJson(const DirectionSummary &summary) {
    Object json;
    for (std::size_t i = 0; i < OVERLAP_COUNTS; ++i) {
        json.Add(overlap_count_rows[i].name, summary.counts[i]);
    }
    json.Add("chosen", Quoted(summary.chosen));
    Object seconds;
    for (std::size_t i = 0; i < OVERLAP_TIMES; ++i) {
        seconds.Add(overlap_time_rows[i].name, SpreadJson(summary.seconds[i]));
    }
    json.Add("seconds", seconds.Text());
    Object rates;
    rates.Add("shuffle", Number(summary.ShuffleRate()))
        .Add("file", Number(summary.FileRate()))
        .Add("net", Number(summary.NetRate()));
    json.Add("bytes_a_second", rates.Text());
    json.Add("overlap", OverlapJson(summary));
    json.Add("nodes", NodesJson(summary.nodes));
    return json.Text();
}

} // namespace

std::string JsonOf(const Summary &summary) {
    Object json;
    json.Add("overlap_report", kVersion).Add("file", Quoted(summary.file)).Add("ranks", summary.ranks);
    json.Add("writes", DirectionJson(summary.of[OVERLAP_WRITE]));
    json.Add("reads", DirectionJson(summary.of[OVERLAP_READ]));
    return json.Text() + "\n";
}

} // namespace overlap
