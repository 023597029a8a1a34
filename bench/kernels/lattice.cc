// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A four-dimensional lattice in blocks (pmodels/mpich issue 7935), in memory optionally with gaps (issue 6985).
#include "grid.h"
#include "kernels.h"

namespace bench {
namespace {

class Lattice final : public Pattern {
  public:
    std::vector<int> part = {16, 16, 16, 16};
    Bytes site = 192;
    Bytes memory_piece = 0; // 0: a site
    Bytes memory_gap = 0;

    Bytes extent(int ranks) const override { return Grid(ranks, part).elements() * site; }
    Bytes bytes(int, int ranks, int) const override { return Grid(ranks, part).own() * site; }

    void ForEach(int rank, int ranks, int, const Sink &sink) const override {
        const Grid grid(ranks, part);
        grid.ForEachRow(grid.starts(rank), site, sink);
    }

    View MakeView(int rank, int ranks, int) const override {
        const Grid grid(ranks, part);
        return View{0, Datatype::Predefined(MPI_BYTE), Subarray(grid.sizes(), part, grid.starts(rank), site)};
    }

    Memory memory(int, int, int) const override { return {Piece(), memory_gap}; }

    nlohmann::ordered_json Parameters(int ranks) const override {
        return {{"part", part},
                {"grid", Grid(ranks, part).grid()},
                {"site", site},
                {"memory_piece", Piece()},
                {"memory_gap", memory_gap}};
    }

  private:
    Bytes Piece() const { return memory_piece > 0 ? memory_piece : site; }
};

} // namespace

Kernel AddLattice(CLI::App &app) {
    auto lattice = std::make_shared<Lattice>();
    CLI::App *command = app.add_subcommand("lattice", "a four-dimensional lattice, a block on each rank");
    command->add_option("--part", lattice->part, "sites of a rank in each dimension")
        ->expected(4)
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    AddSize(*command, "--site", lattice->site, "bytes of a site")->check(CLI::PositiveNumber);
    AddSize(*command, "--memory-piece", lattice->memory_piece, "bytes between two gaps in memory (0: a site)");
    AddSize(*command, "--memory-gap", lattice->memory_gap, "bytes of a gap in memory");
    return {command, lattice};
}

} // namespace bench
