// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Slurm's topology.conf of the plugin topology/tree (https://slurm.schedmd.com/topology.conf.html): a line for each switch
// with the switches or the nodes below it. Other keys are ignored, as Slurm ignores LinkSpeed.
#include "network.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <unordered_map>

namespace overlap {
namespace {

class TreeReader {
  public:
    void ReadLine(const std::vector<std::string> &words) {
        std::map<std::string, std::string> values;
        for (const std::string &word : words) {
            const std::size_t equals = std::min(word.find('='), word.size());
            std::string key = word.substr(0, equals);
            std::transform(key.begin(), key.end(), key.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            values[key] = word.substr(std::min(equals + 1, word.size()));
        }
        if (values["switchname"].empty()) {
            throw Failure("SwitchName is missing");
        }
        const int own = NumberOf(values["switchname"]);
        for (const std::string &below : ExpandHostList(values["switches"])) {
            PutBelow(own, below);
        }
        for (const std::string &node : ExpandHostList(values["nodes"])) {
            tree_.hosts.push_back(node);
            tree_.switch_of_host.push_back(own);
        }
    }

    // Trees that nothing connects count as connected by one switch more, as their nodes do reach each other.
    SwitchTree Finish() {
        if (std::count(tree_.parents.begin(), tree_.parents.end(), kNoSwitch) > 1) {
            const int top = static_cast<int>(tree_.switches.size());
            std::replace(tree_.parents.begin(), tree_.parents.end(), kNoSwitch, top);
            tree_.switches.push_back("*");
            tree_.parents.push_back(kNoSwitch);
        }
        return std::move(tree_);
    }

  private:
    int NumberOf(const std::string &name) {
        const auto [at, is_new] = numbers_.emplace(name, static_cast<int>(tree_.switches.size()));
        if (is_new) {
            tree_.switches.push_back(name);
            tree_.parents.push_back(kNoSwitch);
        }
        return at->second;
    }

    void PutBelow(int own, const std::string &below) {
        const int child = NumberOf(below);
        for (int above = own; above != kNoSwitch; above = tree_.parents[static_cast<std::size_t>(above)]) {
            if (above == child) {
                throw Failure("switch " + Brief(below) + " is below itself");
            }
        }
        tree_.parents[static_cast<std::size_t>(child)] = own;
    }

    SwitchTree tree_;
    std::unordered_map<std::string, int> numbers_; // of switches
};

} // namespace

int SwitchTree::Climb(int a, int b) const {
    for (int up = 0, above_a = a;; above_a = parents[static_cast<std::size_t>(above_a)], ++up) {
        int down = 0;
        for (int above_b = b; above_b != kNoSwitch; above_b = parents[static_cast<std::size_t>(above_b)], ++down) {
            if (above_a == above_b) {
                return up + down;
            }
        }
    }
}

SwitchTree ReadSwitchTree(const SourceText &source) {
    TreeReader reader;
    ForEachLine(source, [&](const std::vector<std::string> &words) { reader.ReadLine(words); });
    return reader.Finish();
}

// Storage servers are named by their host or by their switch.
Network MakeSlurmNetwork(const SourceText &source, const NetworkRequest &request) {
    const SwitchTree tree = ReadSwitchTree(source);
    std::vector<std::string> names = tree.hosts;
    names.insert(names.end(), tree.switches.begin(), tree.switches.end());
    std::vector<int> places = tree.switch_of_host;
    places.resize(names.size());
    std::iota(places.begin() + static_cast<std::ptrdiff_t>(tree.hosts.size()), places.end(), 0);
    return Network("tree of " + std::to_string(tree.switches.size()) + " switches", request,
                   FindPlaces(names, places, request, source), [&](int from, int to) { return 2 + tree.Climb(from, to); });
}

} // namespace overlap
