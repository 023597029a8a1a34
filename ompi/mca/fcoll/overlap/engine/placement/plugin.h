// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A site's own strategy, in a shared object (overlap_placement.h).
#ifndef OVERLAP_ENGINE_PLACEMENT_PLUGIN_H
#define OVERLAP_ENGINE_PLACEMENT_PLUGIN_H

#include "problem.h"

#include <memory>
#include <string>
#include <vector>

namespace overlap {

/// Loaded as long as this lives. What is wrong with it is a Failure that names its path.
class Plugin {
  public:
    /// `host` has to outlive it.
    Plugin(const overlap_host &host, const std::string &path);
    ~Plugin();
    Plugin(const Plugin &) = delete;
    Plugin &operator=(const Plugin &) = delete;

    /// Its own name and its path.
    const std::string &name() const { return name_; }

    /// As Placement::place. Fails as well where the answer does not keep to the limits.
    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const;

  private:
    template <typename Call> void Ask(const std::string &function, Call call) const;
    [[noreturn]] void Refuse(const std::string &why) const;

    const std::string path_;
    std::string name_;
    std::shared_ptr<void> loaded_; // unloads it
    const overlap_plugin *plugin_ = nullptr;
    void *state_ = nullptr;
};

} // namespace overlap

#endif
