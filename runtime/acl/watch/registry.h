// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "device_sim/base/mutex.h"
#include "runtime/acl/watch/intervener.h"
#include "runtime/acl/watch/listener.h"

namespace sim {
class Driver;
}

namespace acl::watch {

/// What calls have to look for. One word, so that a call looks once.
enum Attention : unsigned {
  kSpans = 1,       // somebody measures calls
  kActs = 2,        // somebody is told what the program does
  kCallBegins = 4,  // somebody is told that a call begins, or is asked
  kForked = 8,      // nobody, but there is no machine any more: calls fail
};

namespace detail {
inline std::atomic<unsigned> attention{0};
inline std::atomic<Listener*> listener{nullptr};
inline std::atomic<bool> ordered{false};
inline std::atomic<trace_output::Sink*> spans{nullptr};
inline std::atomic<Intervener*> intervener{nullptr};
}  // namespace detail

inline unsigned attention() noexcept { return detail::attention.load(std::memory_order_acquire); }
/// Who is told what the program does: null, a listener, or a fan-out of several.
inline Listener* listener() noexcept { return detail::listener.load(std::memory_order_acquire); }
/// Whether one of them is to see tasks in the order in which the machine gets them.
inline bool ordered() noexcept { return detail::ordered.load(std::memory_order_relaxed); }
/// Who is told of spans; null most of the time.
inline trace_output::Sink* spans() noexcept {
  return detail::spans.load(std::memory_order_acquire);
}
/// Who is asked before things happen; null, one, or a fan-out of several.
inline Intervener* intervener() noexcept {
  return detail::intervener.load(std::memory_order_acquire);
}
/// Held around numbering a task and enqueueing it, while `ordered`.
sim::Mutex& order_of(std::uint32_t stream_id) noexcept;

/// Whether a listener has registered for that. The machine's hooks follow from it.
bool wanted(Interest one) noexcept;

// --- registration ---

/// The machine that listeners of spans observe. Before the first registration.
void observe(sim::Driver& driver);
struct Terms {
  Interest interests = Interest::acts;
  bool ordered = false;      // sees `enqueueing`
  bool call_begins = false;  // sees `call_begins`
};
/// For good: before the first task, and never destroyed. Listeners are told in this order.
void add(Listener& listener, Terms terms = {});
void add(Intervener& intervener);
/// From here on listeners see `call_begins`, as if one had been registered for that.
void tell_call_begins();
/// For spans only: for good, as above.
void add_permanent_sink(trace_output::Sink& sink);
/// The same at any time, until it is removed.
void add_sink(trace_output::Sink& sink);
/// When this returns no call is inside the sink, and none will come. Not from inside one.
void remove_sink(trace_output::Sink& sink);
/// In a forked child, where nothing is told any more. Safe in a fork handler.
void forget_all() noexcept;

}  // namespace acl::watch
