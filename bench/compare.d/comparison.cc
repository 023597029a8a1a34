#include "comparison.h"

namespace compare {

const nlohmann::ordered_json &Described(const Comparison &comparison) {
    static const nlohmann::ordered_json none;
    // The shuffle's bound has another file.
    for (const Entry &entry : comparison.entries) {
        if (entry.role == Role::kContender && entry.first) {
            return entry.first->result;
        }
    }
    return none;
}

} // namespace compare
