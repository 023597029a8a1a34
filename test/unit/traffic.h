// Who has sent and received how many messages, and what collective operations there were.
#ifndef TEST_UNIT_TRAFFIC_H
#define TEST_UNIT_TRAFFIC_H

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace overlap::test {

class Traffic {
  public:
    explicit Traffic(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

    void Sent(int rank, int tag) { Count(sent_, rank, tag); }
    void Received(int rank, int tag) { Count(received_, rank, tag); }
    void Met(std::size_t bytes) { collectives_.push_back(bytes); }

    /// Messages of all ranks with tags in [first, last].
    int AllSent(int first, int last) const {
        const std::vector<int> of_ranks = OfRanks(sent_, first, last);
        return std::accumulate(of_ranks.begin(), of_ranks.end(), 0);
    }
    /// Those of the rank that has the most.
    int MostSent(int first, int last) const { return Most(OfRanks(sent_, first, last)); }
    int MostReceived(int first, int last) const { return Most(OfRanks(received_, first, last)); }

    /// The bytes of each collective operation, counted once for all ranks, in their order.
    const std::vector<std::size_t> &collectives() const { return collectives_; }

  private:
    using Messages = std::map<int, std::vector<int>>; // by tag, then by rank

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
    std::vector<std::size_t> collectives_;
};

} // namespace overlap::test

#endif
