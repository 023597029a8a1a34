// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Lines of cells, for reports.
#ifndef BENCH_COMPARE_TABLE_H
#define BENCH_COMPARE_TABLE_H

#include <iosfwd>
#include <optional>
#include <string>

namespace compare {

std::string Fixed(double value, int digits);

/// "-" for nothing.
std::string OrDash(const std::optional<double> &value, int digits);

/// "1 rank", "2 ranks".
std::string Counted(int count, const std::string &noun);

/// One line: a label on the left, cells that end at the same places below each other. It ends with the object.
class Line {
  public:
    Line(std::ostream &out, int label_width, const std::string &label);
    ~Line();
    Line(const Line &) = delete;
    Line &operator=(const Line &) = delete;
    Line &Cell(int width, const std::string &text);

  private:
    std::ostream &out_;
};

} // namespace compare

#endif
