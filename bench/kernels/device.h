// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Memory of a GPU, by the library of its maker, which is looked for only when it is asked for.
#ifndef BENCH_KERNELS_DEVICE_H
#define BENCH_KERNELS_DEVICE_H

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace bench {

class Device {
  public:
    /// What a maker's library does; false where it refuses.
    struct Functions {
        std::function<bool(void **memory, std::size_t bytes)> allocate;
        std::function<void(void *memory)> release;
        /// Between the device and the host; done when it returns.
        std::function<bool(void *to, const void *from, std::size_t bytes)> copy;
    };

    Device(std::string name, Functions functions);

    /// One of the node: ranks take turns, and this one's is `turn`. Null where there is none; `why` says what was looked
    /// for.
    static std::shared_ptr<const Device> Find(int turn, std::string &why);

    /// Throws std::runtime_error.
    std::shared_ptr<char> Allocate(std::size_t bytes) const;

    /// Between this device and the host. Throws std::runtime_error.
    void Copy(void *to, const void *from, std::size_t bytes) const;

    /// Of the library.
    const std::string &name() const { return name_; }

  private:
    std::string name_;
    Functions functions_;
};

} // namespace bench

#endif
