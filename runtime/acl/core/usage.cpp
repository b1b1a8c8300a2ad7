// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/usage.h"

#include <fmt/format.h>

#include <utility>

#include "device_sim/drivers/seeded_driver.h"
#include "runtime/acl/core/notify.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

aclsimStats usage_of(Runtime& runtime) {
  aclsimStats filled{};
  filled.contexts = runtime.contexts().count();
  filled.streams = runtime.streams().count() - filled.contexts;
  filled.events = runtime.events().count();
  for (int d = 0; d < runtime.memory().device_count(); ++d) {
    filled.deviceAllocations += runtime.memory().device(d).live_count();
    filled.deviceBytes += runtime.memory().device(d).used();
  }
  filled.hostAllocations = runtime.memory().host().live_count();
  filled.hostBytes = runtime.memory().host().used();
  filled.subscriptions = runtime.reports().subscriptions() + runtime.host_funcs().subscriptions();
  filled.pendingTasks = runtime.pending_tasks();
  const auto* const seeded = dynamic_cast<const sim::SeededDriver*>(&runtime.driver());
  filled.scheduleDiverged = seeded && seeded->diverged() ? 1 : 0;
  runtime.sections().for_each(
      [&](const Section& section) { filled.otherHandles += section.live_handles(); });
  return filled;
}

std::vector<order::DevicePeaks> peaks_of(Runtime& runtime) {
  std::vector<order::DevicePeaks> all;
  const sim::SystemConfig& limits = runtime.config().system;
  auto& notifies = runtime.section<Notifies>();
  for (int logical = 0; logical < runtime.visible_devices(); ++logical) {
    const int device = runtime.physical(logical);
    const StreamUse::Count streams = runtime.most_streams(device);
    const sim::AddressSpace& memory = runtime.memory().device(device);
    if (streams.streams == 0 && memory.peak() == 0) continue;
    order::DevicePeaks& peaks = all.emplace_back();
    peaks.device = logical;
    peaks.streams = {streams.streams, static_cast<std::uint64_t>(limits.streams_per_device)};
    peaks.events = {runtime.most_event_ids(device),
                    static_cast<std::uint64_t>(limits.events_per_device)};
    peaks.notifies = {notifies.numbers(device).peak(), notifies.numbers(device).limit()};
    peaks.bytes = {memory.peak(), memory.capacity()};
    peaks.graphs = placed(streams.graphs);
  }
  return all;
}

std::string describe_alive(const aclsimStats& alive) {
  const std::pair<const char*, std::uint64_t> counts[] = {
      {"pending task", alive.pendingTasks},
      {"stream", alive.streams},
      {"event", alive.events},
      {"device allocation", alive.deviceAllocations},
      {"host allocation", alive.hostAllocations},
      {"subscription", alive.subscriptions},
      {"other handle", alive.otherHandles},
  };
  std::string text;
  for (const auto& [noun, count] : counts) {
    if (count == 0) continue;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, noun, count == 1 ? "" : "s");
  }
  return text;
}

std::optional<sim::Allocation> first_allocation(sim::Memory& memory) {
  std::optional<sim::Allocation> first;
  const auto look = [&](const sim::AddressSpace& space) {
    for (const sim::Allocation& piece : space.live()) {
      if (!first || piece.serial < first->serial) first = piece;
    }
  };
  for (int d = 0; d < memory.device_count(); ++d) look(memory.device(d));
  look(memory.host());
  return first;
}

}  // namespace acl
