// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "counters.h"

#include <iterator>

const overlap_counter_row overlap_count_rows[] = {
    {"calls", "Collective calls of the program"},
    {"nonblocking", "Of those the calls that went on while the program did something else"},
    {"independent", "Of those the calls in which each rank transferred its own bytes"},
    {"merged", "Of those the calls in which one rank transferred the bytes of its node"},
    {"failed", "Of those the calls that returned an error"},
    {"plans", "Calls for which a plan was made; the others used the last one again"},
    {"bytes", "Bytes of this rank that were transferred"},
    {"pieces", "Pieces of the file that this rank asked for, at least; of a long list its runs"},
    {"cycles", "Cycles of shuffle and file access"},
    {"bytes_to_self", "Bytes that this rank exchanged with itself, as their aggregator"},
    {"bytes_to_node", "Bytes of this rank that went to, or came from, an aggregator on its own node"},
    {"bytes_to_network", "Bytes of this rank that went to, or came from, an aggregator on another node"},
    {"bytes_from_network", "Bytes that this rank, as an aggregator, exchanged with ranks on other nodes"},
    {"bytes_of_file", "Bytes that this rank moved into the file, or out of it"},
    {"sieved", "Read-modify-writes of this rank: ranges with gaps read, changed and written"},
    {"bytes_sieved", "Bytes of the file in those ranges"},
};

const overlap_counter_row overlap_time_rows[] = {
    {"entry", "Seconds of waiting for the other ranks to begin"},
    {"planning", "Seconds of deciding who transfers what"},
    {"copy", "Seconds of packing, unpacking and copying"},
    {"shuffle", "Seconds that the thread of the call spent on messages and waiting for them"},
    {"file", "Seconds that the thread of the call spent on the file and waiting for it"},
    {"finish", "Seconds of waiting for the other ranks to end"},
    {"elapsed", "Seconds in the calls: the sum of the former"},
    {"steps", "Seconds from the first step of the schedules to the last"},
    {"shuffle_under_way", "Seconds with a shuffle under way, at most, as seen where it was waited for"},
    {"file_under_way", "Seconds with a file transfer under way, at most, as seen where it was waited for"},
    {"shorter", "Of each call with aggregators the shorter of the two, added up"},
    {"alone", "Seconds in which a rank transferred its own bytes, without an aggregator"},
};

static_assert(std::size(overlap_count_rows) == OVERLAP_COUNTS, "a row for each count");
static_assert(std::size(overlap_time_rows) == OVERLAP_TIMES, "a row for each time");
