// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// HPIO: regions with gaps between them (Tsujita et al., section IV: regions of 488 bytes, gaps of 256).
#include "kernels.h"

namespace bench {
namespace {

class Hpio final : public Pattern {
  public:
    Bytes size = 488;
    Bytes space = 256;
    int count = 16384;
    Bytes memory_gap = 0;

    Bytes extent(int ranks) const override { return (size + space) * count * ranks; }
    Bytes bytes(int, int, int) const override { return size * count; }

    void ForEach(int rank, int ranks, int, const Sink &sink) const override {
        for (Bytes group = 0; group < count; ++group) {
            sink((group * ranks + rank) * (size + space), size);
        }
    }

    View MakeView(int rank, int ranks, int) const override {
        const Bytes stride = (size + space) * ranks;
        return View{rank * (size + space), Datatype::Predefined(MPI_BYTE), StridedBytes(1, size, stride, stride)};
    }

    Memory memory(int, int, int) const override { return {size, memory_gap}; }

    nlohmann::ordered_json Parameters(int) const override {
        return {{"region_size", size}, {"region_space", space}, {"region_count", count}, {"memory_gap", memory_gap}};
    }
};

} // namespace

Kernel AddHpio(CLI::App &app) {
    auto hpio = std::make_shared<Hpio>();
    CLI::App *command = app.add_subcommand("hpio", "HPIO: regions of all ranks in turn, with gaps");
    AddSize(*command, "--region-size", hpio->size, "bytes of a region")->check(CLI::PositiveNumber);
    AddSize(*command, "--region-space", hpio->space, "bytes of the gap behind each region");
    command->add_option("--region-count", hpio->count, "regions of a rank")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    AddSize(*command, "--memory-gap", hpio->memory_gap, "bytes between the regions in memory");
    return {command, hpio};
}

} // namespace bench
