// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "bounds_report.h"

#include "table.h"

#include <ostream>
#include <string>

namespace compare {
namespace {

constexpr int kNameWidth = 22;

void Print(std::ostream &out, const std::string &name, const std::optional<double> &value, const std::string &meaning) {
    Line(out, kNameWidth, name).Cell(9, OrDash(value, 4)).Cell(0, meaning);
}

std::string Shuffles(const Bounds &bounds) {
    std::string text = "s, the fastest shuffle, with a file in memory:";
    for (const auto &[schedule, seconds] : bounds.shuffles) {
        text += " " + schedule + " " + Fixed(seconds, 4);
    }
    return text;
}

std::string Megabytes(double bytes) { return Fixed(bytes / 1e6, 1) + " MB"; }

std::string Load(const Bounds &bounds, const ClusterOptions &cluster) {
    const NetworkBound &network = *bounds.network;
    std::string text =
        "s, " + Megabytes(network.nic_bytes) + " into each NIC at " + std::to_string(cluster.mbit) + " Mbit/s";
    if (network.uplink_bytes > 0) {
        text += ", " + Megabytes(network.uplink_bytes) + " over an uplink at " + std::to_string(cluster.uplink_mbit);
    }
    return text + (bounds.network_holds ? ", where aggregators and data are spread evenly"
                                        : "; not so here: something was faster, so less has to travel");
}

} // namespace

void PrintBounds(std::ostream &out, const Comparison &comparison, const Bounds &bounds) {
    out << "\n";
    Print(out, "T_none", bounds.none, "s, overlap:algorithm=none");
    if (!comparison.comm_is_none) {
        Print(out, "T_comm", bounds.comm, Shuffles(bounds));
    } else if (!bounds.longest) {
        out << "T_comm is not defined separately: the file is in memory already; so there is no efficiency\n";
    }
    if (bounds.network) {
        Print(out, "T_net", bounds.network->seconds, Load(bounds, *comparison.options.cluster));
    }
    Print(out, "T_write", bounds.write, "s, the aggregators' writes alone");
    if (bounds.network_holds) {
        Print(out, "max(T_net, T_write)", bounds.least, "s, the least that network and storage allow");
    }
    if (comparison.comm_is_none && !bounds.longest) {
        return;
    }
    const std::string longest = comparison.comm_is_none ? "max(T_net, T_write)" : "max(T_comm, T_write)";
    if (!comparison.comm_is_none) {
        Print(out, longest, bounds.longest, "s, the best that overlap can do");
        Print(out, "T_comm + T_write", bounds.sum, "s, without overlap");
    }
    out << "efficiency = (T_none - T) / (T_none - " << longest << ")\n";
    out << "x bound    = T / " << (bounds.network_holds ? "max(T_net, T_write)" : "max(T_comm, T_write)") << "\n";
}

} // namespace compare
