// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "read_rules.h"

#include "../base/guard.h"
#include "../placement/site.h"
#include "../placement/topology/lines.h"

#include <cstdlib>
#include <memory>
#include <system_error>

namespace overlap {
namespace {

// Thousands of rules; what is longer was meant for something else, and would go to every rank.
constexpr std::size_t kLargestFile = std::size_t{1} << 20;

Outcome<std::string> ReadFile(const overlap_host &host, const char *path) {
    char *text = nullptr;
    std::size_t length = 0;
    const int error = host.read_text(host.self, path, &text, &length);
    const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
    const SourceText source{path, ""};
    if (error != 0) {
        return At(source, 0, std::generic_category().message(error));
    }
    if (length > kLargestFile) {
        return At(source, 0, "it has more than " + std::to_string(kLargestFile) + " bytes");
    }
    return std::string(text, length);
}

// On rank 0. The text for the other ranks is empty where there are no rules.
ParsedRules ReadOnRankZero(const overlap_host &host, const char *path, std::string &text) {
    Outcome<std::string> file = ReadFile(host, path);
    if (!file.ok()) {
        ParsedRules none;
        none.complaints.push_back(file.failure().message);
        return none;
    }
    ParsedRules parsed = ParseRules(SourceText{path, file.value()});
    if (!parsed.rules.empty()) {
        text = std::move(file.value());
    }
    return parsed;
}

std::string JoinLines(const std::vector<std::string> &lines) {
    std::string text;
    for (const std::string &line : lines) {
        text += (text.empty() ? "" : "\n") + line;
    }
    return text;
}

} // namespace

Status ReadRules(const Team &team, const overlap_host &host, const overlap_settings &settings, Rules &rules) noexcept {
    if (settings.rules[0] == '\0') {
        return Status();
    }
    const bool reads = team.rank() == 0;
    ParsedRules parsed;
    std::string complaints;
    Words words;
    Status status;
    if (reads) {
        status = Guarded([&] {
            std::string text;
            parsed = ReadOnRankZero(host, settings.rules, text);
            complaints = JoinLines(parsed.complaints);
            AppendText(words, text);
        });
    }
    status = team.Broadcast(words, status);
    if (!status.ok()) {
        return status;
    }
    if (!reads) {
        status = Guarded([&] {
            const std::int64_t *at = words.data();
            const std::string text = TakeText(at);
            if (!text.empty()) {
                parsed = ParseRules(SourceText{settings.rules, text});
            }
        });
    }
    status = team.Agree(status);
    if (!status.ok()) {
        return status;
    }
    rules = std::move(parsed.rules);
    if (!complaints.empty()) {
        host.warn(host.self, OVERLAP_WARNING_RULES, complaints.c_str());
    }
    return status;
}

} // namespace overlap
