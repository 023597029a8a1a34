// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "election.h"

#include "../base/guard.h"
#include "election_rounds.h"

#include <cstring>
#include <map>
#include <optional>

namespace overlap {
namespace {

constexpr std::size_t kWordsPerShare = 2;  // domain, bytes
constexpr std::size_t kWordsPerColumn = 3; // domain, bytes, ranks

// Every step of it is one of all ranks, whatever happened on this one before. What is lacking on a rank is sent: within a
// message to those who wait for it, and to all with the next agreement. Between two agreements memory is only taken where a
// message can say that there was none.
class Election {
  public:
    Election(const Team &team, const Leaders &leaders, const PlacementProblem &problem, const Topology *topology)
        : team_(team), leaders_(leaders), problem_(problem), topology_(topology), messages_(team.transport()) {}

    // Both return the same on all ranks.
    Status Prepare(const std::vector<DomainShare> &own, Status local, int domains);
    Status Run();
    std::vector<Rank> TakeAggregators() { return rounds_->TakeAggregators(); }

  private:
    // What a home is asked: the column of a leader's node in its domains.
    struct Question {
        Rank leader = 0;
        Words words;
        UnsizedMessage answer;
    };

    bool leads() const { return leaders_.IsLeader(team_.rank()); }
    Rank Home(int domain) const { return leaders_.LeaderOf(NodeBids::HomeNode(domain, leaders_.nodes())); }

    Status GatherRows(const std::vector<DomainShare> &own, Status local);
    void MakeColumns();
    Status CountQuestions(Status status);
    void ReserveForExchange(int domains);
    Status ExchangeColumns();
    Status HearColumns();
    Status Answer(Status status);
    Status HearCosts();
    void SetCosts(const UnsizedMessage &columns, const Words &costs);

    const Team &team_;
    const Leaders &leaders_;
    const PlacementProblem &problem_;
    const Topology *const topology_;
    std::optional<NodeBids> node_; // on a leader
    std::optional<ElectionRounds> rounds_;
    std::vector<overlap_bid> bids_;
    Words questions_for_node_;               // how many leaders ask each home
    std::map<Rank, UnsizedMessage> columns_; // by home, other than this rank
    std::vector<Question> questions_;
    Messages messages_; // behind the messages that are under way
};

Status Election::GatherRows(const std::vector<DomainShare> &own, Status local) {
    UnsizedMessage row;
    local.Merge(Guarded([&] {
        row.Reserve(kWordsPerShare * own.size());
        for (const DomainShare &share : own) {
            row.Add({share.domain, share.bytes});
        }
        if (leads()) {
            node_.emplace(problem_, *topology_, leaders_.own_node);
        }
    }));
    const auto add = [&](Rank rank, const std::int64_t *words, std::size_t count) {
        for (std::size_t i = 0; i < count; i += kWordsPerShare) {
            node_->AddShare(static_cast<int>(words[i]), rank, words[i + 1]);
        }
    };
    return GatherOnLeaders(team_, leaders_, row, local, add);
}

// On a leader. For itself as a home it needs no message.
void Election::MakeColumns() {
    node_->SortShares();
    node_->ForEachDomain([&](int domain, ByteCount bytes, int ranks) {
        if (Home(domain) == team_.rank()) {
            node_->AddColumn(domain, NodeBytes{leaders_.own_node, bytes, ranks});
            return;
        }
        columns_[Home(domain)].Add({domain, bytes, ranks});
    });
}

// Collective. How many leaders have something to ask this rank. One without memory for the words of all nodes cannot take
// part, so all ranks must have said that they have it.
Status Election::CountQuestions(Status status) {
    for (const auto &[home, column] : columns_) {
        questions_for_node_[static_cast<std::size_t>(leaders_.node_map.NodeOf(home))] = 1;
    }
    status.Merge(team_.Sum(questions_for_node_.data(), questions_for_node_.size()));
    return status;
}

void Election::ReserveForExchange(int domains) {
    if (!leads()) {
        return;
    }
    const auto arriving = static_cast<std::size_t>(questions_for_node_[static_cast<std::size_t>(leaders_.own_node)]);
    questions_.resize(arriving);
    // An answer has a word for each domain of this home.
    const std::size_t words = static_cast<std::size_t>(domains) / static_cast<std::size_t>(leaders_.nodes()) + 1;
    std::size_t parts = arriving * (2 + words / UnsizedMessage::kPartWords);
    for (const auto &[home, column] : columns_) {
        parts += column.Parts();
    }
    messages_.Reserve(parts);
}

// As the home of domains: what the nodes have in them.
Status Election::HearColumns() {
    Status status;
    for (Question &question : questions_) {
        status.Merge(team_.Hear(kTagColumn, question.words, question.leader));
        status.Merge(Guarded([&] {
            const int node = leaders_.node_map.NodeOf(question.leader);
            for (std::size_t at = 0; at < question.words.size(); at += kWordsPerColumn) {
                node_->AddColumn(static_cast<int>(question.words[at]),
                                 NodeBytes{node, question.words[at + 1], static_cast<int>(question.words[at + 2])});
            }
        }));
    }
    node_->SortColumns();
    return status;
}

// Costs are sent as the bits of a double, in the order of the question. Who asked waits for an answer in any case.
Status Election::Answer(Status status) {
    for (Question &question : questions_) {
        status.Merge(Guarded([&] {
            question.answer.Reserve(question.words.size() / kWordsPerColumn);
            for (std::size_t at = 0; at < question.words.size(); at += kWordsPerColumn) {
                const double cost =
                    node_->CostFromOthers(static_cast<int>(question.words[at]), leaders_.node_map.NodeOf(question.leader));
                std::int64_t word = 0;
                std::memcpy(&word, &cost, sizeof(cost));
                question.answer.Add({word});
            }
        }));
        if (!status.ok()) {
            question.answer.Fail(status);
        }
        status.Merge(question.answer.Send(messages_, question.leader, kTagColumnCosts));
    }
    return status;
}

void Election::SetCosts(const UnsizedMessage &columns, const Words &costs) {
    for (std::size_t i = 0; i < costs.size(); ++i) {
        double cost = 0;
        std::memcpy(&cost, &costs[i], sizeof(cost));
        node_->SetCostFromOthers(static_cast<int>(columns.words()[i * kWordsPerColumn]), cost);
    }
}

Status Election::HearCosts() {
    Status status;
    Words costs;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        Rank home = 0;
        status.Merge(team_.Hear(kTagColumnCosts, costs, home));
        SetCosts(columns_.find(home)->second, costs);
    }
    return status;
}

// On a leader. Needs the memory that ReserveForExchange takes.
Status Election::ExchangeColumns() {
    Status status;
    for (auto &[home, column] : columns_) {
        status.Merge(column.Send(messages_, home, kTagColumn));
    }
    status.Merge(HearColumns());
    status = Answer(status);
    status.Merge(HearCosts());
    status.Merge(messages_.Wait());
    node_->ForEachDomain([&](int domain, ByteCount /*bytes*/, int /*ranks*/) {
        if (Home(domain) == team_.rank()) {
            node_->SetCostFromOthers(domain, node_->CostFromOthers(domain, leaders_.own_node));
        }
    });
    return status;
}

Status Election::Prepare(const std::vector<DomainShare> &own, Status local, int domains) {
    Status status = GatherRows(own, local);
    if (status.ok()) {
        status = Guarded([&] {
            questions_for_node_.assign(static_cast<std::size_t>(leaders_.nodes()), 0);
            rounds_.emplace(problem_, domains);
            bids_.resize(static_cast<std::size_t>(domains));
            if (leads()) {
                MakeColumns();
            }
        });
    }
    status = team_.Agree(status);
    if (!status.ok()) {
        return status;
    }
    status = CountQuestions(status);
    status.Merge(Guarded([&] { ReserveForExchange(domains); }));
    status = team_.Agree(status);
    if (!status.ok()) {
        return status;
    }
    return team_.Agree(leads() ? ExchangeColumns() : Status());
}

// Takes no memory: ranks that differ in what they have would get out of step.
Status Election::Run() {
    while (!rounds_->open().empty()) {
        const std::size_t open = rounds_->open().size();
        for (std::size_t i = 0; i < open; ++i) {
            const Bid nobody;
            bids_[i] = overlap_bid{nobody.cost, nobody.rank};
        }
        if (leads()) {
            node_->ForEachBid(*rounds_, [&](std::size_t i, const Bid &bid) { bids_[i] = overlap_bid{bid.cost, bid.rank}; });
        }
        const Status status = team_.Elect(bids_.data(), open);
        if (!status.ok()) {
            return status;
        }
        rounds_->Settle(bids_.data());
    }
    return Status();
}

} // namespace

Status ElectAggregators(const Team &team, const Leaders &leaders, const PlacementProblem &problem, const Topology *topology,
                        const std::vector<DomainShare> &own, Status local, int domains,
                        std::vector<Rank> &aggregators) noexcept {
    aggregators.clear();
    Election election(team, leaders, problem, topology);
    Status status = election.Prepare(own, local, domains);
    if (status.ok()) {
        status = election.Run();
    }
    if (status.ok()) {
        aggregators = election.TakeAggregators();
    }
    return status;
}

} // namespace overlap
