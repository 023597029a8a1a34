#include "chooser.h"

#include "../model/calibrate.h"
#include "../model/guess.h"
#include "../placement/usual_number.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace overlap {
namespace {

// Seconds of a call below which learning from it, some 20 microseconds on every rank, would cost more than it may bring.
constexpr double kWorthLearning = 10e-3;

// The gaps are counted as one extent for each piece, as where ranks do not fill each other's.
Load LoadOf(const Situation &situation, bool gaps) noexcept {
    const ByteCount piece = std::max<ByteCount>(1, situation.mean_piece);
    Load load;
    load.bytes = situation.bytes;
    load.pieces = std::max<std::int64_t>(1, situation.bytes / piece);
    load.extents = gaps ? load.pieces : 1;
    load.ranks = situation.ranks;
    load.nodes = situation.nodes;
    load.period =
        std::max<ByteCount>(1, piece > situation.bytes / situation.ranks ? situation.bytes : piece * situation.ranks);
    load.remote = 1 - 1.0 / situation.nodes; // until a plan says better
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
        return std::make_tuple(of.collective_buffer_size, of.collective_buffer_chosen, of.posix,
                               std::string_view(of.file_system));
    };
    if (prepared_ && asked == asked_ && known(facts) == known(facts_)) {
        return;
    }
    prepared_ = false;
    asked_ = asked;
    facts_ = facts;
    open_ = CandidatesOf(WhatIsOpen());
    choice_.ompio.reserve(asked.ompio.size());
    const std::size_t most = open_.size() * (NumberIsOpen() ? std::tuple_size_v<decltype(Numbers::of)> : 1);
    candidates_.reserve(most);
    measured_.reserve(most);
    expected_.reserve(most);
    situation_.file_system = facts.file_system;
    size_ = CallSize();
    prepared_ = true;
}

// The upper bound that every rank knows before the placement's limits.
int Chooser::MostAggregators() const noexcept {
    const int of_rules = rules_ == nullptr ? 0 : rules_->MostAggregators();
    const std::int64_t twice = std::int64_t{2} * MostUsualDomains(ranks_, nodes_, nics_, asked_.targets);
    return NumberIsOpen() ? std::max(of_rules, static_cast<int>(std::min<std::int64_t>(ranks_, twice))) : of_rules;
}

// Where ranks are spread otherwise they have other rates.
void Chooser::TakeFirstRates() noexcept {
    static_assert(kRateWords + kShownWords + 1 == OVERLAP_RATE_WORDS);
    if (facts_.rates_known == 0 || facts_.rates[OVERLAP_RATE_WORDS - 1] != nodes_) {
        rates_ = GuessedRates(nodes_, situation_.file_system, 0, 0);
        shown_ = Shown();
        return;
    }
    RatesWords words{};
    ShownWords shown{};
    std::copy_n(facts_.rates, words.size(), words.begin());
    std::copy_n(facts_.rates + words.size(), shown.size(), shown.begin());
    rates_ = RatesOf(words);
    shown_ = ShownOf(shown);
}

Chooser::Known Chooser::rates() const noexcept {
    const RatesWords words = WordsOf(rates_);
    const ShownWords shown = WordsOf(shown_);
    Known known{};
    std::copy(shown.begin(), shown.end(), std::copy(words.begin(), words.end(), known.begin()));
    known.back() = nodes_;
    return known;
}

// Not where writes are copies, as the model knows nothing of caches, nor of processors that have a rank each to run, and not
// where windows are made for a plan.
bool Chooser::ModelMayChoose() const noexcept {
    return !in_passing_ && !WritesAreCopies(facts_, nodes_) && asked_.shuffle == OVERLAP_SHUFFLE_TWO_SIDED;
}

// Other placements have reasons for their numbers. The model knows of one domain an aggregator, and nothing of stripes that
// are dealt.
bool Chooser::NumberIsOpen() const noexcept {
    return ModelMayChoose() && asked_.aggregators == 0 && asked_.partition == OVERLAP_PARTITION_EVEN &&
           settings_.placement == OVERLAP_PLACEMENT_SPREAD && settings_.domains_per_rank <= 1;
}

// What Choose takes comes first, or alone. Which kernel queue a file system is good at, nobody knows before he has tried, so
// no other writer is tried. What the cycles end with, where somebody gave sizes, follows from their number.
OpenSettings Chooser::WhatIsOpen() const {
    OpenSettings open;
    open.algorithms = {asked_.algorithm};
    open.shuffles = {asked_.shuffle};
    open.writers = {asked_.writer};
    open.slots = {asked_.slots};
    open.sub_buffers = {asked_.sub_buffer};
    open.aggregators = {1}; // Predict knows which
    open.collective_buffer = std::max<ByteCount>(facts_.collective_buffer_size, asked_.sub_buffer);
    if (!ModelMayChoose()) {
        return open;
    }
    const bool sized = facts_.collective_buffer_chosen != 0 || asked_.striped || asked_.striping.stripe > 0;
    if (settings_.algorithm == OVERLAP_ALGORITHM_AUTO) {
        AddOthers(open.algorithms, {OVERLAP_ALGORITHM_DATAFLOW, OVERLAP_ALGORITHM_WRITE_COMM, OVERLAP_ALGORITHM_WRITE,
                                    OVERLAP_ALGORITHM_COMM});
    }
    if (settings_.algorithm == OVERLAP_ALGORITHM_AUTO && !sized) {
        AddOthers(open.algorithms, {OVERLAP_ALGORITHM_NONE});
    }
    if (settings_.slots == OVERLAP_SLOTS_AUTO && !sized) {
        AddOthers(open.slots, {4, 8, 16});
    }
    if (!sized) {
        AddOthers(open.sub_buffers, {2 * asked_.sub_buffer, 4 * asked_.sub_buffer});
    }
    return open;
}

void Chooser::Decide(const overlap_file_facts &facts, const CallSize &size) noexcept {
    facts_ = facts;
    if (!has_rates_ || in_passing_) {
        TakeFirstRates();
        has_rates_ = true;
    }
    situation_.ranks = ranks_;
    situation_.nodes = nodes_;
    situation_.ranks_per_node = static_cast<int>(DivideUp(ranks_, nodes_));
    situation_.bytes = size.Bytes(ranks_);
    situation_.mean_piece = size.MeanPiece();
    again_ = size == size_;
    size_ = size;
    load_ = LoadOf(situation_, situation_.bytes < size.range);
    advice_ = rules_ == nullptr ? Advice() : rules_->Match(situation_);
    choice_ = asked_;
    if (advice_.line != 0) {
        Follow(advice_, settings_, facts_, ranks_, nodes_, in_passing_, choice_);
    }
}

// As many as are worth an aggregator.
int Chooser::DomainsOf(int limit) const noexcept {
    const ByteCount worth = std::max<ByteCount>(1, situation_.bytes / choice_.SmallestDomain());
    return static_cast<int>(std::min<ByteCount>(worth, std::max(1, limit)));
}

// One block more, as domains and cycles end with whole ones.
void Chooser::Widen(int limit, ByteCount eager) noexcept {
    if (facts_.collective_buffer_chosen != 0 || advice_.sub_buffer || choice_.striping.stripe > 0) {
        return;
    }
    const ByteCount blocks = DivideUp(DivideUp(situation_.bytes, DomainsOf(limit)), choice_.alignment) + 1;
    const ByteCount whole = DivideUp(blocks, choice_.slots) * choice_.alignment;
    choice_.sub_buffer = std::max(choice_.sub_buffer, std::min(whole, eager / choice_.slots));
}

bool Chooser::Foresees() const noexcept { return Knows(choice_.writer) || WritesAreCopies(facts_, nodes_); }

double Chooser::Expected(int domains) const noexcept {
    const Candidate candidate{choice_.algorithm, choice_.shuffle,    choice_.writer,
                              choice_.slots,     choice_.sub_buffer, domains};
    return rates_.excess[static_cast<std::size_t>(choice_.algorithm)].value *
           overlap::Predict(load_, rates_, candidate).seconds;
}

void Chooser::Numbers::Add(int number) noexcept {
    if (std::find(of.begin(), of.end(), number) == of.end()) {
        of[count++] = number;
    }
}

// Half and twice of it: few, as each has all the other candidates.
Chooser::Numbers Chooser::NumbersOf(int limit, int most) const noexcept {
    Numbers numbers;
    numbers.Add(DomainsOf(limit));
    if (NumberIsOpen() && choice_.aggregators == 0 && choice_.striping.stripe == 0) {
        numbers.Add(std::max(1, DomainsOf(limit) / 2));
        numbers.Add(DomainsOf(std::min({2 * DomainsOf(limit), most, ranks_})));
    }
    return numbers;
}

// Of another call of the same size what was tried is still known. Who wrote a rule of how a call is done knows better than
// the model.
void Chooser::Predict(int limit, int most) noexcept {
    const bool ruled = advice_.algorithm || advice_.slots || advice_.sub_buffer || advice_.shuffle || advice_.writer;
    Numbers numbers = NumbersOf(limit, most);
    numbers.count = ruled ? 1 : numbers.count;
    again_ = again_ && numbers == numbers_;
    numbers_ = numbers;
    if (!again_) {
        SetCandidates(ruled);
    }
    PredictAll();
    if (!again_ && Knows(choice_.writer)) {
        TakeTheBest(false);
    }
    cold_ = true;
    Adopt();
}

void Chooser::SetCandidates(bool ruled) noexcept {
    candidates_.clear();
    if (ruled) {
        candidates_.push_back(
            Prediction{{choice_.algorithm, choice_.shuffle, choice_.writer, choice_.slots, choice_.sub_buffer, 1}});
    }
    for (std::size_t number = 0; number < numbers_.count && !ruled; ++number) {
        for (const Candidate &candidate : open_) {
            candidates_.push_back(Prediction{candidate});
        }
    }
    measured_.assign(candidates_.size(), 0);
    current_ = 0;
}

// With another number of aggregators: no less than the rates say, nor than what was shown of the storage makes of what the
// same candidate takes with the usual number.
void Chooser::PredictAll() noexcept {
    const std::size_t each = candidates_.size() / numbers_.count;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        candidates_[i].candidate.aggregators = numbers_.of[i / each];
        candidates_[i] = overlap::Predict(load_, rates_, candidates_[i].candidate);
    }
    if (numbers_.count == 1 || shown_.writer != choice_.writer) {
        return;
    }
    const Rates worst = NoBetterThan(shown_, choice_.writer, CycleOf(load_, candidates_[0].candidate), rates_);
    for (std::size_t i = 0; i < each; ++i) {
        const Prediction &usual = candidates_[i];
        const double with_usual = overlap::Predict(load_, worst, usual.candidate).seconds;
        for (std::size_t other = i + each; other < candidates_.size(); other += each) {
            Prediction &one = candidates_[other];
            const double with_other = overlap::Predict(load_, worst, one.candidate).seconds;
            one.seconds = std::max(one.seconds, usual.seconds * with_other / with_usual);
        }
    }
}

// Only those count that need no other plan, which has so many domains.
void Chooser::PredictOfPlan(int domains) noexcept {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        Prediction &one = candidates_[i];
        if (HasTheSamePlan(i)) {
            one.candidate.aggregators = domains;
            one = overlap::Predict(load_, rates_, one.candidate);
        }
    }
}

bool Chooser::HasTheSamePlan(std::size_t candidate) const noexcept {
    const std::size_t each = candidates_.size() / numbers_.count;
    return candidate / each == current_ / each &&
           candidates_[candidate].candidate.sub_buffer == candidates_[current_].candidate.sub_buffer;
}

// Candidates that were tried count by what they took.
void Chooser::TakeTheBest(bool of_plan) noexcept {
    const std::size_t with_usual_number = candidates_.size() / numbers_.count;
    const std::size_t known = shown_.writer == choice_.writer ? candidates_.size() : with_usual_number;
    expected_.clear();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const Prediction &one = candidates_[i];
        const double excess = rates_.excess[static_cast<std::size_t>(one.candidate.algorithm)].value;
        const double seconds = measured_[i] > 0 ? measured_[i] : excess * one.seconds;
        const bool reached = of_plan ? HasTheSamePlan(i) : i < known;
        expected_.push_back(reached ? seconds : std::numeric_limits<double>::infinity());
    }
    current_ = BestOf(expected_, current_, kWorthIt);
}

// The first call of a plan, or with another choice, also pays for memory that nobody has touched yet: the rates learn from
// it, so that the next file has any, but it does not stand for the candidate.
bool Chooser::Learn(const Took &took, const Ran &ran) noexcept {
    const Candidate &used = candidates_[current_].candidate;
    const bool by_posix = used.writer == OVERLAP_WRITER_THREAD && facts_.posix != 0;
    const bool as_chosen = ran.shuffle == used.shuffle && (by_posix || used.writer == OVERLAP_WRITER_FBTL);
    if (took.call < kWorthLearning || candidates_.size() == 1 || !as_chosen || ran.domains > ranks_) {
        return false;
    }
    load_.remote = ran.remote;
    PredictOfPlan(ran.domains);
    Calibrate(load_, used, took, rates_, shown_);
    PredictOfPlan(ran.domains);
    if (std::exchange(cold_, false)) {
        return false;
    }
    double &own = measured_[current_];
    own = own > 0 ? (own + took.call) / 2 : took.call;
    const std::size_t before = current_;
    TakeTheBest(true);
    cold_ = current_ != before;
    Adopt();
    return cold_;
}

// A number that nobody chose stays the placement's to find.
void Chooser::Adopt() noexcept {
    const Candidate &candidate = candidates_[current_].candidate;
    const std::size_t number = current_ / (candidates_.size() / numbers_.count);
    choice_.aggregators = number > 0 ? numbers_.of[number] : choice_.aggregators;
    choice_.algorithm = candidate.algorithm;
    choice_.slots = candidate.slots;
    choice_.sub_buffer = candidate.sub_buffer;
}

bool Chooser::Knows(overlap_writer writer) const noexcept {
    const bool shuffle = nodes_ > 1 ? rates_.between.byte.measured : rates_.copy.measured;
    return shuffle && rates_.Of(writer).byte.measured;
}

} // namespace overlap
