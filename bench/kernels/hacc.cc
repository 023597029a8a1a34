// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// HACC-IO: nine variables per particle, 38 bytes, as an array of structures or a structure of arrays (TAPIOCA, section V).
#include "kernels.h"

#include <array>
#include <numeric>

namespace bench {
namespace {

// XX YY ZZ VX VY VZ phi, pid, mask
constexpr std::array<Bytes, 9> kSizes = {4, 4, 4, 4, 4, 4, 4, 8, 2};
constexpr Bytes kParticle = 38;

class Hacc final : public Pattern {
  public:
    int particles = 400000;
    std::string layout = "aos";

    int accesses() const override { return Structures() ? 1 : static_cast<int>(kSizes.size()); }
    Bytes extent(int ranks) const override { return kParticle * particles * ranks; }
    Bytes bytes(int, int, int access) const override { return Item(access) * particles; }

    void ForEach(int rank, int ranks, int access, const Sink &sink) const override {
        sink(Offset(rank, ranks, access), bytes(rank, ranks, access));
    }

    View MakeView(int rank, int ranks, int access) const override {
        View view;
        view.displacement = Offset(rank, ranks, access);
        return view;
    }

    nlohmann::ordered_json Parameters(int) const override { return {{"particles", particles}, {"layout", layout}}; }

  private:
    bool Structures() const { return layout == "aos"; }
    Bytes Item(int access) const { return Structures() ? kParticle : kSizes[static_cast<std::size_t>(access)]; }
    Bytes Offset(int rank, int ranks, int access) const {
        const Bytes before = std::accumulate(kSizes.begin(), kSizes.begin() + access, Bytes{0}) * particles * ranks;
        return before + Item(access) * particles * rank;
    }
};

} // namespace

Kernel AddHacc(CLI::App &app) {
    auto hacc = std::make_shared<Hacc>();
    CLI::App *command = app.add_subcommand("hacc", "HACC-IO: particles of 38 bytes");
    command->add_option("--particles", hacc->particles, "particles of a rank")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--layout", hacc->layout, "aos: records, one call; soa: nine variables, a call each")
        ->check(CLI::IsMember({"aos", "soa"}))
        ->capture_default_str();
    return {command, hacc};
}

} // namespace bench
