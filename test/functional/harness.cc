// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "harness.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

const std::vector<const char *> &Algorithms() {
    static const std::vector<const char *> names = {"none", "comm", "write", "write-comm", "write-comm-2", "dataflow"};
    return names;
}

const std::vector<const char *> &Writers() {
    static const std::vector<const char *> names = {"fbtl", "thread", "libaio"};
    return names;
}

namespace {

const char *const kPlacements[] = {"spread", "ompio", "locality", "lap", "tapioca"};

} // namespace

bool IsInPart(int number) {
    const char *const asked = std::getenv("TEST_PART");
    int part = 0, parts = 1;
    return asked == nullptr || std::sscanf(asked, "%d/%d", &part, &parts) != 2 || number % parts == part % parts;
}

std::vector<Settings> SettingsToTry(int ranks, bool full) {
    std::vector<Settings> all;
    const int aggregators[] = {0, 1, 2, ranks};
    const long long buffers[] = {777, 16384, 100000, 32 << 20};
    const int slots[] = {2, 3, 4, 8, 16};
    int turn = 0;
    for (const char *algorithm : Algorithms()) {
        if (full) {
            for (const int a : aggregators) {
                for (const long long b : buffers) {
                    for (const int s : slots) {
                        for (const char *placement : kPlacements) {
                            if (IsInPart(turn++)) {
                                all.push_back(Settings{algorithm, s, placement, a, b});
                            }
                        }
                    }
                }
            }
            continue;
        }
        // Every algorithm with every buffer size; the others take turns.
        for (const long long b : buffers) {
            all.push_back(Settings{algorithm, slots[turn % 5], kPlacements[turn / 2 % 5], aggregators[turn % 4], b});
            ++turn;
        }
        ++turn;
    }
    return all;
}

MPI_Info MakeInfo(const Settings &settings) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "fcoll_overlap_algorithm", settings.algorithm);
    MPI_Info_set(info, "fcoll_overlap_slots", std::to_string(settings.slots).c_str());
    MPI_Info_set(info, "fcoll_overlap_placement", settings.placement);
    MPI_Info_set(info, "cb_buffer_size", std::to_string(settings.collective_buffer).c_str());
    if (*settings.writer != '\0') {
        MPI_Info_set(info, "fcoll_overlap_writer", settings.writer);
    }
    if (*settings.shuffle != '\0') {
        MPI_Info_set(info, "fcoll_overlap_shuffle", settings.shuffle);
        MPI_Info_set(info, "fcoll_overlap_window_threshold", "0");
        MPI_Info_set(info, "fcoll_overlap_put_threshold", "0");
    }
    if (*settings.partition != '\0') {
        MPI_Info_set(info, "fcoll_overlap_partition", settings.partition);
    }
    if (settings.aggregators > 0) {
        MPI_Info_set(info, "cb_nodes", std::to_string(settings.aggregators).c_str());
    }
    const char *const striping_unit = std::getenv("TEST_STRIPING_UNIT");
    if (striping_unit != nullptr && *striping_unit != '\0') {
        MPI_Info_set(info, "striping_unit", striping_unit);
    }
    return info;
}

std::vector<char> Stream(int rank, long long bytes, int round) {
    std::vector<char> stream(static_cast<std::size_t>(bytes));
    for (long long i = 0; i < bytes; ++i) {
        stream[static_cast<std::size_t>(i)] = ByteOf(rank, i, round);
    }
    return stream;
}

long long Bytes(const Segments &segments) {
    long long bytes = 0;
    for (const Segment &segment : segments) {
        bytes += segment.length;
    }
    return bytes;
}

void Expected::Write(const Segments &segments, const std::vector<char> &stream) {
    std::size_t position = 0;
    for (const Segment &segment : segments) {
        if (segment.length == 0) {
            continue;
        }
        const auto end = static_cast<std::size_t>(segment.offset + segment.length);
        if (end > bytes_.size()) {
            bytes_.resize(end, '\0'); // what was never written reads as zero
        }
        std::memcpy(bytes_.data() + segment.offset, stream.data() + position, static_cast<std::size_t>(segment.length));
        position += static_cast<std::size_t>(segment.length);
    }
}

std::string Expected::Compare(const std::string &path) const {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> found((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (found.size() != bytes_.size()) {
        return "the file has " + std::to_string(found.size()) + " bytes instead of " + std::to_string(bytes_.size());
    }
    const auto differ = std::mismatch(found.begin(), found.end(), bytes_.begin());
    if (differ.first == found.end()) {
        return {};
    }
    return "byte " + std::to_string(differ.first - found.begin()) + " of the file is wrong";
}

void Results::Check(const std::string &name, const std::string &wrong) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int failed = wrong.empty() ? 0 : 1;
    if (failed != 0) {
        std::fprintf(stderr, "FAIL %s: rank %d: %s\n", name.c_str(), rank, wrong.c_str());
    }
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    (failed != 0 ? failed_ : passed_)++;
}

int Results::Finish() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::printf("%d passed, %d failed\n", passed_, failed_);
        std::fflush(stdout);
    }
    return failed_ == 0 ? 0 : 1;
}

void Prefill(MPI_Comm comm, const std::string &path, long long prefill) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        unlink(path.c_str());
        std::ofstream file(path, std::ios::binary);
        file << std::string(static_cast<std::size_t>(prefill), '\xa5');
    }
    MPI_Barrier(comm);
}

std::string PathOf(const char *directory, const std::string &name) { return std::string(directory) + "/" + name; }

MPI_File Open(MPI_Comm comm, const std::string &path, const Settings &settings, int mode) {
    MPI_Info info = MakeInfo(settings);
    MPI_File file = MPI_FILE_NULL;
    const int error = MPI_File_open(comm, path.c_str(), mode, info, &file);
    MPI_Info_free(&info);
    if (error != MPI_SUCCESS) {
        std::fprintf(stderr, "%s cannot be opened\n", path.c_str());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return file;
}

std::string Wrote(int error, MPI_Status &status, long long bytes) {
    if (error != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(error, text, &length);
        return std::string("an error: ") + text;
    }
    MPI_Count count = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &count);
    if (count != bytes) {
        return "the status counts " + std::to_string(count) + " bytes instead of " + std::to_string(bytes);
    }
    return {};
}

std::string Describe(const Settings &settings) {
    return std::string(settings.algorithm) + " slots=" + std::to_string(settings.slots) + " " + settings.placement +
           (*settings.writer != '\0' ? std::string(" ") + settings.writer : "") +
           (*settings.shuffle != '\0' ? std::string(" ") + settings.shuffle : "") +
           " cb_nodes=" + std::to_string(settings.aggregators) + " cb=" + std::to_string(settings.collective_buffer);
}
