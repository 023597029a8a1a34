#include "explain.h"

#include "schedule/program.h"

#include <sstream>

namespace overlap {

std::string ExplainPlan(const overlap_settings &settings, const Placement &placement, const Plan &plan, int slots,
                        ByteCount sub_buffer, ByteCount alignment) {
    std::ostringstream line;
    line << "schedule " << overlap_algorithm_names[settings.algorithm] << " (" << ScheduleOf(settings.algorithm).description
         << "), shuffle " << overlap_shuffle_names[settings.shuffle] << ", writer " << overlap_writer_names[settings.writer]
         << ", " << plan.domains << " aggregators (placement " << placement.name() << ", "
         << overlap_partition_names[settings.partition] << " file domains aligned to " << alignment << " bytes), "
         << plan.cycles << " cycles of at most " << sub_buffer << " bytes (collective buffer over " << slots
         << " sub-buffers), " << (plan.gapless ? "no gaps" : "gaps between the written bytes");
    return line.str();
}

} // namespace overlap
