// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "node_messages.h"

#include "../plan/run_words.h"

#include <cstring>

namespace overlap {
namespace {

constexpr std::size_t kNameWords = OVERLAP_NODE_MEMORY_NAME / sizeof(std::int64_t);
constexpr std::size_t kDescriptionWords = 2; // before the runs
constexpr std::size_t kVerdictWords = 3 + kNameWords;

} // namespace

UnsizedMessage MessageOf(const Description &description, const StridedList &file) {
    UnsizedMessage message;
    message.Add({description.kind, description.distance});
    if (description.kind == Description::kAnew) {
        AddRuns(file, message);
    }
    return message;
}

UnsizedMessage MessageOf(const Verdict &verdict) {
    UnsizedMessage message;
    message.Add({verdict.kind});
    if (verdict.kind == Verdict::kMerged) {
        message.Add({verdict.memory, verdict.join});
        std::memcpy(message.Extend(kNameWords), verdict.name.data(), verdict.name.size());
        AddRuns(verdict.positions, message);
    }
    return message;
}

Description DescriptionOf(const Words &words, StridedList &file) {
    RequireForm(words.size() >= kDescriptionWords);
    Description description;
    description.kind = static_cast<Description::Kind>(words[0]);
    description.distance = words[1];
    if (description.kind == Description::kAnew) {
        file = RunsOf(words.data() + kDescriptionWords, words.size() - kDescriptionWords);
        RequireForm(file.ascending());
    }
    return description;
}

Verdict VerdictOf(const Words &words) {
    RequireForm(!words.empty());
    Verdict verdict;
    verdict.kind = static_cast<Verdict::Kind>(words[0]);
    if (verdict.kind == Verdict::kMerged) {
        RequireForm(words.size() >= kVerdictWords);
        verdict.memory = words[1];
        verdict.join = words[2];
        std::memcpy(verdict.name.data(), words.data() + 3, verdict.name.size());
        verdict.positions = RunsOf(words.data() + kVerdictWords, words.size() - kVerdictWords);
    }
    return verdict;
}

} // namespace overlap
