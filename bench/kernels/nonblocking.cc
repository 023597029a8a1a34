// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "nonblocking.h"

#include "call_group.h"
#include "computation.h"
#include "progress.h"
#include "together.h"
#include "verify.h"

#include <stdexcept>

namespace bench {
namespace {

using Direction = CallGroup::Direction;

class Alternation {
  public:
    Alternation(const Options &options, const Pattern &pattern)
        : options_(options), pattern_(pattern), calls_(options, pattern), computation_(options), progress_(options) {}

    /// The blocking calls, the computation, then both together, each on a file made in the same way. Stops at the first
    /// error.
    Repetition Repeat(int number, std::string &error) {
        Nonblocking parts;
        // Other bytes than those of the nonblocking calls, for which they would pass in a file that is kept.
        const auto blocking = [this](std::string &failure) { return Timed([this] { return calls_.Call(); }, failure); };
        parts.blocking = OnFile(number, 1, error, blocking).seconds();
        if (!error.empty()) {
            return {};
        }
        computation_.SetSeconds(options_.compute > 0 ? options_.compute : parts.blocking / options_.checkpoints);
        for (int checkpoint = 0; checkpoint < options_.checkpoints; ++checkpoint) {
            parts.compute += Timed([this] { return Compute([] { return false; }); }, error);
        }
        Repetition times = OnFile(number, 0, error, [&](std::string &failure) {
            double start = 0, tests = 0;
            const double seconds = Timed([&] { return StartComputeWait(start, tests); }, failure);
            parts.start += Longest(start);
            parts.tests += Longest(tests);
            return seconds;
        });
        times.nonblocking = parts;
        return times;
    }

  private:
    template <typename Test> std::string Compute(Test test) {
        computation_.Run(test);
        return {};
    }

    std::string StartComputeWait(double &start, double &tests) {
        const double begin = MPI_Wtime();
        calls_.Start();
        start = MPI_Wtime() - begin;
        Compute([this, &tests] {
            const double before = MPI_Wtime();
            const bool done = calls_.Test();
            tests += MPI_Wtime() - before;
            return done;
        });
        return calls_.Wait();
    }

    template <typename Call> Repetition OnFile(int number, int generation, std::string &error, Call call) {
        if (!options_.keep_file) {
            RemoveFile(options_);
        }
        if (!options_.read) {
            return Checkpoints(Direction::kWrite, number, generation, error, call);
        }
        const auto write = [this](std::string &failure) {
            failure = Agree(calls_.Call());
            return 0.0;
        };
        Checkpoints(Direction::kWrite, number, generation, error, write);
        return error.empty() ? Checkpoints(Direction::kRead, number, generation, error, call) : Repetition();
    }

    // `call` returns seconds.
    template <typename Call>
    Repetition Checkpoints(Direction direction, int number, int generation, std::string &error, Call call) {
        Repetition times;
        times.open = Timed([&] { return calls_.Open(direction); }, error);
        if (!error.empty()) {
            return times;
        }
        for (int checkpoint = 0; checkpoint < options_.checkpoints && error.empty(); ++checkpoint) {
            error = Agree(calls_.Prepare(checkpoint, generation));
            if (!error.empty()) {
                break;
            }
            times.calls.push_back(call(error));
            if (direction == Direction::kRead && options_.verify && error.empty()) {
                error = Agree(calls_.Check());
            }
            progress_.Tell(number, checkpoint, pattern_.accesses() - 1, pattern_.accesses());
        }
        std::string at_close;
        times.close = Timed([this] { return calls_.Close(); }, at_close);
        error = error.empty() ? at_close : error;
        return times;
    }

    const Options &options_;
    const Pattern &pattern_;
    CallGroup calls_;
    Computation computation_;
    Progress progress_;
};

} // namespace

Measurement MeasureNonblocking(const Options &options, const Pattern &pattern) {
    if (options.method != Method::kMpiIo) {
        throw std::invalid_argument(std::string("--nonblocking goes with --method mpiio: ") + Name(options.method) +
                                    " has no nonblocking calls");
    }
    Measurement result;
    Alternation alternation(options, pattern);
    for (int number = -options.warm_ups; number < options.repetitions && result.error.empty(); ++number) {
        Repetition times = alternation.Repeat(number, result.error);
        if (options.verify && !options.read && result.error.empty()) {
            result.error = Verify(options.file, pattern, options.checkpoints);
        }
        if (options.verify) {
            result.verified = result.error.empty();
        }
        if (number >= 0 && times.nonblocking) {
            result.repetitions.push_back(std::move(times));
        }
    }
    if (!options.leave_file) {
        RemoveFile(options);
    }
    return result;
}

} // namespace bench
