// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Small pieces with gaps between them, written by ranks of several nodes: the pieces are right and the gaps are as before.
// How the gaps are written, the verbose line of the component says.
//   between_nodes DIRECTORY
#include "tiles.h"

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string path = PathOf(argv[1], "between_nodes");
    const Tiles tiles(ranks);
    Prefill(MPI_COMM_WORLD, path, tiles.bytes());
    MPI_File file;
    if (MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    const Segments pieces = tiles.PiecesOf(rank);
    Tiles::SetView(file, pieces);
    const std::vector<char> stream = Stream(rank, Bytes(pieces), 0);
    MPI_Status status;
    const int error = MPI_File_write_at_all(file, 0, stream.data(), static_cast<int>(stream.size()), MPI_BYTE, &status);
    std::string wrong = Wrote(error, status, Bytes(pieces));
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && wrong.empty()) {
        Expected expected(tiles.bytes());
        for (int writer = 0; writer < ranks; ++writer) {
            const Segments of = tiles.PiecesOf(writer);
            expected.Write(of, Stream(writer, Bytes(of), 0));
        }
        wrong = expected.Compare(path);
    }
    Results results;
    results.Check("small pieces with gaps between nodes", wrong);
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
