#include "call.h"

#include <utility>

namespace overlap {

Call::Call(const Team &team, std::shared_ptr<const Plan> plan, const Choice &choice, StridedList memory,
           FileResources &resources)
    : team_(team), plan_(std::move(plan)), memory_(std::move(memory)),
      shuffle_(resources.MakeShuffle(*plan_, choice, memory_)),
      writer_(*plan_, resources.buffers(), resources.writer(), choice.slots),
      schedule_(MakeSchedule(choice.algorithm, plan_->cycles, choice.slots, WaitsOf(*shuffle_))),
      runner_(*schedule_, *shuffle_, writer_), count_(team, *plan_) {}

bool Call::Step() noexcept { return runner_.Advance() != Next::kEnd; }

Status Call::Finish(ByteCount &on_file) noexcept {
    Status status = team_.Agree(writer_.status());
    if (!status.ok()) {
        status.Merge(count_.Count(writer_, on_file));
    }
    return status;
}

} // namespace overlap
