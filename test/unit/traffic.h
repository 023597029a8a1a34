// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Who has sent and received how many messages, and what collective operations there were.
#ifndef TEST_UNIT_TRAFFIC_H
#define TEST_UNIT_TRAFFIC_H

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace overlap::test {

class Traffic {
  public:
    explicit Traffic(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

    void Sent(int rank, int tag) { Count(sent_, rank, tag); }
    void Received(int rank, int tag) { Count(received_, rank, tag); }
    /// Of a receive, in how many places its bytes go.
    void GoesTo(int tag, std::size_t places) { most_places_[tag] = std::max(most_places_[tag], places); }
    /// A message with `peer` that this rank has under way, and no more. Both sides have one.
    void Starts(int rank, int peer, int tag, bool sends) {
        OnTheWay &on_the_way = on_the_way_[{rank, tag, sends}];
        on_the_way.first_peer = on_the_way.most == 0 ? peer : on_the_way.first_peer;
        on_the_way.most = std::max(on_the_way.most, ++on_the_way.now);
    }
    void Ends(int rank, int tag, bool sends) { --on_the_way_[{rank, tag, sends}].now; }

    void Met(std::size_t bytes) { collectives_.push_back(bytes); }

    /// Messages of all ranks with tags in [first, last].
    int AllSent(int first, int last) const {
        const std::vector<int> of_ranks = OfRanks(sent_, first, last);
        return std::accumulate(of_ranks.begin(), of_ranks.end(), 0);
    }
    /// Those of the rank that has the most.
    int MostSent(int first, int last) const { return Most(OfRanks(sent_, first, last)); }
    int MostReceived(int first, int last) const { return Most(OfRanks(received_, first, last)); }

    /// Messages of a tag that one rank sends, or receives, at the same time: the most of any rank.
    int MostAtATime(int tag, bool sends) const {
        int most = 0;
        for (const auto &[key, on_the_way] : on_the_way_) {
            most = std::get<1>(key) == tag && std::get<2>(key) == sends ? std::max(most, on_the_way.most) : most;
        }
        return most;
    }

    /// The most places that the bytes of a message of this tag went to.
    std::size_t MostPlaces(int tag) const {
        const auto most = most_places_.find(tag);
        return most == most_places_.end() ? 0 : most->second;
    }

    /// Of each rank that sends, or receives, such messages: with whom it started the first one.
    std::map<int, int> FirstPeers(int tag, bool sends) const {
        std::map<int, int> peers;
        for (const auto &[key, on_the_way] : on_the_way_) {
            if (std::get<1>(key) == tag && std::get<2>(key) == sends) {
                peers[std::get<0>(key)] = on_the_way.first_peer;
            }
        }
        return peers;
    }

    /// The bytes of each collective operation, counted once for all ranks, in their order.
    const std::vector<std::size_t> &collectives() const { return collectives_; }

  private:
    struct OnTheWay {
        int now = 0;
        int most = 0;
        int first_peer = -1;
    };

    using Messages = std::map<int, std::vector<int>>; // by tag, then by rank

    std::map<int, std::size_t> most_places_; // by tag

    void Count(Messages &messages, int rank, int tag) const {
        std::vector<int> &of_ranks = messages[tag];
        of_ranks.resize(ranks_, 0);
        ++of_ranks[static_cast<std::size_t>(rank)];
    }

    std::vector<int> OfRanks(const Messages &messages, int first, int last) const {
        std::vector<int> sums(ranks_, 0);
        for (auto at = messages.lower_bound(first); at != messages.end() && at->first <= last; ++at) {
            std::transform(sums.begin(), sums.end(), at->second.begin(), sums.begin(), std::plus<int>());
        }
        return sums;
    }

    static int Most(const std::vector<int> &of_ranks) { return *std::max_element(of_ranks.begin(), of_ranks.end()); }

    const std::size_t ranks_;
    Messages sent_;
    Messages received_;
    std::map<std::tuple<int, int, bool>, OnTheWay> on_the_way_; // by rank, tag, whether it sends
    std::vector<std::size_t> collectives_;
};

} // namespace overlap::test

#endif
