// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "jobs.h"

#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace compare {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kOutputLines = 20;
constexpr int kOverTime = 124; // of timeout
constexpr int kKilled = 137;   // of timeout, where the job did not end by itself

// As root, in a container as well, Open MPI starts only where both are set; ranks may be more than cores.
const char *const kEnvironment[][2] = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}, {"OMPI_MCA_mpi_yield_when_idle", "1"}};

void Append(Words &words, const Words &more) { words.insert(words.end(), more.begin(), more.end()); }

std::string ResultFile(const Place &place) { return place.scratch + "/result.json"; }

// A program that finds wrong bytes goes no further, so its result may lack times.
bool HasWrongFile(const Json &result, bool verify) {
    return verify && result.is_object() && result.value("verified", Json()) == false;
}

// What is wrong with the result, nothing if it can be used.
std::string Fault(const Json &result, bool verify) {
    if (HasWrongFile(result, verify)) {
        const Json error = result.value("error", Json());
        return "wrong bytes in the file" + (error.is_string() ? ": " + error.get<std::string>() : "");
    }
    if (!result.is_object() || !result.contains("repetitions") || !result["repetitions"].is_array() ||
        result["repetitions"].size() != 1) {
        return "it left no result";
    }
    if (verify && result.value("verified", Json()) != true) {
        return "it did not verify the file";
    }
    const Json seconds = result["repetitions"][0].value("seconds", Json());
    const Json bytes = result.value("bytes", Json());
    if (!seconds.is_number() || !std::isfinite(seconds.get<double>()) || seconds.get<double>() <= 0 || !bytes.is_number()) {
        return "its result has no time or no bytes";
    }
    return "";
}

Json ReadResult(const std::string &path) {
    std::ifstream in(path);
    return in ? Json::parse(in, nullptr, false) : Json();
}

std::string Reason(int code, const Json &result, const Options &options, bool verify) {
    // A job that finds wrong bytes ends with an error as well, which says less.
    if (HasWrongFile(result, verify)) {
        return Fault(result, verify);
    }
    if (code == kOverTime || code == kKilled) {
        return "it did not end within " + std::to_string(options.time_limit) + " seconds";
    }
    return code != 0 ? "exit code " + std::to_string(code) : Fault(result, verify);
}

// Without the result's file, which does not outlive the comparison.
std::string RepeatCommand(const Job &job, const Words &command, const Place &place) {
    std::string line;
    for (const std::string &preparation : place.preparation) {
        line += preparation + " && ";
    }
    line += Quoted({"mkdir", "-p", job.directory}) + " &&";
    for (const auto &[name, value] : kEnvironment) {
        line += std::string(" ") + name + "=" + value;
    }
    return line + " " + Quoted(command);
}

void RemoveFiles(const std::string &directory) {
    std::error_code ignored;
    for (const auto &entry : std::filesystem::directory_iterator(directory, ignored)) {
        std::filesystem::remove_all(entry.path(), ignored);
    }
}

} // namespace

Words CommandOf(const Job &job, const Options &options, const Place &place) {
    // A job on the cluster takes a moment to clear the hosts when it is ended.
    Words command = {"timeout", "-k", "20", std::to_string(options.time_limit)};
    if (place.cluster.empty()) {
        Append(command, {options.mpirun, "--oversubscribe", "-n", std::to_string(options.ranks)});
    } else {
        Append(command, {options.tools + "/cluster", "--name", place.cluster, "run", "--ranks-per-host",
                         std::to_string(options.cluster->ranks_per_host), "--mpirun", options.mpirun, "--"});
    }
    if (!options.component_path.empty()) {
        Append(command, {"--mca", "mca_base_component_path", options.component_path});
    }
    Append(command, job.mca);
    Append(command, {options.bench, options.kernel});
    Append(command, options.kernel_options);
    Append(command, {"--file", job.directory + "/file", "--repetitions", "1", "--warm-ups", "1"});
    Append(command, job.bench);
    return command;
}

Outcome RunJob(Job job, const Options &options, const Place &place, bool verify) {
    if (verify) {
        job.bench.push_back("--verify");
    }
    const Words command = CommandOf(job, options, place);
    Words with_result = command;
    Append(with_result, {"--json", ResultFile(place)});
    const std::string output = place.scratch + "/output";
    std::error_code ignored;
    std::filesystem::remove(ResultFile(place), ignored);
    const int code = Run(with_result, output);
    // Not left to the next job, whose time it would be to free the memory.
    RemoveFiles(job.directory);
    Json result = ReadResult(ResultFile(place));
    const std::string reason = Reason(code, result, options, verify);
    if (!reason.empty()) {
        return Failed{reason, code, RepeatCommand(job, command, place), LastLines(output, kOutputLines),
                      HasWrongFile(result, verify)};
    }
    const double seconds = result["repetitions"][0]["seconds"].get<double>();
    return Measured{seconds, std::move(result)};
}

void PresetEnvironment() {
    for (const auto &[name, value] : kEnvironment) {
        setenv(name, value, 0);
    }
}

} // namespace compare
