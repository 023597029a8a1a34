// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "point.h"

#include "../../common/median.h"
#include "../../model/guess.h"
#include "../../model/model.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace trend {
namespace {

using Json = nlohmann::json;

int NumberOf(const Json &text) { return std::stoi(text.get<std::string>()); }

// Ranks have their pieces of a row side by side, and a host's share of what an aggregator gets is that of its ranks.
overlap::Load LoadOf(const Json &result) {
    const Json &tile = result.at("parameters");
    const auto piece = tile.at("element").get<overlap::ByteCount>() * tile.at("tile").at(1).get<int>();
    overlap::Load load;
    load.bytes = result.at("bytes").get<overlap::ByteCount>();
    load.ranks = result.at("ranks").get<int>();
    load.nodes = result.at("nodes").get<int>();
    load.pieces = load.bytes / piece;
    load.period = piece * load.ranks;
    load.remote = 1 - 1.0 / load.nodes;
    return load;
}

} // namespace

Point ReadPoint(const std::string &path) {
    std::ifstream in(path);
    const Json result = Json::parse(in);
    const Json &mca = result.at("mca");
    std::vector<double> seconds;
    for (const Json &repetition : result.at("repetitions")) {
        seconds.push_back(repetition.at("seconds").get<double>());
    }
    if (result.at("kernel") != "tile" || seconds.empty()) {
        throw std::runtime_error(path + " is no result of the kernel tile");
    }
    Point point;
    point.load = LoadOf(result);
    point.candidate.aggregators = NumberOf(mca.at("io_ompio_num_aggregators"));
    point.candidate.sub_buffer = NumberOf(mca.at("io_ompio_bytes_per_agg"));
    point.bytes_per_rank = static_cast<double>(point.load.bytes) / point.load.ranks;
    point.ranks = point.load.ranks;
    point.aggregators = point.candidate.aggregators;
    point.least = *std::min_element(seconds.begin(), seconds.end());
    point.median = bench::Median(seconds);
    point.most = *std::max_element(seconds.begin(), seconds.end());
    point.file_system = result.at("file_system").get<std::string>();
    return point;
}

double Predicted(const Point &point, const overlap::Rates &rates) {
    return overlap::Predict(point.load, rates, point.candidate).seconds;
}

overlap::Rates RatesFittedTo(const Point &point) {
    overlap::Rates rates = overlap::GuessedRates(point.load.nodes, point.file_system, 0, 0);
    double &byte = rates.between.byte.value;
    double low = 0;
    double high = point.median; // a byte a call
    for (int step = 0; step < 100; ++step) {
        byte = (low + high) / 2;
        (Predicted(point, rates) < point.median ? low : high) = byte;
    }
    if (low == 0 || high == point.median) {
        throw std::runtime_error("no rate of the network explains the time of the result to fit to");
    }
    return rates;
}

} // namespace trend
