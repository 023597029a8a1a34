// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "installation.h"

#include "process.h"

#include <algorithm>
#include <fstream>
#include <istream>
#include <sstream>
#include <stdexcept>

namespace compare {
namespace {

Words Fields(const std::string &line) {
    Words fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ':');) {
        fields.push_back(field);
    }
    return fields;
}

// Values that the help of a parameter of fcoll/overlap ends with, "...; values: none, comm", and their numbers. Empty where
// others are valid as well.
std::set<std::string> ValuesInHelp(const std::string &line) {
    static const std::string mark = "; values: ";
    const std::size_t begin = line.find(mark);
    std::set<std::string> values;
    if (begin == std::string::npos) {
        return values;
    }
    std::istringstream in(line.substr(begin + mark.size()));
    int number = 0;
    for (std::string value; std::getline(in, value, ',');) {
        value.erase(0, value.find_first_not_of(' '));
        value.erase(std::min(value.find('"'), value.size()));
        if (value.find_first_of(": ") != std::string::npos) {
            return {};
        }
        // The number stands for the name.
        values.insert({std::to_string(number++), value});
    }
    return values;
}

} // namespace

Installation::Installation(std::istream &info) {
    for (std::string line; std::getline(info, line);) {
        const Words fields = Fields(line);
        if (fields.size() >= 4 && fields[0] == "ompi" && fields[1] == "version" && fields[2] == "full") {
            version_ = fields[3];
        }
        if (fields.size() >= 4 && fields[0] == "mca" && fields[3] == "version") {
            components_.insert(fields[1] + ":" + fields[2]);
        }
        if (fields.size() >= 6 && fields[0] == "mca" && fields[3] == "param") {
            std::set<std::string> &values = parameters_[fields[4]];
            if (fields.size() >= 9 && fields[5] == "enumerator" && fields[6] == "value") {
                // The number stands for the name.
                values.insert({fields[7], fields[8]});
            } else if (fields[5] == "help") {
                values.merge(ValuesInHelp(line));
            }
        }
    }
}

bool Installation::HasComponent(const std::string &framework, const std::string &component) const {
    return components_.count(framework + ":" + component) != 0;
}

std::optional<std::string> Installation::Romio() const {
    const auto found = components_.lower_bound("io:romio");
    if (found == components_.end() || found->rfind("io:romio", 0) != 0) {
        return std::nullopt;
    }
    return found->substr(found->find(':') + 1);
}

const std::set<std::string> &Installation::Enumerators(const std::string &parameter) const {
    static const std::set<std::string> none;
    const auto found = parameters_.find(parameter);
    return found == parameters_.end() ? none : found->second;
}

Installation AskInstallation(const std::string &ompi_info, const std::string &component_path, const std::string &scratch) {
    Words command = {"timeout", "-k", "10", "60", ompi_info, "--all", "--level", "9", "--parsable"};
    if (!component_path.empty()) {
        command.insert(command.begin(), {"env", "OMPI_MCA_mca_base_component_path=" + component_path});
    }
    const int code = Run(command, scratch);
    std::ifstream info(scratch);
    Installation installation(info);
    if (code != 0 || installation.version().empty()) {
        throw std::runtime_error(ompi_info + " does not tell what this Open MPI has (exit code " + std::to_string(code) +
                                 ")");
    }
    return installation;
}

} // namespace compare
