// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The rules of a site from their JSON: which keys there are, and what their values may be.
#include "rules.h"

#ifdef OVERLAP_HAVE_NLOHMANN_JSON

#    include <nlohmann/json.hpp>

#    include <climits>
#    include <cstddef>
#    include <iterator>
#    include <set>
#    include <utility>

namespace overlap {
namespace {

constexpr int kFileVersion = 1;
constexpr const char *kModule = "overlap";
constexpr const char *kNoSuchKey = "there is no such key";

// The line of the character that the parser read last; an end of line belongs to the line that it ends. The parser takes
// one character behind a number before it says that it has one, which is still on the number's line or ends it.
struct TextLine {
    int number = 1;
    bool ended = false;
};

// The text, as the parser goes through it once.
class CountedCharacter {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;

    CountedCharacter(const char *at, TextLine &line) : at_(at), line_(&line) {}

    reference operator*() const { return *at_; }
    CountedCharacter &operator++() {
        line_->number += line_->ended ? 1 : 0;
        line_->ended = *at_++ == '\n';
        return *this;
    }
    bool operator==(const CountedCharacter &other) const { return at_ == other.at_; }
    bool operator!=(const CountedCharacter &other) const { return at_ != other.at_; }

  private:
    const char *at_;
    TextLine *line_;
};

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
    const std::string why =
        TakeNumber(value, 0, INT64_MAX, is_most ? bounds.most : bounds.least, is_most ? ", or \"inf\"" : "");
    return !why.empty() || bounds.least <= bounds.most
               ? why
               : "no number is from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
}

std::string TakeFileSystem(const Value &value, Rule &rule) {
    if (value.kind != Value::kText || value.text.empty()) {
        return IsNot(value, "the name of a file system, or a list of names");
    }
    rule.file_systems.push_back(value.Lower());
    return "";
}

// The name or, as of the parameters, its number.
template <typename Choice>
std::string TakeName(const Value &value, const char *const *names, std::optional<Choice> &choice) {
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
    if (value.IsText("auto") || value.IsWhole(OVERLAP_SLOTS_AUTO, OVERLAP_SLOTS_AUTO)) {
        advice.slots = OVERLAP_SLOTS_AUTO;
        return "";
    }
    return TakeNumber(value, OVERLAP_SLOTS_MIN, OVERLAP_SLOTS_MAX, advice.slots, ", or \"auto\"");
}

std::string TakeMember(const std::string &name, const Value &value, Rule &rule) {
    const std::pair<std::string, Bounds &> bounds[] = {{"ranks", rule.ranks},
                                                       {"nodes", rule.nodes},
                                                       {"ranks_per_node", rule.ranks_per_node},
                                                       {"bytes", rule.bytes},
                                                       {"mean_piece", rule.mean_piece}};
    for (const auto &[key, of_key] : bounds) {
        if (name == key + "_min" || name == key + "_max") {
            return TakeBound(value, name == key + "_max", of_key);
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

// Takes the rules from the parser's events.
class Reader final : public nlohmann::json_sax<nlohmann::json> {
  public:
    Reader(const SourceText &source, const TextLine &line) : source_(source), line_(line) {}

    ParsedRules Result() {
        if (failed_ || other_) {
            rules_.clear();
        } else if (!has_list_ && complaints_.empty()) { // else the reason is known
            Complain(first_line_, "there is no \"collectives\": {\"write_all\": [...]}");
        }
        if (more_ > 0) {
            complaints_.push_back(Located(source_, 0, "as much is wrong in " + std::to_string(more_) + " more places"));
        }
        return ParsedRules{std::move(rules_), std::move(complaints_)};
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
        line_of_name_ = line_.number;
        return true;
    }
    bool start_object(std::size_t /*members*/) override { return Take(Value{Value::kObject, "an object"}); }
    bool start_array(std::size_t /*items*/) override { return Take(Value{Value::kList, "a list"}); }
    bool end_object() override { return Close(); }
    bool end_array() override { return Close(); }
    bool parse_error(std::size_t /*position*/, const std::string & /*token*/,
                     const nlohmann::json::exception &error) override {
        const std::string what = error.what(); // begins with the kind of the exception in brackets
        complaints_ = {Located(source_, line_.number, Brief(what.substr(what.find("] ") + 2)))};
        more_ = 0;
        failed_ = true;
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
        const bool of_another = other_; // nobody wants to know what else is wrong in it
        const bool is_member = where_ == kFile || where_ == kCollectives || where_ == kRule;
        const int line = is_member ? line_of_name_ : line_.number;
        Where inside = kOutside; // none
        const std::string why =
            is_member && !names_[where_].insert(name_).second ? "it is given a second time" : TakeNew(value, line, inside);
        if (!why.empty() && !of_another) {
            rule_is_right_ = false;
            Complain(line, is_member ? "\"" + Brief(name_) + "\": " + why : why);
        }
        if (opens && inside == kOutside) {
            ignored_ = 1;
        } else if (opens) {
            where_ = inside;
            names_[where_].clear();
        }
        return true;
    }

    // `inside`: what its members or items lie in.
    std::string TakeNew(const Value &value, int line, Where &inside) {
        switch (where_) {
        case kOutside:
            first_line_ = line;
            return Enter(value, Value::kObject, kFile, "an object, {\"collectives\": {\"write_all\": [...]}}", inside);
        case kFile:
            return TakeOfFile(value, inside);
        case kCollectives:
            has_list_ = has_list_ || (name_ == "write_all" && value.kind == Value::kList);
            return name_ == "write_all" ? Enter(value, Value::kList, kRules, "a list of rules", inside) : kNoSuchKey;
        case kRules:
            rule_ = Rule();
            rule_.advice.line = line;
            rule_is_right_ = true;
            return Enter(value, Value::kObject, kRule, "a rule, {...}", inside);
        case kRule:
            if (name_ == "file_system" && value.kind == Value::kList) {
                inside = kFileSystems;
                return "";
            }
            return TakeMember(name_, value, rule_);
        case kFileSystems:
            return TakeFileSystem(value, rule_);
        }
        return "";
    }

    std::string TakeOfFile(const Value &value, Where &inside) {
        if (name_ == "collectives") {
            return Enter(value, Value::kObject, kCollectives, "an object, {\"write_all\": [...]}", inside);
        }
        std::string why = name_ == "$schema" ? "" : kNoSuchKey;
        if (name_ == "rule_file_version") {
            why = value.IsWhole(kFileVersion, kFileVersion) ? "" : IsNot(value, std::to_string(kFileVersion));
        } else if (name_ == "module") {
            why = value.IsText(kModule) ? "" : IsNot(value, kModule);
        }
        const bool other = !why.empty() && why != kNoSuchKey; // made for another version, or another module of Open MPI
        other_ = other_ || other;
        return other ? why + ", so the file is ignored" : why;
    }

    static std::string Enter(const Value &value, Value::Kind kind, Where where, const char *valid, Where &inside) {
        inside = value.kind == kind ? where : kOutside;
        return value.kind == kind ? "" : IsNot(value, valid);
    }

    bool Close() {
        if (ignored_ > 0) {
            --ignored_;
            return true;
        }
        if (where_ == kRule && rule_is_right_) {
            rules_.push_back(std::move(rule_));
        } else if (where_ == kFileSystems && rule_is_right_ && rule_.file_systems.empty()) {
            rule_is_right_ = false;
            Complain(line_of_name_, "\"file_system\": the list names no file system");
        }
        where_ = static_cast<Where>(where_ - 1);
        return true;
    }

    // Nobody reads many, and a file that is none of rules would have as many as it has lines.
    void Complain(int line, const std::string &why) {
        constexpr std::size_t kMost = 16;
        if (complaints_.size() < kMost) {
            complaints_.push_back(Located(source_, line, why));
        } else {
            ++more_;
        }
    }

    const SourceText &source_;
    const TextLine &line_;
    Where where_ = kOutside;
    std::int64_t ignored_ = 0;                      // lists and objects, each in the one before, that nobody looks at
    std::set<std::string> names_[kFileSystems + 1]; // that were given, of what is open
    std::string name_;                              // of the next member
    int line_of_name_ = 1;
    int first_line_ = 1;
    bool has_list_ = false;
    bool other_ = false;
    bool failed_ = false;
    Rule rule_;
    bool rule_is_right_ = true;
    Rules rules_;
    std::vector<std::string> complaints_;
    std::int64_t more_ = 0; // complaints than are listed
};

} // namespace

ParsedRules ParseRules(const SourceText &source) {
    TextLine line;
    Reader reader(source, line);
    const char *const begin = source.text.data();
    nlohmann::json::sax_parse(CountedCharacter(begin, line), CountedCharacter(begin + source.text.size(), line), &reader,
                              nlohmann::json::input_format_t::json, true, true);
    return reader.Result();
}

} // namespace overlap

#else

overlap::ParsedRules overlap::ParseRules(const SourceText &source) {
    return ParsedRules{{}, {Located(source, 0, "this component was built without nlohmann-json, which reads it")}};
}

#endif
