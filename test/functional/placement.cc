// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Two collective writes of interleaved blocks, of which the second meets other blocks, with the hints KEY=VALUE.
//     placement FOLDER [KEY=VALUE...]
#include "harness.h"

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Info info;
    MPI_Info_create(&info);
    for (int i = 2; i < argc; ++i) {
        const std::string hint = argv[i];
        const std::size_t equals = hint.find('=');
        MPI_Info_set(info, hint.substr(0, equals).c_str(), hint.substr(equals + 1).c_str());
    }
    Results results;
    const std::string path = PathOf(argv[1], "placement");
    Prefill(MPI_COMM_WORLD, path, 1000);
    Expected expected(1000);

    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
    constexpr long long kBlock = 600000;
    std::string wrong;
    for (int round = 0; round < 2; ++round) {
        // In the second round the blocks are dealt backwards.
        const auto place = [&](int r) { return 500 + (round * ranks + (round == 0 ? r : ranks - 1 - r)) * kBlock; };
        const std::vector<char> stream = Stream(rank, kBlock, round);
        MPI_Status status;
        const int error =
            MPI_File_write_at_all(file, place(rank), stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &status);
        wrong += Wrote(error, status, kBlock);
        for (int r = 0; r < ranks; ++r) {
            expected.Write({Segment{place(r), kBlock}}, Stream(r, kBlock, round));
        }
    }
    MPI_File_close(&file);
    MPI_Info_free(&info);
    results.Check("the writes succeed", wrong);
    results.Check("the bytes are on file", rank == 0 ? expected.Compare(path) : "");
    const int code = results.Finish();
    MPI_Finalize();
    return code;
}
