#include "collective_file.h"

#include "../call/write_alone.h"
#include "../choose/read_rules.h"
#include "../guard.h"
#include "explain.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace overlap {

CollectiveFile::CollectiveFile(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                               const overlap_settings &settings)
    : team_(transport), storage_(storage), host_(host), settings_(settings), planner_(team_, host_, settings_),
      chooser_(settings_, team_.size(), team_.nodes()), resources_(team_, storage_, host_, settings_) {}

// Between two agreements whatever a rank lacks becomes its status, which the next one tells the others.
Status CollectiveFile::Write(const overlap_access &request, ByteCount &on_file) {
    on_file = 0;
    Access access;
    Key key;
    std::unique_ptr<Call> call;
    Status local = Describe(request, access, key.asked);
    if (team_.size() == 1 && local.ok() && WritesAlone(access)) {
        return WriteAlone(resources_, access, on_file);
    }
    key.file = std::move(access.file);
    const bool repeats = local.ok() && plan_ != nullptr && Repeats(key);
    if (repeats) {
        local = MakeCall(access, call);
    }
    Status status = ObeyRules();
    if (!status.ok()) {
        return status;
    }
    status = planner_.Prepare(key.asked, chooser_.MostAggregators(), local);
    if (!status.ok()) {
        return status;
    }

    Outline outline;
    status = AgreeOnOutline(key.file, repeats, local, outline);
    if (!status.ok() || outline.range.empty()) {
        return status;
    }
    if (!outline.repeats) {
        call.reset();
        status = MakePlan(key, outline);
        if (plan_ == nullptr) {
            return status;
        }
        status.Merge(status.ok() ? MakeCall(access, call) : Status());
        status = team_.Agree(status);
        if (!status.ok()) {
            plan_.reset();
            return status;
        }
        key_ = std::move(key);
    }

    resources_.BeginCall();
    call->Begin(outline.distance);
    while (call->Step()) {
    }
    Took took;
    status = call->Finish(on_file, took);
    on_file = status.ok() ? static_cast<ByteCount>(request.bytes) : on_file;
    Explain(took);
    if (status.ok()) {
        Learn(took);
    }
    return status;
}

Status CollectiveFile::Describe(const overlap_access &request, Access &access, Choice &asked) {
    Status status = Guarded([&] {
        const overlap_file_facts facts = Facts();
        asked = Choose(settings_, facts, team_.size(), team_.nodes());
        chooser_.Prepare(asked, facts);
        if (request.error == OVERLAP_SUCCESS) {
            access = BuildAccess(request);
        }
    });
    status.Merge(Status(request.error));
    return status;
}

overlap_file_facts CollectiveFile::Facts() const {
    overlap_file_facts facts{};
    storage_.facts(storage_.self, &facts);
    return facts;
}

// Collective until it succeeds.
Status CollectiveFile::ObeyRules() {
    Rules rules;
    const Status status = rules_read_ ? Status() : ReadRules(team_, host_, settings_, rules);
    if (!rules_read_ && status.ok()) {
        chooser_.Obey(std::move(rules));
        rules_read_ = true;
    }
    return status;
}

// Without data every distance will do.
bool CollectiveFile::Repeats(const Key &key) const {
    if (!(key.asked == key_.asked) || key.file.empty() != key_.file.empty()) {
        return false;
    }
    const std::int64_t distance = key.file.empty() ? 0 : key.file.begin() - key_.file.begin();
    const std::int64_t unit = chooser_.choice().MovesBy(team_.nodes(), plan_->domains());
    return distance % unit == 0 && key.file.IsMoved(key_.file, distance);
}

Status CollectiveFile::AgreeOnOutline(const StridedList &file, bool repeats, Status local, Outline &outline) {
    // One maximum for all: the first offset, and the least distance, as their negatives. Ranks without data have neither.
    constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();
    std::array<std::int64_t, 8> values = {
        kNothing, kNothing, repeats ? 0 : 1, resources_.holes().OthersMayWrite(), kNothing, kNothing, 0, 0};
    if (local.ok() && !file.empty()) {
        values[0] = -file.begin();
        values[1] = file.end();
        values[4] = repeats ? file.begin() - key_.file.begin() : 0;
        values[5] = -values[4];
        values[6] = file.bytes();
        values[7] = file.PiecesAtLeast();
    }
    const Status status = team_.Agree(values, local);
    if (values[1] != kNothing) {
        outline.range = Range{-values[0], values[1]};
        outline.size = CallSize{values[1] + values[0], values[6], values[7]};
    }
    outline.repeats = values[1] != kNothing && values[2] == 0 && values[4] == -values[5];
    outline.distance = outline.repeats ? values[4] : 0;
    resources_.holes().Begin(values[3]);
    return status;
}

// Collective. Where there is a plan the status is this rank's alone, else that of all.
Status CollectiveFile::MakePlan(const Key &key, const Outline &outline) {
    plan_.reset();
    chooser_.Decide(Facts(), outline.size);
    chooser_.Predict(planner_.DomainLimit(chooser_.choice().aggregators));
    Status status = planner_.Make(key.file, chooser_.choice(), outline.range, plan_);
    if (plan_ != nullptr) {
        resources_.ChooseShuffle(*plan_, chooser_.choice());
    }
    return status;
}

// With all memory that it needs.
Status CollectiveFile::MakeCall(const Access &access, std::unique_ptr<Call> &call) {
    return Guarded([&] {
        resources_.Prepare(*plan_, chooser_.choice());
        call = std::make_unique<Call>(team_, host_, plan_, chooser_.choice(), access.memory, resources_);
    });
}

void CollectiveFile::Learn(const Took &took) {
    const double busiest = static_cast<double>(std::max<ByteCount>(1, plan_->busiest));
    const double remote = std::min(1.0, static_cast<double>(plan_->remote) / busiest);
    const bool changes = chooser_.Learn(took, Ran{plan_->domains(), resources_.shuffle(), remote});
    if (team_.rank() != 0) {
        return;
    }
    host_.remember(host_.self, chooser_.rates().data());
    if (changes && host_.explains(host_.self, OVERLAP_LEVEL_FILE) != 0) {
        const Status status = Guarded([&] {
            const std::string line = "from the next call on, " + ExplainCandidate(chooser_.predicted());
            host_.explain(host_.self, OVERLAP_LEVEL_FILE, line.c_str());
        });
        static_cast<void>(status); // as in Explain
    }
}

// Collective at the first call: the ranks' idle cycles are counted for it.
void CollectiveFile::Explain(const Took &took) {
    if (explained_) {
        return;
    }
    explained_ = true;
    std::int64_t idle = 0;
    if (resources_.shuffle() == OVERLAP_SHUFFLE_PUT_FENCE) {
        idle = plan_->IdleCycles();
        idle = team_.Sum(&idle, 1).ok() ? idle : 0;
    }
    if (team_.rank() != 0 || host_.explains(host_.self, OVERLAP_LEVEL_FILE) == 0) {
        return;
    }
    const Status status = Guarded([&] {
        const PlanFacts facts{settings_,
                              chooser_.choice(),
                              resources_.shuffle(),
                              planner_.DescribePlacement(),
                              resources_.writer().name(),
                              resources_.holes().InUse(),
                              resources_.holes().Why(),
                              team_.size(),
                              idle,
                              chooser_.rule(),
                              chooser_.predicted(),
                              took};
        host_.explain(host_.self, OVERLAP_LEVEL_FILE, ExplainPlan(facts, *plan_).c_str());
        if (host_.explains(host_.self, OVERLAP_LEVEL_CANDIDATES) != 0) {
            for (const Prediction &candidate : chooser_.candidates()) {
                host_.explain(host_.self, OVERLAP_LEVEL_CANDIDATES, ExplainCandidate(candidate).c_str());
            }
        }
    });
    static_cast<void>(status); // who has no memory for a line goes without
}

} // namespace overlap
