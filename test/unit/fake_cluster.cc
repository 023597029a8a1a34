// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "fake_cluster.h"

#include "fake_windows.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <thread>
#include <unistd.h>
#include <utility>

namespace overlap::test {

void Abort(const std::string &why) {
    if (const Takings *const takings = AccountOfThisThread()) {
        takings->cluster->GiveUp(why);
    }
    std::fprintf(stderr, "fake cluster: %s\n", why.c_str());
    std::abort();
}

FakeCluster::FakeCluster(ClusterOptions options)
    : options_(std::move(options)), random_(options_.seed), of_rank_(static_cast<std::size_t>(options_.ranks)),
      traffic_(options_.ranks) {
    if (options_.node_of_rank.empty()) {
        const int nodes = (options_.ranks + options_.ranks_per_node - 1) / options_.ranks_per_node;
        nodes_ = overlap_nodes{nodes, options_.nodes_in_turn ? 1 : options_.ranks_per_node, nullptr, nullptr, nullptr};
    } else {
        nodes_ = listed_.emplace(options_.node_of_rank).nodes();
    }
    for (int rank = 0; rank < options_.ranks; ++rank) {
        Of(rank).host = "n" + std::to_string(node_map().NodeOf(rank));
        Of(rank).takings.cluster = this;
    }
    options_.localities.resize(of_rank_.size());
    windows_ = std::make_unique<FakeWindows>(*this);
}

int FakeCluster::WindowsMade() const { return windows_->made(); }
int FakeCluster::WindowsLeft() const { return windows_->left(); }

FakeCluster::~FakeCluster() = default;

namespace {
thread_local bool of_a_rank = false;
} // namespace

bool FakeCluster::OnThreadOfARank() { return of_a_rank; }

std::string FakeCluster::Run(const std::function<void(FakeRank &)> &body) {
    // What escapes the engine gives up the run as well.
    static const std::terminate_handler before = std::set_terminate([] {
        const Exempt exempt;
        if (AccountOfThisThread() != nullptr) {
            Abort("an exception leaves a function that throws none");
        }
        before();
    });
    const auto shared = std::make_shared<const std::function<void(FakeRank &)>>(body);
    std::vector<std::thread> threads;
    running_ = options_.ranks;
    ranks_ended_ = 0;
    Happened();
    for (int rank = 0; rank < options_.ranks; ++rank) {
        threads.emplace_back([this, shared, rank] {
            of_a_rank = true;
            {
                const OnAccount on_account(&Of(rank).takings);
                FakeRank self(*this, rank);
                (*shared)(self);
            }
            {
                const std::lock_guard<std::mutex> lock(mutex_);
                --running_;
                GiveUpIfNobodyCanGoOn();
                Wake();
            }
            const std::lock_guard<std::mutex> lock(end_mutex_);
            ++ranks_ended_;
            ended_.notify_all();
        });
    }
    std::string why;
    {
        std::unique_lock<std::mutex> lock(end_mutex_);
        const auto over = [this] { return ranks_ended_ == options_.ranks || !gave_up_.empty(); };
        while (!ended_.wait_for(lock, std::chrono::seconds(1), over)) {
            // While a port is at work this one cannot be had.
            const std::unique_lock<std::mutex> idle(mutex_, std::try_to_lock);
            if (idle.owns_lock() && Impatient(4)) {
                gave_up_ = "nothing happens any more, in no port";
            }
        }
        why = gave_up_;
    }
    if (!why.empty() && !options_.survives) {
        std::fprintf(stderr, "fake cluster: %s\n", why.c_str());
        std::abort();
    }
    for (std::thread &thread : threads) {
        if (why.empty()) {
            thread.join();
        } else {
            thread.detach();
        }
    }
    return why;
}

// The calling rank keeps the mutex for ever, so that no other one comes on.
void FakeCluster::GiveUp(const std::string &why) {
    {
        const std::lock_guard<std::mutex> lock(end_mutex_);
        gave_up_ = gave_up_.empty() ? why : gave_up_;
        ended_.notify_all();
    }
    for (;;) {
        pause();
    }
}

void FakeCluster::Arm(std::vector<Failure> failures) {
    const std::lock_guard<std::mutex> lock(mutex_);
    failures_ = std::move(failures);
    failed_ = 0;
    for (OfRank &rank : of_rank_) {
        rank.takings.memory.EndAt(-1, false);
        rank.takings.threads.EndAt(-1, false);
    }
    for (const Failure &failure : failures_) {
        Takings &takings = Of(failure.rank).takings;
        if (failure.kind == Failure::kMemory) {
            takings.memory.EndAt(failure.number, failure.lasting);
        } else if (failure.kind == Failure::kThread) {
            takings.threads.EndAt(failure.number, failure.lasting);
        }
    }
}

void FakeCluster::Count(int rank, bool counts) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Takings &takings = Of(rank).takings;
    if (counts) {
        Of(rank).counts.fill(0);
        takings.memory.Forget();
        takings.threads.Forget();
        takings.bytes = takings.copied = 0;
    }
    takings.counting = counts;
}

const Failure *FakeCluster::Fails(int rank, Failure::Kind kind) {
    if (!Of(rank).takings.counting) {
        return nullptr;
    }
    const std::int64_t number = Of(rank).counts[kind]++;
    for (const Failure &failure : failures_) {
        if (failure.rank == rank && failure.kind == kind &&
            (number == failure.number || (failure.lasting && number > failure.number))) {
            ++failed_;
            ShowFailure(NameOf(kind).c_str());
            return &failure;
        }
    }
    return nullptr;
}

std::int64_t FakeCluster::Counted(int rank, Failure::Kind kind) const {
    const Takings &takings = Of(rank).takings;
    return kind == Failure::kMemory   ? takings.memory.taken()
           : kind == Failure::kThread ? takings.threads.taken()
                                      : Of(rank).counts[kind];
}

std::int64_t FakeCluster::Failed() const {
    std::int64_t failed = failed_;
    for (const OfRank &rank : of_rank_) {
        failed += rank.takings.memory.refused() + rank.takings.threads.refused();
    }
    return failed;
}

std::string FakeCluster::Leftovers() const {
    std::string left;
    for (const auto &[key, channel] : channels_) {
        if (!channel.sends.empty() || !channel.receives.empty()) {
            left += "from rank " + std::to_string(key.first.first) + " to " + std::to_string(key.first.second) + ", tag " +
                    std::to_string(key.second) + ": " + std::to_string(channel.sends.size()) + " sends, " +
                    std::to_string(channel.receives.size()) + " receives without partner; ";
        }
    }
    left += windows_->OpenEpochs();
    left += node_memory_.empty() ? "" : std::to_string(node_memory_.size()) + " memories of nodes that can be joined; ";
    left += node_memory_left_ == 0 ? "" : std::to_string(node_memory_left_) + " ranks have not left memory of a node; ";
    left += locks_.empty() ? "" : std::to_string(locks_.size()) + " locks of the file; ";
    if (open_requests_ != 0 || open_writes_ != 0) {
        left += std::to_string(open_requests_) + " requests and " + std::to_string(open_writes_) + " writes not waited for";
    }
    return left;
}

namespace {

// To a few milliseconds, as ranks that poll ask for it all the time.
std::chrono::nanoseconds Now() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// A bit for each rank; of more than 64 ranks some share one.
thread_local std::uint64_t to_wake = 0;

} // namespace

void FakeCluster::Happened() { last_change_ = Now().count(); }

void FakeCluster::Changed(int rank) {
    Happened();
    to_wake |= std::uint64_t{1} << rank % 64;
}

void FakeCluster::Changed() {
    Happened();
    to_wake = ~std::uint64_t{0};
}

void FakeCluster::Wake() {
    for (std::size_t rank = 0; to_wake != 0 && rank < of_rank_.size(); ++rank) {
        if ((to_wake >> rank % 64 & 1) != 0) {
            of_rank_[rank].changed.notify_all();
        }
    }
    to_wake = 0;
}

bool FakeCluster::Impatient(int times) const {
    return Now() - std::chrono::nanoseconds(last_change_.load()) > times * options_.patience;
}

void FakeCluster::Polls() {
    if (Impatient()) {
        GiveUp("a hang: a rank asks without end" + WhatTheyWaitFor());
    }
    LetOthersGoOn();
}

thread_local std::unique_lock<std::mutex> *FakeCluster::held = nullptr;

void FakeCluster::LetOthersGoOn() {
    held->unlock();
    Wake();
    std::this_thread::yield();
    held->lock();
}

std::string FakeCluster::WhatTheyWaitFor() const {
    std::string all;
    for (std::size_t rank = 0; rank < of_rank_.size(); ++rank) {
        const std::string &what = of_rank_[rank].waits_for;
        all += "\n  rank " + std::to_string(rank) + " waits for " + (what.empty() ? "nothing" : what);
    }
    return all;
}

// Threads of the engine change nothing that a rank waits for here.
void FakeCluster::GiveUpIfNobodyCanGoOn() {
    const auto waits = [](const OfRank &rank) { return rank.until != nullptr; };
    const auto stuck = [](const OfRank &rank) { return rank.until == nullptr || !(*rank.until)(); };
    const auto all = std::count_if(of_rank_.begin(), of_rank_.end(), waits);
    if (all > 0 && all == running_ && std::all_of(of_rank_.begin(), of_rank_.end(), stuck)) {
        GiveUp("a hang:" + WhatTheyWaitFor());
    }
}

void FakeCluster::WaitFor(int rank, const char *what, const std::function<bool()> &until) {
    for (const Lock &held : locks_) {
        if (held.thread == std::this_thread::get_id()) {
            Abort("rank " + std::to_string(rank) + " waits for " + what + " with a lock of the file");
        }
    }
    if (until()) {
        return;
    }
    OfRank &own = Of(rank);
    own.waits_for = what;
    own.until = &until;
    GiveUpIfNobodyCanGoOn();
    while (!until()) {
        Wake();
        if (own.changed.wait_for(*held, options_.patience) == std::cv_status::timeout && !until() && Impatient()) {
            GiveUp("a hang:" + WhatTheyWaitFor());
        }
    }
    own.waits_for.clear();
    own.until = nullptr;
}

FakeRank::FakeRank(FakeCluster &cluster, int rank) : cluster_(cluster), nonblocking_(cluster.options_.nonblocking) {
    transport.rank = rank;
    FillInTransport();
    FillInStorage();
    FillInHost();
}

} // namespace overlap::test
