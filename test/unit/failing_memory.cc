// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "failing_memory.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace overlap::test {
namespace {

thread_local Takings *account = nullptr;
thread_local bool exempt = false;

bool Counts() { return account != nullptr && !exempt && account->counting; }

bool TakesMemory(std::size_t bytes) {
    if (!Counts()) {
        return true;
    }
    account->bytes += static_cast<std::int64_t>(bytes);
    if (account->memory.Take()) {
        return true;
    }
    ShowFailure("an allocation");
    return false;
}

} // namespace

bool Supply::Take() {
    const std::int64_t number = taken_++;
    const std::int64_t end = end_;
    const bool refused = end >= 0 && (number == end || (lasting_ && number > end));
    refused_ += refused ? 1 : 0;
    return !refused;
}

OnAccount::OnAccount(Takings *takings) : before_(std::exchange(account, takings)) {}
OnAccount::~OnAccount() { account = before_; }

const Takings *AccountOfThisThread() { return account; }

Exempt::Exempt() : before_(std::exchange(exempt, true)) {}
Exempt::~Exempt() { exempt = before_; }

void ShowFailure(const char *what) {
    static const bool shown = std::getenv("OVERLAP_SHOW_FAILURE") != nullptr;
    if (shown) {
        const Exempt uncounted;
        std::array<void *, 40> frames{};
        dprintf(STDERR_FILENO, "fails: %s\n", what);
        backtrace_symbols_fd(frames.data(), backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
    }
}

namespace {

void *Allocate(std::size_t size, std::size_t alignment = 0) noexcept {
    if (!TakesMemory(size)) {
        return nullptr;
    }
    void *memory = nullptr;
    if (alignment == 0) {
        memory = std::malloc(size > 0 ? size : 1);
    } else if (posix_memalign(&memory, alignment, size > 0 ? size : 1) != 0) {
        memory = nullptr;
    }
    return memory;
}

void *OrThrow(void *memory) {
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

// What a thread needs to take on the account of the one that started it.
struct Started {
    void *(*body)(void *);
    void *argument;
    Takings *takings;
};

void *OnItsAccount(void *argument) {
    const Started started = *static_cast<Started *>(argument);
    std::free(argument);
    const OnAccount on_account(started.takings);
    return started.body(started.argument);
}

template <typename Function> Function *Real(const char *name) {
    return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

// A sanitizer has memcpy, memmove and mmap of its own, which it needs before others can be used.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#    define OVERLAP_REPLACES_ALL
// By functions of the C library that the test program does not replace. A compiler that saw which ones would call those that
// it does.
void *(*volatile const copy_forwards)(void *, const void *, std::size_t) = mempcpy;
void (*volatile const copy_any)(const void *, void *, std::size_t) = bcopy;

void CountCopied(std::size_t bytes) {
    if (Counts()) {
        account->copied += static_cast<std::int64_t>(bytes);
    }
}

#endif

} // namespace
} // namespace overlap::test

using overlap::test::Allocate;
using overlap::test::OrThrow;

void *operator new(std::size_t size) { return OrThrow(Allocate(size)); }
void *operator new[](std::size_t size) { return OrThrow(Allocate(size)); }
void *operator new(std::size_t size, const std::nothrow_t &) noexcept { return Allocate(size); }
void *operator new[](std::size_t size, const std::nothrow_t &) noexcept { return Allocate(size); }
void *operator new(std::size_t size, std::align_val_t alignment) {
    return OrThrow(Allocate(size, static_cast<std::size_t>(alignment)));
}
void *operator new[](std::size_t size, std::align_val_t alignment) {
    return OrThrow(Allocate(size, static_cast<std::size_t>(alignment)));
}
void *operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
    return Allocate(size, static_cast<std::size_t>(alignment));
}
void *operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
    return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

extern "C" {

void *aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    void *memory = nullptr;
    if (!overlap::test::TakesMemory(size) || posix_memalign(&memory, alignment, size) != 0) {
        errno = ENOMEM;
        return nullptr;
    }
    return memory;
}

#ifdef OVERLAP_REPLACES_ALL
void *memcpy(void *to, const void *from, std::size_t bytes) noexcept {
    overlap::test::CountCopied(bytes);
    overlap::test::copy_forwards(to, from, bytes);
    return to;
}

void *memmove(void *to, const void *from, std::size_t bytes) noexcept {
    overlap::test::CountCopied(bytes);
    overlap::test::copy_any(from, to, bytes);
    return to;
}

void *mmap(void *address, std::size_t length, int protection, int flags, int descriptor, off_t offset) noexcept {
    if (!overlap::test::TakesMemory(length)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return reinterpret_cast<void *>(syscall(SYS_mmap, address, length, protection, flags, descriptor, offset));
}
#endif

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) noexcept {
    using overlap::test::account;
    using overlap::test::Started;
    static auto *const real =
        overlap::test::Real<int(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)>("pthread_create");
    if (account == nullptr) {
        return real(thread, attributes, body, argument);
    }
    if (overlap::test::Counts() && !account->threads.Take()) {
        overlap::test::ShowFailure("a thread");
        return EAGAIN;
    }
    auto *const started = static_cast<Started *>(std::malloc(sizeof(Started)));
    if (started == nullptr) {
        return EAGAIN;
    }
    *started = Started{body, argument, account};
    const int error = real(thread, attributes, overlap::test::OnItsAccount, started);
    if (error != 0) {
        std::free(started);
    }
    return error;
}
}
