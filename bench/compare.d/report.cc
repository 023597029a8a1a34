// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "bounds_report.h"
#include "table.h"

#include <algorithm>
#include <ostream>

namespace compare {
namespace {

using Json = nlohmann::ordered_json;

std::string Ranks(const Options &options) {
    std::string text = Counted(options.ranks, "rank");
    if (!options.cluster) {
        return text + " on one node";
    }
    const ClusterOptions &cluster = *options.cluster;
    text += " on " + Counted(cluster.hosts, "emulated host") + ", NICs of " + std::to_string(cluster.mbit) + " Mbit/s";
    if (cluster.switches > 0) {
        text += ", " + std::to_string(cluster.switches) + (cluster.switches == 1 ? " switch" : " switches") +
                ", uplinks of " + std::to_string(cluster.uplink_mbit) + " Mbit/s";
    }
    return text;
}

std::string Target(const Options &options, const Json &described) {
    std::string text = options.directory;
    if (options.storage) {
        const StorageOptions &storage = *options.storage;
        text += ", emulated storage of " + storage.mbps + " MB/s";
        text += storage.latency_ms.empty() ? "" : ", latency " + storage.latency_ms + " ms";
        text += storage.stripes.empty() ? "" : ", " + storage.stripes + " stripes";
        text += storage.stripe_size.empty() ? "" : " of " + storage.stripe_size;
    }
    const Json file_system = described.is_object() ? described.value("file_system", Json()) : Json();
    return text + (file_system.is_string() ? " (" + file_system.get<std::string>() + ")" : "");
}

std::string Kernel(const Options &options, const Json &described) {
    Words words = {options.kernel};
    words.insert(words.end(), options.kernel_options.begin(), options.kernel_options.end());
    std::string text = Quoted(words);
    if (described.is_object()) {
        text += "; " + described.value("parameters", Json::object()).dump();
        text += ", " + Fixed(described["bytes"].get<double>() / 1e6, 1) + " MB";
        const Json calls = described.value("calls", Json());
        text += calls.is_number_integer() ? " in " + Counted(calls.get<int>(), "call") : "";
    }
    return text;
}

void PrintHead(std::ostream &out, const Comparison &comparison) {
    const Options &options = comparison.options;
    const Json &described = Described(comparison);
    const bench::MachineFacts &machine = comparison.machine;
    out << "date        " << comparison.date << "\n";
    out << "machine     " << machine.cpu << ", " << Counted(machine.cores, "core") << ", " << (machine.memory_bytes >> 20)
        << " MiB, " << machine.system << " " << machine.release << "\n";
    out << "Open MPI    " << comparison.openmpi << " (" << options.mpirun << ")\n";
    out << "kernel      " << Kernel(options, described) << "\n";
    out << "ranks       " << Ranks(options) << "\n";
    out << "file        " << Target(options, described) << "\n";
    out << "measured    " << Counted(options.repetitions, "round") << " in shuffled order (seed " << options.seed
        << "), each time a job of its own, after one round that does not count\n\n";
}

int LabelWidth(const Results &results) {
    std::size_t width = std::string("contender").size();
    for (const Row &row : results.rows) {
        width = std::max(width, row.entry->contender.label.size());
    }
    return static_cast<int>(width);
}

void PrintTable(std::ostream &out, const Results &results) {
    const int width = LabelWidth(results);
    Line(out, width, "contender")
        .Cell(9, "median s")
        .Cell(19, "least .. most s")
        .Cell(9, "MB/s")
        .Cell(9, "x vulcan")
        .Cell(9, "x ROMIO")
        .Cell(9, "x bound")
        .Cell(10, "efficiency");
    for (const Row &row : results.rows) {
        Line line(out, width, row.entry->contender.label);
        if (!row.summary) {
            line.Cell(9, "FAILED");
            continue;
        }
        line.Cell(9, Fixed(row.summary->median, 4))
            .Cell(19, Fixed(row.summary->least, 4) + " .. " + Fixed(row.summary->most, 4))
            .Cell(9, OrDash(row.rate, 1))
            .Cell(9, OrDash(row.to_vulcan, 2))
            .Cell(9, OrDash(row.to_romio, 2))
            .Cell(9, OrDash(row.to_bound, 2))
            .Cell(10, OrDash(row.efficiency, 2));
        if (row.entry->wrong_file) {
            line.Cell(0, "ITS FILE WAS WRONG");
        }
    }
}

void PrintHiding(std::ostream &out, const Results &results) {
    const int width = LabelWidth(results);
    Line(out, width, "contender")
        .Cell(9, "both s")
        .Cell(19, "least .. most s")
        .Cell(10, "blocking s")
        .Cell(9, "compute s")
        .Cell(9, "added s")
        .Cell(10, "call share")
        .Cell(10, "test share")
        .Cell(7, "hidden")
        .Cell(9, "x vulcan");
    for (const Row &row : results.rows) {
        Line line(out, width, row.entry->contender.label);
        if (!row.summary || !row.hiding) {
            line.Cell(9, row.summary ? "-" : "FAILED");
            continue;
        }
        line.Cell(9, Fixed(row.summary->median, 4))
            .Cell(19, Fixed(row.summary->least, 4) + " .. " + Fixed(row.summary->most, 4))
            .Cell(10, Fixed(row.hiding->blocking, 4))
            .Cell(9, Fixed(row.hiding->compute, 4))
            .Cell(9, Fixed(row.hiding->added, 4))
            .Cell(10, Fixed(row.hiding->start_share, 3))
            .Cell(10, Fixed(row.hiding->test_share, 3))
            .Cell(7, Fixed(row.hiding->hidden, 2))
            .Cell(9, OrDash(row.to_vulcan, 2));
        if (row.entry->wrong_file) {
            line.Cell(0, "ITS FILE WAS WRONG");
        }
    }
    out << "\nmedians of: both, nonblocking calls with the computation before they are waited for; blocking, the same "
           "calls\n"
           "blocking; compute, the computation alone; added = both - compute; call share = start of the calls / blocking;\n"
           "test share = time in tests / blocking; hidden = (blocking + compute - both) / min(blocking, compute)\n";
}

void PrintFailure(std::ostream &out, const Failed &failed) {
    out << "to repeat it: " << failed.command << "\n";
    out << "the end of its output:\n";
    for (const std::string &line : failed.output) {
        out << "    " << line << "\n";
    }
}

void PrintWrongFiles(std::ostream &out, const Comparison &comparison) {
    for (const Entry &entry : comparison.entries) {
        if (entry.wrong_file) {
            out << "\nITS FILE WAS WRONG, and its times count all the same: " << entry.contender.label << ": "
                << entry.wrong_file->reason << "\n";
            PrintFailure(out, *entry.wrong_file);
        }
    }
}

void PrintFailures(std::ostream &out, const Comparison &comparison) {
    for (const LeftOut &left_out : comparison.left_out) {
        out << "\nleft out: " << left_out.label << ": " << left_out.reason << "\n";
    }
    for (const Entry &entry : comparison.entries) {
        if (!entry.failed) {
            continue;
        }
        out << "\nFAILED " << entry.contender.label << ": " << entry.failed->reason << "\n";
        PrintFailure(out, *entry.failed);
    }
}

} // namespace

void PrintReport(std::ostream &out, const Comparison &comparison, const Results &results) {
    PrintHead(out, comparison);
    if (comparison.options.nonblocking) {
        PrintHiding(out, results);
    } else {
        PrintTable(out, results);
    }
    if (comparison.options.bounds) {
        PrintBounds(out, comparison, results.bounds);
    }
    PrintWrongFiles(out, comparison);
    PrintFailures(out, comparison);
}

} // namespace compare
