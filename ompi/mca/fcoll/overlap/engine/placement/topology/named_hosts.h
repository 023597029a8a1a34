// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Finds the nodes of a job by name in what a file describes.
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_NAMED_HOSTS_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_NAMED_HOSTS_H

#include "lines.h"

#include <unordered_map>

namespace overlap {

class NamedHosts {
  public:
    static constexpr int kMissing = -1;
    static constexpr int kSeveral = -2; // that differ in their domain

    explicit NamedHosts(const std::vector<std::string> &known);

    /// The index of a host: the same name, else the only one that is the same without its domain.
    int Find(const std::string &host) const;

    /// The index of each wanted host. A failure says which one is missing in the source.
    Outcome<std::vector<int>> FindAll(const std::vector<std::string> &wanted, const SourceText &source) const;

  private:
    std::unordered_map<std::string, int> by_name_;
    std::unordered_map<std::string, int> by_short_name_;
};

} // namespace overlap

#endif
