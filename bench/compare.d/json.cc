// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "json.h"

namespace compare {
namespace {

using Json = nlohmann::ordered_json;

Json OrNull(const std::optional<double> &value) { return value ? Json(*value) : Json(); }

Json ClusterJson(const std::optional<ClusterOptions> &cluster) {
    if (!cluster) {
        return nullptr;
    }
    return {{"hosts", cluster->hosts},
            {"ranks_per_host", cluster->ranks_per_host},
            {"mbit", cluster->mbit},
            {"switches", cluster->switches == 0 ? 1 : cluster->switches},
            {"uplink_mbit", cluster->uplink_mbit == 0 ? Json() : Json(cluster->uplink_mbit)}};
}

Json StorageJson(const std::optional<StorageOptions> &storage) {
    if (!storage) {
        return nullptr;
    }
    // As given; what is empty is the storage's default.
    return {{"mbps", storage->mbps},
            {"latency_ms", storage->latency_ms},
            {"stripes", storage->stripes},
            {"stripe_size", storage->stripe_size}};
}

Json FailureJson(const std::optional<Failed> &failed) {
    if (!failed) {
        return nullptr;
    }
    return {{"reason", failed->reason},
            {"exit_code", failed->exit_code},
            {"command", failed->command},
            {"output", failed->output}};
}

const char *Name(Role role) {
    switch (role) {
    case Role::kContender:
        return "contender";
    case Role::kNone:
        return "T_none";
    case Role::kComm:
        return "T_comm";
    case Role::kWrite:
        return "T_write";
    }
    return "";
}

Json EntryJson(const Entry &entry) {
    Json json = {{"label", entry.contender.label}, {"role", Name(entry.role)}, {"mca", entry.job.mca}};
    json["warm_up"] = entry.first ? entry.first->result : Json();
    json["seconds"] = Json::array();
    for (const Measured &run : entry.runs) {
        json["seconds"].push_back(run.seconds);
    }
    json["rounds"] = entry.rounds;
    json["runs"] = Json::array();
    for (const Measured &run : entry.runs) {
        json["runs"].push_back(run.result);
    }
    json["wrong_file"] = FailureJson(entry.wrong_file);
    json["failure"] = FailureJson(entry.failed);
    return json;
}

Json HidingJson(const std::optional<Hiding> &hiding) {
    if (!hiding) {
        return nullptr;
    }
    return {{"blocking", hiding->blocking},       {"compute", hiding->compute},       {"added", hiding->added},
            {"start_share", hiding->start_share}, {"test_share", hiding->test_share}, {"hidden", hiding->hidden}};
}

Json RowJson(const Row &row) {
    Json json = {{"label", row.entry->contender.label}, {"file_is_wrong", row.entry->wrong_file.has_value()}};
    json["median"] = row.summary ? Json(row.summary->median) : Json();
    json["least"] = row.summary ? Json(row.summary->least) : Json();
    json["most"] = row.summary ? Json(row.summary->most) : Json();
    json["megabytes_per_second"] = OrNull(row.rate);
    json["ratio_to_vulcan"] = OrNull(row.to_vulcan);
    json["ratio_to_romio"] = OrNull(row.to_romio);
    json["ratio_of_least"] = OrNull(row.to_bound);
    json["overlap_efficiency"] = OrNull(row.efficiency);
    json["nonblocking"] = HidingJson(row.hiding);
    return json;
}

Json NetworkJson(const Bounds &bounds) {
    if (!bounds.network) {
        return nullptr;
    }
    return {{"seconds", bounds.network->seconds},
            {"nic_bytes", bounds.network->nic_bytes},
            {"uplink_bytes", bounds.network->uplink_bytes},
            {"holds", bounds.network_holds}};
}

Json BoundsJson(const Comparison &comparison, const Bounds &bounds) {
    if (!comparison.options.bounds) {
        return nullptr;
    }
    Json json = {{"t_none", OrNull(bounds.none)}, {"t_comm", OrNull(bounds.comm)}};
    json["t_comm_schedule"] = bounds.comm ? Json(bounds.comm_schedule) : Json();
    json["t_comm_of"] = Json::object();
    for (const auto &[schedule, seconds] : bounds.shuffles) {
        json["t_comm_of"][schedule] = seconds;
    }
    json["t_write"] = OrNull(bounds.write);
    json["network"] = NetworkJson(bounds);
    json["max"] = OrNull(bounds.longest);
    json["sum"] = OrNull(bounds.sum);
    json["least"] = OrNull(bounds.least);
    json["target_in_memory"] = comparison.comm_is_none;
    return json;
}

} // namespace

Json ToJson(const Comparison &comparison, const Results &results) {
    const Options &options = comparison.options;
    const Json &described = Described(comparison);
    Json json = {{"program", "compare"}, {"date", comparison.date}, {"command_line", comparison.command_line}};
    json["machine"] = {{"cpu", comparison.machine.cpu},
                       {"cores", comparison.machine.cores},
                       {"memory_mib", comparison.machine.memory_bytes >> 20},
                       {"kernel", comparison.machine.system + " " + comparison.machine.release}};
    json["openmpi"] = {
        {"version", comparison.openmpi}, {"mpirun", options.mpirun}, {"component_path", options.component_path}};
    json["versions"] = described.is_object() ? described.value("versions", Json()) : Json();
    json["kernel"] = options.kernel;
    json["kernel_options"] = options.kernel_options;
    json["parameters"] = described.is_object() ? described.value("parameters", Json()) : Json();
    json["bytes"] = described.is_object() ? described.value("bytes", Json()) : Json();
    json["calls"] = described.is_object() ? described.value("calls", Json()) : Json();
    json["ranks"] = options.ranks;
    json["cluster"] = ClusterJson(options.cluster);
    json["storage"] = StorageJson(options.storage);
    json["directory"] = options.directory;
    json["file_system"] = described.is_object() ? described.value("file_system", Json()) : Json();
    json["repetitions"] = options.repetitions;
    json["time_limit"] = options.time_limit;
    json["seed"] = options.seed;
    json["order"] = comparison.order;
    json["results"] = Json::array();
    for (const Row &row : results.rows) {
        json["results"].push_back(RowJson(row));
    }
    json["bounds"] = BoundsJson(comparison, results.bounds);
    json["left_out"] = Json::array();
    for (const LeftOut &left_out : comparison.left_out) {
        json["left_out"].push_back({{"label", left_out.label}, {"reason", left_out.reason}});
    }
    json["jobs"] = Json::array();
    for (const Entry &entry : comparison.entries) {
        json["jobs"].push_back(EntryJson(entry));
    }
    return json;
}

} // namespace compare
