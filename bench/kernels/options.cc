// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "options.h"

#include "kernels.h"

#include <map>

namespace bench {
namespace {

void AddNonblocking(CLI::App &command, Options &options) {
    CLI::Option *const nonblocking =
        command
            .add_flag(
                "--nonblocking", options.nonblocking,
                "time how much of the calls a computation hides: blocking calls, the computation, then nonblocking calls "
                "with the computation before their MPI_Waitall; only with --method mpiio")
            ->excludes(command.get_option("--sync"))
            ->excludes(command.get_option("--common"))
            ->excludes(command.get_option("--groups"));
    command.add_option("--test-every", options.test_every, "seconds of computation between two MPI_Testall (0: none)")
        ->check(CLI::NonNegativeNumber)
        ->needs(nonblocking)
        ->capture_default_str();
    command
        .add_option("--compute", options.compute,
                    "seconds of computation for a checkpoint (0: as long as its blocking calls take)")
        ->check(CLI::NonNegativeNumber)
        ->needs(nonblocking)
        ->capture_default_str();
    command
        .add_option(
            "--compute-by", options.compute_by,
            "spin: arithmetic, which competes for processors with the calls; sleep: as if ranks computed on processors "
            "of their own")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, ComputeBy>{{"spin", ComputeBy::kSpin}, {"sleep", ComputeBy::kSleep}}))
        ->needs(nonblocking);
}

void AddTo(CLI::App &command, Options &options) {
    command.add_option("--file", options.file, "the file to write")->required();
    command.add_option("--repetitions", options.repetitions, "measured repetitions")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--warm-ups", options.warm_ups, "repetitions before them that do not count")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command.add_option("--checkpoints", options.checkpoints, "checkpoints, one behind the other in the file")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_flag("--keep-file", options.keep_file, "write over the file of the repetition before, not into a fresh one");
    command.add_flag("--read", options.read,
                     "write the file before each repetition, untimed, and time the collective reads that read it back; only "
                     "with --method mpiio");
    command
        .add_option("--common", options.common,
                    "ranks that read what rank 0 has written, from rank 0 on; the others read their own (0: none)")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--groups", options.groups,
                    "communicators, each of its share of the ranks and with a file of its own; only with --method mpiio")
        ->check(CLI::PositiveNumber);
    command.add_flag(
        "--device", options.on_device,
        "buffers in the memory of a GPU (CUDA or HIP), which MPI has to know of; only with --method mpiio; exit code 77 "
        "where a rank finds none");
    command.add_flag("--sync", options.sync, "MPI_File_sync at the end of each repetition, counted");
    command.add_flag("--declare", options.declares,
                     "declare the calls of a checkpoint (overlap_declare.h of the component), so that they are written as "
                     "one; only with --method mpiio");
    command.add_flag("--verify", options.verify,
                     "compare every byte of the file after each repetition, gaps and size included, or what was read");
    command.add_flag("--verify-only", options.verify_only, "write nothing, compare the file that is there");
    command.add_flag("--leave-file", options.leave_file, "do not remove the file at the end");
    command.add_flag("--progress", options.progress, "a line on standard error each second, also where that is no terminal");
    command.add_option("--hint", options.hints,
                       "KEY=VALUE for MPI_File_open, GIO_open or H5Pset_fapl_mpio, may be repeated");
    command.add_option("--json", options.json, "write every time, all parameters, versions and the machine to this file");
    command
        .add_option_function<std::string>(
            "--method",
            [&options](const std::string &name) {
                for (const Method method :
                     {Method::kMpiIo, Method::kAlltoallv, Method::kOnlyWrite, Method::kHdf5, Method::kGio}) {
                    if (name == Name(method)) {
                        options.method = method;
                    }
                }
            },
            "mpiio: collective writes; alltoallv: a hand-written MPI_Alltoallv and pwrite(2); only-write: the aggregators' "
            "writes without a shuffle; hdf5: a data set for each call (flash); gio: the engine of PnetCDF 1.15")
        ->check(CLI::IsMember({"mpiio", "alltoallv", "only-write", "hdf5", "gio"}))
        ->default_str("mpiio");
    command.add_flag_callback(
        "--only-write", [&options] { options.method = Method::kOnlyWrite; }, "--method only-write");
    command
        .add_option("--aggregators", options.aggregators,
                    "ranks that write in only-write (0: one on each node, two on a single node) and alltoallv (0: all)")
        ->check(CLI::NonNegativeNumber);
    AddSize(command, "--write-size", options.write_size, "bytes of one pwrite(2) in only-write and alltoallv")
        ->check(CLI::PositiveNumber);
    AddNonblocking(command, options);
}

} // namespace

void AddOptions(CLI::App &app, Options &options) {
    for (CLI::App *command : app.get_subcommands({})) {
        AddTo(*command, options);
    }
}

const char *Name(Method method) {
    switch (method) {
    case Method::kMpiIo:
        return "mpiio";
    case Method::kAlltoallv:
        return "alltoallv";
    case Method::kOnlyWrite:
        return "only-write";
    case Method::kHdf5:
        return "hdf5";
    case Method::kGio:
        return "gio";
    }
    return "";
}

const char *Name(ComputeBy by) { return by == ComputeBy::kSpin ? "spin" : "sleep"; }

} // namespace bench
