// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "faults.h"

#include <cerrno>
#include <cstdlib>
#include <sstream>

namespace storage {

std::string ToText(const FaultSetting &setting) {
    std::string text;
    const auto add = [&text](const char *name, const std::optional<std::int64_t> &value) {
        if (value) {
            text += (text.empty() ? "" : " ") + std::string(name) + "=" + std::to_string(*value);
        }
    };
    add("enospc-after", setting.enospc_after);
    add("eio-at", setting.eio_at);
    add("stall-after", setting.stall_after);
    add("short-above", setting.short_above);
    return text.empty() ? "none" : text;
}

std::optional<FaultSetting> FaultsFromText(const std::string &text) {
    FaultSetting setting;
    std::istringstream words(text);
    std::string word;
    while (words >> word) {
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        const std::string digits = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (word == "none") {
            continue;
        }
        if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos) {
            return std::nullopt;
        }
        const std::int64_t value = std::atoll(digits.c_str());
        if (name == "enospc-after") {
            setting.enospc_after = value;
        } else if (name == "eio-at") {
            setting.eio_at = value;
        } else if (name == "stall-after") {
            setting.stall_after = value;
        } else if (name == "short-above") {
            setting.short_above = value;
        } else {
            return std::nullopt;
        }
    }
    return setting;
}

void Faults::Set(const FaultSetting &setting) {
    const std::lock_guard<std::mutex> lock(mutex_);
    setting_ = setting;
    room_ = setting.enospc_after.value_or(0);
    before_stall_ = setting.stall_after.value_or(0);
    ++releases_;
    released_.notify_all();
}

void Faults::Release() {
    const std::lock_guard<std::mutex> lock(mutex_);
    setting_.stall_after.reset();
    ++releases_;
    released_.notify_all();
}

Faults::Admission Faults::Admit(ByteRanges &stored, std::int64_t offset, std::int64_t bytes) {
    std::unique_lock<std::mutex> lock(mutex_);
    bool held = false;
    while (setting_.stall_after && before_stall_ <= 0) {
        held = true;
        ++held_;
        released_.wait(lock, [this, seen = releases_] { return releases_ != seen; });
        --held_;
    }
    // Half of one byte is one byte: a write of nothing would be tried again for ever.
    if (setting_.short_above && bytes > *setting_.short_above) {
        bytes -= bytes / 2;
    }
    if (setting_.eio_at && offset <= *setting_.eio_at && *setting_.eio_at < offset + bytes) {
        return {EIO, 0, held};
    }
    std::int64_t end = offset + bytes;
    if (setting_.enospc_after) {
        end = stored.Reach(offset, end, room_);
        if (end == offset && bytes > 0) {
            return {ENOSPC, 0, held};
        }
    }
    room_ -= stored.Add(offset, end);
    before_stall_ -= end - offset;
    return {0, end - offset, held};
}

bool Faults::Reserve(ByteRanges &stored, std::int64_t offset, std::int64_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::int64_t end = offset + bytes;
    if (setting_.enospc_after && stored.Reach(offset, end, room_) < end) {
        return false;
    }
    room_ -= stored.Add(offset, end);
    return true;
}

void Faults::Cut(ByteRanges &stored, std::int64_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    room_ += stored.Cut(size);
}

void Faults::Found(ByteRanges &stored, std::int64_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    stored.Add(0, size);
}

FaultSetting Faults::setting() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return setting_;
}

int Faults::held() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return held_;
}

} // namespace storage
