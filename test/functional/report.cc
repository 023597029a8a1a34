// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What the component counts of a file, read as performance variables of the MPI tool interface while the file is written.
//   report DIRECTORY          two files at a time, written and read; the counters of each
//   report DIRECTORY fails    a write that has no room
//   report DIRECTORY static   stripes that are dealt to two aggregators
#include <mpi.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int kBlock = 4096;
constexpr int kWrites = 3;
constexpr rlim_t kRoom = 64 << 10; // bytes of a file

int passed = 0, failed = 0, rank = 0, ranks = 0;
int bytes_of_call = 1 << 20; // of a rank, a multiple of kBlock

void Check(bool holds, const std::string &what) {
    ++(holds ? passed : failed);
    if (!holds) {
        std::printf("FAIL rank %d: %s\n", rank, what.c_str());
    }
}

unsigned long long BytesOf(int calls) {
    return static_cast<unsigned long long>(calls) * static_cast<unsigned long long>(bytes_of_call);
}

double Now() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The component's variables by their names.
std::map<std::string, int> FindVariables() {
    std::map<std::string, int> found;
    int count = 0;
    MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count; ++i) {
        char name[256], help[512];
        int name_size = sizeof(name), help_size = sizeof(help);
        int verbosity, variable_class, bind, readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        const int ret = MPI_T_pvar_get_info(i, name, &name_size, &verbosity, &variable_class, &type, &enumeration, help,
                                            &help_size, &bind, &readonly, &continuous, &atomic);
        if (ret == MPI_SUCCESS && std::strncmp(name, "fcoll_overlap_", 14) == 0) {
            Check(bind == MPI_T_BIND_MPI_FILE && readonly != 0 && help_size > 1, std::string("what is said of ") + name);
            found[name + 14] = i;
        }
    }
    return found;
}

// A file with its counters.
class CountedFile {
  public:
    CountedFile(const std::string &path, const std::map<std::string, int> &variables, MPI_Info info = MPI_INFO_NULL) {
        const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
        Check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, info, &file_.handle) == MPI_SUCCESS, "open " + path);
        MPI_Datatype view;
        MPI_Type_vector(bytes_of_call / kBlock, kBlock, kBlock * ranks, MPI_BYTE, &view);
        MPI_Type_commit(&view);
        MPI_File_set_view(file_.handle, static_cast<MPI_Offset>(rank) * kBlock, MPI_BYTE, view, "native", MPI_INFO_NULL);
        MPI_Type_free(&view);
        MPI_T_pvar_session_create(&session_);
        for (const auto &[name, index] : variables) {
            int count = 0;
            Check(MPI_T_pvar_handle_alloc(session_, index, &file_.handle, &handles_[name], &count) == MPI_SUCCESS &&
                      count == 1,
                  "bind " + name);
        }
    }
    CountedFile(const CountedFile &) = delete;
    CountedFile &operator=(const CountedFile &) = delete;
    ~CountedFile() {
        for (auto &[name, handle] : handles_) {
            MPI_T_pvar_handle_free(session_, &handle);
        }
        MPI_T_pvar_session_free(&session_);
        MPI_File_close(&file_.handle);
    }

    MPI_File file() const { return file_.handle; }

    unsigned long long Count(const std::string &name) const {
        unsigned long long value = ~0ULL;
        Check(MPI_T_pvar_read(session_, handles_.at(name), &value) == MPI_SUCCESS, "read " + name);
        return value;
    }

    double Seconds(const std::string &name) const {
        double value = -1;
        Check(MPI_T_pvar_read(session_, handles_.at(name), &value) == MPI_SUCCESS, "read " + name);
        return value;
    }

  private:
    // 6.0.0rc2 takes the variable that holds a handle for the file, and refuses it by a flag that it reads behind it.
    struct {
        MPI_File handle = MPI_FILE_NULL;
        char behind[4096] = {};
    } file_;
    MPI_T_pvar_session session_ = nullptr;
    std::map<std::string, MPI_T_pvar_handle> handles_;
};

void CheckTimes(const CountedFile &file, const std::string &direction, double in_calls) {
    double sum = 0;
    for (const char *part : {"entry", "planning", "copy", "shuffle", "file", "finish"}) {
        sum += file.Seconds(direction + "_seconds_" + part);
    }
    const double elapsed = file.Seconds(direction + "_seconds_elapsed");
    Check(std::fabs(sum - elapsed) <= 1e-6 * elapsed, direction + "s: the times add up");
    Check(elapsed > 0 && elapsed <= in_calls, direction + "s: no more time than there was");
}

void CountCalls(const std::string &directory) {
    const std::map<std::string, int> variables = FindVariables();
    for (const char *name : {"write_calls", "write_bytes", "read_bytes", "write_seconds_elapsed", "read_seconds_shuffle"}) {
        if (variables.count(name) == 0) {
            Check(false, std::string("there is a variable ") + name);
            return;
        }
    }
    std::vector<char> bytes(BytesOf(1), 'x');
    CountedFile written(directory + "/counted", variables), other(directory + "/other", variables);
    double in_calls = 0;
    for (int i = 1; i <= kWrites; ++i) {
        const double began = Now();
        Check(MPI_File_write_at_all(written.file(), 0, bytes.data(), bytes_of_call, MPI_BYTE, MPI_STATUS_IGNORE) ==
                  MPI_SUCCESS,
              "a write");
        in_calls += Now() - began;
        Check(written.Count("write_calls") == static_cast<unsigned>(i), "each write is counted");
        Check(written.Count("write_bytes") == BytesOf(i), "so are its bytes");
        Check(other.Count("write_calls") == 0, "a write of one file is none of another");
    }
    CheckTimes(written, "write", in_calls);
    const int pieces = ranks == 1 ? 1 : bytes_of_call / kBlock;
    Check(written.Count("write_pieces") == static_cast<unsigned long long>(kWrites * pieces), "pieces");
    Check(written.Count("write_failed") == 0, "no write failed");
    MPI_Request request;
    MPI_File_iwrite_at_all(other.file(), 0, bytes.data(), bytes_of_call, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    Check(other.Count("write_nonblocking") == 1 && other.Count("write_calls") == 1, "a nonblocking write is counted");
    const double began = Now();
    MPI_File_read_at_all(written.file(), 0, bytes.data(), bytes_of_call, MPI_BYTE, MPI_STATUS_IGNORE);
    CheckTimes(written, "read", Now() - began);
    Check(written.Count("read_bytes") == BytesOf(1) && written.Count("write_calls") == kWrites, "reads are counted apart");
}

void FailToWrite(const std::string &directory) {
    const std::map<std::string, int> variables = FindVariables();
    std::vector<char> bytes(BytesOf(1), 'x');
    CountedFile file(directory + "/too-large", variables);
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit small{kRoom, limit.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    Check(MPI_File_write_at_all(file.file(), 0, bytes.data(), bytes_of_call, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS,
          "a write without room fails");
    setrlimit(RLIMIT_FSIZE, &limit);
    Check(file.Count("write_failed") == 1, "that is counted");
}

// As many stripes as ranks, and one is each rank's share: of three the first aggregator has two, the second one. Even
// domains would have as many bytes each.
void DealStripes(const std::string &directory) {
    const std::map<std::string, int> variables = FindVariables();
    const int stripe = bytes_of_call = 64 << 10;
    const std::vector<char> bytes(BytesOf(1), 'x');
    MPI_Info info;
    MPI_Info_create(&info);
    for (const char *hint : {"striping_unit", "cb_buffer_size"}) {
        MPI_Info_set(info, hint, std::to_string(stripe).c_str());
    }
    MPI_Info_set(info, "cb_nodes", "2");
    MPI_Info_set(info, "fcoll_overlap_partition", "static");
    CountedFile file(directory + "/striped", variables, info);
    MPI_Info_free(&info);
    Check(MPI_File_write_at_all(file.file(), 0, bytes.data(), stripe, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS,
          "a write");
    unsigned long long here = file.Count("write_bytes_of_file"), most = 0;
    MPI_Allreduce(&here, &most, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    Check(most == static_cast<unsigned long long>((ranks + 1) / 2) * BytesOf(1), "stripes are dealt in turn");
}

} // namespace

int main(int argc, char **argv) {
    int provided = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc == 3 && std::strcmp(argv[2], "fails") == 0) {
        FailToWrite(argv[1]);
    } else if (argc == 3 && std::strcmp(argv[2], "static") == 0) {
        DealStripes(argv[1]);
    } else if (argc == 2) {
        CountCalls(argv[1]);
    }
    int counts[2] = {passed, failed}, all[2] = {0, 0};
    MPI_Reduce(counts, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::printf("%d passed, %d failed\n", all[0], all[1]);
    }
    MPI_T_finalize(); // first: behind MPI_Finalize 4.1.4 ends with a signal, whatever the components
    MPI_Finalize();
    return failed == 0 && passed > 0 ? 0 : 1;
}
