// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/call_chains.h"

#include <pthread.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "device_sim/base/per_thread.h"
#include "device_sim/base/sanitizer.h"
#include "runtime/acl/watch/stacks.h"

namespace acl {
namespace {

constexpr std::size_t kWord = sizeof(std::uintptr_t);
constexpr std::uint32_t kLargestFrame = 1U << 20;
constexpr std::size_t kMostSteps = 1U << 14, kMostChains = 1U << 14;
constexpr unsigned kMostUnwindings = 1U << 14;  // of a thread; later chains have one frame

/// A frame of a function that called something: the code that the call returns to, and the stack
/// pointer at the call.
struct StackFrame {
  std::uint64_t code = 0;
  std::uintptr_t top = 0;
};

/// The stack of the calling thread, from the frame of a call of this library on.
class UnwoundStack {
 public:
  UnwoundStack(std::uint64_t site, std::uintptr_t top) : first_{site, top} {
    _Unwind_Backtrace(add, this);
  }
  /// Empty if the call was not found.
  const StackFrame* begin() const { return frames_.data(); }
  std::size_t size() const { return count_; }

 private:
  static _Unwind_Reason_Code add(_Unwind_Context* context, void* self) {
    auto& all = *static_cast<UnwoundStack*>(self);
    const StackFrame frame{_Unwind_GetIP(context), _Unwind_GetCFA(context)};
    if (all.count_ == 0 && (frame.code != all.first_.code || frame.top != all.first_.top))
      return _URC_NO_REASON;
    if (frame.code == 0) return _URC_END_OF_STACK;
    all.frames_[all.count_++] = frame;
    return all.count_ == all.frames_.size() ? _URC_END_OF_STACK : _URC_NO_REASON;
  }

  const StackFrame first_;
  std::array<StackFrame, kMostChainFrames + 1> frames_;
  std::size_t count_ = 0;
};

// The words of other frames may be in zones that the address sanitizer protects.
#if defined(SIM_ADDRESS_SANITIZER) || defined(SIM_THREAD_SANITIZER)
#define ACLSIM_READS_FRAMES __attribute__((no_sanitize_address, no_sanitize_thread, noinline))
#else
#define ACLSIM_READS_FRAMES __attribute__((always_inline)) inline
#endif
ACLSIM_READS_FRAMES std::uint64_t word_at(std::uintptr_t address) {
  return *reinterpret_cast<const volatile std::uintptr_t*>(address);
}
#undef ACLSIM_READS_FRAMES

std::uint64_t mixed_with(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
  return hash ^ hash >> 32;
}

/// A table by numbers that are not 0. Never erases.
template <class Row>
class NumberTable {
 public:
  const Row* find(std::uint64_t key) const {
    if (rows_.empty()) return nullptr;
    for (std::size_t at = place(key);; at = (at + 1) & (rows_.size() - 1)) {
      if (rows_[at].key == key) return &rows_[at];
      if (rows_[at].key == 0) return nullptr;
    }
  }
  /// The row, which the caller fills in if its key is new.
  Row& add(std::uint64_t key) {
    if (count_ * 2 >= rows_.size()) grow();
    Row& row = free_or_same(key);
    if (row.key == 0) ++count_;
    return row;
  }
  std::size_t size() const { return count_; }

 private:
  std::size_t place(std::uint64_t key) const {
    return (key * 0x9E3779B97F4A7C15U >> 32) & (rows_.size() - 1);
  }
  Row& free_or_same(std::uint64_t key) {
    std::size_t at = place(key);
    while (rows_[at].key != 0 && rows_[at].key != key) at = (at + 1) & (rows_.size() - 1);
    return rows_[at];
  }
  void grow() {
    std::vector<Row> before =
        std::exchange(rows_, std::vector<Row>(std::max<std::size_t>(64, rows_.size() * 2)));
    for (const Row& row : before) {
      if (row.key != 0) free_or_same(row.key) = row;
    }
  }

  std::vector<Row> rows_;
  std::size_t count_ = 0;
};

/// The way from a frame to the frame of its caller.
struct FrameStep {
  std::uint64_t key = 0;   // the code address in the frame
  std::uint32_t slot = 0;  // from its top to the return address
  std::uint32_t size = 0;  // from its top to the top of its caller; 0: the chain ends here
};

struct KnownChain {
  std::uint64_t key = 0;  // of its return addresses
  std::uint64_t site = 0;
};

/// The chains that a thread has come through.
class ThreadChains {
 public:
  ThreadChains() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* low = nullptr;
    std::size_t size = 0;
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
      low_ = reinterpret_cast<std::uintptr_t>(low);
      high_ = low_ + size;
    }
    pthread_attr_destroy(&attributes);
  }

  std::uint64_t site_of(std::uint64_t site, std::uintptr_t top) {
    const std::uint64_t key = walk(site, top);
    if (key != 0) {
      if (const KnownChain* const known = chains_.find(key)) return known->site;
    }
    return unwind(site, top);
  }

 private:
  /// A number for the return addresses; 0: some frame is not known.
  std::uint64_t walk(std::uint64_t code, std::uintptr_t top) const {
    std::uint64_t hash = mixed_with(1, code);
    for (unsigned i = 1;; ++i) {
      const FrameStep* const step = steps_.find(code);
      if (!step) return 0;
      if (step->size == 0 || i == kMostChainFrames) return hash | 1;
      if (top < low_ || top + step->size > high_ || top + step->size < top) return 0;
      code = word_at(top + step->slot);
      top += step->size;
      hash = mixed_with(hash, code);
    }
  }
  [[gnu::noinline]] std::uint64_t unwind(std::uint64_t site, std::uintptr_t top);
  void keep(const StackFrame& frame, const StackFrame* caller);

  std::uintptr_t low_ = 0, high_ = 0;
  unsigned unwindings_ = 0;
  NumberTable<FrameStep> steps_;
  NumberTable<KnownChain> chains_;
};

/// From the top of the frame to the word that has the return address; the size of the frame if none
/// has it.
std::uint32_t slot_of_return(const StackFrame& frame, const StackFrame& caller) {
  const auto size = static_cast<std::uint32_t>(caller.top - frame.top);
  for (std::uint32_t at = size; at >= kWord; at -= kWord) {
    if (word_at(frame.top + at - kWord) == caller.code)
      return at - static_cast<std::uint32_t>(kWord);
  }
  return size;
}

// A frame with a size that varies ends the chains through it.
void ThreadChains::keep(const StackFrame& frame, const StackFrame* caller) {
  FrameStep made{frame.code, 0, 0};
  const bool inside = caller && caller->top > frame.top && frame.top >= low_ &&
                      caller->top <= high_ && caller->top - frame.top < kLargestFrame &&
                      (caller->top - frame.top) % kWord == 0;
  if (inside) {
    made.slot = slot_of_return(frame, *caller);
    const auto size = static_cast<std::uint32_t>(caller->top - frame.top);
    if (made.slot != size) made.size = size;
  }
  FrameStep& row = steps_.add(frame.code);
  if (row.key != 0 && (row.slot != made.slot || row.size != made.size)) made.size = 0;
  if (row.key == 0 || made.size == 0) row = made;
}

std::uint64_t ThreadChains::unwind(std::uint64_t site, std::uintptr_t top) {
  if (high_ == 0 || unwindings_ == kMostUnwindings) return site;
  ++unwindings_;
  if (steps_.size() >= kMostSteps || chains_.size() >= kMostChains) return site;
  const UnwoundStack stack(site, top);
  if (stack.size() == 0) keep({site, top}, nullptr);
  for (std::size_t i = 0; i < std::min<std::size_t>(stack.size(), kMostChainFrames); ++i) {
    const StackFrame* const caller = i + 1 < stack.size() ? stack.begin() + i + 1 : nullptr;
    keep(stack.begin()[i], caller && is_of_program(caller->code) ? caller : nullptr);
  }
  std::vector<std::uint64_t> codes{site};
  for (std::size_t i = 0; codes.size() < kMostChainFrames && i + 1 < stack.size(); ++i) {
    const FrameStep* const step = steps_.find(stack.begin()[i].code);
    if (!step || step->size == 0) break;
    codes.push_back(stack.begin()[i + 1].code);
  }
  const std::uint64_t key = walk(site, top);
  const std::uint64_t made = stack_site(codes);
  if (key == 0) return made;
  KnownChain& chain = chains_.add(key);
  if (chain.key == 0) chain = {key, made};
  return chain.site;
}

}  // namespace

std::uint64_t chain_site(std::uint64_t site, const void* frame) {
  return sim::per_thread<ThreadChains>().site_of(site, reinterpret_cast<std::uintptr_t>(frame));
}

}  // namespace acl
