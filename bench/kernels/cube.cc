// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A three-dimensional array of doubles in blocks.
#include "grid.h"
#include "kernels.h"

namespace bench {
namespace {

class Cube final : public Pattern {
  public:
    std::vector<int> part = {128, 128, 128};

    Bytes extent(int ranks) const override { return Grid(ranks, part).elements() * kElement; }
    Bytes bytes(int, int ranks, int) const override { return Grid(ranks, part).own() * kElement; }

    void ForEach(int rank, int ranks, int, const Sink &sink) const override {
        const Grid grid(ranks, part);
        grid.ForEachRow(grid.starts(rank), kElement, sink);
    }

    View MakeView(int rank, int ranks, int) const override {
        const Grid grid(ranks, part);
        return View{0, Datatype::Predefined(MPI_BYTE), Subarray(grid.sizes(), part, grid.starts(rank), kElement)};
    }

    nlohmann::ordered_json Parameters(int ranks) const override {
        return {{"part", part}, {"grid", Grid(ranks, part).grid()}};
    }

  private:
    static constexpr Bytes kElement = sizeof(double);
};

} // namespace

Kernel AddCube(CLI::App &app) {
    auto cube = std::make_shared<Cube>();
    CLI::App *command = app.add_subcommand("cube", "a three-dimensional array of doubles, a block on each rank");
    command->add_option("--part", cube->part, "elements of a rank in each dimension")
        ->expected(3)
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    return {command, cube};
}

} // namespace bench
