// Collective writes that are left for later (fcoll_overlap_collect): when which bytes are in the file, who sees them, and
// where their errors come back. One check for each row of the table in README.
//   collect DIRECTORY [lockedfile]     with the word OMPIO keeps shared pointers in files, and there has to be one
#include "harness.h"

#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <glob.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int kBlock = 100, kCalls = 5;

struct World {
    int rank = 0;
    int ranks = 1;
    long long of_call() const { return static_cast<long long>(kBlock) * ranks; }
    long long bytes() const { return kCalls * of_call(); }
};

std::string Says(int error, const char *call) {
    return error == MPI_SUCCESS ? "" : std::string(call) + " returns " + std::to_string(error);
}

// Of the file itself, past MPI.
long long SizeOnDisk(const std::string &path) {
    struct stat found;
    return stat(path.c_str(), &found) == 0 ? static_cast<long long>(found.st_size) : -1;
}

std::vector<char> OnDisk(const std::string &path, long long offset, long long bytes) {
    std::vector<char> found(static_cast<std::size_t>(bytes), '\0');
    const int fd = open(path.c_str(), O_RDONLY);
    const ssize_t got = fd < 0 ? -1 : pread(fd, found.data(), found.size(), offset);
    found.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    if (fd >= 0) {
        close(fd);
    }
    return found;
}

class Test {
  public:
    Test(const World &world, const char *directory, const std::string &name, Results &results)
        : world_(world), results_(results), name_(name), path_(PathOf(directory, "collect." + name)) {}

    void Open(const char *seconds = "0") {
        if (world_.rank == 0) {
            unlink(path_.c_str());
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "fcoll_overlap_collect", "1048576");
        MPI_Info_set(info, "fcoll_overlap_collect_seconds", seconds);
        if (MPI_File_open(MPI_COMM_WORLD, path_.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file) != MPI_SUCCESS) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Info_free(&info);
    }

    long long Offset(int call, int rank) const { return call * world_.of_call() + static_cast<long long>(rank) * kBlock; }

    // The calls of a program: each rank a block of each.
    void Write(long long origin = 0) {
        for (int call = 0; call < kCalls; ++call) {
            const std::vector<char> stream = Stream(world_.rank, kBlock, call);
            MPI_Status status;
            Expect(Wrote(
                MPI_File_write_at_all(file, origin + Offset(call, world_.rank), stream.data(), kBlock, MPI_BYTE, &status),
                status, kBlock));
        }
    }

    // Nothing is in the file yet, or what was left would not be tested.
    void ExpectNothing() {
        MPI_Barrier(MPI_COMM_WORLD);
        Expect(SizeOnDisk(path_) == 0 ? "" : "bytes are in the file before anything asks for them");
        MPI_Barrier(MPI_COMM_WORLD);
    }

    // All of it, of all ranks or of this one, is in the file.
    void ExpectAll(bool own = false, long long origin = 0) {
        if (!own) {
            MPI_Barrier(MPI_COMM_WORLD);
        }
        for (int call = 0; call < kCalls; ++call) {
            for (int rank = own ? world_.rank : 0; rank < (own ? world_.rank + 1 : world_.ranks); ++rank) {
                const bool right = OnDisk(path_, origin + Offset(call, rank), kBlock) == Stream(rank, kBlock, call);
                Expect(right ? "" : "call " + std::to_string(call) + " of rank " + std::to_string(rank) + " is not there");
            }
        }
    }

    void Expect(const std::string &wrong) { wrong_ = wrong_.empty() ? wrong : wrong_; }

    void Close() {
        if (file != MPI_FILE_NULL) {
            Expect(Says(MPI_File_close(&file), "close"));
        }
    }

    ~Test() {
        Close();
        results_.Check(name_, wrong_);
        if (world_.rank == 0) {
            unlink(path_.c_str());
        }
    }

    MPI_File file = MPI_FILE_NULL;
    const std::string &path() const { return path_; }

  private:
    const World &world_;
    Results &results_;
    const std::string name_;
    const std::string path_;
    std::string wrong_;
};

int WriteAt(MPI_File file, long long offset, const char *bytes, int count, bool nonblocking) {
    if (!nonblocking) {
        return MPI_File_write_at(file, offset, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = MPI_File_iwrite_at(file, offset, bytes, count, MPI_BYTE, &request);
    return error == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
}

constexpr timespec kTick = {0, 50000000}; // longer than clocks of files tick

// Where OMPIO's component lockedfile keeps the shared pointer, beside the file; none where another one is chosen.
std::string LockFile(const std::string &path) {
    glob_t found;
    std::string lock;
    if (glob((path + "-*.lock").c_str(), 0, nullptr, &found) == 0) {
        lock = found.gl_pathv[0];
    }
    globfree(&found);
    return lock;
}

timespec WrittenAt(const std::string &path) {
    struct stat found;
    return stat(path.c_str(), &found) == 0 ? found.st_mtim : timespec{0, 0};
}

class Tests {
  public:
    Tests(const World &world, const char *directory, bool lockedfile, Results &results)
        : world_(world), directory_(directory), lockedfile_(lockedfile), results_(results) {}

    void Whole() {
        {
            Test test = Begun("sync");
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.ExpectAll();
        }
        {
            Test test = Begun("close");
            test.Close();
            test.ExpectAll();
        }
        {
            Test test = Begun("preallocate");
            test.Expect(Says(MPI_File_preallocate(test.file, 2 * world_.bytes()), "preallocate"));
            test.ExpectAll();
        }
        {
            Test test = Begun("atomic-mode");
            test.Expect(Says(MPI_File_set_atomicity(test.file, 1), "set_atomicity"));
            test.ExpectAll();
        }
    }

    void Reads() {
        {
            Test test = Begun("collective-read");
            const int other = (world_.rank + 1) % world_.ranks;
            std::vector<char> found(kBlock);
            test.Expect(Says(
                MPI_File_read_at_all(test.file, test.Offset(2, other), found.data(), kBlock, MPI_BYTE, MPI_STATUS_IGNORE),
                "read_at_all"));
            test.Expect(found == Stream(other, kBlock, 2) ? "" : "another rank's bytes are not there");
        }
        {
            Test test = Begun("independent-read");
            std::vector<char> found(kBlock);
            if (world_.rank == world_.ranks - 1) {
                test.Expect(Says(MPI_File_read_at(test.file, test.Offset(2, world_.rank), found.data(), kBlock, MPI_BYTE,
                                                  MPI_STATUS_IGNORE),
                                 "read_at"));
                test.Expect(found == Stream(world_.rank, kBlock, 2) ? "" : "its own bytes are not there");
                test.ExpectAll(true);
            }
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.ExpectAll();
        }
    }

    void Sizes() {
        {
            Test test = Begun("get_size");
            MPI_Offset size = 0, position = 0;
            if (world_.rank == 0) {
                test.Expect(Says(MPI_File_get_size(test.file, &size), "get_size"));
                test.Expect(size == world_.bytes() ? "" : "the size is " + std::to_string(size));
                test.Expect(Says(MPI_File_seek(test.file, 0, MPI_SEEK_END), "seek"));
                MPI_File_get_position(test.file, &position);
                test.Expect(position == world_.bytes() ? "" : "the end is at " + std::to_string(position));
            }
        }
        {
            Test test = Begun("set_size");
            test.Expect(Says(MPI_File_set_size(test.file, world_.of_call()), "set_size"));
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.Expect(SizeOnDisk(test.path()) == world_.of_call() ? "" : "what was written before is behind the end");
        }
    }

    void Writes() {
        {
            Test test = Begun("independent-write");
            const std::vector<char> later(kBlock, 'x');
            test.Expect(Says(
                MPI_File_write_at(test.file, test.Offset(1, world_.rank), later.data(), kBlock, MPI_BYTE, MPI_STATUS_IGNORE),
                "write_at"));
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.Expect(OnDisk(test.path(), test.Offset(1, world_.rank), kBlock) == later ? "" : "the earlier write stays");
        }
        for (const bool nonblocking : {false, true}) {
            Test test = Begun(nonblocking ? "write-elsewhere-nonblocking" : "write-elsewhere");
            const long long offset = world_.bytes() + world_.rank;
            const char own = static_cast<char>('a' + world_.rank);
            test.Expect(Says(WriteAt(test.file, offset, &own, 1, nonblocking), "write_at"));
            test.Expect(OnDisk(test.path(), test.Offset(1, world_.rank), kBlock) == Stream(world_.rank, kBlock, 1)
                            ? "what is left elsewhere is written"
                            : "");
            test.Expect(OnDisk(test.path(), offset, 1) == std::vector<char>{own} ? "" : "the write is not in the file");
            MPI_Barrier(MPI_COMM_WORLD);
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.ExpectAll();
            test.Expect(OnDisk(test.path(), offset, 1) == std::vector<char>{own} ? "" : "the write is gone");
        }
        for (const int end : {0, 1}) { // the byte before what a call left, and its first; its last, and the byte behind it
            Test test = Begun(end == 0 ? "write-across-the-begin" : "write-across-the-end");
            const char two[2] = {'u', 'v'};
            const long long offset = test.Offset(3, world_.rank) + (end == 0 ? -1 : kBlock - 1);
            test.Expect(Says(WriteAt(test.file, offset, two, 2, false), "write_at"));
            test.Expect(OnDisk(test.path(), test.Offset(1, world_.rank), kBlock) == Stream(world_.rank, kBlock, 1)
                            ? ""
                            : "what is left there is not written first");
            const int own = end == 0 ? 1 : 0; // the other byte is another rank's, which may write it later
            test.Expect(OnDisk(test.path(), offset + own, 1) == std::vector<char>{two[own]} ? ""
                                                                                            : "the earlier write stays");
        }
        {
            Test test = Begun("write-in-a-view-with-gaps");
            MPI_Datatype sparse;
            MPI_Type_create_resized(MPI_BYTE, 0, 2, &sparse);
            MPI_Type_commit(&sparse);
            test.Expect(Says(MPI_File_set_view(test.file, 0, MPI_BYTE, sparse, "native", MPI_INFO_NULL), "set_view"));
            MPI_Type_free(&sparse);
            const char later = 'w';
            test.Expect(Says(WriteAt(test.file, test.Offset(1, world_.rank) / 2, &later, 1, false), "write_at"));
            test.Expect(OnDisk(test.path(), test.Offset(1, world_.rank), 1) == std::vector<char>{later}
                            ? ""
                            : "the earlier write stays");
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.Expect(OnDisk(test.path(), test.Offset(1, world_.rank), 1) == std::vector<char>{later}
                            ? ""
                            : "the earlier write comes back");
        }
        {
            Test test = Begun("nonblocking-write");
            const std::vector<char> later(kBlock, 'y');
            MPI_Request request;
            test.Expect(Says(
                MPI_File_iwrite_at_all(test.file, test.Offset(1, world_.rank), later.data(), kBlock, MPI_BYTE, &request),
                "iwrite_at_all"));
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.Expect(OnDisk(test.path(), test.Offset(1, world_.rank), kBlock) == later ? "" : "the earlier write stays");
        }
        {
            Test test = Begun("ordered-write");
            const std::vector<char> later(kBlock, 'z');
            test.Expect(
                Says(MPI_File_write_ordered(test.file, later.data(), kBlock, MPI_BYTE, MPI_STATUS_IGNORE), "write_ordered"));
            test.Expect(Says(MPI_File_sync(test.file), "sync")); // some of Open MPI's are collective calls themselves
            test.Expect(OnDisk(test.path(), test.Offset(0, world_.rank), kBlock) == later ? "" : "the earlier write stays");
        }
    }

    // A view puts the shared pointer to its begin, whoever has moved it.
    void SharedPointer() {
        for (const char *by : {"one", "all", "nobody"}) {
            Test test = Begun(std::string("shared-pointer-moved-by-") + by);
            const std::string lock = LockFile(test.path());
            test.Expect(lock.empty() && lockedfile_ ? "there is no file with the shared pointer" : "");
            const auto view = [&] {
                test.Expect(Says(MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "set_view"));
            };
            view();
            if (by[0] == 'o' && world_.rank == world_.ranks - 1) {
                const char byte = 's';
                test.Expect(Says(MPI_File_write_shared(test.file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE), "write_shared"));
            } else if (by[0] == 'a') {
                test.Expect(Says(MPI_File_seek_shared(test.file, 7, MPI_SEEK_SET), "seek_shared"));
            }
            MPI_Barrier(MPI_COMM_WORLD);
            const timespec written = WrittenAt(lock);
            nanosleep(&kTick, nullptr);
            view();
            MPI_Barrier(MPI_COMM_WORLD);
            const timespec now = WrittenAt(lock);
            const bool again = now.tv_sec != written.tv_sec || now.tv_nsec != written.tv_nsec;
            test.Expect(by[0] == 'n' && again ? "a view writes a shared pointer that nobody has moved" : "");
            MPI_Barrier(MPI_COMM_WORLD); // OMPIO writes it to ask for it
            MPI_Offset position = -1;
            test.Expect(Says(MPI_File_get_position_shared(test.file, &position), "get_position_shared"));
            test.Expect(position == 0 ? "" : "the shared pointer is at " + std::to_string(position));
        }
    }

    // OMPIO's component sm has one pointer for files whose names end alike.
    void SharedPointerOfTwoHandles() {
        Test test = Begun("shared-pointer-of-two-handles");
        const auto view = [&] {
            test.Expect(Says(MPI_File_set_view(test.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "set_view"));
        };
        view();
        MPI_File other = MPI_FILE_NULL;
        test.Expect(Says(MPI_File_open(MPI_COMM_WORLD, test.path().c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &other), "open"));
        const char byte = 't';
        test.Expect(Says(MPI_File_write_shared(other, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE), "write_shared"));
        MPI_Barrier(MPI_COMM_WORLD);
        view();
        MPI_Offset position = -1;
        test.Expect(Says(MPI_File_get_position_shared(test.file, &position), "get_position_shared"));
        test.Expect(position == 0 ? "" : "the shared pointer is at " + std::to_string(position));
        MPI_Barrier(MPI_COMM_WORLD);
        test.Expect(Says(MPI_File_close(&other), "close"));
    }

    void Views() {
        {
            Test test = Begun("near-view");
            MPI_File_set_view(test.file, world_.bytes(), MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
            test.Write();
            test.ExpectNothing();
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.ExpectAll();
            test.ExpectAll(false, world_.bytes());
        }
        {
            Test test = Begun("far-view");
            constexpr MPI_Offset kFar = MPI_Offset{1} << 30;
            MPI_File_set_view(test.file, kFar, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
            test.Write();
            test.ExpectAll();
            test.Expect(SizeOnDisk(test.path()) == world_.bytes() ? "" : "what is far is not left for later");
            test.Expect(Says(MPI_File_sync(test.file), "sync"));
            test.ExpectAll(false, kFar);
        }
    }

    // As soon as MPI is called, however late that is.
    void Time() {
        Test test = Begun("seconds", "1");
        const time_t end = time(nullptr) + 30;
        while (time(nullptr) < end &&
               OnDisk(test.path(), test.Offset(0, world_.rank), kBlock) != Stream(world_.rank, kBlock, 0)) {
            int flag = 0;
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            usleep(10000);
        }
        test.ExpectAll(true);
    }

    // No byte behind the limit can be written, so the bytes of some ranks only are lost.
    void Errors() {
        signal(SIGXFSZ, SIG_IGN);
        for (const char *call : {"sync", "read", "write", "close"}) {
            Test test = Begun(std::string("error-from-") + call);
            MPI_Errhandler handler;
            MPI_File_create_errhandler(Hear, &handler);
            MPI_File_set_errhandler(test.file, handler);
            heard = MPI_SUCCESS;
            Limit(world_.bytes() / 2);
            int error = MPI_SUCCESS;
            std::vector<char> block(kBlock);
            if (std::strcmp(call, "sync") == 0) {
                error = MPI_File_sync(test.file);
            } else if (std::strcmp(call, "read") == 0) {
                error = MPI_File_read_at_all(test.file, 0, block.data(), kBlock, MPI_BYTE, MPI_STATUS_IGNORE);
            } else if (std::strcmp(call, "write") == 0) {
                MPI_File_read_at(test.file, 0, block.data(), 1, MPI_BYTE, MPI_STATUS_IGNORE); // each rank its own bytes
                error = MPI_File_write_at_all(test.file, test.Offset(0, world_.rank), block.data(), kBlock, MPI_BYTE,
                                              MPI_STATUS_IGNORE);
            } else {
                MPI_File_close(&test.file); // which returns success, whatever happens
                error = heard;
            }
            int error_class = MPI_SUCCESS;
            MPI_Error_class(error, &error_class);
            test.Expect(error_class == MPI_ERR_IO ? "" : std::string(call) + ": class " + std::to_string(error_class));
            test.Expect(heard == error ? "" : "the error handler does not hear of it");
            Limit(-1);
            if (test.file != MPI_FILE_NULL) {
                test.Expect(Says(MPI_File_sync(test.file), "the sync after it"));
            }
            MPI_Errhandler_free(&handler);
        }
    }

  private:
    Test Begun(const std::string &name, const char *seconds = "0") {
        Test test(world_, directory_, name, results_);
        test.Open(seconds);
        test.Write();
        if (std::strcmp(seconds, "0") == 0) {
            test.ExpectNothing();
        }
        return test;
    }

    static void Limit(long long bytes) {
        MPI_Barrier(MPI_COMM_WORLD);
        rlimit limit;
        getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = bytes < 0 ? limit.rlim_max : static_cast<rlim_t>(bytes);
        setrlimit(RLIMIT_FSIZE, &limit);
        MPI_Barrier(MPI_COMM_WORLD);
    }

    static int heard;
    static void Hear(MPI_File *, int *error, ...) { heard = *error; }

    const World &world_;
    const char *const directory_;
    const bool lockedfile_;
    Results &results_;
};

int Tests::heard = MPI_SUCCESS;

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc < 2 || (argc > 2 && std::strcmp(argv[2], "lockedfile") != 0)) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    World world;
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
    Results results;
    Tests tests(world, argv[1], argc > 2, results);
    tests.Whole();
    tests.Reads();
    tests.Sizes();
    tests.Writes();
    tests.Views();
    tests.SharedPointer();
    tests.SharedPointerOfTwoHandles();
    tests.Time();
    tests.Errors();
    const int failed = results.Finish();
    MPI_Finalize();
    return failed;
}
