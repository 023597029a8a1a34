// Messages under way, completed at the latest when their owner goes.
#ifndef OVERLAP_ENGINE_MESSAGES_H
#define OVERLAP_ENGINE_MESSAGES_H

#include "ports.h"
#include "status.h"
#include "types.h"

#include <vector>

namespace overlap {

/// One tag for each kind of message; messages of a kind between two ranks arrive in the order in which they were sent.
enum Tag {
    kTagShare = 0,
    kTagShareRest,
    kTagCuts,
    kTagPlaces,
    kTagPlacesRuns,
    kTagData,
    kTagArrived,
    kTagFree,
    kTagOnFile,
    kTagTold,
    kTagToldRest,
    kTagColumn,
    kTagColumnRest,
    kTagNodeCosts
};

class Messages {
  public:
    explicit Messages(const overlap_transport &transport) : transport_(&transport) {}
    ~Messages();
    Messages(const Messages &) = delete;
    Messages &operator=(const Messages &) = delete;
    Messages(Messages &&other) noexcept;
    Messages &operator=(Messages &&) = delete;

    /// The pieces may be reused at once, the bytes they name only after Wait.
    Status Send(Rank peer, Tag tag, const std::vector<overlap_piece> &pieces);
    Status Receive(Rank peer, Tag tag, const std::vector<overlap_piece> &pieces);

    /// `values` must stay until Wait.
    Status Send(Rank peer, Tag tag, const std::vector<std::int64_t> &values);
    Status Receive(Rank peer, Tag tag, std::vector<std::int64_t> &values);

    /// Completes all of them.
    Status Wait();

    /// Whether all of them are complete; they are forgotten then.
    Status Test(bool &done);

  private:
    Status Start(bool send, Rank peer, Tag tag, const overlap_piece *pieces, std::size_t count);

    const overlap_transport *transport_;
    std::vector<overlap_request *> requests_;
    Status tested_; // what Test met before all were complete
};

} // namespace overlap

#endif
