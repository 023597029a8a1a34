// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "rounds.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <limits>
#include <numeric>
#include <random>

namespace compare {
namespace {

// std::shuffle may differ between standard libraries; a seed means the same order everywhere.
std::vector<std::size_t> Shuffled(std::size_t count, std::mt19937_64 &random) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = count; i > 1; --i) {
        std::swap(order[i - 1], order[random() % i]);
    }
    return order;
}

std::string NameOf(int round, const Options &options) {
    if (round == 0) {
        return "warm-up";
    }
    return round <= options.repetitions
               ? std::to_string(round) + "/" + std::to_string(options.repetitions)
               : "again " + std::to_string(round - options.repetitions) + "/" + std::to_string(options.settle);
}

void Turn(Entry &entry, int round, const Options &options, const Place &place) {
    std::cerr << "compare: " << NameOf(round, options) << ": " << entry.contender.label << std::flush;
    Outcome outcome;
    try {
        outcome = RunJob(entry.job, options, place, round == 0 && entry.verify && !entry.wrong_file);
    } catch (const Interrupted &) {
        std::cerr << ": interrupted\n";
        throw;
    }
    if (Failed *failed = std::get_if<Failed>(&outcome)) {
        if (failed->wrong_file && options.keep_wrong && !entry.wrong_file) {
            std::cerr << ": ITS FILE WAS WRONG, " << failed->reason << "; it goes on without verification\n";
            entry.wrong_file = std::move(*failed);
            Turn(entry, round, options, place);
            return;
        }
        std::cerr << ": FAILED, " << failed->reason << "\n";
        entry.failed = std::move(*failed);
        return;
    }
    Measured &measured = std::get<Measured>(outcome);
    char seconds[32];
    std::snprintf(seconds, sizeof(seconds), ": %.4f s", measured.seconds);
    std::cerr << seconds << "\n";
    if (round == 0) {
        entry.first = std::move(measured);
    } else {
        entry.runs.push_back(std::move(measured));
        entry.rounds.push_back(round);
    }
}

// By the round that does not count.
void Drop(std::vector<Entry> &entries, double above) {
    double fastest = std::numeric_limits<double>::infinity();
    for (const Entry &entry : entries) {
        if (entry.may_drop && entry.first && !entry.failed && !entry.wrong_file) {
            fastest = std::min(fastest, entry.first->seconds);
        }
    }
    for (Entry &entry : entries) {
        if (entry.may_drop && entry.first && entry.first->seconds > above * fastest) {
            entry.dropped = true;
            std::cerr << "compare: dropped: " << entry.contender.label << "\n";
        }
    }
}

} // namespace

std::optional<Summary> SummaryOf(const Entry &entry) {
    if (entry.failed) {
        return std::nullopt;
    }
    std::vector<double> seconds;
    for (const Measured &run : entry.runs) {
        seconds.push_back(run.seconds);
    }
    return Summarize(seconds);
}

Order RunRounds(std::vector<Entry> &entries, const Options &options, const Place &place) {
    Order order;
    std::mt19937_64 random(options.seed);
    for (int round = 0; round <= options.repetitions; ++round) {
        order.emplace_back();
        for (const std::size_t turn : Shuffled(entries.size(), random)) {
            if (!entries[turn].failed && !entries[turn].dropped) {
                order.back().push_back(entries[turn].contender.label);
                Turn(entries[turn], round, options, place);
            }
        }
        if (round == 0 && options.drop_above > 0) {
            Drop(entries, options.drop_above);
        }
    }
    return order;
}

void RunAgain(std::vector<Entry> &entries, const std::vector<std::size_t> &chosen, int more, const Options &options,
              const Place &place) {
    // A draw of its own: with the seed alone each such round had the order of the first one.
    std::seed_seq seeds{static_cast<std::uint32_t>(options.seed), static_cast<std::uint32_t>(options.seed >> 32),
                        static_cast<std::uint32_t>(more)};
    std::mt19937_64 random(seeds);
    for (const std::size_t turn : Shuffled(chosen.size(), random)) {
        if (!entries[chosen[turn]].failed) {
            Turn(entries[chosen[turn]], options.repetitions + more, options, place);
        }
    }
}

} // namespace compare
