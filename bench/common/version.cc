#include "version.h"

namespace bench {

const char *Version() { return "overlap " OVERLAP_VERSION; }

} // namespace bench
