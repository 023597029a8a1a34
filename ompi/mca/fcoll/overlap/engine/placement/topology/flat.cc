// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// All nodes at one switch that is never the bottleneck.
#include "network.h"

namespace overlap {
namespace {

class FlatNetwork final : public Network {
  public:
    explicit FlatNetwork(const NetworkRequest &request)
        : Network("flat", request, Places{std::vector<int>(request.hosts.size(), 0), {}, {}}) {}

    int HopsBetween(int /*from*/, int /*to*/) const override { return 2; }
};

} // namespace

std::unique_ptr<Network> MakeFlatNetwork(const NetworkRequest &request) { return std::make_unique<FlatNetwork>(request); }

} // namespace overlap
