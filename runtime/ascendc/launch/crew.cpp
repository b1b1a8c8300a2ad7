// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/crew.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "device_sim/base/all_processors.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "runtime/ascendc/launch/alone.h"
#include "runtime/ascendc/launch/execution.h"

namespace ascendc {

Crew& Crew::get() {
  static auto& crew = *new Crew;
  return crew;
}

void Crew::run(Execution& run) {
  if (!run.wants_help() || run.settings().workers < 2) {
    run.work();
    return note(run, true);
  }
  Entry entry{&run};
  const sim::Nanoseconds began = now_ns();
  bool quiet = false;
  {
    const sim::LockGuard guard(mutex_);
    if (!hire(run.settings().workers)) return run.work();
    quiet = quick_[place(run.code())] >= kTrusted;
    entry.wanted = !quiet;
    if (!quiet) entry.places.add_own();
    begin(entry);
    if (quiet && !patrols_.exchange(true)) quiet = false;  // a thread has to start the patrol
  }
  if (!quiet) wanted_.notify_all();
  run.work();
  const bool quick = was_quick(began);
  end(entry);
  note(run, quick);
}

void Crew::begin(Entry& entry) {
  entry.number = ++launches_;
  entries_.push_back(&entry);
  if (entry.wanted) wanted_.notify_all();
}

void Crew::end(Entry& entry) {
  sim::UniqueLock lock(mutex_);
  std::erase(entries_, &entry);
  left_.wait(lock, [&] { return entry.helpers == 0; });
}

// Notes of threads that come at once may be lost; that does no harm.
void Crew::note(const Execution& run, bool quick) noexcept {
  const auto longer = [](std::uint8_t row) {
    return row < kTrusted ? static_cast<std::uint8_t>(row + 1) : row;
  };
  std::atomic<std::uint8_t>& row = quick_[place(run.code())];
  row.store(quick ? longer(row.load(std::memory_order_relaxed)) : 0, std::memory_order_relaxed);
  std::atomic<std::uint8_t>& calm = calm_[place(run.code())];
  calm.store(quick && !run.called() ? longer(calm.load(std::memory_order_relaxed)) : 0,
             std::memory_order_relaxed);
}

void Crew::add(Alone& alone) {
  const sim::LockGuard guard(mutex_);
  alone_.push_back(&alone);
}

void Crew::remove(Alone& alone) {
  const sim::LockGuard guard(mutex_);
  std::erase(alone_, &alone);
}

// False if the crew has no thread: the caller runs all blocks.
bool Crew::hire(std::uint32_t workers) {
  try {
    while (threads_ + 1 < workers) {
      sim::start_thread(sim::Signals::blocked, [this] { help(); }).detach();
      ++threads_;
    }
  } catch (const std::exception&) {  // the system gives no more
  }
  return threads_ != 0;
}

void Crew::help() {
  const bool orders = sim::can_order_all_processors();
  sim::UniqueLock lock(mutex_);
  if (orders) orders_.store(true, std::memory_order_relaxed);
  for (;;) {
    Entry& entry = next(lock);
    ++entry.helpers;
    if (patrols_ && !looking_) wanted_.notify_one();  // another one looks meanwhile
    const bool apart = entry.places.add_own();
    const sim::Processors places = entry.places;
    lock.unlock();
    if (!apart) places.leave();
    help(*entry.run);
    lock.lock();
    std::erase(entries_, &entry);  // it is over
    --entry.helpers;
    left_.notify_all();
  }
}

// The thread counts as part of a kernel meanwhile.
void Crew::help(Execution& run) {
  if (!run.settings().guarded) return run.work();
  acl_runtime()->enter_kernel();
  run.work();
  acl_runtime()->leave_kernel();
}

// A launch that wants help.
Crew::Entry& Crew::next(sim::UniqueLock<sim::Mutex>& lock) {
  for (;;) {
    for (Entry* const entry : entries_) {
      if (entry->wanted) return *entry;
    }
    if (!patrols_ || looking_) {
      wanted_.wait(lock);
    } else {
      look(lock);
    }
  }
}

void Crew::look(sim::UniqueLock<sim::Mutex>& lock) {
  looking_ = true;
  const std::uint64_t before = launches_;
  for (Alone* const one : alone_) one->looked_at();
  wanted_.wait_until(lock, sim::Deadline::in(kLook).at());
  looking_ = false;
  for (Entry* const entry : entries_) entry->wanted |= entry->number <= before;
  bool more = launches_ != before || !entries_.empty();
  bool any_long = false;
  for (const Alone* const one : alone_) {
    more |= one->has_begun_more();
    any_long |= one->takes_long();
  }
  if (any_long) take_long_ones();
  if (more || any_long) return;
  patrols_ = false;
  sim::order_all_processors();  // a launch that begins now sees patrols_ == false, or is seen here
  for (const Alone* const one : alone_) {
    if (one->runs()) patrols_ = true;
  }
}

// Those become launches like others, which want help.
void Crew::take_long_ones() {
  for (Alone* const one : alone_) one->stop();
  sim::order_all_processors();
  for (Alone* const one : alone_) one->take();
}

}  // namespace ascendc
