// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "resources.h"

#include "../shuffle/throttle.h"
#include "file_state.h"

#include <algorithm>
#include <utility>

namespace overlap {

FileResources::FileResources(const Team &team, const overlap_storage &storage, const overlap_host &host,
                             const overlap_settings &settings, Watch &watch)
    : team_(team), storage_(storage), host_(host), watch_(watch), windows_(team, host), pack_(watch, host),
      holes_(storage, host, settings.holes, team.rank() == 0),
      thread_(MakeThreadEngine(IoPorts{storage, team.transport(), host, patience_})) {}

// Data written by several ranks needs the order that only two-sided keeps. If a domain has gaps, its clients do not know the
// places of their bytes in the sub-buffers. A put of several blocks is a message for each of them in Open MPI, so small
// blocks are not put. A small call does not pay for making windows.
overlap_shuffle FileResources::ChooseShuffle(const KindState &kind) noexcept {
    const Plan &plan = *kind.plan;
    const Choice &choice = kind.chooser.choice();
    prepared_ = 0;
    const bool pays = !windows_.empty() || plan.busiest >= kind.settings.window_threshold;
    const bool suits = !kind.nonblocking && pays && !plan.small_blocks && !plan.overlap && plan.gapless;
    if (!UsesWindows(choice.shuffle) || !suits) {
        return OVERLAP_SHUFFLE_TWO_SIDED;
    }
    const int slots = static_cast<int>(std::min<Cycle>(choice.slots, plan.cycles));
    const ByteCount bytes = SubBuffers::Stride(plan.fullest_cycle) * plan.most_owned;
    const overlap_epochs epochs = choice.shuffle == OVERLAP_SHUFFLE_PUT_FENCE ? OVERLAP_EPOCHS_FENCE : OVERLAP_EPOCHS_LOCK;
    return windows_.Reserve(slots, bytes, plan.aggregators, epochs) ? choice.shuffle : OVERLAP_SHUFFLE_TWO_SIDED;
}

void FileResources::Prepare(const KindState &kind) {
    if (prepared_ == kind.plan_number) {
        return;
    }
    prepared_ = 0;
    const Plan &plan = *kind.plan;
    const Choice &choice = kind.chooser.choice();
    PrepareIo(kind);
    most_ = MostUnderWay(kind.direction, kind.shuffle, plan, choice.slots, kind.settings.throttle);
    if (UsesWindows(kind.shuffle)) {
        buffers_.Borrow(windows_.memory(), SubBuffers::Stride(plan.fullest_cycle));
    } else {
        buffers_.Reserve(choice.slots, plan.owned.size(), plan.FullestOwnCycle());
        staging_.Reserve(plan, team_.rank(), team_.node_map(), kind.reads(), choice.slots, most_);
    }
    prepared_ = kind.plan_number;
}

// A file that POSIX calls do not reach is Open MPI's to write.
void FileResources::PrepareIo(const KindState &kind) {
    const Plan &plan = *kind.plan;
    const Choice &choice = kind.chooser.choice();
    const overlap_file_facts facts = FactsOf(storage_);
    const overlap_writer chosen = facts.posix != 0 ? choice.writer : OVERLAP_WRITER_FBTL;
    if (io_ == nullptr || choice.writer != made_) {
        if (chosen != choice.writer && team_.rank() == 0) {
            host_.warn(host_.self, OVERLAP_WARNING_NOT_POSIX, nullptr);
        }
        io_ = MakeIoEngine(chosen, IoPorts{storage_, team_.transport(), host_, patience_}, thread_);
        made_ = choice.writer;
    }
    // Rank 0 tells the user.
    const bool gaps = !kind.reads() && (plan.OwnGaps() || (!plan.gapless && team_.rank() == 0));
    rule_ = WriteRule{holes_.For(gaps), choice.striping.stripe, facts.remote != 0 && chosen == OVERLAP_WRITER_THREAD};
    io_->SetRule(rule_);
    io_->Prepare(static_cast<std::size_t>(choice.slots) * plan.owned.size(), plan.most_extents);
}

std::unique_ptr<Shuffle> FileResources::MakeShuffle(const KindState &kind, const StridedList &memory, bool on_device,
                                                    const Enclosed &enclosed) {
    const Plan &plan = *kind.plan;
    const Choice &choice = kind.chooser.choice();
    Prepare(kind);
    pack_.Reserve(plan, team_.rank(), choice.slots, memory, on_device);
    return overlap::MakeShuffle(
        kind.direction, kind.shuffle,
        ShuffleJob{team_, plan, enclosed, buffers_, pack_, staging_, choice.slots, most_, windows_, watch_});
}

void FileResources::SayLocks() {
    if (patience_.ended() && !std::exchange(explained_locks_, true)) {
        host_.explain(host_.self,
                      "a lock of the file was not free for a second, so the rest of the call was written without "
                      "reading gaps back");
    }
}

} // namespace overlap
