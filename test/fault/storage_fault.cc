// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "storage_fault.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/xattr.h>

namespace {

// 0 where it cannot be read.
int Attribute(const std::string &directory, const std::string &name) {
    char text[32] = "";
    const ssize_t length = getxattr(directory.c_str(), ("user.overlap-storage." + name).c_str(), text, sizeof(text) - 1);
    return length > 0 ? std::atoi(text) : 0;
}

} // namespace

bool SetFault(const std::string &directory, const std::string &fault) {
    return setxattr(directory.c_str(), "user.overlap-storage.faults", fault.data(), fault.size(), 0) == 0;
}

bool StallRelease::Join() {
    if (thread_.joinable()) {
        thread_.join();
    }
    return held_;
}

void StallRelease::Run(const std::string &directory) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!held_ && std::chrono::steady_clock::now() < give_up) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        held_ = Attribute(directory, "held") > 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const int server = Attribute(directory, "process");
    if (server > 0) {
        kill(server, SIGUSR1);
    }
}
