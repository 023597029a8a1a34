// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A file without MPI: whole reads and writes, errors as text.
#ifndef BENCH_KERNELS_POSIX_FILE_H
#define BENCH_KERNELS_POSIX_FILE_H

#include "pattern.h"

namespace bench {

class PosixFile {
  public:
    PosixFile() = default;
    ~PosixFile();
    PosixFile(const PosixFile &) = delete;
    PosixFile &operator=(const PosixFile &) = delete;

    /// All functions but size give an empty text, or what is wrong.
    std::string Open(const std::string &path, bool for_writing);
    std::string Read(Bytes offset, char *to, Bytes count) const;
    std::string Write(Bytes offset, const char *from, Bytes count) const;
    std::string Sync() const;
    std::string Close();
    Bytes size() const; // -1 where it cannot be told

  private:
    int descriptor_ = -1;
};

} // namespace bench

#endif
