// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "device_sim/base/recycled.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/driver.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/acl/graph/launched_control.h"

namespace acl::embedding {

/// A signal of the machine, as other libraries see it.
class MachineSignal final : public Signal {
 public:
  explicit MachineSignal(sim::Driver& driver)
      : driver_(driver), core_(sim::make_ref<sim::Signal>()) {}
  bool done() const noexcept override { return core_->done(); }
  void complete() override;
  void clear() noexcept override { core_->clear(); }
  const sim::Ref<sim::Signal>& core() const noexcept { return core_; }

 private:
  sim::Driver& driver_;
  const sim::Ref<sim::Signal> core_;
};

/// An operation of another library as an op of a stream. It has one run at a time: the one that was
/// enqueued with it, or, in a graph, the one of the launch whose run is under way.
class OperationControl final : public LaunchedControl, public sim::Recycled<OperationControl> {
 public:
  explicit OperationControl(std::shared_ptr<Operation> operation)
      : operation_(std::move(operation)) {}

  const char* name() const noexcept override { return operation_->name(); }
  const char* type() const noexcept override { return operation_->type(); }
  bool is_work() const noexcept override { return true; }
  std::size_t bytes() const noexcept override { return operation_->bytes(); }
  void append_ranges(std::vector<sim::MemoryRange>& ranges) const override;
  void append_peers(std::vector<int>& devices) const override;

  sim::Flow decide(sim::Stream& stream, bool returned) override;
  bool prepare() override;
  sim::Failure wait_failed(sim::Stream& stream, sim::Failure failure) override;
  void dropped(sim::Stream& stream, sim::Failure why) override;

  std::uint64_t launch_enqueued() override { return operation_->enqueued(); }
  void run_begins(std::uint64_t run) override;
  void run_over(std::uint64_t run) noexcept override;
  std::vector<acl::Rendezvous> rendezvous() const override;
  acl::FlagUse flag() const override;
  std::string waits_for() const override;

 private:
  std::optional<std::uint64_t> current() const;
  void end(std::uint64_t took = 0) noexcept;
  void tell_begin(sim::Stream& stream);
  void tell_steps(const sim::Stream& stream, const sim::Op& op) const;
  sim::Flow decide(std::uint64_t run);

  const std::shared_ptr<Operation> operation_;
  mutable sim::SpinLock lock_;
  std::optional<std::uint64_t> run_ GUARDED_BY(lock_);         // the run under way
  bool begun_ GUARDED_BY(lock_) = false;                       // run_ has begun
  std::vector<acl::Rendezvous> rendezvous_ GUARDED_BY(lock_);  // of the last run
  acl::FlagUse flag_ GUARDED_BY(lock_){};
};

}  // namespace acl::embedding
