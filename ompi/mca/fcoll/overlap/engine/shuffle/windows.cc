// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "windows.h"

#include <algorithm>
#include <utility>

namespace overlap {

// Windows that are too small, lack a target, or are made for other epochs are given back.
bool Windows::Reserve(int slots, ByteCount bytes, const std::vector<Rank> &targets, overlap_epochs epochs) {
    if (impossible_) {
        return false;
    }
    std::vector<Rank> all;
    const Status local = Guarded([&] {
        windows_.reserve(static_cast<std::size_t>(slots));
        memory_.reserve(static_cast<std::size_t>(slots));
        all = targets_;
        all.insert(all.end(), targets.begin(), targets.end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    });
    if (!team_.Agree(local).ok()) {
        return false;
    }
    if (bytes > bytes_ || all != targets_ || epochs != epochs_) {
        Free();
        epochs_ = epochs;
        targets_ = std::move(all);
        bytes_ = std::max(bytes, bytes_);
    }
    const overlap_transport &transport = team_.transport();
    const bool is_target = std::binary_search(targets_.begin(), targets_.end(), transport.rank);
    const std::size_t own = is_target ? static_cast<std::size_t>(bytes_) : 0;
    while (windows_.size() < static_cast<std::size_t>(slots)) {
        overlap_window *window = nullptr;
        char *memory = nullptr;
        const Status made(transport.window_allocate(transport.self, own, epochs_, &window, &memory));
        impossible_ = !team_.Agree(made).ok();
        if (impossible_ || window == nullptr) {
            break;
        }
        windows_.push_back(window);
        memory_.push_back(memory);
    }
    // A window that other ranks do not have cannot be freed, as that takes all of them: it stays until the program ends.
    if (impossible_) {
        Free();
        if (team_.rank() == 0) {
            host_.warn(host_.self, OVERLAP_WARNING_NO_WINDOWS, nullptr);
        }
    }
    return windows_.size() >= static_cast<std::size_t>(slots);
}

void Windows::Free() {
    for (overlap_window *&window : windows_) {
        team_.transport().window_free(team_.transport().self, &window);
    }
    windows_.clear();
    memory_.clear();
}

} // namespace overlap
