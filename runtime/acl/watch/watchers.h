// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <shared_mutex>
#include <vector>

#include "runtime/acl/base/section.h"
#include "runtime/trace/sink.h"

namespace acl {

/// Those that record for a while (profiles, dumps), in front of the run's own timeline. While there
/// is none, nothing of this is in anybody's way.
class Watchers final : public Section, public trace::Sink {
 public:
  explicit Watchers(Runtime& runtime) : runtime_(runtime) {}

  void add(trace::Sink& watcher);
  /// When this returns no call is inside the watcher, and none will come. Not from inside one.
  void remove(trace::Sink& watcher);

  void api_call(const char* name, sim::Nanoseconds start, sim::Nanoseconds end) noexcept override;
  void range_opened(const trace::Range& range) noexcept override;
  void range_closed(std::uint64_t id, sim::Nanoseconds end) noexcept override;
  void mark(const trace::Range& mark) noexcept override;
  void submitted(const sim::Stream& stream, const sim::Op& op) override;
  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  template <class F>
  void tell(F&& f);

  Runtime& runtime_;
  std::shared_mutex mutex_;
  std::vector<trace::Sink*> watchers_;
};

/// A watcher that looks at tasks only.
class TaskWatcher : public trace::Sink {
 public:
  void api_call(const char*, sim::Nanoseconds, sim::Nanoseconds) noexcept override {}
  void range_opened(const trace::Range&) noexcept override {}
  void range_closed(std::uint64_t, sim::Nanoseconds) noexcept override {}
  void mark(const trace::Range&) noexcept override {}
};

}  // namespace acl
