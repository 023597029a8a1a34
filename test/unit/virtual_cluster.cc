#include "virtual_cluster.h"

#include "virtual_gates.h"
#include "virtual_network.h"
#include "virtual_storage.h"
#include "virtual_work.h"
#include "schedule/schedule.h"

#include <memory>
#include <stdexcept>

namespace overlap::test {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

enum class Place { kNextStep, kEntered, kPrepared, kShuffled, kFenced, kTaken, kWriteHandedOver, kBlockedInWrite, kEnd };

struct Event {
    std::size_t process;
    Cycle write; // that begins; -1: the process goes on
};

struct Process {
    std::unique_ptr<Schedule> schedule;
    Place place = Place::kNextStep;
    Step step;
    double busy = 0;            // until then
    std::vector<double> writes; // of each slot, when it ends
};

class Cluster final : private Completion {
  public:
    Cluster(const Load &load, const Rates &rates, const Candidate &candidate, double unsteady)
        : load_(CycleOf(load, candidate)), rates_(rates), candidate_(candidate), nodes_(load, load_),
          network_(nodes_, load_, rates, candidate.shuffle == OVERLAP_SHUFFLE_TWO_SIDED,
                   candidate.shuffle == OVERLAP_SHUFFLE_PUT_LOCK),
          storage_(load_, rates, candidate.writer, nodes_.processes().size(), nodes_.AggregatorsForEach(), unsteady),
          work_(load_, rates, candidate_), fence_(nodes_.processes().size()), permits_(nodes_.processes(), candidate.slots) {
        const ShuffleWaits waits =
            candidate.shuffle == OVERLAP_SHUFFLE_PUT_FENCE ? ShuffleWaits::kInOrder : ShuffleWaits::kInAnyOrder;
        for (std::size_t i = 0; i < nodes_.processes().size(); ++i) {
            Process &process = processes_.emplace_back();
            process.schedule = MakeSchedule(candidate.algorithm, load_.cycles, candidate.slots, waits);
            process.writes.resize(static_cast<std::size_t>(candidate.slots));
            WakeAt(i, 0);
        }
    }

    double Run() {
        while (!clock_.empty()) {
            const Event event = clock_.Next();
            if (event.write >= 0) {
                BeginWrite(event.process, event.write);
            } else if (processes_[event.process].busy <= clock_.now()) {
                GoOn(event.process);
            }
        }
        for (const Process &process : processes_) {
            if (process.place != Place::kEnd) {
                throw std::logic_error("a simulated rank waits for ever");
            }
        }
        return ended_;
    }

  private:
    bool Aggregates(std::size_t i) const { return nodes_.processes()[i].aggregates; }
    bool Is(overlap_shuffle shuffle) const { return candidate_.shuffle == shuffle; }
    void WakeAt(std::size_t i, double time) { clock_.At(time, Event{i, -1}); }

    void WakeWhoKnows() {
        for (const std::size_t i : network_.TakeKnown()) {
            WakeAt(i, clock_.now());
        }
    }

    double ShuffledAt(std::size_t i, Cycle cycle) {
        if (network_.Sent(i, cycle) < kNever) {
            network_.Tell(i, cycle, clock_.now());
            WakeWhoKnows();
        }
        return std::max(network_.Sent(i, cycle), network_.Received(i, cycle));
    }
    double WrittenAt(std::size_t i, Slot slot) const { return processes_[i].writes[static_cast<std::size_t>(slot)]; }

    bool ShuffleDone(Cycle cycle, Slot) noexcept override { return Answer(ShuffledAt(asking_, cycle)); }
    bool FileDone(Cycle, Slot slot) noexcept override { return Answer(WrittenAt(asking_, slot)); }
    bool Answer(double time) noexcept {
        if (time > clock_.now()) {
            again_ = std::min(again_, time);
            return false;
        }
        return true;
    }

    // True: no time passes, go on at once.
    bool Busy(std::size_t i, Place then, double seconds) {
        processes_[i].place = then;
        if (seconds <= 0) {
            return true;
        }
        processes_[i].busy = clock_.now() + seconds;
        WakeAt(i, processes_[i].busy);
        return false;
    }

    bool WaitUntil(std::size_t i, double time) {
        if (time > clock_.now() && time < kNever) {
            WakeAt(i, time);
        }
        return time <= clock_.now();
    }

    void GoOn(std::size_t i) {
        while (Advance(i)) {
        }
    }

    // False: something has to happen first.
    bool Advance(std::size_t i) {
        Process &process = processes_[i];
        switch (process.place) {
        case Place::kNextStep:
            return TakeStep(i);
        case Place::kEntered:
            return MayFill(process.step.cycle) &&
                   Busy(i, Place::kPrepared, work_.Prepare(process.step.cycle, Aggregates(i)));
        case Place::kPrepared:
            network_.Post(i, clock_.now());
            process.place = Place::kNextStep;
            WakeWhoKnows();
            return true;
        case Place::kShuffled:
            return EndShuffle(i);
        case Place::kFenced:
            return Busy(i, Place::kTaken, work_.Take(process.step.cycle, Aggregates(i)));
        case Place::kTaken:
            process.place = Place::kNextStep;
            return true;
        case Place::kWriteHandedOver:
            BeginWrite(i, process.step.cycle);
            process.place = Place::kNextStep;
            return true;
        case Place::kBlockedInWrite:
            if (!WaitUntil(i, WrittenAt(i, process.step.slot))) {
                return false;
            }
            process.place = Place::kNextStep;
            return true;
        case Place::kEnd:
            return false;
        }
        return false;
    }

    bool TakeStep(std::size_t i) {
        Process &process = processes_[i];
        asking_ = i;
        again_ = kNever;
        const Next next = process.schedule->Take(*this, process.step);
        if (next == Next::kNotYet) {
            return WaitUntil(i, again_);
        }
        if (next == Next::kEnd) {
            process.place = Place::kEnd;
            ended_ = std::max(ended_, clock_.now());
            return false;
        }
        switch (process.step.kind) {
        case StepKind::kShuffleInit:
            process.place = Place::kEntered;
            return Is(OVERLAP_SHUFFLE_PUT_FENCE) ? Fence(i) : Enter(i);
        case StepKind::kShuffleWait:
            process.place = Place::kShuffled;
            return true;
        case StepKind::kFileInit:
            if (!Aggregates(i)) {
                return true;
            }
            process.writes[static_cast<std::size_t>(process.step.slot)] = kNever;
            return Busy(i, Place::kWriteHandedOver, process.step.blocking ? 0 : work_.StartWrite());
        case StepKind::kFileWait:
            process.place = Aggregates(i) ? Place::kBlockedInWrite : Place::kNextStep;
            return true;
        }
        return false;
    }

    bool Fence(std::size_t i) {
        processes_[i].busy = kNever;
        if (fence_.Come()) {
            const double end = clock_.now() + rates_.fence.value;
            for (std::size_t each = 0; each < processes_.size(); ++each) {
                processes_[each].busy = end;
                WakeAt(each, end);
            }
        }
        return false;
    }

    bool Enter(std::size_t i) {
        if (Is(OVERLAP_SHUFFLE_PUT_LOCK) && Aggregates(i)) {
            permits_.Permit(i, processes_[i].step.cycle);
            for (std::size_t each = 0; each < processes_.size(); ++each) {
                if (processes_[each].place == Place::kEntered) {
                    WakeAt(each, clock_.now());
                }
            }
        }
        return true;
    }

    bool MayFill(Cycle cycle) const { return !Is(OVERLAP_SHUFFLE_PUT_LOCK) || permits_.MayFill(cycle); }

    bool EndShuffle(std::size_t i) {
        if (!WaitUntil(i, ShuffledAt(i, processes_[i].step.cycle))) {
            return false;
        }
        processes_[i].place = Place::kFenced;
        return !Is(OVERLAP_SHUFFLE_PUT_FENCE) || Fence(i);
    }

    void BeginWrite(std::size_t i, Cycle cycle) {
        Process &process = processes_[i];
        const double begin = storage_.Begin(i, clock_.now());
        if (begin > clock_.now()) {
            clock_.At(begin, Event{i, cycle});
            return;
        }
        const double end = storage_.Write(i, cycle, clock_.now());
        process.writes[static_cast<std::size_t>(cycle % candidate_.slots)] = end;
        WakeAt(i, end);
        if (process.step.blocking) {
            network_.HoldUp(i, clock_.now(), end - clock_.now(), 1 - rates_.progress.value);
        }
    }

    const CycleLoad load_;
    const Rates &rates_;
    const Candidate candidate_;
    const VirtualNodes nodes_;
    VirtualNetwork network_;
    VirtualStorage storage_;
    const VirtualWork work_;
    VirtualFence fence_;
    VirtualPermits permits_;
    VirtualClock<Event> clock_;
    std::vector<Process> processes_;
    std::size_t asking_ = 0; // takes its next step
    double again_ = kNever;  // when an answer that was no is another one
    double ended_ = 0;
};

} // namespace

double SimulateWrite(const Load &load, const Rates &rates, const Candidate &candidate, double unsteady) {
    return load.bytes > 0 ? Cluster(load, rates, candidate, unsteady).Run() : 0;
}

} // namespace overlap::test
