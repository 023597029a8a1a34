#include "event_store.h"

#include <algorithm>

namespace overlap {

EventStore::EventStore(ByteCount bytes)
    : most_(std::max<std::size_t>(1, static_cast<std::size_t>(std::max<ByteCount>(0, bytes)) / sizeof(Event))) {
    events_.reserve(most_);
}

} // namespace overlap
