// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "patterns.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <unistd.h>

namespace {

MPI_Datatype Committed(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return type;
}

View Contiguous(int rank, int) {
    View view;
    const long long bytes = 1000 + 37 * rank;
    long long offset = 0;
    for (int r = 0; r < rank; ++r) {
        offset += 1000 + 37 * r;
    }
    view.displacement = offset;
    view.segments = {{offset, bytes}};
    return view;
}

View Interleaved(int rank, int ranks, long long block, int blocks, int calls, long long displacement) {
    View view;
    MPI_Datatype type, resized;
    MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &type);
    MPI_Type_create_resized(type, 0, block * ranks, &resized);
    MPI_Type_free(&type);
    view.filetype = Committed(resized);
    view.displacement = displacement + rank * block;
    view.calls = calls;
    for (long long i = 0; i < blocks; ++i) {
        view.segments.push_back({displacement + (i * ranks + rank) * block, block});
    }
    return view;
}

View InterleavedSmall(int rank, int ranks) { return Interleaved(rank, ranks, 256, 64, 1, 0); }
View InterleavedOdd(int rank, int ranks) { return Interleaved(rank, ranks, 17, 300, 3, 12345); }
View InterleavedLarge(int rank, int ranks) { return Interleaved(rank, ranks, 50000, 3, 1, 0); }

// The blocks stand in one filetype instead of many.
View Vector(int rank, int ranks) {
    View view;
    MPI_Datatype type;
    MPI_Type_vector(100, 24, 24 * ranks + 5, MPI_BYTE, &type);
    view.filetype = Committed(type);
    view.displacement = 24 * rank;
    for (long long i = 0; i < 100; ++i) {
        view.segments.push_back({24 * rank + i * (24 * ranks + 5), 24});
    }
    return view;
}

View Subarray2d(int rank, int ranks) {
    View view;
    int grid[2] = {0, 0};
    MPI_Dims_create(ranks, 2, grid);
    const int part[2] = {13, 24};
    const int sizes[2] = {part[0] * grid[0], part[1] * grid[1]};
    const int starts[2] = {rank / grid[1] * part[0], rank % grid[1] * part[1]};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, starts, MPI_ORDER_C, MPI_INT, &type);
    view.etype = MPI_INT;
    view.filetype = Committed(type);
    for (long long row = 0; row < part[0]; ++row) {
        view.segments.push_back({4 * ((starts[0] + row) * sizes[1] + starts[1]), 4 * part[1]});
    }
    return view;
}

View Subarray3d(int rank, int ranks) {
    View view;
    int grid[3] = {0, 0, 0};
    MPI_Dims_create(ranks, 3, grid);
    const int part[3] = {5, 6, 7};
    int sizes[3], starts[3];
    const int place[3] = {rank / (grid[1] * grid[2]), rank / grid[2] % grid[1], rank % grid[2]};
    for (int d = 0; d < 3; ++d) {
        sizes[d] = part[d] * grid[d];
        starts[d] = part[d] * place[d];
    }
    MPI_Datatype type;
    MPI_Type_create_subarray(3, sizes, part, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
    view.etype = MPI_DOUBLE;
    view.filetype = Committed(type);
    view.displacement = 64;
    for (long long z = 0; z < part[0]; ++z) {
        for (long long y = 0; y < part[1]; ++y) {
            const long long element = ((starts[0] + z) * sizes[1] + starts[1] + y) * sizes[2] + starts[2];
            view.segments.push_back({64 + 8 * element, 8 * part[2]});
        }
    }
    return view;
}

View Darray(int rank, int ranks) {
    View view;
    int grid[2] = {0, 0};
    MPI_Dims_create(ranks, 2, grid);
    const int sizes[2] = {11 * grid[0] + 3, 9 * grid[1] + 2};
    const int distribute[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    const int block[2] = {2, 3};
    MPI_Datatype type;
    MPI_Type_create_darray(ranks, rank, 2, sizes, distribute, block, grid, MPI_ORDER_C, MPI_INT, &type);
    view.etype = MPI_INT;
    view.filetype = Committed(type);
    const int place[2] = {rank / grid[1], rank % grid[1]};
    for (long long row = 0; row < sizes[0]; ++row) {
        for (long long column = 0; column < sizes[1]; ++column) {
            if (row / block[0] % grid[0] == place[0] && column / block[1] % grid[1] == place[1]) {
                view.segments.push_back({4 * (row * sizes[1] + column), 4});
            }
        }
    }
    return view;
}

// Blocks of random lengths dealt to random ranks, some to nobody.
View RandomIndexed(int rank, int ranks) {
    View view;
    std::mt19937 random(static_cast<unsigned>(ranks));
    std::vector<int> lengths;
    std::vector<MPI_Aint> offsets;
    long long offset = 3;
    for (int i = 0; i < 60 * ranks; ++i) {
        const int length = static_cast<int>(random() % 40 + 1);
        const int owner = static_cast<int>(random() % static_cast<unsigned>(ranks + 2));
        if (owner == rank) {
            lengths.push_back(length);
            offsets.push_back(offset);
            view.segments.push_back({offset, length});
        }
        offset += length;
    }
    MPI_Datatype type;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), offsets.data(), MPI_BYTE, &type);
    view.filetype = Committed(type);
    return view;
}

View OneRankInFourWrites(int rank, int ranks) {
    View view = Interleaved(rank, ranks, 512, 10, 1, 100);
    if (rank % 4 != 3 && ranks > 1) {
        view.segments.clear();
    }
    return view;
}

View UnevenSizes(int rank, int ranks) {
    View view = Interleaved(rank, ranks, 96, 1 + rank * 7 % 40, 1, 0);
    return view;
}

View MoreRanksThanBlocks(int rank, int ranks) {
    View view = Interleaved(rank, ranks, 4096, rank < 2 ? 1 : 0, 1, 0);
    return view;
}

// open-mpi/ompi issue 13376.
View AdjacentHundredBytes(int rank, int) {
    View view;
    view.displacement = 5000 + 100 * rank;
    view.segments = {{5000 + 100 * rank, 100}};
    return view;
}

View NobodyWrites(int, int) { return View(); }

View FarApart(int rank, int) {
    View view;
    view.displacement = 70000LL * rank;
    view.segments = {{70000LL * rank, 10}};
    return view;
}

} // namespace

const std::vector<Pattern> &Patterns() {
    static const std::vector<Pattern> patterns = {
        {"contiguous", Contiguous},
        {"interleaved-256", InterleavedSmall},
        {"interleaved-17-in-three-calls", InterleavedOdd},
        {"interleaved-50000", InterleavedLarge},
        {"vector-with-gaps", Vector},
        {"subarray-2d", Subarray2d},
        {"subarray-3d", Subarray3d},
        {"darray-block-cyclic", Darray},
        {"random-indexed", RandomIndexed},
        {"one-rank-in-four-writes", OneRankInFourWrites},
        {"uneven-sizes", UnevenSizes},
        {"more-ranks-than-blocks", MoreRanksThanBlocks},
        {"adjacent-100-bytes", AdjacentHundredBytes},
        {"nobody-writes", NobodyWrites},
        {"far-apart", FarApart},
    };
    return patterns;
}

namespace {

// The `bytes` of a view in view.calls calls, each with half of what is left: call(byte that it begins with, elements, bytes
// of an element) says what was wrong, and this the first of that.
template <typename Call> std::string InCalls(const View &view, long long bytes, Call call) {
    int size = 0;
    MPI_Type_size(view.etype, &size);
    std::string wrong;
    long long done = 0;
    for (int left = view.calls; left > 0; --left) {
        const long long elements = (bytes - done) / (left == 1 ? 1 : 2) / size;
        const std::string said = call(done, static_cast<int>(elements), size);
        wrong = wrong.empty() ? said : wrong;
        done += elements * size;
    }
    return wrong;
}

// Reads the pattern back collectively, in the calls in which it was written: it has to hold what the file holds, and what
// lies behind the end of the file is left as it was. Open MPI itself overwrites what MPI_File_read_all counts,
// not what MPI_File_read_at_all (`at`) does.
std::string ReadView(const View &view, const Settings &settings, const std::string &path, bool at) {
    constexpr char kUntouched = '\x5a';
    MPI_Barrier(MPI_COMM_WORLD); // the file is as it is to be read
    std::ifstream content(path, std::ios::binary);
    const std::vector<char> file((std::istreambuf_iterator<char>(content)), std::istreambuf_iterator<char>());
    MPI_File handle = Open(MPI_COMM_WORLD, path, settings, MPI_MODE_RDONLY);
    MPI_File_set_view(handle, view.displacement, view.etype, view.filetype, "native", MPI_INFO_NULL);
    std::vector<char> expected;
    std::vector<bool> there;
    for (const Segment &segment : view.segments) {
        for (long long offset = segment.offset; offset < segment.offset + segment.length; ++offset) {
            there.push_back(offset < static_cast<long long>(file.size()));
            expected.push_back(there.back() ? file[static_cast<std::size_t>(offset)] : kUntouched);
        }
    }
    std::vector<char> read(expected.size(), kUntouched);
    const std::string wrong =
        InCalls(view, static_cast<long long>(expected.size()), [&](long long done, int elements, int size) {
            const long long part = 1LL * elements * size;
            const auto count = std::count(there.begin() + done, there.begin() + done + part, true);
            MPI_Status status;
            const int error =
                at ? MPI_File_read_at_all(handle, done / size, read.data() + done, elements, view.etype, &status)
                   : MPI_File_read_all(handle, read.data() + done, elements, view.etype, &status);
            return Wrote(error, status, at ? count : part);
        });
    MPI_File_close(&handle);
    return wrong.empty() && read != expected ? "read_all gave other bytes than the file has" : wrong;
}

} // namespace

std::string WriteView(const View &view, int rank, int ranks, const Pattern &pattern, const Settings &settings,
                      const std::string &path) {
    constexpr long long kPrefill = 20000;
    Prefill(MPI_COMM_WORLD, path, kPrefill);
    MPI_File file = Open(MPI_COMM_WORLD, path, settings);
    MPI_File_set_view(file, view.displacement, view.etype, view.filetype, "native", MPI_INFO_NULL);
    const long long bytes = Bytes(view.segments);
    const std::vector<char> stream = Stream(rank, bytes);
    std::string wrong = InCalls(view, bytes, [&](long long done, int elements, int size) {
        MPI_Status status;
        const int error = MPI_File_write_all(file, stream.data() + done, elements, view.etype, &status);
        return Wrote(error, status, 1LL * elements * size);
    });
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && wrong.empty()) {
        Expected expected(kPrefill);
        for (int r = 0; r < ranks; ++r) {
            View other = pattern.make(r, ranks);
            expected.Write(other.segments, Stream(r, Bytes(other.segments)));
            if (other.filetype != MPI_BYTE) {
                MPI_Type_free(&other.filetype);
            }
        }
        wrong = expected.Compare(path);
    }
    // Of every third file what is read, and of every ninth from a file that ends before, which is enough of so many.
    static int files = 0;
    ++files;
    const std::string whole = files % 3 == 0 ? ReadView(view, settings, path, false) : "";
    std::string half;
    if (files % 9 == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0 && truncate(path.c_str(), kPrefill / 2) != 0) {
            wrong = "the file cannot be made shorter";
        }
        half = ReadView(view, settings, path, true);
    }
    if (!wrong.empty() || !whole.empty()) {
        return wrong.empty() ? whole : wrong;
    }
    return half.empty() ? half : half + ", of a file that ends before";
}
