#include "coverage.h"

#include <iterator>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace overlap {
namespace {

bool StartsEarlier(const Run &a, const Run &b) { return std::tie(a.start, b.count) < std::tie(b.start, a.count); }

std::vector<Run> SortedRuns(const std::vector<const StridedList *> &lists) {
    std::vector<Run> runs;
    for (const StridedList *list : lists) {
        runs.insert(runs.end(), list->runs().begin(), list->runs().end());
    }
    std::sort(runs.begin(), runs.end(), StartsEarlier);
    return runs;
}

// Joins runs of one stride whose first blocks touch, so that the interleaved blocks of many ranks become one run. Runs that
// differ in their number of blocks are joined as far as both go; what is left of the longer one is returned for itself.
std::vector<Run> JoinNeighbours(const std::vector<Run> &sorted) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> open; // (where the first block ends, stride) -> joined run
    std::vector<Run> joined;
    std::vector<Run> rest;
    for (const Run &run : sorted) {
        const auto found = run.count > 1 ? open.find({run.start, run.stride}) : open.end();
        if (found == open.end() || joined[found->second].length + run.length > run.stride) {
            if (run.count > 1) {
                open[{run.start + run.length, run.stride}] = joined.size();
            }
            joined.push_back(run);
            continue;
        }
        const std::size_t index = found->second;
        open.erase(found);
        Run &first = joined[index];
        const std::int64_t common = std::min(first.count, run.count);
        if (first.count > common) {
            rest.push_back(Run{first.start + common * first.stride, first.length, first.stride, first.count - common});
        }
        if (run.count > common) {
            rest.push_back(Run{run.start + common * run.stride, run.length, run.stride, run.count - common});
        }
        first.length += run.length;
        first.count = common;
        if (common > 1) {
            open[{first.start + first.length, first.stride}] = index;
        }
    }
    for (Run &run : joined) {
        if (run.count > 1 && run.stride == run.length) {
            run = Run{run.start, run.bytes(), 0, 1};
        }
    }
    joined.insert(joined.end(), rest.begin(), rest.end());
    std::sort(joined.begin(), joined.end(), StartsEarlier);
    return joined;
}

// Adds to a union block by block, in ascending order of starts.
class UnionBuilder {
  public:
    void Add(FileOffset start, ByteCount length) {
        if (length_ > 0 && start <= start_ + length_) {
            overlap_ = overlap_ || start < start_ + length_;
            length_ = std::max(length_, start + length - start_);
            return;
        }
        Flush();
        start_ = start;
        length_ = length;
    }

    // Adds a run that nothing else interleaves.
    void AddAlone(const Run &run) {
        if (run.count == 1) {
            Add(run.start, run.length);
            return;
        }
        Add(run.start, run.length);
        Flush();
        if (run.count > 2) {
            coverage_.data.Append(Run{run.start + run.stride, run.length, run.stride, run.count - 2});
        }
        Add(run.last(), run.length);
    }

    Coverage Finish() {
        Flush();
        coverage_.overlap = overlap_;
        return std::move(coverage_);
    }

  private:
    void Flush() {
        coverage_.data.Append(Run{start_, length_, 0, 1});
        length_ = 0;
    }

    Coverage coverage_;
    bool overlap_ = false;
    FileOffset start_ = 0;
    ByteCount length_ = 0; // 0: no block is pending
};

// Merges runs whose spans interleave, block by block.
void MergeInterleaved(const Run *first, const Run *last, UnionBuilder &merged) {
    struct Cursor {
        const Run *run;
        std::int64_t block;
        FileOffset start() const { return run->start + block * run->stride; }
    };
    const auto later = [](const Cursor &a, const Cursor &b) { return a.start() > b.start(); };
    std::priority_queue<Cursor, std::vector<Cursor>, decltype(later)> next(later);
    for (const Run *run = first; run != last; ++run) {
        next.push(Cursor{run, 0});
    }
    while (!next.empty()) {
        Cursor cursor = next.top();
        next.pop();
        merged.Add(cursor.start(), cursor.run->length);
        if (++cursor.block < cursor.run->count) {
            next.push(cursor);
        }
    }
}

} // namespace

Coverage Cover(const std::vector<const StridedList *> &lists) {
    const std::vector<Run> runs = JoinNeighbours(SortedRuns(lists));
    UnionBuilder merged;
    const Run *const all = runs.data();
    for (std::size_t i = 0; i < runs.size();) {
        FileOffset end = runs[i].end();
        std::size_t next = i + 1;
        while (next < runs.size() && runs[next].start < end) {
            end = std::max(end, runs[next].end());
            ++next;
        }
        if (next == i + 1) {
            merged.AddAlone(runs[i]);
        } else {
            MergeInterleaved(all + i, all + next, merged);
        }
        i = next;
    }
    return merged.Finish();
}

} // namespace overlap
