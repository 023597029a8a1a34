#include "gather.h"

#include "../guard.h"

#include <algorithm>

namespace overlap {
namespace {

// A message begins with its sender's status and its length; the second part follows only where the first is too short.
constexpr std::size_t kHeaderWords = 2;
constexpr std::size_t kWordsInFirstPart = 254;

// From a leader to rank 0: for each rank its number, its words' count, its words.
void AppendFrame(Words &frames, Rank rank, const std::int64_t *words, std::size_t count) {
    frames.push_back(rank);
    frames.push_back(static_cast<std::int64_t>(count));
    frames.insert(frames.end(), words, words + count);
}

void HearFrames(const Words &frames, const Listener &listener) {
    for (std::size_t at = 0; at < frames.size();) {
        const auto rank = static_cast<Rank>(frames[at]);
        const auto count = static_cast<std::size_t>(frames[at + 1]);
        listener(rank, frames.data() + at + 2, count);
        at += 2 + count;
    }
}

} // namespace

Leaders::Leaders(const overlap_transport &transport)
    : node_of_rank(transport.node_of_rank), own_node(transport.node_of_rank[transport.rank]) {
    for (Rank rank = 0; rank < transport.size; ++rank) {
        if (node_of_rank[rank] == static_cast<int>(leader_of_node.size())) {
            leader_of_node.push_back(rank);
        }
        ranks_of_own_node += node_of_rank[rank] == own_node ? 1 : 0;
    }
}

Status SendWords(Messages &messages, Rank peer, Tag tag, Tag rest, const Words &words, Status status, Words &head) {
    // What is in the first part travels once: the second begins behind it.
    head = {status.error(), static_cast<std::int64_t>(words.size())};
    const std::size_t first = std::min(words.size(), kWordsInFirstPart);
    head.insert(head.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first));
    Status sent = messages.Send(peer, tag, head);
    if (words.size() > first) {
        char *const address = const_cast<char *>(reinterpret_cast<const char *>(words.data() + first));
        sent.Merge(messages.Send(peer, rest, {overlap_piece{address, (words.size() - first) * sizeof(words[0]), 0, 1}}));
    }
    return sent;
}

Status ReceiveWords(const overlap_transport &transport, Tag tag, Tag rest, Words &words, Rank &source) {
    words.resize(kHeaderWords + kWordsInFirstPart);
    std::size_t received = 0;
    Status status(
        transport.receive_any(transport.self, tag, words.data(), words.size() * sizeof(words[0]), &source, &received));
    if (!status.ok()) {
        words.clear();
        return status;
    }
    status = Status(static_cast<int>(words[0]));
    const auto count = static_cast<std::size_t>(words[1]);
    words.erase(words.begin(), words.begin() + kHeaderWords);
    words.resize(count);
    if (count > kWordsInFirstPart) {
        Messages messages(transport);
        char *const address = reinterpret_cast<char *>(words.data() + kWordsInFirstPart);
        status.Merge(
            messages.Receive(source, rest, {overlap_piece{address, (count - kWordsInFirstPart) * sizeof(words[0]), 0, 1}}));
        status.Merge(messages.Wait());
    }
    return status;
}

Status GatherOnLeaders(const overlap_transport &transport, const Leaders &leaders, const Words &own, Status status,
                       const Listener &listener) {
    Messages messages(transport);
    Words head;
    if (!leaders.IsLeader(transport.rank)) {
        const Rank leader = leaders.leader_of_node[static_cast<std::size_t>(leaders.own_node)];
        status.Merge(SendWords(messages, leader, kTagRow, kTagRowRest, own, status, head));
        status.Merge(messages.Wait());
        return status;
    }
    if (status.ok()) {
        status = Guarded([&] { listener(transport.rank, own.data(), own.size()); });
    }
    Words words;
    for (int i = 1; i < leaders.ranks_of_own_node; ++i) {
        Rank source = 0;
        status.Merge(ReceiveWords(transport, kTagRow, kTagRowRest, words, source));
        if (status.ok()) {
            status = Guarded([&] { listener(source, words.data(), words.size()); });
        }
    }
    return status;
}

Status GatherOnRankZero(const overlap_transport &transport, const Leaders &leaders, const Words &own, Status status,
                        const Listener &listener) {
    if (transport.rank != 0) {
        Words frames;
        const auto hear = [&](Rank rank, const std::int64_t *words, std::size_t count) {
            AppendFrame(frames, rank, words, count);
            listener(rank, words, count);
        };
        status.Merge(GatherOnLeaders(transport, leaders, own, status, hear));
        if (leaders.IsLeader(transport.rank)) {
            Messages messages(transport);
            Words head;
            status.Merge(SendWords(messages, 0, kTagRow, kTagRowRest, frames, status, head));
            status.Merge(messages.Wait());
        }
        return status;
    }
    if (status.ok()) {
        status = Guarded([&] { listener(0, own.data(), own.size()); });
    }
    Words words;
    for (int i = 0; i < leaders.ranks_of_own_node + leaders.nodes() - 2; ++i) {
        Rank source = 0;
        status.Merge(ReceiveWords(transport, kTagRow, kTagRowRest, words, source));
        if (status.ok()) {
            status = Guarded([&] {
                if (leaders.node_of_rank[source] == leaders.own_node) {
                    listener(source, words.data(), words.size());
                } else {
                    HearFrames(words, listener);
                }
            });
        }
    }
    return status;
}

} // namespace overlap
