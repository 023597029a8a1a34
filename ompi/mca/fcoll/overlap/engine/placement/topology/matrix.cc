// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file of hops between nodes: line i has the hops from node i to each node, optionally behind the node's host name.
#include "network.h"

#include <numeric>

namespace overlap {
namespace {

constexpr int kMostHops = 10000;

struct HopTable {
    std::vector<std::string> hosts; // empty where the file has no names
    std::vector<std::uint16_t> hops;
    std::size_t size = 0; // columns
    std::size_t rows = 0;
};

void AddRow(std::vector<std::string> words, HopTable &table) {
    int hops = 0;
    if (!ParseNumber(words.front(), hops)) {
        table.hosts.push_back(words.front());
        words.erase(words.begin());
    }
    table.size = table.rows == 0 ? words.size() : table.size;
    const std::size_t row = table.rows++;
    bool fits = row < table.size && words.size() == table.size && (table.hosts.empty() || table.hosts.size() == table.rows);
    for (std::size_t column = 0; column < words.size() && fits; ++column) {
        fits = ParseNumber(words[column], hops) && (column == row ? hops == 0 : hops >= 2 && hops <= kMostHops);
        table.hops.push_back(static_cast<std::uint16_t>(hops));
    }
    if (!fits) {
        throw Failure("no line of a matrix of " + std::to_string(table.size) +
                      " nodes: the hops to each node, 0 to itself, else 2 to " + std::to_string(kMostHops) +
                      "; a host's name before them on all lines or on none");
    }
}

HopTable ParseMatrix(const SourceText &source) {
    HopTable table;
    ForEachLine(source, [&](std::vector<std::string> words) { AddRow(std::move(words), table); });
    if (table.rows != table.size || table.rows == 0) {
        throw At(source, 0,
                 "the matrix has " + std::to_string(table.rows) + " lines and " + std::to_string(table.size) + " columns");
    }
    return table;
}

// Without names the first nodes are the first rows, and no storage is known.
Places PlacesIn(const HopTable &table, const NetworkRequest &request, const SourceText &source) {
    std::vector<int> rows(table.hosts.empty() ? request.hosts.size() : table.size);
    std::iota(rows.begin(), rows.end(), 0);
    if (!table.hosts.empty()) {
        return FindPlaces(table.hosts, rows, request, source);
    }
    if (rows.size() > table.size) {
        throw At(source, 0,
                 "the matrix is of " + std::to_string(table.size) + " nodes, " + std::to_string(rows.size()) +
                     " are needed");
    }
    return Places{rows, {}, request.storage};
}

} // namespace

Network MakeMatrixNetwork(const SourceText &source, const NetworkRequest &request) {
    const HopTable table = ParseMatrix(source);
    return Network("matrix", request, PlacesIn(table, request, source), [&](int from, int to) {
        return table.hops[static_cast<std::size_t>(from) * table.size + static_cast<std::size_t>(to)];
    });
}

} // namespace overlap
