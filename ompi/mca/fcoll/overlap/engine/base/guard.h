// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Where exceptions of a local computation become a status, so that this rank still meets the others in their next step.
#ifndef OVERLAP_ENGINE_BASE_GUARD_H
#define OVERLAP_ENGINE_BASE_GUARD_H

#include "status.h"

#include <new>
#include <stdexcept>
#include <type_traits>

namespace overlap {

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
