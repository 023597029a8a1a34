// The messages of a simulated write.
#ifndef OVERLAP_TEST_VIRTUAL_NETWORK_H
#define OVERLAP_TEST_VIRTUAL_NETWORK_H

#include "virtual_clock.h"
#include "virtual_nodes.h"
#include "bench/model/rates.h"

#include <limits>
#include <utility>

namespace overlap::test {

/// Processes are numbered as VirtualNodes has them.
class VirtualNetwork {
  public:
    /// `both_come`: a message waits for its target as well. `words_follow`: it counts only when its origin has said so.
    VirtualNetwork(const VirtualNodes &nodes, const CycleLoad &load, const Rates &rates, bool both_come, bool words_follow);

    /// `process` has come to its shuffle of the next cycle.
    void Post(std::size_t process, double time);

    /// `process` has ended its puts of `cycle` and says so to their targets.
    void Tell(std::size_t process, Cycle cycle, double time);

    /// From `time` on, for so many seconds, `process` does not look at its messages and `progress` of that time is lost on
    /// them.
    void HoldUp(std::size_t process, double time, double seconds, double lost);

    /// When all messages from or to a process are complete; infinite while that is not known.
    double Sent(std::size_t process, Cycle cycle) const noexcept { return At(process, cycle).out.Complete(); }
    double Received(std::size_t process, Cycle cycle) const noexcept { return At(process, cycle).in.Complete(); }

    /// Processes of which something became known since the last call.
    std::vector<std::size_t> TakeKnown() noexcept { return std::exchange(known_, {}); }

  private:
    struct Messages {
        int awaited = 0;
        double last = 0;
        double Complete() const noexcept { return awaited == 0 ? last : kNever; }
    };
    struct OfCycle {
        Messages in;
        Messages out;
        bool told = false;
    };
    struct Absence {
        double begin = 0;
        double end = 0;
        double lost = 0;
    };

    static constexpr double kNever = std::numeric_limits<double>::infinity();

    const OfCycle &At(std::size_t process, Cycle cycle) const noexcept {
        return of_cycles_[process * cycles_ + static_cast<std::size_t>(cycle)];
    }
    OfCycle &At(std::size_t process, Cycle cycle) noexcept {
        return of_cycles_[process * cycles_ + static_cast<std::size_t>(cycle)];
    }
    void Send(std::size_t from, std::size_t to, Cycle cycle, double time);
    double Travel(std::size_t from, std::size_t to, double bytes, double time);
    void Complete(std::size_t process, Messages &messages, double time);

    const VirtualNodes &nodes_;
    const CycleLoad &load_;
    const Rates &rates_;
    const bool both_come_;
    const bool words_follow_;
    const std::size_t cycles_;
    std::vector<std::size_t> aggregators_;
    std::vector<Server> out_;    // of each node
    std::vector<Server> in_;     // of each node
    std::vector<Server> memory_; // of each process
    std::vector<Cycle> posted_;  // of each process, shuffles
    std::vector<Absence> absent_;
    std::vector<OfCycle> of_cycles_;
    std::vector<std::size_t> known_;
};

} // namespace overlap::test

#endif
