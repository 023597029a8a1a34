// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// IOR: a file of segments, each with one block of every rank; a block is written in transfers.
#include "kernels.h"

#include <stdexcept>

namespace bench {
namespace {

class Ior final : public Pattern {
  public:
    Bytes block = Bytes{16} << 20;
    Bytes transfer = 0; // 0: the block
    int segments = 1;
    bool view = false;

    int accesses() const override { return view ? 1 : static_cast<int>(segments * (block / Transfer())); }
    Bytes extent(int ranks) const override { return block * segments * ranks; }
    Bytes bytes(int, int, int) const override { return view ? block * segments : Transfer(); }

    void ForEach(int rank, int ranks, int access, const Sink &sink) const override {
        if (!view) {
            sink(Offset(rank, ranks, access), Transfer());
            return;
        }
        for (Bytes segment = 0; segment < segments; ++segment) {
            sink((segment * ranks + rank) * block, block);
        }
    }

    View MakeView(int rank, int ranks, int access) const override {
        if (!view) {
            View at;
            at.displacement = Offset(rank, ranks, access);
            return at;
        }
        return View{rank * block, Datatype::Predefined(MPI_BYTE), StridedBytes(1, block, block, block * ranks)};
    }

    nlohmann::ordered_json Parameters(int) const override {
        if (block % Transfer() != 0) {
            throw std::invalid_argument("the block is no multiple of the transfer");
        }
        return {{"block", block}, {"transfer", Transfer()}, {"segments", segments}, {"view", view}};
    }

  private:
    Bytes Transfer() const { return transfer == 0 ? block : transfer; }
    Bytes Offset(int rank, int ranks, int access) const {
        const Bytes transfers = block / Transfer();
        return (access / transfers * ranks + rank) * block + access % transfers * Transfer();
    }
};

} // namespace

Kernel AddIor(CLI::App &app) {
    auto ior = std::make_shared<Ior>();
    CLI::App *command = app.add_subcommand("ior", "IOR: segments, each with one block of every rank");
    AddSize(*command, "--block", ior->block, "bytes of a rank in a segment")->check(CLI::PositiveNumber);
    AddSize(*command, "--transfer", ior->transfer, "bytes of one collective call (0: the block)");
    command->add_option("--segments", ior->segments, "segments")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_flag("--view", ior->view, "all segments in one call through a file view");
    return {command, ior};
}

} // namespace bench
