// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "device_sim/base/error.h"
#include "device_sim/base/ref.h"
#include "device_sim/streams/op.h"
#include "device_sim/streams/signal.h"

namespace sim {

class Stream;

/// Ops that a stream has run in one pass through a program, and whose ends were not reported to
/// hooks. They follow each other in the program.
class DeferredReports : public Shared {
 public:
  /// Indices in the program.
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  /// The op has run, after the others of the range. By the owner of the stream.
  void add(std::uint32_t index) noexcept {
    const std::uint64_t now = range_.load(std::memory_order_relaxed);
    const std::uint64_t begin = now == 0 ? index : now >> 32;
    range_.store(begin << 32 | (index + 1), std::memory_order_release);
  }
  /// By any thread.
  Range range() const noexcept {
    const std::uint64_t now = range_.load(std::memory_order_acquire);
    return {static_cast<std::uint32_t>(now >> 32), static_cast<std::uint32_t>(now)};
  }
  /// By the owner of the stream.
  void clear() noexcept { range_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> range_{0};
};

/// A row of ops that a stream runs through without using them up: one branch of a graph. Owns its
/// ops; never changes once it runs.
class Program : public RefCounted<Program> {
 public:
  /// `label`: what the layer above calls it, for observers; 0: nothing.
  explicit Program(std::vector<OwnedOp> ops, std::uint32_t label = 0) noexcept
      : ops_(std::move(ops)), label_(label) {}
  OwnedOp* begin() noexcept { return ops_.data(); }
  OwnedOp* end() noexcept { return ops_.data() + ops_.size(); }
  std::uint32_t label() const noexcept { return label_; }
  /// The data that a listener keeps about the program; null: none. Before the program runs.
  void attach(Ref<Shared> attached) noexcept { attached_ = std::move(attached); }
  Shared* attached() const noexcept { return attached_.get(); }

 private:
  std::vector<OwnedOp> ops_;
  const std::uint32_t label_;
  Ref<Shared> attached_;
};

/// The continuation of a stream after a control op.
struct Flow {
  enum class Kind : std::uint8_t {
    next,   // the op leaves; the stream continues with the next op
    enter,  // through `program`, from `index` on; then the control op is asked again
    jump,   // to the op `index` of the program that contains the control op
    wait,   // until `until` is done, then the control op is asked again
    fail,   // the op fails with `failure`
  };
  Kind kind = Kind::next;
  Ref<Program> program{};
  std::size_t index = 0;
  /// For `enter`. Null: each op is reported when it ends. Otherwise the ops with
  /// `Op::defers_report` are only added there, unless they fail.
  Ref<DeferredReports> deferred{};
  Ref<Signal> until{};
  Failure failure{};
  std::uint64_t timeout_ns = 0;  // of `wait`; 0: no limit
  bool looks = false;            // see WaitLimit

  static Flow next() { return Flow{}; }
  static Flow enter(Ref<Program> program, std::size_t index = 0,
                    Ref<DeferredReports> deferred = {}) {
    return {.kind = Kind::enter,
            .program = std::move(program),
            .index = index,
            .deferred = std::move(deferred)};
  }
  static Flow jump(std::size_t index) { return {.kind = Kind::jump, .index = index}; }
  static Flow wait(Ref<Signal> until, std::uint64_t timeout_ns = 0, bool looks = false) {
    return {
        .kind = Kind::wait, .until = std::move(until), .timeout_ns = timeout_ns, .looks = looks};
  }
  static Flow fail(Failure failure) { return {.kind = Kind::fail, .failure = failure}; }
};

/// Decides where its stream goes: the start of a graph, a branch, a loop, a jump. Or it is work
/// that goes on in steps, with waits between them.
class Control : public Shared {
 public:
  virtual const char* name() const noexcept = 0;
  /// It is shown and checked as work of its own; else it only leads to other ops.
  virtual bool is_work() const noexcept { return false; }
  /// These three describe the work, as for tasks.
  virtual const char* type() const noexcept { return name(); }
  virtual std::size_t bytes() const noexcept { return 0; }
  virtual void append_ranges(std::vector<MemoryRange>& /*ranges*/) const {}
  /// Appends the devices with which the stream's device exchanges bytes.
  virtual void append_peers(std::vector<int>& /*devices*/) const {}
  /// By the stream's owner. `returned`: the program that was entered last has come to its end.
  virtual Flow decide(Stream& stream, bool returned) = 0;
  /// Called by the stream's owner, if no observer is registered: begins the part that needs no
  /// wait. True: `decide` would not wait now.
  virtual bool prepare() { return false; }
  /// The wait that `decide` asked for ends without its signal. Returns the failure of the op, or no
  /// failure: then `decide` is called again.
  virtual Failure wait_failed(Stream& /*stream*/, Failure failure) { return failure; }
  /// The stream is dropping its remaining ops (it stopped on a failure, or was abandoned), before
  /// or after `decide` was called; or the op fails before that. `why` has a number if an injected
  /// fault is the reason.
  virtual void dropped(Stream& /*stream*/, Failure /*why*/) {}
};

/// The op does nothing by itself that observers would show.
inline bool only_leads(const Op& op) noexcept {
  return op.kind == OpKind::control && !op.control.control->is_work();
}

}  // namespace sim
