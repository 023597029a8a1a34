// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A library that is looked for while the program runs, and need not be there.
#ifndef BENCH_KERNELS_SHARED_LIBRARY_H
#define BENCH_KERNELS_SHARED_LIBRARY_H

#include <string>

namespace bench {

class SharedLibrary {
  public:
    /// Stays loaded until the program ends. Throws std::runtime_error.
    explicit SharedLibrary(const std::string &name);

    /// Throws std::runtime_error.
    template <typename Signature> Signature *Function(const char *function) const {
        return reinterpret_cast<Signature *>(Address(function));
    }

  private:
    void *Address(const char *function) const;

    std::string name_;
    void *handle_;
};

} // namespace bench

#endif
