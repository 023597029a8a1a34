#include "virtual_network.h"

namespace overlap::test {

VirtualNetwork::VirtualNetwork(const VirtualNodes &nodes, const CycleLoad &load, const Rates &rates, bool both_come,
                               bool words_follow)
    : nodes_(nodes), load_(load), rates_(rates), both_come_(both_come), words_follow_(words_follow),
      cycles_(static_cast<std::size_t>(load.cycles)), out_(nodes.size()), in_(nodes.size()),
      memory_(nodes.processes().size()), posted_(nodes.processes().size()), absent_(nodes.processes().size()),
      of_cycles_(nodes.processes().size() * cycles_) {
    const std::vector<VirtualProcess> &processes = nodes.processes();
    for (std::size_t to = 0; to < processes.size(); ++to) {
        if (processes[to].aggregates) {
            aggregators_.push_back(to);
        }
    }
    for (const std::size_t to : aggregators_) {
        for (std::size_t from = 0; from < processes.size(); ++from) {
            for (Cycle cycle = 0; cycle < load.cycles; ++cycle) {
                if (nodes.Share(processes[from], processes[to], cycle) > 0) {
                    At(to, cycle).in.awaited += words_follow && from != to ? 2 : 1;
                    At(from, cycle).out.awaited += 1;
                }
            }
        }
    }
}

// Not all begin with the same target.
void VirtualNetwork::Post(std::size_t process, double time) {
    const Cycle cycle = posted_[process]++;
    for (std::size_t i = 0; i < aggregators_.size(); ++i) {
        const std::size_t to = aggregators_[(process + i) % aggregators_.size()];
        if (!both_come_ || posted_[to] > cycle) {
            Send(process, to, cycle, time);
        }
    }
    if (!both_come_ || !nodes_.processes()[process].aggregates) {
        return;
    }
    for (std::size_t i = 1; i < posted_.size(); ++i) {
        const std::size_t from = (process + i) % posted_.size();
        if (posted_[from] > cycle) {
            Send(from, process, cycle, time);
        }
    }
}

void VirtualNetwork::Send(std::size_t from, std::size_t to, Cycle cycle, double time) {
    const double share = nodes_.Share(nodes_.processes()[from], nodes_.processes()[to], cycle);
    if (share <= 0) {
        return;
    }
    const double bytes = load_.BytesOf(cycle);
    double there = Travel(from, to, share * bytes, time);
    const Absence &absence = absent_[to];
    there += absence.lost * std::max(0.0, std::min(there, absence.end) - std::max(time, absence.begin));
    Complete(from, At(from, cycle).out, there);
    Complete(to, At(to, cycle).in, there);
}

double VirtualNetwork::Travel(std::size_t from, std::size_t to, double bytes, double time) {
    const std::size_t origin = nodes_.processes()[from].node;
    const std::size_t target = nodes_.processes()[to].node;
    if (origin == target) {
        const double seconds = bytes * rates_.within.byte.value;
        return memory_[to].Reserve(time, seconds) + seconds + rates_.within.latency.value;
    }
    const double sending = bytes * rates_.between.byte.value / nodes_.Nics(origin);
    const double receiving = bytes * rates_.between.byte.value / nodes_.Nics(target);
    // Packets of many messages take turns, so that neither NIC waits for what the other one does first.
    const double left = out_[origin].Reserve(time, sending) + sending;
    const double arrived = in_[target].Reserve(time, receiving) + receiving;
    return std::max(left, arrived) + rates_.between.latency.value;
}

void VirtualNetwork::Complete(std::size_t process, Messages &messages, double time) {
    messages.last = std::max(messages.last, time);
    if (--messages.awaited == 0) {
        known_.push_back(process);
    }
}

void VirtualNetwork::Tell(std::size_t process, Cycle cycle, double time) {
    OfCycle &own = At(process, cycle);
    if (!words_follow_ || own.told) {
        return;
    }
    own.told = true;
    for (const std::size_t to : aggregators_) {
        if (to != process && nodes_.Share(nodes_.processes()[process], nodes_.processes()[to], cycle) > 0) {
            Complete(to, At(to, cycle).in, std::max(time, own.out.last) + rates_.between.latency.value);
        }
    }
}

void VirtualNetwork::HoldUp(std::size_t process, double time, double seconds, double lost) {
    absent_[process] = Absence{time, time + seconds, lost};
    for (Cycle cycle = 0; cycle < posted_[process]; ++cycle) {
        Messages &in = At(process, cycle).in;
        in.last += lost * std::max(0.0, std::min(in.last, time + seconds) - time);
    }
}

} // namespace overlap::test
