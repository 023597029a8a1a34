// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// A placement that comes from a shared object of the user (overlap_placement.h).
#ifndef OVERLAP_ENGINE_PLACEMENT_PLUGIN_H
#define OVERLAP_ENGINE_PLACEMENT_PLUGIN_H

#include "usual_number.h"

#include <stdexcept>
#include <string>

namespace overlap {

/// The plugin is missing, cannot be used, failed, or gave an answer that makes no sense; what() says which.
class PluginFailure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

class PluginPlacement final : public Placement {
  public:
    /// Loads and initialises it. Throws PluginFailure.
    PluginPlacement(const overlap_host &host, const std::string &path);
    ~PluginPlacement() override;
    PluginPlacement(const PluginPlacement &) = delete;
    PluginPlacement &operator=(const PluginPlacement &) = delete;

    /// The plugin's own name and its path.
    const char *name() const override { return name_.c_str(); }
    int DomainLimit(const PlacementProblem &problem) const override { return NetworkDomainLimit(problem); }
    /// Throws PluginFailure.
    std::vector<Rank> Place(const PlacementProblem &problem, int domains) const override;

  private:
    void Initialise();
    [[noreturn]] void Fail(const std::string &why) const;

    const overlap_host host_;
    const std::string path_;
    std::string name_;
    const overlap_plugin *plugin_ = nullptr;
    void *handle_ = nullptr;
    void *state_ = nullptr;
};

} // namespace overlap

#endif
