#ifndef BENCH_COMMON_MEDIAN_H
#define BENCH_COMMON_MEDIAN_H

#include <vector>

namespace bench {

/// Of at least one value; between the two in the middle of an even number.
double Median(std::vector<double> values);

} // namespace bench

#endif
