// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "assignment.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace overlap {
namespace {

constexpr int kNone = -1;
constexpr double kUnreached = std::numeric_limits<double>::infinity();

// The solver numbers candidates and groups as *places*: candidates first, then groups. A place's potential is its dual
// variable; the reduced cost of an arc a -> b is cost + potential(a) - potential(b), never negative on an arc that may still
// be used. Places that no path went through keep the potential 0, and so do all groups with room left.
class Solver {
  public:
    Solver(const std::vector<double> &costs, std::size_t domains, const AssignmentLimits &limits)
        : costs_(costs), candidates_(limits.groups.size()), group_of_(limits.groups), room_(candidates_, limits.capacity),
          members_(limits.group_capacities.size()), taken_(candidates_), candidate_of_(domains, kNone) {
        room_.insert(room_.end(), limits.group_capacities.begin(), limits.group_capacities.end());
        for (std::size_t candidate = 0; candidate < candidates_; ++candidate) {
            members_[static_cast<std::size_t>(group_of_[candidate])].push_back(static_cast<int>(candidate));
        }
        potential_.assign(room_.size(), 0);
        distance_.assign(room_.size(), kUnreached);
        arc_.assign(room_.size(), Arc{});
        done_.assign(room_.size(), 0);
    }

    std::vector<int> Solve() {
        for (std::size_t domain = 0; domain < candidate_of_.size(); ++domain) {
            if (!Add(static_cast<int>(domain))) {
                return {};
            }
        }
        return candidate_of_;
    }

  private:
    // How the shortest path so far enters a place: a candidate from a domain or from its group, a group from a candidate.
    struct Arc {
        int domain = kNone;
        int place = kNone;
    };

    double Cost(int domain, std::size_t candidate) const {
        return costs_[static_cast<std::size_t>(domain) * candidates_ + candidate];
    }

    std::size_t GroupPlace(std::size_t candidate) const {
        return candidates_ + static_cast<std::size_t>(group_of_[candidate]);
    }

    bool HasRoom(std::size_t place) const { return room_[place] > 0; }

    // Finds the shortest path from the domain to a group with room, and moves one unit along it.
    bool Add(int domain) {
        std::fill(distance_.begin(), distance_.end(), kUnreached);
        std::fill(done_.begin(), done_.end(), 0);
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
        std::pair<double, int> smallest(kUnreached, 0);
        for (std::size_t place = 0; place < distance_.size(); ++place) {
            if (done_[place] != 0 || distance_[place] > smallest.first) {
                continue;
            }
            const std::pair<double, int> distance(distance_[place], Order(place));
            if (distance < smallest) {
                nearest = static_cast<int>(place);
                smallest = distance;
            }
        }
        return nearest;
    }

    int Order(std::size_t place) const {
        if (place >= candidates_) {
            return 0;
        }
        return HasRoom(place) && HasRoom(GroupPlace(place)) ? 1 : 2;
    }

    void Reach(std::size_t place, double distance, const Arc &arc) {
        if (distance < distance_[place] && done_[place] == 0) {
            distance_[place] = distance;
            arc_[place] = arc;
        }
    }

    // `base` makes reduced costs of the row's costs.
    void LeaveDomain(int domain, double base) {
        for (std::size_t candidate = 0; candidate < candidates_; ++candidate) {
            Reach(candidate, base + Cost(domain, candidate) - potential_[candidate], Arc{domain, kNone});
        }
    }

    void LeaveCandidate(std::size_t candidate) {
        const std::size_t group = GroupPlace(candidate);
        if (HasRoom(candidate)) {
            const double distance = distance_[candidate] + potential_[candidate] - potential_[group];
            Reach(group, distance, Arc{kNone, static_cast<int>(candidate)});
        }
        for (const int domain : taken_[candidate]) {
            // The arc candidate -> domain has no reduced cost, which sets the domain's potential.
            LeaveDomain(domain, distance_[candidate] + potential_[candidate] - Cost(domain, candidate));
        }
    }

    void LeaveGroup(std::size_t group) {
        for (const int member : members_[group - candidates_]) {
            const auto candidate = static_cast<std::size_t>(member);
            if (!taken_[candidate].empty()) {
                const double distance = distance_[group] + potential_[group] - potential_[candidate];
                Reach(candidate, distance, Arc{kNone, static_cast<int>(group)});
            }
        }
    }

    void LowerPotentials(double end) {
        for (std::size_t place = 0; place < distance_.size(); ++place) {
            if (done_[place] != 0) {
                potential_[place] += std::min(0.0, distance_[place] - end);
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
                int &candidate = candidate_of_[static_cast<std::size_t>(arc.domain)];
                const int before = candidate;
                taken_[place].push_back(arc.domain);
                candidate = static_cast<int>(place);
                if (before == kNone) {
                    return;
                }
                place = static_cast<std::size_t>(before);
                auto &others = taken_[place];
                others.erase(std::find(others.begin(), others.end(), arc.domain));
            }
        }
    }

    const std::vector<double> &costs_;
    const std::size_t candidates_;
    const std::vector<int> &group_of_;
    std::vector<int> room_;                 // of each place
    std::vector<std::vector<int>> members_; // of each group
    std::vector<std::vector<int>> taken_;   // domains of each candidate
    std::vector<int> candidate_of_;
    std::vector<double> potential_;

    // Of the search that is under way.
    std::vector<double> distance_;
    std::vector<Arc> arc_;
    std::vector<char> done_;
};

} // namespace

std::vector<int> Assign(const std::vector<double> &costs, std::size_t domains, const AssignmentLimits &limits) {
    return Solver(costs, domains, limits).Solve();
}

} // namespace overlap
