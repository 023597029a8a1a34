// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Transfers through the storage port, that is, through the fbtl that Open MPI chose for the file.
#include "sieve.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

class FbtlEngine final : public IoEngine {
  public:
    explicit FbtlEngine(const IoPorts &ports) : storage_(ports.storage), sieve_(ports, &ports.transport) {}

    ~FbtlEngine() override {
        for (std::size_t request = 0; request < pending_.size(); ++request) {
            ByteCount done = 0;
            static_cast<void>(Wait(request, done));
        }
    }

    void SetRule(const WriteRule &rule) override { sieve_.SetRule(rule); }

    void Prepare(std::size_t requests, std::size_t extents) override {
        pending_.resize(std::max(requests, pending_.size()));
        sieve_.Prepare(extents);
        posix_ = FactsOf(storage_).posix != 0;
    }

    Status Transfer(overlap_direction direction, const Extents &extents, ByteCount &done) noexcept override {
        if (IsSieves(direction, extents)) {
            return sieve_.Transfer(direction, extents, done, written_behind_); // none: they are written in their order
        }
        std::size_t bytes = 0;
        const Status status(storage_.transfer(storage_.self, direction, extents.data(), extents.size(), &bytes));
        done = static_cast<ByteCount>(bytes);
        return status;
    }

    void Start(std::size_t request, overlap_direction direction, const Extents &extents) noexcept override {
        Pending &own = pending_[request];
        if (IsSieves(direction, extents)) { // there is no other thread that could
            own.status = Transfer(direction, extents, own.done);
            return;
        }
        std::size_t bytes = 0;
        own.status =
            Status(storage_.transfer_start(storage_.self, direction, extents.data(), extents.size(), &own.request, &bytes));
        own.done = static_cast<ByteCount>(bytes);
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

    const char *name() const override { return "fbtl"; }

  private:
    struct Pending {
        overlap_transfer *request = nullptr;
        Status status;      // of the start, and of a transfer that has completed
        ByteCount done = 0; // of a transfer that has completed
    };

    // The asynchronous read of fbtl posix never ends where the file ends before (its progress function takes no bytes for a
    // part, and asks for the rest again).
    bool IsSieves(overlap_direction direction, const Extents &extents) const {
        return direction == OVERLAP_READ ? posix_ : sieve_.Takes(extents);
    }

    const overlap_storage &storage_;
    Sieve sieve_;
    bool posix_ = false; // the sieve can read
    std::vector<Pending> pending_;
};

} // namespace

std::shared_ptr<IoEngine> MakeFbtlEngine(const IoPorts &ports) { return std::make_shared<FbtlEngine>(ports); }

} // namespace overlap
