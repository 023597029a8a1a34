// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "assignment.h"

#include <algorithm>
#include <limits>

namespace overlap {
namespace {

constexpr int kNone = -1;
constexpr double kUnreached = std::numeric_limits<double>::infinity();

// The potential of a candidate is its dual variable, 0 as long as it has room; that of a domain follows from the candidate
// that it has, as the arc between the two has no reduced cost.
//
// What a group may not take is taken from the beginning by placeholders: domains that cost nothing at any candidate of their
// group, and that no other may have.
class Solver {
  public:
    Solver(const std::vector<double> &costs, std::size_t domains, const AssignmentLimits &limits)
        : costs_(costs), domains_(domains), candidates_(limits.groups.size()),
          capacity_(static_cast<std::size_t>(limits.capacity)), group_of_(limits.groups), taken_(candidates_),
          candidate_of_(domains, kNone), potential_(candidates_, 0), distance_(candidates_), entered_by_(candidates_),
          done_(candidates_) {
        std::vector<std::int64_t> room = limits.group_capacities;
        for (std::size_t candidate = 0; candidate < candidates_; ++candidate) {
            for (std::size_t unit = 0; unit < capacity_; ++unit) {
                if (--room[static_cast<std::size_t>(group_of_[candidate])] < 0) {
                    taken_[candidate].push_back(candidate_of_.size());
                    candidate_of_.push_back(static_cast<int>(candidate));
                    placeholders_.push_back(group_of_[candidate]);
                }
            }
        }
    }

    std::vector<int> Solve() {
        for (std::size_t domain = 0; domain < domains_; ++domain) {
            if (!Add(domain)) {
                return {};
            }
        }
        candidate_of_.resize(domains_);
        return candidate_of_;
    }

  private:
    bool HasRoom(std::size_t candidate) const { return taken_[candidate].size() < capacity_; }

    double Cost(std::size_t domain, std::size_t candidate) const {
        if (domain < domains_) {
            return costs_[domain * candidates_ + candidate];
        }
        return group_of_[candidate] == placeholders_[domain - domains_] ? 0 : kUnreached;
    }

    // Finds the shortest path from the domain to a candidate with room, and moves each domain on it by one candidate.
    bool Add(std::size_t domain) {
        std::fill(distance_.begin(), distance_.end(), kUnreached);
        std::fill(done_.begin(), done_.end(), 0);
        Leave(domain, 0);
        for (;;) {
            const int nearest = Nearest();
            if (nearest == kNone) {
                return false;
            }
            const auto candidate = static_cast<std::size_t>(nearest);
            if (HasRoom(candidate)) {
                LowerPotentials(distance_[candidate]);
                Augment(candidate);
                return true;
            }
            done_[candidate] = 1;
            for (const std::size_t other : taken_[candidate]) {
                Leave(other, distance_[candidate] + potential_[candidate] - Cost(other, candidate));
            }
        }
    }

    // `base` makes reduced costs of the domain's costs.
    void Leave(std::size_t domain, double base) {
        for (std::size_t candidate = 0; candidate < candidates_; ++candidate) {
            const double distance = base + Cost(domain, candidate) - potential_[candidate];
            if (distance < distance_[candidate] && done_[candidate] == 0) {
                distance_[candidate] = distance;
                entered_by_[candidate] = domain;
            }
        }
    }

    // The unfinished candidate that is nearest. Of equally near ones first one with room, where the path ends: with many
    // ties the search would else visit all that are taken. Then the lowest.
    int Nearest() const {
        int nearest = kNone;
        double least = kUnreached;
        for (std::size_t candidate = 0; candidate < candidates_; ++candidate) {
            if (done_[candidate] != 0 || distance_[candidate] > least || distance_[candidate] == kUnreached) {
                continue;
            }
            const bool ends = HasRoom(candidate) && nearest != kNone && !HasRoom(static_cast<std::size_t>(nearest));
            if (distance_[candidate] < least || ends) {
                nearest = static_cast<int>(candidate);
                least = distance_[candidate];
            }
        }
        return nearest;
    }

    void LowerPotentials(double end) {
        for (std::size_t candidate = 0; candidate < candidates_; ++candidate) {
            potential_[candidate] += done_[candidate] != 0 ? std::min(0.0, distance_[candidate] - end) : 0;
        }
    }

    // Back from the end of the path: each candidate takes the domain by which it was entered from the one before.
    void Augment(std::size_t candidate) {
        for (;;) {
            const std::size_t domain = entered_by_[candidate];
            const int before = candidate_of_[domain];
            taken_[candidate].push_back(domain);
            candidate_of_[domain] = static_cast<int>(candidate);
            if (before == kNone) {
                return;
            }
            candidate = static_cast<std::size_t>(before);
            std::vector<std::size_t> &others = taken_[candidate];
            others.erase(std::find(others.begin(), others.end(), domain));
        }
    }

    const std::vector<double> &costs_;
    const std::size_t domains_; // placeholders come behind them
    const std::size_t candidates_;
    const std::size_t capacity_;
    const std::vector<int> &group_of_;
    std::vector<int> placeholders_;               // their groups
    std::vector<std::vector<std::size_t>> taken_; // domains of each candidate
    std::vector<int> candidate_of_;               // of each domain
    std::vector<double> potential_;

    // Of the search that is under way, by candidate.
    std::vector<double> distance_;
    std::vector<std::size_t> entered_by_; // the last domain of the shortest path so far
    std::vector<char> done_;
};

} // namespace

std::vector<int> Assign(const std::vector<double> &costs, std::size_t domains, const AssignmentLimits &limits) {
    return Solver(costs, domains, limits).Solve();
}

} // namespace overlap
