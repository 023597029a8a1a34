#include "letter.h"

namespace overlap {

void Letter::Add(const std::int64_t *words, std::size_t count) {
    if (words_.empty()) {
        words_.reserve(kHeaderWords + count);
        words_.resize(kHeaderWords);
    }
    words_.insert(words_.end(), words, words + count);
}

void Letter::Add(std::initializer_list<std::int64_t> words) { Add(words.begin(), words.size()); }

void Letter::Fail(Status status) noexcept {
    words_.clear();
    status_.Merge(status);
}

std::size_t Letter::Parts() const noexcept {
    const std::size_t all = kHeaderWords + size();
    return all <= kFirstWords ? 1 : 1 + (all - kFirstWords + kPartWords - 1) / kPartWords;
}

void Letter::Seal() noexcept {
    std::int64_t *const header = words_.empty() ? empty_.data() : words_.data();
    header[0] = status_.error();
    header[1] = static_cast<std::int64_t>(size());
}

Status Letter::Send(Messages &messages, Rank peer, Tag tag) noexcept {
    return ForEachPart(tag, [&](Tag of_part, const std::int64_t *words, std::size_t count) {
        return messages.Send(peer, of_part, words, count);
    });
}

} // namespace overlap
