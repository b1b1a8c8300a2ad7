// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/watchers.h"

#include <mutex>

#include "runtime/acl/core/runtime.h"
#include "runtime/trace/timeline.h"

namespace acl {

using sim::Nanoseconds;

void Watchers::add(trace::Sink& watcher) {
  const std::lock_guard guard(mutex_);
  watchers_.push_back(&watcher);
  runtime_.set_sink(this);
}

void Watchers::remove(trace::Sink& watcher) {
  const std::lock_guard guard(mutex_);
  std::erase(watchers_, &watcher);
  if (watchers_.empty()) runtime_.set_sink(runtime_.timeline());
}

template <class F>
void Watchers::tell(F&& f) {
  if (trace::Timeline* const timeline = runtime_.timeline()) f(*timeline);
  const std::shared_lock guard(mutex_);
  for (trace::Sink* const watcher : watchers_) f(*watcher);
}

void Watchers::api_call(const char* name, Nanoseconds start, Nanoseconds end) noexcept {
  tell([&](trace::Sink& sink) { sink.api_call(name, start, end); });
}

void Watchers::range_opened(const trace::Range& range) noexcept {
  tell([&](trace::Sink& sink) { sink.range_opened(range); });
}

void Watchers::range_closed(std::uint64_t id, Nanoseconds end) noexcept {
  tell([&](trace::Sink& sink) { sink.range_closed(id, end); });
}

void Watchers::mark(const trace::Range& mark) noexcept {
  tell([&](trace::Sink& sink) { sink.mark(mark); });
}

void Watchers::submitted(const sim::Stream& stream, const sim::Op& op) {
  tell([&](trace::Sink& sink) { sink.submitted(stream, op); });
}

void Watchers::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  tell([&](trace::Sink& sink) { sink.started(stream, op, now); });
}

void Watchers::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                        Nanoseconds start, Nanoseconds end) {
  tell([&](trace::Sink& sink) { sink.finished(stream, op, failure, start, end); });
}

}  // namespace acl
