// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/registry.h"

#include <algorithm>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/streams/driver.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/watch/fan_out.h"

namespace acl::watch {
namespace {

constinit sim::Mutex registration;
sim::Mutex order[64];
sim::Driver* machine = nullptr;
bool wants_call_begins GUARDED_BY(registration) = false;
std::atomic<unsigned> all_interests{0};

// Never destroyed: calls may still come while the process ends.
FanOut& fan_out() {
  static auto* const one = new FanOut;
  return *one;
}
SpanFanOut& span_fan_out() {
  static auto* const one = new SpanFanOut;
  return *one;
}
InterveningFanOut& intervening_fan_out() {
  static auto* const one = new InterveningFanOut;
  return *one;
}

void tell_handle_ended(const void* handle) noexcept {
  try {
    if (Listener* const listener = watch::listener()) listener->handle_ended(handle);
  } catch (...) {
    // The handle has ended nevertheless.
  }
}

void publish_attention() REQUIRES(registration) {
  const bool asks = wants_call_begins || intervener();
  detail::attention.store(
      (spans() ? kSpans : 0U) | (listener() ? kActs : 0U) | (asks ? kCallBegins : 0U),
      std::memory_order_release);
}

void publish_spans() REQUIRES(registration) {
  trace_output::Sink* const sink = span_fan_out().shortest();
  detail::spans.store(sink, std::memory_order_release);
  if (machine) machine->set_observer(sink);
  publish_attention();
}

}  // namespace

sim::Mutex& order_of(std::uint32_t stream_id) noexcept {
  return order[stream_id % std::size(order)];
}

bool wanted(Interest one) noexcept {
  return wants(static_cast<Interest>(all_interests.load(std::memory_order_relaxed)), one);
}

void observe(sim::Driver& driver) { machine = &driver; }

void add(Listener& added, Terms terms) {
  const sim::LockGuard guard(registration);
  all_interests.fetch_or(static_cast<unsigned>(terms.interests), std::memory_order_relaxed);
  if (wants(terms.interests, Interest::spans)) {
    span_fan_out().add_permanent(added);
    publish_spans();
  }
  if (!wants(terms.interests, Interest::acts)) return;
  fan_out().add(added);
  Listener* const all = listener() ? &fan_out() : &added;
  detail::listener.store(all, std::memory_order_release);
  handle_ended.store(tell_handle_ended, std::memory_order_release);
  if (terms.ordered) detail::ordered.store(true, std::memory_order_relaxed);
  wants_call_begins |= terms.call_begins;
  publish_attention();
}

void add(Intervener& added) {
  const sim::LockGuard guard(registration);
  intervening_fan_out().add(added);
  Intervener* const all = intervener() ? &intervening_fan_out() : &added;
  detail::intervener.store(all, std::memory_order_release);
  publish_attention();
}

void tell_call_begins() {
  if ((attention() & kCallBegins) != 0) return;
  const sim::LockGuard guard(registration);
  wants_call_begins = true;
  publish_attention();
}

void add_permanent_sink(trace_output::Sink& sink) {
  const sim::LockGuard guard(registration);
  span_fan_out().add_permanent(sink);
  publish_spans();
}

// A sink that may be removed is reached only through the fan-out, which counts the calls in it.
void add_sink(trace_output::Sink& sink) {
  const sim::LockGuard guard(registration);
  span_fan_out().add(sink);
  publish_spans();
}

void remove_sink(trace_output::Sink& sink) {
  const sim::LockGuard guard(registration);
  span_fan_out().remove(sink);
  publish_spans();
}

void forget_all() noexcept {
  detail::attention.store(kForked, std::memory_order_relaxed);
  detail::ordered.store(false, std::memory_order_relaxed);
  detail::listener.store(nullptr, std::memory_order_relaxed);
  detail::spans.store(nullptr, std::memory_order_relaxed);
  detail::intervener.store(nullptr, std::memory_order_relaxed);
}

}  // namespace acl::watch
