// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Part of a test program that is linked with --export-dynamic: what is defined here stands before what libraries define.
// Makes a call fail of those that the component makes for a datatype, for memory, or to start a message, and of the latter
// the next ones as well. Calls from elsewhere, those of Open MPI
// itself among them, are left alone.
#include "failing_calls.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <new>

extern "C" {
extern void *mca_pml[]; // struct mca_pml_base_module_t, all of it pointers up to those that are used here
void *__libc_malloc(std::size_t size);
void *__libc_calloc(std::size_t count, std::size_t size);
void *__libc_realloc(void *old, std::size_t size);
void *__libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

constexpr int kOutOfResource = -2;       // OMPI_ERR_OUT_OF_RESOURCE
constexpr int kNoResourceForAWhile = -3; // OMPI_ERR_TEMP_OUT_OF_RESOURCE
constexpr long kStartsThatFail = 5;

struct Range {
    std::uintptr_t begin = 0, end = 0;
};

// The component, and the C++ library, whose allocations are the component's while it is armed.
Range ranges[8];
int range_count = 0;
std::atomic<int> armed{kFailNothing};
std::atomic<long> calls{0};
long failing = -1;

int FindRanges(dl_phdr_info *info, std::size_t, void *) {
    if (std::strstr(info->dlpi_name, "mca_fcoll_overlap") == nullptr &&
        std::strstr(info->dlpi_name, "libstdc++") == nullptr) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum && range_count < 8; ++i) {
        const auto &header = info->dlpi_phdr[i];
        if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) {
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            ranges[range_count++] = Range{begin, begin + header.p_memsz};
        }
    }
    return 0;
}

bool Fails(int kind, const void *caller) {
    if (armed.load() != kind) {
        return false;
    }
    const auto address = reinterpret_cast<std::uintptr_t>(caller);
    for (int i = 0; i < range_count; ++i) {
        if (address >= ranges[i].begin && address < ranges[i].end) {
            const long call = calls++;
            return call == failing ||
                   (kind == kFailStart && failing >= 0 && call > failing && call < failing + kStartsThatFail);
        }
    }
    return false;
}

template <typename Function> Function Next(Function, const char *name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void *New(std::size_t size, std::size_t alignment, bool fails) {
    void *const memory = fails ? nullptr : alignment == 0 ? __libc_malloc(size) : __libc_memalign(alignment, size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

#define CALLER __builtin_return_address(0)

using Irecv = int (*)(void *, std::size_t, void *, int, int, void *, void **);
using Isend = int (*)(void *, std::size_t, void *, int, int, int, void *, void **);
Irecv next_irecv = nullptr;
Isend next_isend = nullptr;

int FailingIrecv(void *buffer, std::size_t count, void *type, int source, int tag, void *comm, void **request) {
    return Fails(kFailStart, CALLER) ? kNoResourceForAWhile : next_irecv(buffer, count, type, source, tag, comm, request);
}

int FailingIsend(void *buffer, std::size_t count, void *type, int target, int tag, int mode, void *comm, void **request) {
    return Fails(kFailStart, CALLER) ? kNoResourceForAWhile
                                     : next_isend(buffer, count, type, target, tag, mode, comm, request);
}

void TakeStarts() {
    constexpr int irecv = OMPI_MAJOR_VERSION >= 5 ? 8 : 7, isend = irecv + 3;
    if (next_irecv == nullptr) {
        next_irecv = reinterpret_cast<Irecv>(mca_pml[irecv]);
        next_isend = reinterpret_cast<Isend>(mca_pml[isend]);
        mca_pml[irecv] = reinterpret_cast<void *>(FailingIrecv);
        mca_pml[isend] = reinterpret_cast<void *>(FailingIsend);
    }
}

} // namespace

extern "C" {

void FailCall(int kind, long call) {
    armed = kFailNothing;
    TakeStarts();
    range_count = 0;
    dl_iterate_phdr(FindRanges, nullptr);
    failing = call;
    calls = 0;
    armed = kind;
}

long FailNoCall() {
    armed = kFailNothing;
    return calls;
}

void *malloc(std::size_t size) { return Fails(kFailMemory, CALLER) ? nullptr : __libc_malloc(size); }
void *calloc(std::size_t count, std::size_t size) {
    return Fails(kFailMemory, CALLER) ? nullptr : __libc_calloc(count, size);
}
void *realloc(void *old, std::size_t size) { return Fails(kFailMemory, CALLER) ? nullptr : __libc_realloc(old, size); }
void *aligned_alloc(std::size_t alignment, std::size_t size) {
    return Fails(kFailMemory, CALLER) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void **memory, std::size_t alignment, std::size_t size) {
    *memory = Fails(kFailMemory, CALLER) ? nullptr : __libc_memalign(alignment, size);
    return *memory == nullptr ? ENOMEM : 0;
}

// Open MPI 4.1 and 5.0.
void *ompi_datatype_create(int size) {
    static const auto next = Next(ompi_datatype_create, "ompi_datatype_create");
    return Fails(kFailDatatype, CALLER) ? nullptr : next(size);
}
int opal_datatype_add(void *type, const void *added, std::size_t count, std::ptrdiff_t at, std::ptrdiff_t extent) {
    static const auto next = Next(opal_datatype_add, "opal_datatype_add");
    return Fails(kFailDatatype, CALLER) ? kOutOfResource : next(type, added, count, at, extent);
}
int opal_datatype_commit(void *type) {
    static const auto next = Next(opal_datatype_commit, "opal_datatype_commit");
    return Fails(kFailDatatype, CALLER) ? kOutOfResource : next(type);
}
int ompi_datatype_create_hvector(int count, int length, std::ptrdiff_t stride, const void *old, void **type) {
    static const auto next = Next(ompi_datatype_create_hvector, "ompi_datatype_create_hvector");
    return Fails(kFailDatatype, CALLER) ? kOutOfResource : next(count, length, stride, old, type);
}
int ompi_datatype_create_struct(int count, const int *lengths, const std::ptrdiff_t *at, void *const *types, void **type) {
    static const auto next = Next(ompi_datatype_create_struct, "ompi_datatype_create_struct");
    return Fails(kFailDatatype, CALLER) ? kOutOfResource : next(count, lengths, at, types, type);
}

} // extern "C"

void *operator new(std::size_t size) { return New(size, 0, Fails(kFailMemory, CALLER)); }
void *operator new[](std::size_t size) { return New(size, 0, Fails(kFailMemory, CALLER)); }
void *operator new(std::size_t size, std::align_val_t alignment) {
    return New(size, static_cast<std::size_t>(alignment), Fails(kFailMemory, CALLER));
}
void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
    return Fails(kFailMemory, CALLER) ? nullptr : __libc_malloc(size);
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete[](void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
