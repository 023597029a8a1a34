#include "virtual_cluster.h"

#include "virtual_network.h"
#include "virtual_storage.h"
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

class Cluster;

// What a process asks while it takes its next step.
class Asked final : public Completion {
  public:
    explicit Asked(Cluster &cluster) : cluster_(cluster) {}
    bool ShuffleDone(Cycle cycle, Slot slot) noexcept override;
    bool WriteDone(Cycle cycle, Slot slot) noexcept override;

    std::size_t process = 0;
    double again = kNever; // when an answer that was no is another one

  private:
    bool Answer(double time) noexcept;

    Cluster &cluster_;
};

struct Process {
    std::unique_ptr<Schedule> schedule;
    Place place = Place::kNextStep;
    Step step;
    double busy = 0;            // until then
    std::vector<double> writes; // of each slot, when it ends
    double handed_over = 0;     // when the last write of the thread's can begin at the earliest
};

class Cluster {
  public:
    Cluster(const Load &load, const Rates &rates, const Candidate &candidate, double unsteady)
        : load_(CycleOf(load, candidate)), rates_(rates), candidate_(candidate), nodes_(load, load_),
          network_(nodes_, load_, rates, candidate.shuffle == OVERLAP_SHUFFLE_TWO_SIDED,
                   candidate.shuffle == OVERLAP_SHUFFLE_PUT_LOCK),
          storage_(load_, rates, candidate.writer, nodes_.processes().size(), nodes_.AggregatorsForEach(), unsteady),
          asked_(*this), free_(nodes_.processes().size(), 0) {
        const ShuffleWaits waits =
            candidate.shuffle == OVERLAP_SHUFFLE_PUT_FENCE ? ShuffleWaits::kInOrder : ShuffleWaits::kInAnyOrder;
        for (std::size_t i = 0; i < nodes_.processes().size(); ++i) {
            Process &process = processes_.emplace_back();
            process.schedule = MakeSchedule(candidate.algorithm, load_.cycles, candidate.slots, waits);
            process.writes.resize(static_cast<std::size_t>(candidate.slots));
            clock_.At(0, Event{i, -1});
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

    double ShuffledAt(std::size_t i, Cycle cycle) {
        if (network_.Sent(i, cycle) < kNever) {
            network_.Tell(i, cycle, clock_.now());
            Wake();
        }
        return std::max(network_.Sent(i, cycle), network_.Received(i, cycle));
    }
    double WrittenAt(std::size_t i, Slot slot) const { return processes_[i].writes[static_cast<std::size_t>(slot)]; }
    double now() const { return clock_.now(); }

  private:
    bool Aggregates(std::size_t i) const { return nodes_.processes()[i].aggregates; }
    bool Is(overlap_shuffle shuffle) const { return candidate_.shuffle == shuffle; }
    double BytesOf(Cycle cycle) const { return cycle + 1 < load_.cycles ? load_.bytes : load_.LastBytes(); }

    // True: no time passes, go on at once.
    bool Busy(std::size_t i, Place then, double seconds) {
        processes_[i].place = then;
        if (seconds <= 0) {
            return true;
        }
        processes_[i].busy = clock_.now() + seconds;
        clock_.At(processes_[i].busy, Event{i, -1});
        return false;
    }

    bool WaitUntil(std::size_t i, double time) {
        if (time > clock_.now() && time < kNever) {
            clock_.At(time, Event{i, -1});
        }
        return time <= clock_.now();
    }

    void Wake() {
        for (const std::size_t i : network_.TakeKnown()) {
            clock_.At(clock_.now(), Event{i, -1});
        }
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
            return MayFill(i) && Busy(i, Place::kPrepared, Preparation(i));
        case Place::kPrepared:
            network_.Post(i, clock_.now());
            process.place = Place::kNextStep;
            Wake();
            return true;
        case Place::kShuffled:
            return EndShuffle(i);
        case Place::kFenced:
            return Busy(i, Place::kTaken, WordsTime(i));
        case Place::kTaken:
            process.place = Place::kNextStep;
            return true;
        case Place::kWriteHandedOver:
            HandOver(i);
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
        asked_.process = i;
        asked_.again = kNever;
        const Next next = process.schedule->Take(asked_, process.step);
        if (next == Next::kNotYet) {
            return WaitUntil(i, asked_.again);
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
        case StepKind::kWriteInit:
            if (!Aggregates(i)) {
                return true;
            }
            process.writes[static_cast<std::size_t>(process.step.slot)] = kNever;
            return Busy(i, Place::kWriteHandedOver, process.step.blocking ? 0 : rates_.Of(candidate_.writer).start.value);
        case StepKind::kWriteWait:
            process.place = Aggregates(i) ? Place::kBlockedInWrite : Place::kNextStep;
            return true;
        }
        return false;
    }

    // All ranks have come to it before one goes on.
    bool Fence(std::size_t i) {
        processes_[i].busy = kNever;
        if (++at_fence_ < processes_.size()) {
            return false;
        }
        at_fence_ = 0;
        for (std::size_t each = 0; each < processes_.size(); ++each) {
            processes_[each].busy = clock_.now() + rates_.fence.value;
            clock_.At(processes_[each].busy, Event{each, -1});
        }
        return false;
    }

    bool Enter(std::size_t i) {
        if (Is(OVERLAP_SHUFFLE_PUT_LOCK) && Aggregates(i)) {
            free_[i] = processes_[i].step.cycle + 1;
            for (std::size_t each = 0; each < processes_.size(); ++each) {
                if (processes_[each].place == Place::kEntered) {
                    clock_.At(clock_.now(), Event{each, -1});
                }
            }
        }
        return true;
    }

    // Of put-lock: all targets have said that their sub-buffers are free.
    bool MayFill(std::size_t i) const {
        const Cycle cycle = processes_[i].step.cycle;
        if (!Is(OVERLAP_SHUFFLE_PUT_LOCK) || cycle < candidate_.slots) {
            return true;
        }
        for (std::size_t to = 0; to < free_.size(); ++to) {
            if (Aggregates(to) && free_[to] <= cycle) {
                return false;
            }
        }
        return true;
    }

    double PackTime(double bytes) const {
        return load_.scattered ? bytes * (load_.pieces * rates_.piece.value + rates_.copy.value) : 0;
    }

    double Preparation(std::size_t i) const {
        const double sent = load_.sent * BytesOf(processes_[i].step.cycle);
        const double puts = rates_.put.value * (load_.targets + load_.pieces * sent);
        switch (candidate_.shuffle) {
        case OVERLAP_SHUFFLE_TWO_SIDED:
            return rates_.message.value * (load_.targets + (Aggregates(i) ? load_.sources : 0)) + PackTime(sent);
        case OVERLAP_SHUFFLE_PUT_FENCE:
            return puts;
        case OVERLAP_SHUFFLE_PUT_LOCK:
            return puts + rates_.lock.value * load_.targets +
                   (processes_[i].step.cycle < candidate_.slots ? 0 : rates_.between.latency.value);
        }
        return 0;
    }

    double WordsTime(std::size_t i) const {
        return Aggregates(i) ? rates_.between.latency.value + rates_.message.value * load_.sources : 0;
    }

    bool EndShuffle(std::size_t i) {
        const Cycle cycle = processes_[i].step.cycle;
        if (!WaitUntil(i, ShuffledAt(i, cycle))) {
            return false;
        }
        switch (candidate_.shuffle) {
        case OVERLAP_SHUFFLE_TWO_SIDED:
            return Busy(i, Place::kTaken, Aggregates(i) ? PackTime(BytesOf(cycle)) : 0);
        case OVERLAP_SHUFFLE_PUT_FENCE:
            processes_[i].place = Place::kFenced;
            return Fence(i);
        case OVERLAP_SHUFFLE_PUT_LOCK:
            return Busy(i, Place::kTaken, WordsTime(i) + rates_.lock.value * (load_.targets + (Aggregates(i) ? 2 : 0)));
        }
        return false;
    }

    void HandOver(std::size_t i) {
        Process &process = processes_[i];
        const double begin = storage_.Begin(i, clock_.now());
        if (begin > clock_.now()) {
            clock_.At(begin, Event{i, process.step.cycle});
        } else {
            BeginWrite(i, process.step.cycle);
        }
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
        clock_.At(end, Event{i, -1});
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
    VirtualClock<Event> clock_;
    Asked asked_;
    std::vector<Process> processes_;
    std::vector<Cycle> free_; // of each aggregator: cycles whose sub-buffer was free
    std::size_t at_fence_ = 0;
    double ended_ = 0;
};

bool Asked::Answer(double time) noexcept {
    if (time > cluster_.now()) {
        again = std::min(again, time);
        return false;
    }
    return true;
}

bool Asked::ShuffleDone(Cycle cycle, Slot) noexcept { return Answer(cluster_.ShuffledAt(process, cycle)); }
bool Asked::WriteDone(Cycle, Slot slot) noexcept { return Answer(cluster_.WrittenAt(process, slot)); }

} // namespace

double SimulateWrite(const Load &load, const Rates &rates, const Candidate &candidate, double unsteady) {
    return load.bytes > 0 ? Cluster(load, rates, candidate, unsteady).Run() : 0;
}

} // namespace overlap::test
