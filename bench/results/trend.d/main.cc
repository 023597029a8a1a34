// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// trend: results of overlap-bench against the model's predictions, as Jha & Gabriel do in "Performance Models for
// Communication in Collective I/O Operations", evaluation III. ../trend makes the results and calls this.
//   trend FITTED RESULT...
// The network's rate is the one with which the time of FITTED is predicted.
#include "point.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

namespace trend {
namespace {

using Variable = double (*)(const Point &);

constexpr struct {
    const char *name;
    Variable value;
} kVariables[] = {
    {"bytes of a rank", [](const Point &point) { return point.bytes_per_rank; }},
    {"ranks", [](const Point &point) { return point.ranks; }},
    {"aggregators", [](const Point &point) { return point.aggregators; }},
};

bool DifferInOnly(Variable variable, const Point &a, const Point &b) {
    for (const auto &other : kVariables) {
        if ((other.value(a) == other.value(b)) == (other.value == variable)) {
            return false;
        }
    }
    return true;
}

// The next larger value of the variable, all else being equal; null where there is none.
const Point *Next(Variable variable, const Point &point, const std::vector<Point> &all) {
    const Point *next = nullptr;
    for (const Point &other : all) {
        const bool larger = variable(other) > variable(point) && DifferInOnly(variable, point, other);
        next = larger && (next == nullptr || variable(other) < variable(*next)) ? &other : next;
    }
    return next;
}

struct Counts {
    int match = 0;
    int mismatch = 0;
    int within_spread = 0; // of these and neither
};

Counts Count(Variable variable, const std::vector<Point> &all) {
    Counts counts;
    for (const Point &point : all) {
        const Point *const next = Next(variable, point, all);
        if (next == nullptr) {
            continue;
        }
        if (point.least <= next->most && next->least <= point.most) {
            ++counts.within_spread;
        } else if ((next->median > point.median) == (next->predicted > point.predicted)) {
            ++counts.match;
        } else {
            ++counts.mismatch;
        }
    }
    return counts;
}

int Main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "trend: needs the result to fit to and those to predict\n");
        return 2;
    }
    std::vector<Point> all;
    for (int i = 2; i < argc; ++i) {
        all.push_back(ReadPoint(argv[i]));
    }
    const overlap::Rates rates = RatesFittedTo(ReadPoint(argv[1]));
    std::printf("%12s %6s %12s %10s %21s %10s\n", "bytes a rank", "ranks", "aggregators", "median s", "least .. most s",
                "predicted");
    for (Point &point : all) {
        point.predicted = Predicted(point, rates);
        std::printf("%12.0f %6.0f %12.0f %10.4f %10.4f %10.4f %10.4f\n", point.bytes_per_rank, point.ranks,
                    point.aggregators, point.median, point.least, point.most, point.predicted);
    }
    std::printf("\n%-18s %6s %9s %20s\n", "what changes", "match", "mismatch", "left out (spread)");
    for (const auto &variable : kVariables) {
        const Counts counts = Count(variable.value, all);
        std::printf("%-18s %6d %9d %20d\n", variable.name, counts.match, counts.mismatch, counts.within_spread);
    }
    return 0;
}

} // namespace
} // namespace trend

int main(int argc, char **argv) {
    try {
        return trend::Main(argc, argv);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "trend: %s\n", error.what());
        return 1;
    }
}
