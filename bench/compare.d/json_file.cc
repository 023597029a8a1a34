// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "json_file.h"

#include "failure.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace compare {

void CheckJsonFile(const std::string &path) {
    if (!path.empty() && !std::ofstream(path, std::ios::app)) {
        throw Failure(2, "--json: " + path + " cannot be written to");
    }
}

void WriteJson(const std::string &path, const nlohmann::ordered_json &json) {
    // Output of failed jobs may hold anything.
    const std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    // A device such as /dev/stdout takes no rename.
    const bool regular = std::filesystem::is_regular_file(path);
    const std::string written = regular ? std::filesystem::canonical(path).string() + ".part" : path;
    std::ofstream out(written);
    out << text;
    out.close();
    std::error_code error;
    if (out && regular) {
        std::filesystem::rename(written, std::filesystem::canonical(path), error);
    }
    if (!out || error) {
        throw Failure(1, path + " could not be written");
    }
}

} // namespace compare
