// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/guarded_memory.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>

#include "device_sim/base/own_thread.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/touches/toucher.h"
#include "runtime/acl/watch/place_texts.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/trace/json_text.h"

namespace acl {
namespace {

constexpr std::chrono::microseconds kPatience = std::chrono::milliseconds(50);
constexpr std::chrono::microseconds kLeastPatience = std::chrono::milliseconds(1);
constexpr std::chrono::microseconds kPoll = std::chrono::microseconds(100);

/// The name of the code that touches memory.
const char* name_of_toucher() {
  if (!check_thread().in_callback) return "the host";
  return thread_state().of_crew ? "host function" : "callback";
}

}  // namespace

GuardedMemory::GuardedMemory(Runtime& runtime, CheckLock& lock, Actors& actors)
    : runtime_(runtime),
      lock_(lock),
      actors_(actors),
      engine_(actors.engine()),
      reads_(runtime.memory(), [this](const HostTouch& touch) { host_touched(touch); }),
      patience_(runtime.config().system.schedule == sim::Schedule::seeded
                    ? std::chrono::microseconds::zero()
                    : kPatience) {}

void GuardedMemory::add(const order::Access& access, order::Epoch when) {
  const PendingUse use = reads_.add(access, when);
  if (use.size == 0) return;
  for (Function& function : functions_) {
    if (!admits(function, use)) continue;
    reads_.admit(use);
    function.admitted.push_back(use);
  }
}

void GuardedMemory::add_written(std::span<const order::Access> accesses, order::Epoch when) {
  for (const order::Access& access : accesses) {
    if (access.write) add(access, when);
  }
}

void GuardedMemory::settle() {
  reads_.settle([&](order::Epoch epoch) {
    check_lock.assert_held();
    return engine_.any_host_covers(epoch);
  });
}

void GuardedMemory::function_begins(std::uint32_t completion_id, bool in_graph) {
  settle();
  Function function{&check_thread(), completion_id, actors_.host(), {}, false, in_graph, {}};
  if (!in_graph) {
    function.call = engine_.moment_of(completion_id);
    function.blocks = engine_.queues().blocks(completion_id);
  }
  function.admitted = reads_.admit([&](const PendingUse& use) {
    check_lock.assert_held();
    return admits(function, use);
  });
  functions_.push_back(std::move(function));
}

// A function may call aclrtProcessReport, which runs another one.
void GuardedMemory::function_ends() {
  const auto last = std::find_if(
      functions_.rbegin(), functions_.rend(),
      [thread = &check_thread()](const Function& function) { return function.thread == thread; });
  if (last == functions_.rend()) return;
  reads_.leave(last->admitted);
  functions_.erase(std::next(last).base());
}

// Else a synchronise that is quicker than a function would hide what the function touches. Under a
// seeded schedule nothing else runs meanwhile.
void GuardedMemory::let_functions_end(const order::VectorClock& joined) {
  const auto began = std::chrono::steady_clock::now();
  for (;;) {
    {
      const CheckLock::Entry guard(lock_);
      if (patience_ < kLeastPatience || !functions_run_beside(joined)) return;
      if (std::chrono::steady_clock::now() - began >= patience_) {
        patience_ /= 2;
        return;
      }
    }
    std::this_thread::sleep_for(kPoll);
  }
}

bool GuardedMemory::functions_run_beside(const order::VectorClock& joined) {
  const auto own = [&](order::CompletionId completion_id) REQUIRES(check_lock) {
    return std::any_of(functions_.begin(), functions_.end(), [&](const Function& function) {
      return function.completion_id == completion_id && function.thread == &check_thread();
    });
  };
  const std::vector<PendingUse> uses = reads_.uses();
  return std::any_of(uses.begin(), uses.end(), [&](const PendingUse& use) {
    check_lock.assert_held();
    if (!joined.covers(use.when) || engine_.any_host_covers(use.when)) return false;
    return engine_.queues().any_function_beside(use.when, [&](order::CompletionId completion_id) {
      check_lock.assert_held();
      return !own(completion_id);
    });
  });
}

bool GuardedMemory::admits(const Function& function, const PendingUse& use) const {
  if (function.in_graph) return true;
  return admits_function(function.blocks, engine_.covers(function.host, use.when),
                         engine_.queues().is_behind(use.when, function.call));
}

// In a signal handler of a thread that is in no call.
void GuardedMemory::host_touched(const HostTouch& touch) {
  const bool in_function = check_thread().in_callback;
  if (toucher_of(false, in_function, sim::is_own_thread()) == Toucher::device) return;
  const auto* const at = reinterpret_cast<const void*>(touch.address);
  if (!in_function) watch::listener()->memory_touched({at, 1, touch.write}, touch.site);
  const auto found = runtime_.memory().find(at);
  const CheckLock::Entry guard(lock_);
  settle();
  order::OpInfo what = op_info_of_call(name_of_toucher());
  what.site = touch.site;
  order::Access byte{touch.address, 1, touch.write};
  byte.host = !found || found->device == sim::kHostDevice;
  if (engine_.host_touch(actors_.host(), what, byte)) mark_touch(what);
}

// The touch is not a call, so only this mark shows its time.
void GuardedMemory::mark_touch(const order::OpInfo& host) {
  trace_output::Sink* const spans = watch::spans();
  if (!spans) return;
  static PlaceTexts& texts = *new PlaceTexts(false);
  trace_output::Range mark;
  mark.name = host.what;
  mark.details = R"("place":)" + trace_output::json_string(texts.of(host.site));
  mark.thread = host.thread;
  mark.start = runtime_.driver().now_ns();
  spans->mark(mark);
}

}  // namespace acl
