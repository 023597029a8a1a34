#include "named_hosts.h"

#include "host_list.h"
#include "lines.h"

#include <unordered_map>

namespace overlap {

Outcome<std::vector<int>> FindHosts(const std::vector<std::string> &known, const std::vector<std::string> &wanted,
                                    const SourceText &source) {
    constexpr int kSeveral = -1;
    std::unordered_map<std::string, int> whole;
    std::unordered_map<std::string, int> brief;
    for (std::size_t i = 0; i < known.size(); ++i) {
        whole.emplace(known[i], static_cast<int>(i));
        const auto added = brief.emplace(ShortHostName(known[i]), static_cast<int>(i));
        if (!added.second) {
            added.first->second = kSeveral;
        }
    }
    std::vector<int> places;
    for (const std::string &host : wanted) {
        const auto exact = whole.find(host);
        const auto similar = brief.find(ShortHostName(host));
        if (exact != whole.end()) {
            places.push_back(exact->second);
        } else if (similar != brief.end() && similar->second != kSeveral) {
            places.push_back(similar->second);
        } else {
            return At(source, 0,
                      "host " + host +
                          (similar == brief.end() ? " is missing" : " may be one of several that differ in their domain"));
        }
    }
    return places;
}

} // namespace overlap
