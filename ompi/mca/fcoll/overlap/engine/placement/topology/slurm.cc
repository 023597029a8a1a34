// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Slurm's topology.conf of the plugin topology/tree (https://slurm.schedmd.com/topology.conf.html): a line for each switch
// with the switches or the nodes below it. LinkSpeed is ignored, as Slurm does.
#include "slurm.h"

#include "host_list.h"
#include "network.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

namespace overlap {
namespace {

struct SwitchLine {
    int line = 0;
    std::string name;
    std::vector<std::string> switches;
    std::vector<std::string> nodes;
};

std::string Lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// Names of a key; empty where it is right, else what is wrong.
std::string ReadPair(const std::string &word, SwitchLine &read) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals + 1 == word.size()) {
        return "\"" + Brief(word) + "\" is no KEY=VALUE";
    }
    const std::string key = Lower(word.substr(0, equals));
    const std::string value = word.substr(equals + 1);
    if (key == "linkspeed") {
        return "";
    }
    if (key != "switchname" && key != "switches" && key != "nodes") {
        return "\"" + Brief(word.substr(0, equals)) + "\" is none of SwitchName, Switches, Nodes and LinkSpeed";
    }
    Outcome<std::vector<std::string>> names = ExpandHostList(value);
    if (!names.ok()) {
        return names.failure().message;
    }
    if (key == "switchname") {
        if (names.value().size() != 1 || !read.name.empty()) {
            return "one switch a line";
        }
        read.name = names.value()[0];
        return "";
    }
    std::vector<std::string> &list = key == "nodes" ? read.nodes : read.switches;
    list.insert(list.end(), names.value().begin(), names.value().end());
    return "";
}

Outcome<std::vector<SwitchLine>> ParseSwitches(const SourceText &source) {
    std::vector<SwitchLine> switches;
    for (const Line &line : SplitLines(source.text, true)) {
        const std::vector<std::string> words = SplitWords(WithoutComment(line.text));
        if (words.empty()) {
            continue;
        }
        SwitchLine read;
        read.line = line.number;
        for (const std::string &word : words) {
            const std::string wrong = ReadPair(word, read);
            if (!wrong.empty()) {
                return At(source, line.number, wrong);
            }
        }
        if (read.name.empty()) {
            return At(source, line.number, "SwitchName is missing");
        }
        if (read.switches.empty() && read.nodes.empty()) {
            return At(source, line.number, "switch " + Brief(read.name) + " has neither Switches nor Nodes");
        }
        switches.push_back(std::move(read));
    }
    if (switches.empty()) {
        return At(source, 0, "there is no SwitchName in it");
    }
    return switches;
}

using Numbers = std::unordered_map<std::string, int>;

// Puts the switch `below` below another one; empty where it may be there, else what is wrong.
std::string Connect(const std::string &below, int above, const Numbers &numbers, SwitchTree &tree) {
    const auto found = numbers.find(below);
    if (found == numbers.end()) {
        return "switch " + Brief(below) + " has no line of its own";
    }
    int &parent = tree.parents[static_cast<std::size_t>(found->second)];
    if (parent != kNoSwitch) {
        return "switch " + Brief(below) + " is already below switch " +
               Brief(tree.switches[static_cast<std::size_t>(parent)]);
    }
    for (int at = above; at != kNoSwitch; at = tree.parents[static_cast<std::size_t>(at)]) {
        if (at == found->second) {
            return "switch " + Brief(below) + " is below itself";
        }
    }
    parent = above;
    return "";
}

void CountDepths(SwitchTree &tree) {
    for (const int parent : tree.parents) {
        int depth = 0;
        for (int at = parent; at != kNoSwitch; at = tree.parents[static_cast<std::size_t>(at)]) {
            ++depth;
        }
        tree.depths.push_back(depth);
    }
}

class TreeNetwork final : public Network {
  public:
    // A place is a switch.
    TreeNetwork(SwitchTree tree, const NetworkRequest &request, Places places)
        : Network("tree of " + std::to_string(tree.switches.size()) + " switches", request, std::move(places)),
          tree_(std::move(tree)) {}

    int HopsBetween(int from, int to) const override { return 2 + tree_.Climb(from, to); }

  private:
    SwitchTree tree_;
};

// Storage servers are named by their host or by their switch. One that no switch connects with the nodes is unknown.
Outcome<Places> FindPlaces(const SwitchTree &tree, const NetworkRequest &request, const SourceText &source) {
    const NamedHosts named(tree.hosts);
    const Outcome<std::vector<int>> nodes = named.FindAll(request.hosts, source);
    if (!nodes.ok()) {
        return nodes.failure();
    }
    Places places;
    for (std::size_t node = 0; node < nodes.value().size(); ++node) {
        places.nodes.push_back(tree.switch_of_host[static_cast<std::size_t>(nodes.value()[node])]);
        if (tree.Climb(places.nodes[0], places.nodes[node]) < 0) {
            return At(source, 0,
                      "host " + Brief(request.hosts[node]) + " has no switch that is connected with host " +
                          Brief(request.hosts[0]) + "'s");
        }
    }
    for (const std::string &name : request.storage) {
        const int host = named.Find(name);
        const auto at = std::find(tree.switches.begin(), tree.switches.end(), name);
        const int place =
            host >= 0 ? tree.switch_of_host[static_cast<std::size_t>(host)] : static_cast<int>(at - tree.switches.begin());
        const bool known = host >= 0 || at != tree.switches.end();
        if (known && (places.nodes.empty() || tree.Climb(places.nodes[0], place) >= 0)) {
            places.servers.push_back(place);
        } else {
            places.unknown_storage.push_back(name);
        }
    }
    return places;
}

} // namespace

int SwitchTree::Climb(int a, int b) const {
    int hops = 0;
    for (; a != b; ++hops) {
        int &lower = depths[static_cast<std::size_t>(a)] < depths[static_cast<std::size_t>(b)] ? b : a;
        lower = parents[static_cast<std::size_t>(lower)];
        if (lower == kNoSwitch) {
            return -1;
        }
    }
    return hops;
}

Outcome<SwitchTree> ReadSwitchTree(const SourceText &source) {
    const Outcome<std::vector<SwitchLine>> lines = ParseSwitches(source);
    if (!lines.ok()) {
        return lines.failure();
    }
    SwitchTree tree;
    Numbers numbers; // of switches, in the order of the lines
    std::unordered_set<std::string> nodes;
    for (const SwitchLine &line : lines.value()) {
        const int number = static_cast<int>(tree.switches.size());
        if (!numbers.emplace(line.name, number).second) {
            return At(source, line.line, "switch " + Brief(line.name) + " is described twice");
        }
        tree.switches.push_back(line.name);
        for (const std::string &node : line.nodes) {
            if (!nodes.insert(node).second) {
                return At(source, line.line, "node " + Brief(node) + " is named twice");
            }
            tree.hosts.push_back(node);
            tree.switch_of_host.push_back(number);
        }
    }
    tree.parents.assign(tree.switches.size(), kNoSwitch);
    for (const SwitchLine &line : lines.value()) {
        for (const std::string &below : line.switches) {
            const std::string wrong = Connect(below, numbers.at(line.name), numbers, tree);
            if (!wrong.empty()) {
                return At(source, line.line, wrong);
            }
        }
    }
    CountDepths(tree);
    return tree;
}

NetworkOutcome MakeSlurmNetwork(const SourceText &source, const NetworkRequest &request) {
    Outcome<SwitchTree> tree = ReadSwitchTree(source);
    if (!tree.ok()) {
        return tree.failure();
    }
    Outcome<Places> places = FindPlaces(tree.value(), request, source);
    if (!places.ok()) {
        return places.failure();
    }
    return NetworkOutcome(std::make_unique<TreeNetwork>(std::move(tree.value()), request, std::move(places.value())));
}

} // namespace overlap
