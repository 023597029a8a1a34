// Whether each rank transfers its own bytes, without an aggregator.
#ifndef OVERLAP_ENGINE_FILE_APART_H
#define OVERLAP_ENGINE_FILE_APART_H

#include "../access/strided.h"
#include "../ports.h"
#include "../settings.h"

namespace overlap {

enum class Alone { kNo, kWhereDisjoint, kAnyway };

/// Of one of `ranks`, which has data: it would do as well by itself where that goes between its memory and a page cache.
bool IsWorthGoingAlone(const StridedList &file, const StridedList &memory, int ranks);

/// Of all ranks, where `as_well`: each would do as well by itself. `asked`: the settings as the user has them; `rules`: a
/// site has some.
Alone WhetherAlone(overlap_direction direction, const overlap_settings &asked, bool as_well, bool rules,
                   const overlap_file_facts &facts, int nodes);

} // namespace overlap

#endif
