// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "entry.h"

#include "base/guard.h"
#include "file.h"
#include "placement/topology/network.h"
#include "stages/declaration.h"

#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

struct overlap_file : overlap::File {
    using overlap::File::File;
};

namespace {

template <typename Parse> int CanBeRead(Parse parse) {
    return overlap::Guarded([&] { static_cast<void>(parse()); }).ok() ? 1 : 0;
}

int TransferAll(overlap_file *file, overlap_direction direction, const overlap_access *access, size_t *done) {
    overlap::ByteCount bytes = 0;
    const overlap::Status status = overlap::Guarded([&] {
        return file->Transfer(direction, overlap::Request{&access, 1}, bytes);
    });
    *done = static_cast<size_t>(bytes);
    return status.error();
}

} // namespace

int overlap_is_topology(const char *text) {
    return CanBeRead([text] { return overlap::ParseTopologySpec(text); });
}

int overlap_is_topology_bandwidths(const char *text) {
    return CanBeRead([text] { return overlap::ParseBandwidths(text); });
}

int overlap_is_storage_nodes(const char *text) {
    return CanBeRead([text] { return overlap::ExpandHostList(text); });
}

overlap_file *overlap_file_open(const overlap_transport *transport, const overlap_storage *storage, const overlap_host *host,
                                const overlap_settings *settings) {
    overlap_file *opened = nullptr;
    const overlap::Status status =
        overlap::Guarded([&] { opened = new overlap_file(*transport, *storage, *host, *settings); });
    return status.ok() ? opened : nullptr;
}

char *overlap_file_report(overlap_file *file, const char *name, int *error) {
    char *text = nullptr;
    const overlap::Status status = overlap::Guarded([&] {
        std::string report;
        overlap::Status failed = file->Report(name, report);
        if (!report.empty()) {
            text = strdup(report.c_str());
            failed = text == nullptr ? overlap::Status(OVERLAP_ERR_NO_MEM) : failed;
        }
        return failed;
    });
    *error = status.error();
    return text;
}

void overlap_file_close(overlap_file *file, int together) {
    if (file != nullptr && together != 0) {
        file->Close();
    }
    delete file;
}

int overlap_file_write_all(overlap_file *file, const overlap_access *access, size_t *on_file) {
    return TransferAll(file, OVERLAP_WRITE, access, on_file);
}

int overlap_file_read_all(overlap_file *file, const overlap_access *access, size_t *read) {
    return TransferAll(file, OVERLAP_READ, access, read);
}

int overlap_file_transfer_pending(overlap_file *file, overlap_direction direction, const overlap_access *const *accesses,
                                  size_t count, size_t *joined, size_t *done) {
    overlap::ByteCount bytes = 0;
    *joined = 1;
    const overlap::Status status = overlap::Guarded([&] {
        return file->TransferPending(direction, overlap::Request{accesses, count}, *joined, bytes);
    });
    *done = static_cast<size_t>(bytes);
    return status.error();
}

void overlap_file_declare(overlap_file *file, const char *layouts, int error) {
    std::vector<overlap::StridedList> calls;
    overlap::Status local(error);
    local.Merge(overlap::Guarded(
        [&] { return overlap::Status(overlap::ParseLayouts(layouts, calls) ? OVERLAP_SUCCESS : OVERLAP_ERR_ARG); }));
    const overlap::Status status = overlap::Guarded([&] { file->Declare(std::move(calls), local); });
    static_cast<void>(status); // nothing in it throws
}

int overlap_file_declares(const overlap_file *file) {
    const overlap::DeclaredWrites &declared = file->declared();
    return declared.on() || declared.HasSomething() ? 1 : 0;
}

int overlap_file_flush(overlap_file *file) {
    return overlap::Guarded([&] { return file->Flush(); }).error();
}

int overlap_file_write_own(overlap_file *file) {
    return overlap::Guarded([&] { return file->declared().WriteOwn(); }).error();
}

int overlap_file_refuses(const overlap_file *file, int64_t first, int64_t last) {
    return file->declared().Refuses(overlap::Range{first, last}) ? 1 : 0;
}

int64_t overlap_file_held_end(const overlap_file *file) { return file->declared().HeldEnd(); }

void overlap_file_hold(overlap_file *file, int may) { file->declared().MayHold(may != 0); }

void overlap_file_keep(overlap_file *file, int error) { file->declared().Keep(overlap::Status(error)); }
