// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Slurm's topology.conf of the plugin topology/tree (https://slurm.schedmd.com/topology.conf.html): a line for each switch
// with the switches or the nodes below it. LinkSpeed is ignored, as Slurm does.
#include "host_list.h"
#include "network.h"

#include <algorithm>
#include <cctype>
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

void ReadPair(const std::string &word, SwitchLine &read) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals + 1 == word.size()) {
        throw Failure("\"" + Brief(word) + "\" is no KEY=VALUE");
    }
    const std::string key = Lower(word.substr(0, equals));
    if (key == "linkspeed") {
        return;
    }
    if (key != "switchname" && key != "switches" && key != "nodes") {
        throw Failure("\"" + Brief(word.substr(0, equals)) + "\" is none of SwitchName, Switches, Nodes and LinkSpeed");
    }
    const std::vector<std::string> names = ExpandHostList(std::string_view(word).substr(equals + 1));
    if (key == "switchname") {
        if (names.size() != 1 || !read.name.empty()) {
            throw Failure("one switch a line");
        }
        read.name = names[0];
        return;
    }
    std::vector<std::string> &list = key == "nodes" ? read.nodes : read.switches;
    list.insert(list.end(), names.begin(), names.end());
}

SwitchLine ReadLine(const std::vector<std::string> &words, int line) {
    SwitchLine read;
    read.line = line;
    for (const std::string &word : words) {
        ReadPair(word, read);
    }
    if (read.name.empty()) {
        throw Failure("SwitchName is missing");
    }
    if (read.switches.empty() && read.nodes.empty()) {
        throw Failure("switch " + Brief(read.name) + " has neither Switches nor Nodes");
    }
    return read;
}

using Numbers = std::unordered_map<std::string, int>;

// Puts the switch `below` below another one.
void Connect(const std::string &below, int above, const Numbers &numbers, SwitchTree &tree) {
    const auto found = numbers.find(below);
    if (found == numbers.end()) {
        throw Failure("switch " + Brief(below) + " has no line of its own");
    }
    int &parent = tree.parents[static_cast<std::size_t>(found->second)];
    if (parent != kNoSwitch) {
        throw Failure("switch " + Brief(below) + " is already below switch " +
                      Brief(tree.switches[static_cast<std::size_t>(parent)]));
    }
    for (int at = above; at != kNoSwitch; at = tree.parents[static_cast<std::size_t>(at)]) {
        if (at == found->second) {
            throw Failure("switch " + Brief(below) + " is below itself");
        }
    }
    parent = above;
}

// Storage servers are named by their host or by their switch. One that no switch connects with the nodes is unknown.
Places FindPlaces(const SwitchTree &tree, const NetworkRequest &request, const SourceText &source) {
    const NamedHosts named(tree.hosts);
    Places places;
    for (const int host : named.FindAll(request.hosts, source)) {
        places.nodes.push_back(tree.switch_of_host[static_cast<std::size_t>(host)]);
        if (tree.Climb(places.nodes[0], places.nodes.back()) < 0) {
            throw At(source, 0,
                     "host " + Brief(request.hosts[places.nodes.size() - 1]) +
                         " has no switch that is connected with host " + Brief(request.hosts[0]) + "'s");
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
    int up = 0;
    for (int above_a = a; above_a != kNoSwitch; above_a = parents[static_cast<std::size_t>(above_a)], ++up) {
        int down = 0;
        for (int above_b = b; above_b != kNoSwitch; above_b = parents[static_cast<std::size_t>(above_b)], ++down) {
            if (above_a == above_b) {
                return up + down;
            }
        }
    }
    return -1;
}

SwitchTree ReadSwitchTree(const SourceText &source) {
    SwitchTree tree;
    Numbers numbers; // of switches, in the order of the lines
    std::unordered_set<std::string> nodes;
    std::vector<SwitchLine> lines;
    ForEachLine(source, true, [&](const std::vector<std::string> &words, int number) {
        const SwitchLine line = ReadLine(words, number);
        const int own = static_cast<int>(tree.switches.size());
        if (!numbers.emplace(line.name, own).second) {
            throw Failure("switch " + Brief(line.name) + " is described a second time");
        }
        tree.switches.push_back(line.name);
        tree.parents.push_back(kNoSwitch);
        for (const std::string &node : line.nodes) {
            if (!nodes.insert(node).second) {
                throw Failure("node " + Brief(node) + " is named a second time");
            }
            tree.hosts.push_back(node);
            tree.switch_of_host.push_back(own);
        }
        lines.push_back(line);
    });
    if (lines.empty()) {
        throw At(source, 0, "there is no SwitchName in it");
    }
    for (const SwitchLine &line : lines) {
        for (const std::string &below : line.switches) {
            try {
                Connect(below, numbers.at(line.name), numbers, tree);
            } catch (const Failure &failure) {
                throw At(source, line.line, failure.what());
            }
        }
    }
    return tree;
}

Network MakeSlurmNetwork(const SourceText &source, const NetworkRequest &request) {
    const SwitchTree tree = ReadSwitchTree(source);
    // Nodes and servers are at places that are connected.
    return Network("tree of " + std::to_string(tree.switches.size()) + " switches", request,
                   FindPlaces(tree, request, source), [&](int from, int to) { return 2 + tree.Climb(from, to); });
}

} // namespace overlap
