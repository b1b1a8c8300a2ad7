// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device_sim/streams/program.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/model.h"

namespace acl {

using ConditionTable = HandleTable<Condition, HandleKind::condition>;

/// The variable that a conditional task of a model looks at: 8 bytes of device memory that tasks
/// before it write.
class Condition : public sim::RefCounted<Condition> {
 public:
  Condition(Runtime& runtime, int device, std::uint64_t initial, bool assign_at_launch);
  ~Condition();
  static constexpr std::size_t kBytes = sizeof(std::uint64_t);
  std::uint64_t* address() const noexcept { return address_; }
  std::uint64_t value() const noexcept;
  /// A run of the model begins.
  void begin_run() noexcept;

 private:
  void store(std::uint64_t value) noexcept;
  Runtime& runtime_;
  const int device_;
  const std::uint64_t initial_;
  const bool assign_at_launch_;
  std::uint64_t* address_ = nullptr;  // the user's view
};

/// Runs sub-graphs as the condition says: `if` the first when it is not 0 (else the second, when
/// there is one), `while` the first as long as it is not 0, `switch` the one with that number.
class ConditionalTask final : public sim::Control {
 public:
  ConditionalTask(sim::Ref<Condition> condition, aclmdlRICondTaskType type,
                  std::vector<sim::Ref<Model>> models);
  const char* name() const noexcept override;
  sim::Flow decide(sim::Stream& stream, bool returned) override;
  void dropped(sim::Stream& stream, sim::Failure why) override;
  const Condition& condition() const noexcept { return *condition_; }

 private:
  Model* choose() const noexcept;
  const sim::Ref<Condition> condition_;
  const aclmdlRICondTaskType type_;
  const std::vector<sim::Ref<Model>> models_;
  Model* running_ = nullptr;
};

/// The condition handles of the process; they end with their model.
class Conditions : public Section {
 public:
  explicit Conditions(Runtime&) {}
  ConditionTable& table() noexcept { return table_; }
  void reset() override;

 private:
  ConditionTable table_;
};

}  // namespace acl
