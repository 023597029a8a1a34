// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The host of the fake cluster: the user, and the files and plugins that settings name.
#include "fake_cluster.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace overlap::test {
namespace {

FakeRank &Self(void *self) { return *static_cast<FakeRank *>(self); }

} // namespace

void FakeRank::FillInHost() {
    host.self = this;
    host.explains = [](void *) { return 1; };
    host.explain = Port<&FakeRank::Explain>::Call;
    host.seconds = Seconds;
    host.expects = Port<&FakeRank::Expects>::Call;
    host.warn = Port<&FakeRank::Warn>::Call;
    host.device_copy = Port<&FakeRank::DeviceCopy>::Call;
    host.trace_names = overlap_trace_names{rank(), 0, 0, "the file"};
    host.append_trace = Port<&FakeRank::AppendTrace>::Call;
    host.read_text = Port<&FakeRank::ReadText>::Call;
    host.open_plugin = Port<&FakeRank::OpenPlugin>::Call;
    host.close_plugin = Port<&FakeRank::ClosePlugin>::Call;
}

void FakeRank::Warn(overlap_warning warning, const char *why) {
    // Sub-buffers of unit tests are small.
    if (warning == OVERLAP_WARNING_SMALL_SUB_BUFFER) {
        ++cluster_.small_sub_buffers_;
        return;
    }
    cluster_.warnings_.push_back(warning);
    cluster_.reasons_.emplace_back(why == nullptr ? "" : why);
}

int FakeRank::DeviceCopy(void *to, const void *from, std::size_t bytes) {
    const auto reached = [this, bytes](auto *address) {
        const auto value = reinterpret_cast<std::intptr_t>(address);
        if (value >= kDevice) {
            return reinterpret_cast<decltype(address)>(value - kDevice);
        }
        staged_from_ = std::min(staged_from_, value);
        staged_to_ = std::max(staged_to_, value + static_cast<std::intptr_t>(bytes));
        return address;
    };
    const Failure *const failure = cluster_.Fails(rank(), Failure::kDeviceCopy);
    std::memcpy(reached(static_cast<char *>(to)), reached(static_cast<const char *>(from)),
                failure != nullptr ? bytes / 2 : bytes);
    ++cluster_.device_copies_;
    cluster_.most_staged_ = std::max(cluster_.most_staged_, static_cast<std::size_t>(staged_to_ - staged_from_));
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

const char *FakeRank::AppendTrace(const char *path, const char *events, std::size_t length) {
    ++cluster_.traces_appended_;
    if (cluster_.options_.trace_error == nullptr) {
        cluster_.traces_[path].append(events, length);
    }
    return cluster_.options_.trace_error;
}

int FakeRank::ReadText(const char *path, char **text, std::size_t *length) {
    if (cluster_.Fails(rank(), Failure::kReadText) != nullptr) {
        return EIO;
    }
    const auto found = cluster_.options_.texts.find(path);
    if (found == cluster_.options_.texts.end()) {
        return ENOENT;
    }
    *length = found->second.size();
    *text = static_cast<char *>(std::malloc(*length + 1));
    std::memcpy(*text, found->second.data(), *length);
    return 0;
}

const overlap_plugin *FakeRank::OpenPlugin(const char * /*path*/, void **handle, char *why, std::size_t why_size) {
    const overlap_plugin *plugin = cluster_.options_.plugin;
    if (plugin == nullptr || cluster_.Fails(rank(), Failure::kOpenPlugin) != nullptr) {
        std::snprintf(why, why_size, "no such file");
        return nullptr;
    }
    ++cluster_.plugins_open_;
    *handle = &cluster_;
    return plugin;
}

void FakeRank::ClosePlugin(void * /*handle*/) { --cluster_.plugins_open_; }

// Time goes by whenever somebody looks.
double FakeRank::Seconds(void *self) {
    FakeRank &rank = Self(self);
    constexpr double kTicks[] = {1e-3, 1, 1e-1, 1e-2, 1e-4, 1e-5, 1e-6};
    return rank.now_ += kTicks[rank.cluster_.options_.unsteady_clock ? rank.ticks_() % 7 : 0];
}

void FakeRank::Expects(double seconds) { cluster_.expectations_.push_back(seconds); }

void FakeRank::Explain(const char *line) { cluster_.explanations_.emplace_back(line); }

} // namespace overlap::test
