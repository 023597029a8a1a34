// The part of WriteBehind for calls that were declared: each leaves its bytes without a word to the others, and the last has
// all of them written.
#include "write_behind.h"

#include "../call/alone.h"
#include "../guard.h"

#include <string>
#include <utility>

namespace overlap {
namespace {

// Who calls takes this error for one of the call's own access, of which nothing is done then.
Status ForLater(Status status) { return status.error() == OVERLAP_ERR_ARG ? Status(OVERLAP_ERR_OTHER) : status; }

} // namespace

// Once of a file.
template <typename Why> void WriteBehind::SayDeclared(Why why) {
    if (!std::exchange(declared_said_, true) && team_.rank() == 0) {
        const Status said = Guarded([&] { host_.warn(host_.self, OVERLAP_WARNING_DECLARED, why().c_str()); });
        static_cast<void>(said); // who has no memory for a line goes without
    }
}

// All that a rank cannot do is agreed on; who says nothing of its bytes has each call agree on what becomes of it.
void WriteBehind::Declare(int calls, Declaration own, Status local) {
    if (HasSomething()) {
        Keep(Flush());
    }
    declared_.End();
    if (calls == 0 || settings_.writes == OVERLAP_TRANSFERS_INDEPENDENT) {
        return;
    }
    DeclaredTerms terms;
    terms.sized = own.calls == calls && own.bytes >= 0;
    terms.refuses = storage_.gaps(storage_.self) != OVERLAP_GAPS_WRITTEN_BACK;
    terms.differs = own.calls == calls ? -1 : team_.rank();
    if (terms.sized && local.ok()) {
        local = Guarded([&] { declared_.Prepare(std::move(own), held_); });
    }
    const Status status = declared_.Begin(team_, calls, terms, local);
    if (!status.ok()) {
        SayDeclared([] {
            return std::string(
                "Not all processes have the memory for it. Each call is done as if nothing had been declared.");
        });
    } else if (terms.refuses) {
        SayDeclared([] {
            return std::string("A process may write in another way at the same time (MPI_THREAD_MULTIPLE, a nonblocking "
                               "write). Each call is done as if nothing had been declared.");
        });
    } else if (terms.differs >= 0) {
        SayDeclared([&] {
            return "Rank " + std::to_string(terms.differs) +
                   " does not declare as many calls as rank 0, or cannot be understood. The processes agree on what "
                   "becomes of each call.";
        });
    }
}

// What this rank cannot do all ranks hear of when they agree next.
Status WriteBehind::WriteDeclared(Asked &asked, ByteCount &done) {
    if (declared_.IsLast()) {
        return WriteLastDeclared(asked, done);
    }
    if (held_.calls() == 0) {
        since_ = host_.seconds(host_.self);
        said_ = Range();
    }
    KeepOwn(ForLater(HoldDeclared(asked, done)));
    declared_.Next();
    unsettled_ = true;
    return TakeKept();
}

// Local. All ranks have an access of each call, if an empty one.
Status WriteBehind::HoldDeclared(const Asked &asked, ByteCount &done) {
    const StridedList &file = asked.access.file;
    const std::size_t before = held_.calls();
    Status status = asked.local;
    done = 0;
    if (status.ok()) {
        if (declared_.Hold(asked.access, host_, held_, status)) {
            done = asked.bytes;
        } else if (status.ok()) {
            status = WriteWithoutRoom(asked, done);
        }
        end_ = std::max(end_, declared_.EndOfLast());
        Extend(file.empty() ? Range() : Range{file.begin(), file.end()});
    }
    if (held_.calls() == before) {
        held_.Place(Access());
    }
    return status;
}

// Local. What came before is written first, so that of this rank's bytes the later ones stay.
Status WriteBehind::WriteWithoutRoom(const Asked &asked, ByteCount &done) {
    const Access &access = asked.access;
    const auto transfer = access.on_device ? TransferAloneStaged : TransferAlone;
    WriteOwn();
    const Status status =
        Guarded([&] { return transfer(OVERLAP_WRITE, resources_, access.file, access.memory, kLastOffset, true, done); });
    done = status.ok() && done == access.file.bytes() ? asked.bytes : done;
    return status;
}

// Where this rank's calls are one access with it, it has to be among them; else it is written from where it lies.
Status WriteBehind::WriteLastDeclared(Asked &asked, ByteCount &done) {
    const bool whole = asked.local.ok() && declared_.PrepareLast(asked.access);
    DeclaredAgreement agreement;
    Status status = AgreeOnDeclared(asked.local, agreement);
    const Range range = range_;
    if (!status.ok()) {
        ByteCount nothing = 0;
        KeepAndSay(WriteHeld(Last::kNone, nullptr, nothing), range);
    } else {
        if (whole) {
            declared_.HoldLast(asked.access, held_);
        }
        status = WriteHeld(whole ? Last::kHeld : Last::kBeside, &asked, done);
        Say(status, range);
    }
    declared_.Next();
    unsettled_ = false;
    EndWithoutRoom(agreement);
    const Status kept = TakeKept();
    return kept.ok() ? status : kept;
}

Status WriteBehind::AgreeOnDeclared(Status local, DeclaredAgreement &agreement) {
    agreement.holds = held_.bytes() > 0;
    agreement.kept = own_.error();
    agreement.range = range_;
    const Status status = declared_.Agree(team_, local, agreement);
    range_ = agreement.range;
    SettleOwn(agreement.kept);
    if (agreement.other > 0 && agreement.no_room < 0) {
        SayDeclared([&] {
            return "Call " + std::to_string(agreement.other) + " of the " + std::to_string(declared_.calls()) +
                   " that belong together is not where it was declared on rank " + std::to_string(agreement.of_other) + ".";
        });
    }
    return status;
}

// Collective. Needs: nothing is held.
void WriteBehind::EndWithoutRoom(const DeclaredAgreement &agreement) {
    if (agreement.no_room >= 0) {
        SayDeclared([&] {
            return "Rank " + std::to_string(agreement.no_room) +
                   " had no room for the bytes of a call, which it has written by itself. Later calls are done as if "
                   "nothing had been declared.";
        });
        declared_.End();
    }
}

} // namespace overlap
