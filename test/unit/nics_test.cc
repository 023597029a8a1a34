// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// What counts as a NIC of a node, told by folders that stand for those of the kernel.
#include "glue/transport/nodes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace overlap::test {
namespace {

namespace fs = std::filesystem;

class Nics : public ::testing::Test {
  protected:
    Nics() {
        std::string name = (fs::temp_directory_path() / "nicsXXXXXX").string();
        classes_ = mkdtemp(name.data());
        fs::create_directories(classes_ / "bus/pci");
        fs::create_directories(classes_ / "bus/virtio");
    }
    ~Nics() override { fs::remove_all(classes_); }

    // Without a bus a device has no parent.
    void Device(const fs::path &device, const std::string &bus) const {
        fs::create_directories(device);
        if (!bus.empty()) {
            fs::create_directories(device / "device");
            fs::create_symlink(classes_ / "bus" / bus, device / "device/subsystem");
        }
    }

    static void Write(const fs::path &file, const std::string &line) { std::ofstream(file) << line << "\n"; }

    fs::path Ethernet(const std::string &name, const std::string &speed, const std::string &state = "up",
                      const std::string &bus = "pci", const std::string &type = "1") const {
        const fs::path device = classes_ / "net" / name;
        Device(device, bus);
        Write(device / "type", type);
        Write(device / "operstate", state);
        Write(device / "speed", speed);
        return device;
    }

    fs::path InfiniBand(const std::string &name, int port, const std::string &rate, const std::string &state = "4: ACTIVE",
                        const std::string &layer = "InfiniBand") const {
        const fs::path device = classes_ / "infiniband" / name;
        if (port == 1) {
            Device(device, "pci");
        }
        const fs::path folder = device / "ports" / std::to_string(port);
        fs::create_directories(folder);
        Write(folder / "rate", rate);
        Write(folder / "state", state);
        Write(folder / "link_layer", layer);
        return device;
    }

    int Count() const { return mca_fcoll_overlap_count_nics(classes_.c_str()); }

  private:
    fs::path classes_;
};

TEST_F(Nics, AreNotKnownWhereNothingIsTold) {
    EXPECT_EQ(Count(), 0);
    EXPECT_EQ(mca_fcoll_overlap_count_nics("/nowhere"), 0);
}

TEST_F(Nics, AreThePortsOfEthernetWithTheHighestSpeed) {
    Ethernet("eno1", "1000");
    EXPECT_EQ(Count(), 1);
    for (const char *name : {"hsn0", "hsn1", "hsn2", "hsn3"}) {
        Ethernet(name, "200000");
    }
    Ethernet("eno2", "10000");
    EXPECT_EQ(Count(), 4);
}

TEST_F(Nics, AreUpOnPciAndOfAKnownSpeed) {
    Ethernet("lo", "", "unknown", "", "772");
    Ethernet("eth0", "-1");
    Ethernet("eth1", "10000", "up", "virtio");
    Ethernet("bond0", "400000", "up", "");
    Ethernet("ens1", "400000", "down");
    Ethernet("ib0", "400000", "up", "pci", "32");
    EXPECT_EQ(Count(), 0);
    Ethernet("ens2", "25000");
    EXPECT_EQ(Count(), 1);
}

TEST_F(Nics, AreNoVirtualFunctions) {
    for (const char *name : {"ens1", "ens1v0", "ens1v1"}) {
        const fs::path device = Ethernet(name, "100000");
        if (std::string(name) != "ens1") {
            fs::create_directories(device / "device/physfn");
        }
    }
    EXPECT_EQ(Count(), 1);
}

TEST_F(Nics, AreThePortsOfInfiniBandWhereThereAreAny) {
    Ethernet("ens1", "800000");
    InfiniBand("mlx5_0", 1, "200 Gb/sec (4X HDR)", "1: DOWN");
    EXPECT_EQ(Count(), 1) << "the one of Ethernet";
    InfiniBand("mlx5_1", 1, "200 Gb/sec (4X HDR)");
    EXPECT_EQ(Count(), 1);
    InfiniBand("mlx5_2", 1, "200 Gb/sec (4X HDR)");
    InfiniBand("mlx5_2", 2, "200 Gb/sec (4X HDR)");
    EXPECT_EQ(Count(), 3);
    InfiniBand("mlx5_3", 1, "2.5 Gb/sec (1X SDR)");
    EXPECT_EQ(Count(), 3) << "a slower one";
    InfiniBand("mlx5_4", 1, "400 Gb/sec (4X NDR)", "4: ACTIVE", "Ethernet");
    EXPECT_EQ(Count(), 3) << "one of RoCE";
}

} // namespace
} // namespace overlap::test
