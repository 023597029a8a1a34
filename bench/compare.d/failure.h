// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What ends the whole comparison, with its exit code.
#ifndef BENCH_COMPARE_FAILURE_H
#define BENCH_COMPARE_FAILURE_H

#include <stdexcept>
#include <string>

namespace compare {

class Failure : public std::runtime_error {
  public:
    Failure(int code, const std::string &message) : std::runtime_error(message), code_(code) {}
    int code() const { return code_; }

  private:
    int code_;
};

} // namespace compare

#endif
