// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "device.h"

#include "shared_library.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace bench {
namespace {

void Require(const std::string &library, bool holds) {
    if (!holds) {
        throw std::runtime_error(library + " finds no device");
    }
}

// CUDA's driver, as a node has it with or without the toolkit. Each function returns 0 where it succeeds.
Device Cuda(const std::string &name, int turn) {
    using Address = unsigned long long; // CUdeviceptr
    const SharedLibrary library(name);
    const auto initialise = library.Function<int(unsigned)>("cuInit");
    const auto count = library.Function<int(int *)>("cuDeviceGetCount");
    const auto get = library.Function<int(int *, int)>("cuDeviceGet");
    const auto retain = library.Function<int(void **, int)>("cuDevicePrimaryCtxRetain");
    const auto choose = library.Function<int(void *)>("cuCtxSetCurrent");
    const auto allocate = library.Function<int(Address *, std::size_t)>("cuMemAlloc_v2");
    const auto release = library.Function<int(Address)>("cuMemFree_v2");
    const auto copy = library.Function<int(Address, Address, std::size_t)>("cuMemcpy");
    const auto finish = library.Function<int()>("cuCtxSynchronize");
    int devices = 0, device = 0;
    void *context = nullptr;
    Require(name, initialise(0) == 0 && count(&devices) == 0 && devices > 0);
    Require(name, get(&device, turn % devices) == 0 && retain(&context, device) == 0 && choose(context) == 0);
    return Device(name, {[allocate](void **memory, std::size_t bytes) {
                             Address address = 0;
                             const bool there = allocate(&address, bytes) == 0;
                             *memory = reinterpret_cast<void *>(static_cast<std::uintptr_t>(address));
                             return there;
                         },
                         [release](void *memory) { release(reinterpret_cast<std::uintptr_t>(memory)); },
                         // A copy from pageable memory may return while the last of it is still on its way.
                         [copy, finish](void *to, const void *from, std::size_t bytes) {
                             return copy(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from),
                                         bytes) == 0 &&
                                    finish() == 0;
                         }});
}

Device Hip(const std::string &name, int turn) {
    constexpr int kEitherWay = 4; // hipMemcpyDefault
    const SharedLibrary library(name);
    const auto count = library.Function<int(int *)>("hipGetDeviceCount");
    const auto choose = library.Function<int(int)>("hipSetDevice");
    const auto allocate = library.Function<int(void **, std::size_t)>("hipMalloc");
    const auto release = library.Function<int(void *)>("hipFree");
    const auto copy = library.Function<int(void *, const void *, std::size_t, int)>("hipMemcpy");
    const auto finish = library.Function<int()>("hipDeviceSynchronize");
    int devices = 0;
    Require(name, count(&devices) == 0 && devices > 0 && choose(turn % devices) == 0);
    return Device(name, {[allocate](void **memory, std::size_t bytes) { return allocate(memory, bytes) == 0; },
                         [release](void *memory) { release(memory); },
                         [copy, finish](void *to, const void *from, std::size_t bytes) {
                             return copy(to, from, bytes, kEitherWay) == 0 && finish() == 0;
                         }});
}

// The names that programs of these makers are linked to.
struct Maker {
    const char *library;
    Device (*load)(const std::string &name, int turn);
};
constexpr Maker kMakers[] = {{"libcuda.so.1", Cuda},
                             {"libamdhip64.so", Hip},
                             {"libamdhip64.so.7", Hip},
                             {"libamdhip64.so.6", Hip},
                             {"libamdhip64.so.5", Hip}};

} // namespace

Device::Device(std::string name, Functions functions) : name_(std::move(name)), functions_(std::move(functions)) {}

std::shared_ptr<const Device> Device::Find(int turn, std::string &why) {
    why.clear();
    for (const Maker &maker : kMakers) {
        try {
            return std::make_shared<const Device>(maker.load(maker.library, turn));
        } catch (const std::runtime_error &error) {
            why += (why.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    return nullptr;
}

std::shared_ptr<char> Device::Allocate(std::size_t bytes) const {
    void *memory = nullptr;
    if (!functions_.allocate(&memory, std::max<std::size_t>(1, bytes))) {
        throw std::runtime_error(name_ + " has no " + std::to_string(bytes) + " bytes on the device");
    }
    return {static_cast<char *>(memory), functions_.release};
}

void Device::Copy(void *to, const void *from, std::size_t bytes) const {
    if (bytes > 0 && !functions_.copy(to, from, bytes)) {
        throw std::runtime_error(name_ + " cannot copy between host and device");
    }
}

} // namespace bench
