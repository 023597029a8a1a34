// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Writes JSON, member by member.
#ifndef OVERLAP_ENGINE_OBSERVE_JSON_TEXT_H
#define OVERLAP_ENGINE_OBSERVE_JSON_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>

namespace overlap {

/// Puts the commas. All of it throws std::bad_alloc.
class JsonText {
  public:
    /// Opens an object or a list with its bracket, as the value of the key, and closes it with the other one.
    void Open(char bracket);
    void Open(std::string_view key, char bracket);
    void Close(char bracket) { text_ += bracket; }

    void Add(std::string_view key, std::int64_t value);
    /// Nine digits that count, whatever the program's locale; 0 where the value is no number.
    void AddReal(std::string_view key, double value);
    /// Any bytes; what is no UTF-8 becomes U+FFFD.
    void AddText(std::string_view key, std::string_view value);
    /// `value` is JSON.
    void AddRaw(std::string_view key, std::string_view value);

    const std::string &text() const noexcept { return text_; }
    void Clear() noexcept { text_.clear(); }

  private:
    void Separate();
    void Key(std::string_view key);

    std::string text_;
};

} // namespace overlap

#endif
