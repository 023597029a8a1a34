// Files of which is known that ranks of a node had better take part as one.
#ifndef OVERLAP_TEST_UNIT_MERGING_CASES_H
#define OVERLAP_TEST_UNIT_MERGING_CASES_H

#include "model/rates_words.h"
#include "model/shown.h"
#include "write_cases.h"

namespace overlap::test {

/// Two nodes of so many ranks, at rates that an earlier file has left. Ranks are clients of eight domains of each
/// aggregator, so that `auto` merges where messages are dear and all ranks have data.
inline ClusterOptions WhereMergingMayPay(int ranks_per_node, const Rates &rates, overlap_settings &settings) {
    ClusterOptions options;
    options.ranks = 2 * ranks_per_node;
    options.ranks_per_node = ranks_per_node;
    options.aggregators = 4 * ranks_per_node;
    options.collective_buffer = 100;
    const RatesWords words = WordsOf(rates);
    const ShownWords shown = WordsOf(Shown());
    options.rates.assign(words.begin(), words.end());
    options.rates.insert(options.rates.end(), shown.begin(), shown.end());
    options.rates.push_back(2); // nodes
    settings.domains_per_rank = 8;
    settings.aggregators_per_node = 1;
    settings.node_merge = OVERLAP_NODE_MERGE_AUTO;
    return options;
}

} // namespace overlap::test

#endif
