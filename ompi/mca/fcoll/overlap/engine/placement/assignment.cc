// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "assignment.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace overlap {
namespace {

constexpr int kNone = -1;

// The solver numbers candidates and groups as *places*: candidates first, then groups. A place's potential is its dual
// variable; the reduced cost of an arc a -> b is cost + potential(a) - potential(b), never negative on an arc that may still
// be used. Places that no path went through keep the potential 0, and so do all groups with room left.
class Solver {
  public:
    Solver(const std::vector<CostRow> &rows, const AssignmentLimits &limits)
        : rows_(rows), candidates_(static_cast<std::size_t>(limits.candidates)), room_(limits.capacities),
          group_of_(limits.groups), taken_(candidates_), candidate_of_(rows.size(), kNone), cost_of_(rows.size(), 0) {
        if (room_.empty()) {
            room_.assign(candidates_, 1);
        }
        std::vector<int> groups = limits.group_capacities;
        if (group_of_.empty()) {
            group_of_.resize(candidates_);
            std::iota(group_of_.begin(), group_of_.end(), 0);
            groups = room_;
        }
        room_.insert(room_.end(), groups.begin(), groups.end());
        members_.resize(groups.size());
        for (std::size_t candidate = 0; candidate < candidates_; ++candidate) {
            members_[static_cast<std::size_t>(group_of_[candidate])].push_back(static_cast<int>(candidate));
        }
        capacity_ = room_;
        cheapest_.resize(rows.size());
        potential_.assign(room_.size(), 0);
        distance_.assign(room_.size(), kForbidden);
        arc_.assign(room_.size(), Arc{});
        done_.assign(room_.size(), 0);
    }

    Assignment Solve() {
        Assignment result;
        for (std::size_t domain = 0; domain < rows_.size(); ++domain) {
            if (!Add(static_cast<int>(domain))) {
                result.stuck = static_cast<int>(domain);
                return result;
            }
        }
        result.candidates = candidate_of_;
        result.cost = std::accumulate(cost_of_.begin(), cost_of_.end(), 0.0);
        return result;
    }

  private:
    // How the shortest path so far enters a place: a candidate from a domain (with that cost) or from its group, a group
    // from a candidate.
    struct Arc {
        int domain = kNone;
        int place = kNone;
        double cost = 0;
    };

    std::size_t GroupPlace(std::size_t candidate) const {
        return candidates_ + static_cast<std::size_t>(group_of_[candidate]);
    }

    bool HasRoom(std::size_t place) const { return room_[place] > 0; }

    // Finds the shortest path from the domain to a group with room, and moves one unit along it.
    bool Add(int domain) {
        for (const int place : reached_) {
            distance_[static_cast<std::size_t>(place)] = kForbidden;
            done_[static_cast<std::size_t>(place)] = 0;
        }
        reached_.clear();
        bound_ = kForbidden;
        LeaveDomain(domain, 0);
        for (;;) {
            const int next = Nearest();
            if (next == kNone) {
                return false;
            }
            const auto place = static_cast<std::size_t>(next);
            done_[place] = 1;
            if (place < candidates_) {
                LeaveCandidate(place);
            } else if (HasRoom(place)) {
                LowerPotentials(distance_[place]);
                Augment(place);
                return true;
            } else {
                LeaveGroup(place);
            }
        }
    }

    // The unfinished place that is nearest. Of equally near ones a group comes first, since the path may end there, then a
    // candidate from which it can end, then the lowest: with many ties the search would else visit all that are taken.
    int Nearest() const {
        int nearest = kNone;
        double smallest = kForbidden;
        for (const int place : reached_) {
            const auto index = static_cast<std::size_t>(place);
            if (done_[index] != 0 || distance_[index] > smallest) {
                continue;
            }
            if (distance_[index] < smallest || Precedes(place, nearest)) {
                nearest = place;
                smallest = distance_[index];
            }
        }
        return nearest;
    }

    bool Precedes(int a, int b) const {
        const int order_a = Order(static_cast<std::size_t>(a));
        const int order_b = Order(static_cast<std::size_t>(b));
        return order_a != order_b ? order_a < order_b : a < b;
    }

    int Order(std::size_t place) const {
        if (place >= candidates_) {
            return 0;
        }
        return HasRoom(place) && HasRoom(GroupPlace(place)) ? 1 : 2;
    }

    void Reach(std::size_t place, double distance, const Arc &arc) {
        if (distance_[place] == kForbidden) {
            reached_.push_back(static_cast<int>(place));
        }
        distance_[place] = distance;
        arc_[place] = arc;
    }

    // `base` makes reduced costs of the row's costs.
    void LeaveDomain(int domain, double base) {
        const CostRow &row = rows_[static_cast<std::size_t>(domain)];
        for (std::size_t i = 0; i < row.count; ++i) {
            Consider(domain, base, row.costs[i], static_cast<std::size_t>(row.Candidate(i)));
        }
    }

    // As LeaveDomain for a domain that has a candidate already and might change it.
    void LeaveAssignedDomain(int domain, double base) {
        for (const auto &[cost, candidate] : Cheapest(domain)) {
            // No potential is above 0.
            if (base + cost > bound_) {
                break;
            }
            Consider(domain, base, cost, static_cast<std::size_t>(candidate));
        }
    }

    // What is farther than a known end of a path need not be remembered.
    void Consider(int domain, double base, double cost, std::size_t candidate) {
        const double distance = base + cost - potential_[candidate];
        if (distance > bound_ || !(distance < distance_[candidate]) || done_[candidate] != 0) {
            return;
        }
        Reach(candidate, distance, Arc{domain, kNone, cost});
        if (HasRoom(candidate) && HasRoom(GroupPlace(candidate))) {
            bound_ = std::min(bound_, distance + potential_[candidate] - potential_[GroupPlace(candidate)]);
        }
    }

    // The candidates of a domain, cheapest first, as far as an optimal assignment may need them: all other domains together
    // cannot use up a set that has room for as many domains as there are, so the best assignment never needs one that is
    // dearer than the set.
    const std::vector<std::pair<double, int>> &Cheapest(int domain) {
        std::vector<std::pair<double, int>> &cheapest = cheapest_[static_cast<std::size_t>(domain)];
        if (!cheapest.empty()) {
            return cheapest;
        }
        const CostRow &row = rows_[static_cast<std::size_t>(domain)];
        std::vector<std::pair<double, int>> all;
        all.reserve(row.count);
        for (std::size_t i = 0; i < row.count; ++i) {
            all.emplace_back(row.costs[i], row.Candidate(i));
        }
        std::size_t count = std::min(all.size(), rows_.size());
        for (;;) {
            std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end());
            if (count == all.size() || RoomOf(all, count) >= static_cast<std::int64_t>(rows_.size())) {
                break;
            }
            count = std::min(all.size(), 2 * count);
        }
        all.resize(count);
        std::sort(all.begin(), all.end());
        cheapest.assign(all.begin(), all.end());
        return cheapest;
    }

    // Domains for which the first `count` candidates had room before any was assigned.
    std::int64_t RoomOf(const std::vector<std::pair<double, int>> &candidates, std::size_t count) const {
        std::unordered_map<int, std::int64_t> of_group;
        for (std::size_t i = 0; i < count; ++i) {
            const auto candidate = static_cast<std::size_t>(candidates[i].second);
            of_group[group_of_[candidate]] += capacity_[candidate];
        }
        std::int64_t room = 0;
        for (const auto &[group, capacity] : of_group) {
            room += std::min<std::int64_t>(capacity, capacity_[candidates_ + static_cast<std::size_t>(group)]);
        }
        return room;
    }

    void LeaveCandidate(std::size_t candidate) {
        const std::size_t group = GroupPlace(candidate);
        if (HasRoom(candidate)) {
            const double distance = distance_[candidate] + potential_[candidate] - potential_[group];
            if (distance < distance_[group] && done_[group] == 0) {
                Reach(group, distance, Arc{kNone, static_cast<int>(candidate), 0});
            }
        }
        for (const int domain : taken_[candidate]) {
            // The arc candidate -> domain has no reduced cost, which sets the domain's potential.
            const double potential = potential_[candidate] - cost_of_[static_cast<std::size_t>(domain)];
            LeaveAssignedDomain(domain, distance_[candidate] + potential);
        }
    }

    void LeaveGroup(std::size_t group) {
        for (const int member : members_[group - candidates_]) {
            const auto candidate = static_cast<std::size_t>(member);
            const double distance = distance_[group] + potential_[group] - potential_[candidate];
            if (!taken_[candidate].empty() && distance < distance_[candidate] && done_[candidate] == 0) {
                Reach(candidate, distance, Arc{kNone, static_cast<int>(group), 0});
            }
        }
    }

    void LowerPotentials(double end) {
        for (const int place : reached_) {
            const auto index = static_cast<std::size_t>(place);
            if (done_[index] != 0) {
                potential_[index] += std::min(0.0, distance_[index] - end);
            }
        }
    }

    // Walks back from the group where the path ends. A candidate that is entered from a domain takes it; the unit that it
    // gives in return is a domain's (entered by the next arc of the path) or goes to its group.
    void Augment(std::size_t place) {
        --room_[place];
        for (;;) {
            const Arc arc = arc_[place];
            if (place >= candidates_) {
                place = static_cast<std::size_t>(arc.place);
                --room_[place];
            } else if (arc.domain == kNone) {
                ++room_[place];
                place = static_cast<std::size_t>(arc.place);
            } else {
                const auto domain = static_cast<std::size_t>(arc.domain);
                const int before = candidate_of_[domain];
                taken_[place].push_back(arc.domain);
                candidate_of_[domain] = static_cast<int>(place);
                cost_of_[domain] = arc.cost;
                if (before == kNone) {
                    return;
                }
                place = static_cast<std::size_t>(before);
                auto &others = taken_[place];
                others.erase(std::find(others.begin(), others.end(), arc.domain));
            }
        }
    }

    const std::vector<CostRow> &rows_;
    std::size_t candidates_;
    std::vector<int> room_;                                     // of each place
    std::vector<int> capacity_;                                 // room at the start
    std::vector<std::vector<std::pair<double, int>>> cheapest_; // of the domains for which it was asked
    std::vector<int> group_of_;
    std::vector<std::vector<int>> members_; // of each group
    std::vector<std::vector<int>> taken_;   // domains of each candidate
    std::vector<int> candidate_of_;
    std::vector<double> cost_of_;
    std::vector<double> potential_;

    // Of the search that is under way.
    std::vector<double> distance_;
    std::vector<Arc> arc_;
    std::vector<char> done_;
    std::vector<int> reached_;
    double bound_ = kForbidden; // a path of this length to an end is known
};

} // namespace

Assignment Assign(const std::vector<CostRow> &domains, const AssignmentLimits &limits) {
    return Solver(domains, limits).Solve();
}

} // namespace overlap
