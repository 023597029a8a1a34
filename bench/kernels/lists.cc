// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Variables of a climate model: each rank has a list of elements that lie anywhere in the grid, the same for each variable,
// and all variables go in one call, as PnetCDF writes what PIO has given it.
#include "decomposition.h"
#include "kernels.h"

#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

namespace bench {
namespace {

enum class InMemory { kContiguous, kScattered };

class Lists final : public Pattern {
  public:
    DealtGrid grid;
    std::string decomposition; // a file of PIO; empty: the grid is dealt
    Bytes element = 8;
    int variables = 64;
    InMemory in_memory = InMemory::kContiguous;
    Bytes memory_gap = 0; // behind each element, where memory is contiguous but for these

    Bytes extent(int ranks) const override { return Of(ranks).elements * element * variables; }

    Bytes bytes(int rank, int ranks, int) const override {
        Bytes elements = 0;
        for (const ElementRun &run : RunsOf(rank, ranks)) {
            elements += run.count;
        }
        return elements * element * variables;
    }

    void ForEach(int rank, int ranks, int, const Sink &sink) const override {
        const Bytes variable = Of(ranks).elements * element;
        for (int i = 0; i < variables; ++i) {
            for (const ElementRun &run : RunsOf(rank, ranks)) {
                sink(i * variable + run.first * element, run.count * element);
            }
        }
    }

    View MakeView(int rank, int ranks, int access) const override {
        std::vector<int> lengths;
        std::vector<MPI_Aint> places;
        ForEach(rank, ranks, access, [&](Bytes offset, Bytes length) {
            places.push_back(static_cast<MPI_Aint>(offset));
            lengths.push_back(static_cast<int>(length));
        });
        return View{0, Datatype::Predefined(MPI_BYTE), IndexedBytes(lengths, places)};
    }

    Memory memory(int rank, int ranks, int access) const override {
        Memory memory{element, memory_gap};
        if (in_memory == InMemory::kScattered) {
            Bytes first = -1;
            ForEach(rank, ranks, access, [&](Bytes offset, Bytes length) {
                first = first < 0 ? offset : first;
                memory.list.push_back(MemoryPiece{offset - first, length});
            });
        }
        return memory;
    }

    nlohmann::ordered_json Parameters(int ranks) const override {
        if (in_memory == InMemory::kScattered && memory_gap > 0) {
            throw std::invalid_argument(
                "--memory-gap goes with contiguous memory: scattered memory has the gaps of the file");
        }
        const Decomposition &all = Of(ranks);
        Bytes runs = 0;
        for (const std::vector<ElementRun> &own : all.ranks) {
            runs += static_cast<Bytes>(own.size());
            for (const ElementRun &run : own) {
                if (run.count > std::numeric_limits<int>::max() / element) {
                    throw std::invalid_argument("a rank has more elements side by side than a piece of a datatype can hold");
                }
            }
            if (own.size() * static_cast<std::size_t>(variables) >
                static_cast<std::size_t>(std::numeric_limits<int>::max())) {
                throw std::invalid_argument("a rank has more pieces than a datatype can hold");
            }
        }
        nlohmann::ordered_json json = {{"elements", all.elements}, {"element_bytes", element}, {"variables", variables}};
        if (decomposition.empty()) {
            json["grid"] = {grid.levels, grid.columns};
            json["deal"] = grid.deal == Deal::kCurve ? "curve" : grid.deal == Deal::kRandom ? "random" : "blocks";
            json["hole_percent"] = grid.hole_percent;
        } else {
            json["decomposition"] = decomposition;
        }
        json["pieces"] = runs * variables;
        json["memory"] = in_memory == InMemory::kScattered ? "scattered" : "contiguous";
        json["memory_gap"] = memory_gap;
        return json;
    }

  private:
    const Decomposition &Of(int ranks) const {
        if (!made_ || made_->ranks.size() != static_cast<std::size_t>(ranks)) {
            made_ = decomposition.empty() ? DealGrid(grid, ranks) : ReadDecomposition(decomposition, ranks);
        }
        return *made_;
    }
    const std::vector<ElementRun> &RunsOf(int rank, int ranks) const {
        return Of(ranks).ranks[static_cast<std::size_t>(rank)];
    }

    mutable std::optional<Decomposition> made_;
};

} // namespace

Kernel AddLists(CLI::App &app) {
    auto lists = std::make_shared<Lists>();
    CLI::App *command = app.add_subcommand("lists", "variables of a climate model: a list of elements on each rank");
    command
        ->add_option_function<std::string>(
            "--grid",
            [lists](const std::string &text) {
                char rest = 0;
                long long levels = 0, columns = 0;
                if (std::sscanf(text.c_str(), "%lldx%lld%c", &levels, &columns, &rest) != 2 || levels < 1 || columns < 1) {
                    throw CLI::ValidationError("--grid", "takes LEVELSxCOLUMNS, not \"" + text + "\"");
                }
                lists->grid.levels = levels;
                lists->grid.columns = columns;
            },
            "LEVELSxCOLUMNS; a rank has a column in all levels")
        ->default_str("72x866");
    command
        ->add_option("--deal", lists->grid.deal,
                     "columns to ranks: curve (along a Hilbert curve over a nearly square map), random or blocks")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, Deal>{{"curve", Deal::kCurve}, {"random", Deal::kRandom}, {"blocks", Deal::kBlocks}}));
    command
        ->add_option("--holes", lists->grid.hole_percent, "percent of the columns that nobody has, between runs of 1 to 8")
        ->check(CLI::Range(0, 95))
        ->capture_default_str();
    command->add_option("--decomposition", lists->decomposition,
                        "a .dat file of PIO or Scorpio instead; its ranks go to those of the job in order");
    AddSize(*command, "--element-bytes", lists->element, "bytes of an element")->check(CLI::PositiveNumber);
    command->add_option("--variables", lists->variables, "variables, one behind the other in the file, in one call")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command
        ->add_option("--memory", lists->in_memory,
                     "contiguous, or scattered: an element as far from a rank's first one as in the file, so that a rank's "
                     "memory is as long as the file from its first to its last byte, mostly the size of all ranks' data")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, InMemory>{{"contiguous", InMemory::kContiguous}, {"scattered", InMemory::kScattered}}));
    AddSize(*command, "--memory-gap", lists->memory_gap, "bytes behind each element in contiguous memory");
    return {command, lists};
}

} // namespace bench
