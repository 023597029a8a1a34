#include "io_engine.h"

#include "queued.h"

#include <stdexcept>

namespace overlap {

const Islands &IoEngine::WrittenBehind() const noexcept {
    static const Islands none;
    return none;
}

std::unique_ptr<IoEngine> MakeIoEngine(overlap_writer writer, const IoPorts &ports) {
    switch (writer) {
    case OVERLAP_WRITER_FBTL:
        return MakeFbtlEngine(ports);
    case OVERLAP_WRITER_THREAD:
        return MakeThreadEngine(ports);
    case OVERLAP_WRITER_LIBAIO:
        return std::make_unique<QueuedEngine>(LibaioKind(), ports);
    case OVERLAP_WRITER_IO_URING:
        return std::make_unique<QueuedEngine>(IoUringKind(), ports);
    case OVERLAP_WRITER_AUTO:
        break;
    }
    throw std::invalid_argument("an unknown writer");
}

} // namespace overlap
