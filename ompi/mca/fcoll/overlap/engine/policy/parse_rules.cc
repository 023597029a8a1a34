// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rules of a site from their JSON: which keys there are, and what their values may be.
#include "rules.h"

#ifdef OVERLAP_HAVE_NLOHMANN_JSON

#    include <nlohmann/json.hpp>

#    include <climits>
#    include <cstddef>
#    include <utility>

namespace overlap {
namespace {

constexpr int kFileVersion = 1;
constexpr const char *kModule = "overlap";
constexpr const char *kNoSuchKey = "there is no such key";

// A value; of a list or an object that it begins.
struct Value {
    enum Kind { kWhole, kText, kList, kObject, kOther };

    Kind kind;
    std::string text;        // of kText; of the others as a message quotes it
    std::int64_t number = 0; // of kWhole

    bool IsWhole(std::int64_t least, std::int64_t most) const { return kind == kWhole && number >= least && number <= most; }
    bool IsText(const std::string &lower) const { return kind == kText && Lower() == lower; }

    // Of ASCII: what the locale says of letters may differ between ranks.
    std::string Lower() const {
        std::string lower = text;
        for (char &letter : lower) {
            letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        }
        return lower;
    }
};

// What takes a value returns what is wrong with it, nothing where it is right.
std::string IsNot(const Value &value, const std::string &valid) {
    const std::string quote = value.kind == Value::kText ? "\"" : "";
    return quote + Brief(value.text) + quote + " is not " + valid;
}

// `or_text`: what may stand in the place of a number.
template <typename Number>
std::string TakeNumber(const Value &value, std::int64_t least, std::int64_t most, Number &number,
                       const std::string &or_text = "") {
    if (!value.IsWhole(least, most)) {
        return IsNot(value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most) + or_text);
    }
    number = static_cast<Number>(value.number);
    return "";
}

std::string TakeBound(const Value &value, bool is_most, Bounds &bounds) {
    if (is_most && value.IsText("inf")) {
        return "";
    }
    return TakeNumber(value, 0, INT64_MAX, is_most ? bounds.most : bounds.least, is_most ? ", or \"inf\"" : "");
}

std::string TakeFileSystem(const Value &value, Rule &rule) {
    if (value.kind != Value::kText || value.text.empty()) {
        return IsNot(value, "the name of a file system, or a list of names");
    }
    rule.file_systems.push_back(value.Lower());
    return "";
}

// The name or, as of the parameters, its number.
template <typename Choice> std::string TakeName(const Value &value, const char *const *names, Choice &choice) {
    std::string all;
    for (int i = 0; names[i] != nullptr; ++i) {
        if (value.IsText(names[i]) || value.IsWhole(i, i)) {
            choice = static_cast<Choice>(i);
            return "";
        }
        all += (i == 0 ? "one of " : ", ") + std::string(names[i]);
    }
    return IsNot(value, all);
}

std::string TakeSlots(const Value &value, Advice &advice) {
    advice.slots = OVERLAP_SLOTS_AUTO;
    return value.IsText("auto") || value.IsWhole(OVERLAP_SLOTS_AUTO, OVERLAP_SLOTS_AUTO)
               ? ""
               : TakeNumber(value, OVERLAP_SLOTS_MIN, OVERLAP_SLOTS_MAX, advice.slots, ", or \"auto\"");
}

std::string TakeMember(const std::string &name, const Value &value, Rule &rule) {
    for (std::size_t i = 0; i < std::size(kBounded); ++i) {
        const std::string key = kBounded[i].first;
        if (name == key + "_min" || name == key + "_max") {
            return TakeBound(value, name == key + "_max", rule.bounds[i]);
        }
    }
    Advice &advice = rule.advice;
    return name == "file_system"   ? TakeFileSystem(value, rule)
           : name == "algorithm"   ? TakeName(value, overlap_algorithm_names, advice.algorithm)
           : name == "shuffle"     ? TakeName(value, overlap_shuffle_names, advice.shuffle)
           : name == "writer"      ? TakeName(value, overlap_writer_names, advice.writer)
           : name == "partition"   ? TakeName(value, overlap_partition_names, advice.partition)
           : name == "slots"       ? TakeSlots(value, advice)
           : name == "aggregators" ? TakeNumber(value, 1, INT_MAX, advice.aggregators)
           : name == "sub_buffer"  ? TakeNumber(value, 1, INT_MAX, advice.sub_buffer) // no collective buffer is larger
                                   : kNoSuchKey;
}

// Takes the rules from the parser's events. (A tree of nlohmann-json would be shorter to read, but its destructor takes
// memory and ends the process where there is none.)
class Reader final : public nlohmann::json_sax<nlohmann::json> {
  public:
    explicit Reader(const SourceText &source) : source_(source) {}

    ParsedRules Result() {
        if (!has_list_ && why_ignored_.empty()) {
            why_ignored_ = "there is no \"collectives\": {\"write_all\": [...]}";
        }
        return why_ignored_.empty() ? ParsedRules{std::move(rules_), std::move(complaints_)}
                                    : ParsedRules{{}, {Located(source_, 0, why_ignored_)}};
    }

    bool null() override { return Take(Value{Value::kOther, "null"}); }
    bool boolean(bool value) override { return Take(Value{Value::kOther, value ? "true" : "false"}); }
    bool number_integer(number_integer_t value) override { return Take(Value{Value::kWhole, std::to_string(value), value}); }
    bool number_unsigned(number_unsigned_t value) override {
        const auto kind = value <= static_cast<number_unsigned_t>(INT64_MAX) ? Value::kWhole : Value::kOther;
        return Take(Value{kind, std::to_string(value), static_cast<std::int64_t>(value)});
    }
    bool number_float(number_float_t /*value*/, const string_t &text) override { return Take(Value{Value::kOther, text}); }
    bool string(string_t &value) override { return Take(Value{Value::kText, value}); }
    bool binary(binary_t & /*value*/) override { return true; } // text has none
    bool key(string_t &name) override {
        name_ = name;
        return true;
    }
    bool start_object(std::size_t /*members*/) override { return Take(Value{Value::kObject, "an object"}); }
    bool start_array(std::size_t /*items*/) override { return Take(Value{Value::kList, "a list"}); }
    bool end_object() override { return Close(); }
    bool end_array() override { return Close(); }
    bool parse_error(std::size_t /*position*/, const std::string & /*token*/,
                     const nlohmann::json::exception &error) override {
        const std::string what = error.what(); // begins with the kind of the exception in brackets
        why_ignored_ = Brief(what.substr(what.find("] ") + 2));
        return false;
    }

  private:
    // What values lie in, from the outside in.
    enum Where { kOutside, kFile, kCollectives, kRules, kRule, kFileSystems };

    bool Take(const Value &value) {
        const bool opens = value.kind == Value::kList || value.kind == Value::kObject;
        if (ignored_ > 0) {
            ignored_ += opens ? 1 : 0;
            return true;
        }
        bool enters = false;
        const std::string why = TakeNew(value, enters);
        if (!why.empty()) {
            Complain(where_ == kRules ? why : "\"" + Brief(name_) + "\": " + why);
        }
        if (enters) {
            where_ = static_cast<Where>(where_ + 1);
        } else if (opens) {
            ignored_ = 1;
        }
        return true;
    }

    // `enters`: becomes true where it is a list or an object that somebody looks into.
    std::string TakeNew(const Value &value, bool &enters) {
        switch (where_) {
        case kOutside:
            enters = value.kind == Value::kObject;
            return "";
        case kFile:
            enters = name_ == "collectives" && value.kind == Value::kObject;
            return TakeOfFile(value);
        case kCollectives:
            enters = name_ == "write_all" && value.kind == Value::kList;
            has_list_ = has_list_ || enters;
            return name_ == "write_all" ? "" : kNoSuchKey;
        case kRules:
            rule_ = Rule();
            rule_.advice.rule = ++number_;
            rule_is_right_ = true;
            enters = value.kind == Value::kObject;
            return enters ? "" : IsNot(value, "a rule, {...}");
        case kRule:
            enters = name_ == "file_system" && value.kind == Value::kList;
            return enters ? "" : TakeMember(name_, value, rule_);
        case kFileSystems:
            return TakeFileSystem(value, rule_);
        }
        return "";
    }

    std::string TakeOfFile(const Value &value) {
        const bool is_version = name_ == "rule_file_version";
        if (!is_version && name_ != "module") {
            return name_ == "collectives" || name_ == "$schema" ? "" : kNoSuchKey;
        }
        if (is_version ? !value.IsWhole(kFileVersion, kFileVersion) : !value.IsText(kModule)) {
            const std::string valid = is_version ? std::to_string(kFileVersion) : kModule;
            why_ignored_ = "\"" + name_ + "\": " + IsNot(value, valid) + ", so the file is ignored";
        }
        return "";
    }

    bool Close() {
        if (ignored_ > 0) {
            --ignored_;
            return true;
        }
        if (where_ == kRule) {
            CloseRule();
        } else if (where_ == kFileSystems && rule_is_right_ && rule_.file_systems.empty()) {
            Complain("\"file_system\": the list names no file system");
        }
        where_ = static_cast<Where>(where_ - 1);
        return true;
    }

    void CloseRule() {
        for (const Bounds &bounds : rule_.bounds) {
            if (bounds.least > bounds.most) {
                Complain("no number is from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most));
            }
        }
        if (rule_is_right_) {
            rules_.push_back(std::move(rule_));
        }
    }

    // Nobody reads many, and a file that is none of rules would have as many as it has lines.
    void Complain(const std::string &why) {
        constexpr std::size_t kMost = 16;
        rule_is_right_ = false;
        if (complaints_.size() < kMost) {
            complaints_.push_back(
                Located(source_, 0, where_ >= kRules ? "rule " + std::to_string(number_) + ": " + why : why));
        } else if (complaints_.size() == kMost) {
            complaints_.push_back(Located(source_, 0, "more is wrong"));
        }
    }

    const SourceText &source_;
    Where where_ = kOutside;
    std::int64_t ignored_ = 0; // lists and objects, each in the one before, that nobody looks at
    std::string name_;         // of the next member
    bool has_list_ = false;
    std::string why_ignored_; // the whole file
    int number_ = 0;          // of the rule, from 1
    Rule rule_;
    bool rule_is_right_ = true;
    Rules rules_;
    std::vector<std::string> complaints_;
};

} // namespace

ParsedRules ParseRules(const SourceText &source) {
    Reader reader(source);
    nlohmann::json::sax_parse(source.text, &reader, nlohmann::json::input_format_t::json, true, true);
    return reader.Result();
}

} // namespace overlap

#else

overlap::ParsedRules overlap::ParseRules(const SourceText &source) {
    return ParsedRules{{}, {Located(source, 0, "this component was built without nlohmann-json, which reads it")}};
}

#endif
