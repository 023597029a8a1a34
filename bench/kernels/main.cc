// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// overlap-bench: the patterns of the papers and of users, written collectively, timed and verified.
#include "../common/version.h"
#include "device.h"
#include "kernels.h"
#include "report.h"
#include "target.h"
#include "together.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

namespace bench {
namespace {

class Mpi {
  public:
    Mpi(int *argc, char ***argv) { MPI_Init(argc, argv); }
    ~Mpi() { MPI_Finalize(); }
    Mpi(const Mpi &) = delete;
    Mpi &operator=(const Mpi &) = delete;
};

// In one write: what two writes to standard error say, mpirun may part with a line of standard output between them.
void Complain(const std::string &what) { std::cerr << "overlap-bench: " + what + "\n"; }

int Parse(CLI::App &app, int argc, char **argv, int rank) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        std::ostringstream out, err;
        const int code = app.exit(error, out, err);
        if (rank == 0) {
            std::cout << out.str();
            std::cerr << err.str();
        }
        return code == 0 ? -1 : 2;
    }
    return 0;
}

int Report(const Run &run, const Measurement &measurement) {
    const nlohmann::ordered_json json = ToJson(run, measurement);
    std::cout << ToTable(json);
    if (!measurement.error.empty()) {
        Complain(measurement.error);
    }
    if (!run.options.json.empty()) {
        std::ofstream out(run.options.json);
        out << json.dump(2) << "\n";
        out.close();
        if (!out) {
            Complain("cannot write " + run.options.json);
            return 1;
        }
    }
    return measurement.error.empty() ? 0 : 1;
}

// For all ranks, or for none. Ranks of a node share its devices.
bool FindDevice(Options &options, int rank) {
    MPI_Comm node;
    int turn = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &turn);
    MPI_Comm_free(&node);
    std::string why;
    options.device = Device::Find(turn, why);
    int found = options.device != nullptr ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (found == 0 && rank == 0) {
        Complain(options.device != nullptr ? "no GPU: another rank finds none" : "no GPU: " + why);
    }
    return found != 0;
}

/// This rank's group and its file, as the options say.
class Grouping {
  public:
    Grouping(Options &options, int rank, int ranks) : options_(options) {
        if (ranks % options.groups != 0) {
            throw std::invalid_argument("the number of ranks is no multiple of --groups");
        }
        if (options.groups > 1) {
            const int number = rank / (ranks / options.groups);
            MPI_Comm_split(MPI_COMM_WORLD, number, rank, &options.group);
            options.file += "." + std::to_string(number);
        }
    }
    ~Grouping() {
        if (options_.groups > 1) {
            MPI_Comm_free(&options_.group);
        }
    }
    Grouping(const Grouping &) = delete;
    Grouping &operator=(const Grouping &) = delete;
    int size() const {
        int ranks = 0;
        MPI_Comm_size(options_.group, &ranks);
        return ranks;
    }

  private:
    Options &options_;
};

int Main(int argc, char **argv) {
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CLI::App app("Collective writes of known patterns. Sizes take the suffixes k, m and g (powers of 1024). "
                 "+ between two commands runs both in one start.",
                 "overlap-bench");
    app.set_version_flag("--version", bench::Version());
    app.require_subcommand(1);
    const Kernel kernels[] = {AddIor(app),  AddTile(app), AddFlash(app),   AddHpio(app), AddHacc(app),
                              AddBtio(app), AddCube(app), AddLattice(app), AddLists(app)};
    Options options;
    AddOptions(app, options);
    if (const int code = Parse(app, argc, argv, rank); code != 0) {
        return code > 0 ? code : 0;
    }
    for (const Kernel &kernel : kernels) {
        if (!kernel.command->parsed()) {
            continue;
        }
        try {
            const Grouping grouping(options, rank, ranks);
            kernel.pattern->Parameters(grouping.size());
            if (options.method == Method::kHdf5 && !kernel.hdf5) {
                throw std::invalid_argument("this kernel has no data sets: hdf5 goes with flash");
            }
            if (options.on_device && options.method != Method::kMpiIo) {
                throw std::invalid_argument("--device goes with --method mpiio");
            }
            if (options.declares && options.method != Method::kMpiIo) {
                throw std::invalid_argument("--declare goes with --method mpiio");
            }
            if (options.groups > 1 && options.method != Method::kMpiIo) {
                throw std::invalid_argument("--groups goes with --method mpiio");
            }
            if (options.on_device && !FindDevice(options, rank)) {
                return 77;
            }
            const Run run{kernel.command->get_name(), options, *kernel.pattern, grouping.size(), Nodes()};
            Measurement measurement = Measure(options, *kernel.pattern);
            measurement.peak_memory = PeakMemory();
            int code = rank == 0 ? Report(run, measurement) : 0;
            MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
            return code;
        } catch (const std::invalid_argument &error) {
            if (rank == 0) {
                Complain(error.what());
            }
            return 2;
        }
    }
    return 2;
}

// One start of mpirun, which may take longer than a kernel, for several: "+" stands between their words. The highest exit
// code counts.
int MainOfEach(int argc, char **argv) {
    int highest = 0;
    char **const end = argv + argc;
    for (char **begin = argv + 1; begin <= end;) {
        char **const next = std::find_if(begin, end, [](const char *word) { return std::strcmp(word, "+") == 0; });
        std::vector<char *> words = {argv[0]};
        words.insert(words.end(), begin, next);
        const int count = static_cast<int>(words.size());
        words.push_back(nullptr);
        highest = std::max(highest, Main(count, words.data()));
        begin = next + 1;
    }
    return highest;
}

} // namespace
} // namespace bench

int main(int argc, char **argv) {
    const bench::Mpi mpi(&argc, &argv);
    return bench::MainOfEach(argc, argv);
}
