// What ranks tell each other so that aggregators and clients hold the same plan. Nothing goes to a rank that is not
// concerned.
#ifndef OVERLAP_ENGINE_PLAN_EXCHANGE_H
#define OVERLAP_ENGINE_PLAN_EXCHANGE_H

#include "../team/messages.h"
#include "plan.h"

namespace overlap {

/// Collective. Each rank describes its shares to their aggregators; `owned` becomes the domains of this rank with their
/// clients. After an error the messages are complete and `owned` may lack clients.
Status ExchangeShares(const overlap_transport &transport, const std::vector<Share> &shares,
                      const std::vector<Rank> &aggregator_of_domain, std::vector<OwnedDomain> &owned);

/// Collective. Each aggregator tells its clients where its domain is cut; `cycles` is plan.cycles on all ranks, and
/// `first_parts` of each domain.
Status ExchangeCuts(const overlap_transport &transport, const std::vector<std::int64_t> &first_parts, Plan &plan);

/// Collective, after ExchangeCuts. Each aggregator tells its clients where their bytes go in its data, for those that put
/// them there themselves.
Status ExchangePlaces(const overlap_transport &transport, Plan &plan);

} // namespace overlap

#endif
