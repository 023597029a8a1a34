// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The output of ibnetdiscover(8): a block for each switch and each channel adapter, and in it a line for each port that is
// connected. A cable appears in the blocks of both of its ends. Hosts are named by the first word of their adapter's
// description; the adapters of a host count as one.
#include "switch_network.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <sstream>
#include <unordered_map>

namespace bench {
namespace {

struct Device {
    bool is_switch = false;
    std::string name; // what stands in quotes in the comment
};

// One end of a cable.
using Port = std::pair<std::string, std::string>; // GUID, port number

struct PortLine {
    int line = 0;
    Port own;
    Port peer;
    double bandwidth = 0; // 0 where the line does not say
};

// Data rate of a lane in Gbit/s, without what the coding takes.
double LaneRate(std::string_view speed) {
    constexpr std::array<std::pair<std::string_view, double>, 9> kRates = {{{"SDR", 2},
                                                                            {"DDR", 4},
                                                                            {"QDR", 8},
                                                                            {"FDR10", 10},
                                                                            {"FDR", 13.64},
                                                                            {"EDR", 25},
                                                                            {"HDR", 50},
                                                                            {"NDR", 100},
                                                                            {"XDR", 200}}};
    for (const auto &[name, rate] : kRates) {
        if (name == speed) {
            return rate;
        }
    }
    return 0;
}

// Bytes per second of "4xQDR", 0 for anything else.
double PortRate(const std::string &word) {
    const std::size_t times = word.find('x');
    int lanes = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + std::min(times, word.size()), lanes);
    if (times == std::string::npos || parsed.ec != std::errc() || parsed.ptr != word.data() + times) {
        return 0;
    }
    return lanes * LaneRate(std::string_view(word).substr(times + 1)) * 1e9 / 8;
}

// Reads "..." or [...] at `at` and moves behind it.
bool ReadBetween(std::string_view text, char open, char close, std::size_t &at, std::string &inner) {
    at = text.find_first_not_of(" \t", at);
    if (at == std::string_view::npos || text[at] != open) {
        return false;
    }
    const std::size_t end = text.find(close, at + 1);
    if (end == std::string_view::npos) {
        return false;
    }
    inner = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return true;
}

class Reader {
  public:
    explicit Reader(const overlap::SourceText &source) : source_(source) {}

    Fabric Read() {
        std::istringstream lines{std::string(source_.text)};
        for (std::string line; std::getline(lines, line);) {
            ++line_;
            const std::string wrong = ReadLine(line);
            if (!wrong.empty()) {
                throw At(source_, line_, wrong);
            }
        }
        if (devices_.empty()) {
            throw At(source_, 0, "there is neither a Switch nor a Ca in it");
        }
        return Build();
    }

  private:
    // Empty where the line is right or of no interest, else what is wrong.
    std::string ReadLine(const std::string &text) {
        if (text.rfind("Switch", 0) == 0 || text.rfind("Ca", 0) == 0 || text.rfind("Rt", 0) == 0) {
            return ReadDevice(text);
        }
        if (!text.empty() && text[0] == '[') {
            return block_.empty() ? "a port outside of a Switch or Ca" : ReadPort(text);
        }
        if (overlap::SplitWords(text).empty()) {
            block_.clear();
        }
        return "";
    }

    // Switch 36 "S-..." # "description" enhanced port 0 lid 1 lmc 0
    std::string ReadDevice(const std::string &text) {
        std::size_t at = std::min(text.find('"'), text.size());
        std::string guid;
        if (!ReadBetween(text, '"', '"', at, guid)) {
            return "the GUID in quotes is missing";
        }
        Device device;
        device.is_switch = text[0] != 'C';
        at = text.find('"', std::min(text.find('#', at), text.size()));
        if (at == std::string::npos || !ReadBetween(text, '"', '"', at, device.name)) {
            return "the description in quotes is missing";
        }
        if (!device.is_switch) {
            const std::vector<std::string> words = overlap::SplitWords(device.name);
            if (words.empty()) {
                return "the description has no host name";
            }
            device.name = words[0];
        }
        if (!devices_.emplace(guid, device).second) {
            return "\"" + overlap::Brief(guid) + "\" is described a second time";
        }
        order_.push_back(guid);
        block_ = guid;
        return "";
    }

    // [1] "H-..."[1](guid) # "description" lid 4 4xQDR; of a Ca: [1](guid) "S-..."[1] # ...
    std::string ReadPort(const std::string &text) {
        PortLine port;
        port.line = line_;
        port.own.first = block_;
        std::size_t at = 0;
        std::string ignored;
        bool read = ReadBetween(text, '[', ']', at, port.own.second);
        ReadBetween(text, '(', ')', at, ignored);
        read = read && ReadBetween(text, '"', '"', at, port.peer.first) && ReadBetween(text, '[', ']', at, port.peer.second);
        if (!read) {
            return "[PORT] \"GUID\"[PORT] belongs here";
        }
        for (const std::string &word : overlap::SplitWords(text.substr(at))) {
            port.bandwidth = std::max(port.bandwidth, PortRate(word));
        }
        ports_.push_back(std::move(port));
        return "";
    }

    Fabric Build() const {
        Fabric fabric;
        std::unordered_map<std::string, int> hosts;
        for (const std::string &guid : order_) {
            const Device &device = devices_.at(guid);
            if (device.is_switch) {
                fabric.switches.push_back(device.name);
            } else if (hosts.emplace(device.name, static_cast<int>(hosts.size())).second) {
                fabric.hosts.push_back(device.name);
            }
        }
        std::unordered_map<std::string, int> vertices;
        int next_switch = fabric.FirstSwitch();
        for (const std::string &guid : order_) {
            const Device &device = devices_.at(guid);
            vertices.emplace(guid, device.is_switch ? next_switch++ : hosts.at(device.name));
        }
        return AddCables(vertices, std::move(fabric));
    }

    Fabric AddCables(const std::unordered_map<std::string, int> &vertices, Fabric fabric) const {
        std::set<std::pair<Port, Port>> seen;
        std::map<std::pair<int, int>, std::size_t> cables;
        for (const PortLine &port : ports_) {
            const auto peer = vertices.find(port.peer.first);
            if (peer == vertices.end()) {
                throw At(source_, port.line, "\"" + overlap::Brief(port.peer.first) + "\" is described nowhere");
            }
            if (!seen.insert(std::pair<Port, Port>(std::minmax(port.own, port.peer))).second) {
                continue;
            }
            const std::pair<int, int> ends = std::minmax({vertices.at(port.own.first), peer->second});
            if (ends.second < fabric.FirstSwitch()) {
                throw At(source_, port.line, "a cable between two hosts");
            }
            const auto [known, added] = cables.emplace(ends, fabric.cables.size());
            if (added) {
                fabric.cables.push_back(Fabric::Cable{ends.first, ends.second, std::nullopt});
            }
            std::optional<double> &bandwidth = fabric.cables[known->second].bandwidth;
            if (port.bandwidth > 0) {
                bandwidth = bandwidth.value_or(0) + port.bandwidth;
            }
        }
        return fabric;
    }

    const overlap::SourceText &source_;
    std::unordered_map<std::string, Device> devices_; // by GUID
    std::vector<std::string> order_;                  // GUIDs as they come
    std::vector<PortLine> ports_;
    std::string block_; // GUID of the device whose ports are read
    int line_ = 0;      // that is read
};

} // namespace

Fabric ReadIbnetdiscover(const overlap::SourceText &source) { return Reader(source).Read(); }

WiredPointer MakeIbnetdiscoverNetwork(const overlap::SourceText &source, const overlap::NetworkRequest &request) {
    const Fabric fabric = ReadIbnetdiscover(source);
    return MakeSwitchNetwork("fabric of " + std::to_string(fabric.switches.size()) + " switches", source, fabric, request);
}

} // namespace bench
