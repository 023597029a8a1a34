#include "entry.h"

#include "declare/declaration.h"
#include "file/collective_file.h"
#include "guard.h"
#include "topology/network.h"

#include <cstring>
#include <new>
#include <string>
#include <utility>

struct overlap_file {
    overlap_file(const overlap_transport &transport, const overlap_storage &storage, const overlap_host &host,
                 const overlap_settings &settings)
        : file(transport, storage, host, settings) {}

    overlap::CollectiveFile file;
};

int overlap_is_topology(const char *text) {
    bool known = false;
    const overlap::Status status = overlap::Guarded([&] { known = overlap::ParseTopologySpec(text).ok(); });
    return status.ok() && known ? 1 : 0;
}

int overlap_is_topology_bandwidths(const char *text) {
    bool known = false;
    const overlap::Status status = overlap::Guarded([&] { known = overlap::ParseBandwidths(text).ok(); });
    return status.ok() && known ? 1 : 0;
}

int overlap_is_storage_nodes(const char *text) {
    bool known = false;
    const overlap::Status status = overlap::Guarded([&] { known = overlap::ParseStorageNodes(text).ok(); });
    return status.ok() && known ? 1 : 0;
}

int overlap_is_declaration(const char *text) {
    overlap::Declaration declaration;
    return overlap::ParseDeclaration(text, declaration) ? 1 : 0;
}

int overlap_declared_parts(const char *text) {
    overlap::Declaration declaration;
    return overlap::ParseDeclaration(text, declaration) ? declaration.parts : 0;
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
        overlap::Status failed = file->file.Report(name, report);
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
        file->file.Close();
    }
    delete file;
}

namespace {

int TransferAll(overlap_file *file, overlap_direction direction, const overlap_access *access, size_t *done) {
    overlap::ByteCount bytes = 0;
    const overlap::Status status = overlap::Guarded([&] {
        return file->file.Transfer(direction, overlap::Request{&access, 1}, bytes);
    });
    *done = static_cast<size_t>(bytes);
    return status.error();
}

} // namespace

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
        return file->file.TransferPending(direction, overlap::Request{accesses, count}, *joined, bytes);
    });
    *done = static_cast<size_t>(bytes);
    return status.error();
}

int overlap_file_flush(overlap_file *file) {
    return overlap::Guarded([&] { return file->file.Flush(); }).error();
}

void overlap_file_flush_own(overlap_file *file) {
    if (file->file.behind().HoldsBytes()) {
        file->file.behind().WriteOwn();
    }
}

double overlap_file_waits(const overlap_file *file) {
    const overlap::WriteBehind &behind = file->file.behind();
    return behind.HoldsBytes() ? behind.Age() : -1;
}

int overlap_file_holds(const overlap_file *file, int64_t first, int64_t last) {
    return file->file.behind().Holds(overlap::Range{first, last}) ? 1 : 0;
}

void overlap_file_keep(overlap_file *file, int error) { file->file.behind().Keep(overlap::Status(error)); }

int64_t overlap_file_end(const overlap_file *file) { return file->file.behind().End(); }

int64_t overlap_file_own_end(const overlap_file *file) { return file->file.behind().OwnEnd(); }

void overlap_file_declare(overlap_file *file, const char *of_all, const char *own, const char *layouts, int error) {
    overlap::Declaration all, declared;
    const int calls = overlap::ParseDeclaration(of_all, all) ? all.calls : 0;
    overlap::Status local(error);
    bool understood = overlap::ParseDeclaration(own, declared);
    if (understood && *layouts != '\0') {
        const overlap::Status read = overlap::Guarded([&] { understood = overlap::ParseLayouts(layouts, declared); });
        understood = understood && read.ok();
        local.Merge(read.error() == OVERLAP_ERR_NO_MEM ? read : overlap::Status());
    }
    if (!understood) {
        declared = overlap::Declaration();
    }
    const overlap::Status status = overlap::Guarded([&] { file->file.Declare(calls, std::move(declared), local); });
    static_cast<void>(status); // nothing in it throws
}
