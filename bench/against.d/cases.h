// The standard cases: what a job writes or reads, and on how many ranks and where it runs.
#ifndef BENCH_AGAINST_CASES_H
#define BENCH_AGAINST_CASES_H

#include "../compare.d/process.h"

#include <string>
#include <vector>

namespace against {

using compare::Words;

struct Case {
    std::string name;
    Words kernel;            // overlap-bench's words, without the file
    bool open_close = false; // the time is that of open and close, not that of the calls
};

struct Setting {
    int ranks = 0;
    std::string place;     // tmpfs, ext4, cluster
    std::string directory; // of the file
    std::vector<Case> cases;
};

/// Every case on every setting that `wanted` names, all where it is empty: NAME, or NAME:RANKS:PLACE. Throws
/// std::invalid_argument where a word names nothing.
std::vector<Setting> SettingsOf(const Words &wanted, bool cluster);

std::string FullName(const Case &one, const Setting &setting);

} // namespace against

#endif
