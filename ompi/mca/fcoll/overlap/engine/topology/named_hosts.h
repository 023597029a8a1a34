// Finds the nodes of a job by name in what a file describes.
#ifndef OVERLAP_ENGINE_TOPOLOGY_NAMED_HOSTS_H
#define OVERLAP_ENGINE_TOPOLOGY_NAMED_HOSTS_H

#include "network.h"

namespace overlap {

/// The index in `known` of each wanted host: the same name, else the only one that is the same without its domain. A failure
/// says which host is missing in the source.
Outcome<std::vector<int>> FindHosts(const std::vector<std::string> &known, const std::vector<std::string> &wanted,
                                    const SourceText &source);

} // namespace overlap

#endif
