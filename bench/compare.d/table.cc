// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "table.h"

#include <iomanip>
#include <ostream>
#include <sstream>

namespace compare {

std::string Fixed(double value, int digits) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(digits) << value;
    return out.str();
}

std::string OrDash(const std::optional<double> &value, int digits) { return value ? Fixed(*value, digits) : "-"; }

std::string Counted(int count, const std::string &noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Line::Line(std::ostream &out, int label_width, const std::string &label) : out_(out) {
    out_ << std::left << std::setw(label_width) << label << std::right;
}

Line::~Line() { out_ << "\n"; }

Line &Line::Cell(int width, const std::string &text) {
    out_ << "  " << std::setw(width) << text;
    return *this;
}

} // namespace compare
