// What the times of a case say.
#ifndef BENCH_AGAINST_VERDICT_H
#define BENCH_AGAINST_VERDICT_H

#include <string>
#include <vector>

namespace against {

using Times = std::vector<double>; // seconds

constexpr double kTolerated = 1.03; // of the times before

struct Verdict {
    double before = 0, now = 0; // medians
    double ratio = 0;           // now / before
    double least = 0, most = 0; // the ratio's range, from those in which the two medians lie with 95 % confidence
    /// The ranges of the two do not overlap.
    bool differs() const { return least > 1 || most < 1; }
    /// By more than what is tolerated (3 %).
    bool slower() const;
    std::string text() const;
};

/// Both have at least one time.
Verdict Judge(const Times &before, const Times &now);

} // namespace against

#endif
