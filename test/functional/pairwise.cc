// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "pairwise.h"

#include <algorithm>

namespace {

// The pairs of values that have not met, one table for each two factors.
class Unmet {
  public:
    explicit Unmet(const std::vector<int> &sizes) : sizes_(sizes), tables_(sizes.size() * sizes.size()) {
        for (std::size_t a = 0; a < sizes.size(); ++a) {
            for (std::size_t b = a + 1; b < sizes.size(); ++b) {
                Table(a, b).assign(static_cast<std::size_t>(sizes[a]) * static_cast<std::size_t>(sizes[b]), true);
            }
        }
    }

    bool Has(std::size_t a, int value_a, std::size_t b, int value_b) { return At(a, value_a, b, value_b); }

    void Meet(const Combination &row) {
        for (std::size_t a = 0; a < row.size(); ++a) {
            for (std::size_t b = a + 1; b < row.size(); ++b) {
                At(a, row[a], b, row[b]) = false;
            }
        }
    }

    // Puts the first such pair into the row; returns whether there is one.
    bool First(Combination &row) {
        for (std::size_t a = 0; a < sizes_.size(); ++a) {
            for (std::size_t b = a + 1; b < sizes_.size(); ++b) {
                const std::vector<bool> &table = Table(a, b);
                const auto found = std::find(table.begin(), table.end(), true);
                if (found != table.end()) {
                    const int index = static_cast<int>(found - table.begin());
                    row[a] = index / sizes_[b];
                    row[b] = index % sizes_[b];
                    return true;
                }
            }
        }
        return false;
    }

  private:
    std::vector<bool> &Table(std::size_t a, std::size_t b) { return tables_[a * sizes_.size() + b]; }
    std::vector<bool>::reference At(std::size_t a, int value_a, std::size_t b, int value_b) {
        return a < b ? Table(a, b)[static_cast<std::size_t>(value_a * sizes_[b] + value_b)] : At(b, value_b, a, value_a);
    }

    const std::vector<int> &sizes_;
    std::vector<std::vector<bool>> tables_;
};

constexpr int kOpen = -1; // a factor of a row that has no value yet

// The value with which most pairs meet for the first time. Where several do it is another one in each row.
int BestValue(Unmet &unmet, const Combination &row, std::size_t factor, int size, std::size_t turn) {
    int best = 0, most = -1;
    for (int i = 0; i < size; ++i) {
        const int value = static_cast<int>((static_cast<std::size_t>(i) + turn) % static_cast<std::size_t>(size));
        int met = 0;
        for (std::size_t other = 0; other < row.size(); ++other) {
            if (other != factor && row[other] != kOpen && unmet.Has(factor, value, other, row[other])) {
                ++met;
            }
        }
        if (met > most) {
            best = value;
            most = met;
        }
    }
    return best;
}

} // namespace

std::vector<Combination> PairwiseCover(const std::vector<int> &sizes) {
    std::vector<Combination> rows;
    Unmet unmet(sizes);
    for (Combination row(sizes.size(), kOpen); unmet.First(row); row.assign(sizes.size(), kOpen)) {
        for (std::size_t factor = 0; factor < sizes.size(); ++factor) {
            if (row[factor] == kOpen) {
                row[factor] = BestValue(unmet, row, factor, sizes[factor], rows.size());
            }
        }
        unmet.Meet(row);
        rows.push_back(row);
    }
    return rows;
}

std::vector<Combination> EachValue(const std::vector<int> &sizes) {
    std::vector<Combination> rows(static_cast<std::size_t>(*std::max_element(sizes.begin(), sizes.end())));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const int size : sizes) {
            rows[row].push_back(static_cast<int>(row % static_cast<std::size_t>(size)));
        }
    }
    return rows;
}

std::vector<Combination> FullProduct(const std::vector<int> &sizes) {
    std::vector<Combination> rows = {{}};
    for (const int size : sizes) {
        std::vector<Combination> longer;
        for (const Combination &row : rows) {
            for (int value = 0; value < size; ++value) {
                longer.push_back(row);
                longer.back().push_back(value);
            }
        }
        rows = std::move(longer);
    }
    return rows;
}
