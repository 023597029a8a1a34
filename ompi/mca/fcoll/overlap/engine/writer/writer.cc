#include "writer.h"

#include <stdexcept>

namespace overlap {

std::unique_ptr<Writer> MakeWriter(overlap_writer writer, const WriterPorts &ports) {
    switch (writer) {
    case OVERLAP_WRITER_FBTL:
        return MakeFbtlWriter(ports);
    case OVERLAP_WRITER_THREAD:
        return MakeThreadWriter(ports);
    }
    throw std::invalid_argument("an unknown writer");
}

} // namespace overlap
