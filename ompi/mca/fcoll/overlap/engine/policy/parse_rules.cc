// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rules of a site from their JSON: which keys there are, and what their values may be.
#include "../placement/topology/lines.h"
#include "json.h"
#include "rules.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>

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
            list_.push_back(At(source_, line, why).message);
        } else {
            ++more_;
        }
    }

    std::vector<std::string> Take() {
        if (more_ > 0) {
            list_.push_back(At(source_, 0, "as much is wrong in " + std::to_string(more_) + " more places").message);
        }
        return std::move(list_);
    }

  private:
    const SourceText &source_;
    std::vector<std::string> list_;
    std::int64_t more_ = 0;
};

std::string Quoted(const JsonValue &value) {
    switch (value.kind) {
    case Kind::kText:
        return "\"" + Brief(value.text) + "\"";
    case Kind::kList:
        return "a list";
    case Kind::kObject:
        return "an object";
    default:
        return Brief(value.text);
    }
}

std::string IsNot(const JsonValue &value, const std::string &valid) { return Quoted(value) + " is not " + valid; }

// Of ASCII: what the locale says of letters may differ between ranks.
char Lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

bool IsText(const JsonValue &value, const char *text) {
    return value.kind == Kind::kText && value.text.size() == std::strlen(text) &&
           std::equal(value.text.begin(), value.text.end(), text, [](char a, char b) { return Lower(a) == Lower(b); });
}

// A key of an object: `take` puts its value into the target and returns what is wrong with it, nothing where it is right.
template <typename Target> struct Key {
    const char *name;
    std::string (*take)(const JsonValue &value, Target &target);
};

// False where there was something to complain of.
template <typename Target, std::size_t N>
bool TakeMembers(const JsonValue &object, const Key<Target> (&keys)[N], Target &target, Complaints &complaints) {
    std::array<bool, N> taken{};
    bool right = true;
    for (const JsonValue &member : object.items) {
        std::size_t i = 0;
        while (i < N && member.name != keys[i].name) {
            ++i;
        }
        std::string why;
        if (i == N) {
            why = "there is no such key";
        } else if (taken[i]) {
            why = "it is given twice";
        } else {
            taken[i] = true;
            why = keys[i].take(member, target);
        }
        if (!why.empty()) {
            complaints.Add(member.line, "\"" + Brief(member.name) + "\": " + why);
            right = false;
        }
    }
    return right;
}

std::string OutsideOf(const JsonValue &value, std::int64_t least, std::int64_t most) {
    if (value.kind == Kind::kWhole && value.number >= least && value.number <= most) {
        return "";
    }
    return IsNot(value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

std::string Emptiness(const Bounds &bounds) {
    return bounds.least <= bounds.most
               ? ""
               : "no number is from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
}

template <Bounds Rule::*Field> std::string TakeLeast(const JsonValue &value, Rule &rule) {
    std::string why = OutsideOf(value, 0, INT64_MAX);
    if (!why.empty()) {
        return why;
    }
    (rule.*Field).least = value.number;
    return Emptiness(rule.*Field);
}

template <Bounds Rule::*Field> std::string TakeMost(const JsonValue &value, Rule &rule) {
    if (IsText(value, "inf")) {
        return "";
    }
    std::string why = OutsideOf(value, 0, INT64_MAX);
    if (!why.empty()) {
        return why + ", or \"inf\"";
    }
    (rule.*Field).most = value.number;
    return Emptiness(rule.*Field);
}

std::string TakeFileSystem(const JsonValue &value, Rule &rule) {
    if (value.kind != Kind::kText || value.text.empty()) {
        return IsNot(value, "the name of a file system, or a list of names");
    }
    std::string &name = rule.file_systems.emplace_back(value.text);
    for (char &letter : name) {
        letter = Lower(letter);
    }
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

template <typename Value> void Put(std::optional<Value> &place, std::int64_t number) { place = static_cast<Value>(number); }

// The name or, as of the parameters, its number.
template <auto Field, const char *const *Names> std::string TakeName(const JsonValue &value, Rule &rule) {
    std::string names;
    for (int i = 0; Names[i] != nullptr; ++i) {
        if (IsText(value, Names[i]) || (value.kind == Kind::kWhole && value.number == i)) {
            Put(rule.advice.*Field, i);
            return "";
        }
        names += (i == 0 ? "one of " : ", ") + std::string(Names[i]);
    }
    return IsNot(value, names);
}

template <auto Field, std::int64_t least, std::int64_t most> std::string TakeNumber(const JsonValue &value, Rule &rule) {
    std::string why = OutsideOf(value, least, most);
    if (why.empty()) {
        Put(rule.advice.*Field, value.number);
    }
    return why;
}

std::string TakeSlots(const JsonValue &value, Rule &rule) {
    if (IsText(value, "auto") || (value.kind == Kind::kWhole && value.number == OVERLAP_SLOTS_AUTO)) {
        rule.advice.slots = OVERLAP_SLOTS_AUTO;
        return "";
    }
    std::string why = TakeNumber<&Advice::slots, OVERLAP_SLOTS_MIN, OVERLAP_SLOTS_MAX>(value, rule);
    return why.empty() ? why : why + ", or \"auto\"";
}

constexpr Key<Rule> kRuleKeys[] = {
    {"ranks_min", TakeLeast<&Rule::ranks>},
    {"ranks_max", TakeMost<&Rule::ranks>},
    {"nodes_min", TakeLeast<&Rule::nodes>},
    {"nodes_max", TakeMost<&Rule::nodes>},
    {"ranks_per_node_min", TakeLeast<&Rule::ranks_per_node>},
    {"ranks_per_node_max", TakeMost<&Rule::ranks_per_node>},
    {"bytes_min", TakeLeast<&Rule::bytes>},
    {"bytes_max", TakeMost<&Rule::bytes>},
    {"mean_piece_min", TakeLeast<&Rule::mean_piece>},
    {"mean_piece_max", TakeMost<&Rule::mean_piece>},
    {"file_system", TakeFileSystems},
    {"algorithm", TakeName<&Advice::algorithm, overlap_algorithm_names>},
    {"shuffle", TakeName<&Advice::shuffle, overlap_shuffle_names>},
    {"writer", TakeName<&Advice::writer, overlap_writer_names>},
    {"partition", TakeName<&Advice::partition, overlap_partition_names>},
    {"slots", TakeSlots},
    {"aggregators", TakeNumber<&Advice::aggregators, 1, INT_MAX>},
    // No collective buffer is larger.
    {"sub_buffer", TakeNumber<&Advice::sub_buffer, 1, INT_MAX>},
};

struct Collectives {
    const JsonValue *write_all = nullptr;
};

constexpr Key<Collectives> kCollectives[] = {
    {"write_all",
     [](const JsonValue &value, Collectives &collectives) {
         if (value.kind != Kind::kList) {
             return IsNot(value, "a list of rules");
         }
         collectives.write_all = &value;
         return std::string();
     }},
};

struct RuleFile {
    const JsonValue *collectives = nullptr;
    bool other = false; // made for another version, or for another module of Open MPI
};

constexpr Key<RuleFile> kFileKeys[] = {
    {"$schema", [](const JsonValue &, RuleFile &) { return std::string(); }},
    {"rule_file_version",
     [](const JsonValue &value, RuleFile &file) {
         const bool ours = value.kind == Kind::kWhole && value.number == kFileVersion;
         file.other = file.other || !ours;
         return ours ? std::string() : IsNot(value, std::to_string(kFileVersion)) + ", so the file is ignored";
     }},
    {"module",
     [](const JsonValue &value, RuleFile &file) {
         const bool ours = IsText(value, kModule);
         file.other = file.other || !ours;
         return ours ? std::string() : IsNot(value, std::string(kModule)) + ", so the file is ignored";
     }},
    {"collectives",
     [](const JsonValue &value, RuleFile &file) {
         if (value.kind != Kind::kObject) {
             return IsNot(value, "an object, {\"write_all\": [...]}");
         }
         file.collectives = &value;
         return std::string();
     }},
};

Rules TakeRules(const JsonValue &list, Complaints &complaints) {
    std::vector<Rule> rules;
    for (const JsonValue &item : list.items) {
        Rule rule;
        rule.advice.line = item.line;
        if (item.kind != Kind::kObject) {
            complaints.Add(item.line, IsNot(item, "a rule, {...}"));
        } else if (TakeMembers(item, kRuleKeys, rule, complaints)) {
            rules.push_back(std::move(rule));
        }
    }
    return Rules(std::move(rules));
}

Rules TakeFile(const JsonValue &json, Complaints &complaints) {
    RuleFile file;
    Collectives collectives;
    bool right = true;
    if (json.kind != Kind::kObject) {
        complaints.Add(json.line, IsNot(json, "an object, {\"collectives\": {\"write_all\": [...]}}"));
        return Rules();
    }
    right = TakeMembers(json, kFileKeys, file, complaints);
    if (file.other) {
        return Rules();
    }
    if (file.collectives != nullptr) {
        right = TakeMembers(*file.collectives, kCollectives, collectives, complaints) && right;
    }
    if (collectives.write_all != nullptr) {
        return TakeRules(*collectives.write_all, complaints);
    }
    if (right) { // else the reason is known
        complaints.Add(json.line, "there is no \"collectives\": {\"write_all\": [...]}");
    }
    return Rules();
}

} // namespace

ParsedRules ParseRules(const SourceText &source) {
    ParsedRules parsed;
    const Outcome<JsonValue> json = ReadJson(source);
    if (!json.ok()) {
        parsed.complaints.push_back(json.failure().message);
        return parsed;
    }
    Complaints complaints(source);
    parsed.rules = TakeFile(json.value(), complaints);
    parsed.complaints = complaints.Take();
    return parsed;
}

} // namespace overlap
