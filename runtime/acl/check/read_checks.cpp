// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/read_checks.h"

#include <algorithm>

#include "device_sim/memory/memory.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/order/engine/sentences.h"

namespace acl {

void ReadChecks::check(const order::OpInfo& what, std::span<const sim::MemoryRange> ranges) {
  for (const sim::MemoryRange& range : ranges) {
    if (!range.written && !check(range.begin, range.size, what)) return;
  }
}

// Memory that a kernel without declarations was given counts as written.
bool ReadChecks::check(const void* src, std::size_t size, const order::OpInfo& what) {
  if (may_be_written(src, size)) return true;
  report(what, {reinterpret_cast<std::uintptr_t>(src), size, false, false},
         order::sentences::kUnwrittenRead);
  return false;
}

bool ReadChecks::may_be_written(const void* src, std::size_t size) const {
  const auto found = runtime_.memory().find(src);
  if (!found || found->device == sim::kHostDevice || found->restricted) return true;
  if (!unknown_writers_.none_to(*found)) return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(src);
  return engine_.shadow().written(begin, size) || unknown_writers_.holds_earlier_bytes(begin);
}

void ReadChecks::report(const order::OpInfo& what, const order::Access& where, const char* text) {
  order::Finding finding(order::Rule::unwritten_read);
  finding.op_info = what;
  finding.where = where;
  finding.text = text;
  reporter_.add(std::move(finding));
}

// While the stream is blocked at a wait, the bytes may still be written before the reduction runs.
void ReadChecks::check_reductions(order::Actor to, const order::OpInfo& what,
                                  std::span<const order::Access> accesses) {
  if (engine_.is_blocked(to)) return;
  for (const order::Access& access : accesses) {
    if (access.kind != order::AccessKind::reduction) continue;
    if (may_be_written(reinterpret_cast<const void*>(access.begin), access.size)) continue;
    return report(what, access,
                  "{it} is a reduction onto {bytes} of which some were never written");
  }
}

void ReadChecks::check_kernel(const order::OpInfo& what, std::span<const order::Access> accessed) {
  for (const order::Access& read : accessed) {
    const auto writes_there = [&](const order::Access& one) {
      return one.write && one.begin < read.begin + read.size && read.begin < one.begin + one.size;
    };
    if (read.write || std::any_of(accessed.begin(), accessed.end(), writes_there)) continue;
    if (!check(reinterpret_cast<const void*>(read.begin), read.size, what)) return;
  }
}

}  // namespace acl
