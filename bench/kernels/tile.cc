// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// MPI-TILE-IO: a dense two-dimensional array of elements, one tile of it on each rank (Feki & Gabriel, section IV).
#include "grid.h"
#include "kernels.h"

namespace bench {
namespace {

constexpr Bytes kBytesOfTile = Bytes{16} << 20;

class Tile final : public Pattern {
  public:
    Bytes element = 256;
    int width = 1;
    int height = 0;
    std::vector<int> tiles;

    Bytes extent(int ranks) const override { return Cut(ranks).elements() * element; }
    Bytes bytes(int, int, int) const override { return element * width * Height(); }

    void ForEach(int rank, int ranks, int, const Sink &sink) const override {
        const Grid grid = Cut(ranks);
        grid.ForEachRow(grid.starts(rank), element, sink);
    }

    View MakeView(int rank, int ranks, int) const override {
        const Grid grid = Cut(ranks);
        return View{0, Datatype::Predefined(MPI_BYTE), Subarray(grid.sizes(), grid.part(), grid.starts(rank), element)};
    }

    nlohmann::ordered_json Parameters(int ranks) const override {
        return {{"element", element}, {"tile", {Height(), width}}, {"tiles", Cut(ranks).grid()}};
    }

  private:
    int Height() const {
        return height > 0 ? height : static_cast<int>(std::max<Bytes>(1, kBytesOfTile / (element * width)));
    }
    Grid Cut(int ranks) const {
        return tiles.empty() ? Grid(ranks, {Height(), width}) : Grid(ranks, {Height(), width}, {tiles[1], tiles[0]});
    }
};

} // namespace

Kernel AddTile(CLI::App &app) {
    auto tile = std::make_shared<Tile>();
    CLI::App *command = app.add_subcommand("tile", "MPI-TILE-IO: a tile of a two-dimensional array on each rank");
    AddSize(*command, "--element", tile->element, "bytes of an element")->check(CLI::PositiveNumber);
    command
        ->add_option("--tile-x", tile->width, "elements of a tile side by side in the file; 1: each is a piece of its own")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--tile-y", tile->height, "rows of a tile (0: as many as give 16 MiB)")->capture_default_str();
    command->add_option("--tiles", tile->tiles, "tiles in x and y (default: as square as the number of ranks allows)")
        ->expected(2);
    return {command, tile};
}

} // namespace bench
