// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What all functional tests share: a file is written through MPI-IO, and compared byte for byte with what was worked out
// without MPI: each rank's bytes are a function of its rank and their position in its stream.
#ifndef TEST_FUNCTIONAL_HARNESS_H
#define TEST_FUNCTIONAL_HARNESS_H

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct Segment {
    long long offset;
    long long length;
};
using Segments = std::vector<Segment>; // in the order of the stream

/// What a test asks of the component through info keys.
struct Settings {
    const char *algorithm = "write-comm-2";
    int slots = 2;
    const char *placement = "spread";
    int aggregators = 0; // 0: the default
    long long collective_buffer = 32 << 20;
    // Empty: what mpirun was told, else the default.
    const char *writer = "";
    const char *shuffle = ""; // with windows for the smallest write
    const char *partition = "";
};

/// The names of the settings.
const std::vector<const char *> &Algorithms();
const std::vector<const char *> &Writers();

/// Of numbered cases that take hours, those of the part that TEST_PART, "I/N", asks for: every N-th, from number I on. All
/// where it is not set.
bool IsInPart(int number);

/// A representative walk through the settings: `full` gives the whole product, of which IsInPart takes some.
std::vector<Settings> SettingsToTry(int ranks, bool full);

/// With the hint striping_unit where the environment variable TEST_STRIPING_UNIT holds one.
MPI_Info MakeInfo(const Settings &settings);

/// Byte `position` of the stream of `rank` in round `round`.
inline char ByteOf(int rank, long long position, int round = 0) {
    std::uint64_t x = static_cast<std::uint64_t>(position) * 0x9e3779b97f4a7c15ULL +
                      static_cast<std::uint64_t>(rank) * 0x85ebca6bULL + static_cast<std::uint64_t>(round) * 0xc2b2ae35ULL;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<char>(x >> 56);
}

std::vector<char> Stream(int rank, long long bytes, int round = 0);
long long Bytes(const Segments &segments);

/// The file as it has to be: starts as `prefill` bytes of 0xA5, then takes the streams of all ranks in rank order.
class Expected {
  public:
    explicit Expected(long long prefill) : bytes_(static_cast<std::size_t>(prefill), '\xa5') {}
    void Write(const Segments &segments, const std::vector<char> &stream);
    /// What is wrong with the file, empty where nothing is.
    std::string Compare(const std::string &path) const;

  private:
    std::vector<char> bytes_;
};

/// Counts and reports; only rank 0 of MPI_COMM_WORLD prints.
class Results {
  public:
    /// Collective: `wrong` of any rank makes the check fail. Empty where nothing is wrong.
    void Check(const std::string &name, const std::string &wrong);
    int Finish(); // prints "N passed, N failed"

  private:
    int passed_ = 0;
    int failed_ = 0;
};

/// On rank 0 of `comm`: makes the file anew with `prefill` bytes of 0xA5. Collective.
void Prefill(MPI_Comm comm, const std::string &path, long long prefill);

/// A file in the folder that the runner gave, named after the test.
std::string PathOf(const char *directory, const std::string &name);

MPI_File Open(MPI_Comm comm, const std::string &path, const Settings &settings, int mode = MPI_MODE_CREATE | MPI_MODE_RDWR);

/// Empty where `error` is MPI_SUCCESS and the status counts `bytes`.
std::string Wrote(int error, MPI_Status &status, long long bytes);

std::string Describe(const Settings &settings);

#endif
