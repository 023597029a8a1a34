// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "parameters.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace simulate {
namespace {

/// A member of the settings: an enumeration with its names, a number, or a text of OVERLAP_TEXT_SIZE bytes.
struct Parameter {
    const char *name;
    std::size_t offset;
    const char *const *names; // null: not an enumeration
    bool text = false;
    int usual = 0;
};

#define PARAMETER(member) #member, offsetof(overlap_settings, member)

const std::vector<Parameter> kParameters = {
    {PARAMETER(algorithm), overlap_algorithm_names, false, OVERLAP_ALGORITHM_AUTO},
    {PARAMETER(shuffle), overlap_shuffle_names, false, OVERLAP_SHUFFLE_AUTO},
    {PARAMETER(writer), overlap_writer_names, false, OVERLAP_WRITER_AUTO},
    {PARAMETER(slots), nullptr, false, OVERLAP_SLOTS_AUTO},
    {PARAMETER(partition), overlap_partition_names, false, OVERLAP_PARTITION_EVEN},
    {PARAMETER(placement), overlap_placement_names, false, OVERLAP_PLACEMENT_SPREAD},
    {PARAMETER(window_threshold), nullptr, false, OVERLAP_WINDOW_THRESHOLD_DEFAULT},
    {PARAMETER(put_threshold), nullptr, false, OVERLAP_PUT_THRESHOLD_DEFAULT},
    {PARAMETER(throttle), nullptr, false, OVERLAP_THROTTLE_AUTO},
    {PARAMETER(eager_bytes), nullptr, false, OVERLAP_EAGER_BYTES_DEFAULT},
    {PARAMETER(holes), overlap_holes_names, false, OVERLAP_HOLES_AUTO},
    {PARAMETER(reads), overlap_transfers_names, false, OVERLAP_TRANSFERS_AUTO},
    {PARAMETER(writes), overlap_transfers_names, false, OVERLAP_TRANSFERS_AUTO},
    {PARAMETER(node_merge), overlap_node_merge_names, false, OVERLAP_NODE_MERGE_OFF},
    {PARAMETER(aggregators_per_node), nullptr, false, 0},
    {PARAMETER(domains_per_rank), nullptr, false, 1},
    {PARAMETER(candidates_per_node), nullptr, false, OVERLAP_CANDIDATES_PER_NODE_DEFAULT},
    {PARAMETER(topology), nullptr, true},
    {PARAMETER(topology_bandwidths), nullptr, true},
    {PARAMETER(storage_nodes), nullptr, true},
    {PARAMETER(config_list), nullptr, true},
};

#undef PARAMETER

// Enumerations of C have the size of an int here.
static_assert(sizeof(overlap_algorithm) == sizeof(int));

int &Number(overlap_settings &settings, const Parameter &parameter) {
    return *reinterpret_cast<int *>(reinterpret_cast<char *>(&settings) + parameter.offset);
}

int ReadNumber(const Parameter &parameter, const std::string &value) {
    int names = 0;
    for (; parameter.names != nullptr && parameter.names[names] != nullptr; ++names) {
        if (value == parameter.names[names]) {
            return names;
        }
    }
    char *end = nullptr;
    const long number = std::strtol(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0' || number < 0 || number > (1 << 30) || (names > 0 && number >= names)) {
        throw std::invalid_argument(std::string("\"") + value + "\" is no value of " + parameter.name);
    }
    return static_cast<int>(number);
}

} // namespace

overlap_settings DefaultSettings() {
    overlap_settings settings{};
    for (const Parameter &parameter : kParameters) {
        if (!parameter.text) {
            Number(settings, parameter) = parameter.usual;
        }
    }
    return settings;
}

void Set(overlap_settings &settings, const std::string &assignment) {
    const std::size_t equal = assignment.find('=');
    const std::string name = assignment.substr(0, equal);
    const auto found = std::find_if(kParameters.begin(), kParameters.end(),
                                    [&name](const Parameter &parameter) { return name == parameter.name; });
    if (equal == std::string::npos || found == kParameters.end()) {
        throw std::invalid_argument("\"" + assignment + "\" is no NAME=VALUE of a parameter of the engine");
    }
    const std::string value = assignment.substr(equal + 1);
    if (!found->text) {
        Number(settings, *found) = ReadNumber(*found, value);
        return;
    }
    char *const text = reinterpret_cast<char *>(&settings) + found->offset;
    text[value.copy(text, OVERLAP_TEXT_SIZE - 1)] = '\0';
}

} // namespace simulate
