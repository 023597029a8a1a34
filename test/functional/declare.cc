// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Declared writes (overlap_declare.h): when which bytes are in the file, which accesses return MPI_ERR_ACCESS, and where
// errors come back.
//   declare DIRECTORY [threads]
// With the word the program asks for MPI_THREAD_MULTIPLE, where nothing is declared.
#include "declared_program.h"
#include "harness.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int kVariables = DECLARED_VARIABLES, kParticles = DECLARED_PARTICLES;

struct World {
    int rank = 0;
    int ranks = 1;
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

    void Declare() { Expect(Says(declared_declare(file, order_), "overlap_declare")); }

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

// The size counts the bytes of this rank that are held.
void Size(Test &test) {
    test.Declare();
    test.Write(0, 2);
    MPI_Offset size = 0;
    test.Expect(Says(MPI_File_get_size(test.file, &size), "get_size"));
    const MPI_Offset end =
        declared_offset(test.order(), 1) + (kParticles - 1) * declared_stride(test.order(), 1) + declared_size(1);
    test.Expect(size == end ? "" : "the size is " + std::to_string(size) + " and not " + std::to_string(end));
    test.Write(2, kVariables);
    test.Expect(0, kVariables, true);
}

// Calls that write other bytes than declared, or none.
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
             "a larger write"));
    test.Write(3, kVariables);
    test.Expect(Says(MPI_File_sync(test.file), "sync"));
    test.Expect(0, kVariables, true);
    std::vector<char> found(100000);
    MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at_all(test.file, far, found.data(), 100, MPI_BYTE, MPI_STATUS_IGNORE);
    test.Expect(std::memcmp(found.data(), more.data(), 100) == 0 ? "" : "the write elsewhere is not in the file");
    MPI_File_read_at_all(test.file, 2 * far, found.data(), 100000, MPI_BYTE, MPI_STATUS_IGNORE);
    test.Expect(found == more ? "" : "the larger write is not in the file");
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

// Calls of two files alternate, with a nonblocking collective call in between.
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

// The layout is too long for info keys.
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
    test.Expect(stat(test.path().c_str(), &found) == 0 && found.st_size > 0 ? "" : "the first call is held");
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

int ClassOf(int error) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(error, &error_class);
    return error_class;
}

int Waited(int error, MPI_Request &request) { return error == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error; }

// The independent calls of MPI, by how they say where the access is.
enum class By { kOffset, kPointer, kSharedPointer };

struct Call {
    const char *name;
    By by;
    bool reads;
    int (*make)(MPI_File file, MPI_Offset offset, char *bytes, int count);
};

constexpr Call kIndependent[] = {
    {"write_at", By::kOffset, false,
     [](MPI_File file, MPI_Offset offset, char *bytes, int count) {
         return MPI_File_write_at(file, offset, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
     }},
    {"read_at", By::kOffset, true,
     [](MPI_File file, MPI_Offset offset, char *bytes, int count) {
         return MPI_File_read_at(file, offset, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
     }},
    {"iwrite_at", By::kOffset, false,
     [](MPI_File file, MPI_Offset offset, char *bytes, int count) {
         MPI_Request request = MPI_REQUEST_NULL;
         return Waited(MPI_File_iwrite_at(file, offset, bytes, count, MPI_BYTE, &request), request);
     }},
    {"iread_at", By::kOffset, true,
     [](MPI_File file, MPI_Offset offset, char *bytes, int count) {
         MPI_Request request = MPI_REQUEST_NULL;
         return Waited(MPI_File_iread_at(file, offset, bytes, count, MPI_BYTE, &request), request);
     }},
    {"write", By::kPointer, false,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         return MPI_File_write(file, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
     }},
    {"read", By::kPointer, true,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         return MPI_File_read(file, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
     }},
    {"iwrite", By::kPointer, false,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         MPI_Request request = MPI_REQUEST_NULL;
         return Waited(MPI_File_iwrite(file, bytes, count, MPI_BYTE, &request), request);
     }},
    {"iread", By::kPointer, true,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         MPI_Request request = MPI_REQUEST_NULL;
         return Waited(MPI_File_iread(file, bytes, count, MPI_BYTE, &request), request);
     }},
    {"write_shared", By::kSharedPointer, false,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         return MPI_File_write_shared(file, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
     }},
    {"read_shared", By::kSharedPointer, true,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         return MPI_File_read_shared(file, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
     }},
    {"iwrite_shared", By::kSharedPointer, false,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         MPI_Request request = MPI_REQUEST_NULL;
         return Waited(MPI_File_iwrite_shared(file, bytes, count, MPI_BYTE, &request), request);
     }},
    {"iread_shared", By::kSharedPointer, true,
     [](MPI_File file, MPI_Offset, char *bytes, int count) {
         MPI_Request request = MPI_REQUEST_NULL;
         return Waited(MPI_File_iread_shared(file, bytes, count, MPI_BYTE, &request), request);
     }},
};

// Bytes of the file from `offset` on, past MPI.
std::vector<char> OnDisk(const std::string &path, MPI_Offset offset, std::size_t count) {
    std::vector<char> bytes(count, '?');
    const int fd = open(path.c_str(), O_RDONLY);
    if (pread(fd, bytes.data(), count, offset) < 0) {
        bytes.clear();
    }
    close(fd);
    return bytes;
}

// The calls are one step further on than declared. Each kind of access is made to the first bytes of the range, in front of
// it and behind it.
void Independent(Test &test) {
    const MPI_Offset whole = test.world().step(), behind = 4 * whole + 8 * test.world().rank;
    test.Declare();
    for (const Call &call : kIndependent) {
        const std::string name = call.name;
        test.Write(0, 4, 1);
        MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        for (const MPI_Offset at : {whole, 2 * whole - 1, whole - 4, behind}) {
            const bool inside = at != behind && at + 8 > whole;
            const bool all = call.by == By::kSharedPointer; // the pointer is that of all ranks
            char bytes[8] = {'#', '#', '#', '#', '#', '#', '#', '#'};
            if (call.by == By::kPointer) {
                MPI_File_seek(test.file, at, MPI_SEEK_SET);
            } else if (all) {
                MPI_File_seek_shared(test.file, inside ? at : 4 * whole, MPI_SEEK_SET);
            }
            if (!inside && call.reads) {
                MPI_File_write_at(test.file, at, "01234567", 8, MPI_BYTE, MPI_STATUS_IGNORE);
                MPI_Barrier(MPI_COMM_WORLD);
            }
            const std::vector<char> before = OnDisk(test.path(), at, 8);
            MPI_Barrier(MPI_COMM_WORLD);
            const int error_class = ClassOf(call.make(test.file, at, bytes, 8));
            MPI_Barrier(MPI_COMM_WORLD); // before a rank that is ahead moves the shared pointer
            const int expected = inside ? MPI_ERR_ACCESS : MPI_SUCCESS;
            test.Expect(error_class == expected
                            ? ""
                            : name + " at " + std::to_string(at) + ": class " + std::to_string(error_class));
            if (inside) {
                test.Expect(OnDisk(test.path(), at, 8) == before ? "" : name + " writes into the range");
                test.Expect(std::count(bytes, bytes + 8, '#') == 8 ? "" : name + " reads from the range");
            } else if (call.reads) {
                test.Expect(std::count(bytes, bytes + 8, '#') == 0 ? "" : name + " does not read behind the range");
            } else if (!all) {
                test.Expect(OnDisk(test.path(), at, 8) == std::vector<char>(8, '#')
                                ? ""
                                : name + " does not write behind the range");
            }
        }
        MPI_Barrier(MPI_COMM_WORLD);
        test.Write(4, kVariables, 1);
        test.Expect(0, kVariables, true, 1);
    }
}

// Blocks on both sides of the range pass, and one block in it is refused.
void Gaps(Test &test) {
    const MPI_Offset whole = test.world().step();
    test.Declare();
    test.Write(0, 4, 1);
    for (const MPI_Offset second : {2 * whole, 2 * whole - 1}) {
        const int lengths[2] = {4, 4};
        const MPI_Aint starts[2] = {0, static_cast<MPI_Aint>(second - (whole - 4))};
        MPI_Datatype type;
        MPI_Type_create_hindexed(2, lengths, starts, MPI_BYTE, &type);
        MPI_Type_commit(&type);
        MPI_File_set_view(test.file, whole - 4, MPI_BYTE, type, "native", MPI_INFO_NULL);
        const int expected = second == 2 * whole ? MPI_SUCCESS : MPI_ERR_ACCESS;
        for (const bool pointer : {false, true}) {
            const int error = pointer ? MPI_File_write(test.file, "abcdefg", 6, MPI_BYTE, MPI_STATUS_IGNORE)
                                      : MPI_File_write_at(test.file, 0, "abcdefg", 6, MPI_BYTE, MPI_STATUS_IGNORE);
            test.Expect(ClassOf(error) == expected
                            ? ""
                            : "second block at " + std::to_string(second) + ": " + std::to_string(error));
        }
        test.Expect(Says(MPI_File_write_at(test.file, 0, "abcd", 4, MPI_BYTE, MPI_STATUS_IGNORE), "the first block alone"));
        test.Expect(expected == ClassOf(MPI_File_write_at(test.file, 4, "a", 1, MPI_BYTE, MPI_STATUS_IGNORE))
                        ? ""
                        : "a byte of the second block");
        MPI_Type_free(&type);
    }
    MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    test.Write(4, kVariables, 1);
    test.Expect(0, kVariables, true, 1);
}

// Another thread could access the file between the calls.
void Threads(Test &test) {
    test.Declare();
    test.Write(0, 1);
    test.Expect(0, 1, true);
    test.Write(1, kVariables);
    test.Expect(0, kVariables, true);
}

// Each collective call writes first what is held.
void Collective(Test &test) {
    const MPI_Offset far = 10 * test.world().step();
    struct Other {
        const char *name;
        int (*make)(MPI_File file, MPI_Offset far);
    };
    static char bytes[16];
    const Other others[] = {
        {"sync", [](MPI_File file, MPI_Offset) { return MPI_File_sync(file); }},
        {"set_size", [](MPI_File file, MPI_Offset size) { return MPI_File_set_size(file, size); }},
        {"preallocate", [](MPI_File file, MPI_Offset size) { return MPI_File_preallocate(file, size); }},
        {"read_at_all",
         [](MPI_File file, MPI_Offset at) {
             return MPI_File_read_at_all(file, at, bytes, 16, MPI_BYTE, MPI_STATUS_IGNORE);
         }},
        {"read_at_all_begin",
         [](MPI_File file, MPI_Offset at) {
             const int error = MPI_File_read_at_all_begin(file, at, bytes, 16, MPI_BYTE);
             return error == MPI_SUCCESS ? MPI_File_read_at_all_end(file, bytes, MPI_STATUS_IGNORE) : error;
         }},
        {"iread_at_all",
         [](MPI_File file, MPI_Offset at) {
             MPI_Request request = MPI_REQUEST_NULL;
             return Waited(MPI_File_iread_at_all(file, at, bytes, 16, MPI_BYTE, &request), request);
         }},
        {"iwrite_at_all",
         [](MPI_File file, MPI_Offset at) {
             MPI_Request request = MPI_REQUEST_NULL;
             return Waited(MPI_File_iwrite_at_all(file, at, bytes, 16, MPI_BYTE, &request), request);
         }},
        {"external32",
         [](MPI_File file, MPI_Offset) {
             return MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL);
         }},
        {"read_ordered",
         [](MPI_File file, MPI_Offset) { return MPI_File_read_ordered(file, bytes, 1, MPI_BYTE, MPI_STATUS_IGNORE); }},
        {"set_atomicity", [](MPI_File file, MPI_Offset) { return MPI_File_set_atomicity(file, 1); }},
    };
    for (const Other &other : others) {
        test.Declare();
        test.Write(0, 4);
        MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        test.Expect(Says(other.make(test.file, far), other.name));
        test.Expect(0, 4, true);
        MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        test.Write(4, kVariables);
        test.Expect(0, kVariables, true);
        MPI_File_set_size(test.file, 0);
    }
}

// The keys of the header do not stay in the info, and are not heard when a file is opened.
void Info(Test &test) {
    test.Declare();
    MPI_Info info;
    MPI_File_get_info(test.file, &info);
    int keys = 0;
    MPI_Info_get_nkeys(info, &keys);
    for (int i = 0; i < keys; ++i) {
        char key[MPI_MAX_INFO_KEY + 1];
        MPI_Info_get_nthkey(info, i, key);
        test.Expect(std::strstr(key, "overlap_declared") == nullptr ? "" : std::string("the info has ") + key);
    }
    MPI_Info_free(&info);
    MPI_File_close(&test.file);
    MPI_Info_create(&info);
    MPI_Info_set(info, "overlap_declared_writes", "1");
    MPI_Info_set(info, "overlap_declared_writes_1", "0:4;0:4;");
    MPI_File_open(MPI_COMM_WORLD, test.path().c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &test.file);
    MPI_Info_free(&info);
    test.Write(0, 1);
    test.Expect(0, 1, true);
}

void Limit(MPI_Offset bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : static_cast<rlim_t>(bytes);
    setrlimit(RLIMIT_FSIZE, &limit);
    MPI_Barrier(MPI_COMM_WORLD);
}

int heard = MPI_SUCCESS;
void Hear(MPI_File *, int *error, ...) { heard = *error; }

// No byte beyond the limit can be written. Each call returns the error on all ranks; close gives it to the error handler.
void Errors(Test &test) {
    const char *const calls[] = {"write", "sync", "read", "declare", "close"};
    signal(SIGXFSZ, SIG_IGN);
    for (const std::string call : calls) {
        MPI_Errhandler handler;
        MPI_File_create_errhandler(Hear, &handler);
        MPI_File_set_errhandler(test.file, handler);
        MPI_Errhandler_free(&handler);
        test.Declare();
        test.Write(0, kVariables - 1);
        std::vector<char> bytes = test.BytesOf(kVariables - 1, 0);
        Limit(16);
        int error = MPI_SUCCESS;
        if (call == "write") {
            error = declared_write(test.file, test.order(), kVariables - 1, 0, bytes.data());
        } else if (call == "sync") {
            error = MPI_File_sync(test.file);
        } else if (call == "read") {
            error = MPI_File_read_at_all(test.file, 0, bytes.data(), 1, MPI_BYTE, MPI_STATUS_IGNORE);
        } else if (call == "declare") {
            test.Declare();
            error = MPI_File_write_at_all(test.file, 0, bytes.data(), 0, MPI_BYTE, MPI_STATUS_IGNORE);
        } else {
            heard = MPI_SUCCESS;
            MPI_File_close(&test.file); // returns success, whatever happens
            error = heard;
        }
        test.Expect(ClassOf(error) == MPI_ERR_IO ? "" : call + ": class " + std::to_string(ClassOf(error)));
        Limit(-1);
        if (test.file != MPI_FILE_NULL) {
            test.Expect(Says(MPI_File_sync(test.file), "the sync after it"));
        }
    }
}

} // namespace

int main(int argc, char **argv) {
    const bool threads = argc > 2 && std::strcmp(argv[2], "threads") == 0;
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    if (argc < 2) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    Results results;
    for (const declared_order order : {DECLARED_ARRAYS, DECLARED_RECORDS}) {
        const auto run = [&](const char *name, void (*body)(Test &)) {
            Test test(world, argv[1], name, order, results);
            body(test);
        };
        if (threads) {
            run("threads", Threads);
            continue;
        }
        run("steps", Steps);
        run("sync", Sync);
        run("close", Close);
        run("read-back", ReadBack);
        {
            Test test(world, argv[1], "mixed", order, results), other(world, argv[1], "other", order, results);
            Mixed(test, other);
        }
        run("size", Size);
        run("wrong", Wrong);
        run("again", Again);
        run("view", View);
        run("many", Many);
        run("independent", Independent);
        run("gaps", Gaps);
        run("collective", Collective);
        run("info", Info);
        run("errors", Errors);
    }
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
