// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "inodes.h"

#define FUSE_USE_VERSION 312
#include <fuse_lowlevel.h>
#include <unistd.h>

namespace storage {

Inode::~Inode() { close(descriptor_); }

Inodes::Inodes(int root) : last_number_(FUSE_ROOT_ID) {
    struct stat attributes {};
    fstat(root, &attributes);
    const Key key{attributes.st_dev, attributes.st_ino};
    entries_[FUSE_ROOT_ID] = {std::make_shared<Inode>(root), key, 1};
    numbers_[key] = FUSE_ROOT_ID;
}

std::shared_ptr<Inode> Inodes::Find(std::uint64_t number) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(number);
    return found == entries_.end() ? nullptr : found->second.inode;
}

std::shared_ptr<Inode> Inodes::Find(const struct stat &attributes) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = numbers_.find({attributes.st_dev, attributes.st_ino});
    return found == numbers_.end() ? nullptr : entries_.at(found->second).inode;
}

Inodes::Looked Inodes::Look(int descriptor, const struct stat &attributes) {
    auto inode = std::make_shared<Inode>(descriptor);
    const Key key{attributes.st_dev, attributes.st_ino};
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [known, fresh] = numbers_.try_emplace(key, last_number_ + 1);
    if (fresh) {
        entries_[++last_number_] = {std::move(inode), key, 0};
    }
    Entry &entry = entries_.at(known->second);
    ++entry.lookups;
    return {known->second, entry.inode, fresh};
}

void Inodes::Forget(std::uint64_t number, std::uint64_t lookups) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = entries_.find(number);
    if (number == FUSE_ROOT_ID || found == entries_.end()) {
        return;
    }
    found->second.lookups -= lookups < found->second.lookups ? lookups : found->second.lookups;
    if (found->second.lookups == 0) {
        numbers_.erase(found->second.key);
        entries_.erase(found);
    }
}

} // namespace storage
