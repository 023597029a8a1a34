// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file of hops between nodes: line i has the hops from node i to each node, optionally behind the node's host name.
#include "host_list.h"
#include "network.h"

#include <numeric>

namespace overlap {
namespace {

constexpr int kMostHops = 10000;

struct HopTable {
    std::vector<std::string> hosts; // empty where the file has no names
    std::vector<std::uint16_t> hops;
    std::size_t size = 0;
};

void AddRow(std::vector<std::string> words, std::size_t row, HopTable &table) {
    int hops = 0;
    const bool named = !ParseNumber(words.front(), hops);
    if (row == 0) {
        table.size = words.size() - (named ? 1 : 0);
    } else if (named != !table.hosts.empty()) {
        throw Failure("host names stand on all lines or on none");
    }
    if (named) {
        table.hosts.push_back(words.front());
        words.erase(words.begin());
    }
    if (row >= table.size) {
        throw Failure("the matrix has more lines than columns, which are " + std::to_string(table.size));
    }
    if (words.size() != table.size) {
        throw Failure(std::to_string(words.size()) + " numbers on this line, " + std::to_string(table.size) +
                      " on the first");
    }
    for (std::size_t column = 0; column < words.size(); ++column) {
        if (!ParseNumber(words[column], hops)) {
            throw Failure("\"" + Brief(words[column]) + "\" is no number of hops");
        }
        if (column == row ? hops != 0 : (hops < 2 || hops > kMostHops)) {
            throw Failure("column " + std::to_string(column + 1) + ": " + std::to_string(hops) +
                          (column == row ? " hops from a node to itself, which are 0"
                                         : " hops between two nodes, which are 2 to " + std::to_string(kMostHops)));
        }
        table.hops.push_back(static_cast<std::uint16_t>(hops));
    }
}

HopTable ParseMatrix(const SourceText &source) {
    HopTable table;
    std::size_t rows = 0;
    ForEachLine(source, false, [&](std::vector<std::string> words, int) { AddRow(std::move(words), rows++, table); });
    if (rows != table.size || rows == 0) {
        throw At(source, 0,
                 "the matrix has " + std::to_string(rows) + " lines and " + std::to_string(table.size) + " columns");
    }
    return table;
}

// Without names the first nodes are the first rows, and no storage is known.
Places FindPlaces(const HopTable &table, const NetworkRequest &request, const SourceText &source) {
    const NamedHosts named(table.hosts);
    Places places;
    if (!table.hosts.empty()) {
        places.nodes = named.FindAll(request.hosts, source);
    } else if (request.hosts.size() > table.size) {
        throw At(source, 0,
                 "the matrix is of " + std::to_string(table.size) + " nodes, " + std::to_string(request.hosts.size()) +
                     " are needed");
    } else {
        places.nodes.resize(request.hosts.size());
        std::iota(places.nodes.begin(), places.nodes.end(), 0);
    }
    for (const std::string &name : request.storage) {
        const int row = named.Find(name);
        if (row >= 0) {
            places.servers.push_back(row);
        } else {
            places.unknown_storage.push_back(name);
        }
    }
    return places;
}

} // namespace

Network MakeMatrixNetwork(const SourceText &source, const NetworkRequest &request) {
    const HopTable table = ParseMatrix(source);
    return Network("matrix", request, FindPlaces(table, request, source), [&](int from, int to) {
        return table.hops[static_cast<std::size_t>(from) * table.size + static_cast<std::size_t>(to)];
    });
}

} // namespace overlap
