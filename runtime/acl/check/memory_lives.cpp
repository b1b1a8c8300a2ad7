// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/memory_lives.h"

#include <fmt/format.h>
#include <utility>

#include "device_sim/streams/op.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/kernel/given.h"
#include "runtime/acl/memory/memory_label.h"
#include "runtime/acl/memory/memory_pool.h"
#include "runtime/order/engine/sentences.h"

namespace acl {
namespace {

/// A finding about memory that `by` released before the operation.
order::Finding use_after_free(const order::OpInfo& what, const order::OpInfo& by,
                              std::string text) {
  order::Finding finding(order::Rule::dead_handle);
  finding.op_info = what;
  finding.other = by;
  finding.text = std::move(text);
  finding.title = order::sentences::kUseAfterFreeTitle;
  finding.repair = order::sentences::kUseAfterFreeRepair;
  return finding;
}

}  // namespace

void MemoryLives::allocated(const void* begin, std::size_t size) {
  const CheckLock::Entry guard(lock_);
  engine_.renew({reinterpret_cast<std::uintptr_t>(begin), size});
}

void MemoryLives::mapped(const void* begin, std::size_t size, const sim::PhysicalMemory* memory,
                         bool fresh) {
  const CheckLock::Entry guard(lock_);
  engine_.renew({reinterpret_cast<std::uintptr_t>(begin), size});
  unknown_writers_.map(memory, fresh);
}

void MemoryLives::reused(const void* begin, std::size_t size, bool on_host) {
  const CheckLock::Entry guard(lock_);
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  const order::Actor by = actors_.host();
  const order::OpInfo what = actors_.host_op_info();
  engine_.free(by, what, {at, size, true, on_host});
  host_memory_.unbar(at, size);
  freed_memory_.add(at, size, what);
  idle_blocks_.forget(at, size);
  if (on_host) host_memory_.buffers().forget(begin, size);
  unknown_writers_.forget(at);
}

void MemoryLives::reused_in_order(Stream& stream, const void* begin, std::size_t size) {
  const CheckLock::Entry guard(lock_);
  const order::Actor to = actors_.actor(stream);
  order::Access all{reinterpret_cast<std::uintptr_t>(begin), size, true};
  all.frees = all.hands_out = true;
  engine_.op(to, actors_.host(), actors_.op_info_in_order_of(stream), {&all, 1});
}

void MemoryLives::host_memory_ends(const void* begin, std::size_t size) {
  const CheckLock::Entry guard(lock_);
  host_memory_.buffers().forget(begin, size);
}

void MemoryLives::device_memory_ending(int device) {
  const CheckLock::Entry guard(lock_);
  const order::OpInfo what = op_info_of_call();
  for (const sim::Allocation& one : runtime_.memory().device(device).live()) {
    host_memory_.unbar(one.begin, one.size);
    if (is_live(reinterpret_cast<const void*>(one.begin))) {
      freed_memory_.add(one.begin, one.size, what);
    }
  }
}

void MemoryLives::pool_allocated(Stream& stream, const void* begin, std::size_t span, bool over) {
  const CheckLock::Entry guard(lock_);
  const order::Actor to = actors_.actor(stream);
  order::Access block{reinterpret_cast<std::uintptr_t>(begin), span, true};
  block.hands_out = true;
  if (over) engine_.renew(block);
  engine_.op(to, actors_.host(), actors_.op_info_in_order_of(stream), {&block, 1});
}

void MemoryLives::pool_freeing(Stream& stream, const void* begin, std::size_t size) {
  const CheckLock::Entry guard(lock_);
  const order::Actor to = actors_.actor(stream);
  const order::OpInfo what = actors_.op_info_in_order_of(stream);
  order::Access all{reinterpret_cast<std::uintptr_t>(begin), size, true};
  all.frees = true;
  engine_.op(to, actors_.host(), what, {&all, 1});
  freed_memory_.add(all.begin, size, what);
}

// ---- blocks of pools of the program ----

void MemoryLives::block_handed_out(const void* begin, std::size_t size) {
  const CheckLock::Entry guard(lock_);
  idle_blocks_.forget(reinterpret_cast<std::uintptr_t>(begin), size);
}

void MemoryLives::block_taken_back(const void* begin, std::size_t size) {
  const CheckLock::Entry guard(lock_);
  idle_blocks_.add(reinterpret_cast<std::uintptr_t>(begin), size, op_info_of_call());
}

// Operations that were enqueued earlier may still use an idle block, so only accesses from now on
// count.
void MemoryLives::report_block(const order::OpInfo& what, std::span<const order::Access> accesses) {
  for (const order::Access& access : accesses) {
    const order::OpInfo* const by = idle_blocks_.find_within(access.begin, access.size);
    if (!by) continue;
    order::Finding finding(order::Rule::dead_handle);
    finding.op_info = what;
    finding.other = *by;
    finding.where = access;
    finding.text = fmt::format(
        "{{it}} {} {{bytes}} of a block that {{other}} took back",
        what.declared || !access.write ? order::access_verb(access.write) : "may write");
    finding.title = order::sentences::kUseAfterFreeTitle;
    finding.repair = "move {other} after the last use of the block";
    reporter_.add(std::move(finding));
    return;
  }
}

// ---- uses after the end ----

void MemoryLives::no_memory_found(const void* address, const char* argument) {
  if (*thread_state().call == 0) return;  // a thread of the machine
  const CheckLock::Entry guard(lock_);
  const order::OpInfo* const by = freed_memory_.find(reinterpret_cast<std::uintptr_t>(address));
  if (!by) return;
  reporter_.add(
      use_after_free(op_info_of_call(), *by, order::sentences::points_into_freed(argument)));
}

// A block that went back to its pool is still live memory of the machine: the pool holds it.
bool MemoryLives::is_live(const void* address) const {
  auto found = runtime_.memory().find(address);
  if (!found) return false;
  const bool pooled = MemoryLabel::of(*found).use == MemoryLabel::Use::pooled;
  return !pooled || runtime_.section<MemoryPools>().narrow(*found);
}

// Memory of the program itself may live on.
const order::OpInfo* MemoryLives::freed_by(const void* address) const {
  const sim::Memory& memory = runtime_.memory();
  if (!memory.space_of(address) && !memory.mappings().holds(address)) return nullptr;
  if (is_live(address)) return nullptr;
  return freed_memory_.find(reinterpret_cast<std::uintptr_t>(address));
}

void MemoryLives::nothing_to_free(const void* address) {
  const CheckLock::Entry guard(lock_);
  const order::OpInfo* const by = freed_by(address);
  order::Finding finding(order::Rule::dead_handle);
  finding.title = by ? "double free" : order::sentences::kInvalidFreeTitle;
  finding.op_info = op_info_of_call();
  if (by) finding.other = *by;
  if (by) finding.repair = "free the memory once: remove {it} here, or {other}";
  finding.text = by ? "{it} frees memory that {other} released before"
                    : fmt::format("{} is not the start of a live allocation", address);
  reporter_.add(std::move(finding));
}

// A call looks up the addresses that it is given. The addresses of a kernel are looked up here.
bool MemoryLives::report_if_freed(const order::OpInfo& what, const void* address) {
  const order::OpInfo* const by = freed_by(address);
  if (!by) return false;
  order::Finding finding =
      use_after_free(what, *by, "{it} is given memory that {other} released before");
  set_guess(finding, guess_between(what, *by));
  reporter_.add(std::move(finding));
  return true;
}

void MemoryLives::report_freed(const order::OpInfo& what, std::span<const order::Access> accesses) {
  for (const order::Access& access : accesses) {
    if (report_if_freed(what, reinterpret_cast<const void*>(access.begin))) return;
  }
}

// Without declared ranges, a word among the arguments may be an address by chance.
void MemoryLives::check_freed_arguments(order::OpInfo what, const sim::Op& kernel) {
  if (freed_memory_.empty()) return;
  what.declared = false;
  any_argument(runtime_.memory(), kernel, [&](const void* address) {
    check_lock.assert_held();

    return report_if_freed(what, address);
  });
}

void MemoryLives::clear() {
  freed_memory_.clear();
  idle_blocks_.clear();
}

}  // namespace acl
