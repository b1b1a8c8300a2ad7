// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/model/external_event.h"

#include "device_sim/driver.h"

namespace acl {

sim::Failure ExternalRecord::run(sim::Stream& stream) const {
  event_->complete_external_record(stream.failure(), stream.driver().now_ns());
  return {};
}

sim::Flow ExternalWait::decide(sim::Stream&, bool) {
  auto pending = event_->pending_record();
  return pending ? sim::Flow::wait(std::move(pending)) : sim::Flow::next();
}

}  // namespace acl
