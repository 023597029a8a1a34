// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "decomposition.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <stdexcept>

namespace bench {
namespace {

constexpr int kLongestLand = 8;

// Where (x, y) lies on the Hilbert curve over a square of `side`, a power of two.
std::int64_t OnCurve(std::int64_t side, std::int64_t x, std::int64_t y) {
    std::int64_t distance = 0;
    for (std::int64_t half = side / 2; half > 0; half /= 2) {
        const std::int64_t right = (x & half) != 0 ? 1 : 0;
        const std::int64_t upper = (y & half) != 0 ? 1 : 0;
        distance += half * half * ((3 * right) ^ upper);
        if (upper == 0) {
            if (right == 1) {
                x = side - 1 - x;
                y = side - 1 - y;
            }
            std::swap(x, y);
        }
    }
    return distance;
}

// Columns that somebody has, ascending.
std::vector<std::int64_t> Land(const DealtGrid &grid, std::mt19937 &random) {
    std::vector<std::int64_t> land;
    std::uniform_int_distribution<int> length(1, kLongestLand);
    const double gaps_per_column = grid.hole_percent / (100.0 - grid.hole_percent);
    for (std::int64_t column = 0; column < grid.columns;) {
        const std::int64_t end = grid.hole_percent == 0 ? grid.columns : std::min(grid.columns, column + length(random));
        const double gap = static_cast<double>(end - column) * gaps_per_column;
        for (; column < end; ++column) {
            land.push_back(column);
        }
        column += grid.hole_percent == 0 ? 0 : std::max<std::int64_t>(1, std::lround(gap));
    }
    return land;
}

// The rank of each of these columns.
std::vector<int> DealColumns(const DealtGrid &grid, const std::vector<std::int64_t> &land, int ranks, std::mt19937 &random) {
    std::vector<int> owners(land.size());
    if (grid.deal == Deal::kRandom) {
        std::uniform_int_distribution<int> any(0, ranks - 1);
        std::generate(owners.begin(), owners.end(), [&] { return any(random); });
        return owners;
    }
    std::vector<std::size_t> order(land.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (grid.deal == Deal::kCurve) {
        const auto width = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(grid.columns))));
        std::int64_t side = 1;
        while (side < width) {
            side *= 2;
        }
        std::vector<std::int64_t> places(land.size());
        std::transform(land.begin(), land.end(), places.begin(),
                       [&](std::int64_t column) { return OnCurve(side, column % width, column / width); });
        std::sort(order.begin(), order.end(), [&places](std::size_t a, std::size_t b) { return places[a] < places[b]; });
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        owners[order[i]] = static_cast<int>(i * static_cast<std::size_t>(ranks) / order.size());
    }
    return owners;
}

void Append(std::vector<ElementRun> &runs, std::int64_t element) {
    if (!runs.empty() && runs.back().first + runs.back().count == element) {
        ++runs.back().count;
    } else {
        runs.push_back(ElementRun{element, 1});
    }
}

std::int64_t NumberIn(std::istream &in, const std::string &path) {
    std::int64_t number = 0;
    if (!(in >> number)) {
        throw std::invalid_argument(path + " ends early, or has something else where a number is expected");
    }
    return number;
}

void Word(std::istream &in, const std::string &path, const std::string &expected) {
    std::string word;
    if (!(in >> word) || word != expected) {
        throw std::invalid_argument(path + " is no decomposition of PIO: \"" + expected + "\" is missing in its first line");
    }
}

} // namespace

Decomposition DealGrid(const DealtGrid &grid, int ranks) {
    std::mt19937 random(grid.seed);
    const std::vector<std::int64_t> land = Land(grid, random);
    const std::vector<int> owners = DealColumns(grid, land, ranks, random);
    Decomposition dealt;
    dealt.elements = grid.levels * grid.columns;
    dealt.ranks.resize(static_cast<std::size_t>(ranks));
    for (std::int64_t level = 0; level < grid.levels; ++level) {
        for (std::size_t i = 0; i < land.size(); ++i) {
            Append(dealt.ranks[static_cast<std::size_t>(owners[i])], level * grid.columns + land[i]);
        }
    }
    return dealt;
}

Decomposition ReadDecomposition(const std::string &path, int ranks) {
    std::ifstream in(path);
    if (!in) {
        throw std::invalid_argument(path + " cannot be read");
    }
    Word(in, path, "version");
    NumberIn(in, path);
    Word(in, path, "npes");
    const std::int64_t parts = NumberIn(in, path);
    Word(in, path, "ndims");
    const std::int64_t dimensions = NumberIn(in, path);
    if (parts < ranks) {
        throw std::invalid_argument(path + " is for " + std::to_string(parts) + " ranks, fewer than this job has");
    }
    Decomposition read;
    read.elements = 1;
    for (std::int64_t i = 0; i < dimensions; ++i) {
        read.elements *= NumberIn(in, path);
    }
    read.ranks.resize(static_cast<std::size_t>(ranks));
    std::vector<std::vector<std::int64_t>> elements(static_cast<std::size_t>(ranks));
    for (std::int64_t part = 0; part < parts; ++part) {
        if (NumberIn(in, path) != part) {
            throw std::invalid_argument(path + ": rank " + std::to_string(part) + " is missing");
        }
        auto &own = elements[static_cast<std::size_t>(part * ranks / parts)];
        for (std::int64_t left = NumberIn(in, path); left > 0; --left) {
            const std::int64_t position = NumberIn(in, path);
            if (position < 0 || position > read.elements) {
                throw std::invalid_argument(path + ": position " + std::to_string(position) + " of rank " +
                                            std::to_string(part) + " is outside the grid");
            }
            if (position > 0) {
                own.push_back(position - 1);
            }
        }
    }
    for (std::size_t rank = 0; rank < elements.size(); ++rank) {
        std::sort(elements[rank].begin(), elements[rank].end());
        elements[rank].erase(std::unique(elements[rank].begin(), elements[rank].end()), elements[rank].end());
        for (const std::int64_t element : elements[rank]) {
            Append(read.ranks[rank], element);
        }
    }
    return read;
}

} // namespace bench
