#include "cost.h"

namespace overlap {

Cost Each(const Rate &rate, double times) noexcept { return Cost{rate.value * times, 0, !rate.measured && times > 0}; }

Cost EachByte(const Rate &rate, double times) noexcept { return Cost{0, rate.value * times, !rate.measured && times > 0}; }

Cost InTurn(std::initializer_list<Cost> parts) noexcept {
    Cost sum;
    for (const Cost &part : parts) {
        sum = Cost{sum.constant + part.constant, sum.per_byte + part.per_byte, sum.guessed || part.guessed};
    }
    return sum;
}

Cost Longest(std::initializer_list<Cost> parts, double bytes) noexcept {
    Cost longest;
    bool guessed = false;
    for (const Cost &part : parts) {
        guessed = guessed || part.guessed; // that another part is shorter is a guess as well
        longest = part.At(bytes) > longest.At(bytes) ? part : longest;
    }
    longest.guessed = guessed;
    return longest;
}

Cost SideBySide(std::initializer_list<Cost> parts, double bytes) noexcept {
    Cost cost = Longest(parts, bytes);
    cost.constant = InTurn(parts).constant;
    return cost;
}

} // namespace overlap
