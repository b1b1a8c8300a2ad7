// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/stacks.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include "device_sim/base/mutex.h"

namespace acl {
namespace {

constexpr std::uint64_t kStack = std::uint64_t{1} << 62;  // not an address of code of a program
constexpr std::size_t kDeepest = 64;
constexpr std::size_t kMost = 1 << 16;  // later stacks have the site of their call alone

using Frames = std::vector<std::uint64_t>;

struct StackTable {
  sim::Mutex mutex;
  std::map<Frames, std::uint64_t> numbers GUARDED_BY(mutex);
  std::vector<const Frames*> rows GUARDED_BY(mutex);
};

StackTable& stack_table() {
  static StackTable* const made = new StackTable;  // reports are written late
  return *made;
}

// The sanitizers replace functions of the C library, backtrace() among them.
constexpr std::string_view kSystemLibraries[] = {"libc.so",  "libstdc++", "libpthread", "ld-linux",
                                                 "libasan.", "libtsan.",  "libubsan."};

}  // namespace

bool is_of_program(std::uint64_t address) {
  static const void* const own = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<void*>(&stack_table), &info);
    return info.dli_fbase;
  }();
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(address), &info) == 0 || !info.dli_fname) return true;
  if (info.dli_fbase == own) return false;
  std::string_view name = info.dli_fname;
  name.remove_prefix(std::min(name.size(), name.rfind('/') + 1));
  return std::none_of(std::begin(kSystemLibraries), std::end(kSystemLibraries),
                      [&](std::string_view one) { return name.starts_with(one); });
}

std::uint64_t stack_site(std::span<const std::uint64_t> frames) {
  if (frames.empty()) return 0;
  if (frames.size() == 1) return frames.front();
  StackTable& stacks = stack_table();
  const sim::LockGuard guard(stacks.mutex);
  if (stacks.rows.size() >= kMost) return frames.front();
  const auto [at, added] =
      stacks.numbers.try_emplace(Frames(frames.begin(), frames.end()), kStack | stacks.rows.size());
  if (added) stacks.rows.push_back(&at->first);
  return at->second;
}

std::vector<std::uint64_t> frames_of_stack_site(std::uint64_t site) {
  if ((site & kStack) == 0 || (site & kStack << 1) != 0) return {};
  StackTable& stacks = stack_table();
  const sim::LockGuard guard(stacks.mutex);
  const std::uint64_t row = site & ~kStack;
  return row < stacks.rows.size() ? *stacks.rows[row] : Frames();
}

namespace {

/// Whether some stacks with these innermost frames differ in the next frame. The table has such
/// stacks beside each other.
bool branches(const StackTable& stacks, std::span<const std::uint64_t> innermost)
    REQUIRES(stacks.mutex) {
  const Frames prefix(innermost.begin(), innermost.end());
  Frames next = prefix;
  ++next.back();
  const auto first = stacks.numbers.lower_bound(prefix);
  auto last = stacks.numbers.lower_bound(next);
  if (first == last) return false;
  --last;
  const auto after = [&](const Frames& stack) {
    return prefix.size() < stack.size() ? stack[prefix.size()] : 0;
  };
  return after(first->first) != after(last->first);
}

}  // namespace

std::size_t telling_frames(std::span<const std::uint64_t> frames) {
  StackTable& stacks = stack_table();
  const sim::LockGuard guard(stacks.mutex);
  std::size_t count = 1;
  while (count < frames.size() && !branches(stacks, frames.first(count))) ++count;
  if (count == frames.size()) return 1;
  while (count < frames.size() && branches(stacks, frames.first(count))) ++count;
  return count;
}

std::vector<std::uint64_t> frames_of_program(std::size_t most) {
  std::array<void*, kDeepest> addresses;
  const int count = backtrace(addresses.data(), static_cast<int>(addresses.size()));
  Frames frames;
  for (int i = 0; i < count && frames.size() < most; ++i) {
    const auto address = reinterpret_cast<std::uint64_t>(addresses[static_cast<std::size_t>(i)]);
    if (is_of_program(address)) frames.push_back(address);
  }
  return frames;
}

std::uint64_t call_of_library(const void* code) {
  const auto object_of = [](const void* address) -> const void* {
    Dl_info info{};
    return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
  };
  const void* const library = object_of(code);
  for (const std::uint64_t frame : frames_of_program(kDeepest)) {
    if (object_of(reinterpret_cast<const void*>(frame)) != library) return frame;
  }
  return reinterpret_cast<std::uint64_t>(code);
}

}  // namespace acl
