// The table.
#ifndef BENCH_AGAINST_REPORT_H
#define BENCH_AGAINST_REPORT_H

#include "jobs.h"
#include "verdict.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace against {

struct Row {
    std::string name;
    Times before, now;
    Counts counts_before, counts_now;
    bool failed_before = false, failed_now = false;
    bool suspected = false; // the first times alone called it slower
    bool measured_again = false;

    bool failed() const { return failed_before || failed_now; }
    Verdict verdict() const { return Judge(before, now); }
};

void PrintTable(std::ostream &out, const std::vector<Row> &rows);

} // namespace against

#endif
