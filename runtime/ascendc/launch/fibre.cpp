// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/fibre.h"

#include <sys/mman.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#include "device_sim/base/sanitizer.h"

#if defined(SIM_ADDRESS_SANITIZER) || defined(SIM_THREAD_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif

// For what is entered on one stack and left on another, or never: ThreadSanitizer counts calls and
// returns of each.
#if defined(SIM_THREAD_SANITIZER)
#define FIBRE_UNFOLLOWED __attribute__((no_sanitize("thread")))
#else
#define FIBRE_UNFOLLOWED
#endif

namespace ascendc {
namespace {

namespace context = boost::context::detail;

constexpr std::size_t kGuardBytes = 64 * 1024;  // larger than a frame usually is
constexpr std::size_t kKeptStacks = 256;

struct Stacks {
  std::mutex mutex;
  std::vector<std::byte*> free;
};
Stacks& stacks() {
  static auto& all = *new Stacks;  // used until the process exits
  return all;
}

std::byte* take_stack() {
  {
    const std::lock_guard guard(stacks().mutex);
    if (!stacks().free.empty()) {
      std::byte* const stack = stacks().free.back();
      stacks().free.pop_back();
      return stack;
    }
  }
  void* const stack = mmap(nullptr, kGuardBytes + Fibre::kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) throw std::bad_alloc();
  mprotect(stack, kGuardBytes, PROT_NONE);
  return static_cast<std::byte*>(stack);
}

void give_stack(std::byte* stack) {
  sim::unpoison(stack + kGuardBytes, Fibre::kStackBytes);  // of frames that were left
  {
    const std::lock_guard guard(stacks().mutex);
    if (stacks().free.size() < kKeptStacks) return stacks().free.push_back(stack);
  }
  munmap(stack, kGuardBytes + Fibre::kStackBytes);
}

FIBRE_UNFOLLOWED void before_switch([[maybe_unused]] void** fake,
                                    [[maybe_unused]] const void* bottom,
                                    [[maybe_unused]] std::size_t size,
                                    [[maybe_unused]] void* tsan) {
#if defined(SIM_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(fake, bottom, size);
#endif
#if defined(SIM_THREAD_SANITIZER)
  if (tsan) __tsan_switch_to_fiber(tsan, 0);
#endif
}

void after_switch([[maybe_unused]] void* fake, [[maybe_unused]] const void** bottom,
                  [[maybe_unused]] std::size_t* size) {
#if defined(SIM_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(fake, bottom, size);
#endif
}

}  // namespace

Fibre::~Fibre() {
  if (stack_) give_stack(stack_);
#if defined(SIM_THREAD_SANITIZER)
  if (tsan_) __tsan_destroy_fiber(tsan_);
#endif
}

void Fibre::start(void (*body)(void*), void* argument) {
  if (!stack_) stack_ = take_stack();
  body_ = body;
  argument_ = argument;
  over_ = false;
  fake_ = nullptr;
  context_ = context::make_fcontext(stack_ + kGuardBytes + kStackBytes, kStackBytes, enter);
#if defined(SIM_THREAD_SANITIZER)
  if (history_ == History::of_caller) return;
  // A new one: of a function that left early it would keep the calls.
  if (tsan_) __tsan_destroy_fiber(tsan_);
  tsan_ = __tsan_create_fiber(0);
#endif
}

bool Fibre::resume() {
  void* fake = nullptr;
#if defined(SIM_THREAD_SANITIZER)
  if (tsan_) tsan_back_ = __tsan_get_current_fiber();
#endif
  before_switch(&fake, stack_ + kGuardBytes, kStackBytes, tsan_);
  const context::transfer_t from = context::jump_fcontext(context_, this);
  after_switch(fake, nullptr, nullptr);
  context_ = from.fctx;
  return !over_;
}

void Fibre::switched_in(context::transfer_t from, void* fake) {
  after_switch(fake, &back_bottom_, &back_size_);
  back_ = from.fctx;
}

FIBRE_UNFOLLOWED void Fibre::enter(context::transfer_t from) {
  auto* const fibre = static_cast<Fibre*>(from.data);
  fibre->switched_in(from, nullptr);
  fibre->body_(fibre->argument_);
  fibre->leave();
}

void Fibre::park() {
  before_switch(&fake_, back_bottom_, back_size_, tsan_back_);
  switched_in(context::jump_fcontext(back_, this), fake_);
}

FIBRE_UNFOLLOWED void Fibre::leave() {
  over_ = true;
  before_switch(nullptr, back_bottom_, back_size_, tsan_back_);
  context::jump_fcontext(back_, this);
  std::abort();  // nobody resumes a fibre that is over
}

bool Fibre::overflowed(const void* address) const noexcept {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= stack_ && at < stack_ + kGuardBytes;
}

}  // namespace ascendc
