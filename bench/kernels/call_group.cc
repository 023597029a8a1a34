// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "call_group.h"

#include "error_text.h"
#include "hints.h"
#include "together.h"

#include <algorithm>

namespace bench {
namespace {

// Each call goes on in the view where the one before has ended: a view must not be changed while calls are under way.
View ViewOfAll(const Pattern &pattern, int rank, int ranks) {
    if (pattern.accesses() == 1) {
        return pattern.MakeView(rank, ranks, 0);
    }
    constexpr Bytes kLongest = Bytes{1} << 30;
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (int access = 0; access < pattern.accesses(); ++access) {
        pattern.ForEach(rank, ranks, access, [&](Bytes offset, Bytes length) {
            for (const Bytes end = offset + length; offset < end; offset += kLongest) {
                places.push_back(static_cast<MPI_Aint>(offset));
                lengths.push_back(static_cast<int>(std::min(kLongest, end - offset)));
            }
        });
    }
    return View{0, Datatype::Predefined(MPI_BYTE), IndexedBytes(lengths, places)};
}

} // namespace

CallGroup::CallGroup(const Options &options, const Pattern &pattern)
    : options_(options), pattern_(pattern), rank_(Rank()), ranks_(Ranks()), view_(ViewOfAll(pattern, rank_, ranks_)) {
    for (int access = 0; access < pattern.accesses(); ++access) {
        buffers_.emplace_back(pattern.bytes(rank_, ranks_, access), pattern.memory(rank_, ranks_, access), options.device);
    }
    requests_.resize(buffers_.size(), MPI_REQUEST_NULL);
    statuses_.resize(buffers_.size());
}

std::string CallGroup::Open(Direction direction) {
    const Hints hints(options_);
    direction_ = direction;
    const int mode = direction == Direction::kWrite ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
    return ErrorText(MPI_File_open(MPI_COMM_WORLD, options_.file.c_str(), mode, hints.get(), &file_));
}

std::string CallGroup::Prepare(int checkpoint, int generation) {
    first_stream_ = (generation * options_.checkpoints + checkpoint) * pattern_.accesses();
    for (std::size_t access = 0; access < buffers_.size(); ++access) {
        if (direction_ == Direction::kRead) {
            buffers_[access].Wipe();
        } else {
            buffers_[access].Fill(Stream(access));
        }
    }
    const MPI_Offset displacement = checkpoint * pattern_.extent(ranks_) + view_.displacement;
    return ErrorText(
        MPI_File_set_view(file_, displacement, view_.etype.get(), view_.filetype.get(), "native", MPI_INFO_NULL));
}

std::string CallGroup::Call() {
    int code = MPI_SUCCESS;
    for (Buffer &buffer : buffers_) {
        const int own = direction_ == Direction::kWrite
                            ? MPI_File_write_all(file_, buffer.address(), 1, buffer.type(), MPI_STATUS_IGNORE)
                            : MPI_File_read_all(file_, buffer.address(), 1, buffer.type(), MPI_STATUS_IGNORE);
        code = code == MPI_SUCCESS ? own : code;
    }
    return ErrorText(code);
}

void CallGroup::Start() {
    error_.clear();
    for (std::size_t access = 0; access < buffers_.size(); ++access) {
        Buffer &buffer = buffers_[access];
        Keep(direction_ == Direction::kWrite
                 ? MPI_File_iwrite_all(file_, buffer.address(), 1, buffer.type(), &requests_[access])
                 : MPI_File_iread_all(file_, buffer.address(), 1, buffer.type(), &requests_[access]));
    }
}

bool CallGroup::Test() {
    int done = 0;
    Keep(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, statuses_.data()));
    return done != 0 || !error_.empty();
}

std::string CallGroup::Wait() {
    Keep(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses_.data()));
    return error_;
}

std::string CallGroup::Check() const {
    for (std::size_t access = 0; access < buffers_.size(); ++access) {
        if (!buffers_[access].Holds(Stream(access))) {
            return "wrong bytes were read";
        }
    }
    return {};
}

std::string CallGroup::Close() { return ErrorText(MPI_File_close(&file_)); }

StreamId CallGroup::Stream(std::size_t access) const { return StreamId{rank_, first_stream_ + static_cast<int>(access)}; }

void CallGroup::Keep(int code) {
    if (!error_.empty()) {
        return;
    }
    if (code != MPI_ERR_IN_STATUS) {
        error_ = ErrorText(code);
        return;
    }
    for (const MPI_Status &status : statuses_) {
        if (error_.empty() && status.MPI_ERROR != MPI_ERR_PENDING) {
            error_ = ErrorText(status.MPI_ERROR);
        }
    }
}

} // namespace bench
