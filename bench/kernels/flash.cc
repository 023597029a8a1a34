// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// FLASH-IO, the checkpoint: blocks of cells, one variable after the other (Feki & Gabriel, section IV).
#include "kernels.h"

namespace bench {
namespace {

class Flash final : public Pattern {
  public:
    int variables = 24;
    int blocks = 20;
    int cells = 16; // per dimension of a block

    int accesses() const override { return variables; }
    Bytes extent(int ranks) const override { return Own() * ranks * variables; }
    Bytes bytes(int, int, int) const override { return Own(); }

    void ForEach(int rank, int ranks, int access, const Sink &sink) const override {
        sink((Bytes{access} * ranks + rank) * Own(), Own());
    }

    View MakeView(int rank, int ranks, int access) const override {
        View view;
        view.displacement = (Bytes{access} * ranks + rank) * Own();
        view.etype = Datatype::Predefined(MPI_DOUBLE);
        view.filetype = Datatype::Predefined(MPI_DOUBLE);
        return view;
    }

    nlohmann::ordered_json Parameters(int) const override {
        return {{"variables", variables}, {"blocks", blocks}, {"cells", cells}};
    }

  private:
    Bytes Own() const { return Bytes{blocks} * cells * cells * cells * static_cast<Bytes>(sizeof(double)); }
};

} // namespace

Kernel AddFlash(CLI::App &app) {
    auto flash = std::make_shared<Flash>();
    CLI::App *command = app.add_subcommand("flash", "FLASH-IO's checkpoint: variables one after the other, each one call");
    command->add_option("--variables", flash->variables, "variables")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_option("--blocks", flash->blocks, "blocks of a rank")->check(CLI::PositiveNumber)->capture_default_str();
    command->add_option("--cells", flash->cells, "cells of a block in each of its three dimensions")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    return {command, flash, true};
}

} // namespace bench
