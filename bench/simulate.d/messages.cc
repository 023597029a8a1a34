// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "messages.h"

#include "plan/exchange.h"
#include "team/messages.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace simulate {
namespace {

std::size_t BytesOf(const overlap_piece *pieces, std::size_t count) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) {
        bytes += pieces[i].length * pieces[i].count;
    }
    return bytes;
}

bool IsData(int tag) { return tag == overlap::kTagData; }

// Of a message of words those that are data which goes with a description.
std::size_t DataIn(int tag, const char *message, std::size_t bytes) {
    std::int64_t first = 0;
    constexpr std::size_t kBefore = overlap::UnsizedMessage::kHeaderWords * sizeof(first);
    if (tag != overlap::kTagShare || bytes < kBefore + sizeof(first)) {
        return 0;
    }
    std::memcpy(&first, message + kBefore, sizeof(first));
    return overlap::WordsOf(first >> overlap::kShareDomainBits) * sizeof(first);
}

void Count(Traffic &traffic, int tag, std::size_t data, std::size_t words) {
    ++(IsData(tag) ? traffic.data : traffic.words);
    traffic.data_bytes += static_cast<std::int64_t>(data);
    traffic.word_bytes += static_cast<std::int64_t>(words);
}

} // namespace

// Words of the engine are one piece.
class Messages::Posted final : public Event {
  public:
    Posted(Messages &all, overlap_request *own, int source, int of_kind, char *place)
        : request(own), from(source), tag(of_kind), words(place), all_(all) {}

    // It is posted.
    void Happen(int what) override;

    overlap_request *request;
    const int from;
    const int tag;
    char *const words; // null where it takes bytes of the user

  private:
    Messages &all_;
};

class Messages::Message final : public Event {
  public:
    enum Stage { kDeparts, kArrives, kStarts, kIsThere, kIsAcknowledged };

    Message(Messages &all, int source, int target, int of_kind, std::size_t size)
        : from(source), to(target), tag(of_kind), bytes(size), all_(all) {}

    void Happen(int what) override;
    void At(double time, Stage stage) {
        ++holds;
        all_.job_.clock().At(time, *this, stage);
    }
    // One fewer has a use for it.
    void Release() {
        if (--holds == 0) {
            delete this;
        }
    }
    bool between() const { return all_.RankAt(from).node != all_.RankAt(to).node; }
    double Latency() const {
        return between() ? all_.network_.Latency(all_.RankAt(from).node, all_.RankAt(to).node)
                         : all_.job_.machine().node_latency;
    }

    const int from;
    const int to;
    const int tag;
    const std::size_t bytes;
    std::size_t said = 0; // of them, words of the engine
    bool asks_first = false;
    bool synchronous = false;
    bool met = false;
    double arrival = 0; // of the message, or of what asks for it
    overlap_request *send = nullptr;
    overlap_request *receive = nullptr;
    char *receives_words = nullptr;
    const char *words = nullptr; // of the sender, or in `copied`
    std::unique_ptr<char[]> copied;
    int holds = 0;

  private:
    // Bytes leave at `time`: when they are there.
    double Travel(double time) const {
        return between() ? all_.network_.Deliver(all_.RankAt(from).node, all_.RankAt(to).node, bytes, time)
                         : time + all_.job_.machine().node_latency;
    }
    void Depart();

    Messages &all_;
};

void Messages::Message::Depart() {
    const double now = all_.job_.clock().now();
    if (asks_first) {
        arrival = now + Latency();
    } else {
        arrival = Travel(now);
        if (!synchronous) {
            all_.Complete(send);
        }
    }
    Meeting &meeting = all_.meetings_[KeyOf(from, to, tag)];
    if (!meeting.receives.empty()) {
        Posted *const posted = meeting.receives.front();
        meeting.receives.pop_front();
        all_.Meet(*this, *posted, now);
        delete posted;
        all_.Forget(KeyOf(from, to, tag));
        return;
    }
    ++holds;
    meeting.messages.push_back(this);
    if (!IsData(tag)) {
        At(arrival, kArrives);
    }
}

void Messages::Message::Happen(int what) {
    switch (static_cast<Stage>(what)) {
    case kDeparts:
        Depart();
        break;
    case kArrives: {
        Rank &receiver = all_.RankAt(to);
        if (!met) {
            ++holds;
            std::deque<Message *> &heard = all_.heard_[KeyOf(0, to, tag)];
            DropMet(heard);
            heard.push_back(this);
            if (receiver.hears == tag) {
                receiver.hears = -1;
                all_.job_.Wake(receiver);
            }
        }
        break;
    }
    case kStarts:
        At(Travel(all_.job_.clock().now()), kIsThere);
        break;
    case kIsThere:
        if (receives_words != nullptr) {
            std::memcpy(receives_words, words, bytes);
        }
        all_.Complete(receive);
        if (asks_first) {
            all_.Complete(send);
        }
        break;
    case kIsAcknowledged:
        all_.Complete(send);
        break;
    }
    Release();
}

void Messages::Posted::Happen(int /*what*/) {
    const Key key = KeyOf(from, request->rank->number, tag);
    Meeting &meeting = all_.meetings_[key];
    if (meeting.messages.empty()) {
        meeting.receives.push_back(this);
        return;
    }
    Message *const message = meeting.messages.front();
    meeting.messages.pop_front();
    all_.Meet(*message, *this, all_.job_.clock().now());
    message->Release();
    all_.Forget(key);
    delete this;
}

void Messages::DropMet(std::deque<Message *> &heard) {
    while (!heard.empty() && heard.front()->met) {
        heard.front()->Release();
        heard.pop_front();
    }
}

Messages::Key Messages::KeyOf(int from, int to, int tag) {
    constexpr int kBits = 24;
    return (static_cast<Key>(tag) << (2 * kBits)) | (static_cast<Key>(to) << kBits) | static_cast<Key>(from);
}

void Messages::Forget(Key key) {
    const auto found = meetings_.find(key);
    if (found->second.messages.empty() && found->second.receives.empty()) {
        meetings_.erase(found);
    }
}

void Messages::Meet(Message &message, Posted &receive, double time) {
    message.met = true;
    message.receive = receive.request;
    message.receives_words = receive.words;
    const Machine &machine = job_.machine();
    const auto bytes = static_cast<double>(message.bytes);
    receive.request->work = message.between() ? machine.overhead + bytes * machine.overhead_byte
                                              : machine.node_overhead + bytes / machine.node_rate;
    receive.request->work += static_cast<double>(message.said) / 8 * machine.word;
    Count(receive.request->rank->tally.received, message.tag, message.bytes - message.said, message.said);
    const double met = std::max(time, message.arrival);
    if (message.asks_first) {
        message.At(met + message.Latency(), Message::kStarts);
        return;
    }
    message.At(met, Message::kIsThere);
    if (message.synchronous) {
        message.At(met + message.Latency(), Message::kIsAcknowledged);
    }
}

overlap_request *Messages::NewRequest(Rank &rank, bool receives) {
    rank.tally.requests = std::max(rank.tally.requests, ++rank.under_way);
    return new overlap_request{&rank, receives};
}

overlap_request *Messages::Send(Rank &from, int to, int tag, overlap_send_mode mode, const overlap_piece *pieces,
                                std::size_t count) {
    const Machine &machine = job_.machine();
    auto *const message = new Message(*this, from.number, to, tag, BytesOf(pieces, count));
    const auto bytes = static_cast<double>(message->bytes);
    message->synchronous = mode == OVERLAP_SEND_SYNCHRONOUS;
    message->asks_first = bytes > machine.eager;
    message->send = NewRequest(from, false);
    if (!IsData(tag) && message->bytes > 0) {
        message->words = pieces[0].address;
        message->said = message->bytes - DataIn(tag, message->words, message->bytes);
        if (!message->asks_first && !message->synchronous) { // its sender may go on
            message->copied.reset(new char[message->bytes]);
            std::memcpy(message->copied.get(), message->words, message->bytes);
            message->words = message->copied.get();
        }
    }
    Count(from.tally.sent, tag, message->bytes - message->said, message->said);
    job_.Work(from, (message->between() ? machine.overhead + bytes * machine.overhead_byte : machine.node_overhead) +
                        static_cast<double>(message->said) / 8 * machine.word);
    message->At(from.time, Message::kDeparts);
    return message->send;
}

overlap_request *Messages::Receive(Rank &to, int from, int tag, const overlap_piece *pieces, std::size_t count) {
    overlap_request *const request = NewRequest(to, true);
    char *const words = IsData(tag) || BytesOf(pieces, count) == 0 ? nullptr : pieces[0].address;
    auto *const posted = new Posted(*this, request, from, tag, words);
    job_.clock().At(to.time, *posted);
    return request;
}

std::size_t Messages::ReceiveAny(Rank &to, int tag, void *buffer, std::size_t capacity, int &source) {
    job_.CatchUp(to);
    const Key key = KeyOf(0, to.number, tag);
    for (;;) {
        std::deque<Message *> &heard = heard_[key];
        DropMet(heard);
        if (!heard.empty()) {
            break;
        }
        to.hears = tag;
        job_.Sleep(to);
    }
    Message &message = *heard_[key].front();
    heard_[key].pop_front();
    if (heard_[key].empty()) {
        heard_.erase(key);
    }
    const Key meeting = KeyOf(message.from, to.number, tag);
    std::deque<Message *> &messages = meetings_[meeting].messages;
    messages.erase(std::find(messages.begin(), messages.end(), &message));
    message.Release();
    Forget(meeting);
    message.met = true;
    if (message.asks_first || message.bytes > capacity) {
        throw std::logic_error("a message for any rank that is too long");
    }
    source = message.from;
    const std::size_t bytes = message.bytes;
    if (bytes > 0) {
        std::memcpy(buffer, message.words, bytes);
    }
    if (message.synchronous) {
        message.At(job_.clock().now() + message.Latency(), Message::kIsAcknowledged);
    }
    const Machine &machine = job_.machine();
    Count(to.tally.received, tag, bytes - message.said, message.said);
    const auto size = static_cast<double>(bytes);
    job_.Work(to, (message.between() ? machine.overhead + size * machine.overhead_byte
                                     : machine.node_overhead + size / machine.node_rate) +
                      static_cast<double>(message.said) / 8 * machine.word);
    message.Release();
    return bytes;
}

void Messages::Complete(overlap_request *&request) {
    overlap_request &completed = *std::exchange(request, nullptr);
    completed.complete = true;
    job_.Completed(*completed.rank, completed.awaited);
}

void Messages::Take(overlap_request *&request) {
    overlap_request *const taken = std::exchange(request, nullptr);
    job_.Work(*taken->rank, taken->work);
    --taken->rank->under_way;
    delete taken;
}

void Messages::Wait(Rank &rank, overlap_request **requests, std::size_t count) {
    job_.CatchUp(rank);
    std::for_each(requests, requests + count, [&rank](overlap_request *request) {
        if (request != nullptr && !request->complete) {
            request->awaited = true;
            ++rank.awaits;
        }
    });
    if (rank.awaits > 0) {
        job_.Sleep(rank);
    }
    std::for_each(requests, requests + count, [this](overlap_request *&request) {
        if (request != nullptr) {
            Take(request);
        }
    });
}

bool Messages::Test(Rank &rank, overlap_request **requests, std::size_t count) {
    job_.CatchUp(rank);
    bool all = true;
    std::for_each(requests, requests + count, [&](overlap_request *&request) {
        if (request != nullptr && request->complete) {
            Take(request);
        }
        all = all && request == nullptr;
    });
    if (!all) {
        job_.AskedInVain(rank, requests);
    }
    return all;
}

std::size_t Messages::Unmet() const { return meetings_.size(); }

} // namespace simulate
