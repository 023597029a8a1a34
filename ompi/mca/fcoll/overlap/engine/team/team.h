// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The ranks of a file as one: the only part of the engine that agrees with others, and that hears them without knowing how
// much they have to say.
#ifndef OVERLAP_ENGINE_TEAM_TEAM_H
#define OVERLAP_ENGINE_TEAM_TEAM_H

#include "../base/node_map.h"
#include "messages.h"

#include <array>
#include <limits>
#include <memory>

namespace overlap {

/// Nothing here allocates but where it says so, so that a rank that lacks memory for everything else still takes part.
class Team {
  public:
    /// Throws std::bad_alloc.
    explicit Team(const overlap_transport &transport);

    Rank rank() const { return transport_.rank; }
    int size() const { return transport_.size; }
    const NodeMap &node_map() const { return node_map_; }
    int nodes() const { return node_map_.nodes(); }

    /// For messages to ranks that are known, windows, and progress; its collectives are not called but here.
    const overlap_transport &transport() const { return transport_; }

    /// Collective: the most severe status of all ranks.
    Status Agree(Status local) const noexcept;

    /// Collective: of each value that of all ranks, in place. Where the collective fails they stay as they are.
    Status Reduce(std::int64_t *values, std::size_t count, overlap_reduction reduction) const noexcept;

    /// Collective: `bytes` bytes of rank 0 to all ranks.
    Status Broadcast(void *data, std::size_t bytes) const noexcept;

    /// Collective: words of rank 0 to all ranks, whatever their number; `local` is the status of rank 0, of other ranks
    /// what keeps them from following. All ranks return the same error, and the words only where there is none.
    Status Broadcast(Words &words, Status local) const noexcept;

    /// A message to one rank, which hears it (Hear) while this one waits.
    Status Tell(Rank peer, Tag tag, UnsizedMessage &message) const noexcept;

    /// The next message with this tag from any rank, `source`; blocks. Returns the sender's status, or what went wrong here;
    /// the message is taken then, but the words are empty.
    Status Hear(Tag tag, Words &words, Rank &source) const noexcept;

  private:
    const overlap_transport transport_;
    const NodeMap node_map_;
    // Room for any part of a message, and for the values of a reduction; only what is used becomes resident.
    std::unique_ptr<std::int64_t[]> part_;
};

/// One collective in which all ranks agree on named values and on the most severe status. Each value is this rank's before
/// Run, and behind it what is said of all ranks', unless the transport failed: then it is unchanged. All ranks name the same
/// values in the same order. Values outlive Run. Takes no memory.
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

    /// The same, and of each of `before` words the largest. Behind them is room for kMost + 1 more, for the named values and
    /// the status. The smallest is the largest of the complements, which every number has: -INT64_MIN is none.
    Status Run(const Team &team, Status local, std::int64_t *words, std::size_t before) noexcept {
        std::int64_t *const named = words + before;
        for (std::size_t i = 0; i < count_; ++i) {
            const std::int64_t value = named_[i].flag != nullptr ? *named_[i].flag : *named_[i].value;
            named[i] = named_[i].smallest ? ~value : value;
        }
        named[count_] = local.error();
        Status status = team.Reduce(words, before + count_ + 1, OVERLAP_REDUCE_MAX);
        status.Merge(Status(static_cast<int>(named[count_])));
        for (std::size_t i = 0; i < count_; ++i) {
            const std::int64_t value = named_[i].smallest ? ~named[i] : named[i];
            if (named_[i].flag != nullptr) {
                *named_[i].flag = value != 0;
            } else {
                *named_[i].value = value;
            }
        }
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

    std::array<Named, kMost> named_;
    std::size_t count_ = 0;
};

} // namespace overlap

#endif
