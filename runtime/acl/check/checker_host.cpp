// SPDX-License-Identifier: Apache-2.0
// What host threads do: they touch memory, free it, end streams.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/findings/reports.h"
#include "runtime/acl/memory/memory_label.h"
#include "runtime/acl/memory/memory_pool.h"
#include "runtime/acl/watch/place_texts.h"
#include "runtime/acl/watch/registry.h"
#include "runtime/acl/watch/sites.h"
#include "runtime/trace/json_text.h"

namespace acl {
void Checker::settle_buffers(order::Actor by) {
  if (guarded_reads_) [[unlikely]] {
    guarded_reads_->settle([&](order::Epoch epoch) { return engine_.any_host_covers(epoch); });
  }
  if (host_buffers_.empty()) return;
  settle_buffers([&](order::Epoch epoch) { return engine_.covers(by, epoch); });
}

void Checker::settle_buffers(const std::function<bool(order::Epoch)>& is_over) {
  host_buffers_.settle(is_over, [&](const HostBuffers::Buffer& buffer) { tell_changed(buffer); });
}

void Checker::tell_changed(const HostBuffers::Buffer& buffer) {
  order::Finding finding(order::Rule::host_buffer);
  finding.op_info = buffer.op_info;
  finding.where = {reinterpret_cast<std::uintptr_t>(buffer.begin), buffer.size, false, true};
  finding.text =
      "the host writes {bytes} that {it} reads, before the host synchronises with the stream";
  add(std::move(finding));
}

// ---- the host touches memory ----

// The place of an allocation is an address of code: of no use beside lines that the program names.
void Checker::describe_memory(order::Finding& finding) const {
  const auto found = runtime_.memory().find(reinterpret_cast<const void*>(finding.where.begin));
  if (!found) return;
  finding.memory = {found->begin, found->size, 0, -1};
  if (found->device != sim::kHostDevice) finding.memory.device = runtime_.logical(found->device);
  if (place_of_named_site(finding.op_info.site)) return;
  finding.memory.site = reinterpret_cast<std::uintptr_t>(found->caller);
}

void Checker::access(const char* what, std::span<const order::Access> accesses) {
  const order::Actor by = host();
  const order::OpInfo info = op_info(what);
  check_blocks(info, accesses);
  engine_.host_access(by, info, accesses);
}

// A block that is idle may still be used by what was enqueued before, so only what comes now
// counts.
void Checker::check_blocks(const order::OpInfo& what, std::span<const order::Access> accesses) {
  if (idle_blocks_.empty()) return;
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
    finding.title = "use after free";
    finding.repair = "move {other} after the last use of the block";
    add(std::move(finding));
    return;
  }
}

void Checker::block_handed_out(const void* begin, std::size_t size) {
  const Entry guard(*this);
  idle_blocks_.forget(reinterpret_cast<std::uintptr_t>(begin), size);
}

void Checker::block_taken_back(const void* begin, std::size_t size) {
  const Entry guard(*this);
  idle_blocks_.add(reinterpret_cast<std::uintptr_t>(begin), size, op_info(nullptr));
}

namespace {
order::Access host_side(Runtime& runtime, const void* begin, std::size_t size, bool write) {
  const auto found = runtime.memory().find(begin);
  return {reinterpret_cast<std::uintptr_t>(begin), size, write,
          !found || found->device == sim::kHostDevice};
}
}  // namespace

void Checker::host_accessed(const sim::MemoryRange& range) {
  const order::Access one[] = {host_side(runtime_, range.begin, range.size, range.written)};
  const Entry guard(*this);
  tell_gone(op_info(nullptr), one);
  access(nullptr, one);
}

void Checker::host_copied(std::span<const sim::MemoryRange> ranges) {
  std::vector<order::Access> accesses;
  accesses.reserve(ranges.size());
  bool to_host = false;
  for (const sim::MemoryRange& range : ranges) {
    accesses.push_back(host_side(runtime_, range.begin, range.size, range.written));
    to_host |= range.written && accesses.back().host;
  }
  const Entry guard(*this);
  if (to_host) require_written(ranges, op_info(nullptr));
  access(nullptr, accesses);
}

void Checker::copying_to_host(Stream& stream, std::span<const sim::MemoryRange> ranges) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  if (engine_.is_blocked(to)) return;
  require_written(ranges, op_info(stream, sim::Op(sim::OpKind::copy), to));
}

// Of many rows the first one that is found says enough.
void Checker::require_written(std::span<const sim::MemoryRange> ranges, const order::OpInfo& what) {
  for (const sim::MemoryRange& range : ranges) {
    if (!range.written && !require_written(range.begin, range.size, what)) return;
  }
}

// What a kernel that declares nothing was given counts as written.
bool Checker::require_written(const void* src, std::size_t size, const order::OpInfo& what) {
  if (may_be_written(src, size)) return true;
  tell_unwritten(what, {reinterpret_cast<std::uintptr_t>(src), size, false, false},
                 "{it} reads {bytes} of which some were never written");
  return false;
}

bool Checker::may_be_written(const void* src, std::size_t size) const {
  const auto found = runtime_.memory().find(src);
  if (!found || found->device == sim::kHostDevice || found->restricted) return true;
  if (unknown_writers_ || shared_.contains(found->begin) || given_.contains(found->begin))
    return true;
  if (engine_.written(reinterpret_cast<std::uintptr_t>(src), size)) return true;
  return mapped_again_.contains(runtime_.memory().mappings().memory_at(src).get());
}

void Checker::tell_unwritten(const order::OpInfo& what, const order::Access& where,
                             const char* text) {
  order::Finding finding(order::Rule::unwritten_read);
  finding.op_info = what;
  finding.where = where;
  finding.text = text;
  add(std::move(finding));
}

// A reduction reads what it works on. After a wait that is not over the bytes may still come.
void Checker::require_written_targets(order::Actor to, const order::OpInfo& what) {
  if (engine_.is_blocked(to)) return;
  for (const order::Access& access : accesses_) {
    if (access.kind != order::AccessKind::reduction) continue;
    if (may_be_written(reinterpret_cast<const void*>(access.begin), access.size)) continue;
    return tell_unwritten(what, access,
                          "{it} is a reduction onto {bytes} of which some were never written");
  }
}

void Checker::freeing(const void* begin, std::size_t size, watch::Freed what) {
  reused(begin, size, what == watch::Freed::pinned_host || what == watch::Freed::registered_host);
}

void Checker::reused(const void* begin, std::size_t size, bool host_memory) {
  const Entry guard(*this);
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  const order::Actor by = host();
  const order::OpInfo what = op_info(nullptr);
  engine_.free(by, what, {at, size, true, host_memory});
  if (guarded_reads_) guarded_reads_->forget(at, size);
  freed_memory_.add(at, size, what);
  idle_blocks_.forget(at, size);
  if (host_memory) host_buffers_.forget(begin, size);
  shared_.erase(at);
  given_.erase(at);
}

void Checker::host_memory_ends(const void* begin, std::size_t size) {
  const Entry guard(*this);
  host_buffers_.forget(begin, size);
}

void Checker::pool_allocated(Stream& stream, const void* begin, std::size_t, std::size_t span,
                             bool over) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  order::Access block{reinterpret_cast<std::uintptr_t>(begin), span, true};
  block.hands_out = true;
  if (over) engine_.renew(block);
  engine_.op(to, host(), in_order_of(stream), {&block, 1});
}

void Checker::allocated(const void* begin, std::size_t size, int) {
  const Entry guard(*this);
  engine_.renew({reinterpret_cast<std::uintptr_t>(begin), size});
}

void Checker::mapped(const void* begin, std::size_t size, const sim::PhysicalMemory* memory,
                     bool fresh) {
  const Entry guard(*this);
  engine_.renew({reinterpret_cast<std::uintptr_t>(begin), size});
  if (fresh) {
    mapped_again_.erase(memory);
  } else {
    mapped_again_.insert(memory);
  }
}

bool Checker::settled(std::span<const sim::MemoryRange> ranges) {
  const Entry guard(*this);
  return std::all_of(ranges.begin(), ranges.end(), [&](const sim::MemoryRange& range) {
    return settled_here(range.begin, range.size);
  });
}

bool Checker::settled_here(const void* begin, std::size_t size) {
  return !engine_.may_be_written_before({reinterpret_cast<std::uintptr_t>(begin), size}, host());
}

void Checker::writes_anywhere() {
  const Entry guard(*this);
  unknown_writers_ = true;
  if (group_log_) group_log_->lost_order(engine_.now(host()));
}

order::OpInfo Checker::in_order_of(const Stream& stream) const {
  order::OpInfo what = op_info(nullptr);
  what.stream = stream.id();
  what.device = static_cast<std::int16_t>(stream.logical_device());
  return what;
}

void Checker::pool_freeing(Stream& stream, const void* begin, std::size_t size) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  const order::OpInfo what = in_order_of(stream);
  order::Access all{reinterpret_cast<std::uintptr_t>(begin), size, true};
  all.frees = true;
  engine_.op(to, host(), what, {&all, 1});
  freed_memory_.add(all.begin, size, what);
}

void Checker::reused_in_order(Stream& stream, const void* begin, std::size_t size) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  order::Access all{reinterpret_cast<std::uintptr_t>(begin), size, true};
  all.frees = all.hands_out = true;
  engine_.op(to, host(), in_order_of(stream), {&all, 1});
}

namespace {

/// Of memory that `by` released before the operation.
order::Finding use_after_free(const order::OpInfo& what, const order::OpInfo& by,
                              std::string text) {
  order::Finding finding(order::Rule::dead_handle);
  finding.op_info = what;
  finding.other = by;
  finding.text = std::move(text);
  finding.title = "use after free";
  finding.repair = "move {other} after the last use of the memory";
  return finding;
}

}  // namespace

void Checker::no_memory_found(const void* address, const char* argument) {
  if (*thread_state().call == 0) return;  // a thread of the machine
  const Entry guard(*this);
  const order::OpInfo* const by = freed_memory_.find(reinterpret_cast<std::uintptr_t>(address));
  if (!by) return;
  add(use_after_free(
      op_info(nullptr), *by,
      fmt::format("{} of {{it}} points into memory that {{other}} released", argument)));
}

// A block that went back to its pool still is the pool's memory.
bool Checker::is_live(const void* address) const {
  auto found = runtime_.memory().find(address);
  if (!found) return false;
  const bool pooled = MemoryLabel::of(*found).use == MemoryLabel::Use::pooled;
  return !pooled || runtime_.section<MemoryPools>().narrow(*found);
}

// Memory that is not the machine's may live on.
const order::OpInfo* Checker::gone(const void* address) const {
  const sim::Memory& memory = runtime_.memory();
  if (!memory.space_of(address) && !memory.mappings().holds(address)) return nullptr;
  if (is_live(address)) return nullptr;
  return freed_memory_.find(reinterpret_cast<std::uintptr_t>(address));
}

void Checker::device_memory_ending(int device) {
  const Entry guard(*this);
  const order::OpInfo what = op_info(nullptr);
  for (const sim::Allocation& piece : runtime_.memory().device(device).live()) {
    if (guarded_reads_) guarded_reads_->forget(piece.begin, piece.size);
    if (is_live(reinterpret_cast<const void*>(piece.begin))) {
      freed_memory_.add(piece.begin, piece.size, what);
    }
  }
}

void Checker::nothing_to_free(const void* address) {
  const Entry guard(*this);
  const order::OpInfo* const by = gone(address);
  order::Finding finding(order::Rule::dead_handle);
  finding.title = by ? "double free" : "invalid free";
  finding.op_info = op_info(nullptr);
  if (by) finding.other = *by;
  if (by) finding.repair = "free the memory once: remove {it} here, or {other}";
  finding.text = by ? "{it} frees memory that {other} released before"
                    : fmt::format("{} is not the start of a live allocation", address);
  add(std::move(finding));
}

// A call that takes addresses looks them up itself; of a kernel's nobody did.
bool Checker::tell_if_gone(const order::OpInfo& what, const void* address) {
  const order::OpInfo* const by = gone(address);
  if (!by) return false;
  order::Finding finding =
      use_after_free(what, *by, "{it} is given memory that {other} released before");
  set_guess(finding, guess_between(what, *by));
  add(std::move(finding));
  return true;
}

void Checker::tell_gone(const order::OpInfo& what, std::span<const order::Access> accesses) {
  if (freed_memory_.empty()) return;
  for (const order::Access& access : accesses) {
    if (tell_if_gone(what, reinterpret_cast<const void*>(access.begin))) return;
  }
}

// Without declared ranges, a word among the arguments may be an address by chance.
void Checker::tell_gone_arguments(order::OpInfo what, const sim::Op& kernel) {
  what.declared = false;
  any_argument(runtime_.memory(), kernel,
               [&](const void* address) { return tell_if_gone(what, address); });
}

// Where nothing was dropped, a thread that serves other streams too may still come to the others.
void Checker::tell_unserved_of(const Stream& stream, bool dropped) {
  const auto tell = [&](const order::OpInfo& callback, bool blocking) {
    if (callback.stream == stream.id() && !drops_calls(stream, blocking)) tell_unserved(callback);
    return false;
  };
  if (dropped) {
    engine_.any_unserved(tell);
  } else {
    engine_.any_never_served(tell);
  }
}

void Checker::stream_ended(Stream& stream, bool dropped) {
  const Entry guard(*this);
  if (!is_known(stream)) return;
  const order::Actor of = actor(stream);
  if (dropped && !engine_.any_host_covers({of, engine_.last(of)})) {
    order::Finding finding(order::Rule::freed_in_use);
    finding.level = order::Level::warning;
    finding.op_info = op_info(nullptr);
    finding.title = "destroyed while in use";
    finding.text =
        fmt::format("{{it}} destroys stream {} with pending work, which is dropped", stream.id());
    add(std::move(finding));
  }
  tell_unserved_of(stream, dropped);
  if (stream.core().failure()) tell_failed_task(stream.id());
  engine_.synchronized(host(), of, engine_.issued(of));
  settle_buffers();
  if (group_log_) group_log_->goes_on(of);
  engine_.end_stream(of, !dropped);
  stream_actors_[stream.id()] = 0;
}

void Checker::stream_aborting(Stream& stream) {
  const Entry guard(*this);
  if (!is_known(stream)) return;
  const order::Actor of = actor(stream);
  engine_.abort(host(), of);
  settle_buffers();
  if (group_log_) group_log_->goes_on(of);
}

// It is no call: only this says when it was.
void Checker::mark_touch(const order::OpInfo& host) {
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

// Callbacks and host functions may touch what tasks before them wrote: they tell nobody by that, so
// the pages are closed again when they are over.
void Checker::host_touched(const HostTouch& touch) {
  const sim::MemoryRange byte{reinterpret_cast<const void*>(touch.address), 1, touch.write};
  watch::listener()->memory_touched(byte, touch.site);
  const Entry guard(*this);
  const order::Actor by = host();
  guarded_reads_->settle([&](order::Epoch epoch) { return engine_.any_host_covers(epoch); });
  guarded_reads_->each_at(touch.address, [&](const GuardedReads::Pending& pending) {
    if (engine_.covers(by, pending.when)) return;
    order::OpInfo what = op_info("the host");
    what.site = touch.site;
    order::Finding finding(pending.host ? order::Rule::host_buffer : order::Rule::race);
    set_guess(finding, guess_between(what, pending.by));
    finding.op_info = what;
    finding.other = pending.by;
    finding.where = {touch.address, 1, touch.write, pending.host};
    finding.text = conflict_text(finding, order::Release::none, {touch.address, 1, true});
    finding.text.replace(finding.text.find("{bytes}"), 7, "memory");
    add(std::move(finding));
    mark_touch(what);
  });
}

void Checker::released(const void* object) {
  const Entry guard(*this);
  engine_.release(host(), annotations_[object]);
}

void Checker::acquired(const void* object) {
  const Entry guard(*this);
  if (const auto at = annotations_.find(object); at != annotations_.end()) {
    engine_.acquire(host(), at->second);
    settle_buffers();
  }
}

}  // namespace acl
