// How bytes get from a sub-buffer into the file.
#ifndef OVERLAP_ENGINE_WRITER_WRITER_H
#define OVERLAP_ENGINE_WRITER_WRITER_H

#include "../ports.h"
#include "../settings.h"
#include "../status.h"
#include "../types.h"

#include <memory>
#include <vector>

namespace overlap {

using Extents = std::vector<overlap_extent>;

/// Up to `lanes` writes may be under way, one in each lane. `written` counts bytes in the order of the extents: after an
/// error these are in the file and the byte that follows them is not.
class Writer {
  public:
    virtual ~Writer() = default;

    virtual Status Write(const Extents &extents, ByteCount &written) = 0;

    /// Starts a write in a free lane; the bytes may not be touched until Wait. The extent list may. Does not fail: what goes
    /// wrong is reported by Wait.
    virtual void Start(std::size_t lane, const Extents &extents) = 0;

    /// Completes the write of a lane; a lane without one has written nothing.
    virtual Status Wait(std::size_t lane, ByteCount &written) = 0;
};

std::unique_ptr<Writer> MakeWriter(overlap_writer writer, const overlap_storage &storage, std::size_t lanes);

// One function per write engine, each in the file of its name.
std::unique_ptr<Writer> MakeFbtlWriter(const overlap_storage &storage, std::size_t lanes);

} // namespace overlap

#endif
