// The answer to "what does it do with my file, and why?"
#ifndef OVERLAP_ENGINE_EXPLAIN_H
#define OVERLAP_ENGINE_EXPLAIN_H

#include "placement/placement.h"
#include "plan/plan.h"

#include <string>

namespace overlap {

/// One line: schedule, shuffle, writer, aggregators, cycles, and what decided their number.
std::string ExplainPlan(const overlap_settings &settings, const Placement &placement, const Plan &plan, int slots,
                        ByteCount sub_buffer, ByteCount alignment);

} // namespace overlap

#endif
