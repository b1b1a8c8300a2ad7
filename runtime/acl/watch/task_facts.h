// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace acl {

/// Facts about an op that the op itself does not hold, from the code that enqueues it: for a
/// recording.
struct TaskFacts {
  enum class What : std::uint8_t {
    nothing,
    event,        // a record or a wait: `id` is the event, `generation` the record of it
    event_reset,  // of the event `id`, for an op of any kind
    launch,       // of the graph `id`
    pool_free,    // of the block at the address `id`
    pool_wait,    // until a block, at the address `id`, is free
  };
  What what = What::nothing;
  std::uint64_t id = 0;
  std::uint64_t generation = 0;
};

}  // namespace acl
