// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "measure.h"

#include "nonblocking.h"
#include "progress.h"
#include "target.h"
#include "together.h"
#include "verify.h"

#include <algorithm>
#include <numeric>

namespace bench {
namespace {

class Runner {
  public:
    Runner(const Options &options, const Pattern &pattern)
        : options_(options), pattern_(pattern), target_(MakeTarget(options, pattern)), progress_(options) {}

    /// One file: open, all calls, sync, close. Stops at the first error.
    Repetition Write(int number, std::string &error) {
        Repetition times;
        times.open = Timed([this] { return target_->Open(); }, error);
        ForEachCall(error, [&](int checkpoint, int access) {
            target_->Prepare(checkpoint, access);
            times.calls.push_back(Timed([&] { return target_->Write(checkpoint, access); }, error));
            progress_.Tell(number, checkpoint, access, pattern_.accesses());
        });
        if (options_.sync && error.empty()) {
            times.sync = Timed([this] { return target_->Sync(); }, error);
        }
        Close(times, error);
        return times;
    }

    /// The same of reads. `verify`: what each of them has read is compared.
    Repetition Read(int number, bool verify, std::string &error) {
        Repetition times;
        times.open = Timed([this] { return target_->OpenToRead(); }, error);
        if (!error.empty()) {
            return times;
        }
        ForEachCall(error, [&](int checkpoint, int access) {
            target_->Prepare(checkpoint, access);
            times.calls.push_back(Timed([&] { return target_->Read(checkpoint, access); }, error));
            if (verify && error.empty()) {
                error = Agree(target_->Check(checkpoint, access));
            }
            progress_.Tell(number, checkpoint, access, pattern_.accesses());
        });
        Close(times, error);
        return times;
    }

    bool verifiable() const { return target_->verifiable(); }
    std::string Verify() const {
        const std::string wrong =
            bench::Verify(options_.file, pattern_, options_.checkpoints, options_.group, target_->bases());
        return options_.groups > 1 ? Agree(wrong) : wrong;
    }

  private:
    // Up to the first error.
    template <typename Call> void ForEachCall(const std::string &error, Call call) {
        for (int checkpoint = 0; checkpoint < options_.checkpoints; ++checkpoint) {
            for (int access = 0; access < pattern_.accesses() && error.empty(); ++access) {
                call(checkpoint, access);
            }
        }
    }

    void Close(Repetition &times, std::string &error) {
        std::string at_close;
        times.close = Timed([this] { return target_->Close(); }, at_close);
        error = error.empty() ? at_close : error;
    }

    const Options &options_;
    const Pattern &pattern_;
    std::unique_ptr<Target> target_;
    Progress progress_;
};

} // namespace

double Repetition::seconds() const { return std::accumulate(calls.begin(), calls.end(), sync); }

double HiddenShare(const Nonblocking &parts, double together) {
    return (parts.blocking + parts.compute - together) / std::min(parts.blocking, parts.compute);
}

Measurement Measure(const Options &options, const Pattern &pattern) {
    Measurement result;
    if (options.verify_only) {
        result.error = Verify(options.file, pattern, options.checkpoints, options.group);
        result.verified = result.error.empty();
        return result;
    }
    if (options.nonblocking) {
        return MeasureNonblocking(options, pattern);
    }
    Runner runner(options, pattern);
    for (int number = -options.warm_ups; number < options.repetitions && result.error.empty(); ++number) {
        if (!options.keep_file) {
            RemoveFile(options);
        }
        Repetition times = runner.Write(number, result.error);
        if (options.read && result.error.empty()) {
            times = runner.Read(number, options.verify, result.error);
            result.verified = options.verify ? std::optional<bool>(result.error.empty()) : std::nullopt;
        }
        if (number >= 0) {
            result.repetitions.push_back(std::move(times));
        }
        if (options.verify && !options.read && runner.verifiable() && result.error.empty()) {
            result.error = runner.Verify();
            result.verified = result.error.empty();
        }
    }
    if (!options.leave_file) {
        RemoveFile(options);
    }
    return result;
}

} // namespace bench
