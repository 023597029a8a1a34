// Whatever a placement takes on one rank, memory or messages, fails once: no rank is left waiting, all have the same error,
// and the next placement is right.
#include "cases_tried.h"
#include "base/guard.h"
#include "networks.h"
#include "placed_write.h"
#include "placement/placer.h"

#include <set>

namespace overlap::test {
namespace {

constexpr int kRanksPerNode = 2;
constexpr int kDomains = 3;

constexpr Failure::Kind kKinds[] = {Failure::kMemory, Failure::kSend,      Failure::kReceive,  Failure::kReceiveAny,
                                    Failure::kWait,   Failure::kAllreduce, Failure::kBroadcast};

int Descending(void *, const overlap_placement_problem *problem, int *aggregators, char *, std::size_t) {
    for (int domain = 0; domain < problem->domains; ++domain) {
        aggregators[domain] = problem->ranks - 1 - domain;
    }
    return 0;
}

constexpr overlap_plugin kDescending = {OVERLAP_PLACEMENT_ABI_VERSION, "descending", nullptr, Descending, nullptr};

struct Config {
    const char *name;
    overlap_placement placement;
    const char *config_list;
};

constexpr Config kConfigs[] = {{"lap", OVERLAP_PLACEMENT_LAP, ""},
                               {"tapioca", OVERLAP_PLACEMENT_TAPIOCA, ""},
                               {"plugin", OVERLAP_PLACEMENT_PLUGIN, ""},
                               {"spread with a list", OVERLAP_PLACEMENT_SPREAD, "*:*"},
                               {"tapioca with a list", OVERLAP_PLACEMENT_TAPIOCA, "*:*"}};

struct RankResult {
    int prepared = OVERLAP_SUCCESS;
    int agreed = OVERLAP_SUCCESS; // as the caller does behind a placement
    std::vector<Rank> aggregators;
};

class Sweep {
  public:
    Sweep(const Config &config, int nodes) : config_(config), ranks_(nodes == 1 ? 3 : nodes * kRanksPerNode) {
        options_.ranks = ranks_;
        options_.ranks_per_node = nodes == 1 ? 3 : kRanksPerNode;
        options_.texts["/racks"] = RacksFile(4);
        options_.plugin = &kDescending;
        for (Rank rank = 0; rank < ranks_; ++rank) {
            options_.localities.push_back("SK" + std::to_string(rank % 2) + ":CR" + std::to_string(rank));
        }
        settings_ = PlacedSettings(config.placement, "slurm:/racks");
        std::strncpy(settings_.config_list, config.config_list, OVERLAP_TEXT_SIZE - 1);
        std::strncpy(settings_.plugin, "/opt/mine.so", OVERLAP_TEXT_SIZE - 1);
        std::strncpy(settings_.storage_nodes, "n3", OVERLAP_TEXT_SIZE - 1);
    }

    // Fails calls of each kind on this rank, one a run, from another one on for each rank. Returns how many failed.
    int FailAllOn(Rank rank, const std::vector<Rank> &right) {
        int failed = 0;
        for (const Failure::Kind kind : kKinds) {
            for (std::int64_t number = rank % Each();; number += Each()) {
                FakeCluster cluster(options_);
                Failure failure;
                failure.kind = kind;
                failure.rank = rank;
                failure.number = number;
                failure.error = OVERLAP_ERR_NO_MEM;
                cluster.Arm({failure});
                ExpectInStep(cluster, right,
                             std::string(config_.name) + ", rank " + std::to_string(rank) + " of " + std::to_string(ranks_) +
                                 ", " + kFailureNames[kind] + " " + std::to_string(number));
                if (cluster.Failed() == 0) {
                    break;
                }
                ++failed;
            }
        }
        return failed;
    }

    std::vector<Rank> WithoutFailure() {
        FakeCluster cluster(options_);
        const std::vector<RankResult> results = Place(cluster, nullptr);
        EXPECT_EQ(results[0].agreed, OVERLAP_SUCCESS) << config_.name;
        return results[0].aggregators;
    }

    int ranks() const { return ranks_; }

  private:
    RankResult PlaceOnce(const Team &team, Placer &placer) const {
        RankResult result;
        PlacementProblem problem;
        problem.nodes = team.node_map();
        problem.requested = kDomains;
        Status status = placer.Prepare(problem);
        result.prepared = status.error();
        if (!status.ok()) {
            return result;
        }
        int domains = 0;
        std::vector<DomainShare> own;
        status = Guarded([&] {
            domains = placer.DomainLimit(problem);
            for (int domain = 0; domain < domains; ++domain) {
                own.push_back(DomainShare{domain, 10 + (team.rank() == ranks_ - 1 - domain ? 90 : 0)});
            }
        });
        status = placer.Place(problem, own, status, domains, result.aggregators);
        EXPECT_TRUE(status.ok() || result.aggregators.empty());
        result.agreed = team.Agree(status).error();
        return result;
    }

    // `first`: of a call before, in which failures count.
    std::vector<RankResult> Place(FakeCluster &cluster, std::vector<RankResult> *first) const {
        std::vector<RankResult> last(static_cast<std::size_t>(ranks_));
        if (first != nullptr) {
            first->resize(last.size());
        }
        cluster.Run([&](FakeRank &rank) {
            const auto index = static_cast<std::size_t>(rank.rank());
            const Team team(rank.transport);
            Placer placer(team, rank.host, settings_);
            if (first != nullptr) {
                rank.Count(true);
                RankResult result = PlaceOnce(team, placer);
                rank.Count(false);
                (*first)[index] = result;
            }
            last[index] = PlaceOnce(team, placer);
        });
        return last;
    }

    void ExpectInStep(FakeCluster &cluster, const std::vector<Rank> &right, const std::string &what) const {
        std::vector<RankResult> first;
        const std::vector<RankResult> last = Place(cluster, &first);
        for (std::size_t rank = 0; rank < first.size(); ++rank) {
            EXPECT_EQ(first[rank].prepared, first[0].prepared) << what << ": rank " << rank;
            EXPECT_EQ(first[rank].agreed, first[0].agreed) << what << ": rank " << rank;
            if (first[0].prepared == OVERLAP_SUCCESS && first[0].agreed == OVERLAP_SUCCESS) {
                EXPECT_EQ(first[rank].aggregators, right) << what << ": rank " << rank;
            }
            EXPECT_EQ(last[rank].agreed, OVERLAP_SUCCESS) << what << ": rank " << rank << ", the next time";
            EXPECT_EQ(last[rank].aggregators, right) << what << ": rank " << rank << ", the next time";
        }
        EXPECT_EQ(cluster.Leftovers(), "") << what;
    }

    const Config config_;
    const int ranks_;
    ClusterOptions options_;
    overlap_settings settings_{};
};

TEST(PlacerFailures, LeaveNobodyWaitingAndTheNextPlacementRight) {
    for (const int nodes : {1, 3}) {
        for (const Config &config : kConfigs) {
            Sweep sweep(config, nodes);
            const std::vector<Rank> right = sweep.WithoutFailure();
            ASSERT_FALSE(right.empty()) << config.name;
            // Rank 0 decides, 1 has no part but its own, and the last node's leader and last rank are neither.
            const std::set<Rank> ranks = {0, 1, nodes == 1 ? 2 : sweep.ranks() - kRanksPerNode, sweep.ranks() - 1};
            int failed = 0;
            for (const Rank rank : ranks) {
                failed += sweep.FailAllOn(rank, right);
                if (HasFailure()) {
                    return;
                }
            }
            EXPECT_GT(failed, 40 / Each()) << config.name;
        }
    }
}

} // namespace
} // namespace overlap::test
