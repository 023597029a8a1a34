// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Names of hosts, and lists of them as Slurm writes them: "n[01-16,20],login1,rack[1-2]node[01-04]".
#ifndef OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_HOST_LIST_H
#define OVERLAP_ENGINE_PLACEMENT_TOPOLOGY_HOST_LIST_H

#include "lines.h"

#include <unordered_map>

namespace overlap {

/// The names in the order of the list; of several brackets the last varies fastest. Numbers keep the width of their range's
/// start. Throws Failure.
std::vector<std::string> ExpandHostList(std::string_view list);

/// "node1" of "node1.cluster.example".
std::string ShortHostName(const std::string &host);

class NamedHosts {
  public:
    explicit NamedHosts(const std::vector<std::string> &known);

    /// The index of a host: the same name, else the only one that is the same without its domain; negative where there is
    /// none.
    int Find(const std::string &host) const;

    /// The index of each wanted host. Throws a Failure that says which one the source lacks.
    std::vector<int> FindAll(const std::vector<std::string> &wanted, const SourceText &source) const;

  private:
    static constexpr int kMissing = -1;
    static constexpr int kSeveral = -2; // that differ in their domain

    std::unordered_map<std::string, int> by_name_;
    std::unordered_map<std::string, int> by_short_name_;
};

} // namespace overlap

#endif
