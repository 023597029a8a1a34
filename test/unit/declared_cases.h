// What the tests of declared writes share.
#ifndef TEST_UNIT_DECLARED_CASES_H
#define TEST_UNIT_DECLARED_CASES_H

#include "access/access.h"
#include "write_cases.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace overlap::test {

using Content = std::map<std::int64_t, char>;

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

// The layout of a call as a declaration has it.
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
        text += LayoutText(calls[call][rank]) + ";";
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
    bool Holds() const { return overlap_file_held_end(file_) > 0; }

    // Collective: each rank declares its part of the calls.
    void Declare(const std::vector<Pieces> &calls, int error = OVERLAP_SUCCESS) {
        overlap_file_declare(file_, LayoutsText(calls, static_cast<std::size_t>(rank_.rank())).c_str(), error);
    }

  private:
    FakeRank &rank_;
    overlap_file *const file_;
    std::size_t done_ = 0;
};

} // namespace overlap::test

#endif
