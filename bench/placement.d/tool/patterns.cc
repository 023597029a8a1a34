// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "patterns.h"

#include "plan/domains.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

namespace placement {
namespace {

// XX YY ZZ VX VY VZ phi, pid, mask (TAPIOCA, section V).
constexpr std::array<ByteCount, 9> kVariables = {4, 4, 4, 4, 4, 4, 4, 8, 2};
constexpr ByteCount kParticle = 38;

constexpr int kMostDomains = 1 << 20;

// Three factors of `ranks`, as near to each other as possible, descending as MPI_Dims_create has them.
std::array<int, 3> BalancedGrid(int ranks) {
    std::array<int, 3> best = {ranks, 1, 1};
    for (int c = 1; c * c * c <= ranks; ++c) {
        for (int b = c; c * b * b <= ranks; ++b) {
            const int a = ranks / c / b;
            if (a * b * c == ranks && a - c <= best[0] - best[2]) {
                best = {a, b, c};
            }
        }
    }
    return best;
}

int Side(int ranks) {
    const int side = static_cast<int>(std::lround(std::sqrt(ranks)));
    if (side * side != ranks) {
        throw std::invalid_argument("btio needs a square number of ranks, not " + std::to_string(ranks));
    }
    return side;
}

// Part `i` of `parts` of the points of a dimension begins here.
ByteCount PartStart(ByteCount points, int i, int parts) { return points * i / parts; }

struct Part {
    ByteCount begin;
    ByteCount end;
};

Part PartOf(ByteCount points, int i, int parts) { return {PartStart(points, i, parts), PartStart(points, i + 1, parts)}; }

void ForEachRow(ByteCount points, ByteCount element, const std::array<Part, 3> &box, const Pattern::Sink &sink) {
    const ByteCount length = (box[2].end - box[2].begin) * element;
    for (ByteCount x = box[0].begin; x < box[0].end && length > 0; ++x) {
        for (ByteCount y = box[1].begin; y < box[1].end; ++y) {
            sink(((x * points + y) * points + box[2].begin) * element, length);
        }
    }
}

overlap::CommunicationMatrix FromCells(const std::map<std::pair<int, Rank>, ByteCount> &cells, int domains) {
    overlap::CommunicationMatrix matrix(static_cast<std::size_t>(domains));
    for (const auto &[place, bytes] : cells) {
        matrix[static_cast<std::size_t>(place.first)].push_back({place.second, bytes});
    }
    return matrix;
}

} // namespace

FileOffset Ior::Extent(int ranks) const { return block * segments * ranks; }

void Ior::ForEach(Rank rank, int ranks, const Sink &sink) const {
    for (ByteCount segment = 0; segment < segments; ++segment) {
        sink((segment * ranks + rank) * block, block);
    }
}

FileOffset Cube::Extent(int) const { return points * points * points * element; }

void Cube::ForEach(Rank rank, int ranks, const Sink &sink) const {
    const std::array<int, 3> grid = BalancedGrid(ranks);
    const std::array<int, 3> place = {rank / grid[2] / grid[1], rank / grid[2] % grid[1], rank % grid[2]};
    ForEachRow(points, element,
               {PartOf(points, place[0], grid[0]), PartOf(points, place[1], grid[1]), PartOf(points, place[2], grid[2])},
               sink);
}

FileOffset Btio::Extent(int ranks) const {
    Side(ranks);
    return points * points * points * element;
}

void Btio::ForEach(Rank rank, int ranks, const Sink &sink) const {
    const int side = Side(ranks);
    for (int plane = 0; plane < side; ++plane) {
        ForEachRow(points, element,
                   {PartOf(points, plane, side), PartOf(points, (rank / side + plane) % side, side),
                    PartOf(points, (rank % side + plane) % side, side)},
                   sink);
    }
}

FileOffset Hacc::Extent(int ranks) const { return kParticle * particles * ranks; }

void Hacc::ForEach(Rank rank, int ranks, const Sink &sink) const {
    if (structures) {
        sink(kParticle * particles * rank, kParticle * particles);
        return;
    }
    FileOffset start = 0;
    for (const ByteCount size : kVariables) {
        sink(start + size * particles * rank, size * particles);
        start += size * particles * ranks;
    }
}

Cut CutEvenly(FileOffset extent, int limit, ByteCount alignment) {
    std::vector<overlap::Domain> domains;
    overlap::EvenDomains(0, extent, limit, alignment, 1, domains);
    return domains.empty() ? Cut{} : Cut{static_cast<int>(domains.size()), domains.front().end};
}

Cut CutStatically(FileOffset extent, int limit, ByteCount stripe, int targets) {
    std::vector<overlap::Domain> domains;
    overlap::StaticDomains(0, extent, limit, overlap::Striping{stripe, targets}, 1, domains);
    return Cut{static_cast<int>(domains.size()), stripe};
}

overlap::CommunicationMatrix CountBytes(const Pattern &pattern, int ranks, const Cut &cut) {
    overlap::CommunicationMatrix matrix(static_cast<std::size_t>(cut.domains));
    if (matrix.empty()) {
        return matrix;
    }
    std::vector<ByteCount> bytes(matrix.size());
    for (Rank rank = 0; rank < ranks; ++rank) {
        std::fill(bytes.begin(), bytes.end(), 0);
        pattern.ForEach(rank, ranks, [&](FileOffset offset, ByteCount length) {
            while (length > 0) {
                const FileOffset index = offset / cut.unit;
                const ByteCount here = std::min(length, (index + 1) * cut.unit - offset);
                bytes[static_cast<std::size_t>(index % cut.domains)] += here;
                offset += here;
                length -= here;
            }
        });
        for (std::size_t domain = 0; domain < bytes.size(); ++domain) {
            if (bytes[domain] > 0) {
                matrix[domain].push_back({rank, bytes[domain]});
            }
        }
    }
    return matrix;
}

overlap::CommunicationMatrix ReadMatrix(const std::string &path, const std::string &text, int ranks) {
    std::map<std::pair<int, Rank>, ByteCount> cells;
    std::istringstream lines(text);
    std::string line;
    int domains = 0;
    for (int number = 1; std::getline(lines, line); ++number) {
        std::istringstream words(line.substr(0, line.find('#')));
        Rank rank = 0;
        int domain = 0;
        ByteCount bytes = 0;
        std::string rest;
        if (!(words >> rest)) {
            continue;
        }
        words.clear();
        words.seekg(0);
        if (!(words >> rank >> domain >> bytes) || words >> rest || rank < 0 || rank >= ranks || domain < 0 ||
            domain >= kMostDomains || bytes < 0) {
            throw std::invalid_argument(path + ":" + std::to_string(number) +
                                        ": RANK DOMAIN BYTES belongs here, with ranks below " + std::to_string(ranks));
        }
        if (bytes > 0) {
            cells[{domain, rank}] += bytes;
        }
        domains = std::max(domains, domain + 1);
    }
    if (domains == 0) {
        throw std::invalid_argument(path + ": the matrix is empty");
    }
    return FromCells(cells, domains);
}

} // namespace placement
