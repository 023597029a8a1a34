// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "fake_windows.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

using overlap::test::FakeRank;

// A rank's handle of a window.
struct overlap_window {
    std::size_t index;
};

namespace overlap::test {
namespace {

constexpr int kEveryRank = -1;

} // namespace

struct FakeWindows::Range {
    std::size_t begin;
    std::size_t end;
};

// A put.
struct FakeWindows::Move {
    int origin;
    int target;
    std::vector<overlap_piece> pieces; // in the origin's memory
    std::vector<char> bytes;           // where they were taken early
    std::vector<Range> places;         // in the target's memory, for these bytes in turn
    int epoch;                         // with fences: the origin's call that opened it; else 0
    bool applied = false;
};

struct FakeWindows::Window {
    overlap_epochs epochs = OVERLAP_EPOCHS_FENCE;
    std::vector<std::vector<char>> memory; // of each rank
    std::vector<int> fences;               // calls of each rank: odd inside an epoch
    std::vector<std::set<int>> locked;     // targets that each rank has locked
    std::vector<char> unseen;              // of each rank: a lock epoch of another has put into its memory
    std::vector<Move> moves;               // of the open epochs
    // Of each rank's memory what is put in the open epochs: epoch and begin, with the end.
    std::vector<std::map<std::pair<int, std::size_t>, std::size_t>> taken;
    int handles = 0;
    bool no_memory = false;                  // on a rank, which all know
    std::vector<std::pair<int, int>> losing; // ranks, with the fence epochs whose puts they lose
};

FakeWindows::FakeWindows(FakeCluster &cluster) : cluster_(cluster) {}
FakeWindows::~FakeWindows() = default;

void FakeWindows::Gather(int rank, std::vector<int> &rounds, const char *what) {
    rounds.resize(static_cast<std::size_t>(cluster_.options_.ranks), 0);
    const int round = ++rounds[static_cast<std::size_t>(rank)];
    const auto all_are_here = [&rounds, round] {
        return std::all_of(rounds.begin(), rounds.end(), [round](int other) { return other >= round; });
    };
    cluster_.Happened();
    if (all_are_here()) {
        cluster_.Changed();
    }
    cluster_.WaitFor(rank, what, all_are_here);
}

// All ways into a window wait for other ranks.
void FakeWindows::ExpectToWait(const FakeRank &rank) {
    if (rank.nonblocking_) {
        Abort("a nonblocking call waits in a window");
    }
}

int FakeWindows::Allocate(FakeRank &caller, std::size_t bytes, overlap_epochs epochs, overlap_window **handle,
                          char **memory) {
    ExpectToWait(caller);
    const int rank = caller.rank();
    const auto ranks = static_cast<std::size_t>(cluster_.options_.ranks);
    refused_.resize(ranks, 0);
    if (refused_[static_cast<std::size_t>(rank)] < cluster_.options_.windows_not_now) {
        ++refused_[static_cast<std::size_t>(rank)];
        *handle = nullptr;
        *memory = nullptr;
        return OVERLAP_SUCCESS;
    }
    // The first to come makes it.
    const auto index = static_cast<std::size_t>(
        std::count_if(windows_.begin(), windows_.end(), [rank](const std::unique_ptr<Window> &window) {
            return window->fences[static_cast<std::size_t>(rank)] >= 0;
        }));
    if (index == windows_.size()) {
        auto made = std::make_unique<Window>();
        made->epochs = epochs;
        made->memory.resize(ranks);
        made->fences.assign(ranks, -1); // -1: the rank has not come yet
        made->locked.resize(ranks);
        made->unseen.assign(ranks, 0);
        made->taken.resize(ranks);
        windows_.push_back(std::move(made));
        ++made_;
    }
    Window &window = *windows_[index];
    const Failure *const failure = cluster_.Fails(rank, Failure::kWindow);
    window.no_memory = cluster_.Fails(rank, Failure::kWindowMemory) != nullptr || window.no_memory;
    if (window.epochs != epochs) {
        Abort("ranks make windows for different epochs");
    }
    window.fences[static_cast<std::size_t>(rank)] = 0;
    // More than was asked for and filled, so that what is read without having been put is seen.
    window.memory[static_cast<std::size_t>(rank)].assign(bytes, '#');
    Gather(rank, calls_, "the making of a window");
    const int failing = cluster_.options_.no_window_on;
    if (failing == rank || failing == -2 || failure != nullptr || window.no_memory) {
        freed_ += window.handles++ == 0 ? 1 : 0; // does not count as left
        *handle = nullptr;
        *memory = nullptr;
        return window.no_memory ? OVERLAP_ERR_NO_MEM : OVERLAP_ERR_OTHER;
    }
    ++window.handles;
    handles_.push_back(std::make_unique<overlap_window>(overlap_window{index}));
    *handle = handles_.back().get();
    *memory = bytes == 0 ? nullptr : window.memory[static_cast<std::size_t>(rank)].data();
    return OVERLAP_SUCCESS;
}

void FakeWindows::Free(FakeRank &caller, overlap_window **handle) {
    ExpectToWait(caller);
    Gather(caller.rank(), calls_, "the freeing of a window");
    Window &window = *windows_[(*handle)->index];
    freed_ += --window.handles == 0 ? 1 : 0;
    window.memory[static_cast<std::size_t>(caller.rank())].assign(0, '#');
    *handle = nullptr;
}

// Whether no other put of the epoch goes there.
bool FakeWindows::Take(Window &window, int target, int epoch, const Range &place) {
    auto &taken = window.taken[static_cast<std::size_t>(target)];
    const auto next = taken.lower_bound({epoch, place.begin});
    if (next != taken.end() && next->first.first == epoch && next->first.second < place.end) {
        return false;
    }
    if (next != taken.begin()) {
        const auto before = std::prev(next);
        if (before->first.first == epoch && before->second > place.begin) {
            return false;
        }
    }
    taken.emplace_hint(next, std::make_pair(epoch, place.begin), place.end);
    return true;
}

void FakeWindows::Apply(Window &window, Move &move) {
    if (move.applied) {
        return;
    }
    std::vector<char> &memory = window.memory[static_cast<std::size_t>(move.target)];
    const std::vector<char> bytes = move.bytes.empty() ? GatherPieces(move.pieces) : move.bytes;
    std::size_t done = 0;
    for (const Range &place : move.places) {
        const std::size_t length = std::min(place.end - place.begin, bytes.size() - done);
        char *const address = memory.data() + place.begin;
        for (const InUse &used : in_use_) {
            if (used.rank == move.target && address < used.begin + used.length && used.begin < address + length) {
                Abort("rank " + std::to_string(move.origin) + " puts into a sub-buffer of rank " +
                      std::to_string(move.target) + " that is being written");
            }
        }
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(done), length, address);
        done += length;
    }
    move.applied = true;
}

// Ends what `origin` has begun in an epoch with `target`, either of which may be every rank.
void FakeWindows::ApplyAll(Window &window, int origin, int target, int epoch) {
    const auto ends = [=](const Move &move) {
        return move.epoch == epoch && (origin == kEveryRank || move.origin == origin) &&
               (target == kEveryRank || move.target == target);
    };
    for (Move &move : window.moves) {
        if (!ends(move)) {
            continue;
        }
        Apply(window, move);
        if (window.epochs == OVERLAP_EPOCHS_LOCK && move.target != move.origin) {
            window.unseen[static_cast<std::size_t>(move.target)] = 1;
        }
        for (const Range &place : move.places) {
            window.taken[static_cast<std::size_t>(move.target)].erase({move.epoch, place.begin});
        }
    }
    window.moves.erase(std::remove_if(window.moves.begin(), window.moves.end(), ends), window.moves.end());
}

// What was put and is not there yet will never be.
void FakeWindows::Lose(Window &window, int origin, int target, int epoch) {
    for (Move &move : window.moves) {
        move.applied = move.applied ||
                       (move.origin == origin && move.epoch == epoch && (target == kEveryRank || move.target == target));
    }
}

int FakeWindows::Fence(FakeRank &caller, overlap_window *handle, overlap_fence fence) {
    ExpectToWait(caller);
    const int rank = caller.rank();
    Window &window = *windows_[handle->index];
    int &own = window.fences[static_cast<std::size_t>(rank)];
    if (window.epochs != OVERLAP_EPOCHS_FENCE || (own % 2 == 0) != (fence == OVERLAP_FENCE_OPEN)) {
        Abort("rank " + std::to_string(rank) + " fences in the wrong order, or a window for locks");
    }
    const Failure *const failure = cluster_.Fails(rank, Failure::kFence);
    const int epoch = fence == OVERLAP_FENCE_OPEN ? own + 1 : own;
    if (failure != nullptr) {
        window.losing.emplace_back(rank, epoch);
        Lose(window, rank, kEveryRank, epoch);
    }
    const auto all_are_here = [&window, round = ++own] {
        return std::all_of(window.fences.begin(), window.fences.end(), [round](int other) { return other >= round; });
    };
    cluster_.Happened();
    if (all_are_here()) {
        cluster_.Changed();
    }
    if (fence == OVERLAP_FENCE_CLOSE || cluster_.Coin()) {
        cluster_.WaitFor(rank, "a fence", all_are_here);
    }
    if (fence == OVERLAP_FENCE_CLOSE) {
        // A rank that is out of the fence already may have begun the next epoch, whose puts are not ended here.
        ApplyAll(window, kEveryRank, rank, own - 1);
        ApplyAll(window, rank, kEveryRank, own - 1);
    }
    cluster_.Happened();
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

int FakeWindows::Lock(FakeRank &caller, overlap_window *handle, int target) {
    ExpectToWait(caller);
    const int rank = caller.rank();
    Window &window = *windows_[handle->index];
    if (const Failure *const failure = cluster_.Fails(rank, Failure::kLock)) {
        return failure->error;
    }
    if (window.epochs != OVERLAP_EPOCHS_LOCK || !window.locked[static_cast<std::size_t>(rank)].insert(target).second) {
        Abort("rank " + std::to_string(rank) + " locks twice, or a window for fences");
    }
    return OVERLAP_SUCCESS;
}

int FakeWindows::Unlock(FakeRank &caller, overlap_window *handle, int target) {
    const int rank = caller.rank();
    Window &window = *windows_[handle->index];
    if (window.locked[static_cast<std::size_t>(rank)].erase(target) != 1) {
        Abort("rank " + std::to_string(rank) + " unlocks what it has not locked");
    }
    const Failure *const failure = cluster_.Fails(rank, Failure::kUnlock);
    if (failure != nullptr) {
        Lose(window, rank, target, 0);
    }
    ApplyAll(window, rank, target, 0);
    cluster_.Happened();
    if (target == rank) {
        window.unseen[static_cast<std::size_t>(rank)] = 0;
    }
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

FakeWindows::Move FakeWindows::Begin(int rank, const Window &window, int target, const overlap_piece *pieces,
                                     std::size_t count, const overlap_piece *places, std::size_t place_count) const {
    const bool in_epoch = window.epochs == OVERLAP_EPOCHS_FENCE
                              ? window.fences[static_cast<std::size_t>(rank)] % 2 == 1
                              : window.locked[static_cast<std::size_t>(rank)].count(target) == 1;
    if (!in_epoch) {
        Abort("rank " + std::to_string(rank) + ": a put outside an epoch");
    }
    const int epoch = window.epochs == OVERLAP_EPOCHS_FENCE ? window.fences[static_cast<std::size_t>(rank)] : 0;
    Move move{rank, target, std::vector<overlap_piece>(pieces, pieces + count), {}, {}, epoch, false};
    std::size_t room = 0;
    for (std::size_t i = 0; i < place_count; ++i) {
        for (std::size_t block = 0; block < places[i].count; ++block) {
            const auto start = static_cast<std::size_t>(reinterpret_cast<std::intptr_t>(places[i].address) +
                                                        static_cast<std::ptrdiff_t>(block) * places[i].stride);
            const std::size_t length = places[i].length;
            if (!move.places.empty() && move.places.back().end == start) {
                move.places.back().end += length;
            } else if (length > 0) {
                move.places.push_back(Range{start, start + length});
            }
            room += length;
        }
    }
    std::size_t bytes = 0;
    for (const overlap_piece &piece : move.pieces) {
        bytes += piece.length * piece.count;
    }
    if (bytes != room) {
        Abort("a put of " + std::to_string(bytes) + " bytes for " + std::to_string(room));
    }
    for (const Range &place : move.places) {
        if (place.end > window.memory[static_cast<std::size_t>(target)].size()) {
            Abort("a put beyond the memory of rank " + std::to_string(target));
        }
    }
    return move;
}

void FakeWindows::Add(Window &window, Move move, bool lost) {
    const int origin = move.origin, target = move.target, epoch = move.epoch;
    window.moves.push_back(std::move(move));
    // At once only where the target is in the epoch as well.
    const bool exposed = window.epochs == OVERLAP_EPOCHS_LOCK ||
                         window.fences[static_cast<std::size_t>(target)] == window.fences[static_cast<std::size_t>(origin)];
    if (lost ||
        std::find(window.losing.begin(), window.losing.end(), std::make_pair(origin, epoch)) != window.losing.end()) {
        Lose(window, origin, target, epoch);
    } else if (exposed && cluster_.Coin()) {
        Apply(window, window.moves.back());
    }
    cluster_.Happened();
}

int FakeWindows::PutBytes(FakeRank &caller, overlap_window *handle, int target, const overlap_piece *pieces,
                          std::size_t count, const overlap_piece *places, std::size_t place_count) {
    const int rank = caller.rank();
    Window &window = *windows_[handle->index];
    Move put = Begin(rank, window, target, pieces, count, places, place_count);
    for (const Range &place : put.places) {
        if (!Take(window, target, put.epoch, place)) {
            Abort("two puts to one byte of rank " + std::to_string(target) + " in an epoch");
        }
    }
    const Failure *const failure = cluster_.Fails(rank, Failure::kPut);
    if (failure != nullptr || cluster_.Coin()) {
        put.bytes = GatherPieces(put.pieces);
    }
    if (failure != nullptr && failure->share != Failure::kAll) {
        put.bytes.resize(failure->share == Failure::kHalf ? put.bytes.size() / 2 : 0);
        put.applied = put.bytes.empty();
    }
    Add(window, std::move(put), false);
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

FakeWindows::Window *FakeWindows::Holding(int rank, const char *address) const {
    for (const std::unique_ptr<Window> &window : windows_) {
        const std::vector<char> &memory = window->memory[static_cast<std::size_t>(rank)];
        if (!memory.empty() && address >= memory.data() && address < memory.data() + memory.size()) {
            return window.get();
        }
    }
    return nullptr;
}

void FakeWindows::Use(overlap_direction direction, int rank, const char *begin, std::size_t length, bool lasting) {
    if (lasting) {
        in_use_.push_back(InUse{rank, begin, length});
    }
    Window *const window = Holding(rank, begin);
    if (window == nullptr) {
        return;
    }
    const std::string who = "rank " + std::to_string(rank);
    if (window->epochs == OVERLAP_EPOCHS_FENCE && window->fences[static_cast<std::size_t>(rank)] % 2 == 1) {
        Abort(who + " uses a window for the file between its fences");
    }
    if (direction == OVERLAP_WRITE && window->unseen[static_cast<std::size_t>(rank)] != 0) {
        Abort(who + " writes what others have put without an epoch of its own after it");
    }
    const auto first = static_cast<std::size_t>(begin - window->memory[static_cast<std::size_t>(rank)].data());
    for (const Move &move : window->moves) {
        // One of an epoch that this rank has not opened cannot touch its memory yet.
        const bool exposed =
            window->epochs == OVERLAP_EPOCHS_LOCK || move.epoch == window->fences[static_cast<std::size_t>(rank)];
        const bool here = std::any_of(move.places.begin(), move.places.end(), [first, length](const Range &place) {
            return place.begin < first + length && first < place.end;
        });
        if (move.target == rank && exposed && here) {
            Abort(who + " uses bytes for the file whose put has not ended");
        }
    }
}

void FakeWindows::Release(int rank, const char *begin) {
    const auto found = std::find_if(in_use_.begin(), in_use_.end(),
                                    [rank, begin](const InUse &used) { return used.rank == rank && used.begin == begin; });
    if (found != in_use_.end()) {
        in_use_.erase(found);
    }
}

std::string FakeWindows::OpenEpochs() const {
    std::string open;
    for (const std::unique_ptr<Window> &window : windows_) {
        for (const int fences : window->fences) {
            open += fences >= 0 && fences % 2 == 1 ? "a fence epoch is open; " : "";
        }
        for (const std::set<int> &locked : window->locked) {
            open += locked.empty() ? "" : "a lock is held; ";
        }
    }
    return open;
}

} // namespace overlap::test
