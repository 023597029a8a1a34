// compare: contenders of collective writes beside each other, on one kernel. ../compare builds what is needed and calls
// this.
#include "comparison.h"
#include "contenders.h"
#include "failure.h"
#include "installation.h"
#include "json.h"
#include "report.h"
#include "results.h"
#include "testbed.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

namespace compare {
namespace {

// Folders and commands that exist while the jobs run.
struct Testbed {
    std::unique_ptr<Folder> scratch, file, memory;
    // The hosts go before the mount that processes on them may hold.
    std::unique_ptr<SetUp> storage, cluster;
    std::string target; // where the file goes
    Place place;
};

std::string NewFolder(const std::string &path) {
    std::filesystem::create_directory(path);
    return path;
}

void BuildTestbed(Testbed &testbed, const Options &options) {
    testbed.file = std::make_unique<Folder>(options.directory);
    testbed.target = NewFolder(testbed.file->path() + "/target");
    const std::string log = testbed.place.scratch + "/set-up";
    if (options.storage) {
        const Words mount = StorageMount(options.tools, testbed.target, *options.storage);
        testbed.storage = std::make_unique<SetUp>(mount, StorageUmount(options.tools, testbed.target), log);
        testbed.place.preparation.push_back(Quoted({"mkdir", "-p", testbed.target}));
        testbed.place.preparation.push_back(Quoted(mount));
    }
    if (options.cluster) {
        testbed.place.cluster = "compare" + std::to_string(getpid());
        const Words up = ClusterUp(options.tools, testbed.place.cluster, *options.cluster);
        testbed.cluster = std::make_unique<SetUp>(up, ClusterDown(options.tools, testbed.place.cluster), log);
        testbed.place.preparation.push_back(Quoted(up));
    }
}

void AddContenders(Comparison &comparison, const Installation &installation, const std::string &target) {
    const Options &options = comparison.options;
    const Words usual = UsualContenders(options.openmpi, options.gio);
    for (const Contender &contender : ParseContenders(options.contenders.empty() ? usual : options.contenders)) {
        if (const std::optional<std::string> missing = Missing(contender, installation, options.gio)) {
            comparison.left_out.push_back({contender.label, *missing});
            std::cerr << "compare: left out: " << contender.label << ": " << *missing << "\n";
            continue;
        }
        Entry entry;
        entry.contender = contender;
        entry.job = Job{McaArguments(contender, installation), BenchArguments(contender), target};
        comparison.entries.push_back(entry);
    }
    if (comparison.entries.empty()) {
        throw Failure(1, "no contender is left");
    }
}

void AddBound(Comparison &comparison, Role role, const std::string &label, const Job &job) {
    Entry entry;
    entry.role = role;
    entry.contender = Baseline();
    entry.contender.label = label;
    entry.job = job;
    // overlap-bench has nothing to compare a file with that was not written by the kernel's ranks.
    entry.verify = role != Role::kWrite;
    comparison.entries.push_back(entry);
}

void AddBounds(Comparison &comparison, const Installation &installation, Testbed &testbed) {
    if (const auto missing = Missing(Baseline(), installation, comparison.options.gio)) {
        comparison.left_out.push_back({"the bounds", *missing});
        comparison.options.bounds = false;
        return;
    }
    const Words mca = McaArguments(Baseline(), installation);
    const auto is_baseline = [](const Entry &entry) { return entry.contender.baseline(); };
    if (std::none_of(comparison.entries.begin(), comparison.entries.end(), is_baseline)) {
        AddBound(comparison, Role::kNone, "T_none", Job{mca, {}, testbed.target});
    }
    comparison.comm_is_none = !comparison.options.storage && OnTmpfs(testbed.target);
    if (!comparison.comm_is_none) {
        testbed.memory = std::make_unique<Folder>("/dev/shm");
        AddBound(comparison, Role::kComm, "T_comm", Job{mca, {}, testbed.memory->path()});
    }
    AddBound(comparison, Role::kWrite, "T_write", Job{mca, {"--only-write"}, testbed.target});
}

// Local time, as 2024-05-31 17:04:59 +0200.
std::string Now() {
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    char text[64];
    std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &local);
    return text;
}

// Before anything is measured: a name that cannot be written to would cost all results.
void OpenJson(const std::string &path) {
    if (!path.empty() && !std::ofstream(path, std::ios::app)) {
        throw Failure(2, "--json: " + path + " cannot be written to");
    }
}

void WriteJson(const std::string &path, const nlohmann::ordered_json &json) {
    std::ofstream out(path);
    // Output of failed jobs may hold anything.
    out << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
    out.close();
    if (!out) {
        throw Failure(1, path + " could not be written");
    }
}

int Compare(const Options &options, const Words &command_line) {
    OpenJson(options.json);
    PresetEnvironment();
    Testbed testbed;
    testbed.scratch = std::make_unique<Folder>(std::filesystem::temp_directory_path().string());
    testbed.place.scratch = testbed.scratch->path();
    const Installation installation =
        AskInstallation(options.ompi_info, options.component_path, testbed.place.scratch + "/ompi_info");
    Comparison comparison;
    comparison.options = options;
    comparison.command_line = command_line;
    comparison.date = Now();
    comparison.machine = bench::ThisMachine();
    comparison.openmpi = installation.version();
    BuildTestbed(testbed, options);
    AddContenders(comparison, installation, testbed.target);
    if (options.bounds) {
        AddBounds(comparison, installation, testbed);
    }
    comparison.order = RunRounds(comparison.entries, options, testbed.place);
    const Results results = Evaluate(comparison.entries);
    PrintReport(std::cout, comparison, results);
    if (!options.json.empty()) {
        WriteJson(options.json, ToJson(comparison, results));
    }
    const auto failed = [](const Entry &entry) { return entry.failed.has_value(); };
    return std::any_of(comparison.entries.begin(), comparison.entries.end(), failed) ? 1 : 0;
}

int Main(int argc, char **argv) {
    try {
        const Options options = ParseOptions(argc, argv);
        if (options.only_check) {
            std::cout << options.openmpi << "\n";
            return 0;
        }
        HoldSignals();
        return Compare(options, Words(argv + 1, argv + argc));
    } catch (const std::invalid_argument &error) {
        std::cerr << "compare: " << error.what() << "; bench/compare --help tells more\n";
        return 2;
    } catch (const Failure &failure) {
        std::cerr << "compare: " << failure.what() << "\n";
        return failure.code();
    } catch (const Interrupted &interrupted) {
        return 128 + interrupted.signal;
    } catch (const std::exception &error) {
        std::cerr << "compare: " << error.what() << "\n";
        return 1;
    }
}

} // namespace
} // namespace compare

int main(int argc, char **argv) { return compare::Main(argc, argv); }
