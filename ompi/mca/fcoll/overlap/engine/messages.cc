#include "messages.h"

#include <utility>

namespace overlap {
namespace {

overlap_piece PieceOf(const std::vector<std::int64_t> &values) {
    // A piece of a send is only read.
    char *const address = const_cast<char *>(reinterpret_cast<const char *>(values.data()));
    return overlap_piece{address, values.size() * sizeof(std::int64_t), 0, 1};
}

} // namespace

Messages::~Messages() { static_cast<void>(Wait()); }

Messages::Messages(Messages &&other) noexcept
    : transport_(other.transport_), requests_(std::exchange(other.requests_, {})), tested_(other.tested_) {}

Status Messages::Send(Rank peer, Tag tag, const std::vector<overlap_piece> &pieces) {
    return Start(true, peer, tag, pieces.data(), pieces.size());
}

Status Messages::Receive(Rank peer, Tag tag, const std::vector<overlap_piece> &pieces) {
    return Start(false, peer, tag, pieces.data(), pieces.size());
}

Status Messages::Send(Rank peer, Tag tag, const std::vector<std::int64_t> &values) {
    const overlap_piece piece = PieceOf(values);
    return Start(true, peer, tag, &piece, 1);
}

Status Messages::Receive(Rank peer, Tag tag, std::vector<std::int64_t> &values) {
    const overlap_piece piece = PieceOf(values);
    return Start(false, peer, tag, &piece, 1);
}

Status Messages::Start(bool send, Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count) {
    requests_.push_back(nullptr); // first, so that a request that has started always has its place
    const auto start = send ? transport_->send : transport_->receive;
    return Status(start(transport_->self, peer, tag, pieces, count, &requests_.back()));
}

Status Messages::Test(bool &done) {
    if (requests_.empty()) {
        done = true;
        return Status();
    }
    int complete = 0;
    const Status status(transport_->test(transport_->self, requests_.data(), requests_.size(), &complete));
    done = complete != 0;
    if (done) {
        requests_.clear();
    }
    tested_.Merge(status); // an error may come before the last request is complete
    return done ? std::exchange(tested_, Status()) : Status();
}

Status Messages::Wait() {
    if (requests_.empty()) {
        return Status();
    }
    Status status(transport_->wait(transport_->self, requests_.data(), requests_.size()));
    requests_.clear();
    status.Merge(std::exchange(tested_, Status()));
    return status;
}

} // namespace overlap
