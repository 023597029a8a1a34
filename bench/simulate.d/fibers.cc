// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "fibers.h"

#include <new>
#include <sys/mman.h>

namespace simulate {
namespace {

// Twice what the engine was seen to take.
constexpr std::size_t kStack = std::size_t{128} * 1024;
constexpr std::size_t kPage = 4096;

Fibers *entering = nullptr; // makecontext(3) passes on ints

} // namespace

// No guard pages: a kernel allows 65,530 mappings. Huge pages would make the stacks of neighbours resident.
Fibers::Fibers(std::size_t count, std::function<void(std::size_t)> body)
    : count_(count), body_(std::move(body)), contexts_(count), begun_(count) {
    void *const mapped =
        mmap(nullptr, count * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        throw std::bad_alloc();
    }
    stacks_ = static_cast<char *>(mapped);
    madvise(stacks_, count * kStack, MADV_NOHUGEPAGE);
}

Fibers::~Fibers() { munmap(stacks_, count_ * kStack); }

void Fibers::Begin() {
    Fibers &own = *entering;
    own.body_(own.current_);
    setcontext(&own.outside_);
}

void Fibers::Enter(std::size_t fiber) {
    current_ = fiber;
    ucontext_t &context = contexts_[fiber];
    if (begun_[fiber] == 0) {
        begun_[fiber] = 1;
        getcontext(&context);
        context.uc_stack.ss_sp = stacks_ + fiber * kStack;
        context.uc_stack.ss_size = kStack;
        context.uc_link = nullptr;
        makecontext(&context, Begin, 0);
    }
    entering = this;
    swapcontext(&outside_, &context);
}

void Fibers::Leave() { swapcontext(&contexts_[current_], &outside_); }

bool Fibers::UsedUp(std::size_t fiber) const {
    unsigned char resident = 0;
    return mincore(stacks_ + fiber * kStack, kPage, &resident) == 0 && (resident & 1) != 0;
}

} // namespace simulate
