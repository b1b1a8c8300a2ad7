// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/fibre.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "device_sim/base/valgrind.h"

#if defined(SIM_ADDRESS_SANITIZER) || defined(SIM_THREAD_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(SIM_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
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

struct Stack {
  std::byte* bytes;
  unsigned number;  // of valgrind's list of stacks
};

struct Stacks {
  sim::Mutex mutex;
  std::vector<std::byte*> free GUARDED_BY(mutex);
  std::vector<Stack> shown GUARDED_BY(mutex);  // to valgrind, if the process runs under it
};
Stacks& stacks() {
  static auto& all = *new Stacks;  // used until the process exits
  return all;
}

// Otherwise memcheck takes a switch between stacks for one large frame.
void show_to_valgrind([[maybe_unused]] std::byte* stack) {
#if defined(VALGRIND_STACK_REGISTER)
  if (!sim::on_valgrind()) return;
  const unsigned number =
      VALGRIND_STACK_REGISTER(stack + kGuardBytes, stack + kGuardBytes + Fibre::kStackBytes - 1);
  const sim::LockGuard guard(stacks().mutex);
  stacks().shown.push_back({stack, number});
#endif
}

void hide_from_valgrind([[maybe_unused]] std::byte* stack) {
#if defined(VALGRIND_STACK_REGISTER)
  if (!sim::on_valgrind()) return;
  const sim::LockGuard guard(stacks().mutex);
  std::erase_if(stacks().shown, [stack](const Stack& one) {
    if (one.bytes == stack) VALGRIND_STACK_DEREGISTER(one.number);
    return one.bytes == stack;
  });
#endif
}

std::byte* take_stack() {
  {
    const sim::LockGuard guard(stacks().mutex);
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
  auto* const bytes = static_cast<std::byte*>(stack);
  show_to_valgrind(bytes);
  return bytes;
}

void give_stack(std::byte* stack) {
  sim::unpoison(stack + kGuardBytes, Fibre::kStackBytes);  // of frames that were left
  {
    const sim::LockGuard guard(stacks().mutex);
    if (stacks().free.size() < kKeptStacks) return stacks().free.push_back(stack);
  }
  hide_from_valgrind(stack);
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
  if (!stack_) {
    stack_ = take_stack();
  } else {
    sim::unpoison(stack_ + kGuardBytes, kStackBytes);  // of frames that the last body left
  }
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

#if defined(__x86_64__) && !defined(SIM_ADDRESS_SANITIZER) && !defined(SIM_THREAD_SANITIZER)
// Debuggers find the caller from the other stack through its frame pointer. A function that does
// not reach the end of `body` jumps to the label; only these two registers keep their values.
__attribute__((noinline)) bool Fibre::call(void (*body)(void*), void* argument) {
  if (!stack_) stack_ = take_stack();
  body_ = body;
  argument_ = argument;
  over_ = false;
  called_ = true;
  Fibre* self = this;
  void** caller = caller_;
  std::byte* top = stack_ + kGuardBytes + kStackBytes;
  void (*run)(Fibre*) = [](Fibre* fibre) { fibre->enter_call(); };
  asm volatile("" : : "r"(__builtin_frame_address(0)));
  asm volatile(
      "leaq 1f(%%rip), %%rbx\n\t"
      "movq %%rsp, (%%rcx)\n\t"
      "movq %%rbp, 8(%%rcx)\n\t"
      "movq %%rbx, 16(%%rcx)\n\t"
      "movq %%rsp, %%rbx\n\t"
      "movq %%rax, %%rsp\n\t"
      "call *%%rdx\n\t"
      "movq %%rbx, %%rsp\n"
      "1:"
      : "+D"(self), "+c"(caller), "+a"(top), "+d"(run)
      :
      : "rbx", "rsi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15", "memory", "cc");
  called_ = false;
  return !over_;
}

void Fibre::enter_call() {
  body_(argument_);
  if (!called_) leave();  // it has parked, and its caller is gone
  over_ = true;
}

void Fibre::end_call() {
  asm volatile(
      "movq (%0), %%rsp\n\t"
      "movq 8(%0), %%rbp\n\t"
      "jmp *16(%0)"
      :
      : "a"(&caller_[0])
      : "memory");
  __builtin_unreachable();
}

// The fibre's own stack keeps its registers while the registers of the caller are restored.
void Fibre::park_call() {
  called_ = false;
  constexpr std::size_t kPiece = 16 * 1024;  // signals may come meanwhile
  alignas(16) std::byte piece[kPiece];
  switched_in(
      context::jump_fcontext(context::make_fcontext(piece + kPiece, kPiece, leave_call), this),
      nullptr);
}

void Fibre::leave_call(context::transfer_t from) {
  auto* const fibre = static_cast<Fibre*>(from.data);
  fibre->context_ = from.fctx;
  fibre->end_call();
}
#else
bool Fibre::call(void (*body)(void*), void* argument) {
  start(body, argument);
  return resume();
}
void Fibre::park_call() {}
void Fibre::end_call() { std::abort(); }
#endif

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
  if (called_) return park_call();
  before_switch(&fake_, back_bottom_, back_size_, tsan_back_);
  switched_in(context::jump_fcontext(back_, this), fake_);
}

FIBRE_UNFOLLOWED void Fibre::leave() {
  over_ = true;
  if (called_) end_call();
  before_switch(nullptr, back_bottom_, back_size_, tsan_back_);
  context::jump_fcontext(back_, this);
  std::abort();  // a fibre that has ended is not resumed
}

bool Fibre::overflowed(const void* address) const noexcept {
  const auto* const at = static_cast<const std::byte*>(address);
  return at >= stack_ && at < stack_ + kGuardBytes;
}

bool Fibre::contains(const void* address) const noexcept {
  const auto* const at = static_cast<const std::byte*>(address);
#if defined(SIM_ADDRESS_SANITIZER)
  void* const fake = __asan_get_current_fake_stack();
  if (fake && __asan_addr_is_in_fake_stack(fake, const_cast<void*>(address), nullptr, nullptr)) {
    return true;
  }
#endif
  return stack_ && at >= stack_ + kGuardBytes && at < stack_ + kGuardBytes + kStackBytes;
}

}  // namespace ascendc
