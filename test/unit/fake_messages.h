// Messages under way in the fake cluster.
#ifndef TEST_UNIT_FAKE_MESSAGES_H
#define TEST_UNIT_FAKE_MESSAGES_H

#include "fake_cluster.h"

#include <deque>

namespace overlap::test {

/// One side of a message; the other side is found by the channel.
struct FakeCluster::Message {
    int rank = 0;
    int tag = 0;
    bool sends = false;
    std::vector<overlap_piece> pieces;
    std::vector<char> bytes; // of a send that was taken early
    bool synchronous = false;
    bool taken = false;
    bool complete = false;
    bool broken = false;         // of a send: it goes in the place of one that could not be made
    bool drops = false;          // of a receive: it takes what comes and forgets it
    std::size_t unmet = 0;       // bytes of a send that wait at the destination
    int error = OVERLAP_SUCCESS; // of a receive
    std::shared_ptr<Message> partner;
};

struct FakeCluster::Channel {
    std::deque<std::shared_ptr<Message>> sends;
    std::deque<std::shared_ptr<Message>> receives;
};

} // namespace overlap::test

#endif
