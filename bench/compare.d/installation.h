// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What an Open MPI has, as its ompi_info tells.
#ifndef BENCH_COMPARE_INSTALLATION_H
#define BENCH_COMPARE_INSTALLATION_H

#include <iosfwd>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace compare {

class Installation {
  public:
    /// From the output of `ompi_info --all --level 9 --parsable`.
    explicit Installation(std::istream &info);

    const std::string &version() const { return version_; }
    bool HasComponent(const std::string &framework, const std::string &component) const;
    /// The name of its ROMIO, which holds the version of ROMIO.
    std::optional<std::string> Romio() const;
    bool HasParameter(const std::string &name) const { return parameters_.count(name) != 0; }
    /// The values that an enumeration takes; empty for other parameters.
    const std::set<std::string> &Enumerators(const std::string &parameter) const;

  private:
    std::string version_;
    std::set<std::string> components_; // framework:component
    std::map<std::string, std::set<std::string>> parameters_;
};

/// Runs ompi_info; `scratch` is a file for its output. Throws std::runtime_error where it does not answer.
Installation AskInstallation(const std::string &ompi_info, const std::string &component_path, const std::string &scratch);

} // namespace compare

#endif
