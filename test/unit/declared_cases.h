// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the tests of declared writes share.
#ifndef TEST_UNIT_DECLARED_CASES_H
#define TEST_UNIT_DECLARED_CASES_H

#include "access/access.h"
#include "write_cases.h"

#include <map>
#include <string>
#include <vector>

namespace overlap::test {

// What the calls leave where each is done at once, the later one's bytes kept.
inline void Apply(const Pieces &pieces, Content &file) {
    for (const Piece &piece : pieces) {
        piece.ForEachByte([&file](std::int64_t offset, char byte) { file[offset] = byte; });
    }
}

inline ClusterOptions Nodes(int ranks) {
    ClusterOptions options = OptionsFor(ranks, 1024, 2);
    options.ranks_per_node = 2;
    return options;
}

// The layout of a call as a declaration has it.
inline std::string LayoutText(const Piece &piece) {
    std::string text;
    BuildAccess(piece.Access()).file.ForEachRun([&text](const Run &run) {
        text += (text.empty() ? "" : ",") + std::to_string(run.start) + ":" + std::to_string(run.length) + ":" +
                std::to_string(run.stride) + ":" + std::to_string(run.count);
    });
    return text;
}

inline std::string LayoutsText(const std::vector<Pieces> &calls, std::size_t rank) {
    std::string text;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        text += LayoutText(calls[call][rank]) + ";";
    }
    return text;
}

// Collective: each rank declares its part of the calls.
inline void Declare(const OpenFile &file, const std::vector<Pieces> &calls, int error = OVERLAP_SUCCESS) {
    overlap_file_declare(file, LayoutsText(calls, file.index()).c_str(), error);
}

} // namespace overlap::test

#endif
