// The bytes of this rank that calls have left for a later one.
#ifndef OVERLAP_ENGINE_COLLECT_COLLECTED_H
#define OVERLAP_ENGINE_COLLECT_COLLECTED_H

#include "../access/access.h"
#include "../status.h"

#include <memory>
#include <vector>

namespace overlap {

/// Copies, one behind the other in memory that is taken once, and where they belong in the file. All ranks have the same
/// number of calls; a rank may have no bytes of one.
class Collected {
  public:
    /// Takes what so many calls need that have so many bytes in all. Needs: none is held. Throws std::bad_alloc.
    void Reserve(std::size_t calls, ByteCount room);

    /// A call to come has this access, of which only the layout in the file is taken: the memory for its bytes, and for all
    /// that Add does. `room`: bytes that this rank may hold in all. False where they do not fit. Throws std::bad_alloc.
    bool Prepare(const StridedList &file, ByteCount room);

    /// Copies the bytes of the call that was prepared last.
    void Add(const StridedList &memory) noexcept;

    /// The same from the memory of a device. After an error there is no such call.
    Status AddFromDevice(const overlap_host &device, const StridedList &memory) noexcept;

    /// A call whose bytes lie elsewhere, where they stay until it is forgotten. Needs: Reserve had room for it.
    void Place(Access access) noexcept;

    std::size_t calls() const { return calls_.size(); }
    const std::vector<Access> &accesses() const { return calls_; }

    /// Bytes that this rank has still to write.
    ByteCount bytes() const { return bytes_; }

    /// Whether some of these lie in [first, last), or those of a call on both sides of it.
    bool Reaches(FileOffset first, FileOffset last) const noexcept;

    /// Where they end, 0 where there are none.
    FileOffset End() const noexcept;

    /// This rank has written its bytes by itself: its calls stay, without any.
    void Forget() noexcept;

    /// All of it is on file, or lost. The memory stays.
    void Clear() noexcept;

  private:
    void TakeRoom(ByteCount room);
    void AddPrepared() noexcept;

    std::unique_ptr<char[]> memory_;
    ByteCount capacity_ = 0;
    ByteCount used_ = 0;
    ByteCount bytes_ = 0;
    std::vector<Access> calls_;
    Access prepared_;
};

} // namespace overlap

#endif
