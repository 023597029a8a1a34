// Writes through the storage port, that is, through the fbtl that Open MPI chose for the file.
#include "sieve.h"
#include "writer.h"

#include <algorithm>
#include <utility>

namespace overlap {
namespace {

class FbtlWriter final : public Writer {
  public:
    explicit FbtlWriter(const WriterPorts &ports)
        : storage_(ports.storage), holes_(ports.holes), sieve_(ports.storage, ports.holes, &ports.transport) {}

    ~FbtlWriter() override {
        for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
            ByteCount written = 0;
            static_cast<void>(Wait(lane, written));
        }
    }

    FbtlWriter(const FbtlWriter &) = delete;
    FbtlWriter &operator=(const FbtlWriter &) = delete;

    void Prepare(std::size_t lanes, std::size_t /*extents*/) override {
        lanes_.resize(std::max(lanes, lanes_.size()));
        sieve_.Prepare();
    }

    Status Write(const Extents &extents, ByteCount &written) noexcept override {
        if (sieve_.Takes(extents)) {
            return sieve_.Write(extents, written);
        }
        std::size_t bytes = 0;
        const Status status(storage_.write(storage_.self, extents.data(), extents.size(), &bytes));
        written = static_cast<ByteCount>(bytes);
        return status;
    }

    void Start(std::size_t lane, const Extents &extents) noexcept override {
        if (sieve_.Takes(extents)) { // there is no other thread that could
            lanes_[lane].status = sieve_.Write(extents, lanes_[lane].written);
            return;
        }
        lanes_[lane].status =
            Status(storage_.write_start(storage_.self, extents.data(), extents.size(), &lanes_[lane].request));
    }

    Status Wait(std::size_t lane, ByteCount &written) noexcept override {
        Lane &own = lanes_[lane];
        if (own.request != nullptr) {
            std::size_t bytes = 0;
            own.status.Merge(Status(storage_.write_wait(storage_.self, &own.request, &bytes)));
            own.written = static_cast<ByteCount>(bytes);
        }
        written = std::exchange(own.written, 0);
        return std::exchange(own.status, Status());
    }

    bool Done(std::size_t lane) noexcept override {
        Lane &own = lanes_[lane];
        if (own.request != nullptr) {
            int done = 0;
            std::size_t bytes = 0;
            own.status.Merge(Status(storage_.write_test(storage_.self, &own.request, &done, &bytes)));
            own.written = done != 0 ? static_cast<ByteCount>(bytes) : 0;
        }
        return own.request == nullptr;
    }

    void Expect(const Extents &extents) noexcept override {
        if (sieve_.enabled() && !sieve_.shared()) {
            ForEachSieved(holes_, extents, [this](const Chunk &chunk) {
                storage_.posix_will_read(storage_.self, chunk.begin, chunk.span());
            });
        }
    }

    const char *name() const override { return "fbtl"; }

    bool ReadsGaps() const override { return sieve_.enabled(); }

    void AllowSieve(bool allowed) override { sieve_.Allow(allowed); }

  private:
    struct Lane {
        overlap_write *request = nullptr;
        Status status;         // of the start, and of a write that has completed
        ByteCount written = 0; // of a write that has completed
    };

    const overlap_storage &storage_;
    const HolesRule holes_;
    Sieve sieve_;
    std::vector<Lane> lanes_;
};

} // namespace

std::unique_ptr<Writer> MakeFbtlWriter(const WriterPorts &ports) { return std::make_unique<FbtlWriter>(ports); }

} // namespace overlap
