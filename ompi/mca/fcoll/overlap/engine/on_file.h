// After a failed write: how many of each rank's bytes are in the file all the same.
#ifndef OVERLAP_ENGINE_ON_FILE_H
#define OVERLAP_ENGINE_ON_FILE_H

#include "writer/cycle_writer.h"

namespace overlap {

/// Collective, called by all ranks or none. Each aggregator tells its clients; `on_file` becomes this rank's sum over its
/// shares. Where ranks overlap, a byte that a higher rank's replaced counts for both.
Status CountOnFile(const overlap_transport &transport, const Plan &plan, const CycleWriter &writer, ByteCount &on_file);

} // namespace overlap

#endif
