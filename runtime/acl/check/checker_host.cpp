// SPDX-License-Identifier: Apache-2.0
// What host threads do: they wait, touch memory, free it, end streams.
#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "device_sim/streams/stream.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/check/reports.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/sites.h"

namespace acl {
namespace {

bool served_by_caller(Stream& stream) {
  const auto self = static_cast<std::uint64_t>(pthread_self());
  const std::lock_guard guard(stream.subscription_mutex());
  return (stream.report.lane && stream.report.thread_id == self) ||
         (stream.host_func.lane && stream.host_func.thread_id == self);
}

}  // namespace

// ---- the host waits ----

Checker::Waiting Checker::begins_to_wait(Stream& stream, bool asked) {
  order::Actor of = 0;
  std::uint32_t issued = 0;
  {
    const Entry guard(*this);
    of = actor(stream);
    const bool in_callback = thread_state().in_callback;
    if (!in_callback && host_buffers_.empty() && engine_.has_learnt_all_of(host(), of)) {
      if (asked && engine_.last(of) != 0) tell_redundant_wait();
      return {.over = true};
    }
    issued = engine_.issued(of);
    if (!in_callback && !engine_.stands(of)) return {issued, of, false, false, asked};
  }
  return {issued, of, tell_if_for_ever(stream, of), false, asked};
}

void Checker::tell_redundant_wait() {
  const ThreadState& thread = thread_state();
  if (redundant_waits_.again(call_site_of(thread), thread.call)) return;
  const order::Deed what = deed(nullptr);
  tell_redundant_waits(what, 1);
  redundant_waits_.begin(
      what, [&](const auto& other, std::uint64_t times) { tell_redundant_waits(other, times); });
}

void Checker::tell_redundant_waits(const order::Deed& what, std::uint64_t times) {
  order::Finding finding(order::Rule::redundant_wait);
  finding.deed = what;
  finding.text = "{it} adds no order; everything that it waits for already happens before the call";
  add(std::move(finding), times);
}

void Checker::tell_repeated() {
  redundant_waits_.end(
      [&](const auto& what, std::uint64_t times) { tell_redundant_waits(what, times); });
}

bool Checker::tell_if_for_ever(Stream& stream, order::Actor actor) {
  std::optional<order::Finding> found;
  const bool served_here = served_by_caller(stream);
  {
    const Entry guard(*this);
    found = waits_for_itself(stream);
    if (!found && served_here) found = waits_for_its_server(stream);
    if (!found) found = waits_for_stuck(engine_.stuck(actor));
  }
  return found && tell_now(std::move(*found));
}

bool Checker::begins_to_wait(sim::Signal& signal) {
  std::optional<order::Finding> for_ever;
  {
    const Entry guard(*this);
    tell_blocking_call();
    if (const auto* const node = node_of(signal)) for_ever = waits_for_stuck(engine_.stuck(*node));
  }
  return for_ever && tell_now(std::move(*for_ever));
}

void Checker::tell_blocking_call() {
  if (!thread_state().in_callback) return;
  order::Finding finding(order::Rule::blocking_call);
  finding.deed = deed(nullptr);
  finding.text = "{it} blocks inside a callback; the thread serves no other callback meanwhile";
  add(std::move(finding));
}

std::optional<order::Finding> Checker::waits_for_itself(const Stream& stream) {
  if (thread_state().serves_stream != stream.id() + 1) {
    tell_blocking_call();
    return std::nullopt;
  }
  order::Finding finding(order::Rule::callback_blocks);
  finding.deed = deed(nullptr);
  finding.text = fmt::format(
      "{{it}} waits for stream {} from a blocking callback of stream {}; neither can complete",
      stream.id(), stream.id());
  return finding;
}

// The thread is the one that serves the stream's callbacks.
std::optional<order::Finding> Checker::waits_for_its_server(const Stream& stream) {
  std::optional<order::Finding> found;
  engine_.any_unserved([&](const order::Deed& callback, bool stands) {
    if (callback.stream != stream.id() || !stands) return false;
    found.emplace(order::Rule::deadlock);
    found->deed = deed(nullptr);
    found->other = callback;
    found->text = "{it} waits for {other}, which only the calling thread can run";
    return true;
  });
  return found;
}

// Another thread may still end a wait that nothing ends so far. Told once for each place.
std::optional<order::Finding> Checker::waits_for_stuck(const order::Engine::Stuck& stuck) {
  if (stuck.waits.empty()) return std::nullopt;
  order::Finding finding(order::Rule::deadlock);
  if (!stuck.cycle) finding.level = order::Level::warning;
  finding.deed = deed(nullptr);
  finding.other = stuck.waits.front();
  finding.behind.assign(stuck.waits.begin() + 1, stuck.waits.end());
  finding.text = stuck.cycle
                     ? "{it} never returns; these waits form a cycle: {waits}"
                     : "{it} may never return; no operation enqueued so far satisfies {waits}";
  return finding;
}

// The call may never return, and nobody else would tell. False: the finding is below what is told,
// or expected.
bool Checker::tell_now(order::Finding finding) {
  if (finding.level < config_.report_from) return false;
  {
    const Entry guard(*this);
    tell_repeated();
    if (!stuck_sites_.insert(finding.deed.site).second) {
      findings_.again(finding);
      return true;
    }
  }
  const std::size_t before = findings_.count(order::Level::note);
  findings_.add(order::Finding(finding));
  if (findings_.count(order::Level::note) == before) return false;
  tell_at_once(config_, finding, findings_.all());
  return true;
}

void Checker::learn_from(const Waiting& waiting) {
  const Entry guard(*this);
  const order::Actor by = host();
  const bool learnt = engine_.synchronized(by, static_cast<order::Actor>(waiting.stream),
                                           static_cast<std::uint32_t>(waiting.issued));
  if (!learnt && waiting.asked && waiting.issued != 0) tell_redundant_wait();
  settle_buffers();
}

void Checker::synchronized(sim::Signal& signal) {
  const Entry guard(*this);
  if (const auto* const node = node_of(signal)) engine_.synchronized(host(), *node);
  settle_buffers();
}

void Checker::settle_buffers(order::Actor by) {
  if (host_buffers_.empty()) return;
  host_buffers_.settle([&](order::Epoch epoch) { return engine_.knows(by, epoch); },
                       [&](const HostBuffers::Buffer& buffer) { tell_changed(buffer); });
}

void Checker::tell_changed(const HostBuffers::Buffer& buffer) {
  order::Finding finding(order::Rule::host_buffer);
  finding.deed = buffer.deed;
  finding.where = {reinterpret_cast<std::uintptr_t>(buffer.begin), buffer.size, false, true};
  finding.text =
      "the host writes {bytes} that {it} reads, before the host synchronizes with the stream";
  add(std::move(finding));
}

// ---- the host touches memory ----

// The place of an allocation is an address of code: of no use beside lines that the program names.
void Checker::describe_memory(order::Finding& finding) const {
  const auto found = runtime_.memory().find(reinterpret_cast<const void*>(finding.where.begin));
  if (!found) return;
  finding.memory = {found->begin, found->size, 0, -1};
  if (found->device != sim::kHostDevice) finding.memory.device = runtime_.logical(found->device);
  if (place_of_named_site(finding.deed.site)) return;
  finding.memory.site = reinterpret_cast<std::uintptr_t>(found->caller);
}

void Checker::access(const char* what, std::span<const order::Access> accesses) {
  const order::Actor by = host();
  engine_.host_access(by, deed(what), accesses);
}

namespace {
order::Access host_side(Runtime& runtime, const void* begin, std::size_t size, bool write) {
  const auto found = runtime.memory().find(begin);
  return {reinterpret_cast<std::uintptr_t>(begin), size, write,
          !found || found->device == sim::kHostDevice};
}
}  // namespace

void Checker::touched(const sim::MemoryRange& range) {
  const order::Access one[] = {host_side(runtime_, range.begin, range.size, range.written)};
  const Entry guard(*this);
  access(nullptr, one);
}

void Checker::copied(void* dst, const void* src, std::size_t size) {
  const order::Access two[] = {host_side(runtime_, src, size, false),
                               host_side(runtime_, dst, size, true)};
  const Entry guard(*this);
  if (two[1].host) require_written(src, size, deed(nullptr));
  access(nullptr, two);
}

void Checker::copies_to_host(const void* src, std::size_t size, Stream& stream) {
  const Entry guard(*this);
  const sim::Op op(sim::OpKind::copy);
  const order::Actor to = actor(stream);
  if (!engine_.stands(to)) require_written(src, size, deed(stream, op, to));
}

void Checker::copies_to_host(std::span<const sim::MemoryRange> ranges, Stream& stream) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  if (engine_.stands(to)) return;
  require_written(ranges, deed(stream, sim::Op(sim::OpKind::copy), to));
}

void Checker::copies_to_host(std::span<const sim::MemoryRange> ranges) {
  const Entry guard(*this);
  require_written(ranges, deed(nullptr));
}

// Of many rows the first one that is found says enough.
void Checker::require_written(std::span<const sim::MemoryRange> ranges, const order::Deed& what) {
  for (const sim::MemoryRange& range : ranges) {
    if (!range.written && !require_written(range.begin, range.size, what)) return;
  }
}

// What a kernel that declares nothing was given counts as written.
bool Checker::require_written(const void* src, std::size_t size, const order::Deed& what) {
  const auto found = runtime_.memory().find(src);
  if (!found || found->device == sim::kHostDevice || found->restricted) return true;
  if (unknown_writers_ || shared_.contains(found->begin)) return true;
  if (engine_.written(reinterpret_cast<std::uintptr_t>(src), size)) return true;
  if (mapped_again_.contains(runtime_.memory().mappings().memory_at(src).get())) return true;
  order::Finding finding(order::Rule::unwritten_read);
  finding.deed = what;
  finding.where = {reinterpret_cast<std::uintptr_t>(src), size, false, false};
  finding.text = "{it} reads {bytes} of which some were never written";
  add(std::move(finding));
  return false;
}

void Checker::freeing(const void* begin, std::size_t size, bool host_memory) {
  const Entry guard(*this);
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  const order::Actor by = host();
  const order::Deed what = deed(nullptr);
  engine_.free(by, what, {at, size, true, host_memory});
  freed_memory_.add(at, size, what);
  if (host_memory) host_buffers_.forget(begin, size);
  shared_.erase(at);
}

void Checker::host_memory_ends(const void* begin, std::size_t size) {
  const Entry guard(*this);
  host_buffers_.forget(begin, size);
}

void Checker::allocated_async(const void* begin, std::size_t size, Stream& stream, bool over) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  order::Deed what = deed(nullptr);
  what.stream = stream.id();
  what.device = static_cast<std::int16_t>(stream.logical_device());
  order::Access block{reinterpret_cast<std::uintptr_t>(begin), size, true};
  block.hands_out = true;
  if (over) engine_.renew(block);
  engine_.op(to, host(), what, {&block, 1});
}

void Checker::allocated(const void* begin, std::size_t size) {
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

bool Checker::settled(const void* begin, std::size_t size) {
  const Entry guard(*this);
  return settled_here(begin, size);
}

bool Checker::settled_here(const void* begin, std::size_t size) {
  return !engine_.may_be_written_before({reinterpret_cast<std::uintptr_t>(begin), size}, host());
}

void Checker::writes_anywhere() {
  const Entry guard(*this);
  unknown_writers_ = true;
}

void Checker::freeing_async(const void* begin, std::size_t size, Stream& stream) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  order::Deed what = deed(nullptr);
  what.stream = stream.id();
  what.device = static_cast<std::int16_t>(stream.logical_device());
  const order::Access all[] = {
      {reinterpret_cast<std::uintptr_t>(begin), size, true, false, true}};
  engine_.op(to, host(), what, all);
  freed_memory_.add(all[0].begin, size, what);
}

void Checker::found_no_memory(const void* address, const char* argument) {
  if (*thread_state().call == 0) return;  // a thread of the machine
  const Entry guard(*this);
  const order::Deed* const by = freed_memory_.find(reinterpret_cast<std::uintptr_t>(address));
  if (!by) return;
  order::Finding finding(order::Rule::dead_handle);
  finding.deed = deed(nullptr);
  finding.other = *by;
  finding.text = fmt::format("{} of {{it}} points into memory that {{other}} released", argument);
  finding.title = "use after free";
  finding.repair = "free the memory after its last use";
  add(std::move(finding));
}

void Checker::stream_ends(Stream& stream, bool dropped) {
  const Entry guard(*this);
  const order::Actor of = actor(stream);
  if (dropped && !engine_.knows_all_of(host(), of)) {
    order::Finding finding(order::Rule::freed_in_use);
    finding.level = order::Level::warning;
    finding.deed = deed(nullptr);
    finding.title = "destroyed while in use";
    finding.text =
        fmt::format("{{it}} destroys stream {} with pending work, which is dropped", stream.id());
    add(std::move(finding));
  }
  if (dropped) {
    engine_.any_unserved([&](const order::Deed& callback, bool) {
      if (callback.stream == stream.id()) tell_unserved(callback);
      return false;
    });
  }
  engine_.synchronized(host(), of, engine_.issued(of));
  settle_buffers();
  if (family_) family_->goes_on(of);
  engine_.end_stream(of);
  stream_actors_[stream.id()] = 0;
}

void Checker::aborting(Stream& stream) {
  const Entry guard(*this);
  const order::Actor of = actor(stream);
  engine_.abort(host(), of);
  settle_buffers();
  if (family_) family_->goes_on(of);
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
