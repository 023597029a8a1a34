// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "storage.h"

#include <utility>

namespace simulate {

Storage::Storage(Job &job)
    : job_(job), targets_(static_cast<std::size_t>(job.machine().storage_targets)), worked_(targets_.size()),
      clients_(job.ranks().size()) {
    for (Client &client : clients_) {
        client.storage = this;
    }
}

// Neighbouring pieces on one target are one request, up to its length; so are the extents of a list, each of which the
// client asks for by itself.
std::vector<Storage::Request> Storage::RequestsOf(const overlap_extent *extents, std::size_t count) const {
    const auto stripe = static_cast<std::int64_t>(job_.machine().storage_stripe);
    const double longest = job_.machine().storage_request;
    std::vector<Request> requests;
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t offset = extents[i].offset;
        const std::int64_t end = offset + static_cast<std::int64_t>(extents[i].length);
        for (bool first = true; offset < end; first = false) {
            const std::int64_t next = std::min(end, (offset / stripe + 1) * stripe);
            const std::size_t target = static_cast<std::size_t>(offset / stripe) % targets_.size();
            const auto bytes = static_cast<double>(next - offset);
            if (requests.empty() || requests.back().target != target || requests.back().bytes + bytes > longest) {
                requests.push_back(Request{target, 0, 0});
            }
            requests.back().bytes += bytes;
            requests.back().extents += first ? 1 : 0;
            offset = next;
        }
    }
    return requests;
}

overlap_transfer *Storage::Start(Rank &rank, overlap_direction direction, const overlap_extent *extents, std::size_t count) {
    job_.CatchUp(rank);
    auto *const transfer = new overlap_transfer{&rank};
    for (std::size_t i = 0; i < count; ++i) {
        transfer->bytes += extents[i].length;
        if (direction == OVERLAP_WRITE) {
            size_ = std::max(size_, extents[i].offset + static_cast<std::int64_t>(extents[i].length));
        }
    }
    ++rank.tally.transfers;
    rank.tally.extents += static_cast<std::int64_t>(count);
    rank.tally.file_bytes += static_cast<std::int64_t>(transfer->bytes);
    Client &client = clients_[static_cast<std::size_t>(rank.number)];
    client.transfers.emplace_back(transfer, RequestsOf(extents, count));
    if (client.transfers.size() == 1) {
        client.next = 0;
        Go(client);
    }
    return transfer;
}

// The next request of a client, or the end of its transfer.
void Storage::Go(Client &client) {
    const Machine &machine = job_.machine();
    const auto &requests = client.transfers.front().second;
    const double now = job_.clock().now();
    if (client.next == requests.size()) {
        job_.clock().At(now, client);
        return;
    }
    const Request &request = requests[client.next];
    const double rate = machine.storage_rate / static_cast<double>(targets_.size());
    const double calls = static_cast<double>(std::max<std::int64_t>(1, request.extents));
    // Of a list each extent is a call, which waits for its answer.
    const double before =
        calls * (machine.storage_extent + machine.storage_latency) + request.bytes / machine.storage_client;
    worked_[request.target] += request.bytes / rate;
    job_.clock().At(targets_[request.target].Serve(now + before, request.bytes / rate), client);
}

void Storage::Client::Happen(int /*what*/) {
    if (++next < transfers.front().second.size()) {
        storage->Go(*this);
        return;
    }
    overlap_transfer &done = *transfers.front().first;
    transfers.pop_front();
    next = 0;
    done.complete = true;
    storage->job_.Completed(*done.rank, done.awaited);
    if (!transfers.empty()) {
        storage->Go(*this);
    }
}

void Storage::Wait(Rank &rank, overlap_transfer *transfer) {
    job_.CatchUp(rank);
    if (!transfer->complete) {
        transfer->awaited = true;
        ++rank.awaits;
        job_.Sleep(rank);
    }
}

bool Storage::Test(Rank &rank, overlap_transfer *transfer) {
    job_.CatchUp(rank);
    if (!transfer->complete) {
        job_.AskedInVain(rank, transfer);
        return false;
    }
    return true;
}

double Storage::BusiestTarget() const { return *std::max_element(worked_.begin(), worked_.end()); }

} // namespace simulate
