// What an aggregator does for the clients of its domains: finds who has data in a cycle and where it goes, copies its own.
#ifndef OVERLAP_ENGINE_SHUFFLE_INCOMING_H
#define OVERLAP_ENGINE_SHUFFLE_INCOMING_H

#include "pieces.h"
#include "shuffle.h"

namespace overlap {

/// The clients of a domain that have data in its cycles, found cycle after cycle: the time of a cycle grows with the clients
/// whose data begins before it and ends behind it, not with all of them.
class ClientsOfCycles {
  public:
    /// Throws std::bad_alloc.
    explicit ClientsOfCycles(const OwnedDomain &domain);

    /// Calls visit(client, first, last, before) with the positions in client.file, in the order of ranks; `before` is the
    /// cycle in which the client had data the last time, -1 where there was none. Cycles are asked for in ascending order,
    /// each once. Needs: the domain has the cycle.
    template <typename Visit> void ForEach(Cycle cycle, Visit visit) noexcept {
        Advance(cycle);
        for (const Client *client : active_) {
            const ByteCount first = client->file.BytesBefore(domain_.cuts.Begin(cycle));
            const ByteCount last = client->file.BytesBefore(domain_.cuts.End(cycle));
            if (first < last) {
                Cycle &before = before_[static_cast<std::size_t>(client - domain_.clients.data())];
                visit(*client, first, last, before);
                before = cycle;
            }
        }
    }

  private:
    struct Span {
        const Client *client;
        Cycle first; // parts in which the client has data lie in [first, last]
        Cycle last;
    };

    void Advance(Cycle cycle) noexcept;

    const OwnedDomain &domain_;
    std::vector<Span> spans_;            // by their first part
    std::size_t next_ = 0;               // of spans_, to become active
    std::vector<const Client *> active_; // ascending ranks
    std::vector<Cycle> last_;            // of those, the last part
    std::vector<Cycle> before_;          // of each client of the domain
    Cycle part_ = -1;                    // looked at last
};

/// Leaves in `pieces` where the bytes [first, last) of `client` go in `cycle` of the owned domain of this index.
void PiecesOfClient(const ShuffleJob &job, std::size_t owned, const Client &client, ByteCount first, ByteCount last,
                    Cycle cycle, Slot slot, Pieces &pieces);

/// Messages of clients whose bytes lie in many small pieces: they are received as they come and copied when they are there.
class ScatteredClients {
  public:
    /// Throws std::bad_alloc.
    explicit ScatteredClients(const ShuffleJob &job);

    /// Where a message with the bytes [first, last) of `client` is to be received. Needs: the client scatters.
    overlap_piece PlaceFor(std::size_t owned, const Client &client, ByteCount first, ByteCount last, Cycle cycle,
                           Slot slot) noexcept;

    /// Copies what has arrived in the slot to where it belongs.
    void Scatter(Slot slot) noexcept;

  private:
    struct Message {
        std::size_t owned;
        const Client *client;
        ByteCount first;
        ByteCount last;
        Cycle cycle;
        const char *packed;
    };

    void ScatterAll(const std::vector<Message> &arriving, Slot slot) noexcept;

    const ShuffleJob &job_;
    std::vector<std::vector<Message>> arriving_; // of each slot
};

/// Copies the bytes that a rank sends to itself. Fails where a device's copies do.
class OwnShares {
  public:
    /// Throws std::bad_alloc.
    explicit OwnShares(const ShuffleJob &job);

    /// Of all owned domains.
    Status Copy(Cycle cycle, Slot slot) noexcept;

    /// Of one.
    Status CopyTo(std::size_t owned, Cycle cycle, Slot slot) noexcept;

    /// Of all, from the sub-buffers to this rank's memory.
    Status CopyBack(Cycle cycle, Slot slot) noexcept;

  private:
    struct Own {
        const Share *share; // null where this rank has none in the domain
        const Client *client;
    };

    Status CopyOne(std::size_t owned, Cycle cycle, Slot slot, overlap_direction direction) noexcept;
    Status CopyOnDevice(const Share &share, const OwnedDomain &domain, Cycle cycle, char *buffer,
                        overlap_direction direction) noexcept;

    const ShuffleJob &job_;
    std::vector<Own> own_; // of each owned domain
    Pieces in_memory_;
    Pieces in_buffer_;
};

} // namespace overlap

#endif
