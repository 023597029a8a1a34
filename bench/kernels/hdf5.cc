// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
//
// The checkpoint through parallel HDF5: each call is a data set of bytes, written collectively.
#include "data.h"
#include "hints.h"
#include "target.h"

#include <stdexcept>

#ifdef HAVE_HDF5
#    include <hdf5.h>

#    include <optional>
#endif

namespace bench {

#ifdef HAVE_HDF5
namespace {

class Hdf5 final : public Target {
  public:
    Hdf5(const Options &options, const Pattern &pattern) : options_(options), pattern_(pattern) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    }

    std::string Open() override {
        const Hints hints(options_);
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_fapl_mpio(access, MPI_COMM_WORLD, hints.get());
        file_ = H5Fcreate(options_.file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
        H5Pclose(access);
        bases_.clear();
        return Checked(file_, "H5Fcreate");
    }

    void Prepare(int checkpoint, int access) override {
        if (access != access_) {
            buffer_.emplace(pattern_.bytes(rank_, ranks_, access), Memory{});
            access_ = access;
        }
        buffer_->Fill(StreamId{rank_, checkpoint * pattern_.accesses() + access});
    }

    std::string Write(int checkpoint, int access) override {
        Bytes before = 0;
        Bytes all = 0;
        for (int rank = 0; rank < ranks_; ++rank) {
            before += rank < rank_ ? pattern_.bytes(rank, ranks_, access) : 0;
            all += pattern_.bytes(rank, ranks_, access);
        }
        const hsize_t size = static_cast<hsize_t>(all);
        const hsize_t start = static_cast<hsize_t>(before);
        const hsize_t count = static_cast<hsize_t>(pattern_.bytes(rank_, ranks_, access));
        const std::string name = "checkpoint" + std::to_string(checkpoint) + "_variable" + std::to_string(access);

        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        // Space at once, so that the place in the file is known, and no fill that would be a write of its own.
        H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
        const hid_t in_file = H5Screate_simple(1, &size, nullptr);
        const hid_t in_memory = H5Screate_simple(1, &count, nullptr);
        H5Sselect_hyperslab(in_file, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
        const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
        H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
        const hid_t set = H5Dcreate2(file_, name.c_str(), H5T_NATIVE_CHAR, in_file, H5P_DEFAULT, creation, H5P_DEFAULT);
        std::string error = Checked(set, "H5Dcreate");
        if (error.empty()) {
            error = Checked(H5Dwrite(set, H5T_NATIVE_CHAR, in_memory, in_file, transfer, buffer_->address()), "H5Dwrite");
            bases_.push_back(static_cast<Bytes>(H5Dget_offset(set)));
            H5Dclose(set);
        }
        H5Pclose(transfer);
        H5Sclose(in_memory);
        H5Sclose(in_file);
        H5Pclose(creation);
        return error;
    }

    std::string Sync() override { return Checked(H5Fflush(file_, H5F_SCOPE_GLOBAL), "H5Fflush"); }
    std::string Close() override { return Checked(H5Fclose(file_), "H5Fclose"); }
    std::vector<Bytes> bases() const override { return bases_; }

  private:
    template <typename Result> static std::string Checked(Result result, const char *call) {
        return result < 0 ? std::string(call) + " failed" : std::string();
    }

    const Options &options_;
    const Pattern &pattern_;
    int rank_ = 0;
    int ranks_ = 0;
    hid_t file_ = -1;
    int access_ = -1;
    std::optional<Buffer> buffer_;
    std::vector<Bytes> bases_; // of each data set in the file
};

} // namespace

std::unique_ptr<Target> MakeHdf5(const Options &options, const Pattern &pattern) {
    return std::make_unique<Hdf5>(options, pattern);
}

#else

std::unique_ptr<Target> MakeHdf5(const Options &, const Pattern &) {
    throw std::invalid_argument("overlap-bench was built without parallel HDF5 for this Open MPI");
}

#endif

} // namespace bench
