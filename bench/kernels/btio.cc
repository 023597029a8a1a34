// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// BTIO (NAS parallel benchmarks): the block-tridiagonal solver's array, five doubles a point. The multi-partition gives each
// of q x q ranks q cells of the q x q x q cells, one in each plane, along a diagonal.
#include "grid.h"
#include "kernels.h"

#include <cmath>
#include <stdexcept>

namespace bench {
namespace {

constexpr Bytes kPoint = 5 * static_cast<Bytes>(sizeof(double));

class Btio final : public Pattern {
  public:
    int points = 0; // per dimension of a cell

    Bytes extent(int ranks) const override { return Cells(ranks).elements() * kPoint; }
    Bytes bytes(int, int ranks, int) const override { return Cells(ranks).own() * kPoint * Side(ranks); }

    void ForEach(int rank, int ranks, int, const Sink &sink) const override {
        const Grid cells = Cells(ranks);
        for (int plane = 0; plane < Side(ranks); ++plane) {
            cells.ForEachRow(Starts(rank, ranks, plane), kPoint, sink);
        }
    }

    View MakeView(int rank, int ranks, int) const override {
        const Grid cells = Cells(ranks);
        std::vector<Datatype> parts;
        std::vector<MPI_Datatype> types;
        for (int plane = 0; plane < Side(ranks); ++plane) {
            parts.push_back(Subarray(cells.sizes(), cells.part(), Starts(rank, ranks, plane), kPoint));
            types.push_back(parts.back().get());
        }
        const std::vector<int> lengths(types.size(), 1);
        const std::vector<MPI_Aint> places(types.size(), 0);
        MPI_Datatype all = MPI_DATATYPE_NULL;
        MPI_Type_create_struct(static_cast<int>(types.size()), lengths.data(), places.data(), types.data(), &all);
        return View{0, Datatype::Predefined(MPI_BYTE), Datatype::Derived(all)};
    }

    nlohmann::ordered_json Parameters(int ranks) const override {
        return {{"points", Points(ranks)}, {"grid", Points(ranks) * Side(ranks)}};
    }

  private:
    static int Side(int ranks) {
        const int side = static_cast<int>(std::lround(std::sqrt(ranks)));
        if (side * side != ranks) {
            throw std::invalid_argument("btio needs a square number of ranks, not " + std::to_string(ranks));
        }
        return side;
    }
    // By default a rank has about 8 MiB.
    int Points(int ranks) const {
        return points > 0 ? points : static_cast<int>(std::cbrt(static_cast<double>(Bytes{8} << 20) / kPoint / Side(ranks)));
    }
    Grid Cells(int ranks) const {
        const int side = Side(ranks);
        const int each = Points(ranks);
        return Grid(side * side * side, {each, each, each}, {side, side, side});
    }
    std::vector<int> Starts(int rank, int ranks, int plane) const {
        const int side = Side(ranks);
        const int each = Points(ranks);
        return {plane * each, (rank / side + plane) % side * each, (rank % side + plane) % side * each};
    }
};

} // namespace

Kernel AddBtio(CLI::App &app) {
    auto btio = std::make_shared<Btio>();
    CLI::App *command = app.add_subcommand("btio", "BTIO: block-tridiagonal multi-partition, a square number of ranks");
    command->add_option("--points", btio->points, "points of a cell in each dimension (0: about 8 MiB a rank)")
        ->capture_default_str();
    return {command, btio};
}

} // namespace bench
