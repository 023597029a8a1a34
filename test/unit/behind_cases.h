// What the tests of writes that are left for later share.
#ifndef TEST_UNIT_BEHIND_CASES_H
#define TEST_UNIT_BEHIND_CASES_H

#include "access/access.h"
#include "write_cases.h"

#include <gtest/gtest.h>

#include <string>

namespace overlap::test {

using Content = std::map<std::int64_t, char>;

inline overlap_settings Collecting(int bytes, overlap_settings settings = SettingsOf(OVERLAP_ALGORITHM_WRITE_COMM)) {
    settings.collect = bytes;
    settings.collect_seconds = 0;
    return settings;
}

// What the calls leave where each is done at once, the later one's bytes kept.
inline void Apply(const Pieces &pieces, Content &file) {
    for (const Piece &piece : pieces) {
        piece.ForEachByte([&file](std::int64_t offset, char byte) { file[offset] = byte; });
    }
}

inline Content In(const FakeCluster &cluster, std::int64_t end) {
    Content file;
    for (std::int64_t at = 0; at < end; ++at) {
        if (cluster.ByteAt(at) != '.') {
            file[at] = cluster.ByteAt(at);
        }
    }
    return file;
}

inline void Meet(FakeRank &rank) {
    std::int64_t nothing = 0;
    rank.transport.allreduce(rank.transport.self, &nothing, 1, OVERLAP_REDUCE_SUM);
}

inline ClusterOptions Nodes(int ranks) {
    ClusterOptions options;
    options.ranks = ranks;
    options.ranks_per_node = 2;
    options.aggregators = 2;
    options.collective_buffer = 1024;
    return options;
}

// How a declaration says where the bytes of a call are.
inline std::string LayoutText(const Piece &piece) {
    std::string text;
    BuildAccess(piece.Access()).file.ForEachRun([&text](const Run &run) {
        text += (text.empty() ? "" : ",") + std::to_string(run.start) + ":" + std::to_string(run.length) + ":" +
                std::to_string(run.stride) + ":" + std::to_string(run.count);
    });
    return text;
}

inline std::string LayoutsText(const std::vector<Pieces> &calls, std::size_t rank) {
    std::string text;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        text += (call == 0 ? "" : ";") + LayoutText(calls[call][rank]);
    }
    return text;
}

class OpenFile {
  public:
    OpenFile(FakeRank &rank, const overlap_settings &settings)
        : rank_(rank), file_(overlap_file_open(&rank.transport, &rank.storage, &rank.host, &settings)) {}
    ~OpenFile() { overlap_file_close(file_, 1); }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;

    int Write(const Pieces &pieces) {
        const Piece &piece = pieces[static_cast<std::size_t>(rank_.rank())];
        const overlap_access access = piece.Access();
        const int error = overlap_file_write_all(file_, &access, &done_);
        EXPECT_TRUE(error != OVERLAP_SUCCESS || done_ == piece.bytes);
        return error;
    }
    int Read(Piece &piece) {
        const overlap_access access = piece.Access();
        return overlap_file_read_all(file_, &access, &done_);
    }
    std::size_t done() const { return done_; }
    operator overlap_file *() const { return file_; }

  private:
    FakeRank &rank_;
    overlap_file *const file_;
    std::size_t done_ = 0;
};

} // namespace overlap::test

#endif
