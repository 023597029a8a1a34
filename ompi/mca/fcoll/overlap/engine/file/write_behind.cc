#include "write_behind.h"

#include "../call/alone.h"
#include "../choose/choice.h"
#include "../collect/merged.h"
#include "../guard.h"

#include <algorithm>
#include <string>
#include <utility>

namespace overlap {
namespace {

const char *NameOf(Status status) {
    switch (status.error()) {
    case OVERLAP_ERR_NO_SPACE:
        return "no space left";
    case OVERLAP_ERR_QUOTA:
        return "the quota is used up";
    case OVERLAP_ERR_NO_MEM:
        return "no memory";
    case OVERLAP_ERR_READ_ONLY:
        return "the file is read-only";
    case OVERLAP_ERR_ACCESS:
        return "no permission";
    case OVERLAP_ERR_IO:
    case OVERLAP_ERR_FILE:
        return "the file cannot be written";
    default:
        return "an internal failure";
    }
}

} // namespace

bool WriteBehind::IsAlone() const {
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    return facts.atomic_mode == 0 && storage_.gaps(storage_.self) == OVERLAP_GAPS_WRITTEN_BACK;
}

// Where writes are copies into memory or a page cache another copy has nothing to gain, unless they were declared, which
// says as well that they belong together, however large and far from each other they are.
CollectLimits WriteBehind::Limits(Status &local) const {
    CollectLimits limits;
    if ((settings_.collect == OVERLAP_COLLECT_OFF && !declared_.on()) || settings_.writes == OVERLAP_TRANSFERS_INDEPENDENT) {
        return limits;
    }
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    const bool automatic = settings_.collect <= OVERLAP_COLLECT_AUTO;
    if (automatic && !declared_.on() && WritesAreCopies(facts, team_.nodes())) {
        return limits;
    }
    ByteCount cycle = 1;
    local.Merge(Guarded([&] { cycle = Choose(settings_, facts, team_.size(), team_.nodes()).sub_buffer; }));
    const int aggregators = std::min(facts.aggregators > 0 ? facts.aggregators : team_.nodes(), team_.size());
    const ByteCount bytes = automatic ? facts.collective_buffer_size : ByteCount{settings_.collect};
    limits = LimitsOf(bytes, cycle, aggregators, team_.size());
    if (declared_.on()) {
        limits.near = kLastOffset;
        limits.large = kLastOffset;
    }
    return limits;
}

// Where this rank has no memory for a copy, or the CPU does not reach the bytes, the call is done at once.
CollectOffer WriteBehind::Offer(const Asked &asked, const CollectLimits &limits, Status &local) {
    CollectOffer offer;
    offer.kept = own_.error();
    offer.ends = settings_.collect_seconds > 0 && Age() > settings_.collect_seconds;
    if (!local.ok()) {
        return offer;
    }
    offer.bytes = asked.access.file.bytes();
    if (!asked.access.file.empty()) {
        offer.range = Range{asked.access.file.begin(), asked.access.file.end()};
    }
    if (limits.room > 0 && IsAlone() && !asked.access.on_device) {
        offer.alone_fits = offer.bytes <= limits.room;
        const Status status = Guarded([&] { offer.fits = held_.Prepare(asked.access.file, limits.room); });
        offer.fits = offer.fits && status.ok();
    }
    return offer;
}

Status WriteBehind::Write(Asked &asked, ByteCount &done) {
    if (!declared_.on()) {
        return WriteUndeclared(asked, false, done);
    }
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    if (declared_.sized() && facts.atomic_mode == 0) { // all ranks have set it together
        return WriteDeclared(asked, done);
    }
    const bool last = declared_.IsLast();
    declared_.Next();
    return WriteUndeclared(asked, last, done);
}

// `last`: what is held is to be written with it, whatever its size.
Status WriteBehind::WriteUndeclared(Asked &asked, bool last, ByteCount &done) {
    const CollectLimits limits = Limits(asked.local);
    if (limits.room == 0 && !HasSomething()) { // on all ranks, whatever one of them lacks
        return calls_.Write(asked, done);
    }
    CollectAgreement agreement;
    CollectOffer offer = Offer(asked, limits, asked.local);
    offer.fits = offer.fits && !last;
    offer.alone_fits = offer.alone_fits && !last;
    Status status = AgreeOnCollecting(team_, limits, offer, range_, asked.local, agreement);
    if (!status.ok()) {
        return status;
    }
    SettleOwn(agreement.kept);
    if (agreement.becomes == Becomes::kWrittenAfter) {
        const Range range = range_;
        ByteCount nothing = 0;
        KeepAndSay(WriteHeld(Last::kNone, nullptr, nothing), range);
        agreement.becomes = Becomes::kWritten;
        if (agreement.then_collected) {
            bool fits = false;
            const Status prepared = Guarded([&] { fits = held_.Prepare(asked.access.file, limits.room); });
            status = team_.Agree(fits ? prepared : Status(OVERLAP_ERR_NO_MEM));
            agreement.becomes = status.ok() ? Becomes::kCollected : Becomes::kWritten;
        }
    }
    if (agreement.becomes == Becomes::kCollected) {
        Collect(asked, agreement.range, done);
        status = Status();
        if (agreement.ends) {
            const Range range = range_;
            ByteCount nothing = 0;
            KeepAndSay(WriteHeld(Last::kNone, nullptr, nothing), range);
        }
    } else {
        const Range range = held_.calls() > 0 ? range_ : Range();
        status = WriteHeld(Last::kBeside, &asked, done);
        Say(status, range);
    }
    unsettled_ = held_.calls() > 0;
    const Status kept = TakeKept();
    return kept.ok() ? status : kept;
}

void WriteBehind::Collect(const Asked &asked, const Range &range, ByteCount &done) {
    if (held_.calls() == 0) {
        since_ = host_.seconds(host_.self);
    }
    held_.Add(asked.access.memory);
    Extend(range);
    done = asked.bytes;
}

void WriteBehind::Extend(const Range &range) {
    said_ = Range();
    if (!range.empty()) {
        range_ = range_.empty() ? range : Range{std::min(range_.first, range.first), std::max(range_.last, range.last)};
    }
}

Status WriteBehind::Flush() {
    if (unsettled_) {
        DeclaredAgreement agreement;
        Status status;
        if (declared_.sized()) {
            status = AgreeOnDeclared(Status(), agreement);
        } else {
            std::array<std::int64_t, 2> values{held_.bytes() > 0 ? 1 : 0, own_.error()};
            status = team_.Agree(values, Status());
            agreement.holds = values[0] != 0;
            SettleOwn(static_cast<int>(values[1]));
        }
        const Range range = range_;
        if (status.ok() && agreement.holds) {
            ByteCount nothing = 0;
            status = WriteHeld(Last::kNone, nullptr, nothing);
        }
        Release();
        unsettled_ = false;
        KeepAndSay(status, range);
        EndWithoutRoom(agreement);
    }
    return TakeKept();
}

void WriteBehind::Release() {
    held_.Clear();
    declared_.Forget();
    range_ = Range();
    end_ = 0;
}

// In the order of the file, and of the calls where they name a byte of it twice.
Access WriteBehind::AllOf(const Asked *beside) const {
    if (beside == nullptr && declared_.IsWhole()) {
        return declared_.Whole();
    }
    std::vector<const Access *> accesses;
    for (const Access &access : held_.accesses()) {
        accesses.push_back(&access);
    }
    if (beside != nullptr) {
        accesses.push_back(&beside->access);
    }
    return Merged(accesses);
}

// Collective. What is held, and the call beside it, as one. After that nothing is held. Of an error the bytes of the call
// count as far as those that are on file cannot be those of calls before.
Status WriteBehind::WriteHeld(Last last, Asked *call, ByteCount &done) {
    if (held_.calls() == 0) {
        return call == nullptr ? Status() : calls_.Write(*call, done);
    }
    Asked *const beside = last == Last::kBeside ? call : nullptr;
    const ByteCount before = held_.bytes() - (last == Last::kHeld ? held_.accesses().back().file.bytes() : 0);
    Asked all;
    all.calls = call == nullptr ? 0 : 1;
    all.several = held_.calls() + (beside == nullptr ? 0 : 1) > 1;
    all.local = Guarded([&] {
        all.access = AllOf(beside);
        all.access.on_device = beside != nullptr && beside->access.on_device;
    });
    all.bytes = all.access.file.bytes();
    const ByteCount asked = all.bytes;
    Status status = calls_.Write(all, done);
    if (all.overlaps || status.error() == OVERLAP_ERR_NO_MEM) {
        status = WriteOneByOne(last, call, done);
    } else if (call != nullptr) {
        done = status.ok() && done == asked ? call->bytes : std::max<ByteCount>(0, done - before);
    }
    Release();
    return status;
}

// In the order of the calls; the first error counts.
Status WriteBehind::WriteOneByOne(Last last, Asked *call, ByteCount &done) {
    Status first;
    const auto write = [&](Asked &one) {
        const Status status = calls_.Write(one, done);
        first = first.ok() ? status : first;
    };
    for (const Access &access : held_.accesses()) {
        Asked one;
        one.calls = last == Last::kHeld && &access == &held_.accesses().back() ? 1 : 0;
        one.local = Guarded([&] { one.access = access; });
        one.bytes = one.access.file.bytes();
        write(one);
    }
    if (last == Last::kNone) {
        done = 0;
    } else if (last == Last::kBeside) {
        write(*call);
    }
    return first;
}

void WriteBehind::WriteOwn() {
    for (const Access &access : held_.accesses()) {
        ByteCount done = 0;
        KeepOwn(TransferAlone(OVERLAP_WRITE, resources_, access.file, access.memory, kLastOffset, true, done));
    }
    held_.Forget();
    declared_.Forget();
}

double WriteBehind::Age() const { return held_.calls() > 0 ? host_.seconds(host_.self) - since_ : 0; }

void WriteBehind::Keep(Status status) { kept_ = kept_.ok() ? status : kept_; }

// All ranks know now.
void WriteBehind::SettleOwn(int kept) {
    own_ = Status();
    KeepAndSay(Status(kept), range_);
}

// Of several errors the first.
void WriteBehind::KeepAndSay(Status status, const Range &range) {
    Keep(status);
    Say(status, range);
}

// What lies there may be a call's own bytes as well, where it was written with what was left before. Where a rank could not
// write its bytes by itself, the others as a rule cannot either: of the same bytes that is one thing to be told.
void WriteBehind::Say(Status status, const Range &range) {
    const bool again = said_.first == range.first && said_.last == range.last;
    if (!status.ok() && !range.empty() && !again && team_.rank() == 0) {
        said_ = range;
        const Status said = Guarded([&] {
            const std::string why = "Bytes " + std::to_string(range.first) + " to " + std::to_string(range.last) +
                                    " hold what earlier calls wrote, not all of which is in the file: " + NameOf(status) +
                                    ".";
            host_.warn(host_.self, OVERLAP_WARNING_COLLECTED, why.c_str());
        });
        static_cast<void>(said); // who has no memory for a line goes without
    }
}

Status WriteBehind::TakeKept() { return std::exchange(kept_, Status()); }

} // namespace overlap
