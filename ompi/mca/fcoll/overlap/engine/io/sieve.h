// Data sieving: reads a range of the file, copies the data into it and writes it at once, under a lock.
#ifndef OVERLAP_ENGINE_IO_SIEVE_H
#define OVERLAP_ENGINE_IO_SIEVE_H

#include "holes.h"

#include <cstdlib>
#include <memory>

namespace overlap {

/// Each chunk is locked, read, merged, written and unlocked before the next; nothing else is waited for meanwhile, so no
/// lock depends on another rank. What has no gaps, and what the file gives no lock for, is written extent by extent. So is,
/// for `auto`, what somebody else may be writing to, who need not take locks. Used by one thread at a time.
class Sieve {
  public:
    /// Lets messages go on while another process has the lock; only for the thread of the MPI calls.
    using Progress = const overlap_transport *;

    Sieve(const overlap_storage &storage, const HolesRule &rule, Progress progress)
        : storage_(storage), rule_(rule), progress_(progress) {}

    /// Takes the memory that writes need, once. Throws std::bad_alloc.
    void Prepare();

    const HolesRule &rule() const { return rule_; }
    bool enabled() const { return rule_.holes != OVERLAP_HOLES_LIST && allowed_; }

    /// Whether anything is sieved from now on.
    void Allow(bool allowed) { allowed_ = allowed; }

    /// Whether the last write met somebody else who may be writing to the file.
    bool shared() const { return shared_; }

    /// Whether any of these extents is written by sieving.
    bool Takes(const Extents &extents) const;

    /// As IoEngine::Transfer of a write. Needs: Prepare.
    Status Write(const Extents &extents, ByteCount &written) noexcept;

  private:
    struct Free {
        void operator()(char *memory) const { std::free(memory); }
    };

    bool Lock(FileOffset begin, ByteCount length);
    void Unlock(FileOffset begin, ByteCount length);
    Status WriteChunks(const Extents &extents, bool locked, ByteCount &written);
    Status WriteList(const Extents &extents, std::size_t first, std::size_t last, bool locked, ByteCount &written);
    Status WriteChunk(const Extents &extents, const Chunk &chunk, bool locked, ByteCount &written);
    bool KeepOthersOut();
    void LetOthersIn();
    Status Merge(const Extents &extents, const Chunk &chunk, ByteCount &written);

    const overlap_storage &storage_;
    const HolesRule rule_;
    const Progress progress_;
    std::unique_ptr<char, Free> buffer_; // of kLargestChunk
    bool refused_ = false;               // the file gives no lock any more
    bool allowed_ = true;
    bool shared_ = false;
};

} // namespace overlap

#endif
