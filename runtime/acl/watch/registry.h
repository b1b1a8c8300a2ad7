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

/// The conditions that a call checks. They are bits of one word, so that a call reads it once.
enum Attention : unsigned {
  kSpans = 1,       // a sink measures calls
  kActs = 2,        // a listener hears of acts of the program
  kCallBegins = 4,  // a listener hears that a call begins, or an intervener is asked
  kForked = 8,      // no listener, and the machine does not exist any more: calls fail
};

namespace detail {
inline std::atomic<unsigned> attention{0};
inline std::atomic<Listener*> listener{nullptr};
inline std::atomic<bool> ordered{false};
inline std::atomic<trace_output::Sink*> spans{nullptr};
inline std::atomic<Intervener*> intervener{nullptr};
}  // namespace detail

inline unsigned attention() noexcept { return detail::attention.load(std::memory_order_acquire); }
/// The listener for acts of the program: null, one, or a fan-out of several.
inline Listener* listener() noexcept { return detail::listener.load(std::memory_order_acquire); }
/// Whether one of them sees tasks in the order in which the machine gets them.
inline bool ordered() noexcept { return detail::ordered.load(std::memory_order_relaxed); }
/// The sink for spans; null most of the time.
inline trace_output::Sink* spans() noexcept {
  return detail::spans.load(std::memory_order_acquire);
}
/// The intervener that is asked before an act: null, one, or a fan-out of several.
inline Intervener* intervener() noexcept {
  return detail::intervener.load(std::memory_order_acquire);
}
/// Held around numbering a task and enqueueing it, while `ordered`.
sim::Mutex& order_of(std::uint32_t stream_id) noexcept;

/// Whether a listener has registered for that. The machine's hooks follow from it.
bool wanted(Interest one) noexcept;

// --- registration ---

/// Sets the machine that listeners for spans observe. Before the first registration.
void observe(sim::Driver& driver);
struct Terms {
  Interest interests = Interest::acts;
  bool ordered = false;      // sees `enqueueing`
  bool call_begins = false;  // sees `call_begins`
};
/// Registers a listener before the first task. It is never removed and never destroyed. Listeners
/// are called in the order of their registration.
void add(Listener& listener, Terms terms = {});
void add(Intervener& intervener);
/// From here on listeners see `call_begins`, as if one had been registered for that.
void tell_call_begins();
/// The same for spans only.
void add_permanent_sink(trace_output::Sink& sink);
/// The same at any time, until it is removed.
void add_sink(trace_output::Sink& sink);
/// When this returns no call is inside the sink, and none will come. Not from inside one.
void remove_sink(trace_output::Sink& sink);
/// In a forked child: from here on no listener is called. Safe in a fork handler.
void forget_all() noexcept;

}  // namespace acl::watch
