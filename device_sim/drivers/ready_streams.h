// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/drivers/decider.h"
#include "device_sim/streams/stream.h"

namespace sim {

/// The streams that could move under a controlled schedule; decides which of them moves next.
class ReadyStreams {
 public:
  /// When a decision is taken.
  enum class Phase : std::uint8_t {
    blocked,   // the host waits
    arriving,  // the host is at a call: the first decision there
    staying,   // the same, further decisions
  };

  ReadyStreams(const StrategySpec& spec, std::uint64_t seed, const std::string& record,
               Decider::PlaceOf place_of)
      : decider_(spec, seed, record, std::move(place_of)) {}

  // For any thread.
  void add(Stream& stream);
  void forget(Stream& stream);
  bool empty() const;

  // For the thread that moves the machine, one at a time.
  /// Takes out the stream that moves next. Null: the host continues, or no stream is ready.
  Ref<Stream> take(Phase phase);
  /// The program ends.
  void finish() { decider_.finish(); }

 private:
  struct Entry {
    Ref<Stream> stream;
    bool seen = false;  // the candidate knows what the next step is
    Candidate candidate;
  };

  void look_at_steps();

  mutable sim::Mutex mutex_;
  // By the stream's id, so that the order is the same in every run.
  std::map<std::pair<std::uint32_t, Stream*>, Entry> entries_ GUARDED_BY(mutex_);
  Decider decider_;                    // of the thread that moves the machine
  std::vector<Candidate> candidates_;  // the same; a member to reuse its memory
};

}  // namespace sim
