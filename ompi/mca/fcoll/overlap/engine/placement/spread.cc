// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Aggregators spread over the nodes, so that every NIC and every node's memory takes its share.
#include "usual_number.h"

#include <algorithm>
#include <stdexcept>

namespace overlap {
namespace {

class SpreadPlacement final : public Placement {
  public:
    const char *name() const override { return "spread"; }

    int DomainLimit(const PlacementProblem &problem) const override { return UsualDomainLimit(problem); }

    // Neighbouring domains go to one node, and the aggregators of a node stand as far from each other as its ranks allow,
    // which with the usual mappings means different sockets, and so the sides of different NICs. Domains of the same storage
    // targets go to one node, whose aggregators share what its client of the file system has locked there, but not at the
    // cost of a node that would have a domain without that.
    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override {
        if (domains > Capacity(problem)) {
            throw std::invalid_argument("the limits leave too few aggregators");
        }
        const AllowedRanks ranks(problem);
        const int of_a_target = DomainsOfATarget(problem, domains);
        const Quotas quotas(problem.limits, ranks, domains, of_a_target);
        std::vector<Rank> aggregators;
        aggregators.reserve(static_cast<std::size_t>(domains));
        quotas.ForEach([&](std::size_t node, std::size_t quota) {
            const auto most = static_cast<std::size_t>(AggregatorsOfNode(problem.limits, node, ranks.CountOf(node)));
            const std::size_t used = std::min(quota, most);
            for (std::size_t i = 0; i < quota; ++i) {
                aggregators.push_back(ranks.RankOf(node, (i * used / quota) * ranks.CountOf(node) / used));
            }
        });
        return of_a_target == 1 ? aggregators : DealtTo(problem.dealt_to, aggregators);
    }

  private:
    // Of dealt stripes, where each target has the same number of domains; else 1.
    static int DomainsOfATarget(const PlacementProblem &problem, int domains) {
        const bool several = problem.dealt_to > 0 && domains > problem.dealt_to && domains % problem.dealt_to == 0;
        return several ? domains / problem.dealt_to : 1;
    }

    // Aggregators of one target after the other, as the domains have them, whose targets take turns.
    static std::vector<Rank> DealtTo(int targets, const std::vector<Rank> &aggregators) {
        const std::size_t all = static_cast<std::size_t>(targets);
        const std::size_t each = aggregators.size() / all;
        std::vector<Rank> dealt;
        dealt.reserve(aggregators.size());
        for (std::size_t domain = 0; domain < aggregators.size(); ++domain) {
            dealt.push_back(aggregators[domain % all * each + domain / all]);
        }
        return dealt;
    }

    // How many domains each node takes: equal numbers, as far as the nodes have the room. Where there are fewer domains
    // than nodes, the nodes taken are spread as well. Worked out without a list of them. Counts shares of `together`
    // domains, or of one where nodes have not the room for equal numbers of them, or fewer nodes would have domains, or any
    // node more.
    class Quotas {
      public:
        Quotas(const PlacementLimits &limits, const AllowedRanks &ranks, int domains, int together)
            : limits_(limits), ranks_(ranks) {
            const auto all = static_cast<std::size_t>(domains);
            CountIn(1, all);
            if (together > 1) {
                const std::size_t used = std::min(able_, all);
                const std::size_t most = (all - 1) / able_ + 1; // of a node
                CountIn(static_cast<std::size_t>(together), all);
                if (std::min(able_, shares_) < used || ((shares_ - 1) / able_ + 1) * share_ > most ||
                    Taken((shares_ - 1) / able_ + 1) < shares_) {
                    CountIn(1, all);
                }
            }
            std::size_t room = 0; // of a node at most
            for (std::size_t node = 0; node < ranks_.nodes(); ++node) {
                room = std::max(room, RoomOf(node));
            }
            // The most that all nodes with the room for it take.
            std::size_t above = room + 1;
            while (above - level_ > 1) {
                const std::size_t middle = level_ + (above - level_) / 2;
                (Taken(middle) <= shares_ ? level_ : above) = middle;
            }
            left_ = shares_ - Taken(level_);
        }

        // Calls visit(node, quota) for the nodes that take some.
        template <typename Visit> void ForEach(Visit visit) const {
            std::size_t seen = 0;
            std::size_t taken = 0;
            std::size_t left = left_;
            for (std::size_t node = 0; node < ranks_.nodes(); ++node) {
                if (RoomOf(node) == 0) {
                    continue;
                }
                std::size_t quota = std::min(level_, RoomOf(node));
                if (shares_ < able_) {
                    quota = taken < shares_ && seen++ == taken * able_ / shares_ ? 1 : 0;
                    taken += quota;
                } else if (left > 0 && RoomOf(node) > level_) {
                    ++quota;
                    --left;
                }
                if (quota > 0) {
                    visit(node, quota * share_);
                }
            }
        }

      private:
        void CountIn(std::size_t share, std::size_t domains) {
            share_ = share;
            shares_ = domains / share;
            able_ = 0;
            for (std::size_t node = 0; node < ranks_.nodes(); ++node) {
                able_ += RoomOf(node) > 0 ? 1 : 0;
            }
        }

        std::size_t RoomOf(std::size_t node) const {
            return static_cast<std::size_t>(AggregatorsOfNode(limits_, node, ranks_.CountOf(node))) *
                   static_cast<std::size_t>(limits_.domains_per_rank) / share_;
        }

        // Where no node takes more than `level`.
        std::size_t Taken(std::size_t level) const {
            std::size_t taken = 0;
            for (std::size_t node = 0; node < ranks_.nodes(); ++node) {
                taken += std::min(level, RoomOf(node));
            }
            return taken;
        }

        const PlacementLimits &limits_;
        const AllowedRanks &ranks_;
        std::size_t share_ = 1; // domains that go to one node
        std::size_t shares_ = 0;
        std::size_t able_ = 0; // nodes that have the room for one
        std::size_t level_ = 0;
        std::size_t left_ = 0; // shares beyond the level, one for a node
    };
};

} // namespace

std::unique_ptr<Placement> MakeSpreadPlacement() { return std::make_unique<SpreadPlacement>(); }

} // namespace overlap
