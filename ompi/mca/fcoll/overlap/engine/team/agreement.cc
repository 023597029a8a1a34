// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "agreement.h"

namespace overlap {

// The smallest is the largest of the complements, which every number has: -INT64_MIN is none.
void Agreement::Write(std::int64_t *words) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
        const std::int64_t value = named_[i].flag != nullptr ? *named_[i].flag : *named_[i].value;
        words[i] = named_[i].smallest ? ~value : value;
    }
}

void Agreement::Read(const std::int64_t *words) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
        const std::int64_t value = named_[i].smallest ? ~words[i] : words[i];
        if (named_[i].flag != nullptr) {
            *named_[i].flag = value != 0;
        } else {
            *named_[i].value = value;
        }
    }
}

Status Agreement::Run(const Team &team, Status local) noexcept {
    std::array<std::int64_t, kMost + 1> words;
    Write(words.data());
    const Status status = team.AgreeInPlace(words.data(), count_ + 1, local);
    Read(words.data());
    return status;
}

Status Agreement::Run(const Team &team, Status local, Words &values) noexcept {
    const std::size_t before = values.size();
    values.resize(before + count_ + 1);
    Write(values.data() + before);
    const Status status = team.AgreeInPlace(values.data(), values.size(), local);
    Read(values.data() + before);
    values.resize(before);
    return status;
}

} // namespace overlap
