// Slurm's topology.conf of the plugin topology/tree (https://slurm.schedmd.com/topology.conf.html): a line for each switch
// with the switches or the nodes below it. LinkSpeed is ignored, as Slurm does.
#include "host_list.h"
#include "lines.h"
#include "switch_network.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

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

Outcome<Fabric> BuildFabric(const SourceText &source, const std::vector<SwitchLine> &lines) {
    Fabric fabric;
    std::unordered_map<std::string, int> nodes;
    std::unordered_map<std::string, int> switches;
    for (const SwitchLine &line : lines) {
        if (!switches.emplace(line.name, static_cast<int>(switches.size())).second) {
            return At(source, line.line, "switch " + Brief(line.name) + " is described twice");
        }
        fabric.switches.push_back(line.name);
        for (const std::string &node : line.nodes) {
            if (!nodes.emplace(node, static_cast<int>(nodes.size())).second) {
                return At(source, line.line, "node " + Brief(node) + " is named twice");
            }
            fabric.hosts.push_back(node);
        }
    }
    std::unordered_map<std::string, std::string> parents;
    for (const SwitchLine &line : lines) {
        const int above = fabric.FirstSwitch() + switches.at(line.name);
        for (const std::string &node : line.nodes) {
            fabric.cables.push_back(Fabric::Cable{nodes.at(node), above, std::nullopt});
        }
        for (const std::string &below : line.switches) {
            const auto found = switches.find(below);
            if (found == switches.end() || below == line.name) {
                return At(source, line.line,
                          "switch " + Brief(below) +
                              (found == switches.end() ? " has no line of its own" : " is below itself"));
            }
            if (!parents.emplace(below, line.name).second) {
                return At(source, line.line,
                          "switch " + Brief(below) + " is already below switch " + Brief(parents.at(below)));
            }
            fabric.cables.push_back(Fabric::Cable{fabric.FirstSwitch() + found->second, above, std::nullopt});
        }
    }
    return fabric;
}

} // namespace

NetworkOutcome MakeSlurmNetwork(const SourceText &source, const NetworkRequest &request) {
    const Outcome<std::vector<SwitchLine>> lines = ParseSwitches(source);
    if (!lines.ok()) {
        return lines.failure();
    }
    const Outcome<Fabric> fabric = BuildFabric(source, lines.value());
    if (!fabric.ok()) {
        return fabric.failure();
    }
    return MakeSwitchNetwork("tree of " + std::to_string(fabric.value().switches.size()) + " switches", source,
                             fabric.value(), request);
}

} // namespace overlap
