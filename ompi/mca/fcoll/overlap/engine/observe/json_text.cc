// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "json_text.h"

#include <cmath>
#include <locale>
#include <sstream>

namespace overlap {
namespace {

// Bytes of the UTF-8 character that `text` begins with, 0 where it begins with none.
std::size_t LengthOfCharacter(std::string_view text) {
    const auto byte = [text](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    const bool longer_than_needed = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool no_character = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
    return longer_than_needed || no_character ? 0 : length;
}

} // namespace

void JsonText::Open(char bracket) {
    Separate();
    text_ += bracket;
}

void JsonText::Open(std::string_view key, char bracket) {
    Key(key);
    text_ += bracket;
}

void JsonText::Add(std::string_view key, std::int64_t value) { AddRaw(key, std::to_string(value)); }

void JsonText::AddReal(std::string_view key, double value) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text.precision(9);
    text << (std::isfinite(value) ? value : 0.0);
    AddRaw(key, text.str());
}

void JsonText::AddText(std::string_view key, std::string_view value) {
    constexpr std::string_view kHex = "0123456789abcdef";
    Key(key);
    text_ += '"';
    while (!value.empty()) {
        const std::size_t length = LengthOfCharacter(value);
        const auto first = static_cast<unsigned char>(value.front());
        if (length == 0) {
            text_ += "\xef\xbf\xbd";
        } else if (first < ' ') {
            text_ += "\\u00";
            text_ += kHex[first >> 4];
            text_ += kHex[first & 15];
        } else {
            text_ += first == '"' || first == '\\' ? "\\" : "";
            text_ += value.substr(0, length);
        }
        value.remove_prefix(length == 0 ? 1 : length);
    }
    text_ += '"';
}

void JsonText::AddRaw(std::string_view key, std::string_view value) {
    Key(key);
    text_ += value;
}

// Nothing stands before the first member of an object and the first item of a list.
void JsonText::Separate() {
    if (!text_.empty() && text_.back() != '{' && text_.back() != '[') {
        text_ += ',';
    }
}

void JsonText::Key(std::string_view key) {
    Separate();
    text_ += '"';
    text_ += key;
    text_ += "\":";
}

} // namespace overlap
