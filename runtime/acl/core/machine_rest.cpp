// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/machine_rest.h"

#include <algorithm>
#include <utility>

#include "device_sim/streams/stall_point.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/ipc/described_word.h"

namespace acl {

const RestingStream* MachineRest::find(const sim::Stream* stream) const noexcept {
  const auto at = std::find_if(resting.begin(), resting.end(), [&](const RestingStream& one) {
    return one.stream.get() == stream;
  });
  return at == resting.end() ? nullptr : &*at;
}

const RestingStream* MachineRest::find(std::uint32_t stream_id) const noexcept {
  const auto at = std::find_if(resting.begin(), resting.end(), [&](const RestingStream& one) {
    return one.stream->id() == stream_id;
  });
  return at == resting.end() ? nullptr : &*at;
}

MachineRest look_at_machine(Runtime& runtime) {
  MachineRest found;
  runtime.streams().for_each([&](const StreamTable::Pin& stream) {
    sim::Stream& core = stream->core();
    found.progress += core.retired() + core.submitted();
    if (core.drained()) return;
    auto wait = core.at_rest();
    if (!wait) {
      found.moves = true;
      found.moving.push_back(
          {core.id(), core.device(), core.in_kernel() ? core.kernel_name() : nullptr});
      return;
    }
    found.moves |= wait->limited;
    found.resting.push_back({sim::Ref<sim::Stream>::share(&core), std::move(*wait)});
  });
  return found;
}

// The word of a notify can describe itself, also while no other process has the notify.
bool others_may_end(const sim::Parked& wait) {
  const sim::WaitPoint* const point = wait.point.get();
  if (dynamic_cast<const sim::StallPoint*>(point)) return true;
  const auto* const word = dynamic_cast<const sim::Word*>(point);
  return word && word->watched() && dynamic_cast<const DescribedWord*>(point);
}

}  // namespace acl
