// Decides what the calls of a file are done with, as far as nobody asked for it: by the rules of the site, else by what the
// model predicts from the rates that the calls themselves have shown, else as Choose does.
#ifndef OVERLAP_ENGINE_CHOOSE_CHOOSER_H
#define OVERLAP_ENGINE_CHOOSE_CHOOSER_H

#include "../model/model.h"
#include "../model/rates_words.h"
#include "../model/shown.h"
#include "../model/took.h"
#include "choice.h"
#include "rules.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace overlap {

/// How much a call writes, as far as ranks agree on it before they plan: each the most of any rank, but for the range.
struct CallSize {
    ByteCount range = 0; // from the first byte of the file that any rank writes to the last
    ByteCount bytes = 0;
    std::int64_t pieces = 0; // contiguous in the file

    /// Of all ranks together: exact where they fill the range, or have as much each.
    ByteCount Bytes(int ranks) const noexcept {
        ByteCount all = 0;
        return __builtin_mul_overflow(bytes, ByteCount{ranks}, &all) ? range : std::min(range, all);
    }
    ByteCount MeanPiece() const noexcept { return pieces > 0 ? DivideUp(bytes, pieces) : 0; }

    bool operator==(const CallSize &other) const noexcept {
        return range == other.range && bytes == other.bytes && pieces == other.pieces;
    }
};

/// What became of a choice, the same on all ranks.
struct Ran {
    int domains = 1;
    overlap_shuffle shuffle = OVERLAP_SHUFFLE_TWO_SIDED;
    double remote = 0; // the share of the bytes of an aggregator that came from other nodes, the most of all
};

/// What is promised, or was measured, has to be less than this share of what a call takes now before anything is changed:
/// the model errs by as much (test/unit/model_simulation_test.cc), and the first call after a change may have to make a new
/// plan.
inline constexpr double kWorthIt = 0.9;

/// The same on all ranks, as what it is told is.
class Chooser {
  public:
    /// `in_passing`: for nonblocking calls. Nothing is chosen for them by the model, and they know what earlier blocking
    /// calls have shown when the facts were asked for. `nics`: as in overlap_transport.
    Chooser(const overlap_settings &settings, int ranks, int nodes, bool in_passing = false, int nics = 0) noexcept
        : settings_(settings), ranks_(ranks), nodes_(nodes), nics_(nics), in_passing_(in_passing) {}

    /// `rules` outlive this.
    void Obey(const Rules &rules) noexcept { rules_ = &rules; }

    /// The most aggregators that a rule asks for, or the model may; 0 where neither does. After Prepare.
    int MostAggregators() const noexcept;

    /// Takes the memory that decisions need, for files and settings that make this of a choice that nobody advised on. What
    /// was decided stays. Throws std::bad_alloc.
    void Prepare(const Choice &asked, const overlap_file_facts &facts);

    /// For a call that is planned anew, and for all that repeat it until Learn says otherwise; after Prepare. Then Predict.
    void Decide(const overlap_file_facts &facts, const CallSize &size) noexcept;

    /// `limit`: the most domains that the placement has with the aggregators of choice(); `most`: with any number of them.
    void Predict(int limit, int most) noexcept;

    /// After Decide, of a call that goes on in passing: sub-buffers for all of a domain, as far as `eager` bytes go, so that
    /// its messages need not wait for the file. A size that somebody gave stays.
    void Widen(int limit, ByteCount eager) noexcept;

    /// Whether the model knows the storage that was decided for: by measuring, or as a page cache, which differs little.
    bool Foresees() const noexcept;

    /// Seconds that the call which was decided on is predicted to take with so many domains.
    double Expected(int domains) const noexcept;

    /// The call that was decided on, or one that repeats it, took so long. Whether the next one that repeats it is to be
    /// done otherwise, with the same plan: choice() says how.
    bool Learn(const Took &took, const Ran &ran) noexcept;

    const Choice &choice() const noexcept { return choice_; }

    /// What the model predicts from. After Decide.
    const Rates &rates_in_use() const noexcept { return rates_; }

    /// For overlap_file_facts of other files: RatesWords, ShownWords and the number of nodes.
    using Known = std::array<std::int64_t, OVERLAP_RATE_WORDS>;
    Known rates() const noexcept;

    /// What choice() is predicted to take, and the others that it was chosen from, in the order of preference.
    const Prediction &predicted() const noexcept { return candidates_[current_]; }
    const std::vector<Prediction> &candidates() const noexcept { return candidates_; }
    /// The line of the rule that spoke, 0 where none did.
    int rule() const noexcept { return advice_.line; }
    /// Whether that rule says how many aggregators there are.
    bool NumberIsAdvised() const noexcept { return advice_.aggregators.has_value(); }

  private:
    // Numbers of aggregators to compare: the one without a model, then others.
    struct Numbers {
        std::array<int, 3> of{};
        std::size_t count = 0;

        void Add(int number) noexcept;
        bool operator==(const Numbers &other) const noexcept { return count == other.count && of == other.of; }
    };

    void TakeFirstRates() noexcept;
    OpenSettings WhatIsOpen() const;
    bool ModelMayChoose() const noexcept;
    bool NumberIsOpen() const noexcept;
    int DomainsOf(int limit) const noexcept;
    Numbers NumbersOf(int limit, int most) const noexcept;
    void SetCandidates(bool ruled) noexcept;
    void PredictAll() noexcept;
    void PredictOfPlan(int domains) noexcept;
    bool HasTheSamePlan(std::size_t candidate) const noexcept;
    void TakeTheBest(bool of_plan) noexcept;
    void Adopt() noexcept;
    bool Knows(overlap_writer writer) const noexcept;

    const overlap_settings &settings_;
    const int ranks_;
    const int nodes_;
    const int nics_;
    const bool in_passing_;
    const Rules *rules_ = nullptr;
    Rates rates_;
    Shown shown_;
    bool has_rates_ = false;

    // Of Prepare.
    bool prepared_ = false;
    Choice asked_;
    overlap_file_facts facts_{};  // whose list is not looked at
    std::vector<Candidate> open_; // asked_ first, whatever the number of aggregators

    // Of the calls that were decided on.
    CallSize size_;
    bool again_ = false; // as large as the calls before
    Situation situation_;
    Load load_;
    Advice advice_;
    Choice choice_;
    Numbers numbers_;
    std::vector<Prediction> candidates_; // those of open_, or of a rule, for each of the numbers
    std::vector<double> measured_;       // seconds of the last calls with the candidate of that index; 0: there was none
    std::vector<double> expected_;       // seconds, of each candidate
    std::size_t current_ = 0;            // candidate
    bool cold_ = true;                   // there was no call with it since it was chosen
};

} // namespace overlap

#endif
