#include "writer.h"

#include <stdexcept>

namespace overlap {

std::unique_ptr<Writer> MakeWriter(overlap_writer writer, const overlap_storage &storage, std::size_t lanes) {
    switch (writer) {
    case OVERLAP_WRITER_FBTL:
        return MakeFbtlWriter(storage, lanes);
    }
    throw std::invalid_argument("an unknown writer");
}

} // namespace overlap
