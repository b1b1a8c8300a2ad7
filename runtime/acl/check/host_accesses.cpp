// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/host_accesses.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "device_sim/memory/memory.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"

namespace acl {
namespace {

order::Access host_side(Runtime& runtime, const void* begin, std::size_t size, bool write) {
  const auto found = runtime.memory().find(begin);
  return {reinterpret_cast<std::uintptr_t>(begin), size, write,
          !found || found->device == sim::kHostDevice};
}

}  // namespace

void HostAccesses::access(std::span<const order::Access> accesses) {
  const order::Actor by = actors_.host();
  const order::OpInfo info = actors_.host_op_info();
  memory_lives_.check_blocks(info, accesses);
  engine_.host_access(by, info, accesses);
}

void HostAccesses::accessed(const sim::MemoryRange& range) {
  const order::Access one[] = {host_side(runtime_, range.begin, range.size, range.written)};
  const CheckLock::Entry guard(lock_);
  memory_lives_.check_freed(op_info_of_call(), one);
  access(one);
}

void HostAccesses::copied(std::span<const sim::MemoryRange> ranges) {
  std::vector<order::Access> accesses;
  accesses.reserve(ranges.size());
  bool to_host = false;
  for (const sim::MemoryRange& range : ranges) {
    accesses.push_back(host_side(runtime_, range.begin, range.size, range.written));
    to_host |= range.written && accesses.back().host;
  }
  const CheckLock::Entry guard(lock_);
  if (to_host) read_checks_.check(op_info_of_call(), ranges);
  access(accesses);
}

void HostAccesses::copying_to_host(Stream& stream, std::span<const sim::MemoryRange> ranges) {
  const CheckLock::Entry guard(lock_);
  const order::Actor to = actors_.actor(stream);
  if (engine_.is_blocked(to)) return;
  read_checks_.check(actors_.op_info(stream, sim::Op(sim::OpKind::copy), to), ranges);
}

bool HostAccesses::settled(std::span<const sim::MemoryRange> ranges) {
  const CheckLock::Entry guard(lock_);
  return std::all_of(ranges.begin(), ranges.end(),
                     [&](const sim::MemoryRange& range)
                         REQUIRES(check_lock) { return actors_.settled(range.begin, range.size); });
}

void HostAccesses::writes_anywhere() {
  const CheckLock::Entry guard(lock_);
  unknown_writers_.add_anywhere();
  group_.lost_order();
}

void HostAccesses::released(const void* object) {
  const CheckLock::Entry guard(lock_);
  engine_.release(actors_.host(), annotations_[object]);
}

void HostAccesses::acquired(const void* object) {
  const CheckLock::Entry guard(lock_);
  if (const auto at = annotations_.find(object); at != annotations_.end()) {
    engine_.acquire(actors_.host(), at->second);
    host_memory_.settle();
  }
}

}  // namespace acl
