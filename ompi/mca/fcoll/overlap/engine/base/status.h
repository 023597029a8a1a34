// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The result of an operation as a value: what went wrong, ordered by severity (ports.h). And where exceptions of a local
// computation become one, so that this rank still meets the others in their next step.
#ifndef OVERLAP_ENGINE_BASE_STATUS_H
#define OVERLAP_ENGINE_BASE_STATUS_H

#include "../ports.h"

#include <new>
#include <stdexcept>
#include <type_traits>

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

/// Runs `compute`, which returns a Status or nothing. No memory gives OVERLAP_ERR_NO_MEM, an access that cannot be
/// represented OVERLAP_ERR_ARG.
template <typename Compute> Status Guarded(Compute compute) {
    try {
        if constexpr (std::is_void_v<decltype(compute())>) {
            compute();
            return Status();
        } else {
            return compute();
        }
    } catch (const std::bad_alloc &) {
        return Status(OVERLAP_ERR_NO_MEM);
    } catch (const std::length_error &) {
        return Status(OVERLAP_ERR_NO_MEM);
    } catch (const std::invalid_argument &) {
        return Status(OVERLAP_ERR_ARG);
    } catch (const std::range_error &) {
        return Status(OVERLAP_ERR_ARG);
    } catch (...) {
        return Status(OVERLAP_ERR_OTHER);
    }
}

} // namespace overlap

#endif
