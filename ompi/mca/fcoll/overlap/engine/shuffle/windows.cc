#include "windows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace overlap {

Windows::Answer Windows::Reserve(int slots, ByteCount bytes, std::vector<Rank> targets, overlap_epochs epochs) {
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    const bool covered = std::includes(targets_.begin(), targets_.end(), targets.begin(), targets.end());
    if (bytes > bytes_ || !covered) {
        Free();
        std::vector<Rank> all;
        std::set_union(targets_.begin(), targets_.end(), targets.begin(), targets.end(), std::back_inserter(all));
        targets_ = std::move(all);
        bytes_ = std::max(bytes, bytes_);
    }
    Answer answer = Answer::kReady;
    while (answer == Answer::kReady && windows_.size() < static_cast<std::size_t>(slots)) {
        answer = Allocate(epochs);
    }
    return answer;
}

Windows::Answer Windows::Allocate(overlap_epochs epochs) {
    const bool is_target = std::binary_search(targets_.begin(), targets_.end(), transport_.rank);
    Window made;
    Status status(transport_.window_allocate(transport_.self, is_target ? static_cast<std::size_t>(bytes_) : 0, epochs,
                                             &made.window, &made.memory));
    std::int64_t error = status.error();
    status.Merge(Status(transport_.allreduce(transport_.self, &error, 1, OVERLAP_REDUCE_MAX)));
    status.Merge(Status(static_cast<int>(error)));
    if (!status.ok()) {
        // A window that other ranks do not have cannot be freed, as that takes all of them: it stays until the program ends.
        return Answer::kNever;
    }
    if (made.window == nullptr) {
        return Answer::kNotNow;
    }
    windows_.push_back(made);
    return Answer::kReady;
}

void Windows::Free() {
    for (Window &window : windows_) {
        transport_.window_free(transport_.self, &window.window);
    }
    windows_.clear();
}

std::vector<char *> Windows::Memory() const {
    std::vector<char *> memory;
    for (const Window &window : windows_) {
        memory.push_back(window.memory);
    }
    return memory;
}

} // namespace overlap
