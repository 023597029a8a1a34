// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "json.h"

#ifdef OVERLAP_HAVE_NLOHMANN_JSON

#    include <nlohmann/json.hpp>

#    include <cstddef>
#    include <iterator>
#    include <limits>
#    include <string_view>
#    include <utility>

namespace overlap {
namespace {

using Kind = JsonValue::Kind;

// The line of the character that the parser read last; an end of line belongs to the line that it ends. The parser takes
// one character behind a number before it says that it has one, which is still on the number's line or ends it.
struct Place {
    int line = 1;
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

    CountedCharacter(const char *at, Place &place) : at_(at), place_(&place) {}

    reference operator*() const { return *at_; }
    CountedCharacter &operator++() {
        place_->line += place_->ended ? 1 : 0;
        place_->ended = *at_++ == '\n';
        return *this;
    }
    bool operator==(const CountedCharacter &other) const { return at_ == other.at_; }
    bool operator!=(const CountedCharacter &other) const { return at_ != other.at_; }

  private:
    const char *at_;
    Place *place_;
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
    Builder(const SourceText &source, const Place &place) : source_(source), place_(place) {}

    JsonValue Result() { return std::move(root_); }

    bool null() override { return Add(Kind::kOther, "null"); }
    bool boolean(bool value) override { return Add(Kind::kOther, value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return Add(Kind::kWhole, std::to_string(value), value); }
    bool number_unsigned(number_unsigned_t value) override {
        const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
        return Add(fits ? Kind::kWhole : Kind::kOther, std::to_string(value), static_cast<std::int64_t>(value));
    }
    bool number_float(number_float_t /*value*/, const string_t &text) override { return Add(Kind::kOther, text); }
    bool string(string_t &value) override { return Add(Kind::kText, value); }
    bool binary(binary_t & /*value*/) override { return true; } // text has none
    bool key(string_t &name) override {
        name_ = name;
        line_of_name_ = place_.line;
        return true;
    }
    bool start_object(std::size_t /*members*/) override { return Add(Kind::kObject, ""); }
    bool start_array(std::size_t /*items*/) override { return Add(Kind::kList, ""); }
    bool end_object() override { return Close(); }
    bool end_array() override { return Close(); }
    bool parse_error(std::size_t /*position*/, const std::string & /*token*/,
                     const nlohmann::json::exception &error) override {
        throw At(source_, place_.line, Brief(WithoutPreamble(error.what())));
    }

  private:
    bool Add(Kind kind, std::string text, std::int64_t number = 0) {
        if (open_.size() == kDeepestJson) {
            throw At(source_, place_.line, "lists and objects are nested deeper than " + std::to_string(kDeepestJson));
        }
        JsonValue &value = open_.empty() ? root_ : open_.back()->items.emplace_back();
        const bool member = !open_.empty() && open_.back()->kind == Kind::kObject;
        value.kind = kind;
        value.line = member ? line_of_name_ : place_.line;
        value.name = member ? std::move(name_) : "";
        value.number = number;
        value.text = std::move(text);
        if (kind == Kind::kList || kind == Kind::kObject) {
            open_.push_back(&value);
        }
        return true;
    }

    bool Close() {
        open_.pop_back();
        return true;
    }

    const SourceText &source_;
    const Place &place_;
    JsonValue root_;
    std::vector<JsonValue *> open_; // lists and objects, the innermost last
    std::string name_;              // of the next member
    int line_of_name_ = 1;
};

} // namespace

JsonValue ReadJson(const SourceText &source) {
    Place place;
    Builder builder(source, place);
    const char *const begin = source.text.data();
    nlohmann::json::sax_parse(CountedCharacter(begin, place), CountedCharacter(begin + source.text.size(), place), &builder,
                              nlohmann::json::input_format_t::json, true, true);
    return builder.Result();
}

} // namespace overlap

#else

overlap::JsonValue overlap::ReadJson(const SourceText &source) {
    throw At(source, 0, "this component was built without nlohmann-json, which reads it");
}

#endif
