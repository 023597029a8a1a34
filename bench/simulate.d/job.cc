// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "job.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace simulate {
namespace {

Rank *running = nullptr;

} // namespace

Rank &RunningRank() { return *running; }

void Rank::Happen(int /*what*/) { job->Enter(*this); }

Job::Job(const JobShape &shape, const Machine &machine)
    : shape_(shape), machine_(machine), ranks_(static_cast<std::size_t>(shape.ranks)),
      cores_(static_cast<std::size_t>(machine.cores)) {
    for (int number = 0; number < shape.ranks; ++number) {
        Rank &rank = ranks_[static_cast<std::size_t>(number)];
        rank.job = this;
        rank.number = number;
        rank.node = number / shape.ranks_per_node;
    }
}

void Job::Run(const std::function<void(Rank &)> &body) {
    ended_ = 0;
    fibers_ = std::make_unique<Fibers>(ranks_.size(), [this, &body](std::size_t number) {
        try {
            body(ranks_[number]);
            ++ended_;
        } catch (...) { // nothing leaves a fiber by itself
            failure_ = std::current_exception();
        }
    });
    for (Rank &rank : ranks_) {
        clock_.At(clock_.now(), rank);
    }
    while (failure_ == nullptr && clock_.Step()) {
    }
    if (failure_ != nullptr) {
        std::rethrow_exception(failure_);
    }
    CheckEnd();
    fibers_.reset();
}

void Job::CheckEnd() const {
    if (ended_ < ranks_.size()) {
        const auto waits = std::find_if(ranks_.begin(), ranks_.end(),
                                        [](const Rank &rank) { return rank.awaits > 0 || rank.hears >= 0 || rank.polls; });
        throw std::runtime_error(std::to_string(ranks_.size() - ended_) + " ranks wait for ever, for instance rank " +
                                 (waits == ranks_.end() ? "?" : std::to_string(waits->number)));
    }
    for (const Rank &rank : ranks_) {
        if (fibers_->UsedUp(static_cast<std::size_t>(rank.number))) {
            throw std::runtime_error("the stack of a rank is too small");
        }
    }
}

void Job::Enter(Rank &rank) {
    running = &rank;
    fibers_->Enter(static_cast<std::size_t>(rank.number));
}

void Job::Work(Rank &rank, double seconds) {
    rank.time = std::max(rank.time, clock_.now());
    if (cores_.empty()) {
        rank.time += seconds;
        return;
    }
    Server &core = *std::min_element(cores_.begin(), cores_.end(),
                                     [](const Server &a, const Server &b) { return a.free() < b.free(); });
    rank.time = core.Serve(rank.time, seconds);
}

void Job::CatchUp(Rank &rank) {
    if (rank.time > clock_.now()) {
        clock_.At(rank.time, rank);
        fibers_->Leave();
    }
    rank.time = clock_.now();
}

void Job::Sleep(Rank &rank) {
    fibers_->Leave();
    rank.time = std::max(rank.time, clock_.now());
}

void Job::Completed(Rank &rank, bool awaited) {
    ++rank.completed;
    if ((awaited && --rank.awaits == 0) || rank.polls) {
        rank.polls = false;
        Wake(rank);
    }
}

void Job::AskedInVain(Rank &rank, const void *what) {
    if (rank.completed_asked != rank.completed) {
        rank.completed_asked = rank.completed;
        rank.asked.clear();
    }
    if (std::find(rank.asked.begin(), rank.asked.end(), what) == rank.asked.end()) {
        rank.asked.push_back(what);
        return;
    }
    rank.asked.clear();
    rank.polls = true;
    Sleep(rank);
}

} // namespace simulate
