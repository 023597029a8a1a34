// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "jobs.h"

#include "../common/median.h"
#include "../compare.d/testbed.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace against {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const char *const kTimeLimit = "120"; // seconds of a job

// Only calls whose number does not depend on how long something waits.
const char *const kCounted = "trace=pread64,pwrite64,preadv,pwritev,preadv2,pwritev2,io_submit,fcntl,fsync,"
                             "fdatasync,ftruncate,fallocate,process_vm_readv,process_vm_writev";

void Append(Words &words, const Words &more) { words.insert(words.end(), more.begin(), more.end()); }

Json ReadJson(const std::string &path) {
    std::ifstream in(path);
    return in ? Json::parse(in, nullptr, false) : Json();
}

Words Mpirun(const Side &side, const Setting &setting, const Programs &programs) {
    Words words = {programs.mpirun, "--oversubscribe", "-n", std::to_string(setting.ranks)};
    if (setting.hosts > 1) {
        words = {programs.tools + "/cluster",
                 "--name",
                 programs.cluster,
                 "run",
                 "--ranks-per-host",
                 std::to_string(setting.ranks / setting.hosts),
                 "--mpirun",
                 programs.mpirun,
                 "--"};
    }
    Append(words, side.mca);
    return words;
}

// A folder that is new for each job and goes with it, so that no job has the time of removing another one's files.
Words Kernel(const Side &side, const Case &one, const std::string &data, const std::string &results) {
    Words words = one.kernel;
    Append(words, {"--repetitions", std::to_string(one.repetitions), "--warm-ups", std::to_string(one.warm_ups), "--file",
                   data + "/" + one.name, "--json", results + "/" + one.name});
    Append(words, side.bench);
    return words;
}

// Complains of a job that failed, unless its results tell it.
void Run(const Words &command, const std::string &output, bool complain = true) {
    Words limited = {"timeout", "-k", "10", kTimeLimit};
    Append(limited, command);
    if (const int code = compare::Run(limited, output); code != 0 && complain) {
        std::cerr << "exit code " << code << " of " << compare::Quoted(limited) << "\n";
        for (const std::string &line : compare::LastLines(output, 10)) {
            std::cerr << line << "\n";
        }
    }
}

std::optional<double> SecondsOf(const Case &one, const Json &result) {
    if (!result.is_object() || result.contains("error") || result.value("repetitions", Json::array()).empty()) {
        return std::nullopt;
    }
    std::vector<double> all;
    for (const Json &repetition : result["repetitions"]) {
        const double calls = repetition["seconds"],
                     open_close = repetition["open"].get<double>() + repetition["close"].get<double>();
        all.push_back(one.part == Part::kCalls ? calls : one.part == Part::kOpenClose ? open_close : calls + open_close);
    }
    return bench::Median(all);
}

Tryings RunChain(const Side &side, const Setting &setting, const Programs &programs, const Words &more, bool complain) {
    const compare::Folder data(setting.directory), results(programs.scratch);
    Words command = Mpirun(side, setting, programs);
    const char *between = programs.bench.c_str();
    for (const Case &one : setting.cases) {
        command.push_back(between);
        Append(command, Kernel(side, one, data.path(), results.path()));
        Append(command, more);
        between = "+";
    }
    Run(command, programs.scratch + "/output", complain);
    Tryings tryings;
    for (const Case &one : setting.cases) {
        const Json result = ReadJson(results.path() + "/" + one.name);
        Trying &trying = tryings[one.name];
        trying.seconds = SecondsOf(one, result);
        if (result.is_object() && result.contains("error")) {
            const bool wrong = result.value("verified", Json()) == false;
            trying.error = (wrong ? "wrong bytes: " : "") + result["error"].get<std::string>();
        }
    }
    return tryings;
}

void Add(std::optional<double> &sum, double more) { sum = sum.value_or(0) + more; }

// strace -c ends with a line "100.00 SECONDS [USECS] CALLS [ERRORS] total".
std::optional<double> SystemCalls(const std::string &path) {
    for (const std::string &line : compare::LastLines(path, 1)) {
        std::istringstream in(line);
        Words words;
        for (std::string word; in >> word;) {
            words.push_back(word);
        }
        if (words.size() >= 5 && words.back() == "total") {
            return std::stod(words[3]);
        }
    }
    return std::nullopt;
}

// Open MPI's monitoring: a file for each rank, in it "E SENDER RECEIVER N bytes N msgs sent ..." for each other rank. I
// stands for messages of the library itself, S and R for what was put and got.
void AddMessages(const fs::path &path, Counts &counts) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line);
        std::string kind, sender, receiver, word;
        double bytes = 0, messages = 0;
        if (fields >> kind >> sender >> receiver >> bytes >> word >> messages && kind.size() == 1 &&
            std::string("EISR").find(kind) != std::string::npos && word == "bytes") {
            Add(counts.messages, messages);
            Add(counts.sent, bytes);
        }
    }
}

// The component's report, a line for each file that was closed.
std::optional<double> Exchanged(const std::string &path) {
    std::optional<double> sum;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const Json report = Json::parse(line, nullptr, false);
        for (const char *direction : {"writes", "reads"}) {
            for (const char *count : {"bytes_to_self", "bytes_to_node", "bytes_to_network"}) {
                if (report.is_object() && report.contains(direction) && report[direction].contains(count)) {
                    Add(sum, report[direction][count].get<double>());
                }
            }
        }
    }
    return sum;
}

} // namespace

Side OverlapFrom(const std::string &label, const std::string &component_path) {
    return {label,
            {"--mca", "mca_base_component_path", component_path, "--mca", "io", "ompio", "--mca", "fcoll", "overlap"}};
}

Seconds RunTimed(const Side &side, const Setting &setting, const Programs &programs) {
    Seconds seconds;
    for (const auto &[name, trying] : RunChain(side, setting, programs, {}, true)) {
        if (trying.seconds) {
            seconds[name] = *trying.seconds;
        }
    }
    return seconds;
}

Tryings RunOnce(const Side &side, const Setting &setting, const Programs &programs, bool verify) {
    const Words more = verify ? Words{"--verify"} : Words{};
    Setting once = setting;
    for (Case &one : once.cases) {
        one.repetitions = 1;
        one.warm_ups = verify ? 0 : one.warm_ups;
    }
    Tryings tryings = RunChain(side, once, programs, more, once.cases.size() == 1);
    for (const Case &one : once.cases) {
        if (once.cases.size() > 1 && tryings[one.name].empty()) {
            Setting alone = once;
            alone.cases = {one};
            tryings[one.name] = RunChain(side, alone, programs, more, true)[one.name];
        }
    }
    return tryings;
}

Counts RunCounted(const Side &side, const Case &one, const Setting &setting, const Programs &programs) {
    const compare::Folder data(setting.directory), results(programs.scratch);
    const std::string &in = results.path();
    static const bool traced =
        compare::Run({"strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true"}, programs.scratch + "/strace") == 0;
    Words command;
    if (traced) {
        command = {"strace", "-f", "--seccomp-bpf", "-c", "-e", kCounted, "-o", in + "/calls"};
    }
    Append(command, Mpirun(side, setting, programs));
    Append(command, {"--mca", "pml_monitoring_enable", "1", "--mca", "pml_monitoring_enable_output", "3", "--mca",
                     "pml_monitoring_filename", in + "/messages", "--mca", "fcoll_overlap_report", "json", "--mca",
                     "fcoll_overlap_report_file", in + "/report", programs.bench});
    Append(command, Kernel(side, one, data.path(), in));
    Run(command, programs.scratch + "/output");
    Counts counts;
    counts.system_calls = SystemCalls(in + "/calls");
    for (const fs::directory_entry &file : fs::directory_iterator(in)) {
        if (file.path().filename().string().rfind("messages.", 0) == 0) {
            AddMessages(file.path(), counts);
        }
    }
    counts.exchanged = Exchanged(in + "/report");
    const Json result = ReadJson(in + "/" + one.name);
    if (result.is_object() && result.contains("peak_memory")) {
        counts.memory = result["peak_memory"].get<double>();
    }
    return counts;
}

} // namespace against
