// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "contenders.h"

#include <set>
#include <stdexcept>

namespace compare {
namespace {

const char *const kAlgorithms[] = {"none", "comm", "write", "write-comm", "write-comm-2", "dataflow"};

std::invalid_argument NoContender(const std::string &specification) {
    return std::invalid_argument("\"" + specification + "\" is no contender: [LABEL=]COMPONENT[:NAME=VALUE...]");
}

Contender Parse(const std::string &specification) {
    Contender contender;
    std::string rest = specification;
    contender.label = specification;
    const std::size_t equals = rest.find('=');
    if (equals < rest.find(':')) {
        contender.label = rest.substr(0, equals);
        rest = rest.substr(equals + 1);
    }
    std::size_t colon = rest.find(':');
    contender.component = rest.substr(0, colon);
    while (colon != std::string::npos) {
        rest = rest.substr(colon + 1);
        colon = rest.find(':');
        const std::string setting = rest.substr(0, colon);
        const std::size_t sign = setting.find('=');
        if (sign == std::string::npos || sign == 0) {
            throw NoContender(specification);
        }
        contender.parameters.emplace_back(setting.substr(0, sign), setting.substr(sign + 1));
    }
    if (contender.label.empty() || contender.component.empty()) {
        throw NoContender(specification);
    }
    return contender;
}

std::string FullName(const Contender &contender, const std::string &name, const Installation &installation) {
    if (contender.component == "overlap" && installation.HasParameter("fcoll_overlap_" + name)) {
        return "fcoll_overlap_" + name;
    }
    if (!installation.HasParameter(name)) {
        throw std::invalid_argument(contender.label + ": Open MPI " + installation.version() + " has no parameter " + name +
                                    (contender.component == "overlap" ? " or fcoll_overlap_" + name : ""));
    }
    return name;
}

void CheckValue(const std::string &name, const std::string &value, const Installation &installation) {
    const std::set<std::string> &known = installation.Enumerators(name);
    if (!known.empty() && known.count(value) == 0) {
        throw std::invalid_argument(name + " knows no value " + value);
    }
}

} // namespace

bool Contender::baseline() const {
    return component == "overlap" && parameters.size() == 1 && parameters[0].first == "algorithm" &&
           parameters[0].second == "none";
}

bool Contender::overlaps() const {
    if (component != "overlap") {
        return false;
    }
    for (const auto &[name, value] : parameters) {
        if ((name == "algorithm" || name == "fcoll_overlap_algorithm") && (value == "none" || value == "0")) {
            return false;
        }
    }
    return true;
}

Words SplitList(const Words &values) {
    Words words;
    for (const std::string &value : values) {
        std::size_t begin = 0;
        while ((begin = value.find_first_not_of(", \t\n", begin)) != std::string::npos) {
            const std::size_t end = value.find_first_of(", \t\n", begin);
            words.push_back(value.substr(begin, end - begin));
            begin = end;
        }
    }
    return words;
}

std::vector<Contender> ParseContenders(const Words &specifications) {
    std::vector<Contender> contenders;
    std::set<std::string> labels;
    for (const std::string &specification : specifications) {
        contenders.push_back(Parse(specification));
        if (!labels.insert(contenders.back().label).second) {
            throw std::invalid_argument("two contenders are called \"" + contenders.back().label + "\"");
        }
    }
    return contenders;
}

Words OtherContenders(int openmpi, const std::string &gio) {
    Words others = {"vulcan", "dynamic_gen2"};
    if (openmpi == 4) {
        others.push_back("two_phase");
    }
    others.push_back("romio");
    if (!gio.empty()) {
        others.push_back("gio");
    }
    return others;
}

Words UsualContenders(int openmpi, const std::string &gio) {
    Words usual = OtherContenders(openmpi, gio);
    usual.push_back("overlap");
    for (const char *algorithm : kAlgorithms) {
        usual.push_back(std::string("overlap:algorithm=") + algorithm);
    }
    return usual;
}

Contender Baseline() { return Parse("overlap:algorithm=none"); }

std::optional<std::string> Missing(const Contender &contender, const Installation &installation, const std::string &gio) {
    if (contender.component == "gio") {
        if (gio.empty()) {
            return "there is no GIO; --with-gio PREFIX says where one is";
        }
    } else if (contender.component == "romio") {
        if (!installation.Romio()) {
            return "Open MPI " + installation.version() + " has no ROMIO";
        }
    } else if (!installation.HasComponent("fcoll", contender.component)) {
        return "Open MPI " + installation.version() + " has no fcoll component " + contender.component;
    }
    return std::nullopt;
}

std::optional<std::string> MissingNonblocking(const Contender &contender) {
    if (contender.component == "gio") {
        return "GIO has no nonblocking calls";
    }
    if (contender.component == "romio") {
        return "the ROMIO of Open MPI crashes in MPI_File_iwrite_all (open-mpi/ompi issue 9432)";
    }
    return std::nullopt;
}

Words McaArguments(const Contender &contender, const Installation &installation) {
    Words arguments;
    if (contender.component == "gio") {
        return arguments;
    }
    if (contender.component == "romio") {
        arguments = {"--mca", "io", installation.Romio().value()};
    } else {
        arguments = {"--mca", "io", "ompio", "--mca", "fcoll", contender.component};
    }
    for (const auto &[name, value] : contender.parameters) {
        const std::string full = FullName(contender, name, installation);
        CheckValue(full, value, installation);
        arguments.insert(arguments.end(), {"--mca", full, value});
    }
    return arguments;
}

Words BenchArguments(const Contender &contender) {
    Words arguments;
    if (contender.component == "gio") {
        arguments = {"--method", "gio"};
        for (const auto &[name, value] : contender.parameters) {
            arguments.insert(arguments.end(), {"--hint", name + "=" + value});
        }
    }
    return arguments;
}

} // namespace compare
