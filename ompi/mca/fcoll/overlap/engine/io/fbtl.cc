// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Transfers through the storage port, that is, through the fbtl that Open MPI chose for the file.
#include "read_through.h"
#include "sieve.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

class FbtlEngine final : public IoEngine {
  public:
    explicit FbtlEngine(const IoPorts &ports)
        : storage_(ports.storage), holes_(ports.holes),
          sieve_(ports.storage, ports.holes, ports.patience, &ports.transport, ports.host.counters), reader_(ports.storage) {
    }

    ~FbtlEngine() override {
        for (std::size_t request = 0; request < pending_.size(); ++request) {
            ByteCount done = 0;
            static_cast<void>(Wait(request, done));
        }
    }

    FbtlEngine(const FbtlEngine &) = delete;
    FbtlEngine &operator=(const FbtlEngine &) = delete;

    void Prepare(std::size_t requests, std::size_t extents) override {
        pending_.resize(std::max(requests, pending_.size()));
        sieve_.Prepare(extents);
        reader_.Prepare();
        overlap_file_facts facts{};
        storage_.facts(storage_.self, &facts);
        posix_ = facts.posix != 0;
    }

    Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept override {
        if (IsTheirs(direction, extents)) {
            return direction == OVERLAP_READ ? reader_.Read(extents, done) : sieve_.Write(extents, done);
        }
        std::size_t bytes = 0;
        const Status status(storage_.transfer(storage_.self, direction, extents.data(), extents.size(), &bytes));
        done = static_cast<ByteCount>(bytes);
        return status;
    }

    void Start(std::size_t request, overlap_direction direction, const Extents &extents) noexcept override {
        Pending &own = pending_[request];
        own.status =
            IsTheirs(direction, extents) // there is no other thread that could
                ? Transfer(direction, extents, own.done)
                : Status(storage_.transfer_start(storage_.self, direction, extents.data(), extents.size(), &own.request));
    }

    Status Wait(std::size_t request, ByteCount &done) noexcept override {
        Pending &own = pending_[request];
        if (own.request != nullptr) {
            std::size_t bytes = 0;
            own.status.Merge(Status(storage_.transfer_wait(storage_.self, &own.request, &bytes)));
            own.done = static_cast<ByteCount>(bytes);
        }
        done = std::exchange(own.done, 0);
        return std::exchange(own.status, Status());
    }

    bool Done(std::size_t request) noexcept override {
        Pending &own = pending_[request];
        if (own.request != nullptr) {
            int complete = 0;
            std::size_t bytes = 0;
            own.status.Merge(Status(storage_.transfer_test(storage_.self, &own.request, &complete, &bytes)));
            own.done = complete != 0 ? static_cast<ByteCount>(bytes) : 0;
        }
        return own.request == nullptr;
    }

    void Expect(const Extents &extents) noexcept override {
        if (sieve_.enabled()) {
            ForEachSieved(holes_, extents, [this](const Chunk &chunk) { sieve_.Announce(chunk); });
        }
    }

    const char *name() const override { return "fbtl"; }

    bool ReadsGaps() const override { return sieve_.enabled(); }

    void AllowSieve(bool allowed) override {
        sieve_.Allow(allowed);
        sieve_.Forget();
    }

  private:
    struct Pending {
        overlap_transfer *request = nullptr;
        Status status;      // of the start, and of a transfer that has completed
        ByteCount done = 0; // of a transfer that has completed
    };

    // Whether sieve or reader serve. The asynchronous read of fbtl posix never ends where the file ends before (its progress
    // function takes no bytes for a part, and asks for the rest again).
    bool IsTheirs(overlap_direction direction, const Extents &extents) const {
        return direction == OVERLAP_READ ? posix_ : sieve_.Takes(extents);
    }

    const overlap_storage &storage_;
    const HolesRule holes_;
    Sieve sieve_;
    ReadThrough reader_;
    bool posix_ = false; // the reader can read
    std::vector<Pending> pending_;
};

} // namespace

std::unique_ptr<IoEngine> MakeFbtlEngine(const IoPorts &ports) { return std::make_unique<FbtlEngine>(ports); }

} // namespace overlap
