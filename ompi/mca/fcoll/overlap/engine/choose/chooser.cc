#include "chooser.h"

#include "../model/calibrate.h"
#include "../model/guess.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <tuple>

namespace overlap {
namespace {

// What a prediction has to promise, or a measurement to have shown, before something else is done than before: the model
// errs by as much (test/unit/model_simulation_test.cc), and the first call after a change may have to make a new plan.
constexpr double kWorthIt = 0.9;

// The gaps are counted as one extent for each piece, as where ranks do not fill each other's.
Load LoadOf(const Situation &situation, bool gaps) noexcept {
    const std::int64_t pieces = std::max<std::int64_t>(1, situation.bytes / std::max<ByteCount>(1, situation.mean_piece));
    Load load;
    load.bytes = situation.bytes;
    load.pieces = pieces;
    load.extents = gaps ? pieces : 1;
    load.ranks = situation.ranks;
    load.nodes = situation.nodes;
    load.period = std::max<ByteCount>(1, std::min(situation.bytes, situation.mean_piece * situation.ranks));
    load.remote = 1 - 1.0 / situation.nodes;
    return load;
}

template <typename Value> void AddOthers(std::vector<Value> &values, std::initializer_list<Value> others) {
    for (const Value other : others) {
        if (std::find(values.begin(), values.end(), other) == values.end()) {
            values.push_back(other);
        }
    }
}

} // namespace

void Chooser::Prepare(const Choice &asked, const overlap_file_facts &facts) {
    const auto known = [](const overlap_file_facts &of) {
        return std::make_tuple(of.collective_buffer_size, of.collective_buffer_chosen, of.processors,
                               std::string_view(of.file_system));
    };
    if (prepared_ && asked == asked_ && known(facts) == known(facts_)) {
        return;
    }
    prepared_ = false;
    asked_ = asked;
    facts_ = facts;
    facts_.ompio_aggregators = nullptr;
    facts_.ompio_aggregator_count = 0;
    open_ = CandidatesOf(WhatIsOpen());
    choice_.ompio.reserve(asked.ompio.size());
    candidates_.reserve(open_.size());
    measured_.reserve(open_.size());
    situation_.ranks = ranks_;
    situation_.nodes = nodes_;
    situation_.ranks_per_node = static_cast<int>(DivideUp(ranks_, nodes_));
    situation_.file_system = facts.file_system;
    if (!has_rates_) {
        rates_ = FirstRates();
        has_rates_ = true;
    }
    prepared_ = true;
}

Rates Chooser::FirstRates() const {
    static_assert(std::tuple_size_v<RatesWords> == OVERLAP_RATE_WORDS);
    if (facts_.rates_known == 0) {
        return GuessedRates(nodes_, situation_.file_system, 0, 0);
    }
    RatesWords words{};
    std::copy(std::begin(facts_.rates), std::end(facts_.rates), words.begin());
    return RatesOf(words);
}

// What Choose takes comes first, or alone: where the model has nothing to say because processors write, and where windows
// are made for a plan. Which kernel queue a file system is good at, nobody knows before he has tried, so no other writer is
// tried.
OpenSettings Chooser::WhatIsOpen() const {
    OpenSettings open;
    open.algorithms = {asked_.algorithm};
    open.shuffles = {asked_.shuffle};
    open.writers = {asked_.writer};
    open.slots = {asked_.slots};
    open.sub_buffers = {asked_.sub_buffer};
    open.aggregators = {1}; // Predict knows how many
    open.collective_buffer = std::max<ByteCount>(facts_.collective_buffer_size, asked_.sub_buffer);
    if (ProcessorsWrite(facts_, ranks_, nodes_) || asked_.shuffle != OVERLAP_SHUFFLE_TWO_SIDED) {
        return open;
    }
    if (settings_.algorithm == OVERLAP_ALGORITHM_AUTO) {
        AddOthers(open.algorithms, {OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_ALGORITHM_WRITE,
                                    OVERLAP_ALGORITHM_COMM, OVERLAP_ALGORITHM_NONE});
    }
    if (settings_.slots == OVERLAP_SLOTS_AUTO) {
        AddOthers(open.slots, {4, 8, 16});
    }
    if (facts_.collective_buffer_chosen == 0 && !asked_.striped && asked_.striping.stripe == 0) {
        AddOthers(open.sub_buffers, {2 * asked_.sub_buffer, 4 * asked_.sub_buffer});
    }
    return open;
}

void Chooser::Decide(const CallSize &size) noexcept {
    situation_.bytes = size.Bytes(ranks_);
    situation_.mean_piece = size.MeanPiece();
    load_ = LoadOf(situation_, situation_.bytes < size.range);
    const Advice advice = rules_.Match(situation_);
    rule_ = advice.line;
    choice_ = asked_;
    if (rule_ != 0) {
        Follow(advice, settings_, facts_, ranks_, nodes_, choice_);
    }
}

// Who wrote a rule knows better than the model.
void Chooser::Predict(int limit) noexcept {
    const ByteCount worth = std::max<ByteCount>(1, situation_.bytes / choice_.SmallestDomain());
    const int aggregators = static_cast<int>(std::min<ByteCount>(worth, std::max(1, limit)));
    candidates_.clear();
    for (const Candidate &candidate : open_) {
        candidates_.push_back(Prediction{candidate});
        candidates_.back().candidate.aggregators = aggregators;
    }
    if (rule_ != 0) {
        candidates_.resize(1);
        candidates_[0].candidate =
            Candidate{choice_.algorithm, choice_.shuffle, choice_.writer, choice_.slots, choice_.sub_buffer, aggregators};
    }
    for (Prediction &one : candidates_) {
        one = overlap::Predict(load_, rates_, one.candidate);
    }
    measured_.assign(candidates_.size(), 0);
    current_ = Knows(choice_.writer) ? Best() : 0;
    Adopt();
}

// What Choose takes, unless another is predicted to be worth it.
std::size_t Chooser::Best() const noexcept {
    const auto faster = [](const Prediction &a, const Prediction &b) { return a.seconds < b.seconds; };
    const auto best = std::min_element(candidates_.begin(), candidates_.end(), faster);
    const bool worth_it = best->seconds < kWorthIt * candidates_.front().seconds;
    return worth_it ? static_cast<std::size_t>(best - candidates_.begin()) : 0;
}

// Of candidates that were tried their times count. The others are predicted to differ from the current one as the model
// says.
void Chooser::Learn(const Took &took, int domains) noexcept {
    if (candidates_.empty() || took.call <= 0) {
        return;
    }
    double &own = measured_[current_];
    own = own > 0 ? std::min(own, took.call) : took.call;
    Candidate used = candidates_[current_].candidate;
    used.aggregators = domains;
    Calibrate(load_, used, took, rates_);
    for (Prediction &one : candidates_) {
        one.candidate.aggregators = domains;
        one = overlap::Predict(load_, rates_, one.candidate);
    }
    const double scale = own / std::max(1e-9, candidates_[current_].seconds);
    const auto expected = [&](std::size_t i) { return measured_[i] > 0 ? measured_[i] : scale * candidates_[i].seconds; };
    std::size_t best = current_;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        best = expected(i) < kWorthIt * own && expected(i) < expected(best) ? i : best;
    }
    current_ = best;
    Adopt();
}

void Chooser::Adopt() noexcept {
    const Candidate &candidate = candidates_[current_].candidate;
    choice_.algorithm = candidate.algorithm;
    choice_.slots = candidate.slots;
    choice_.sub_buffer = candidate.sub_buffer;
}

bool Chooser::Knows(overlap_writer writer) const noexcept {
    const bool shuffle = nodes_ > 1 ? rates_.between.byte.measured : rates_.copy.measured;
    return shuffle && rates_.Of(writer).byte.measured;
}

} // namespace overlap
