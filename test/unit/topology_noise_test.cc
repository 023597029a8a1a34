// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// Damaged topology files give a network or a message, never a crash (under the sanitizers: no access outside of the text
// either).
#include "networks.h"

#include "bench/network/wired_network.h"

#include <gtest/gtest.h>

#include <random>

namespace overlap {
namespace {

constexpr const char *kSlurm =
    "SwitchName=s[1] Nodes=n[1-2],m[01-03]x[1-2] LinkSpeed=1\nSwitchName=t \\\nSwitches=s1 # top\n";
constexpr const char *kMatrix = "n1 0 2 4\nn2 2 0 3 # row\nn3 4 3 0\n";
constexpr const char *kIb =
    "vendid=0x2c9\nSwitch\t36 \"S-a\"\t# \"leaf\" enhanced port 0 lid 1 lmc 0\n"
    "[1]\t\"H-1\"[1](1) \t# \"n1 HCA-1\" lid 11 4xQDR\n[2]\t\"H-2\"[1](2) # \"n2 mlx\" lid 2 4xEDR\n\n"
    "Ca\t2 \"H-1\"\t# \"n1 HCA-1\"\n[1](1) \t\"S-a\"[1]\t# lid 11 lmc 0 \"leaf\" lid 1 4xQDR\n\n"
    "Ca\t2 \"H-2\"\t# \"n2 mlx\"\n[1](2) \"S-a\"[2] # lid 2\n";

// Bytes replaced, removed, doubled; the end cut off.
std::string Damaged(std::string text, std::mt19937 &random) {
    constexpr std::string_view kNoise("[]\",=-#\\\n \t0n9\0\xff(", 17);
    for (unsigned changes = 1 + random() % 4; changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
        case 0:
            text[at] = kNoise[random() % kNoise.size()];
            break;
        case 1:
            text.erase(at, 1 + random() % 5);
            break;
        case 2:
            text.insert(at, text.substr(at, random() % 20));
            break;
        default:
            text.resize(random() % 8 == 0 ? at : text.size());
        }
    }
    return text;
}

TEST(DamagedTopologyFile, GivesANetworkOrAMessage) {
    NetworkRequest request;
    request.hosts = {"n1", "n2"};
    std::mt19937 random(5);
    const std::pair<const char *, const char *> sources[] = {{"slurm", kSlurm}, {"matrix", kMatrix}, {"ibnetdiscover", kIb}};
    for (const auto &[kind, text] : sources) {
        int failures = 0;
        for (int i = 0; i < 3000; ++i) {
            const std::string damaged = i == 0 ? text : Damaged(text, random);
            std::string message;
            try {
                const auto network = bench::MakeWiredNetwork({kind, "file", damaged}, request);
                std::vector<int> path;
                network->AppendPath(0, 1, path);
                EXPECT_GE(network->Hops(0, 1), 2);
            } catch (const Failure &error) {
                message = error.what();
                ++failures;
                EXPECT_EQ(message.rfind("file", 0), 0u) << message;
                EXPECT_GT(i, 0) << message;
            }
            if (kind != std::string("ibnetdiscover")) {
                EXPECT_EQ(MessageOf([&] {
                              const bool slurm = kind == std::string("slurm");
                              return slurm ? MakeSlurmNetwork({"file", damaged}, request)
                                           : MakeMatrixNetwork({"file", damaged}, request);
                          }) == "no failure",
                          message.empty())
                    << message;
            }
        }
        EXPECT_GT(failures, 0) << kind;
    }
}

} // namespace
} // namespace overlap
