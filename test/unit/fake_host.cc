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
    host.explains = Explains;
    host.explain = Port<Explain>::Call;
    host.seconds = Seconds;
    host.expects = Port<Expects>::Call;
    host.warn = Port<Warn>::Call;
    host.device_copy = Port<DeviceCopy>::Call;
    host.device_wait = Port<DeviceWait>::Call;
    host.device_pin = Port<DevicePin>::Call;
    host.device_unpin = Port<DeviceUnpin>::Call;
    host.trace_names = TraceNames;
    host.append_trace = Port<AppendTrace>::Call;
    host.read_text = Port<ReadText>::Call;
    host.open_plugin = Port<OpenPlugin>::Call;
    host.close_plugin = Port<ClosePlugin>::Call;
}

void FakeRank::Warn(void *self, overlap_warning warning, const char *why) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    cluster.warnings_.push_back(warning);
    cluster.reasons_.emplace_back(why == nullptr ? "" : why);
}

// Nothing arrives before it is waited for, and what was there is lost.
int FakeRank::DeviceCopy(void *self, void *to, const void *from, std::size_t bytes) {
    FakeRank &rank = Self(self);
    FakeCluster &cluster = rank.cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    if (const Failure *const failure = cluster.Fails(rank.rank(), Failure::kDeviceCopy)) {
        return failure->error;
    }
    const auto reached = [](auto *address) {
        const auto value = reinterpret_cast<std::intptr_t>(address);
        return reinterpret_cast<decltype(address)>(value - (value >= kDevice ? kDevice : 0));
    };
    rank.copies_.push_back({reached(static_cast<char *>(to)), reached(static_cast<const char *>(from)), bytes,
                            cluster.data_ended_[static_cast<std::size_t>(rank.rank())]});
    std::memset(rank.copies_.back().to, '!', bytes);
    ++cluster.device_copies_;
    ++cluster.device_copies_left_;
    return OVERLAP_SUCCESS;
}

int FakeRank::DeviceWait(void *self) {
    FakeRank &rank = Self(self);
    FakeCluster &cluster = rank.cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    const Failure *const failure = cluster.Fails(rank.rank(), Failure::kDeviceWait);
    for (const CopyUnderWay &copy : rank.copies_) {
        std::memcpy(copy.to, copy.from, failure != nullptr ? copy.bytes / 2 : copy.bytes);
        cluster.device_copies_beside_ +=
            copy.data_ended != cluster.data_ended_[static_cast<std::size_t>(rank.rank())] ? 1 : 0;
    }
    const int count = static_cast<int>(rank.copies_.size());
    cluster.device_copies_left_ -= count;
    cluster.device_copies_together_ += count > 1 ? count : 0;
    rank.copies_.clear();
    return failure != nullptr ? failure->error : OVERLAP_SUCCESS;
}

int FakeRank::DevicePin(void *self, void * /*memory*/, std::size_t bytes) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    ++cluster.pinned_;
    ++cluster.times_pinned_;
    cluster.most_pinned_ = std::max(cluster.most_pinned_, bytes);
    return 1;
}

void FakeRank::DeviceUnpin(void *self, void * /*memory*/) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    --cluster.pinned_;
}

void FakeRank::TraceNames(void *self, overlap_trace_names *names) {
    *names = overlap_trace_names{Self(self).rank(), 0, 0, "the file"};
}

int FakeRank::AppendTrace(void *self, const char *path, const char *events, std::size_t length, char *why,
                          std::size_t why_size) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    ++cluster.traces_appended_;
    if (cluster.options_.trace_error == 0) {
        cluster.traces_[path].append(events, length);
    } else {
        std::snprintf(why, why_size, "error %d", cluster.options_.trace_error);
    }
    return cluster.options_.trace_error;
}

int FakeRank::ReadText(void *self, const char *path, char **text, std::size_t *length) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    if (cluster.Fails(Self(self).rank(), Failure::kReadText) != nullptr) {
        return EIO;
    }
    const auto found = cluster.options_.texts.find(path);
    if (found == cluster.options_.texts.end()) {
        return ENOENT;
    }
    *length = found->second.size();
    *text = static_cast<char *>(std::malloc(*length + 1));
    std::memcpy(*text, found->second.data(), *length);
    return 0;
}

const overlap_plugin *FakeRank::OpenPlugin(void *self, const char * /*path*/, void **handle, char *why,
                                           std::size_t why_size) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    const overlap_plugin *plugin = cluster.options_.plugin;
    if (plugin == nullptr || cluster.Fails(Self(self).rank(), Failure::kOpenPlugin) != nullptr) {
        std::snprintf(why, why_size, "no such file");
        return nullptr;
    }
    ++cluster.plugins_open_;
    *handle = &cluster;
    return plugin;
}

void FakeRank::ClosePlugin(void * /*self*/, void *handle) {
    FakeCluster &cluster = *static_cast<FakeCluster *>(handle);
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    --cluster.plugins_open_;
}

int FakeRank::Explains(void * /*self*/) { return 1; }

// Time goes by whenever somebody looks.
double FakeRank::Seconds(void *self) {
    FakeRank &rank = Self(self);
    const int power = rank.cluster_.options_.unsteady_clock ? static_cast<int>(rank.ticks_() % 7) : 3;
    double tick = 1;
    for (int i = 0; i < power; ++i) {
        tick /= 10;
    }
    return rank.now_ += tick;
}

void FakeRank::Expects(void *self, double seconds) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    cluster.expectations_.push_back(seconds);
}

void FakeRank::Explain(void *self, const char *line) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    cluster.explanations_.emplace_back(line);
}

} // namespace overlap::test
