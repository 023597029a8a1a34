#ifndef BENCH_COMMON_VERSION_H
#define BENCH_COMMON_VERSION_H

namespace bench {

/// "overlap" and the version that configure.ac has: what --version prints.
const char *Version();

} // namespace bench

#endif
