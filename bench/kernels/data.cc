#include "data.h"

#include <algorithm>

namespace bench {
namespace {

Datatype TypeOf(Bytes bytes, Bytes piece, Bytes stride) {
    if (bytes == 0 || piece == stride) {
        return ContiguousBytes(bytes);
    }
    const Bytes whole = bytes / piece;
    if (bytes % piece == 0) {
        return StridedBytes(whole, piece, stride, whole * stride);
    }
    const Datatype pieces = StridedBytes(whole, piece, stride, whole * stride);
    const int lengths[2] = {1, static_cast<int>(bytes % piece)};
    const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(whole * stride)};
    const MPI_Datatype types[2] = {pieces.get(), MPI_BYTE};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    return Datatype::Derived(type);
}

} // namespace

void FillStream(StreamId id, Bytes position, char *to, Bytes count) {
    constexpr Bytes kWord = sizeof(std::uint64_t);
    while (count > 0) {
        const std::uint64_t word = WordOf(id, static_cast<std::uint64_t>(position / kWord));
        const Bytes skipped = position % kWord;
        const Bytes taken = std::min(count, kWord - skipped);
        std::memcpy(to, reinterpret_cast<const char *>(&word) + skipped, static_cast<std::size_t>(taken));
        to += taken;
        position += taken;
        count -= taken;
    }
}

Buffer::Buffer(Bytes bytes, const Memory &memory)
    : bytes_(bytes), piece_(memory.gap > 0 ? memory.piece : std::max<Bytes>(1, bytes)),
      stride_(piece_ + memory.gap), // a gap of 0 leaves one piece
      data_(static_cast<std::size_t>((bytes + piece_ - 1) / piece_ * stride_)), type_(TypeOf(bytes, piece_, stride_)) {}

void Buffer::Fill(StreamId id) {
    for (Bytes position = 0; position < bytes_; position += piece_) {
        FillStream(id, position, data_.data() + position / piece_ * stride_, std::min(piece_, bytes_ - position));
    }
}

} // namespace bench
