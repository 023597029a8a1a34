// Takes the time of a call's shuffles and writes.
#ifndef OVERLAP_ENGINE_CALL_METER_H
#define OVERLAP_ENGINE_CALL_METER_H

#include "../model/took.h"
#include "../ports.h"
#include "../types.h"

namespace overlap {

/// Reads the clock where something ends. What starts then starts at once after something has ended, so that the last reading
/// stands for its start: two readings a cycle.
class Meter {
  public:
    explicit Meter(const overlap_host &host) noexcept : host_(host) {}

    /// Before the first step of the call.
    void Begin() noexcept;

    void ShuffleStarts() noexcept;
    void ShuffleEnds() noexcept;
    void WriteStarts() noexcept;
    void WriteEnds() noexcept;

    /// Up to what ended last. A step is found to have ended where the schedule comes to wait for it.
    Took Total() const noexcept;

  private:
    // Operations of a kind, several of which may be under way.
    class Kind {
      public:
        void Start(double now) noexcept;
        void End(double now) noexcept;
        double busy() const noexcept { return busy_; } // seconds with one under way or several
        Cycle ended() const noexcept { return ended_; }

      private:
        Cycle under_way_ = 0;
        Cycle ended_ = 0;
        double since_ = 0; // one is under way
        double busy_ = 0;
    };

    void ReadClock() noexcept { now_ = host_.seconds(host_.self); }

    const overlap_host &host_;
    double began_ = 0;
    double now_ = 0; // as last read
    Kind shuffles_;
    Kind writes_;
    Cycle free_ = 0;          // shuffles that ended before a write was waited for
    double free_seconds_ = 0; // until the last of them
};

} // namespace overlap

#endif
