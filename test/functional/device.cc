// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Buffers in memory that the CPU may not touch: whoever in Open MPI or the component does ends the program by a signal.
//   device FOLDER
#include "fake_device.h"
#include "harness.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace {

constexpr long long kPiece = 1000; // of each rank in turn
constexpr int kPieces = 90;
constexpr long long kBytes = kPiece * kPieces;
constexpr long long kGap = 300; // behind each piece in memory, where there are gaps
constexpr char kUntouched = 0x11;

struct World {
    int rank, ranks;
    std::string path;
};

// Where a rank's bytes are: of kPieces pieces, some of them in host memory.
class Buffer {
  public:
    enum Kind { kContiguous, kGaps, kAbsolute, kHost };

    explicit Buffer(Kind kind) : kind_(kind), host_(kBytes + kPieces * kGap, kUntouched) {
        std::memset(fake_device_shadow(), kUntouched, kBytes + kPieces * kGap);
        if (kind == kGaps) {
            MPI_Type_create_hvector(kPieces, kPiece, kPiece + kGap, MPI_BYTE, &type_);
        } else if (kind == kAbsolute) {
            std::vector<int> lengths(kPieces, kPiece);
            std::vector<MPI_Aint> addresses(kPieces);
            for (int i = 0; i < kPieces; ++i) {
                char *const base = IsHost(i) ? host_.data() : fake_device_memory();
                MPI_Get_address(base + i * Distance(), &addresses[static_cast<std::size_t>(i)]);
            }
            MPI_Type_create_hindexed(kPieces, lengths.data(), addresses.data(), MPI_BYTE, &type_);
        } else {
            MPI_Type_contiguous(kBytes, MPI_BYTE, &type_);
        }
        MPI_Type_commit(&type_);
    }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { MPI_Type_free(&type_); }

    void *address() { return kind_ == kAbsolute ? MPI_BOTTOM : kind_ == kHost ? host_.data() : fake_device_memory(); }
    MPI_Datatype type() const { return type_; }

    void Fill(const std::vector<char> &stream) {
        for (int i = 0; i < kPieces; ++i) {
            std::copy_n(stream.data() + i * kPiece, kPiece, Piece(i));
        }
    }

    /// What is wrong with the first `bytes` bytes, with those behind them, or with a gap.
    std::string Compare(const std::vector<char> &stream, long long bytes) {
        for (long long p = 0; p < kBytes; ++p) {
            if (Piece(static_cast<int>(p / kPiece))[p % kPiece] !=
                (p < bytes ? stream[static_cast<std::size_t>(p)] : kUntouched)) {
                return "byte " + std::to_string(p) + " of the buffer is wrong";
            }
        }
        for (int i = 0; i < kPieces && Distance() > kPiece; ++i) {
            if (std::count(Piece(i) + kPiece, Piece(i) + Distance(), kUntouched) != Distance() - kPiece) {
                return "the gap behind piece " + std::to_string(i) + " of the buffer was written to";
            }
        }
        return {};
    }

  private:
    bool IsHost(int piece) const { return kind_ == kHost || (kind_ == kAbsolute && piece % 5 == 0); }
    long long Distance() const { return kind_ == kGaps || kind_ == kAbsolute ? kPiece + kGap : kPiece; }
    char *Piece(int i) { return (IsHost(i) ? host_.data() : fake_device_shadow()) + i * Distance(); }

    Kind kind_;
    std::vector<char> host_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

MPI_File OpenWithView(const World &world, const Settings &settings) {
    MPI_File file = Open(MPI_COMM_WORLD, world.path, settings);
    MPI_Datatype piece, view;
    MPI_Type_contiguous(kPiece, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, kPiece * world.ranks, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, world.rank * kPiece, MPI_BYTE, view, "native", MPI_INFO_NULL);
    MPI_Type_free(&view);
    MPI_Type_free(&piece);
    return file;
}

std::string CompareFile(const World &world) {
    Expected expected(0);
    for (int r = 0; r < world.ranks; ++r) {
        Segments segments;
        for (int i = 0; i < kPieces; ++i) {
            segments.push_back({(static_cast<long long>(i) * world.ranks + r) * kPiece, kPiece});
        }
        expected.Write(segments, Stream(r, kBytes));
    }
    return world.rank == 0 ? expected.Compare(world.path) : std::string();
}

std::string WriteAndReadBack(const World &world, const Settings &settings, Buffer::Kind kind, bool nonblocking) {
    // Not all ranks have their bytes in the same kind of memory.
    Buffer buffer(world.rank % 3 == 1 ? Buffer::kHost : kind);
    const std::vector<char> stream = Stream(world.rank, kBytes);
    Prefill(MPI_COMM_WORLD, world.path, 0);
    MPI_File file = OpenWithView(world, settings);
    MPI_Status status;
    MPI_Request request;
    buffer.Fill(stream);
    int error = MPI_SUCCESS;
    if (nonblocking) {
        error = MPI_File_iwrite_all(file, buffer.address(), 1, buffer.type(), &request);
        error = error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error;
    } else {
        error = MPI_File_write_all(file, buffer.address(), 1, buffer.type(), &status);
    }
    std::string wrong = Wrote(error, status, kBytes);
    MPI_Barrier(MPI_COMM_WORLD);
    wrong = wrong.empty() ? CompareFile(world) : wrong;
    MPI_Barrier(MPI_COMM_WORLD);
    // The last piece of every rank but the first is cut off.
    MPI_File_set_size(file, (static_cast<long long>(kPieces - 1) * world.ranks + 1) * kPiece);
    const long long left = kBytes - (world.rank == 0 ? 0 : kPiece);
    Buffer back(world.rank % 3 == 1 ? Buffer::kHost : kind);
    if (nonblocking) {
        error = MPI_File_iread_at_all(file, 0, back.address(), 1, back.type(), &request);
        error = error == MPI_SUCCESS ? MPI_Wait(&request, &status) : error;
    } else {
        error = MPI_File_read_at_all(file, 0, back.address(), 1, back.type(), &status);
    }
    wrong = wrong.empty() ? Wrote(error, status, left) : wrong;
    wrong = wrong.empty() ? back.Compare(stream, left) : wrong;
    MPI_File_close(&file);
    return wrong;
}

// Rank 1, which has no device, has the error as well.
std::string WriteThatCannotBeCopied(const World &world, const Settings &settings) {
    Buffer buffer(world.rank % 3 == 1 ? Buffer::kHost : Buffer::kGaps);
    buffer.Fill(Stream(world.rank, kBytes));
    MPI_File file = OpenWithView(world, settings);
    fake_device_fail(1);
    MPI_Status status;
    const int error = MPI_File_write_all(file, buffer.address(), 1, buffer.type(), &status);
    fake_device_fail(0);
    MPI_File_close(&file);
    return error == MPI_SUCCESS ? "it says that all is well" : std::string();
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    World world{0, 0, PathOf(argv[1], "device")};
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    if (fake_device_install() < kBytes + kPieces * kGap) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    Results results;
    const struct {
        const char *name;
        Buffer::Kind kind;
    } kinds[] = {{"contiguous", Buffer::kContiguous}, {"gaps", Buffer::kGaps}, {"absolute", Buffer::kAbsolute}};
    for (const auto &each : kinds) {
        for (Settings settings : SettingsToTry(world.ranks, false)) {
            settings.collective_buffer = std::min<long long>(settings.collective_buffer, 1 << 20);
            for (const bool nonblocking : {false, true}) {
                const std::size_t before = fake_device_copies();
                results.Check(std::string(each.name) + (nonblocking ? " nonblocking " : " ") + Describe(settings),
                              WriteAndReadBack(world, settings, each.kind, nonblocking));
                results.Check("with copies by the device",
                              world.rank % 3 == 1 || fake_device_copies() > before ? std::string() : "there were none");
            }
        }
    }
    for (Settings settings : SettingsToTry(world.ranks, false)) {
        settings.collective_buffer = std::min<long long>(settings.collective_buffer, 1 << 20);
        results.Check("an error where it cannot be copied, " + Describe(settings), WriteThatCannotBeCopied(world, settings));
    }
    if (world.rank == 0) {
        unlink(world.path.c_str());
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
