// against: two builds of the component, one of another commit, in alternation on standard cases. ../against builds them and
// calls this.
#include "../compare.d/failure.h"
#include "../compare.d/testbed.h"
#include "report.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

namespace against {
namespace {

struct Options {
    std::string before, now; // component paths
    int alternations = 5;
    int cluster_mbit = 0; // 0: one node
    bool counts = true, only_check = false;
    Words cases;
    Programs programs;
};

Options ParseOptions(int argc, char **argv) {
    CLI::App app;
    app.set_help_flag();
    Options options;
    bool no_counts = false;
    app.add_option("--before", options.before);
    app.add_option("--now", options.now);
    app.add_option("--mpirun", options.programs.mpirun);
    app.add_option("--overlap-bench", options.programs.bench);
    app.add_option("--tools", options.programs.tools);
    app.add_option("--alternations", options.alternations)->check(CLI::Range(5, 1000));
    app.add_option("--cluster", options.cluster_mbit)->check(CLI::PositiveNumber);
    app.add_flag("--no-counts", no_counts);
    app.add_flag("--only-check", options.only_check);
    app.add_option("CASE", options.cases);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        throw std::invalid_argument(error.what());
    }
    options.counts = !no_counts;
    return options;
}

// Rows of the setting's cases, in their order.
using Rows = std::vector<Row *>;

void Take(const Seconds &seconds, const Setting &setting, const Rows &rows, Times Row::*times, bool Row::*failed) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto found = seconds.find(setting.cases[i].name);
        if (found == seconds.end()) {
            rows[i]->*failed = true;
        } else {
            (rows[i]->*times).push_back(found->second);
        }
    }
}

// Each comes first as often as the other: what changes slowly on the machine hits both.
void Alternate(const Options &options, const Setting &setting, const Rows &rows, int alternations) {
    for (int i = 0; i < alternations; ++i) {
        for (const bool other : {i % 2 == 0, i % 2 != 0}) {
            Take(RunTimed(other ? options.before : options.now, setting, options.programs), setting, rows,
                 other ? &Row::before : &Row::now, other ? &Row::failed_before : &Row::failed_now);
        }
    }
}

void Count(const Options &options, const Setting &setting, const Rows &rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i]->counts_before = RunCounted(options.before, setting.cases[i], setting, options.programs);
        rows[i]->counts_now = RunCounted(options.now, setting.cases[i], setting, options.programs);
    }
}

// A case whose median ratio is above what is tolerated is measured again, with new times only and four times as many: by
// five times of jobs that differ by a fifth nobody can tell whether one program is a tenth slower. Of twenty alternations of
// the same program 17 are slower in 1.3 of 1,000 cases. Only the most suspicious ones are measured again, which is enough
// for the exit code and keeps the time short.
constexpr std::size_t kMostAgain = 6;

void MeasureAgain(const Options &options, const std::vector<Setting> &settings, const std::vector<Rows> &rows) {
    Rows suspects;
    for (const Rows &of_setting : rows) {
        for (Row *const row : of_setting) {
            row->suspected = !row->failed() && row->verdict().ratio > kTolerated;
            if (row->suspected) {
                suspects.push_back(row);
            }
        }
    }
    std::sort(suspects.begin(), suspects.end(),
              [](const Row *a, const Row *b) { return a->verdict().least > b->verdict().least; });
    suspects.resize(std::min(suspects.size(), kMostAgain));
    for (std::size_t i = 0; i < settings.size(); ++i) {
        Setting again = settings[i];
        Rows of_again;
        again.cases.clear();
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            if (std::find(suspects.begin(), suspects.end(), rows[i][j]) != suspects.end()) {
                again.cases.push_back(settings[i].cases[j]);
                of_again.push_back(rows[i][j]);
                rows[i][j]->before.clear();
                rows[i][j]->now.clear();
                rows[i][j]->measured_again = true;
            }
        }
        if (!of_again.empty()) {
            std::cerr << "against: again, " << again.ranks << " ranks, " << again.place << ", " << of_again.size()
                      << " cases that look slower\n";
            Alternate(options, again, of_again, 4 * options.alternations);
        }
    }
}

int Compare(Options &options) {
    const std::vector<Setting> settings = SettingsOf(options.cases, options.cluster_mbit > 0);
    if (options.only_check) {
        return 0;
    }
    compare::HoldSignals();
    // As root, in a container as well, Open MPI starts only where both are set; ranks may be more than cores.
    for (const char *name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_mpi_yield_when_idle"}) {
        setenv(name, "1", 0);
    }
    const compare::Folder scratch(std::filesystem::temp_directory_path().string());
    options.programs.scratch = scratch.path();
    std::unique_ptr<compare::SetUp> cluster;
    if (options.cluster_mbit > 0) {
        const std::string &tools = options.programs.tools, name = "against" + std::to_string(getpid());
        options.programs.cluster = name;
        cluster = std::make_unique<compare::SetUp>(compare::ClusterUp(tools, name, {2, 2, options.cluster_mbit, 0, 0}),
                                                   compare::ClusterDown(tools, name), scratch.path() + "/set-up");
    }
    std::vector<Row> table;
    for (const Setting &setting : settings) {
        for (const Case &one : setting.cases) {
            table.emplace_back().name = FullName(one, setting);
        }
    }
    std::vector<Rows> rows;
    auto next = table.begin();
    for (const Setting &setting : settings) {
        rows.emplace_back();
        for (std::size_t i = 0; i < setting.cases.size(); ++i) {
            rows.back().push_back(&*next++);
        }
        std::cerr << "against: " << setting.ranks << " ranks, " << setting.place << ", " << setting.cases.size()
                  << " cases\n";
        if (options.counts) {
            Count(options, setting, rows.back());
        }
        Alternate(options, setting, rows.back(), options.alternations);
    }
    MeasureAgain(options, settings, rows);
    PrintTable(std::cout, table);
    const auto bad = [](const Row &row) { return row.failed() || (row.measured_again && row.verdict().slower()); };
    const long found = std::count_if(table.begin(), table.end(), bad);
    std::cout << (found == 0 ? "nothing is slower by more than 3 %"
                             : "failed, or slower by more than 3 %: " + std::to_string(found))
              << "\n";
    return found == 0 ? 0 : 1;
}

int Main(int argc, char **argv) {
    try {
        Options options = ParseOptions(argc, argv);
        return Compare(options);
    } catch (const std::invalid_argument &error) {
        std::cerr << "against: " << error.what() << "; bench/against --help tells more\n";
        return 2;
    } catch (const compare::Failure &failure) {
        std::cerr << "against: " << failure.what() << "\n";
        return failure.code();
    } catch (const compare::Interrupted &interrupted) {
        return 128 + interrupted.signal;
    } catch (const std::exception &error) {
        std::cerr << "against: " << error.what() << "\n";
        return 1;
    }
}

} // namespace
} // namespace against

int main(int argc, char **argv) { return against::Main(argc, argv); }
