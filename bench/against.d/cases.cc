#include "cases.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace against {
namespace {

// Small enough that all cases of a setting take a few seconds, with 4 to 8 MiB of each rank.
std::vector<Case> CasesOf(int ranks) {
    const std::string tiles = std::to_string(ranks);
    std::vector<Case> cases;
    const auto both = [&cases](const std::string &name, Words kernel) {
        kernel.insert(kernel.end(), {"--repetitions", "3", "--warm-ups", "1"});
        cases.push_back({name, kernel});
        kernel.push_back("--read");
        cases.push_back({name + "-read", kernel});
    };
    both("256B", {"tile", "--element", "256", "--tiles", tiles, "1", "--tile-y", "16384"});
    both("1MiB", {"tile", "--element", "1m", "--tiles", tiles, "1", "--tile-y", "8"});
    both("hpio", {"hpio", "--region-count", "8192"});
    both("lists", {"lists", "--variables", "32"});
    // Almost no computation: the time is that of the nonblocking calls.
    cases.push_back({"nonblocking",
                     {"tile", "--element", "64k", "--tiles", tiles, "1", "--tile-y", "64", "--checkpoints", "4",
                      "--nonblocking", "--compute", "0.00001", "--repetitions", "3", "--warm-ups", "1"}});
    cases.push_back({"small", {"ior", "--block", "1m", "--transfer", "4k", "--repetitions", "3", "--warm-ups", "1"}});
    cases.push_back({"open", {"ior", "--block", "4k", "--repetitions", "20", "--warm-ups", "2"}, true});
    return cases;
}

} // namespace

std::string FullName(const Case &one, const Setting &setting) {
    return one.name + ":" + std::to_string(setting.ranks) + ":" + setting.place;
}

std::vector<Setting> SettingsOf(const Words &wanted, bool cluster) {
    std::vector<Setting> settings = {{4, "tmpfs", "/dev/shm", {}},
                                     {8, "tmpfs", "/dev/shm", {}},
                                     {4, "ext4", "/var/tmp", {}},
                                     {8, "ext4", "/var/tmp", {}},
                                     {16, "tmpfs", "/dev/shm", {}}};
    if (cluster) {
        settings = {{4, "cluster", "/dev/shm", {}}};
    }
    std::set<std::string> unknown(wanted.begin(), wanted.end());
    const auto is_wanted = [&](const std::string &name) {
        unknown.erase(name);
        return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
    };
    for (Setting &setting : settings) {
        const bool is_standard = setting.ranks <= 8;
        for (Case &one : CasesOf(setting.ranks)) {
            const bool by_name = is_wanted(one.name), by_full_name = is_wanted(FullName(one, setting));
            if ((is_standard && (wanted.empty() || by_name)) || by_full_name) {
                setting.cases.push_back(std::move(one));
            }
        }
    }
    if (!unknown.empty()) {
        throw std::invalid_argument("no case \"" + *unknown.begin() + "\"");
    }
    settings.erase(
        std::remove_if(settings.begin(), settings.end(), [](const Setting &setting) { return setting.cases.empty(); }),
        settings.end());
    return settings;
}

} // namespace against
