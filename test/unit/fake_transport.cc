// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The transport of the fake cluster: messages and collective operations.
#include "fake_cluster.h"
#include "fake_windows.h"

#include <algorithm>
#include <numeric>

using overlap::test::FakeRank;

// Requests hold what the cluster knows of a message; they live from start to wait.
struct overlap_request {
    std::shared_ptr<void> message;
};

struct overlap_node_memory {
    std::shared_ptr<std::vector<char>> bytes;
    std::string name; // of who made it
};

namespace overlap::test {
void ScatterPieces(const std::vector<char> &bytes, const std::vector<overlap_piece> &pieces) {
    std::size_t position = 0;
    for (const overlap_piece &piece : pieces) {
        for (std::size_t block = 0; block < piece.count; ++block) {
            if (position + piece.length > bytes.size()) {
                Abort("one side asks for more than the " + std::to_string(bytes.size()) + " bytes of the other");
            }
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(position), piece.length,
                        piece.address + static_cast<std::ptrdiff_t>(block) * piece.stride);
            position += piece.length;
        }
    }
    if (position != bytes.size()) {
        Abort("" + std::to_string(position) + " bytes meet " + std::to_string(bytes.size()));
    }
}

std::vector<char> GatherPieces(const std::vector<overlap_piece> &pieces) {
    std::vector<char> bytes;
    for (const overlap_piece &piece : pieces) {
        for (std::size_t block = 0; block < piece.count; ++block) {
            const char *start = piece.address + static_cast<std::ptrdiff_t>(block) * piece.stride;
            bytes.insert(bytes.end(), start, start + piece.length);
        }
    }
    return bytes;
}

void FakeRank::FillInTransport() {
    transport.self = this;
    transport.size = cluster_.options_.ranks;
    transport.nodes = cluster_.nodes_;
    transport.host = cluster_.Of(rank()).host.c_str();
    transport.locality = [](void *self) {
        FakeRank &own = *static_cast<FakeRank *>(self);
        return own.cluster_.options_.localities[static_cast<std::size_t>(own.rank())].c_str();
    };
    transport.nics = cluster_.options_.nics;
    transport.send = Port<&FakeRank::Send>::Call;
    transport.receive = Port<&FakeRank::Receive>::Call;
    transport.receive_any = Port<&FakeRank::ReceiveAny>::Call;
    transport.wait = Port<&FakeRank::Wait>::Call;
    transport.test = Port<&FakeRank::Test>::Call;
    transport.allreduce = Port<&FakeRank::Allreduce>::Call;
    transport.broadcast = Port<&FakeRank::Broadcast>::Call;
    transport.progress = Port<&FakeRank::Progress>::Call;
    transport.waits = Port<&FakeRank::Waits>::Call;
    transport.node_memory_make = Port<&FakeRank::NodeMemoryMake>::Call;
    transport.node_memory_join = Port<&FakeRank::NodeMemoryJoin>::Call;
    transport.node_memory_leave = Port<&FakeRank::NodeMemoryLeave>::Call;
    transport.window_allocate = Port<&FakeWindows::Allocate>::Call;
    transport.window_free = Port<&FakeWindows::Free>::Call;
    transport.window_fence = Port<&FakeWindows::Fence>::Call;
    transport.window_lock = Port<&FakeWindows::Lock>::Call;
    transport.window_unlock = Port<&FakeWindows::Unlock>::Call;
    transport.put = Port<&FakeWindows::PutBytes>::Call;
}

void FakeCluster::Deliver(Message &receive) {
    Message &send = *receive.partner;
    if (send.broken) {
        receive.error = send.error;
    } else if (!receive.drops) {
        const std::vector<char> bytes = send.taken ? send.bytes : GatherPieces(send.pieces);
        if (bytes.empty() && !GatherPieces(receive.pieces).empty()) {
            receive.error = OVERLAP_ERR_OTHER;
        } else {
            ScatterPieces(bytes, receive.pieces);
        }
    }
    receive.complete = true;
    send.complete = true;
    Changed(receive.rank);
    Changed(send.rank);
    receive.partner.reset();
}

void FakeCluster::Match(Channel &channel) {
    while (!channel.sends.empty() && !channel.receives.empty()) {
        const std::shared_ptr<Message> receive = channel.receives.front();
        Message &send = *channel.sends.front();
        receive->partner = channel.sends.front();
        channel.sends.pop_front();
        channel.receives.pop_front();
        Of(receive->rank).unexpected -= send.unmet;
        if (send.synchronous && Coin()) { // met, and away before it arrives
            send.bytes = GatherPieces(send.pieces);
            send.taken = true;
            send.complete = true;
            Changed(send.rank);
        }
        Changed(receive->rank);
        if (Coin()) {
            Deliver(*receive);
        }
    }
}

overlap_request *FakeCluster::Start(int rank, bool sends, int peer, int tag, std::shared_ptr<Message> message) {
    if (peer < 0 || peer >= options_.ranks || peer == rank) {
        Abort("rank " + std::to_string(rank) + " names the peer " + std::to_string(peer));
    }
    message->rank = rank;
    message->tag = tag;
    message->sends = sends;
    traffic_.Starts(rank, peer, tag, sends);
    Channel &channel = channels_[{sends ? std::make_pair(rank, peer) : std::make_pair(peer, rank), tag}];
    (sends ? channel.sends : channel.receives).push_back(message);
    Match(channel);
    if (sends && !channel.sends.empty()) {
        Changed(peer); // which may receive from any rank
    }
    Happened();
    ++open_requests_;
    return new overlap_request{std::move(message)};
}

int FakeRank::Send(int peer, int tag, overlap_send_mode mode, const overlap_piece *pieces, std::size_t count,
                   overlap_request **request) {
    const int rank = this->rank();
    const Failure *const failure = cluster_.Fails(rank, Failure::kSend);
    const auto message = std::make_shared<FakeCluster::Message>();
    cluster_.traffic_.Sent(rank, tag);
    message->synchronous = mode == OVERLAP_SEND_SYNCHRONOUS;
    if (failure != nullptr) {
        message->broken = true;
        message->error = failure->error;
    } else {
        message->pieces.assign(pieces, pieces + count);
    }
    if (!message->synchronous && cluster_.Coin()) { // eager
        message->bytes = GatherPieces(message->pieces);
        message->taken = true;
        message->complete = true;
    }
    *request = cluster_.Start(rank, true, peer, tag, message);
    const auto &waiting = cluster_.channels_[{{rank, peer}, tag}].sends;
    if (!waiting.empty() && waiting.back() == message && !message->synchronous) {
        std::size_t &unexpected = cluster_.Of(peer).unexpected;
        std::size_t &most = cluster_.Of(peer).most_unexpected;
        message->unmet = GatherPieces(message->pieces).size();
        unexpected += message->unmet;
        most = std::max(most, unexpected);
    }
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

int FakeRank::Receive(int peer, int tag, const overlap_piece *pieces, std::size_t count, overlap_request **request) {
    const int rank = this->rank();
    const Failure *const failure = cluster_.Fails(rank, Failure::kReceive);
    const auto message = std::make_shared<FakeCluster::Message>();
    cluster_.traffic_.Received(rank, tag);
    message->pieces.assign(pieces, pieces + count);
    cluster_.traffic_.GoesTo(
        tag, std::accumulate(pieces, pieces + count, std::size_t{0}, [](std::size_t places, const overlap_piece &piece) {
            return places + static_cast<std::size_t>(piece.count);
        }));
    message->drops = failure != nullptr;
    *request = cluster_.Start(rank, false, peer, tag, message);
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

int FakeRank::ReceiveAny(int tag, void *buffer, std::size_t capacity, int *source, std::size_t *received) {
    const int rank = this->rank();
    const auto ready = [&] {
        std::vector<int> sources;
        for (const auto &[key, channel] : cluster_.channels_) {
            if (key.first.second == rank && key.second == tag && !channel.sends.empty()) {
                sources.push_back(key.first.first);
            }
        }
        return sources;
    };
    cluster_.WaitFor(rank, "a message from any rank", [&] { return !ready().empty(); });
    const std::vector<int> sources = ready();
    *source = sources[cluster_.random_() % sources.size()];
    auto &sends = cluster_.channels_[{{*source, rank}, tag}].sends;
    FakeCluster::Message &send = *sends.front();
    const std::vector<char> bytes = send.taken ? send.bytes : GatherPieces(send.pieces);
    const Failure *const failure = cluster_.Fails(rank, Failure::kReceiveAny);
    const int error = send.broken ? send.error : (failure != nullptr ? failure->error : OVERLAP_SUCCESS);
    if (bytes.size() > capacity) {
        Abort("a message of " + std::to_string(bytes.size()) + " bytes for a buffer of " + std::to_string(capacity));
    }
    *received = error == OVERLAP_SUCCESS ? bytes.size() : 0;
    std::copy_n(bytes.begin(), *received, static_cast<char *>(buffer));
    send.complete = true;
    cluster_.traffic_.Received(rank, tag);
    cluster_.Of(rank).unexpected -= send.unmet;
    cluster_.Changed(send.rank);
    sends.pop_front();
    return error;
}

// What has not arrived when a wait or test fails is lost, or not: the caller cannot know.
int FakeRank::Wait(overlap_request **requests, std::size_t count) {
    const bool any = std::any_of(requests, requests + count, [](const overlap_request *one) { return one != nullptr; });
    const Failure *const failure = any ? cluster_.Fails(rank(), Failure::kWait) : nullptr;
    if (failure != nullptr) {
        cluster_.LoseSome(requests, count);
    }
    // Every receive that has its partner is delivered before anything is waited for: MPI progresses all of them.
    const auto deliver = [&] {
        bool all = true;
        for (std::size_t i = 0; i < count; ++i) {
            if (requests[i] != nullptr) {
                auto &message = *static_cast<FakeCluster::Message *>(requests[i]->message.get());
                if (message.partner != nullptr) {
                    cluster_.Deliver(message);
                }
                all = all && message.complete;
            }
        }
        return all;
    };
    cluster_.WaitFor(rank(), "messages", deliver);
    int error = failure != nullptr ? failure->error : OVERLAP_SUCCESS;
    for (std::size_t i = 0; i < count; ++i) {
        error = std::max(error, cluster_.Complete(requests[i]));
    }
    return error;
}

int FakeRank::Test(overlap_request **requests, std::size_t count, int *done) {
    const bool any = std::any_of(requests, requests + count, [](const overlap_request *one) { return one != nullptr; });
    const Failure *const failure = any ? cluster_.Fails(rank(), Failure::kTest) : nullptr;
    if (failure != nullptr) {
        cluster_.LoseSome(requests, count);
    }
    int error = failure != nullptr ? failure->error : OVERLAP_SUCCESS;
    *done = 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (requests[i] == nullptr) {
            continue;
        }
        auto &message = *static_cast<FakeCluster::Message *>(requests[i]->message.get());
        if (message.partner != nullptr && cluster_.Coin()) {
            cluster_.Deliver(message);
        }
        if (message.complete) {
            error = std::max(error, cluster_.Complete(requests[i]));
        } else {
            *done = 0;
        }
    }
    cluster_.Polls();
    return error;
}

int FakeRank::Waits() { return nonblocking_ ? 0 : 1; }

void FakeRank::Progress() { cluster_.Polls(); }

void FakeCluster::LoseSome(overlap_request **requests, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (requests[i] != nullptr && Coin()) {
            static_cast<Message *>(requests[i]->message.get())->drops = true;
        }
    }
}

int FakeCluster::Complete(overlap_request *&request) {
    if (request == nullptr) {
        return OVERLAP_SUCCESS;
    }
    const auto &message = *static_cast<const Message *>(request->message.get());
    const int error = message.broken ? static_cast<int>(OVERLAP_SUCCESS) : message.error; // a send's start has told it
    traffic_.Ends(message.rank, message.tag, message.sends);
    --open_requests_;
    delete request;
    request = nullptr;
    return error;
}

void FakeCluster::Meet(int rank, const std::function<void(bool first)> &take_part) {
    const int round = round_;
    take_part(arrived_ == 0);
    if (++arrived_ == options_.ranks) {
        result_ = reduced_;
        arrived_ = 0;
        ++round_;
        Changed();
    } else {
        WaitFor(rank, "a reduction", [&] { return round_ != round; });
    }
}

int FakeRank::Allreduce(std::int64_t *values, std::size_t count, overlap_reduction reduction) {
    if (const Failure *const failure = cluster_.Fails(rank(), Failure::kAllreduce)) {
        return failure->error;
    }
    cluster_.Meet(rank(), [&](bool first) {
        if (first) {
            cluster_.traffic_.Met(count * sizeof(*values));
            cluster_.reduced_.assign(values, values + count);
        } else if (cluster_.reduced_.size() != count) {
            Abort("ranks call different reductions");
        }
        for (std::size_t i = 0; i < count && !first; ++i) {
            std::int64_t &sum = cluster_.reduced_[i];
            sum = reduction == OVERLAP_REDUCE_SUM ? sum + values[i] : std::max(sum, values[i]);
        }
    });
    std::copy(cluster_.result_.begin(), cluster_.result_.end(), values);
    return OVERLAP_SUCCESS;
}

// Rank 0 waits for nobody.
int FakeRank::Broadcast(void *data, std::size_t bytes) {
    const int rank = this->rank();
    if (const Failure *const failure = cluster_.Fails(rank, Failure::kBroadcast)) {
        return failure->error;
    }
    const std::size_t number = cluster_.Of(rank).broadcasts_heard++;
    if (rank == 0) {
        cluster_.broadcasts_.emplace_back(static_cast<char *>(data), static_cast<char *>(data) + bytes);
        cluster_.traffic_.Met(bytes);
        cluster_.Changed();
        return OVERLAP_SUCCESS;
    }
    cluster_.WaitFor(rank, "a broadcast", [&] { return cluster_.broadcasts_.size() > number; });
    if (cluster_.broadcasts_[number].size() != bytes) {
        Abort("ranks call different broadcasts");
    }
    std::copy(cluster_.broadcasts_[number].begin(), cluster_.broadcasts_[number].end(), static_cast<char *>(data));
    return OVERLAP_SUCCESS;
}

int FakeRank::NodeMemoryMake(std::size_t bytes, char *name, overlap_node_memory **memory, char **address) {
    *memory = nullptr;
    if (const Failure *const failure = cluster_.Fails(rank(), Failure::kNodeMemory)) {
        return failure->error;
    }
    const std::string made = "memory" + std::to_string(cluster_.node_memory_made_++);
    std::copy_n(made.c_str(), made.size() + 1, name);
    *memory = new overlap_node_memory{std::make_shared<std::vector<char>>(bytes, '?'), made};
    *address = (*memory)->bytes->data();
    cluster_.node_memory_[made] = (*memory)->bytes;
    ++cluster_.node_memory_left_;
    return OVERLAP_SUCCESS;
}

int FakeRank::NodeMemoryJoin(const char *name, std::size_t bytes, overlap_node_memory **memory, char **address) {
    *memory = nullptr;
    if (const Failure *const failure = cluster_.Fails(rank(), Failure::kJoinNodeMemory)) {
        return failure->error;
    }
    const auto found = cluster_.node_memory_.find(name);
    if (found == cluster_.node_memory_.end() || found->second->size() < bytes) {
        Abort("rank " + std::to_string(rank()) + " joins memory that is not there");
    }
    *memory = new overlap_node_memory{found->second, ""};
    *address = found->second->data();
    ++cluster_.node_memory_left_;
    return OVERLAP_SUCCESS;
}

void FakeRank::NodeMemoryLeave(overlap_node_memory **memory) {
    if (*memory != nullptr) {
        cluster_.node_memory_.erase((*memory)->name);
        --cluster_.node_memory_left_;
        delete *memory;
        *memory = nullptr;
    }
}

} // namespace overlap::test
