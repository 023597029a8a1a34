// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file of hops between nodes: line i has the hops from node i to each node, optionally behind the node's host name.
#include "host_list.h"
#include "network.h"

#include <charconv>
#include <cstdint>
#include <numeric>

namespace overlap {
namespace {

constexpr int kMostHops = 10000;

struct HopTable {
    std::vector<std::string> hosts; // empty where the file has no names
    std::vector<std::uint16_t> hops;
    std::size_t size = 0;
};

class MatrixNetwork final : public Network {
  public:
    // A place is a row.
    MatrixNetwork(HopTable table, const NetworkRequest &request, Places places)
        : Network("matrix", request, std::move(places)), table_(std::move(table)) {}

    int HopsBetween(int from, int to) const override {
        return table_.hops[static_cast<std::size_t>(from) * table_.size + static_cast<std::size_t>(to)];
    }

  private:
    HopTable table_;
};

bool ParseHops(const std::string &word, int &hops) {
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), hops);
    return parsed.ec == std::errc() && parsed.ptr == word.data() + word.size();
}

// One row; empty where it is right, else what is wrong.
std::string AddRow(std::vector<std::string> words, std::size_t row, HopTable &table) {
    int hops = 0;
    const bool named = !ParseHops(words.front(), hops);
    if (row == 0) {
        table.size = words.size() - (named ? 1 : 0);
    } else if (named != !table.hosts.empty()) {
        return "host names stand on all lines or on none";
    }
    if (named) {
        table.hosts.push_back(words.front());
        words.erase(words.begin());
    }
    if (words.size() != table.size || row >= table.size) {
        return row >= table.size
                   ? "the matrix has more lines than columns, which are " + std::to_string(table.size)
                   : std::to_string(words.size()) + " numbers on this line, " + std::to_string(table.size) + " on the first";
    }
    for (std::size_t column = 0; column < words.size(); ++column) {
        if (!ParseHops(words[column], hops)) {
            return "\"" + Brief(words[column]) + "\" is no number of hops";
        }
        if (column == row ? hops != 0 : (hops < 2 || hops > kMostHops)) {
            return "column " + std::to_string(column + 1) + ": " + std::to_string(hops) +
                   (column == row ? " hops from a node to itself, which are 0"
                                  : " hops between two nodes, which are 2 to " + std::to_string(kMostHops));
        }
        table.hops.push_back(static_cast<std::uint16_t>(hops));
    }
    return "";
}

Outcome<HopTable> ParseMatrix(const SourceText &source) {
    HopTable table;
    std::size_t rows = 0;
    for (const Line &line : SplitLines(source.text, false)) {
        const std::vector<std::string> words = SplitWords(WithoutComment(line.text));
        if (words.empty()) {
            continue;
        }
        const std::string wrong = AddRow(words, rows, table);
        if (!wrong.empty()) {
            return At(source, line.number, wrong);
        }
        ++rows;
    }
    if (rows != table.size || rows == 0) {
        return At(source, 0,
                  "the matrix has " + std::to_string(rows) + " lines and " + std::to_string(table.size) + " columns");
    }
    return table;
}

// Without names the first nodes are the first rows, and no storage is known.
Outcome<Places> FindPlaces(const HopTable &table, const NetworkRequest &request, const SourceText &source) {
    const NamedHosts named(table.hosts);
    Places places;
    if (!table.hosts.empty()) {
        Outcome<std::vector<int>> nodes = named.FindAll(request.hosts, source);
        if (!nodes.ok()) {
            return nodes.failure();
        }
        places.nodes = std::move(nodes.value());
    } else if (request.hosts.size() > table.size) {
        return At(source, 0,
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

NetworkOutcome MakeMatrixNetwork(const SourceText &source, const NetworkRequest &request) {
    Outcome<HopTable> table = ParseMatrix(source);
    if (!table.ok()) {
        return table.failure();
    }
    Outcome<Places> places = FindPlaces(table.value(), request, source);
    if (!places.ok()) {
        return places.failure();
    }
    return NetworkOutcome(std::make_unique<MatrixNetwork>(std::move(table.value()), request, std::move(places.value())));
}

} // namespace overlap
