// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "windows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace overlap {

// Windows that are too small, lack a target, or are made for other epochs are given back.
Windows::Answer Windows::Reserve(int slots, ByteCount bytes, const std::vector<Rank> &targets, overlap_epochs epochs) {
    std::vector<Rank> wanted, all;
    const Status local = Guarded([&] {
        windows_.reserve(static_cast<std::size_t>(slots));
        memory_.reserve(static_cast<std::size_t>(slots));
        wanted = targets;
        std::sort(wanted.begin(), wanted.end());
        wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        std::set_union(targets_.begin(), targets_.end(), wanted.begin(), wanted.end(), std::back_inserter(all));
    });
    if (!team_.Agree(local).ok()) {
        return Answer::kNotNow;
    }
    if (bytes > bytes_ || all != targets_ || epochs != epochs_) {
        Free();
        epochs_ = epochs;
        targets_ = std::move(all);
        bytes_ = std::max(bytes, bytes_);
    }
    Answer answer = Answer::kReady;
    while (answer == Answer::kReady && windows_.size() < static_cast<std::size_t>(slots)) {
        answer = Allocate();
    }
    return answer;
}

Windows::Answer Windows::Allocate() {
    const overlap_transport &transport = team_.transport();
    const bool is_target = std::binary_search(targets_.begin(), targets_.end(), transport.rank);
    overlap_window *window = nullptr;
    char *memory = nullptr;
    const Status status = team_.Agree(Status(transport.window_allocate(
        transport.self, is_target ? static_cast<std::size_t>(bytes_) : 0, epochs_, &window, &memory)));
    if (!status.ok()) {
        // A window that other ranks do not have cannot be freed, as that takes all of them: it stays until the program ends.
        return Answer::kNever;
    }
    if (window == nullptr) {
        return Answer::kNotNow;
    }
    windows_.push_back(window);
    memory_.push_back(memory);
    return Answer::kReady;
}

void Windows::Free() {
    for (overlap_window *&window : windows_) {
        team_.transport().window_free(team_.transport().self, &window);
    }
    windows_.clear();
    memory_.clear();
}

} // namespace overlap
