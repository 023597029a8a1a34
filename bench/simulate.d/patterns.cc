// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "patterns.h"

#include "../kernels/decomposition.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <stdexcept>
#include <vector>

namespace simulate {
namespace {

constexpr Bytes kDouble = 8;

CLI::Option *AddSize(CLI::App &app, const std::string &name, Bytes &value, const std::string &help) {
    return app.add_option(name, value, help)
        ->transform(CLI::AsSizeValue(false))
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
}

// The larger factor comes first, as of MPI_Dims_create.
std::pair<int, int> Balanced(int ranks) {
    int smaller = 1;
    for (int factor = 1; factor * factor <= ranks; ++factor) {
        smaller = ranks % factor == 0 ? factor : smaller;
    }
    return {ranks / smaller, smaller};
}

class Ior final : public Pattern {
  public:
    Bytes block = 65536;
    Bytes segments = 1;
    int apart = 1; // ranks between neighbours

    void Prepare(int ranks) override {
        if (ranks % apart != 0) {
            throw std::invalid_argument("--apart does not divide the number of ranks, " + std::to_string(ranks));
        }
    }
    Bytes extent(int ranks) const override { return block * segments * ranks; }
    void ForEach(int rank, int ranks, const Sink &sink) const override {
        const Bytes place = Bytes{rank % apart} * (ranks / apart) + rank / apart;
        for (Bytes segment = 0; segment < segments; ++segment) {
            sink((segment * ranks + place) * block, block);
        }
    }
    nlohmann::ordered_json Parameters() const override {
        return {{"block", block}, {"segments", segments}, {"apart", apart}};
    }
};

class Tile final : public Pattern {
  public:
    Bytes element = 256;
    Bytes width = 1;
    Bytes height = 256;
    std::vector<int> tiles; // in x and y

    void Prepare(int ranks) override {
        if (!tiles.empty() && tiles[0] * tiles[1] != ranks) {
            throw std::invalid_argument("--tiles has another number of places than there are ranks, " +
                                        std::to_string(ranks));
        }
        across_ = tiles.empty() ? Balanced(ranks).second : tiles[0];
    }
    Bytes extent(int ranks) const override { return element * width * height * ranks; }
    void ForEach(int rank, int /*ranks*/, const Sink &sink) const override {
        const Bytes length = element * width;
        const Bytes row = length * across_;
        for (Bytes y = 0; y < height; ++y) {
            sink((rank / across_ * height + y) * row + rank % across_ * length, length);
        }
    }
    nlohmann::ordered_json Parameters() const override {
        return {{"element", element}, {"tile", {height, width}}, {"tiles", tiles}};
    }

  private:
    int across_ = 1;
};

class Flash final : public Pattern {
  public:
    Bytes blocks = 20;
    Bytes cells = 16;

    Bytes extent(int ranks) const override { return Own() * ranks; }
    void ForEach(int rank, int /*ranks*/, const Sink &sink) const override { sink(rank * Own(), Own()); }
    nlohmann::ordered_json Parameters() const override { return {{"blocks", blocks}, {"cells", cells}}; }

  private:
    Bytes Own() const { return blocks * cells * cells * cells * kDouble; }
};

class Lists final : public Pattern {
  public:
    bench::DealtGrid grid;
    Bytes columns = 12; // of a rank, on average
    Bytes element = 8;
    Bytes variables = 1;

    void Prepare(int ranks) override {
        grid.columns = columns * ranks;
        dealt_ = bench::DealGrid(grid, ranks);
    }
    Bytes extent(int /*ranks*/) const override { return dealt_.elements * element * variables; }
    void ForEach(int rank, int /*ranks*/, const Sink &sink) const override {
        for (Bytes i = 0; i < variables; ++i) {
            for (const bench::ElementRun &run : dealt_.ranks[static_cast<std::size_t>(rank)]) {
                sink((i * dealt_.elements + run.first) * element, run.count * element);
            }
        }
    }
    nlohmann::ordered_json Parameters() const override {
        return {{"levels", grid.levels},
                {"columns_of_a_rank", columns},
                {"element", element},
                {"hole_percent", grid.hole_percent},
                {"variables", variables}};
    }

  private:
    bench::Decomposition dealt_;
};

void AddLists(CLI::App &app, std::shared_ptr<Pattern> *pattern) {
    auto lists = std::make_shared<Lists>();
    lists->grid.levels = 8;
    CLI::App *const command = app.add_subcommand("lists", "variables of a climate model: a list of elements on each rank");
    command->add_option("--levels", lists->grid.levels, "levels of the grid")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--columns", lists->columns, "columns of a rank, on average")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--deal", lists->grid.deal, "columns to ranks: curve, random or blocks")
        ->transform(CLI::CheckedTransformer(std::map<std::string, bench::Deal>{
            {"curve", bench::Deal::kCurve}, {"random", bench::Deal::kRandom}, {"blocks", bench::Deal::kBlocks}}));
    command->add_option("--holes", lists->grid.hole_percent, "percent of the columns that nobody has")
        ->check(CLI::Range(0, 95))
        ->capture_default_str();
    AddSize(*command, "--element-bytes", lists->element, "bytes of an element");
    command->add_option("--variables", lists->variables, "variables in one call")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->callback([pattern, lists] { *pattern = lists; });
}

} // namespace

void AddPatterns(CLI::App &app, std::shared_ptr<Pattern> *pattern, std::string *name) {
    auto ior = std::make_shared<Ior>();
    CLI::App *command = app.add_subcommand("ior", "segments, each with one block of every rank");
    AddSize(*command, "--block", ior->block, "bytes of a rank in a segment");
    AddSize(*command, "--segments", ior->segments, "segments");
    command->add_option("--apart", ior->apart, "neighbours in a segment are so many ranks apart (on other nodes, say)")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->callback([pattern, ior] { *pattern = ior; });

    auto tile = std::make_shared<Tile>();
    command = app.add_subcommand("tile", "MPI-TILE-IO: a tile of a two-dimensional array on each rank");
    AddSize(*command, "--element", tile->element, "bytes of an element");
    AddSize(*command, "--tile-x", tile->width, "elements of a tile side by side in the file");
    AddSize(*command, "--tile-y", tile->height, "rows of a tile");
    command->add_option("--tiles", tile->tiles, "tiles in x and y (default: as square as the number of ranks allows)")
        ->expected(2);
    command->callback([pattern, tile] { *pattern = tile; });

    auto flash = std::make_shared<Flash>();
    command = app.add_subcommand("flash", "FLASH-IO's checkpoint: a call is one variable");
    AddSize(*command, "--blocks", flash->blocks, "blocks of a rank");
    AddSize(*command, "--cells", flash->cells, "cells of a block in each of its three dimensions");
    command->callback([pattern, flash] { *pattern = flash; });

    AddLists(app, pattern);
    app.parse_complete_callback([&app, name] { *name = app.get_subcommands().front()->get_name(); });
    app.require_subcommand(1);
}

} // namespace simulate
