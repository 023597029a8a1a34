#include "election.h"

#include "../guard.h"
#include "tapioca_cost.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace overlap {
namespace {

constexpr std::size_t kWordsPerShare = 2;  // domain, bytes
constexpr std::size_t kWordsPerColumn = 3; // domain, bytes, ranks

// A domain as the leader of a node sees it.
struct LocalDomain {
    DomainBytes by_rank;        // of the node, ascending
    std::vector<Rank> by_bytes; // the same ranks, most bytes first
    std::size_t next = 0;       // those before it in by_bytes have no room left
    double from_others = 0;     // what the other nodes' bytes cost an aggregator on this node
};

class Election {
  public:
    Election(const overlap_transport &transport, const Leaders &leaders, const PlacementProblem &problem)
        : transport_(transport), leaders_(leaders), problem_(problem), account_(problem) {}

    Status Prepare(const std::vector<DomainShare> &own, Status local);
    Status Run(int domains, std::vector<Rank> &aggregators);

  private:
    int HomeNode(int domain) const { return domain % leaders_.nodes(); }
    Rank Home(int domain) const { return leaders_.leader_of_node[static_cast<std::size_t>(HomeNode(domain))]; }

    Status GatherRows(const std::vector<DomainShare> &own, Status local);
    Status CountSenders(const std::map<Rank, Words> &columns, std::int64_t &arriving) const;
    Status ExchangeColumns(Status status);
    Status HearColumns(std::int64_t arriving, std::map<Rank, Words> &asked);
    void Answer(const Words &columns, int node, Words &costs) const;

    Bid BestOf(LocalDomain &domain) const;
    Bid BestOfAll(int domain) const;

    const overlap_transport &transport_;
    const Leaders &leaders_;
    const PlacementProblem &problem_;
    LimitAccount account_;
    std::map<int, LocalDomain> local_;              // on a leader: domains that its node writes to
    std::map<int, std::vector<NodeBytes>> columns_; // on a leader: domains whose home it is
};

Status Election::GatherRows(const std::vector<DomainShare> &own, Status local) {
    Words words;
    local.Merge(Guarded([&] {
        for (const DomainShare &share : own) {
            words.insert(words.end(), {share.domain, share.bytes});
        }
    }));
    Status status =
        GatherOnLeaders(transport_, leaders_, words, local, [&](Rank rank, const std::int64_t *row, std::size_t count) {
            for (std::size_t i = 0; i < count; i += kWordsPerShare) {
                const auto domain = static_cast<int>(row[i]);
                local_[domain].by_rank.push_back(RankBytes{rank, row[i + 1]});
            }
        });
    status.Merge(Guarded([&] {
        for (auto &[number, domain] : local_) {
            std::sort(domain.by_rank.begin(), domain.by_rank.end(),
                      [](const RankBytes &a, const RankBytes &b) { return a.rank < b.rank; });
            DomainBytes sorted = domain.by_rank;
            std::stable_sort(sorted.begin(), sorted.end(),
                             [](const RankBytes &a, const RankBytes &b) { return a.bytes > b.bytes; });
            for (const RankBytes &entry : sorted) {
                domain.by_bytes.push_back(entry.rank);
            }
        }
    }));
    return status;
}

// Collective. How many leaders have something to tell this rank.
Status Election::CountSenders(const std::map<Rank, Words> &columns, std::int64_t &arriving) const {
    Words senders(static_cast<std::size_t>(leaders_.nodes()), 0);
    for (const auto &[home, words] : columns) {
        senders[static_cast<std::size_t>(leaders_.node_of_rank[home])] = 1;
    }
    Status status(transport_.allreduce(transport_.self, senders.data(), senders.size(), OVERLAP_REDUCE_SUM));
    arriving = status.ok() && leaders_.IsLeader(transport_.rank) ? senders[static_cast<std::size_t>(leaders_.own_node)] : 0;
    return status;
}

// As the home of domains: what the nodes have in them.
Status Election::HearColumns(std::int64_t arriving, std::map<Rank, Words> &asked) {
    Status status;
    for (std::int64_t i = 0; i < arriving; ++i) {
        Words words;
        Rank source = 0;
        status.Merge(ReceiveWords(transport_, kTagColumn, kTagColumnRest, words, source));
        status.Merge(Guarded([&] {
            for (std::size_t at = 0; at < words.size(); at += kWordsPerColumn) {
                columns_[static_cast<int>(words[at])].push_back(
                    NodeBytes{leaders_.node_of_rank[source], words[at + 1], static_cast<int>(words[at + 2])});
            }
            asked[source] = std::move(words);
        }));
    }
    for (auto &[domain, column] : columns_) {
        std::sort(column.begin(), column.end(), [](const NodeBytes &a, const NodeBytes &b) { return a.node < b.node; });
    }
    return status;
}

// Costs travel as the bits of a double, in the order of the question.
void Election::Answer(const Words &columns, int node, Words &costs) const {
    for (std::size_t at = 0; at < columns.size(); at += kWordsPerColumn) {
        const auto column = columns_.find(static_cast<int>(columns[at]));
        const double cost = column == columns_.end() ? 0 : TapiocaCostOfNode(column->second, *problem_.topology, node);
        std::memcpy(&costs.emplace_back(), &cost, sizeof(cost));
    }
}

Status Election::ExchangeColumns(Status status) {
    std::map<Rank, Words> told; // by home
    status.Merge(Guarded([&] {
        for (const auto &[number, domain] : local_) {
            ByteCount bytes = 0;
            for (const RankBytes &entry : domain.by_rank) {
                bytes += entry.bytes;
            }
            Words &words = told[Home(number)];
            words.insert(words.end(), {number, bytes, static_cast<std::int64_t>(domain.by_rank.size())});
        }
    }));
    Words to_self;
    if (const auto own = told.find(transport_.rank); own != told.end()) {
        to_self = std::move(own->second);
        told.erase(own);
    }
    std::int64_t arriving = 0;
    status.Merge(CountSenders(told, arriving));

    Messages outgoing(transport_);
    std::map<Rank, Words> heads, answers, asked;
    for (const auto &[home, words] : told) {
        status.Merge(SendWords(outgoing, home, kTagColumn, kTagColumnRest, words, Status(), heads[home]));
        answers[home].resize(words.size() / kWordsPerColumn);
        status.Merge(outgoing.Receive(home, kTagColumnCosts, answers[home]));
    }
    for (std::size_t at = 0; at < to_self.size(); at += kWordsPerColumn) {
        columns_[static_cast<int>(to_self[at])].push_back(
            NodeBytes{leaders_.own_node, to_self[at + 1], static_cast<int>(to_self[at + 2])});
    }
    status.Merge(HearColumns(arriving, asked));
    std::map<Rank, Words> costs;
    for (const auto &[leader, words] : asked) {
        Answer(words, leaders_.node_of_rank[leader], costs[leader]);
        status.Merge(outgoing.Send(leader, kTagColumnCosts, costs[leader]));
    }
    told[transport_.rank] = to_self;
    Answer(to_self, leaders_.own_node, answers[transport_.rank]);
    status.Merge(outgoing.Wait());
    for (const auto &[home, words] : told) {
        for (std::size_t at = 0; at < words.size(); at += kWordsPerColumn) {
            std::memcpy(&local_[static_cast<int>(words[at])].from_others, &answers[home][at / kWordsPerColumn],
                        sizeof(double));
        }
    }
    return status;
}

Status Election::Prepare(const std::vector<DomainShare> &own, Status local) {
    return ExchangeColumns(GatherRows(own, local));
}

// The cheapest of the candidates that this node puts up for a domain.
Bid Election::BestOf(LocalDomain &domain) const {
    while (domain.next < domain.by_bytes.size() && !account_.HasRoom(domain.by_bytes[domain.next])) {
        ++domain.next;
    }
    const int most = problem_.limits.candidates_per_node;
    Bid best;
    int candidates = 0;
    for (std::size_t i = domain.next; i < domain.by_bytes.size() && (most == 0 || candidates < most); ++i) {
        const Rank rank = domain.by_bytes[i];
        if (account_.HasRoom(rank)) {
            ++candidates;
            const Bid bid{TapiocaCostInNode(domain.by_rank, *problem_.topology, rank) + domain.from_others, rank};
            best = bid.Beats(best) ? bid : best;
        }
    }
    return best;
}

// Where no rank with bytes in a domain has room left, its home bids for the others: for the lowest rank with room of each
// node, to which the bytes of its own node are taken to be as far as a node is wide.
Bid Election::BestOfAll(int domain) const {
    const Topology &topology = *problem_.topology;
    const auto found = columns_.find(domain);
    const std::vector<NodeBytes> column = found == columns_.end() ? std::vector<NodeBytes>() : found->second;
    Bid best;
    for (int node = 0; node < topology.nodes(); ++node) {
        const std::vector<Rank> &ranks = topology.RanksOf(node);
        const auto free = std::find_if(ranks.begin(), ranks.end(), [&](Rank rank) { return account_.HasRoom(rank); });
        if (free == ranks.end()) {
            continue;
        }
        double cost = TapiocaCostOfNode(column, topology, node);
        for (const NodeBytes &sum : column) {
            if (sum.node == node) {
                cost += sum.ranks * topology.network().latency() + static_cast<double>(sum.bytes) / kMemoryBandwidth;
            }
        }
        const Bid bid{cost, *free};
        best = bid.Beats(best) ? bid : best;
    }
    return best;
}

// All domains are up for election at once. A rank that the limits no longer leave, having won an earlier domain, does not
// bid in the next round.
Status Election::Run(int domains, std::vector<Rank> &aggregators) {
    std::vector<char> open_to_all(static_cast<std::size_t>(domains), 0);
    std::vector<int> open(static_cast<std::size_t>(domains));
    for (int domain = 0; domain < domains; ++domain) {
        open[static_cast<std::size_t>(domain)] = domain;
    }
    aggregators.assign(static_cast<std::size_t>(domains), 0);
    while (!open.empty()) {
        std::vector<overlap_bid> bids;
        for (const int domain : open) {
            const auto local = local_.find(domain);
            Bid bid = local == local_.end() ? Bid() : BestOf(local->second);
            if (open_to_all[static_cast<std::size_t>(domain)] != 0 && Home(domain) == transport_.rank) {
                bid = BestOfAll(domain);
            }
            bids.push_back(overlap_bid{bid.cost, bid.rank});
        }
        const Status status(transport_.elect(transport_.self, bids.data(), bids.size()));
        if (!status.ok()) {
            return status;
        }
        std::vector<int> left;
        for (std::size_t i = 0; i < open.size(); ++i) {
            const auto domain = static_cast<std::size_t>(open[i]);
            if (bids[i].rank < problem_.ranks && account_.HasRoom(bids[i].rank)) {
                account_.Take(bids[i].rank);
                aggregators[domain] = bids[i].rank;
            } else if (bids[i].rank >= problem_.ranks && open_to_all[domain] != 0) {
                aggregators.clear(); // nobody has room
                return status;
            } else {
                open_to_all[domain] = bids[i].rank >= problem_.ranks ? 1 : 0;
                left.push_back(open[i]);
            }
        }
        open = std::move(left);
    }
    return Status();
}

} // namespace

Status ElectAggregators(const overlap_transport &transport, const Leaders &leaders, const PlacementProblem &problem,
                        const std::vector<DomainShare> &own, Status local, int domains, std::vector<Rank> &aggregators) {
    aggregators.clear();
    Election election(transport, leaders, problem);
    std::int64_t error = election.Prepare(own, local).error();
    Status status(transport.allreduce(transport.self, &error, 1, OVERLAP_REDUCE_MAX));
    status.Merge(Status(static_cast<int>(error)));
    return status.ok() ? election.Run(domains, aggregators) : status;
}

} // namespace overlap
