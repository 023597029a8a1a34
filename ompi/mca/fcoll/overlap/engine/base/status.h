// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The result of an operation as a value: what went wrong, ordered by severity (ports.h).
#ifndef OVERLAP_ENGINE_BASE_STATUS_H
#define OVERLAP_ENGINE_BASE_STATUS_H

#include "../ports.h"

namespace overlap {

class [[nodiscard]] Status {
  public:
    Status() = default;
    /// `error` is an overlap_error, as the ports return it.
    explicit Status(int error) : error_(error) {}

    bool ok() const { return error_ == OVERLAP_SUCCESS; }
    int error() const { return error_; }

    /// Keeps the more severe of the two.
    void Merge(Status other) {
        if (other.error_ > error_) {
            error_ = other.error_;
        }
    }

  private:
    int error_ = OVERLAP_SUCCESS;
};

} // namespace overlap

#endif
