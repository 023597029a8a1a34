// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Random programs: views, blocking, nonblocking and split collective calls, independent ones, syncs and new sizes on one
// file, under settings drawn for each, beside a model of the file in memory. What MPI leaves open no program does: each byte
// belongs to one rank from one view to the next, before which all sync.
//   programs DIRECTORY COUNT [FIRST_SEED]
#include "harness.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

namespace {

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int Pick(int first, int last) { return first + static_cast<int>(engine_() % static_cast<unsigned>(last - first + 1)); }
    bool OneIn(int many) { return Pick(1, many) == 1; }
    template <class List> auto &Of(List &list) {
        return list[static_cast<std::size_t>(Pick(0, static_cast<int>(std::size(list)) - 1))];
    }

  private:
    std::mt19937 engine_;
};

// The part of a filetype that a rank has: segments of one period of `extent` bytes.
struct View {
    long long displacement = 0;
    long long extent = 1;
    int etype = 1; // bytes
    std::vector<Segments> of_rank;
};

// Bytes `first` to `first + bytes` of a rank's stream through the view.
Segments Through(const View &view, int rank, long long first, long long bytes) {
    const Segments &pieces = view.of_rank[static_cast<std::size_t>(rank)];
    const long long size = Bytes(pieces);
    Segments found;
    long long period = first / size, skipped = first % size;
    for (std::size_t i = 0; bytes > 0; i = (i + 1) % pieces.size(), period += i == 0 ? 1 : 0) {
        const long long skip = std::min(skipped, pieces[i].length);
        const long long length = std::min(pieces[i].length - skip, bytes);
        if (length > 0) {
            found.push_back({view.displacement + period * view.extent + pieces[i].offset + skip, length});
        }
        skipped -= skip;
        bytes -= length;
    }
    return found;
}

// The cells of a period dealt to the ranks, in turn or at random, some to nobody. Each rank has one at least.
View DrawView(Random &random, int ranks) {
    View view;
    view.etype = random.Pick(0, 2) == 0 ? 4 : 1;
    view.displacement = random.OneIn(2) ? random.Pick(0, 5000) : 0;
    view.of_rank.resize(static_cast<std::size_t>(ranks));
    const bool in_turn = random.OneIn(2), gaps = random.OneIn(3);
    const int longest = random.OneIn(4) ? 3000 : 60;
    const int same = random.Pick(1, longest), cells = ranks + (random.OneIn(3) ? 0 : random.Pick(0, 40));
    long long at = 0;
    for (int cell = 0; cell < cells; ++cell) {
        const int length = view.etype * (in_turn ? same : random.Pick(1, longest));
        const int owner = cell < ranks || in_turn ? cell % ranks : random.Pick(0, ranks - 1);
        view.of_rank[static_cast<std::size_t>(owner)].push_back({at, length});
        at += length + (gaps ? view.etype * random.Pick(0, 20) : 0);
    }
    view.extent = at;
    return view;
}

void SetView(MPI_File file, const View &view, int rank) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> offsets;
    for (const Segment &piece : view.of_rank[static_cast<std::size_t>(rank)]) {
        lengths.push_back(static_cast<int>(piece.length / view.etype));
        offsets.push_back(static_cast<MPI_Aint>(piece.offset));
    }
    MPI_Datatype etype, pieces, filetype;
    MPI_Type_contiguous(view.etype, MPI_BYTE, &etype);
    MPI_Type_commit(&etype);
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), offsets.data(), etype, &pieces);
    MPI_Type_create_resized(pieces, 0, static_cast<MPI_Aint>(view.extent), &filetype);
    MPI_Type_commit(&filetype);
    MPI_File_set_view(file, view.displacement, etype, filetype, "native", MPI_INFO_NULL);
    MPI_Type_free(&etype);
    MPI_Type_free(&pieces);
    MPI_Type_free(&filetype);
}

enum class How { kBlocking, kNonblocking, kSplit, kIndependent };

// One call of all ranks.
struct Call {
    bool write = true;
    bool at_offset = false;
    How how = How::kBlocking;
    int memory_unit = 1, memory_extent = 1;  // of so many bytes in memory the first ones are data
    std::vector<long long> positions, bytes; // of each rank, in its stream
};

// A buffer of a call that may be under way.
struct Transfer {
    std::vector<char> memory;
    std::vector<char> wanted; // of a read
    MPI_Datatype unit = MPI_BYTE;
    MPI_Request request = MPI_REQUEST_NULL;
    long long count = 0; // bytes that the status has to say; -1: MPI_File_read_all, where Open MPI says what was asked for
};

class Program {
  public:
    Program(MPI_Comm comm, const std::string &path, unsigned seed) : comm_(comm), path_(path), random_(seed) {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &ranks_);
    }

    // What is wrong; empty where nothing is.
    std::string Run() {
        Open();
        for (int steps = random_.Pick(3, 20); steps > 0; --steps) {
            const int what = random_.Pick(0, 19);
            if (what == 0) {
                Complete();
                MPI_File_sync(file_);
            } else if (what == 1) {
                NewSize();
            } else if (what <= 4) {
                NewView();
            } else {
                Transfers();
            }
        }
        Complete();
        Check(MPI_File_close(&file_) == MPI_SUCCESS, "close fails");
        MPI_Barrier(comm_);
        if (rank_ == 0) {
            Expected expected(0);
            expected.Write({{0, static_cast<long long>(model_.size())}}, model_);
            const std::string compared = expected.Compare(path_);
            Check(compared.empty(), compared);
        }
        return wrong_.empty() ? wrong_ : what_ + ": " + wrong_;
    }

  private:
    void Check(bool right, const std::string &wrong) {
        if (!right && wrong_.empty()) {
            wrong_ = wrong;
        }
    }

    void Open() {
        static const char *const kPlacements[] = {"spread", "ompio", "locality", "lap", "tapioca"};
        static const char *const kShuffles[] = {"", "", "two-sided", "put-fence", "put-lock"};
        static const char *const kPartitions[] = {"", "", "static"};
        static const char *const kChoices[] = {"auto", "collective", "independent"};
        static const char *const kHoles[] = {"auto", "list", "sieve"};
        static const long long kBuffers[] = {777, 4096, 100000, 32 << 20};
        Settings settings;
        settings.algorithm = random_.Of(Algorithms());
        settings.slots = random_.Pick(2, 6);
        settings.placement = random_.Of(kPlacements);
        settings.aggregators = random_.Pick(0, ranks_);
        settings.collective_buffer = random_.Of(kBuffers);
        settings.writer = random_.Of(Writers());
        settings.shuffle = random_.Of(kShuffles);
        settings.partition = random_.Of(kPartitions);
        MPI_Info info = MakeInfo(settings);
        const std::pair<const char *, std::string> hints[] = {{"fcoll_overlap_writes", random_.Of(kChoices)},
                                                              {"fcoll_overlap_reads", random_.Of(kChoices)},
                                                              {"fcoll_overlap_holes", random_.Of(kHoles)},
                                                              {"fcoll_overlap_node_merge", random_.OneIn(4) ? "on" : "off"}};
        what_ = Describe(settings);
        for (const auto &[name, value] : hints) {
            MPI_Info_set(info, name, value.c_str());
            what_ += " " + value;
        }
        const int prefill = random_.OneIn(2) ? 0 : random_.Pick(0, 20000);
        Prefill(comm_, path_, prefill);
        model_.assign(static_cast<std::size_t>(prefill), '\xa5');
        Check(MPI_File_open(comm_, path_.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file_) == MPI_SUCCESS,
              "open fails");
        MPI_Info_free(&info);
        NewView();
    }

    // What was written is there for all, whatever rank reads or writes it through the new view.
    void NewView() {
        Complete();
        MPI_File_sync(file_);
        MPI_Barrier(comm_);
        MPI_File_sync(file_);
        view_ = DrawView(random_, ranks_);
        SetView(file_, view_, rank_);
        pointers_.assign(static_cast<std::size_t>(ranks_), 0);
        last_ = Call();
    }

    void NewSize() {
        Complete();
        const int size = random_.Pick(0, static_cast<int>(model_.size()) + 3000);
        MPI_File_sync(file_);
        MPI_Barrier(comm_);
        Check(MPI_File_set_size(file_, size) == MPI_SUCCESS, "set_size fails");
        MPI_Barrier(comm_);
        model_.resize(static_cast<std::size_t>(size), '\0');
    }

    // The last call again, further on: so a plan is used again, or not.
    Call CallAgain() {
        Call call = last_;
        const long long distance = view_.etype * (random_.OneIn(2) ? random_.Pick(0, 300) : 0);
        for (std::size_t rank = 0; rank < call.positions.size(); ++rank) {
            call.positions[rank] = call.at_offset ? call.positions[rank] + distance : pointers_[rank];
        }
        return call;
    }

    Call DrawCall() {
        static const int kUnits[][2] = {{1, 1}, {1, 1}, {1, 3}, {4, 7}, {40, 48}};
        Call call;
        call.write = random_.Pick(0, 2) > 0;
        call.at_offset = random_.OneIn(2);
        call.how = static_cast<How>(random_.Pick(0, 3));
        const auto &unit = random_.Of(kUnits);
        call.memory_unit = unit[0], call.memory_extent = unit[1];
        const int grain = std::max(call.memory_unit, view_.etype); // a multiple of both
        const int most = random_.OneIn(5) ? 3000 : random_.OneIn(3) ? 2 : 200;
        for (int rank = 0; rank < ranks_; ++rank) {
            const long long pointer = pointers_[static_cast<std::size_t>(rank)];
            call.positions.push_back(call.at_offset ? view_.etype * random_.Pick(0, 400) : pointer);
            call.bytes.push_back(random_.OneIn(6) ? 0 : static_cast<long long>(grain) * random_.Pick(1, most));
        }
        return call;
    }

    // At a pointer several calls of a kind may be under way, as they have bytes of their own.
    void Transfers() {
        const Call call = !last_.bytes.empty() && random_.OneIn(2) ? CallAgain() : DrawCall();
        last_ = call;
        if (call.at_offset || at_offset_ || call.write != writes_) {
            Complete();
        }
        writes_ = call.write, at_offset_ = call.at_offset;
        ++round_;
        const auto own = static_cast<std::size_t>(rank_);
        const long long bytes = call.bytes[own];
        transfers_.push_back(std::make_unique<Transfer>());
        Transfer &transfer = *transfers_.back();
        std::vector<char> data = Stream(rank_, bytes, round_);
        if (call.write) {
            transfer.count = bytes;
        } else {
            transfer.count = ReadInModel(Through(view_, rank_, call.positions[own], bytes), data);
            transfer.wanted = data;
        }
        if (!call.write && !call.at_offset && call.how == How::kBlocking) {
            transfer.count = -1;
        }
        transfer.memory.assign(static_cast<std::size_t>(bytes / call.memory_unit * call.memory_extent), '!');
        Copy(call, data, transfer.memory, call.write);
        if (!call.write) {
            transfer.wanted.assign(transfer.memory.size(), '!');
            data.resize(static_cast<std::size_t>(bytes), '!');
            Copy(call, data, transfer.wanted, true);
        }
        Start(call, transfer, static_cast<int>(bytes / call.memory_unit), call.positions[own] / view_.etype);
        for (int rank = 0; rank < ranks_; ++rank) {
            const auto index = static_cast<std::size_t>(rank);
            const Segments segments = Through(view_, rank, call.positions[index], call.bytes[index]);
            if (call.write) {
                WriteToModel(segments, Stream(rank, call.bytes[index], round_));
            }
            // A read that ends early leaves the pointer where MPI says behind what was asked for.
            pointers_[index] += call.at_offset ? 0 : call.bytes[index];
        }
        if (call.how != How::kNonblocking || random_.OneIn(3)) {
            Complete();
        }
    }

    static void Copy(const Call &call, const std::vector<char> &data, std::vector<char> &memory, bool copies) {
        for (std::size_t i = 0; copies && i < data.size(); ++i) {
            const auto unit = static_cast<std::size_t>(call.memory_unit);
            memory[i / unit * static_cast<std::size_t>(call.memory_extent) + i % unit] = data[i];
        }
    }

    // Only bytes before the end of the file are read; `data` is what they are and, behind, as it was.
    long long ReadInModel(const Segments &segments, std::vector<char> &data) const {
        long long read = 0;
        const auto size = static_cast<long long>(model_.size());
        for (const Segment &segment : segments) {
            const long long here = std::max(0LL, std::min(segment.length, size - segment.offset));
            std::copy_n(model_.begin() + segment.offset * (here > 0 ? 1 : 0), here, data.begin() + read);
            read += here;
        }
        data.resize(static_cast<std::size_t>(read));
        return read;
    }

    void WriteToModel(const Segments &segments, const std::vector<char> &stream) {
        auto from = stream.begin();
        for (const Segment &segment : segments) {
            model_.resize(std::max(model_.size(), static_cast<std::size_t>(segment.offset + segment.length)), '\0');
            std::copy_n(from, segment.length, model_.begin() + segment.offset);
            from += segment.length;
        }
    }

    void Start(const Call &call, Transfer &transfer, int units, MPI_Offset offset) {
        MPI_Datatype type;
        MPI_Type_contiguous(call.memory_unit, MPI_BYTE, &type);
        MPI_Type_create_resized(type, 0, call.memory_extent, &transfer.unit);
        MPI_Type_commit(&transfer.unit);
        MPI_Type_free(&type);
        char *const memory = transfer.memory.data();
        MPI_Status status;
        int error = MPI_SUCCESS;
        const auto choose = [&](auto write_at, auto write, auto read_at, auto read, auto... last) {
            return call.write       ? call.at_offset ? write_at(file_, offset, memory, units, transfer.unit, last...)
                                                     : write(file_, memory, units, transfer.unit, last...)
                         : call.at_offset ? read_at(file_, offset, memory, units, transfer.unit, last...)
                                    : read(file_, memory, units, transfer.unit, last...);
        };
        switch (call.how) {
        case How::kBlocking:
            error = choose(MPI_File_write_at_all, MPI_File_write_all, MPI_File_read_at_all, MPI_File_read_all, &status);
            break;
        case How::kIndependent:
            error = choose(MPI_File_write_at, MPI_File_write, MPI_File_read_at, MPI_File_read, &status);
            break;
        case How::kNonblocking:
            error = choose(MPI_File_iwrite_at_all, MPI_File_iwrite_all, MPI_File_iread_at_all, MPI_File_iread_all,
                           &transfer.request);
            Check(error == MPI_SUCCESS, "a nonblocking call does not start");
            return;
        case How::kSplit:
            error = choose(MPI_File_write_at_all_begin, MPI_File_write_all_begin, MPI_File_read_at_all_begin,
                           MPI_File_read_all_begin);
            const auto end = call.write ? call.at_offset ? MPI_File_write_at_all_end : MPI_File_write_all_end : nullptr;
            const auto end_read = call.at_offset ? MPI_File_read_at_all_end : MPI_File_read_all_end;
            const int second = end != nullptr ? end(file_, memory, &status) : end_read(file_, memory, &status);
            error = error == MPI_SUCCESS ? second : error;
            break;
        }
        CheckTransfer(transfer, error, status);
    }

    void CheckTransfer(Transfer &transfer, int error, MPI_Status &status) {
        const std::string wrong = Wrote(error, status, transfer.count);
        Check(transfer.count < 0 ? error == MPI_SUCCESS : wrong.empty(), wrong);
        Check(transfer.wanted.empty() || transfer.memory == transfer.wanted, "other bytes were read than were written");
        MPI_Type_free(&transfer.unit);
    }

    void Complete() {
        for (const auto &transfer : transfers_) {
            if (transfer->unit != MPI_DATATYPE_NULL) {
                MPI_Status status;
                const int error = MPI_Wait(&transfer->request, &status);
                CheckTransfer(*transfer, error, status);
            }
        }
        transfers_.clear();
        // The others may still be writing what this rank reads in the next call by itself.
        MPI_Barrier(comm_);
    }

    const MPI_Comm comm_;
    const std::string path_;
    Random random_;
    int rank_ = 0, ranks_ = 1, round_ = 0;
    MPI_File file_ = MPI_FILE_NULL;
    View view_;
    Call last_;                       // in this view; without ranks: none
    std::vector<long long> pointers_; // of each rank, bytes of its stream
    std::vector<char> model_;         // the file
    std::vector<std::unique_ptr<Transfer>> transfers_;
    bool writes_ = true, at_offset_ = false; // the last call
    std::string wrong_, what_;
};

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const unsigned first = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 0;
    const unsigned count = static_cast<unsigned>(std::atoi(argv[2]));
    std::vector<MPI_Comm> comms; // of the first ranks
    for (int some = 1; some <= ranks; ++some) {
        comms.push_back(MPI_COMM_NULL);
        MPI_Comm_split(MPI_COMM_WORLD, rank < some ? 0 : MPI_UNDEFINED, rank, &comms.back());
    }
    Results results;
    for (unsigned seed = first; seed < first + count; ++seed) {
        const MPI_Comm comm = comms[std::mt19937(seed)() % comms.size()];
        const std::string wrong = comm == MPI_COMM_NULL ? "" : Program(comm, PathOf(argv[1], "programs.dat"), seed).Run();
        results.Check("program of seed " + std::to_string(seed), wrong);
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
