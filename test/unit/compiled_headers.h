// What most tests include and takes half of the time to compile one, compiled once (GCC finds compiled_headers.h.gch in the
// build folder). Each test still includes what it uses; to C sources this is nothing.
#ifndef TEST_UNIT_COMPILED_HEADERS_H
#define TEST_UNIT_COMPILED_HEADERS_H

#ifdef __cplusplus
#    include <gtest/gtest.h>

#    include <algorithm>
#    include <functional>
#    include <map>
#    include <memory>
#    include <random>
#    include <set>
#    include <string>
#    include <vector>
#endif

#endif
