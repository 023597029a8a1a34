// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the ranks write: a pattern's arithmetic, as bench/kernels have it for MPI.
#ifndef BENCH_SIMULATE_PATTERNS_H
#define BENCH_SIMULATE_PATTERNS_H

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace CLI {
class App;
}

namespace simulate {

using Bytes = std::int64_t;

/// A call of all ranks; the next one is the same, so much further on in the file.
class Pattern {
  public:
    /// Takes a piece of a rank's stream: offset in the file, length.
    using Sink = std::function<void(Bytes offset, Bytes length)>;

    virtual ~Pattern() = default;

    /// Before the first question about so many ranks. Throws std::invalid_argument where they do not fit.
    virtual void Prepare(int /*ranks*/) {}
    virtual Bytes extent(int ranks) const = 0;
    /// Ascending.
    virtual void ForEach(int rank, int ranks, const Sink &sink) const = 0;
    virtual nlohmann::ordered_json Parameters() const = 0;
};

/// Adds a subcommand for each; the one that is named becomes `*pattern`.
void AddPatterns(CLI::App &app, std::shared_ptr<Pattern> *pattern, std::string *name);

} // namespace simulate

#endif
