// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/host_memory_in_use.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/acl/check/reporter.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/findings/reports.h"
#include "runtime/acl/watch/place_texts.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/trace/json_text.h"

namespace acl {

HostMemoryInUse::HostMemoryInUse(Runtime& runtime, const CheckConfig& config, CheckLock& lock,
                                 Actors& actors, Reporter& reporter)
    : runtime_(runtime),
      lock_(lock),
      actors_(actors),
      engine_(actors.engine()),
      reporter_(reporter) {
  if (!config.guard_reads) return;
  guarded_reads_ = std::make_unique<GuardedReads>(
      runtime.memory(), [this](const HostTouch& touch) { host_touched(touch); });
}

void HostMemoryInUse::add_buffer(order::Actor to, order::Actor by, const order::OpInfo& what,
                                 const order::Access& read) {
  auto* const begin = reinterpret_cast<const void*>(read.begin);
  // Memory of the emulator ends by `freeing` only; registered or reserved memory may end at any
  // time.
  const auto stays = [&] { return runtime_.memory().space_of(begin) == &runtime_.memory().host(); };
  const auto over = [&](order::Epoch epoch) {
    check_lock.assert_held();
    return engine_.covers(by, epoch);
  };
  host_buffers_.add(begin, read.size, {to, engine_.last(to)}, what, over, stays);
}

void HostMemoryInUse::keep_buffers(order::Actor to, const order::OpInfo& what,
                                   std::span<const order::Access> accesses) {
  constexpr std::size_t kMost = 64;
  std::size_t count = 0;
  for (const order::Access& access : accesses) {
    if (!access.host) continue;
    if (access.write) {
      tasks_write_host_ = true;
      continue;
    }
    if (++count > kMost) return;
    keep_buffer(to, actors_.host(), what, access);
  }
}

void HostMemoryInUse::settle(order::Actor by) {
  if (guarded_reads_) [[unlikely]] {
    guarded_reads_->settle([&](order::Epoch epoch) {
      check_lock.assert_held();
      return engine_.any_host_covers(epoch);
    });
  }
  if (host_buffers_.empty()) return;
  settle_buffers([&](order::Epoch epoch) {
    check_lock.assert_held();
    return engine_.covers(by, epoch);
  });
}

void HostMemoryInUse::settle_buffers(const std::function<bool(order::Epoch)>& is_over) {
  host_buffers_.settle(is_over, [&](const HostBuffers::Buffer& buffer) {
    check_lock.assert_held();
    report_changed(buffer);
  });
}

void HostMemoryInUse::function_begins() {
  host_buffers_.function_begins([&](const HostBuffers::Buffer& buffer) {
    check_lock.assert_held();
    report_changed(buffer);
  });
}

void HostMemoryInUse::report_changed(const HostBuffers::Buffer& buffer) {
  order::Finding finding(order::Rule::host_buffer);
  finding.op_info = buffer.op_info;
  finding.where = {reinterpret_cast<std::uintptr_t>(buffer.begin), buffer.size, false, true};
  finding.text =
      "the host writes {bytes} that {it} reads, before the host synchronises with the stream";
  reporter_.add(std::move(finding));
}

// Callbacks and host functions may touch memory that tasks before them wrote. No other thread is
// ordered by such a touch, so the pages are closed again when the function is over.
void HostMemoryInUse::host_touched(const HostTouch& touch) {
  const sim::MemoryRange byte{reinterpret_cast<const void*>(touch.address), 1, touch.write};
  watch::listener()->memory_touched(byte, touch.site);
  const CheckLock::Entry guard(lock_);
  const order::Actor by = actors_.host();
  guarded_reads_->settle([&](order::Epoch epoch) {
    check_lock.assert_held();
    return engine_.any_host_covers(epoch);
  });
  guarded_reads_->each_at(touch.address, [&](const GuardedReads::Pending& pending) {
    check_lock.assert_held();

    if (engine_.covers(by, pending.when)) return;
    order::OpInfo what = op_info_of_call("the host");
    what.site = touch.site;
    order::Finding finding(pending.host ? order::Rule::host_buffer : order::Rule::race);
    set_guess(finding, guess_between(what, pending.by));
    finding.op_info = what;
    finding.other = pending.by;
    finding.where = {touch.address, 1, touch.write, pending.host};
    finding.text = conflict_text(finding, order::Release::none, {touch.address, 1, true});
    finding.text.replace(finding.text.find("{bytes}"), 7, "memory");
    reporter_.add(std::move(finding));
    mark_touch(what);
  });
}

// The touch is not a call, so only this mark shows its time.
void HostMemoryInUse::mark_touch(const order::OpInfo& host) {
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

void HostMemoryInUse::clear() {
  host_buffers_.clear();
  unbar_all();
  tasks_write_host_ = false;
}

}  // namespace acl
