// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/faults/fault_plan.h"
#include "device_sim/streams/driver.h"
#include "runtime/acl/base/device_block.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/watch/intervener.h"

namespace acl {

class Runtime;

/// The faults that the configuration asks for: has calls and tasks fail by the roads of real
/// failures, and says at exit which did. There is none unless faults are configured.
class FaultInjector final : public Section, public watch::Intervener {
 public:
  using Point = sim::FaultSite::Point;

  explicit FaultInjector(Runtime& runtime);

  // Each raises the code of the fault that fires there. Devices are the machine's.

  bool before_call(const char* function) override;
  void before_allocation(int device) override;
  void before_creation(Point point, int device) override;
  void before_copy(const sim::CopyOp& copy) override;
  void before_use(int device) override { require_alive(device); }
  void require_alive(int device) const;

  /// The machine's question about a task that begins.
  sim::OpFault op_begins(sim::Stream& stream, const sim::Op& op);

  bool lost(int device) const;
  std::uint64_t fired() const;
  /// The effect of a fault, with the number and text of its rule.
  std::string text_of(std::uint16_t number) const;

  void reset() override;
  void device_ends(int device) override;
  void at_exit() override;

 private:
  /// Why a device is lost: the block on its calls, and the text.
  struct Loss {
    std::string text;
    DeviceBlock device_block;
  };
  sim::FaultPlan::Fired decide(const sim::FaultSite& site);
  /// Not analysed: the rules of the plan never change, so reading one needs no lock.
  const sim::FaultRule& rule_of(std::uint16_t number) const NO_THREAD_SAFETY_ANALYSIS {
    return plan_.rule(number - 1U);
  }
  [[noreturn]] void raise(std::uint16_t number) const;
  void tell(std::uint16_t number) const;
  aclError code_of(std::uint16_t number) const;
  sim::Failure failure_of(std::uint16_t number) const;
  sim::FaultSite site_of(const sim::Stream& stream, const sim::Op& op,
                         const std::vector<sim::DevicePair>& links) const;
  /// As the program counts devices.
  std::vector<sim::DevicePair> logical(const std::vector<sim::DevicePair>& links) const;
  int current_device() const;
  /// The failure that earlier faults cause: a link that is down, or memory that is broken.
  sim::Failure standing_failure(const sim::Op& op, const std::vector<sim::DevicePair>& links) const;
  /// By how much the slowest of these links delays what goes over them; 0: none does.
  sim::Nanoseconds standing_delay(const std::vector<sim::DevicePair>& links) const;
  sim::OpFault held(const sim::Stream& stream, const sim::Op& op, std::uint16_t number) const;
  /// From here on, the link that the rule means, one of the task's links, is down or slow.
  void strike_link(const sim::FaultRule& rule, const sim::FaultSite& site,
                   const std::vector<sim::DevicePair>& links, std::uint16_t number);
  void break_memory(int device, const sim::Op& op, std::uint16_t number);
  void lose(int device, std::uint16_t number);
  [[noreturn]] void end_process(std::uint16_t number);
  bool tell_run_of_ranks() const REQUIRES(mutex_);
  void tell_of_loss(int device, std::uint16_t number);

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  sim::FaultPlan plan_ GUARDED_BY(mutex_);  // its rules never change
  /// The faults that struck a link; 0: none.
  struct StruckLink {
    std::uint16_t down = 0;
    std::uint16_t slow = 0;
  };
  std::map<sim::DevicePair, StruckLink> links_ GUARDED_BY(mutex_);
  std::atomic<bool> any_link_{false};
  std::deque<Loss> losses_ GUARDED_BY(mutex_);  // never shrinks: `lost_` points into it
  std::vector<std::atomic<const Loss*>> lost_;  // by device
};

/// The links between devices, by the machine's numbers, that a task of this one's stream goes over.
std::vector<sim::DevicePair> links_of(const sim::Op& op, int own_device);

/// Null unless the configuration asks for faults.
FaultInjector* fault_injector() noexcept;

}  // namespace acl
