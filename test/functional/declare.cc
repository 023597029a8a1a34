// Collective writes that were declared (overlap_declare.h, fcoll_overlap_declare): when which bytes are in the file, read
// back, and what becomes of those that are not as declared.
//   declare DIRECTORY [calls|bytes]
// With a word nothing is declared here, as mpirun was told: "calls", or "bytes" as well.
#include "declared_program.h"
#include "harness.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int kVariables = DECLARED_VARIABLES, kParticles = DECLARED_PARTICLES;

struct World {
    int rank = 0;
    int ranks = 1;
    bool declares = true;
    MPI_Offset step() const { return MPI_Offset{ranks} * kParticles * DECLARED_PARTICLE; }
};

std::string Says(int error, const char *call) {
    return error == MPI_SUCCESS ? "" : std::string(call) + " returns " + std::to_string(error);
}

class Test {
  public:
    Test(const World &world, const char *directory, const std::string &name, declared_order order, Results &results)
        : world_(world), order_(order), results_(results),
          name_(name + (order == DECLARED_RECORDS ? ".records" : ".arrays")), path_(PathOf(directory, "declare." + name_)) {
        if (world_.rank == 0) {
            unlink(path_.c_str());
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (MPI_File_open(MPI_COMM_WORLD, path_.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) !=
            MPI_SUCCESS) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }

    ~Test() {
        if (file != MPI_FILE_NULL) {
            Expect(Says(MPI_File_close(&file), "close"));
        }
        results_.Check(name_, wrong_);
        if (world_.rank == 0) {
            unlink(path_.c_str());
        }
    }

    void Declare() {
        if (world_.declares) {
            Expect(Says(declared_declare(file, order_), "overlap_declare"));
        }
    }

    void Write(int first, int last, int step = 0) {
        for (int variable = first; variable < last; ++variable) {
            Expect(
                Says(declared_write(file, order_, variable, step * world_.step(), BytesOf(variable, step).data()), "write"));
        }
    }

    // Of the file itself, past MPI: all bytes of this rank, or none.
    void Expect(int first, int last, bool there, int step = 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        const int fd = open(path_.c_str(), O_RDONLY);
        for (int variable = first; variable < last; ++variable) {
            const std::vector<char> bytes = BytesOf(variable, step);
            const int size = declared_size(variable);
            int found = 0;
            for (int particle = 0; particle < kParticles; ++particle) {
                std::vector<char> one(static_cast<std::size_t>(size));
                const MPI_Offset offset =
                    declared_offset(order_, variable) + particle * declared_stride(order_, variable) + step * world_.step();
                const bool read = pread(fd, one.data(), one.size(), offset) == size;
                found += read && std::memcmp(one.data(), &bytes[static_cast<std::size_t>(particle * size)], one.size()) == 0;
            }
            Expect(found == (there ? kParticles : 0)
                       ? ""
                       : "variable " + std::to_string(variable) + " of step " + std::to_string(step) + ": " +
                             std::to_string(found) + " particles are in the file");
        }
        close(fd);
        MPI_Barrier(MPI_COMM_WORLD);
    }

    void Expect(const std::string &wrong) { wrong_ = wrong_.empty() ? wrong : wrong_; }

    std::vector<char> BytesOf(int variable, int step, int rank = -1) const {
        return Stream(rank < 0 ? world_.rank : rank, kParticles * declared_size(variable), step * kVariables + variable);
    }

    MPI_File file = MPI_FILE_NULL;
    const std::string &path() const { return path_; }
    const World &world() const { return world_; }
    declared_order order() const { return order_; }

  private:
    const World &world_;
    const declared_order order_;
    Results &results_;
    const std::string name_;
    const std::string path_;
    std::string wrong_;
};

// The last call has all of them written, and they come again, further on, without a sync.
void Steps(Test &test) {
    test.Declare();
    for (int step = 0; step < 3; ++step) {
        test.Write(0, kVariables - 1, step);
        test.Expect(0, kVariables - 1, false, step);
        test.Write(kVariables - 1, kVariables, step);
        test.Expect(0, kVariables, true, step);
    }
}

void Sync(Test &test) {
    test.Declare();
    test.Write(0, 4);
    test.Expect(Says(MPI_File_sync(test.file), "sync"));
    test.Expect(0, 4, true);
    test.Write(4, kVariables);
    test.Expect(0, kVariables, true);
}

void Close(Test &test) {
    test.Declare();
    test.Write(0, 5);
    test.Expect(Says(MPI_File_close(&test.file), "close"));
    test.Expect(0, 5, true);
}

void ReadBack(Test &test) {
    test.Declare();
    test.Write(0, 3);
    const int other = (test.world().rank + 1) % test.world().ranks;
    const std::vector<char> expected = test.BytesOf(0, 0, other);
    std::vector<char> found(expected.size());
    MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    const MPI_Offset ahead =
        test.order() == DECLARED_RECORDS ? kParticles * DECLARED_PARTICLE : kParticles * declared_size(0);
    const MPI_Offset offset = declared_offset(test.order(), 0) + ahead * (other - test.world().rank);
    if (test.order() == DECLARED_ARRAYS) {
        test.Expect(Says(MPI_File_read_at_all(test.file, offset, found.data(), static_cast<int>(found.size()), MPI_BYTE,
                                              MPI_STATUS_IGNORE),
                         "read_at_all"));
        test.Expect(found == expected ? "" : "another rank's bytes are not there");
    } else {
        test.Expect(
            Says(MPI_File_read_at_all(test.file, offset, found.data(), 4, MPI_BYTE, MPI_STATUS_IGNORE), "read_at_all"));
        test.Expect(std::memcmp(found.data(), expected.data(), 4) == 0 ? "" : "another rank's bytes are not there");
    }
    test.Write(3, kVariables);
    test.Expect(0, kVariables, true);
}

// The size counts what is still in memory, of all ranks as far as they are where they said.
void Size(Test &test) {
    test.Declare();
    test.Write(0, 2);
    MPI_Offset size = 0;
    test.Expect(Says(MPI_File_get_size(test.file, &size), "get_size"));
    const bool arrays = test.order() == DECLARED_ARRAYS;
    const MPI_Offset whole = test.world().step();
    const MPI_Offset end = arrays ? MPI_Offset{kParticles} * 8 * test.world().ranks : whole - DECLARED_PARTICLE + 8;
    test.Expect(size == end ? "" : "the size is " + std::to_string(size) + " and not " + std::to_string(end));
    test.Write(2, kVariables);
    test.Expect(0, kVariables, true);
}

// A rank is elsewhere, has more bytes than there is room for, or none.
void Wrong(Test &test) {
    const MPI_Offset far = 10 * test.world().step();
    const bool deviates = test.world().rank == test.world().ranks - 1;
    const std::vector<char> more = Stream(100, 100000);
    test.Declare();
    test.Write(0, 3);
    MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    test.Expect(Says(MPI_File_write_at_all(test.file, far, more.data(), deviates ? 100 : 0, MPI_BYTE, MPI_STATUS_IGNORE),
                     "a write elsewhere"));
    test.Expect(
        Says(MPI_File_write_at_all(test.file, 2 * far, more.data(), deviates ? 100000 : 0, MPI_BYTE, MPI_STATUS_IGNORE),
             "a write without room"));
    test.Write(3, kVariables);
    test.Expect(Says(MPI_File_sync(test.file), "sync"));
    test.Expect(0, kVariables, true);
    std::vector<char> found(100000);
    MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at_all(test.file, far, found.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
    test.Expect(std::memcmp(found.data(), more.data(), 100) == 0 ? "" : "what is elsewhere is not in the file");
    MPI_File_read_at_all(test.file, 2 * far, found.data(), 100000, MPI_BYTE, MPI_STATUS_IGNORE);
    test.Expect(found == more ? "" : "what had no room is not in the file");
}

void Again(Test &test) {
    test.Declare();
    test.Write(0, 4);
    test.Declare(); // the calls are counted anew, and what was held is written
    test.Write(0, kVariables - 1, 1);
    test.Expect(0, 4, true);
    test.Expect(0, kVariables - 1, false, 1);
    test.Write(kVariables - 1, kVariables, 1);
    test.Expect(0, kVariables, true, 1);
    test.Expect(declared_refused(test.file));
    test.Write(0, 1, 2);
    test.Expect(0, 1, true, 2);
}

// The header leaves view and pointer alone.
void View(Test &test) {
    MPI_Datatype type;
    MPI_Type_vector(1, 4, 8, MPI_BYTE, &type);
    MPI_Type_create_resized(type, 0, 8, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(test.file, 16, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_File_seek(test.file, 5, MPI_SEEK_SET);
    test.Declare();
    MPI_Offset position = 0, byte = 0;
    MPI_File_get_position(test.file, &position);
    MPI_File_get_byte_offset(test.file, position, &byte);
    test.Expect(position == 5 && byte == 16 + 5 * 8 ? "" : "the pointer is at " + std::to_string(byte));
    MPI_Type_free(&type);
}

// Two files take turns, and nonblocking calls and those of one rank come in between.
void Mixed(Test &test, Test &other) {
    test.Declare();
    other.Declare();
    for (int variable = 0; variable < kVariables; ++variable) {
        test.Write(variable, variable + 1);
        other.Write(variable, variable + 1, 1);
        if (variable == 3) {
            const std::vector<char> bytes = Stream(200, 10);
            MPI_Request request;
            MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
            const MPI_Offset offset = 10 * test.world().step() + 10 * test.world().rank;
            test.Expect(
                Says(MPI_File_iwrite_at_all(test.file, offset, bytes.data(), 10, MPI_BYTE, &request), "iwrite_at_all"));
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            test.Expect(0, 4, true);
        }
    }
    test.Expect(0, kVariables, true);
    other.Expect(0, kVariables, true, 1);
}

// Its layout is too long for hints.
void Many(Test &test) {
    constexpr int kCount = 5000;
    const MPI_Offset from = 2 * kCount * test.world().rank;
    test.Expect(Says(declared_many(test.file, kCount, from), "overlap_declare"));
    const std::vector<char> bytes = test.BytesOf(0, 0);
    MPI_Datatype type;
    MPI_Type_vector(kCount, 1, 2, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_set_view(test.file, from, MPI_BYTE, type, "native", MPI_INFO_NULL);
    const std::vector<char> stream = Stream(test.world().rank, kCount);
    test.Expect(Says(MPI_File_write_all(test.file, stream.data(), kCount, MPI_BYTE, MPI_STATUS_IGNORE), "write"));
    struct stat found {};
    MPI_Barrier(MPI_COMM_WORLD);
    test.Expect(stat(test.path().c_str(), &found) == 0 && found.st_size == 0 ? "" : "the first call is written at once");
    MPI_Barrier(MPI_COMM_WORLD);
    test.Expect(Says(MPI_File_write_all(test.file, stream.data(), 0, MPI_BYTE, MPI_STATUS_IGNORE), "write"));
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<char> file(2 * kCount);
    const int fd = open(test.path().c_str(), O_RDONLY);
    const ssize_t read = pread(fd, file.data(), file.size(), from);
    close(fd);
    bool right = read >= 2 * kCount - 1;
    for (int i = 0; i < kCount; ++i) {
        right = right && file[static_cast<std::size_t>(2 * i)] == stream[static_cast<std::size_t>(i)];
    }
    test.Expect(right ? "" : "bytes are missing");
    MPI_Type_free(&type);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc < 2) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    world.declares = argc < 3;
    Results results;
    for (const declared_order order : {DECLARED_ARRAYS, DECLARED_RECORDS}) {
        const auto run = [&](const char *name, void (*body)(Test &)) {
            Test test(world, argv[1], name, order, results);
            body(test);
        };
        run("steps", Steps);
        run("sync", Sync);
        run("close", Close);
        run("read-back", ReadBack);
        {
            Test test(world, argv[1], "mixed", order, results), other(world, argv[1], "other", order, results);
            Mixed(test, other);
        }
        if (world.declares) {
            run("size", Size);
            run("wrong", Wrong);
            run("again", Again);
            run("view", View);
            run("many", Many);
        }
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
