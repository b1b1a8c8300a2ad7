// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/crew.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <list>
#include <mutex>

#include "device_sim/base/thread.h"
#include "runtime/ascendc/launch/run.h"

namespace ascendc {
namespace {

/// Threads that help with launches. They live as long as the process.
class Crew {
 public:
  static Crew& get() {
    static auto& crew = *new Crew;
    return crew;
  }

  void run(Run& run) {
    Entry entry{&run, 0};
    {
      const std::lock_guard guard(mutex_);
      if (!hire(run.settings().workers)) return run.work();
      entries_.push_back(&entry);
    }
    wanted_.notify_all();
    run.work();
    std::unique_lock lock(mutex_);
    entries_.remove(&entry);
    left_.wait(lock, [&] { return entry.helpers == 0; });
  }

 private:
  struct Entry {
    Run* run;
    std::uint32_t helpers;
  };

  // With mutex_. False when there is nobody: one thread runs all.
  bool hire(std::uint32_t workers) {
    try {
      while (threads_ + 1 < workers) {
        sim::start_thread(sim::Signals::blocked, [this] { help(); }).detach();
        ++threads_;
      }
    } catch (const std::exception&) {  // the system gives no more
    }
    return threads_ != 0;
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wanted_.wait(lock, [this] { return !entries_.empty(); });
      Entry& entry = *entries_.front();
      ++entry.helpers;
      lock.unlock();
      entry.run->work();
      lock.lock();
      entries_.remove(&entry);  // it is over
      --entry.helpers;
      left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wanted_;
  std::condition_variable left_;
  std::list<Entry*> entries_;
  std::uint32_t threads_ = 0;
};

}  // namespace

void run_with_crew(Run& run) {
  if (!run.wants_help() || run.settings().workers < 2) return run.work();
  Crew::get().run(run);
}

}  // namespace ascendc
