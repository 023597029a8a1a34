#include "writer.h"

#include "queued.h"

#include <stdexcept>

namespace overlap {

std::unique_ptr<Writer> MakeWriter(overlap_writer writer, const WriterPorts &ports) {
    switch (writer) {
    case OVERLAP_WRITER_FBTL:
        return MakeFbtlWriter(ports);
    case OVERLAP_WRITER_THREAD:
        return MakeThreadWriter(ports);
    case OVERLAP_WRITER_LIBAIO:
        return std::make_unique<QueuedWriter>(LibaioKind(), ports);
    case OVERLAP_WRITER_IO_URING:
        return std::make_unique<QueuedWriter>(IoUringKind(), ports);
    case OVERLAP_WRITER_AUTO:
        break;
    }
    throw std::invalid_argument("an unknown writer");
}

} // namespace overlap
