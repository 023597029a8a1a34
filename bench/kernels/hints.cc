// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "hints.h"

#include <stdexcept>

namespace bench {

Hints::Hints(const Options &options) {
    for (const std::string &hint : options.hints) {
        if (hint.find('=') == std::string::npos) {
            throw std::invalid_argument("--hint takes KEY=VALUE, not \"" + hint + "\"");
        }
    }
    MPI_Info_create(&info_);
    for (const std::string &hint : options.hints) {
        const std::size_t equals = hint.find('=');
        MPI_Info_set(info_, hint.substr(0, equals).c_str(), hint.substr(equals + 1).c_str());
    }
}

} // namespace bench
