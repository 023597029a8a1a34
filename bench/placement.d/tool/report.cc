// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "report.h"

#include <iomanip>

namespace placement {
namespace {

std::string HostOf(const Job &job, Rank rank) {
    return job.network->hosts()[static_cast<std::size_t>(job.topology->NodeOf(rank))];
}

std::string BusiestLink(const Job &job, const Result &result) {
    if (result.load.busiest < 0) {
        return "none";
    }
    const bench::Wiring &wiring = job.network->wiring();
    const bench::Link &link = wiring.links[static_cast<std::size_t>(result.load.busiest)];
    return wiring.vertices[static_cast<std::size_t>(link.from)].name + " to " +
           wiring.vertices[static_cast<std::size_t>(link.to)].name;
}

double BytesOf(const Job &job) {
    double sum = 0;
    for (const overlap::DomainBytes &column : job.matrix) {
        for (const overlap::RankBytes &entry : column) {
            sum += static_cast<double>(entry.bytes);
        }
    }
    return sum;
}

} // namespace

void PrintTable(std::ostream &out, const Job &job, const std::vector<Result> &results) {
    out << job.problem.ranks() << " ranks on " << job.topology->nodes() << " nodes, " << job.network->Describe() << ", "
        << job.matrix.size() << " domains, " << std::fixed << std::setprecision(3) << BytesOf(job) / 1e9 << " GB\n"
        << "strategy   hop-bytes/1e9  of the first  largest load GB  predicted ms  slowest link\n";
    for (const Result &result : results) {
        out << std::left << std::setw(9) << result.strategy << std::right << std::setw(15) << std::setprecision(3)
            << result.hop_bytes / 1e9 << std::setw(14)
            << (results[0].hop_bytes > 0 ? result.hop_bytes / results[0].hop_bytes : 1) << std::setw(17)
            << result.load.most_bytes / 1e9 << std::setw(14) << result.load.seconds * 1e3 << "  " << BusiestLink(job, result)
            << "\n";
    }
}

void PrintCsv(std::ostream &out, const Job &job, const std::vector<Result> &results) {
    out << "strategy,ranks,nodes,domains,bytes,hop_bytes,largest_load_bytes,predicted_seconds,slowest_link,placing_seconds\n"
        << std::setprecision(12);
    for (const Result &result : results) {
        out << result.strategy << "," << job.problem.ranks() << "," << job.topology->nodes() << "," << job.matrix.size()
            << "," << BytesOf(job) << "," << result.hop_bytes << "," << result.load.most_bytes << "," << result.load.seconds
            << "," << BusiestLink(job, result) << "," << result.seconds << "\n";
    }
}

void PrintPlacement(std::ostream &out, const Job &job, const Result &result) {
    for (std::size_t domain = 0; domain < result.aggregators.size(); ++domain) {
        const Rank rank = result.aggregators[domain];
        out << result.strategy << ": domain " << domain << " rank " << rank << " on " << HostOf(job, rank) << "\n";
    }
}

} // namespace placement
