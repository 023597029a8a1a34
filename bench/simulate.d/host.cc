// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "ports_of_rank.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace simulate {
namespace {

PortsOfRank &Self(void *self) { return *static_cast<PortsOfRank *>(self); }

int Explains(void * /*self*/) { return 0; }
void Explain(void * /*self*/, const char * /*line*/) {}

double Seconds(void *self) {
    const Rank &rank = Self(self).rank;
    return std::max(rank.time, Self(self).world.job.clock().now());
}

void Expects(void * /*self*/, double /*seconds*/) {}

void Warn(void *self, overlap_warning warning, const char *why) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    Self(self).world.warnings.push_back("warning " + std::to_string(warning) + (why == nullptr ? "" : ": ") +
                                        (why == nullptr ? "" : why));
}

const char *AppendTrace(void * /*self*/, const char * /*path*/, const char * /*events*/, std::size_t /*length*/) {
    return "nothing is traced";
}

int ReadText(void *self, const char *path, char **text, std::size_t *length) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    std::string contents = Self(self).world.matrix;
    if (contents.empty()) {
        try {
            contents = bench::ReadFile(path);
        } catch (const std::invalid_argument &) {
            return ENOENT;
        }
    }
    *length = contents.size();
    *text = strdup(contents.c_str());
    return *text == nullptr ? ENOMEM : 0;
}

const overlap_plugin *OpenPlugin(void * /*self*/, const char * /*path*/, void ** /*handle*/, char *why,
                                 std::size_t why_size) {
    std::snprintf(why, why_size, "%s", "plugins are not simulated");
    return nullptr;
}
void ClosePlugin(void * /*self*/, void * /*handle*/) {}

} // namespace

void PortsOfRank::FillInHost() {
    host.self = this;
    host.explains = Explains;
    host.explain = Explain;
    host.seconds = Seconds;
    host.counters = nullptr;
    host.expects = Expects;
    host.warn = Warn;
    host.trace_names = overlap_trace_names{0, 0, 0, "simulated"};
    host.append_trace = AppendTrace;
    host.read_text = ReadText;
    host.open_plugin = OpenPlugin;
    host.close_plugin = ClosePlugin;
}

PortsOfRank::PortsOfRank(World &shared, Rank &own)
    : world(shared), rank(own), name(shared.hosts[static_cast<std::size_t>(own.node)]) {
    FillInTransport();
    FillInStorage();
    FillInHost();
}

} // namespace simulate
