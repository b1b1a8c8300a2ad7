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
  // Whoever moves the machine now gets a moment to come to the end of its step.
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
    // Whoever found nothing ready under the lock is asleep by now.
    const sim::LockGuard guard(mutex_);
    wake = ticker_idle_ && !std::exchange(stirred_, true);
  }
  if (wake) changed_.notify_all();
  turn_token_->wake_all();
}

void Seeded::forget(Stream& stream) { ready_.forget(stream); }

// ---- moving the machine ----

void Seeded::go(Row& row) {
  while (const Ref<Stream> stream = go_up_to_kernel(row)) run_kernel(*stream, row);
}

Ref<Stream> Seeded::go_up_to_kernel(Row& row) {
  const auto over = [&row] {
    return row.dry || row.most <= 0 || (row.lane && row.lane->queued() != 0) ||
           (row.stream && outcome(*row.stream, row.target, row.deadline));
  };
  while (!over()) {
    const Ref<Stream> stream = ready_.take(row.place);
    if (row.place == Place::arriving) row.place = Place::staying;
    row.dry = !stream;
    if (!stream || !stream->try_own()) continue;
    --row.most;
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

void Seeded::run_kernel(Stream& stream, Row& row) {
  const auto finish = [this](Stream& s, Failure failure) {
    move([&] { leave(s, s.finish_kernel(failure)); });
  };
  if (idle_kernel_threads_.empty() && !add_kernel_thread()) {
    return finish(stream, {Error::no_thread, 0});
  }
  KernelThread& thread = *idle_kernel_threads_.back();
  idle_kernel_threads_.pop_back();
  thread.start(Ref<Stream>::share(&stream), [this, &row, finish](Stream& s, Failure failure) {
    finish(s, failure);
    return go_up_to_kernel(row);
  });
  if (!thread.wait(kKernelPatience)) return diverge("a kernel ran for more than 50 ms");
  if (thread.ended()) return finish(thread.ended_by(), {Error::kernel_failed, -1});
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
  move([&] { leave(stream, stream.finish_kernel(failure)); });
}

std::unique_ptr<SeededDriver> make_seeded_driver(const SystemConfig& config, Memory& memory,
                                                 const Clock& clock) {
  return std::make_unique<Seeded>(config, memory, clock);
}

}  // namespace sim
