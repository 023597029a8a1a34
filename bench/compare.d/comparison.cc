// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "comparison.h"

#include <ctime>

namespace compare {

const nlohmann::ordered_json &Described(const Comparison &comparison) {
    static const nlohmann::ordered_json none;
    // The shuffle's bound has another file.
    for (const Entry &entry : comparison.entries) {
        if (entry.role == Role::kContender && entry.first) {
            return entry.first->result;
        }
    }
    return none;
}

std::string Now() {
    const std::time_t now = std::time(nullptr);
    std::tm local = {};
    localtime_r(&now, &local);
    char text[64];
    std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &local);
    return text;
}

} // namespace compare
