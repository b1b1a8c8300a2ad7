// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/external_event.h"

#include "device_sim/streams/driver.h"

namespace acl {

sim::Failure ExternalRecord::run(sim::Stream& stream) const {
  event_->complete_external_record(stream, stream.driver().now_ns());
  return {};
}

sim::Flow ExternalWait::decide(sim::Stream& stream, bool) {
  if (auto pending = event_->pending_record()) return sim::Flow::wait(std::move(pending));
  event_->passed_external_wait(stream);
  return sim::Flow::next();
}

}  // namespace acl
