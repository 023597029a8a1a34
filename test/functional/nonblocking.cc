// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Nonblocking collective calls: several on a file, in every order of waiting, on several files at once, beside blocking
// calls, messages of the program and new views. What is written is right, and what is read is what was written.
//   nonblocking DIRECTORY [short|full]
#include "harness.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unistd.h>

namespace {

constexpr int kBlock = 96;
constexpr int kBlocks = 300; // of each call
constexpr int kCalls = 6;
constexpr int kBytes = kBlock * kBlocks;

struct World {
    int rank = 0;
    int ranks = 1;
    const char *directory = nullptr;
};

void SetDealtView(MPI_File file, const World &world, int block = kBlock) {
    MPI_Datatype type, resized;
    MPI_Type_contiguous(block, MPI_BYTE, &type);
    MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(block) * world.ranks, &resized);
    MPI_Type_commit(&resized);
    MPI_File_set_view(file, static_cast<MPI_Offset>(block) * world.rank, MPI_BYTE, resized, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_Type_free(&resized);
}

MPI_File OpenDealt(const World &world, const std::string &path, const Settings &settings) {
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    SetDealtView(file, world);
    return file;
}

// Collective: the streams of all ranks, dealt.
std::string CompareBlocks(const World &world, const std::string &path, int blocks, int block, int round = 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world.rank != 0) {
        return {};
    }
    Expected expected(0);
    for (int rank = 0; rank < world.ranks; ++rank) {
        Segments segments;
        for (int i = 0; i < blocks; ++i) {
            segments.push_back({(static_cast<long long>(i) * world.ranks + rank) * block, block});
        }
        expected.Write(segments, Stream(rank, static_cast<long long>(blocks) * block, round));
    }
    return expected.Compare(path);
}

std::string Compare(const World &world, const std::string &path, int calls, int round = 0) {
    return CompareBlocks(world, path, calls * kBlocks, kBlock, round);
}

enum class Order { kForwards, kBackwards, kAny, kTestAll, kAllButFirst };

// Completes the requests of so many bytes each; what is wrong with them.
std::string Complete(std::vector<MPI_Request> &requests, Order order, int bytes = kBytes) {
    std::string wrong;
    const auto check = [&wrong, bytes](int error, MPI_Status &status) {
        const std::string one = Wrote(error, status, bytes);
        wrong = wrong.empty() ? one : wrong;
    };
    MPI_Status status;
    const int count = static_cast<int>(requests.size());
    switch (order) {
    case Order::kForwards:
        for (MPI_Request &request : requests) {
            const int error = MPI_Wait(&request, &status);
            check(error, status);
        }
        break;
    case Order::kBackwards:
        for (auto request = requests.rbegin(); request != requests.rend(); ++request) {
            const int error = MPI_Wait(&*request, &status);
            check(error, status);
        }
        break;
    case Order::kAny:
        for (int i = 0; i < count; ++i) {
            int index = 0;
            const int error = MPI_Waitany(count, requests.data(), &index, &status);
            check(error, status);
        }
        break;
    case Order::kTestAll: {
        std::vector<MPI_Status> statuses(requests.size());
        for (int done = 0; done == 0;) {
            usleep(200); // the program computes
            MPI_Testall(count, requests.data(), &done, statuses.data());
        }
        for (MPI_Status &one : statuses) {
            check(MPI_SUCCESS, one);
        }
        break;
    }
    case Order::kAllButFirst: { // nobody waits for it, and it is done all the same
        const int error = MPI_Request_free(requests.data());
        wrong = error == MPI_SUCCESS ? "" : "a request that is under way cannot be freed";
        for (int i = 1; i < count; ++i) {
            const int one = MPI_Wait(&requests[static_cast<std::size_t>(i)], &status);
            check(one, status);
        }
        break;
    }
    }
    return wrong;
}

std::string SeveralOnAFile(const World &world, const Settings &settings, Order order) {
    const std::string path = PathOf(world.directory, "several");
    MPI_File file = OpenDealt(world, path, settings);
    const std::vector<char> stream = Stream(world.rank, kCalls * kBytes);
    std::vector<char> back(stream.size());
    std::vector<MPI_Request> requests(kCalls);
    for (int call = 0; call < kCalls; ++call) {
        MPI_File_iwrite_all(file, stream.data() + call * kBytes, kBytes, MPI_BYTE,
                            &requests[static_cast<std::size_t>(call)]);
    }
    std::string wrong = Complete(requests, order);
    requests.assign(kCalls, MPI_REQUEST_NULL);
    for (int call = 0; call < kCalls; ++call) {
        MPI_File_iread_at_all(file, static_cast<MPI_Offset>(call) * kBytes, back.data() + call * kBytes, kBytes, MPI_BYTE,
                              &requests[static_cast<std::size_t>(call)]);
    }
    const std::string read = Complete(requests, order == Order::kAllButFirst ? Order::kForwards : order);
    MPI_File_close(&file);
    wrong = wrong.empty() ? read : wrong;
    wrong = wrong.empty() && back != stream ? "other bytes were read than were written" : wrong;
    const std::string compared = Compare(world, path, kCalls);
    return wrong.empty() ? compared : wrong;
}

// Where nobody asks for anything each rank may transfer its own bytes, and a start that has enough of them goes ahead.
std::string NothingAsked(const World &world, int block, int blocks) {
    const std::string path = PathOf(world.directory, "nothing-asked");
    Prefill(MPI_COMM_WORLD, path, 0);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    SetDealtView(file, world, block);
    const int half = block * blocks / 2;
    const std::vector<char> stream = Stream(world.rank, 2 * static_cast<long long>(half));
    std::vector<char> back(stream.size());
    std::string wrong;
    const auto transfer = [&](auto start) {
        for (int call = 0; call < 2; ++call) {
            MPI_Request request;
            MPI_Status status;
            int error = start(static_cast<MPI_Offset>(call) * half, &request);
            for (int done = 0; done == 0 && error == MPI_SUCCESS;) {
                usleep(200); // the program computes
                error = MPI_Test(&request, &done, &status);
            }
            const std::string one = Wrote(error, status, half);
            wrong = wrong.empty() ? one : wrong;
        }
    };
    transfer([&](MPI_Offset offset, MPI_Request *request) {
        return MPI_File_iwrite_at_all(file, offset, stream.data() + offset, half, MPI_BYTE, request);
    });
    transfer([&](MPI_Offset offset, MPI_Request *request) {
        return MPI_File_iread_at_all(file, offset, back.data() + offset, half, MPI_BYTE, request);
    });
    MPI_File_close(&file);
    wrong = wrong.empty() && back != stream ? "other bytes were read than were written" : wrong;
    const std::string compared = CompareBlocks(world, path, blocks, block);
    return wrong.empty() ? compared : wrong;
}

// Each file has a communicator of its own, so ranks may start them in any order. What is pending lies behind what is pending
// of the file before, as calls do that are joined within a file.
std::string SeveralFiles(const World &world, const Settings &settings, bool alike) {
    constexpr int kPart = kBytes / 10; // several have room in a collective buffer
    std::vector<std::string> paths;
    std::vector<MPI_File> files;
    std::vector<std::vector<char>> streams;
    for (int i = 0; i < 3; ++i) {
        paths.push_back(PathOf(world.directory, "file-" + std::to_string(i)));
        files.push_back(OpenDealt(world, paths.back(), settings));
        streams.push_back(Stream(world.rank, (i + 1) * kPart, i));
        MPI_File_write_at_all(files.back(), 0, streams.back().data(), i * kPart, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    std::vector<MPI_Request> requests(3);
    for (int i = 0; i < 3; ++i) {
        const int number = alike ? i : (i + world.rank) % 3;
        const auto file = static_cast<std::size_t>(number);
        const int begin = number * kPart;
        MPI_File_iwrite_at_all(files[file], begin, streams[file].data() + begin, kPart, MPI_BYTE, &requests[file]);
    }
    std::string wrong = Complete(requests, world.rank % 2 == 0 ? Order::kForwards : Order::kBackwards, kPart);
    for (int i = 0; i < 3; ++i) {
        MPI_File_close(&files[static_cast<std::size_t>(i)]);
        const std::string compared =
            CompareBlocks(world, paths[static_cast<std::size_t>(i)], (i + 1) * kPart / kBlock, kBlock, i);
        wrong = wrong.empty() ? compared : wrong;
    }
    return wrong;
}

// A start waits for nobody: what the program sends after it may be what another rank starts with.
std::string AMessageBetweenTheStarts(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "message");
    MPI_File file = OpenDealt(world, path, settings);
    const std::vector<char> stream = Stream(world.rank, kBytes);
    std::vector<MPI_Request> requests(1);
    int word = 0;
    if (world.rank > 0) {
        MPI_Recv(&word, 1, MPI_INT, world.rank - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_File_iwrite_all(file, stream.data(), kBytes, MPI_BYTE, requests.data());
    if (world.rank + 1 < world.ranks) {
        MPI_Send(&word, 1, MPI_INT, world.rank + 1, 5, MPI_COMM_WORLD);
    }
    std::string wrong = Complete(requests, Order::kForwards);
    MPI_File_close(&file);
    const std::string compared = Compare(world, path, 1);
    return wrong.empty() ? compared : wrong;
}

// A blocking call behind two that are under way, and one that is started before it and waited for behind it.
std::string BesideBlockingCalls(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "beside");
    MPI_File file = OpenDealt(world, path, settings);
    const std::vector<char> stream = Stream(world.rank, 3 * kBytes);
    std::vector<char> back(stream.size());
    std::vector<MPI_Request> requests(2);
    MPI_Status status;
    MPI_File_iwrite_all(file, stream.data(), kBytes, MPI_BYTE, &requests[0]);
    MPI_File_iwrite_all(file, stream.data() + kBytes, kBytes, MPI_BYTE, &requests[1]);
    int error = MPI_File_write_at_all(file, 2 * kBytes, stream.data() + 2 * kBytes, kBytes, MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, kBytes);
    error = MPI_File_read_at_all(file, 0, back.data(), 3 * kBytes, MPI_BYTE, &status);
    wrong = wrong.empty() ? Wrote(error, status, 3 * kBytes) : wrong;
    const std::string completed = Complete(requests, Order::kBackwards);
    MPI_File_close(&file);
    wrong = wrong.empty() ? completed : wrong;
    wrong = wrong.empty() && back != stream ? "other bytes were read than were written" : wrong;
    const std::string compared = Compare(world, path, 3);
    return wrong.empty() ? compared : wrong;
}

// The view that a call was started with is its own; the next ones have the new one.
std::string NewViewsMeanwhile(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "views");
    MPI_File file = OpenDealt(world, path, settings);
    const std::vector<char> stream = Stream(world.rank, 2 * kBytes);
    std::vector<MPI_Request> requests(2);
    MPI_File_iwrite_all(file, stream.data(), kBytes, MPI_BYTE, &requests[0]);
    SetDealtView(file, world);
    MPI_File_iwrite_at_all(file, kBytes, stream.data() + kBytes, kBytes, MPI_BYTE, &requests[1]);
    std::string wrong = Complete(requests, Order::kForwards);
    MPI_File_close(&file);
    const std::string compared = Compare(world, path, 2);
    return wrong.empty() ? compared : wrong;
}

// A program must not do that. OMPIO closes the descriptor first, so that an error comes of what is still under way, or
// nothing does where all was done; the job goes on.
std::string ClosedBeforeItIsWaitedFor(const World &world, const Settings &settings) {
    const std::string path = PathOf(world.directory, "closed");
    MPI_File file = OpenDealt(world, path, settings);
    const std::vector<char> stream = Stream(world.rank, kBytes);
    MPI_Request request;
    MPI_Status status;
    MPI_File_iwrite_all(file, stream.data(), kBytes, MPI_BYTE, &request);
    MPI_File_close(&file);
    MPI_Wait(&request, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    return {};
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    world.directory = argv[1];
    const bool full = argc > 2 && std::strcmp(argv[2], "full") == 0;
    const std::size_t each = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1;
    Results results;
    const std::vector<Settings> all = SettingsToTry(world.ranks, full);
    for (std::size_t i = 0; i < all.size(); i += each) {
        Settings settings = all[i];
        settings.collective_buffer = std::min(settings.collective_buffer, 60000LL); // several cycles
        const std::string with = " " + Describe(settings);
        results.Check("forwards" + with, SeveralOnAFile(world, settings, Order::kForwards));
        results.Check("backwards" + with, SeveralOnAFile(world, settings, Order::kBackwards));
        results.Check("any" + with, SeveralOnAFile(world, settings, Order::kAny));
        results.Check("test all" + with, SeveralOnAFile(world, settings, Order::kTestAll));
        results.Check("one is freed" + with, SeveralOnAFile(world, settings, Order::kAllButFirst));
        results.Check("several files" + with, SeveralFiles(world, settings, true));
        results.Check("several files in any order" + with, SeveralFiles(world, settings, false));
        results.Check("a message between the starts" + with, AMessageBetweenTheStarts(world, settings));
        results.Check("blocking calls" + with, BesideBlockingCalls(world, settings));
        results.Check("new views" + with, NewViewsMeanwhile(world, settings));
        results.Check("closed" + with, ClosedBeforeItIsWaitedFor(world, settings));
    }
    results.Check("large pieces", NothingAsked(world, 33 << 10, 34));
    results.Check("many pieces", NothingAsked(world, kBlock, 12000));
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
