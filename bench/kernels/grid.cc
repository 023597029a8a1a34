// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "grid.h"

#include <functional>
#include <numeric>
#include <stdexcept>

namespace bench {
namespace {

std::vector<int> Balanced(int ranks, std::size_t dimensions) {
    std::vector<int> grid(dimensions, 0);
    MPI_Dims_create(ranks, static_cast<int>(dimensions), grid.data());
    return grid;
}

Bytes Product(const std::vector<int> &values) {
    return std::accumulate(values.begin(), values.end(), Bytes{1}, std::multiplies<Bytes>());
}

} // namespace

Grid::Grid(int ranks, std::vector<int> part) : Grid(ranks, part, Balanced(ranks, part.size())) {}

Grid::Grid(int ranks, std::vector<int> part, std::vector<int> grid) : part_(std::move(part)), grid_(std::move(grid)) {
    if (Product(grid_) != ranks) {
        throw std::invalid_argument("the grid has another number of places than there are ranks, " + std::to_string(ranks));
    }
}

std::vector<int> Grid::sizes() const {
    std::vector<int> sizes(part_);
    for (std::size_t d = 0; d < sizes.size(); ++d) {
        sizes[d] *= grid_[d];
    }
    return sizes;
}

std::vector<int> Grid::starts(int rank) const {
    std::vector<int> starts(part_);
    for (std::size_t d = starts.size(); d-- > 0;) {
        starts[d] *= rank % grid_[d];
        rank /= grid_[d];
    }
    return starts;
}

Bytes Grid::elements() const { return Product(sizes()); }
Bytes Grid::own() const { return Product(part_); }

void Grid::ForEachRow(const std::vector<int> &starts, Bytes element, const Pattern::Sink &sink) const {
    const std::vector<int> all = sizes();
    const std::size_t last = part_.size() - 1;
    const Bytes rows = own() / part_[last];
    for (Bytes row = 0; row < rows; ++row) {
        Bytes rest = row;
        Bytes index = starts[last];
        Bytes stride = all[last];
        for (std::size_t d = last; d-- > 0;) {
            index += (starts[d] + rest % part_[d]) * stride;
            stride *= all[d];
            rest /= part_[d];
        }
        sink(index * element, part_[last] * element);
    }
}

} // namespace bench
