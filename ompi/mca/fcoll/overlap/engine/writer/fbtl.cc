// Writes through the storage port, that is, through the fbtl that Open MPI chose for the file.
#include "writer.h"

#include <utility>

namespace overlap {
namespace {

class FbtlWriter final : public Writer {
  public:
    FbtlWriter(const overlap_storage &storage, std::size_t lanes) : storage_(storage), lanes_(lanes) {}

    ~FbtlWriter() override {
        for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
            ByteCount written = 0;
            static_cast<void>(Wait(lane, written));
        }
    }

    FbtlWriter(const FbtlWriter &) = delete;
    FbtlWriter &operator=(const FbtlWriter &) = delete;

    Status Write(const Extents &extents, ByteCount &written) override {
        std::size_t bytes = 0;
        const Status status(storage_.write(storage_.self, extents.data(), extents.size(), &bytes));
        written = static_cast<ByteCount>(bytes);
        return status;
    }

    void Start(std::size_t lane, const Extents &extents) override {
        lanes_[lane].start =
            Status(storage_.write_start(storage_.self, extents.data(), extents.size(), &lanes_[lane].request));
    }

    Status Wait(std::size_t lane, ByteCount &written) override {
        written = 0;
        Status status = std::exchange(lanes_[lane].start, Status());
        if (lanes_[lane].request != nullptr) {
            std::size_t bytes = 0;
            status.Merge(Status(storage_.write_wait(storage_.self, &lanes_[lane].request, &bytes)));
            written = static_cast<ByteCount>(bytes);
        }
        return status;
    }

  private:
    struct Lane {
        overlap_write *request = nullptr;
        Status start;
    };

    const overlap_storage &storage_;
    std::vector<Lane> lanes_;
};

} // namespace

std::unique_ptr<Writer> MakeFbtlWriter(const overlap_storage &storage, std::size_t lanes) {
    return std::make_unique<FbtlWriter>(storage, lanes);
}

} // namespace overlap
