// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rules of a site from their JSON: which keys there are, and what their values may be.
#include "json.h"
#include "rules.h"

#include <climits>
#include <set>

namespace overlap {
namespace {

using Kind = JsonValue::Kind;

constexpr int kFileVersion = 1;
constexpr const char *kModule = "overlap";

class Complaints {
  public:
    explicit Complaints(const SourceText &source) : source_(source) {}

    void Add(int line, const std::string &why) {
        // Nobody reads more, and a file that is none of rules would have as many as it has lines.
        constexpr std::size_t kMost = 16;
        if (list_.size() < kMost) {
            // Not by a Failure, whose text ends where `why` quotes a null character.
            list_.push_back(Brief(source_.name) + (line > 0 ? ":" + std::to_string(line) : "") + ": " + why);
        } else {
            ++more_;
        }
    }

    std::vector<std::string> Take() {
        if (more_ > 0) {
            list_.push_back(At(source_, 0, "as much is wrong in " + std::to_string(more_) + " more places").what());
        }
        return std::move(list_);
    }

  private:
    const SourceText &source_;
    std::vector<std::string> list_;
    std::int64_t more_ = 0;
};

std::string IsNot(const JsonValue &value, const std::string &valid) {
    const std::string given = value.kind == Kind::kText     ? "\"" + Brief(value.text) + "\""
                              : value.kind == Kind::kList   ? "a list"
                              : value.kind == Kind::kObject ? "an object"
                                                            : Brief(value.text);
    return given + " is not " + valid;
}

// Of ASCII: what the locale says of letters may differ between ranks.
std::string Lower(std::string text) {
    for (char &letter : text) {
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    return text;
}

bool IsText(const JsonValue &value, const char *text) { return value.kind == Kind::kText && Lower(value.text) == text; }

bool IsWhole(const JsonValue &value, std::int64_t least, std::int64_t most) {
    return value.kind == Kind::kWhole && value.number >= least && value.number <= most;
}

// What is wrong with a member of an object: nothing where it is empty; without a value there is no such key.
using Wrong = std::optional<std::string>;

// Calls take(member) for each member. False where there was something to complain of.
template <typename Take> bool TakeMembers(const JsonValue &object, Complaints &complaints, Take take) {
    std::set<std::string> taken;
    bool right = true;
    for (const JsonValue &member : object.items) {
        const Wrong wrong = taken.insert(member.name).second ? take(member) : Wrong("it is given twice");
        if (!wrong || !wrong->empty()) {
            complaints.Add(member.line, "\"" + Brief(member.name) + "\": " + wrong.value_or("there is no such key"));
            right = false;
        }
    }
    return right;
}

// `or_text`: what may stand in the place of a number.
template <typename Number>
std::string TakeNumber(const JsonValue &value, std::int64_t least, std::int64_t most, Number &number,
                       const std::string &or_text = "") {
    if (IsWhole(value, least, most)) {
        number = static_cast<Number>(value.number);
        return "";
    }
    return IsNot(value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most) + or_text);
}

std::string TakeBound(const JsonValue &value, bool is_most, Bounds &bounds) {
    if (is_most && IsText(value, "inf")) {
        return "";
    }
    const std::string why =
        TakeNumber(value, 0, INT64_MAX, is_most ? bounds.most : bounds.least, is_most ? ", or \"inf\"" : "");
    return !why.empty() || bounds.least <= bounds.most
               ? why
               : "no number is from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
}

std::string TakeFileSystem(const JsonValue &value, Rule &rule) {
    if (value.kind != Kind::kText || value.text.empty()) {
        return IsNot(value, "the name of a file system, or a list of names");
    }
    rule.file_systems.push_back(Lower(value.text));
    return "";
}

std::string TakeFileSystems(const JsonValue &value, Rule &rule) {
    if (value.kind != Kind::kList) {
        return TakeFileSystem(value, rule);
    }
    for (const JsonValue &name : value.items) {
        std::string why = TakeFileSystem(name, rule);
        if (!why.empty()) {
            return why;
        }
    }
    return value.items.empty() ? "the list names no file system" : "";
}

// The name or, as of the parameters, its number.
template <typename Value>
std::string TakeName(const JsonValue &value, const char *const *names, std::optional<Value> &place) {
    std::string all;
    for (int i = 0; names[i] != nullptr; ++i) {
        if (IsText(value, names[i]) || IsWhole(value, i, i)) {
            place = static_cast<Value>(i);
            return "";
        }
        all += (i == 0 ? "one of " : ", ") + std::string(names[i]);
    }
    return IsNot(value, all);
}

std::string TakeSlots(const JsonValue &value, Advice &advice) {
    if (IsText(value, "auto") || IsWhole(value, OVERLAP_SLOTS_AUTO, OVERLAP_SLOTS_AUTO)) {
        advice.slots = OVERLAP_SLOTS_AUTO;
        return "";
    }
    return TakeNumber(value, OVERLAP_SLOTS_MIN, OVERLAP_SLOTS_MAX, advice.slots, ", or \"auto\"");
}

Wrong TakeMember(const JsonValue &member, Rule &rule) {
    const std::string &name = member.name;
    const std::pair<std::string, Bounds &> bounds[] = {{"ranks", rule.ranks},
                                                       {"nodes", rule.nodes},
                                                       {"ranks_per_node", rule.ranks_per_node},
                                                       {"bytes", rule.bytes},
                                                       {"mean_piece", rule.mean_piece}};
    for (const auto &[key, of_key] : bounds) {
        if (name == key + "_min" || name == key + "_max") {
            return TakeBound(member, name == key + "_max", of_key);
        }
    }
    Advice &advice = rule.advice;
    return name == "file_system"   ? TakeFileSystems(member, rule)
           : name == "algorithm"   ? TakeName(member, overlap_algorithm_names, advice.algorithm)
           : name == "shuffle"     ? TakeName(member, overlap_shuffle_names, advice.shuffle)
           : name == "writer"      ? TakeName(member, overlap_writer_names, advice.writer)
           : name == "partition"   ? TakeName(member, overlap_partition_names, advice.partition)
           : name == "slots"       ? TakeSlots(member, advice)
           : name == "aggregators" ? TakeNumber(member, 1, INT_MAX, advice.aggregators)
           : name == "sub_buffer"  ? TakeNumber(member, 1, INT_MAX, advice.sub_buffer) // no collective buffer is larger
                                   : Wrong();
}

Rules TakeRules(const JsonValue &list, Complaints &complaints) {
    std::vector<Rule> rules;
    for (const JsonValue &item : list.items) {
        Rule rule;
        rule.advice.line = item.line;
        if (item.kind != Kind::kObject) {
            complaints.Add(item.line, IsNot(item, "a rule, {...}"));
        } else if (TakeMembers(item, complaints, [&rule](const JsonValue &member) { return TakeMember(member, rule); })) {
            rules.push_back(std::move(rule));
        }
    }
    return Rules(std::move(rules));
}

Rules TakeFile(const JsonValue &json, Complaints &complaints) {
    if (json.kind != Kind::kObject) {
        complaints.Add(json.line, IsNot(json, "an object, {\"collectives\": {\"write_all\": [...]}}"));
        return Rules();
    }
    const JsonValue *list = nullptr;
    bool other = false; // made for another version, or for another module of Open MPI
    const auto take_rules = [&](const JsonValue &member) -> Wrong {
        if (member.name != "write_all") {
            return std::nullopt;
        }
        if (member.kind != Kind::kList) {
            return IsNot(member, "a list of rules");
        }
        list = &member;
        return "";
    };
    bool right = true;
    const JsonValue *collectives = nullptr;
    const auto take = [&](const JsonValue &member) -> Wrong {
        if (member.name == "collectives" && member.kind == Kind::kObject) {
            collectives = &member;
        } else if (member.name == "collectives") {
            return IsNot(member, "an object, {\"write_all\": [...]}");
        } else if (member.name == "rule_file_version" && !IsWhole(member, kFileVersion, kFileVersion)) {
            other = true;
            return IsNot(member, std::to_string(kFileVersion) + ", so the file is ignored");
        } else if (member.name == "module" && !IsText(member, kModule)) {
            other = true;
            return IsNot(member, std::string(kModule) + ", so the file is ignored");
        } else if (member.name != "rule_file_version" && member.name != "module" && member.name != "$schema") {
            return std::nullopt;
        }
        return "";
    };
    right = TakeMembers(json, complaints, take);
    if (!other && collectives != nullptr) {
        right = TakeMembers(*collectives, complaints, take_rules) && right;
    }
    if (list != nullptr) {
        return TakeRules(*list, complaints);
    }
    if (right) { // else the reason is known
        complaints.Add(json.line, "there is no \"collectives\": {\"write_all\": [...]}");
    }
    return Rules();
}

} // namespace

ParsedRules ParseRules(const SourceText &source) {
    ParsedRules parsed;
    try {
        Complaints complaints(source);
        parsed.rules = TakeFile(ReadJson(source), complaints);
        parsed.complaints = complaints.Take();
    } catch (const Failure &failure) {
        parsed.complaints.push_back(failure.what());
    }
    return parsed;
}

} // namespace overlap
