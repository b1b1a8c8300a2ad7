// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/wait_limits.h"

#include <utility>

namespace sim {

bool WaitLimits::arm(Limit limit) {
  Limit& current = limits_[limit.stream.get()];
  if (current.serial > limit.serial) return false;
  current = std::move(limit);
  return true;
}

WaitLimits::Limit WaitLimits::disarm(const Stream& stream, std::uint64_t serial) {
  const auto it = limits_.find(&stream);
  if (it == limits_.end() || it->second.serial > serial) return {};
  Limit gone = std::move(it->second);
  limits_.erase(it);
  return gone;
}

std::vector<WaitLimits::Limit> WaitLimits::take_passed() {
  std::vector<Limit> passed;
  for (auto it = limits_.begin(); it != limits_.end();) {
    if (it->second.at.passed()) {
      passed.push_back(std::move(it->second));
      it = limits_.erase(it);
    } else {
      ++it;
    }
  }
  return passed;
}

Deadline WaitLimits::next() const {
  Deadline next = Deadline::never();
  for (const auto& [stream, limit] : limits_) {
    if (next.is_never() || limit.at.at() < next.at()) next = limit.at;
  }
  return next;
}

}  // namespace sim
