#include "own_shares.h"

namespace overlap {

void PiecesOfClient(const ShuffleJob &job, std::size_t owned, const Client &client, Cycle cycle, Slot slot, Pieces &pieces) {
    const OwnedDomain &domain = job.plan.owned[owned];
    const ByteCount from = client.file.BytesBefore(domain.cuts.Begin(cycle));
    const ByteCount to = client.file.BytesBefore(domain.cuts.End(cycle));
    PiecesInBuffer(client.file, from, to, domain.coverage.data, domain.First(cycle), job.buffers.At(slot, owned), pieces);
}

void OwnShares::Copy(Cycle cycle, Slot slot) {
    for (std::size_t i = 0; i < job_.plan.owned.size(); ++i) {
        for (const Client &client : job_.plan.owned[i].clients) {
            if (client.rank == job_.transport.rank && cycle < job_.plan.owned[i].cycles()) {
                CopyTo(i, client, cycle, slot);
            }
        }
    }
}

void OwnShares::CopyTo(std::size_t owned, const Client &self, Cycle cycle, Slot slot) {
    for (const Share &share : job_.plan.shares) {
        if (share.domain == job_.plan.owned[owned].domain) {
            PiecesInMemory(share, share.First(cycle), share.Last(cycle), job_.memory, from_);
            PiecesOfClient(job_, owned, self, cycle, slot, to_);
            CopyPieces(from_, to_);
        }
    }
}

} // namespace overlap
