// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "cases.h"

#include <algorithm>
#include <regex>
#include <set>
#include <stdexcept>

namespace against {
namespace {

bool Has(const Words &words, const std::string &word) { return std::find(words.begin(), words.end(), word) != words.end(); }

// 1 to 8 MiB of each rank, unless a case is about larger blocks: small enough that all cases of a setting take seconds.
class Table {
  public:
    Table(int ranks, int repetitions, int warm_ups)
        : tiles_(std::to_string(ranks)), repetitions_(repetitions), warm_ups_(warm_ups) {
        WithRead("256B", Tile("256", "16384"));
        WithRead("1MiB", Tile("1m", "8"));
        WithRead("hpio", {"hpio", "--region-count", "8192"});
        WithRead("lists", {"lists", "--variables", "32"});
        // Almost no computation: the time is that of the nonblocking calls.
        Words nonblocking = Tile("64k", "64");
        nonblocking.insert(nonblocking.end(), {"--checkpoints", "4", "--nonblocking", "--compute", "0.00001"});
        Add("nonblocking", nonblocking);
        Add("small", {"ior", "--block", "1m", "--transfer", "4k"});
        cases_.push_back({"open", {"ior", "--block", "4k"}, 20, 2, Part::kOpenClose});
        usual_ = cases_.size();
        WithRead("64B", Tile("64", "16384"));
        WithRead("4KiB", Tile("4k", "1024"));
        WithRead("64KiB", Tile("64k", "64"));
        WithRead("16MiB", {"ior", "--block", "16m"});
        WithRead("64MiB", {"ior", "--block", "64m"});
        WithRead("holes", {"lists", "--variables", "32", "--holes", "40"});
        WithRead("call1KiB", {"ior", "--block", "256k", "--transfer", "1k"});
        WithRead("flash", {"flash", "--variables", "8", "--blocks", "8"});
        Add("common-read", {"ior", "--block", "8m", "--read", "--common", tiles_});
        Add("half-common-read", {"ior", "--block", "8m", "--read", "--common", std::to_string(ranks / 2)});
        nonblocking.push_back("--read");
        Add("nonblocking-read", nonblocking);
        Add("groups", {"tile", "--element", "64k", "--tile-y", "64", "--groups", "2"});
        cases_.push_back({"open-write-close", {"ior", "--block", "1k"}, 20, 2, Part::kAll});
    }

    const std::vector<Case> &cases() const { return cases_; }
    bool usual(const Case &one) const { return &one < cases_.data() + usual_; }

  private:
    Words Tile(const std::string &element, const std::string &rows) const {
        return {"tile", "--element", element, "--tiles", tiles_, "1", "--tile-y", rows};
    }
    void Add(const std::string &name, Words kernel) { cases_.push_back({name, std::move(kernel), repetitions_, warm_ups_}); }
    void WithRead(const std::string &name, Words kernel) {
        Add(name, kernel);
        kernel.push_back("--read");
        Add(name + "-read", std::move(kernel));
    }

    std::string tiles_;
    int repetitions_, warm_ups_;
    std::vector<Case> cases_;
    std::size_t usual_ = 0; // of bench/against where it is told no names, the first ones
};

// What bench/never-slower runs where. All of it on 8 ranks and tmpfs; elsewhere what differs there.
struct Watched {
    Setting setting;
    const char *cases; // a regular expression of whole names
};

const Watched kWatched[] = {
    {{1, "tmpfs", "/dev/shm"}, "256B|16MiB(-read)?|64MiB|call1KiB(-read)?|open-write-close"},
    {{2, "tmpfs", "/dev/shm"}, "256B(-read)?|1MiB|64MiB(-read)?|lists|call1KiB(-read)?|open-write-close"},
    {{4, "tmpfs", "/dev/shm"}, "(64B|256B|1MiB|hpio|lists)(-read)?|16MiB|call1KiB(-read)?|nonblocking|open-write-close"},
    {{8, "tmpfs", "/dev/shm"}, "(?!64MiB).*"},
    {{16, "tmpfs", "/dev/shm"}, "(256B|1MiB|lists)(-read)?|64B|groups|call1KiB(-read)?|open-write-close"},
    {{8, "ext4", "/var/tmp"}, "(256B|1MiB|16MiB|hpio|lists|holes)(-read)?|64KiB|nonblocking|call1KiB|open-write-close"},
    {{8, "cluster", "", {}, 4},
     "(256B|1MiB|16MiB|lists|call1KiB)(-read)?|hpio|(half-)?common-read|groups|nonblocking|open-write-close"},
};

void DropEmpty(std::vector<Setting> &settings) {
    settings.erase(
        std::remove_if(settings.begin(), settings.end(), [](const Setting &setting) { return setting.cases.empty(); }),
        settings.end());
}

} // namespace

bool Case::reads() const { return Has(kernel, "--read"); }
bool Case::nonblocking() const { return Has(kernel, "--nonblocking"); }
bool Case::only_mpiio() const { return reads() || nonblocking() || Has(kernel, "--groups"); }

std::string FullName(const Case &one, const Setting &setting) {
    return one.name + ":" + std::to_string(setting.ranks) + ":" + setting.place;
}

std::vector<Setting> SettingsOf(const Words &wanted, bool cluster) {
    std::vector<Setting> settings = {{4, "tmpfs", "/dev/shm"},
                                     {8, "tmpfs", "/dev/shm"},
                                     {4, "ext4", "/var/tmp"},
                                     {8, "ext4", "/var/tmp"},
                                     {16, "tmpfs", "/dev/shm"}};
    if (cluster) {
        settings = {{4, "cluster", "/dev/shm", {}, 2}};
    }
    std::set<std::string> unknown(wanted.begin(), wanted.end());
    const auto is_wanted = [&](const std::string &name) {
        unknown.erase(name);
        return Has(wanted, name);
    };
    for (Setting &setting : settings) {
        const bool is_standard = setting.ranks <= 8;
        const Table table(setting.ranks, 3, 1);
        for (const Case &one : table.cases()) {
            const bool by_name = is_wanted(one.name), by_full_name = is_wanted(FullName(one, setting));
            if ((is_standard && ((wanted.empty() && table.usual(one)) || by_name)) || by_full_name) {
                setting.cases.push_back(one);
            }
        }
    }
    if (!unknown.empty()) {
        throw std::invalid_argument("no case \"" + *unknown.begin() + "\"");
    }
    DropEmpty(settings);
    return settings;
}

std::vector<Setting> WatchedSettings(const std::string &only) {
    std::vector<Setting> settings;
    try {
        const std::regex wanted(only);
        for (const Watched &watched : kWatched) {
            Setting setting = watched.setting;
            const std::regex here(watched.cases);
            // A write over the emulated network takes seconds, and differs little from the next one.
            const Table table = setting.hosts > 1 ? Table(setting.ranks, 1, 0) : Table(setting.ranks, 3, 1);
            for (const Case &one : table.cases()) {
                if (std::regex_match(one.name, here) && std::regex_search(FullName(one, setting), wanted)) {
                    setting.cases.push_back(one);
                }
            }
            settings.push_back(std::move(setting));
        }
    } catch (const std::regex_error &error) {
        throw std::invalid_argument("--only \"" + only + "\": " + error.what());
    }
    DropEmpty(settings);
    if (settings.empty()) {
        throw std::invalid_argument("no case has \"" + only + "\"");
    }
    return settings;
}

} // namespace against
