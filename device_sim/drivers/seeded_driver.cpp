// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/seeded_driver.h"

#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "device_sim/drivers/seeded.h"

namespace sim {
namespace {

using namespace std::chrono_literals;
constexpr auto kKernelPatience = 50ms;

}  // namespace

Seeded::Seeded(const SystemConfig& config, Memory& memory, const Clock& clock)
    : SeededDriver(memory, clock),
      ready_(config.strategy, config.seed, config.decisions_path,
             [this](std::uint32_t stream, std::uint64_t number) {
               return hooks().place_of ? hooks().place_of(hooks().self, stream, number)
                                       : std::string();
             }),
      turn_token_(std::make_shared<TurnToken>(config.seed)),
      ticker_(start_thread(Signals::handled, [this] { tick(); })) {}

Seeded::~Seeded() {
  {
    const sim::LockGuard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (ticker_.joinable()) ticker_.join();
  kernel_threads_.clear();  // a late kernel still uses everything else when it returns
}

void Seeded::close() {
  {
    const sim::LockGuard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  closing_ = true;
  // A thread that is moving the machine gets some time to finish its step.
  const Deadline patience = Deadline::in(2 * kKernelPatience);
  while (!turn_.try_lock()) {
    if (patience.passed()) return;
    std::this_thread::yield();
  }
  turn_.unlock();
  ticker_.join();  // nothing holds it up now
  const sim::LockGuard turn(turn_);
  ready_.finish();
}

void Seeded::on_ready(Stream& stream) {
  ready_.add(stream);
  bool wake = false;
  {
    // If the ticker found no ready stream under the lock, it is asleep by now.
    const sim::LockGuard guard(mutex_);
    wake = ticker_idle_ && !std::exchange(stirred_, true);
  }
  if (wake) changed_.notify_all();
  turn_token_->wake_all();
}

void Seeded::forget(Stream& stream) { ready_.forget(stream); }

// ---- moving the machine ----

void Seeded::go(Batch& batch) {
  while (const Ref<Stream> stream = go_up_to_kernel(batch)) run_kernel(*stream, batch);
}

Ref<Stream> Seeded::go_up_to_kernel(Batch& batch) {
  const auto over = [&batch] {
    return batch.dry || batch.most <= 0 || (batch.lane && batch.lane->queued() != 0) ||
           (batch.stream && outcome(*batch.stream, batch.target, batch.deadline));
  };
  while (!over()) {
    const Ref<Stream> stream = ready_.take(batch.phase);
    if (batch.phase == Phase::arriving) batch.phase = Phase::staying;
    batch.dry = !stream;
    if (!stream || !stream->try_own()) continue;
    --batch.most;
    activity_.fetch_add(1, std::memory_order_relaxed);
    Stream::Step step{};
    move([&] {
      step = stream->step();
      if (step != Stream::Step::kernel) leave(*stream, step);
    });
    if (step == Stream::Step::kernel) return stream;
  }
  return {};
}

void Seeded::leave(Stream& stream, Stream::Step step) {
  if (step == Stream::Step::moved) stream.let_go();  // the schedule does not choose who goes idle
}

void Seeded::diverge(const char* reason) {
  if (diverged_.exchange(true)) return;
  if (hooks().diverged) hooks().diverged(hooks().self, reason);
}

// ---- kernels ----

void Seeded::finish_kernel(Stream& stream, Failure failure) {
  move([&] { leave(stream, stream.finish_kernel(failure)); });
}

void Seeded::run_kernel(Stream& stream, Batch& batch) {
  if (idle_kernel_threads_.empty() && !add_kernel_thread()) {
    return finish_kernel(stream, {Error::no_thread, 0});
  }
  KernelThread& thread = *idle_kernel_threads_.back();
  idle_kernel_threads_.pop_back();
  // Not analysed: the kernel's thread calls this while the calling thread waits below and holds
  // turn_ for it.
  const auto go_on = [this, &batch](Stream& s, Failure failure) NO_THREAD_SAFETY_ANALYSIS {
    finish_kernel(s, failure);
    return go_up_to_kernel(batch);
  };
  thread.start(Ref<Stream>::share(&stream), go_on);
  if (!thread.wait(kKernelPatience)) return diverge("a kernel ran for more than 50 ms");
  if (thread.ended()) return finish_kernel(thread.ended_by(), {Error::kernel_failed, -1});
  idle_kernel_threads_.push_back(&thread);
}

bool Seeded::add_kernel_thread() {
  const auto late = [this](KernelThread& thread, Stream& s, Failure failure) {
    kernel_done(thread, s, failure);
  };
  try {
    kernel_threads_.push_back(std::make_unique<KernelThread>(late));
  } catch (const MachineError&) {
    return false;
  }
  idle_kernel_threads_.push_back(kernel_threads_.back().get());
  return true;
}

void Seeded::kernel_done(KernelThread& thread, Stream& stream, Failure failure) {
  const sim::LockGuard turn(turn_);
  if (!thread.ended()) idle_kernel_threads_.push_back(&thread);
  finish_kernel(stream, failure);
}

std::unique_ptr<SeededDriver> make_seeded_driver(const SystemConfig& config, Memory& memory,
                                                 const Clock& clock) {
  return std::make_unique<Seeded>(config, memory, clock);
}

}  // namespace sim
