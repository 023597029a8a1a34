// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// One collective in which all ranks agree on named values and on the most severe status.
#ifndef OVERLAP_ENGINE_TEAM_AGREEMENT_H
#define OVERLAP_ENGINE_TEAM_AGREEMENT_H

#include "team.h"

#include <limits>

namespace overlap {

/// Each value is this rank's before Run, and behind it what is said of all ranks', unless the transport failed: then it is
/// unchanged. All ranks name the same values in the same order. Values outlive Run. Takes no memory.
class Agreement {
  public:
    /// What a rank without a value of its own offers.
    static constexpr std::int64_t kNoMaximum = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t kNoMinimum = std::numeric_limits<std::int64_t>::max();

    void Max(std::int64_t &value) noexcept { Add(Named{&value, nullptr, false}); }
    void Min(std::int64_t &value) noexcept { Add(Named{&value, nullptr, true}); }
    void Any(bool &value) noexcept { Add(Named{nullptr, &value, false}); }
    void All(bool &value) noexcept { Add(Named{nullptr, &value, true}); }

    /// Collective. The most severe status of all ranks, `local` among them; all ranks return the same.
    Status Run(const Team &team, Status local) noexcept {
        std::array<std::int64_t, kMost + 1> words;
        return Run(team, local, words.data(), 0);
    }

    /// The same, and of each of `values`, which have capacity for kMost + 1 more, the largest.
    Status Run(const Team &team, Status local, Words &values) noexcept {
        const std::size_t before = values.size();
        values.resize(before + count_ + 1);
        const Status status = Run(team, local, values.data(), before);
        values.resize(before);
        return status;
    }

    /// Named values at most.
    static constexpr std::size_t kMost = 40;

  private:
    struct Named {
        std::int64_t *value; // either this
        bool *flag;          // or this
        bool smallest;
    };

    void Add(const Named &named) noexcept { named_[count_++] = named; }

    // The named values go behind `before` words. The smallest is the largest of the complements, which every number has:
    // -INT64_MIN is none.
    Status Run(const Team &team, Status local, std::int64_t *words, std::size_t before) noexcept {
        for (std::size_t i = 0; i < count_; ++i) {
            const std::int64_t value = named_[i].flag != nullptr ? *named_[i].flag : *named_[i].value;
            words[before + i] = named_[i].smallest ? ~value : value;
        }
        const Status status = team.AgreeInPlace(words, before + count_ + 1, local);
        for (std::size_t i = 0; i < count_; ++i) {
            const std::int64_t value = named_[i].smallest ? ~words[before + i] : words[before + i];
            if (named_[i].flag != nullptr) {
                *named_[i].flag = value != 0;
            } else {
                *named_[i].value = value;
            }
        }
        return status;
    }

    std::array<Named, kMost> named_;
    std::size_t count_ = 0;
};

} // namespace overlap

#endif
