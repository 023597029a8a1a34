// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "json.h"

#include "../placement/topology/lines.h"

#ifdef OVERLAP_HAVE_NLOHMANN_JSON
#    include <nlohmann/json.hpp>

#    include <cstddef>
#    include <iterator>
#    include <limits>
#    include <string_view>
#    include <utility>
#endif

namespace overlap {

#ifdef OVERLAP_HAVE_NLOHMANN_JSON

namespace {

// The line of the character that the parser read last; an end of line belongs to the line that it ends. The parser takes
// one character behind a number before it says that it has one, which is still on the number's line or ends it.
class LineOfParser {
  public:
    int line() const { return line_; }

    void Take(char character) {
        line_ += ended_ ? 1 : 0;
        ended_ = character == '\n';
    }

  private:
    int line_ = 1;
    bool ended_ = false;
};

// The text, as the parser goes through it once.
class CountedCharacter {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = const char &;

    CountedCharacter(const char *at, LineOfParser &line) : at_(at), line_(&line) {}

    reference operator*() const { return *at_; }
    CountedCharacter &operator++() {
        line_->Take(*at_++);
        return *this;
    }
    bool operator==(const CountedCharacter &other) const { return at_ == other.at_; }
    bool operator!=(const CountedCharacter &other) const { return at_ != other.at_; }

  private:
    const char *at_;
    LineOfParser *line_;
};

// What the library puts before its reasons: the kind of the exception in brackets, and a line that a message has already.
std::string WithoutPreamble(std::string_view what) {
    const std::size_t kind = what.find("] ");
    what.remove_prefix(kind == std::string_view::npos ? 0 : kind + 2);
    const std::size_t place = what.rfind("parse error at ", 0) == 0 ? what.find(": ") : std::string_view::npos;
    what.remove_prefix(place == std::string_view::npos ? 0 : place + 2);
    return std::string(what);
}

// Builds the value from the parser's events. A list that is open does not move while something is added to what is in it, so
// the open ones are known by their addresses.
class Builder : public nlohmann::json_sax<nlohmann::json> {
  public:
    Builder(const SourceText &source, const LineOfParser &line) : source_(source), line_(line) {}

    Outcome<JsonValue> Result() { return failed_ ? Outcome<JsonValue>(failure_) : Outcome<JsonValue>(std::move(root_)); }

    bool null() override {
        Add(JsonValue::Kind::kNull, "null");
        return true;
    }
    bool boolean(bool value) override {
        Add(JsonValue::Kind::kBoolean, value ? "true" : "false");
        return true;
    }
    bool number_integer(number_integer_t value) override {
        Add(JsonValue::Kind::kWhole, std::to_string(value), value);
        return true;
    }
    bool number_unsigned(number_unsigned_t value) override {
        const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        Add(fits ? JsonValue::Kind::kWhole : JsonValue::Kind::kNumber, std::to_string(value),
            fits ? static_cast<std::int64_t>(value) : 0);
        return true;
    }
    bool number_float(number_float_t /*value*/, const string_t &text) override {
        Add(JsonValue::Kind::kNumber, text);
        return true;
    }
    bool string(string_t &value) override {
        Add(JsonValue::Kind::kText, value);
        return true;
    }
    bool binary(binary_t & /*value*/) override { return true; } // text has none
    bool key(string_t &name) override {
        name_ = name;
        line_of_name_ = line_.line();
        return true;
    }
    bool start_object(std::size_t /*members*/) override {
        Open(JsonValue::Kind::kObject);
        return true;
    }
    bool start_array(std::size_t /*items*/) override {
        Open(JsonValue::Kind::kList);
        return true;
    }
    bool end_object() override {
        Close();
        return true;
    }
    bool end_array() override {
        Close();
        return true;
    }
    bool parse_error(std::size_t /*position*/, const std::string & /*token*/,
                     const nlohmann::json::exception &error) override {
        failure_ = At(source_, line_.line(), Brief(WithoutPreamble(error.what())));
        failed_ = true;
        return false;
    }

  private:
    JsonValue *Add(JsonValue::Kind kind, std::string text, std::int64_t number = 0) {
        if (too_deep_ > 0) {
            return nullptr;
        }
        JsonValue &value = open_.empty() ? root_ : open_.back()->items.emplace_back();
        const bool member = !open_.empty() && open_.back()->kind == JsonValue::Kind::kObject;
        value.kind = kind;
        value.line = member ? line_of_name_ : line_.line();
        value.name = member ? std::move(name_) : std::string();
        value.number = number;
        value.text = std::move(text);
        return &value;
    }

    void Open(JsonValue::Kind kind) {
        if (open_.size() == kDeepestJson) {
            ++too_deep_;
        } else {
            open_.push_back(Add(kind, ""));
        }
    }

    void Close() {
        if (too_deep_ > 0) {
            --too_deep_;
        } else {
            open_.pop_back();
        }
    }

    const SourceText &source_;
    const LineOfParser &line_;
    JsonValue root_;
    std::vector<JsonValue *> open_; // lists and objects, the innermost last
    std::int64_t too_deep_ = 0;     // lists and objects that are open and left out
    std::string name_;              // of the next member
    int line_of_name_ = 1;
    bool failed_ = false;
    Failure failure_;
};

} // namespace

Outcome<JsonValue> ReadJson(const SourceText &source) {
    LineOfParser line;
    Builder builder(source, line);
    const char *const begin = source.text.data();
    nlohmann::json::sax_parse(CountedCharacter(begin, line), CountedCharacter(begin + source.text.size(), line), &builder,
                              nlohmann::json::input_format_t::json, true, true);
    return builder.Result();
}

#else

Outcome<JsonValue> ReadJson(const SourceText &source) {
    return At(source, 0, "this component was built without nlohmann-json, which reads it");
}

#endif

} // namespace overlap
