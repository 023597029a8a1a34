// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "io_engine.h"

#include <stdexcept>
#include <utility>

namespace overlap {

const WrittenRanges &IoEngine::WrittenBehind() const noexcept {
    static const WrittenRanges none;
    return none;
}

std::shared_ptr<IoEngine> MakeIoEngine(overlap_writer writer, const IoPorts &ports, std::shared_ptr<IoEngine> thread) {
    switch (writer) {
    case OVERLAP_WRITER_FBTL:
        return MakeFbtlEngine(ports);
    case OVERLAP_WRITER_THREAD:
        return thread;
    case OVERLAP_WRITER_LIBAIO:
        return MakeLibaioEngine(ports, std::move(thread));
    case OVERLAP_WRITER_AUTO:
        break;
    }
    throw std::invalid_argument("an unknown writer");
}

} // namespace overlap
