#include "fake_cluster.h"

#include "fake_windows.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

using overlap::test::FakeRank;

namespace overlap::test {

// One side of a message; the other side is found by the channel.
struct FakeCluster::Message {
    int rank = 0;
    std::vector<overlap_piece> pieces;
    std::vector<char> bytes; // of a send that was taken early
    bool taken = false;
    bool complete = false;
    std::shared_ptr<Message> partner;
};

struct FakeCluster::Channel {
    std::deque<std::shared_ptr<Message>> sends;
    std::deque<std::shared_ptr<Message>> receives;
};

} // namespace overlap::test

// Requests hold what the cluster knows of a message; they live from start to wait.
struct overlap_request {
    std::shared_ptr<void> message;
};

struct overlap_write {
    std::vector<overlap_extent> extents;
    bool done = false;
    int error = OVERLAP_SUCCESS;
    std::size_t written = 0;
    int looks_left = 0; // of WriteTest, before it is complete
};

namespace overlap::test {

std::vector<char> GatherPieces(const std::vector<overlap_piece> &pieces) {
    std::vector<char> bytes;
    for (const overlap_piece &piece : pieces) {
        for (std::size_t block = 0; block < piece.count; ++block) {
            const char *start = piece.address + static_cast<std::ptrdiff_t>(block) * piece.stride;
            bytes.insert(bytes.end(), start, start + piece.length);
        }
    }
    return bytes;
}

void Abort(const std::string &why) {
    std::fprintf(stderr, "fake cluster: %s\n", why.c_str());
    std::abort();
}

namespace {

void Scatter(const std::vector<char> &bytes, const std::vector<overlap_piece> &pieces) {
    std::size_t position = 0;
    for (const overlap_piece &piece : pieces) {
        for (std::size_t block = 0; block < piece.count; ++block) {
            if (position + piece.length > bytes.size()) {
                Abort("a receive asks for more than the send of " + std::to_string(bytes.size()) + " bytes gives");
            }
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(position), piece.length,
                        piece.address + static_cast<std::ptrdiff_t>(block) * piece.stride);
            position += piece.length;
        }
    }
    if (position != bytes.size()) {
        Abort("a receive of " + std::to_string(position) + " bytes meets a send of " + std::to_string(bytes.size()));
    }
}

FakeRank &Self(void *self) { return *static_cast<FakeRank *>(self); }

} // namespace

FakeCluster::FakeCluster(ClusterOptions options)
    : options_(std::move(options)), random_(options_.seed), waits_for_(static_cast<std::size_t>(options_.ranks)) {
    for (int rank = 0; rank < options_.ranks; ++rank) {
        node_of_rank_.push_back(rank / options_.ranks_per_node);
        hosts_.push_back("n" + std::to_string(node_of_rank_.back()));
    }
    options_.localities.resize(static_cast<std::size_t>(options_.ranks));
    broadcasts_heard_.resize(static_cast<std::size_t>(options_.ranks), 0);
    windows_ = std::make_unique<FakeWindows>(*this);
}

int FakeCluster::MessagesSent(int first, int last) const {
    int sent = 0;
    for (const auto &[tag, count] : messages_sent_) {
        sent += tag >= first && tag <= last ? count : 0;
    }
    return sent;
}

int FakeCluster::WindowsMade() const { return windows_->made(); }
int FakeCluster::WindowsLeft() const { return windows_->left(); }

FakeCluster::~FakeCluster() = default;

void FakeCluster::Run(const std::function<void(FakeRank &)> &body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < options_.ranks; ++rank) {
        threads.emplace_back([this, &body, rank] {
            FakeRank self(*this, rank);
            body(self);
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

std::string FakeCluster::Leftovers() const {
    std::string left;
    for (const auto &[key, channel] : channels_) {
        if (!channel.sends.empty() || !channel.receives.empty()) {
            left += "from rank " + std::to_string(key.first.first) + " to " + std::to_string(key.first.second) + ", tag " +
                    std::to_string(key.second) + ": " + std::to_string(channel.sends.size()) + " sends, " +
                    std::to_string(channel.receives.size()) + " receives without partner; ";
        }
    }
    left += windows_->OpenEpochs();
    left += locks_.empty() ? "" : std::to_string(locks_.size()) + " locks of the file; ";
    if (open_requests_ != 0 || open_writes_ != 0) {
        left += std::to_string(open_requests_) + " requests and " + std::to_string(open_writes_) + " writes not waited for";
    }
    return left;
}

char FakeCluster::ByteAt(std::int64_t offset) const {
    const auto found = file_.find(offset);
    return found == file_.end() ? '.' : found->second;
}

void FakeCluster::WaitFor(std::unique_lock<std::mutex> &lock, int rank, const char *what,
                          const std::function<bool()> &until) {
    const auto index = static_cast<std::size_t>(rank);
    for (const Lock &held : locks_) {
        if (held.thread == std::this_thread::get_id()) {
            Abort("rank " + std::to_string(rank) + " waits for " + what + " with a lock of the file");
        }
    }
    waits_for_[index] = what;
    if (!changed_.wait_for(lock, std::chrono::seconds(30), until)) {
        std::string all = "a hang:";
        for (std::size_t r = 0; r < waits_for_.size(); ++r) {
            all += "\n  rank " + std::to_string(r) + " waits for " + (waits_for_[r].empty() ? "nothing" : waits_for_[r]);
        }
        Abort(all);
    }
    waits_for_[index].clear();
}

void FakeCluster::Deliver(Message &receive) {
    Message &send = *receive.partner;
    Scatter(send.taken ? send.bytes : GatherPieces(send.pieces), receive.pieces);
    receive.complete = true;
    send.complete = true;
    receive.partner.reset();
    changed_.notify_all();
}

void FakeCluster::Match(Channel &channel) {
    while (!channel.sends.empty() && !channel.receives.empty()) {
        const std::shared_ptr<Message> receive = channel.receives.front();
        receive->partner = channel.sends.front();
        channel.sends.pop_front();
        channel.receives.pop_front();
        changed_.notify_all();
        if (Coin()) {
            Deliver(*receive);
        }
    }
}

int FakeCluster::WriteNow(int rank, const overlap_extent *extents, std::size_t count, std::size_t *written) {
    WriteForeign();
    const bool fails = writes_seen_++ == options_.failing_write;
    writes_after_a_failure_ += rank == failed_rank_ ? 1 : 0;
    failed_rank_ = fails ? rank : failed_rank_;
    std::size_t all = 0;
    for (std::size_t i = 0; i < count; ++i) {
        all += extents[i].length;
    }
    std::size_t room = fails ? all / 2 : all;
    *written = 0;
    for (std::size_t i = 0; i < count; ++i) {
        windows_->Read(rank, extents[i].address, extents[i].length, false);
        log_.push_back(LoggedWrite{rank, extents[i].offset, extents[i].length});
        for (std::size_t byte = 0; byte < extents[i].length; ++byte) {
            const std::int64_t offset = extents[i].offset + static_cast<std::int64_t>(byte);
            if (room == 0 || (options_.disk_end >= 0 && offset >= options_.disk_end)) {
                return options_.error;
            }
            const char value = extents[i].address[byte];
            if ((value == '.' || foreign_.count(offset) != 0) && !Holds(rank, offset, offset + 1)) {
                Abort("rank " + std::to_string(rank) + " writes a gap at " + std::to_string(offset) + " without a lock");
            }
            if (value != '.') { // else it was never written
                file_[offset] = value;
            }
            --room;
            ++*written;
        }
    }
    return fails ? options_.error : OVERLAP_SUCCESS;
}

FakeRank::FakeRank(FakeCluster &cluster, int rank) : cluster_(cluster) {
    transport.self = this;
    transport.rank = rank;
    transport.size = cluster.options_.ranks;
    transport.node_of_rank = cluster.node_of_rank_.data();
    transport.send = [](void *self, int peer, int tag, overlap_send_mode, const overlap_piece *pieces, std::size_t count,
                        overlap_request **request) { return Start(self, true, peer, tag, pieces, count, request); };
    transport.receive = [](void *self, int peer, int tag, const overlap_piece *pieces, std::size_t count,
                           overlap_request **request) { return Start(self, false, peer, tag, pieces, count, request); };
    transport.receive_any = ReceiveAny;
    transport.wait = Wait;
    transport.test = Test;
    transport.host = cluster.hosts_[static_cast<std::size_t>(rank)].c_str();
    transport.locality = cluster.options_.localities[static_cast<std::size_t>(rank)].c_str();
    transport.allreduce = Allreduce;
    transport.elect = Elect;
    transport.broadcast = Broadcast;
    transport.progress = Progress;
    FakeWindows::FillIn(transport);
    storage.self = this;
    storage.facts = Facts;
    storage.write = Write;
    storage.write_start = WriteStart;
    storage.write_wait = WriteWait;
    storage.write_test = WriteTest;
    storage.posix_write = PosixWrite;
    // No kernel takes writes to this file.
    storage.posix_descriptors = [](void *, overlap_descriptors *descriptors) {
        *descriptors = overlap_descriptors{-1, -1, 1, 1};
        return static_cast<int>(OVERLAP_ERR_IO);
    };
    storage.posix_locks = [](void *self) { return Self(self).cluster_.options_.locks_writes ? 1 : 0; };
    storage.posix_sieves = [](void *self) {
        ++Self(self).cluster_.asked_to_sieve_;
        return Self(self).cluster_.options_.sieves ? 1 : 0;
    };
    storage.posix_lock = PosixLock;
    storage.posix_read = PosixRead;
    storage.posix_write_locked = PosixWriteLocked;
    storage.posix_unlock = PosixUnlock;
    storage.posix_will_read = [](void *self, std::int64_t, std::int64_t length) {
        const std::lock_guard<std::mutex> lock(Self(self).cluster_.mutex_);
        Self(self).cluster_.announced_ += length;
    };
    storage.posix_error = [](void *, const overlap_extent *, int) { return static_cast<int>(OVERLAP_ERR_IO); };
    host.self = this;
    host.explain = Explain;
    host.warn = Warn;
    host.read_text = ReadText;
    host.open_plugin = OpenPlugin;
    host.close_plugin = ClosePlugin;
}

int FakeRank::Start(void *self, bool sends, int peer, int tag, const overlap_piece *pieces, std::size_t count,
                    overlap_request **request) {
    FakeCluster &cluster = Self(self).cluster_;
    const int rank = Self(self).rank();
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    if (peer < 0 || peer >= cluster.options_.ranks || peer == rank) {
        Abort("rank " + std::to_string(rank) + " names the peer " + std::to_string(peer));
    }
    auto message = std::make_shared<FakeCluster::Message>();
    message->rank = rank;
    message->pieces.assign(pieces, pieces + count);
    cluster.messages_sent_[tag] += sends ? 1 : 0;
    if (sends && cluster.Coin()) { // eager
        message->bytes = GatherPieces(message->pieces);
        message->taken = true;
        message->complete = true;
    }
    FakeCluster::Channel &channel =
        cluster.channels_[{sends ? std::make_pair(rank, peer) : std::make_pair(peer, rank), tag}];
    (sends ? channel.sends : channel.receives).push_back(message);
    cluster.Match(channel);
    cluster.changed_.notify_all();
    ++cluster.open_requests_;
    *request = new overlap_request{message};
    return OVERLAP_SUCCESS;
}

int FakeRank::ReceiveAny(void *self, int tag, void *buffer, std::size_t capacity, int *source, std::size_t *received) {
    FakeCluster &cluster = Self(self).cluster_;
    const int rank = Self(self).rank();
    std::unique_lock<std::mutex> lock(cluster.mutex_);
    const auto ready = [&] {
        std::vector<int> sources;
        for (const auto &[key, channel] : cluster.channels_) {
            if (key.first.second == rank && key.second == tag && !channel.sends.empty()) {
                sources.push_back(key.first.first);
            }
        }
        return sources;
    };
    cluster.WaitFor(lock, rank, "a message from any rank", [&] { return !ready().empty(); });
    const std::vector<int> sources = ready();
    *source = sources[cluster.random_() % sources.size()];
    auto &sends = cluster.channels_[{{*source, rank}, tag}].sends;
    FakeCluster::Message &send = *sends.front();
    const std::vector<char> bytes = send.taken ? send.bytes : GatherPieces(send.pieces);
    if (bytes.size() > capacity) {
        Abort("a message of " + std::to_string(bytes.size()) + " bytes for a buffer of " + std::to_string(capacity));
    }
    std::memcpy(buffer, bytes.data(), bytes.size());
    *received = bytes.size();
    send.complete = true;
    sends.pop_front();
    cluster.changed_.notify_all();
    return OVERLAP_SUCCESS;
}

int FakeRank::Wait(void *self, overlap_request **requests, std::size_t count) {
    FakeCluster &cluster = Self(self).cluster_;
    std::unique_lock<std::mutex> lock(cluster.mutex_);
    // Every receive that has its partner is delivered before anything is waited for: MPI progresses all of them.
    const auto deliver = [&] {
        bool all = true;
        for (std::size_t i = 0; i < count; ++i) {
            if (requests[i] != nullptr) {
                auto &message = *static_cast<FakeCluster::Message *>(requests[i]->message.get());
                if (message.partner != nullptr) {
                    cluster.Deliver(message);
                }
                all = all && message.complete;
            }
        }
        return all;
    };
    cluster.WaitFor(lock, Self(self).rank(), "messages", deliver);
    for (std::size_t i = 0; i < count; ++i) {
        cluster.open_requests_ -= requests[i] != nullptr ? 1 : 0;
        delete requests[i];
        requests[i] = nullptr;
    }
    return OVERLAP_SUCCESS;
}

int FakeRank::Test(void *self, overlap_request **requests, std::size_t count, int *done) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    *done = 1;
    for (std::size_t i = 0; i < count; ++i) {
        if (requests[i] == nullptr) {
            continue;
        }
        auto &message = *static_cast<FakeCluster::Message *>(requests[i]->message.get());
        if (message.partner != nullptr && cluster.Coin()) {
            cluster.Deliver(message);
        }
        if (message.complete) {
            --cluster.open_requests_;
            delete requests[i];
            requests[i] = nullptr;
        } else {
            *done = 0;
        }
    }
    return OVERLAP_SUCCESS;
}

void FakeCluster::Meet(std::unique_lock<std::mutex> &lock, int rank, const std::function<void(bool first)> &take_part) {
    const int round = round_;
    take_part(arrived_ == 0);
    if (++arrived_ == options_.ranks) {
        result_ = reduced_;
        election_result_ = elected_;
        arrived_ = 0;
        ++round_;
        ++collectives_;
        changed_.notify_all();
    } else {
        WaitFor(lock, rank, "a reduction", [&] { return round_ != round; });
    }
}

int FakeRank::Allreduce(void *self, std::int64_t *values, std::size_t count, overlap_reduction reduction) {
    FakeCluster &cluster = Self(self).cluster_;
    std::unique_lock<std::mutex> lock(cluster.mutex_);
    cluster.Meet(lock, Self(self).rank(), [&](bool first) {
        if (first) {
            cluster.reduced_.assign(values, values + count);
            cluster.elected_.clear();
        } else if (cluster.reduced_.size() != count || !cluster.elected_.empty()) {
            Abort("ranks call different reductions");
        }
        for (std::size_t i = 0; i < count && !first; ++i) {
            std::int64_t &sum = cluster.reduced_[i];
            sum = reduction == OVERLAP_REDUCE_SUM ? sum + values[i] : std::max(sum, values[i]);
        }
    });
    std::copy(cluster.result_.begin(), cluster.result_.end(), values);
    return OVERLAP_SUCCESS;
}

int FakeRank::Elect(void *self, overlap_bid *bids, std::size_t count) {
    FakeCluster &cluster = Self(self).cluster_;
    std::unique_lock<std::mutex> lock(cluster.mutex_);
    cluster.Meet(lock, Self(self).rank(), [&](bool first) {
        if (first) {
            cluster.elected_.assign(bids, bids + count);
            cluster.reduced_.clear();
        } else if (cluster.elected_.size() != count) {
            Abort("ranks call different elections");
        }
        for (std::size_t i = 0; i < count; ++i) {
            overlap_bid &best = cluster.elected_[i];
            if (bids[i].cost < best.cost || (bids[i].cost == best.cost && bids[i].rank < best.rank)) {
                best = bids[i];
            }
        }
    });
    std::copy(cluster.election_result_.begin(), cluster.election_result_.end(), bids);
    return OVERLAP_SUCCESS;
}

// Rank 0 waits for nobody.
int FakeRank::Broadcast(void *self, void *data, std::size_t bytes) {
    FakeCluster &cluster = Self(self).cluster_;
    const int rank = Self(self).rank();
    std::unique_lock<std::mutex> lock(cluster.mutex_);
    const std::size_t number = cluster.broadcasts_heard_[static_cast<std::size_t>(rank)]++;
    if (rank == 0) {
        cluster.broadcasts_.emplace_back(static_cast<char *>(data), static_cast<char *>(data) + bytes);
        ++cluster.collectives_;
        cluster.changed_.notify_all();
        return OVERLAP_SUCCESS;
    }
    cluster.WaitFor(lock, rank, "a broadcast", [&] { return cluster.broadcasts_.size() > number; });
    if (cluster.broadcasts_[number].size() != bytes) {
        Abort("ranks call different broadcasts");
    }
    std::copy(cluster.broadcasts_[number].begin(), cluster.broadcasts_[number].end(), static_cast<char *>(data));
    return OVERLAP_SUCCESS;
}

void FakeRank::Facts(void *self, overlap_file_facts *facts) {
    const ClusterOptions &options = Self(self).cluster_.options_;
    *facts = overlap_file_facts{};
    facts->stripe_size = options.stripe_size;
    facts->stripe_count = options.stripe_count;
    facts->hinted_stripe_size = options.hinted_stripe_size;
    facts->hinted_stripe_count = options.hinted_stripe_count;
    facts->block_size = options.block_size;
    facts->collective_buffer_size = options.collective_buffer;
    facts->collective_buffer_chosen = 1;
    facts->aggregators = options.aggregators;
    facts->ompio_aggregators = options.ompio_aggregators.data();
    facts->ompio_aggregator_count = static_cast<int>(options.ompio_aggregators.size());
    facts->async_write = 1;
    facts->posix = options.posix ? 1 : 0;
}

int FakeRank::Write(void *self, const overlap_extent *extents, std::size_t count, std::size_t *written) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    return cluster.WriteNow(Self(self).rank(), extents, count, written);
}

int FakeRank::WriteStart(void *self, const overlap_extent *extents, std::size_t count, overlap_write **request) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    auto *write = new overlap_write;
    write->extents.assign(extents, extents + count);
    write->looks_left = static_cast<int>(cluster.random_() % 4);
    if (cluster.Coin()) {
        write->error = cluster.WriteNow(Self(self).rank(), extents, count, &write->written);
        write->done = true;
    }
    for (const overlap_extent &extent : write->extents) {
        cluster.windows_->Read(Self(self).rank(), extent.address, extent.length, true);
    }
    ++cluster.open_writes_;
    *request = write;
    return OVERLAP_SUCCESS;
}

int FakeRank::WriteWait(void *self, overlap_write **request, std::size_t *written) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    const std::unique_ptr<overlap_write> write(*request);
    *request = nullptr;
    if (!write->done) {
        write->error = cluster.WriteNow(Self(self).rank(), write->extents.data(), write->extents.size(), &write->written);
    }
    for (const overlap_extent &extent : write->extents) {
        cluster.windows_->ReleaseRead(Self(self).rank(), extent.address);
    }
    --cluster.open_writes_;
    *written = write->written;
    return write->error;
}

int FakeRank::WriteTest(void *self, overlap_write **request, int *done, std::size_t *written) {
    *done = (*request)->looks_left-- <= 0 ? 1 : 0;
    return *done != 0 ? WriteWait(self, request, written) : OVERLAP_SUCCESS;
}

void FakeRank::Progress(void * /*self*/) {}

// From a thread of its own, beside everything else.
int FakeRank::PosixWrite(void *self, const overlap_extent *extents, std::size_t count, std::size_t *written) {
    FakeCluster &cluster = Self(self).cluster_;
    const int rank = Self(self).rank();
    std::unique_lock<std::mutex> lock(cluster.mutex_);
    if (!cluster.options_.posix) {
        Abort("a POSIX write to a file that is none");
    }
    for (std::size_t i = 0; i < count; ++i) {
        cluster.windows_->Read(rank, extents[i].address, extents[i].length, true);
        const std::int64_t end = extents[i].offset + static_cast<std::int64_t>(extents[i].length);
        if (cluster.options_.locks_writes && cluster.Holds(rank, extents[i].offset, end)) {
            Abort("rank " + std::to_string(rank) + " waits for a lock that it has");
        }
    }
    lock.unlock();
    std::this_thread::yield();
    lock.lock();
    for (std::size_t i = 0; i < count; ++i) {
        cluster.windows_->ReleaseRead(rank, extents[i].address);
    }
    return cluster.WriteNow(rank, extents, count, written);
}

void FakeRank::Warn(void *self, overlap_warning warning, const char *why) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    cluster.warnings_.push_back(warning);
    cluster.reasons_.emplace_back(why == nullptr ? "" : why);
}

int FakeRank::ReadText(void *self, const char *path, char **text, std::size_t *length) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
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
    if (plugin == nullptr) {
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

void FakeRank::Explain(void *self, const char *line) {
    FakeCluster &cluster = Self(self).cluster_;
    const std::lock_guard<std::mutex> lock(cluster.mutex_);
    cluster.explanations_.emplace_back(line);
}

} // namespace overlap::test
