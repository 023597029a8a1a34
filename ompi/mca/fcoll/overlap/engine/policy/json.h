// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// JSON whose values know the line that they stand on, so that what is wrong in it can be pointed to.
#ifndef OVERLAP_ENGINE_POLICY_JSON_H
#define OVERLAP_ENGINE_POLICY_JSON_H

#include "../placement/topology/lines.h"

#include <cstdint>
#include <string>
#include <vector>

namespace overlap {

struct JsonValue {
    enum class Kind { kWhole, kText, kList, kObject, kOther };

    Kind kind = Kind::kOther;
    int line = 1;                 // of the name where it is a member of an object, else where it begins; the first line is 1
    std::string name;             // of a member
    std::int64_t number = 0;      // of kWhole, a number that fits
    std::string text;             // of kText; of kWhole and kOther as a message quotes it
    std::vector<JsonValue> items; // of a list, in order; members of an object, those of equal names included
};

/// What is nested deeper than this is a failure.
constexpr std::size_t kDeepestJson = 8;

/// JSON with comments, `//` and `/* */`. Throws a Failure that names the file and the line, or says that the component was
/// built without nlohmann-json.
JsonValue ReadJson(const SourceText &source);

} // namespace overlap

#endif
