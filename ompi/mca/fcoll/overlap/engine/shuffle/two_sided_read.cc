// Reads: the messages of two_sided.cc the other way. Each client's bytes of a cycle travel from the aggregator's sub-buffer
// to where they belong in its memory. Clients may ask for the same bytes, which go to each of them.
#include "../watch/watch.h"
#include "backpressure.h"
#include "incoming.h"
#include "scatter.h"
#include "unpacking.h"

#include <algorithm>

namespace overlap {
namespace {

class TwoSidedRead final : public Shuffle {
  public:
    explicit TwoSidedRead(const ShuffleJob &job) : job_(job), backpressure_(job.slots), own_(job_), unpacking_(job_) {
        std::size_t clients = 0;
        for (const OwnedDomain &domain : job_.plan.owned) {
            clients_.emplace_back(domain);
            synchronous_.emplace_back(domain.clients.size(), Cycle{-1});
            clients += domain.clients.size();
        }
        for (int slot = 0; slot < job_.slots; ++slot) {
            sends_.emplace_back(job_.team.transport()).Reserve(clients);
            receives_.emplace_back(job_.team.transport()).Reserve(job_.plan.shares.size());
        }
        pieces_.reserve(std::max({job_.most_pieces, job_.plan.most_client_pieces, std::size_t{1}}));
    }

    // What this rank receives first: where an aggregator has no room left for what it packs, it waits until its clients have
    // come here.
    Status Start(Cycle cycle, Slot slot) noexcept override {
        Status status;
        job_.pack.Begin(slot);
        for (const Share &share : job_.plan.shares) {
            status.Merge(ReceiveShare(share, cycle, slot));
        }
        for (std::size_t i = 0; i < clients_.size(); ++i) {
            status.Merge(cycle < job_.plan.owned[i].cycles() ? SendAll(i, cycle, slot) : Status());
        }
        status.Merge(own_.CopyBack(cycle, slot));
        return status;
    }

    Status Wait(Cycle /*cycle*/, Slot slot) noexcept override {
        Status status = ReceivesOf(slot).Wait();
        status.Merge(unpacking_.Unpack(slot, status));
        status.Merge(SendsOf(slot).Wait());
        job_.staging.Leave(slot);
        return status;
    }

    Status Test(Cycle /*cycle*/, Slot slot, bool &done) noexcept override {
        bool sent = false;
        bool received = false;
        Status status = ReceivesOf(slot).Test(received);
        if (received) {
            status.Merge(unpacking_.Unpack(slot, status));
        }
        status.Merge(SendsOf(slot).Test(sent));
        done = sent && received;
        if (done) {
            job_.staging.Leave(slot);
        }
        return status;
    }

    Status Finish() noexcept override { return Status(); }

  private:
    Messages &SendsOf(Slot slot) { return sends_[static_cast<std::size_t>(slot)]; }
    Messages &ReceivesOf(Slot slot) { return receives_[static_cast<std::size_t>(slot)]; }

    Status ReceiveShare(const Share &share, Cycle cycle, Slot slot) noexcept {
        const ByteCount first = share.First(cycle);
        const ByteCount last = share.Last(cycle);
        if (first == last || share.aggregator == job_.team.rank()) {
            return Status();
        }
        unpacking_.PlacesFor(share, first, last, slot, pieces_);
        return ReceivesOf(slot).Receive(share.aggregator, kTagData, pieces_);
    }

    Status SendAll(std::size_t owned, Cycle cycle, Slot slot) noexcept {
        Status status;
        clients_[owned].ForEach(cycle, [&](const Client &client, ByteCount first, ByteCount last, Cycle /*before*/) {
            if (client.rank == job_.team.rank()) {
                return;
            }
            if (client.scatters) {
                status.Merge(Pack(owned, client, first, last, cycle, slot));
            } else {
                PiecesOfClient(job_, owned, client, first, last, cycle, slot, pieces_);
            }
            const auto index = static_cast<std::size_t>(&client - job_.plan.owned[owned].clients.data());
            const overlap_send_mode mode = backpressure_.ModeOf(cycle, last - first, synchronous_[owned][index]);
            status.Merge(SendsOf(slot).Send(client.rank, kTagData, pieces_, mode));
        });
        return status;
    }

    // Into the room of the slot. Clients that ask for the same bytes may need more than that: then what is packed there has
    // to leave first. This does not block for ever, as every rank starts all its receives of a cycle before it sends, and
    // takes what comes meanwhile.
    Status Pack(std::size_t owned, const Client &client, ByteCount first, ByteCount last, Cycle cycle, Slot slot) noexcept {
        Status status;
        for (bool sent = job_.staging.HasRoom(slot, last - first); !sent;) {
            bool received = false;
            status.Merge(SendsOf(slot).Test(sent));
            status.Merge(ReceivesOf(slot).Test(received));
            if (sent) {
                job_.staging.Leave(slot);
            }
        }
        const Interlude copying(job_.watch, Activity::kCopy);
        char *const packed = job_.staging.Take(slot, last - first);
        const OwnedDomain &domain = job_.plan.owned[owned];
        GatherBytes(client.file, first, last, domain.coverage.data, domain.First(cycle), job_.buffers.At(slot, owned),
                    packed);
        pieces_.assign(1, overlap_piece{packed, static_cast<std::size_t>(last - first), 0, 1});
        return status;
    }

    const ShuffleJob job_;
    const Backpressure backpressure_;
    OwnShares own_;
    std::vector<ClientsOfCycles> clients_;        // of each owned domain
    std::vector<std::vector<Cycle>> synchronous_; // of each owned domain and client: its last synchronous message
    Unpacking unpacking_;
    std::vector<Messages> sends_;    // of each slot
    std::vector<Messages> receives_; // of each slot
    Pieces pieces_;
};

} // namespace

std::unique_ptr<Shuffle> MakeTwoSidedRead(const ShuffleJob &job) { return std::make_unique<TwoSidedRead>(job); }

} // namespace overlap
