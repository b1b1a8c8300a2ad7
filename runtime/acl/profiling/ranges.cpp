// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/ranges.h"

#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/per_thread.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

class Mark final : public sim::Task {
 public:
  Mark(std::string name, const char* type) : name_(std::move(name)), type_(type) {}
  const char* name() const noexcept override { return name_.c_str(); }
  const char* type() const noexcept override { return type_; }
  sim::Failure run(sim::Stream&) const override { return {}; }

 private:
  const std::string name_;
  const char* const type_;
};

}  // namespace

sim::Op make_mark(std::string name, const char* type) {
  return sim::make_task(sim::Ref<const sim::Task>::adopt(new Mark(std::move(name), type)));
}

/// The open ranges of a thread. Ranges that are open when the thread ends are forgotten.
struct Ranges::Stack {
  ~Stack() {
    Runtime* const runtime = open.empty() ? nullptr : Runtime::existing();
    if (runtime) runtime->section<Ranges>().forget(open);
  }
  std::uint64_t resets = 0;  // that it has seen
  std::vector<std::uint64_t> open;
};

Ranges::Stack& Ranges::stack() {
  Stack& mine = sim::per_thread<Stack>();
  if (const std::uint64_t now = resets_.load(std::memory_order_relaxed); mine.resets != now) {
    for (; !mine.open.empty(); mine.open.pop_back()) close(mine.open.back());
    mine.resets = now;
  }
  return mine;
}

void Ranges::add_watcher(trace_output::Sink& watcher) {
  const sim::LockGuard guard(mutex_);
  watch::add_sink(watcher);
  const sim::Nanoseconds now = runtime_.driver().now_ns();
  for (const auto& [id, range] : open_) {
    trace_output::Range rest = range;
    rest.start = now;
    watcher.range_opened(rest);
  }
}

std::uint64_t Ranges::open(std::string name, std::string details, std::uint32_t thread) {
  trace_output::Range range;
  range.name = std::move(name);
  range.details = std::move(details);
  range.thread = thread;
  const sim::LockGuard guard(mutex_);
  range.id = ++last_id_;
  range.start = runtime_.driver().now_ns();
  if (trace_output::Sink* const sink = watch::spans()) sink->range_opened(range);
  open_.emplace(range.id, std::move(range));
  return last_id_;
}

void Ranges::close(std::uint64_t id) {
  const sim::LockGuard guard(mutex_);
  open_.erase(id);
  if (trace_output::Sink* const sink = watch::spans())
    sink->range_closed(id, runtime_.driver().now_ns());
}

void Ranges::forget(const std::vector<std::uint64_t>& ids) {
  const sim::LockGuard guard(mutex_);
  for (const std::uint64_t id : ids) open_.erase(id);
}

void Ranges::push(std::string name, std::string details) {
  Stack& mine = stack();
  mine.open.push_back(open(std::move(name), std::move(details), thread_state().thread_id));
}

void Ranges::pop() {
  Stack& mine = stack();
  if (mine.open.empty()) {
    fail(ACL_ERROR_PROFILING_FAILURE, "the calling thread has no open range; expected a push");
  }
  close(mine.open.back());
  mine.open.pop_back();
}

std::uint32_t Ranges::start(std::string name) {
  const std::uint64_t range = open(std::move(name), {}, 0);
  const sim::LockGuard guard(mutex_);
  do {
    ++started_;
  } while (started_ == 0 || running_.count(started_) != 0);
  running_[started_] = range;
  return started_;
}

void Ranges::stop(std::uint32_t id) {
  std::uint64_t range = 0;
  {
    const sim::LockGuard guard(mutex_);
    const auto found = running_.find(id);
    if (found == running_.end()) {
      fail(ACL_ERROR_INVALID_PARAM, "rangeId is {}, which names no range that is open", id);
    }
    range = found->second;
    running_.erase(found);
  }
  close(range);
}

void Ranges::mark(std::string name) {
  trace_output::Sink* const sink = watch::spans();
  if (!sink) return;
  trace_output::Range mark;
  mark.name = std::move(name);
  mark.thread = thread_state().thread_id;
  mark.start = runtime_.driver().now_ns();
  sink->mark(mark);
}

std::size_t Ranges::live_handles() const { return stamps_.count() + steps_.count(); }

void Ranges::reset() {
  stamps_.for_each([&](const StampTable::Pin& stamp) { stamps_.remove(stamp); });
  steps_.for_each([&](const StepTable::Pin& step) { steps_.remove(step); });
  decltype(running_) left;
  {
    const sim::LockGuard guard(mutex_);
    left.swap(running_);
  }
  for (const auto& [id, range] : left) close(range);
  resets_.fetch_add(1, std::memory_order_relaxed);
  stack();  // other threads look when they come here next
}

std::uint64_t Ranges::id_of(const std::string& text) {
  const sim::LockGuard guard(mutex_);
  const auto [at, added] = texts_.try_emplace(text, texts_.size() + 1);
  if (added) texts_by_id_[at->second] = text;
  return at->second;
}

std::string Ranges::text_of(std::uint64_t id) {
  const char* const text = kept_text_of(id);
  return text ? text : "";
}

const char* Ranges::kept_text_of(std::uint64_t id) {
  const sim::LockGuard guard(mutex_);
  const auto found = texts_by_id_.find(id);
  return found == texts_by_id_.end() ? nullptr : found->second.c_str();
}

}  // namespace acl
