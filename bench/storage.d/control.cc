// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The faults of a live server, read and set as an attribute of the mounted folder, and its description. Attributes do not
// wait for writes, so this also works during a stall.
#include "attributes.h"
#include "server.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace storage {

std::string Describe(const Server &server) {
    const ServeOptions &options = server.options;
    double total = 0;
    std::ostringstream each;
    for (const double rate : options.rates) {
        total += rate;
        each << (each.tellp() > 0 ? "," : "") << rate / 1e6;
    }
    std::ostringstream text;
    text << "rate " << total / 1e6 << " MB/s, latency " << options.latency * 1e3 << " ms, " << options.rates.size()
         << " target(s) of " << each.str() << " MB/s, stripes of " << options.stripe_size << " bytes\n"
         << "backing " << options.backing << "\n"
         << "faults " << ToText(server.faults.setting()) << ", " << server.faults.held() << " writes held";
    return text.str();
}

namespace {

std::optional<std::string> ValueOf(const Server &server, const std::string &name) {
    if (name == kFaultsAttribute) {
        return ToText(server.faults.setting());
    }
    if (name == kStatusAttribute) {
        return Describe(server);
    }
    if (name == kHeldAttribute) {
        return std::to_string(server.faults.held());
    }
    if (name == kProcessAttribute) {
        return std::to_string(getpid());
    }
    return std::nullopt;
}

// Never ENOSYS, after which the kernel would not ask again.
void GetAttribute(fuse_req_t request, fuse_ino_t number, const char *name, std::size_t size) {
    const auto value = number == FUSE_ROOT_ID ? ValueOf(ServerOf(request), name) : std::nullopt;
    if (!value) {
        fuse_reply_err(request, ENODATA);
        return;
    }
    const std::string &text = *value;
    if (size == 0) {
        fuse_reply_xattr(request, text.size());
    } else if (size < text.size()) {
        fuse_reply_err(request, ERANGE);
    } else {
        fuse_reply_buf(request, text.data(), text.size());
    }
}

void SetAttribute(fuse_req_t request, fuse_ino_t number, const char *name, const char *value, std::size_t size,
                  int /*flags*/) {
    if (number != FUSE_ROOT_ID || std::strcmp(name, kFaultsAttribute) != 0) {
        fuse_reply_err(request, EOPNOTSUPP);
        return;
    }
    const auto setting = FaultsFromText(std::string(value, size));
    if (setting) {
        ServerOf(request).faults.Set(*setting);
    }
    fuse_reply_err(request, setting ? 0 : EINVAL);
}

} // namespace

void AddControl(fuse_lowlevel_ops &operations) {
    operations.getxattr = GetAttribute;
    operations.setxattr = SetAttribute;
}

} // namespace storage
