// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/usage.h"

#include "device_sim/drivers/seeded_driver.h"
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

}  // namespace acl
