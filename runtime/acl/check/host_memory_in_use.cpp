// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/host_memory_in_use.h"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/acl/check/reporter.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/findings/reports.h"

namespace acl {

HostMemoryInUse::HostMemoryInUse(Runtime& runtime, const CheckConfig& config, CheckLock& lock,
                                 Actors& actors, Reporter& reporter)
    : runtime_(runtime), actors_(actors), engine_(actors.engine()), reporter_(reporter) {
  if (config.guard_reads) guarded_ = std::make_unique<GuardedMemory>(runtime, lock, actors);
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
  if (guarded_) [[unlikely]]
    guarded_->settle();
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

void HostMemoryInUse::clear() {
  host_buffers_.clear();
  unbar_all();
  tasks_write_host_ = false;
}

}  // namespace acl
