// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Messages between simulated ranks. Bytes of the user are only counted; words travel.
#ifndef BENCH_SIMULATE_MESSAGES_H
#define BENCH_SIMULATE_MESSAGES_H

#include "network.h"

#include "ports.h"

#include <deque>
#include <memory>
#include <unordered_map>

// Of a rank; complete where its rank may go on.
struct overlap_request {
    simulate::Rank *rank;
    bool receives;
    bool complete = false;
    bool awaited = false;
    double work = 0; // of the rank's processor, when it takes note of it
};

namespace simulate {

/// The functions of a transport port. Messages of one tag between two ranks meet in their order.
class Messages {
  public:
    Messages(Job &job, Network &network) : job_(job), network_(network) {}
    Messages(const Messages &) = delete;
    Messages &operator=(const Messages &) = delete;

    overlap_request *Send(Rank &from, int to, int tag, overlap_send_mode mode, const overlap_piece *pieces,
                          std::size_t count);
    overlap_request *Receive(Rank &to, int from, int tag, const overlap_piece *pieces, std::size_t count);
    /// Returns the bytes of the message.
    std::size_t ReceiveAny(Rank &to, int tag, void *buffer, std::size_t capacity, int &source);
    void Wait(Rank &rank, overlap_request **requests, std::size_t count);
    bool Test(Rank &rank, overlap_request **requests, std::size_t count);

    /// Messages and receives that have not met.
    std::size_t Unmet() const;

  private:
    class Message;
    class Posted;
    struct Meeting { // what waits for the other side; one of the two is empty
        std::deque<Message *> messages;
        std::deque<Posted *> receives;
    };
    using Key = std::uint64_t;

    static Key KeyOf(int from, int to, int tag);
    static void DropMet(std::deque<Message *> &heard);
    Rank &RankAt(int number) { return job_.ranks()[static_cast<std::size_t>(number)]; }
    overlap_request *NewRequest(Rank &rank, bool receives);
    void Complete(overlap_request *&request);
    void Take(overlap_request *&request);
    void Meet(Message &message, Posted &receive, double time);
    void Forget(Key key);

    Job &job_;
    Network &network_;
    std::unordered_map<Key, Meeting> meetings_;
    std::unordered_map<Key, std::deque<Message *>> heard_; // of a rank and a tag: what has arrived, met or not
};

} // namespace simulate

#endif
