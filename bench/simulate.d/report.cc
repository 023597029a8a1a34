// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include "../common/version.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace simulate {
namespace {

struct Metric {
    const char *name;
    const char *title; // for the table
    double (*of)(const Part &part);
};

const std::vector<Metric> kMetrics = {
    {"messages_sent", "messages sent",
     [](const Part &part) { return static_cast<double>(part.tally.sent.data + part.tally.sent.words); }},
    {"messages_received", "messages received",
     [](const Part &part) { return static_cast<double>(part.tally.received.data + part.tally.received.words); }},
    {"data_messages_received", "of these with data",
     [](const Part &part) { return static_cast<double>(part.tally.received.data); }},
    {"description_bytes_sent", "bytes of descriptions sent",
     [](const Part &part) { return static_cast<double>(part.tally.sent.word_bytes); }},
    {"description_bytes_received", "bytes of descriptions received",
     [](const Part &part) { return static_cast<double>(part.tally.received.word_bytes); }},
    {"requests", "requests under way", [](const Part &part) { return static_cast<double>(part.tally.requests); }},
    {"collectives", "collectives", [](const Part &part) { return static_cast<double>(part.tally.collectives); }},
    {"collective_messages", "messages of these",
     [](const Part &part) { return static_cast<double>(part.tally.collective_messages); }},
    {"memory", "bytes of memory", [](const Part &part) { return static_cast<double>(part.memory); }},
    {"collective_buffer", "bytes of the collective buffer",
     [](const Part &part) { return static_cast<double>(part.buffers); }},
    {"processor_us", "us of a processor", [](const Part &part) { return 1e6 * part.processor; }},
    {"extents", "extents written", [](const Part &part) { return static_cast<double>(part.tally.extents); }},
};

constexpr std::array<const char *, kPhases> kPhaseNames = {"open", "first", "repeated", "close"};

Figures::Spread SpreadOf(const Metric &metric, const std::vector<Part> &parts, const std::vector<char> &aggregates) {
    Figures::Spread spread;
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
        const double value = metric.of(parts[rank]);
        spread.mean += value / static_cast<double>(parts.size());
        spread.most = std::max(spread.most, value);
        spread.others = aggregates[rank] != 0 ? spread.others : std::max(spread.others, value);
    }
    return spread;
}

std::string Short(double value) {
    std::ostringstream text;
    const double size = std::fabs(value);
    if (size >= 1e6) {
        text << std::setprecision(4) << value / 1e6 << "M";
    } else {
        text << std::setprecision(4) << value;
    }
    return text.str();
}

// The exponent of the number of ranks with which a figure grows.
std::string Growth(double first, double last, int few, int many) {
    if (first <= 0 || last <= 0 || few == many) {
        return "";
    }
    std::ostringstream text;
    text << "P^" << std::fixed << std::setprecision(2) << std::log(last / first) / std::log(double(many) / few);
    return text.str();
}

class Table {
  public:
    Table(std::ostream &out, const std::vector<Figures> &jobs) : out_(out), jobs_(jobs) {}

    template <typename Value> void Line(const std::string &title, Value value, bool grows = true) {
        out_ << std::left << std::setw(44) << title << std::right;
        for (const Figures &job : jobs_) {
            out_ << std::setw(12) << Short(value(job));
        }
        out_ << std::setw(9)
             << (grows ? Growth(value(jobs_.front()), value(jobs_.back()), jobs_.front().ranks, jobs_.back().ranks) : "")
             << "\n";
    }

  private:
    std::ostream &out_;
    const std::vector<Figures> &jobs_;
};

// What is nothing, or the same of all ranks, has no line of its own.
template <typename Of> void PrintMetric(Table &table, const std::vector<Figures> &jobs, const std::string &name, Of of) {
    const auto any = [&jobs, &of](auto holds) {
        return std::any_of(jobs.begin(), jobs.end(), [&](const Figures &job) { return holds(of(job)); });
    };
    if (!any([](const Figures::Spread &spread) { return spread.most > 0; })) {
        return;
    }
    const bool alike = !any([](const Figures::Spread &spread) { return spread.most > spread.others; });
    table.Line("  " + name + (alike ? "" : ", aggregator"), [&of](const Figures &job) { return of(job).most; });
    table.Line("  " + name + ", mean", [&of](const Figures &job) { return of(job).mean; });
    if (!alike && any([](const Figures::Spread &spread) { return spread.others > 0; })) {
        table.Line("  " + name + ", others", [&of](const Figures &job) { return of(job).others; });
    }
}

nlohmann::ordered_json JsonOf(const Figures &job) {
    nlohmann::ordered_json json = {{"ranks", job.ranks},
                                   {"nodes", job.nodes},
                                   {"aggregators", job.aggregators},
                                   {"busiest_nic_s", job.busiest_nic},
                                   {"busiest_target_s", job.busiest_target},
                                   {"events", job.events},
                                   {"simulation_s", job.wall},
                                   {"warnings", job.warnings}};
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
        nlohmann::ordered_json &part = json[kPhaseNames[phase]];
        part["seconds"] = job.seconds[phase];
        for (std::size_t i = 0; i < kMetrics.size(); ++i) {
            const Figures::Spread &spread = job.spreads[phase][i];
            part[kMetrics[i].name] = {{"mean", spread.mean}, {"most", spread.most}, {"most_of_others", spread.others}};
        }
    }
    return json;
}

} // namespace

Figures FiguresOf(const Result &result) {
    Figures figures;
    figures.ranks = result.ranks;
    figures.nodes = result.nodes;
    figures.aggregators = static_cast<int>(std::count(result.aggregates.begin(), result.aggregates.end(), 1));
    figures.seconds = result.seconds;
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
        for (const Metric &metric : kMetrics) {
            figures.spreads[phase].push_back(SpreadOf(metric, result.parts[phase], result.aggregates));
        }
    }
    figures.busiest_nic = result.busiest_nic;
    figures.busiest_target = result.busiest_target;
    figures.events = result.events;
    figures.wall = result.wall;
    figures.warnings = result.warnings;
    return figures;
}

void PrintTable(std::ostream &out, const Options &options, const std::vector<Figures> &jobs) {
    out << options.pattern_name << " " << options.pattern->Parameters().dump() << ", " << options.ranks_per_node
        << " ranks a node, machine " << options.machine_name << "\n";
    Table table(out, jobs);
    table.Line(
        "ranks", [](const Figures &job) { return double(job.ranks); }, false);
    table.Line(
        "aggregators", [](const Figures &job) { return double(job.aggregators); }, false);
    for (std::size_t phase = 0; phase < kPhases; ++phase) {
        out << "\n" << kPhaseNames[phase] << "\n";
        table.Line("  seconds", [phase](const Figures &job) { return job.seconds[phase]; });
        for (std::size_t i = 0; i < kMetrics.size(); ++i) {
            PrintMetric(table, jobs, kMetrics[i].title, [phase, i](const Figures &job) { return job.spreads[phase][i]; });
        }
    }
    out << "\n";
    table.Line("busiest NIC, seconds of all calls", [](const Figures &job) { return job.busiest_nic; });
    table.Line("busiest target, seconds of all calls", [](const Figures &job) { return job.busiest_target; });
    table.Line("seconds that the simulation took", [](const Figures &job) { return job.wall; });
    for (const std::string &warning : jobs.back().warnings) {
        out << warning << "\n";
    }
}

void WriteJson(const Options &options, const std::vector<Figures> &jobs) {
    nlohmann::ordered_json json = {{"version", bench::Version()},
                                   {"pattern", options.pattern_name},
                                   {"parameters", options.pattern->Parameters()},
                                   {"ranks_per_node", options.ranks_per_node},
                                   {"calls", options.calls},
                                   {"machine", options.machine_name}};
    for (const MachineNumber &number : MachineNumbers()) {
        json["machine_numbers"][number.name] = options.machine.*number.number;
    }
    for (const Figures &job : jobs) {
        json["jobs"].push_back(JsonOf(job));
    }
    std::ofstream file(options.json);
    file << json.dump(2) << "\n";
    if (!file.flush()) {
        throw std::runtime_error("cannot write " + options.json);
    }
}

} // namespace simulate
