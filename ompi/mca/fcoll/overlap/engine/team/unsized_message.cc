// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "unsized_message.h"

namespace overlap {

std::int64_t *UnsizedMessage::Extend(std::size_t count) {
    const std::size_t behind = kHeaderWords + size();
    words_.resize(behind + count);
    return words_.data() + behind;
}

void UnsizedMessage::Add(const std::int64_t *words, std::size_t count) { std::copy_n(words, count, Extend(count)); }

void UnsizedMessage::Add(std::initializer_list<std::int64_t> words) { Add(words.begin(), words.size()); }

void UnsizedMessage::Fail(Status status) noexcept {
    words_.clear();
    status_.Merge(status);
}

std::size_t UnsizedMessage::MostParts(std::size_t words) noexcept {
    const std::size_t all = kHeaderWords + words;
    return all <= kFirstWords ? 1 : 1 + (all - kFirstWords + kPartWords - 1) / kPartWords;
}

// What is on its way to a rank already is not written to.
void UnsizedMessage::Seal() noexcept {
    std::int64_t *const header = words_.empty() ? empty_.data() : words_.data();
    const auto words = static_cast<std::int64_t>(size());
    if (header[0] != status_.error() || header[1] != words) {
        header[0] = status_.error();
        header[1] = words;
    }
}

Status UnsizedMessage::Send(Messages &messages, Rank peer, Tag tag) noexcept {
    return ForEachPart(tag, [&](Tag of_part, const std::int64_t *words, std::size_t count) {
        return messages.Send(peer, of_part, words, count);
    });
}

} // namespace overlap
