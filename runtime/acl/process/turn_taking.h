// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/streams/driver.h"
#include "runtime/acl/watch/intervener.h"

namespace acl {

/// Calls as points of choice of a seeded schedule: it decides before a call does its work, and
/// after it, which thread and which stream go on.
class TurnTaking final : public watch::Intervener {
 public:
  explicit TurnTaking(sim::Driver& driver) : driver_(driver) {}
  bool before_call(const char* function) override;
  void after_call() override { driver_.yield_behind(); }

 private:
  sim::Driver& driver_;
};

}  // namespace acl
