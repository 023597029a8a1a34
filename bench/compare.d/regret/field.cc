// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "field.h"

#include "../contenders.h"

#include <stdexcept>

namespace compare {
namespace {

const char *const kAuto = "auto";

// Without the numbers that stand for them.
Words ValuesOf(const std::string &parameter, const Installation &installation) {
    Words values;
    for (const std::string &value : installation.Enumerators(parameter)) {
        if (value != kAuto && value.find_first_not_of("0123456789") != std::string::npos) {
            values.push_back(value);
        }
    }
    return values;
}

void Add(Field &field, const Words &specifications, Part part) {
    for (const Contender &contender : ParseContenders(specifications)) {
        field.parts[contender.label] = part;
    }
    field.contenders.insert(field.contenders.end(), specifications.begin(), specifications.end());
}

} // namespace

const char *Name(Part part) {
    switch (part) {
    case Part::kDefault:
        return "default";
    case Part::kSetting:
        return "setting";
    case Part::kOther:
        return "other";
    }
    return "";
}

Words AllSettings(const Installation &installation) {
    Words settings;
    for (const std::string &algorithm : ValuesOf("fcoll_overlap_algorithm", installation)) {
        for (const std::string &shuffle : ValuesOf("fcoll_overlap_shuffle", installation)) {
            settings.push_back(algorithm + "/" + shuffle + "=overlap:algorithm=" + algorithm + ":shuffle=" + shuffle);
        }
    }
    return settings;
}

Field FieldOf(const RegretOptions &options, const Installation &installation) {
    Field field;
    Add(field, {options.by_default}, Part::kDefault);
    const Words settings = options.settings.empty() ? AllSettings(installation) : options.settings;
    if (settings.empty()) {
        throw std::invalid_argument("overlap tells of no algorithms and shuffles here; --settings LIST names what to run");
    }
    Add(field, settings, Part::kSetting);
    if (options.with_others) {
        Add(field, options.others.empty() ? OtherContenders(options.run.openmpi, options.run.gio) : options.others,
            Part::kOther);
    }
    ParseContenders(field.contenders);
    return field;
}

} // namespace compare
