// SPDX-License-Identifier: Apache-2.0
// Filling memory with one value.
#include <algorithm>
#include <cstring>

#include "device_sim/base/sanitizer.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/core/quick.h"
#include "runtime/acl/capi/memory/quick_memory.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

std::uint8_t low_byte(std::int32_t value) { return static_cast<std::uint8_t>(value & 0xff); }

void check_fill_arguments(const void* pointer, std::size_t max_count, std::size_t count) {
  require_input(pointer, "devPtr");
  if (count > max_count) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "count is {} and maxCount {}; expected count <= maxCount",
         count, max_count);
  }
}

constexpr std::size_t kWord = sizeof(std::uint32_t);

/// Bytes of `n` words.
std::size_t check_fill_words(const void* pointer, std::size_t memory_size, std::size_t n) {
  require_input(pointer, "ptr");
  if (n > memory_size / kWord) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "N is {} and memSize {}; expected N * 4 <= memSize", n,
         memory_size);
  }
  if (reinterpret_cast<std::uintptr_t>(pointer) % kWord != 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "ptr is {}; expected a multiple of 4", pointer);
  }
  return n * kWord;
}

void report_fill(const sim::MemoryRange& range) {
  if (auto* const listener = watch::listener()) listener->host_filled(range);
}

void fill_words(sim::Memory& memory, void* pointer, std::uint32_t value, std::size_t n) {
  std::fill_n(static_cast<std::uint32_t*>(memory.engine(pointer)), n, value);
}

constexpr const char* kFill = "aclrtMemsetAsync";

[[gnu::noinline]] aclError fill_async(void* pointer, std::size_t max_count, std::int32_t value,
                                      std::size_t count, aclrtStream stream, CallPlace from) {
  return guarded({kFill, from}, [&](Runtime& runtime) {
    if (count == 0) return;
    check_fill_arguments(pointer, max_count, count);
    Stream* const found = own_stream(runtime, stream);
    const MemoryLocation place =
        locate_reachable(runtime, pointer, count, "devPtr", sim::Access::read_write);
    found->submit(sim::make_fill(pointer, place.device(), low_byte(value), count));
  });
}

[[gnu::noinline]] aclError fill_quickly(void* pointer, std::size_t max_count, std::int32_t value,
                                        std::size_t count, aclrtStream stream, CallPlace from) {
  const auto otherwise = [&] { return fill_async(pointer, max_count, value, count, stream, from); };
  const QuickStream to = quick_stream(stream);
  if (!to || count == 0 || count > max_count) return otherwise();
  const sim::Allocation* const memory = quick_memory(to, pointer, count);
  if (!memory) return otherwise();
  const aclError done = submit_quickly(kFill, to, {sim::OpKind::fill, count}, [&] {
    return sim::make_fill(pointer, memory->device, low_byte(value), count);
  });
  return done != kLongWay ? done : otherwise();
}

}  // namespace

extern "C" {

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_fill_arguments(devPtr, maxCount, count);
    require_immediate_work(runtime);
    locate(runtime, devPtr, count, "devPtr", sim::Access::read_write);
    report_fill({devPtr, count, true});
    sim::device_fill(runtime.memory().engine(devPtr), low_byte(value), count);
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  const CallPlace from;
  return nobody_attends() ? fill_quickly(devPtr, maxCount, value, count, stream, from)
                          : fill_async(devPtr, maxCount, value, count, stream, from);
}

aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (N == 0) return;
    const std::size_t bytes = check_fill_words(ptr, memSize, N);
    require_immediate_work(runtime);
    locate_reachable(runtime, ptr, bytes, "ptr", sim::Access::read_write);
    report_fill({ptr, bytes, true});
    fill_words(runtime.memory(), ptr, value, N);
  });
}

aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N,
                             aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (N == 0) return;
    const std::size_t bytes = check_fill_words(ptr, memSize, N);
    Stream* const found = own_stream(runtime, stream);
    locate_reachable(runtime, ptr, bytes, "ptr", sim::Access::read_write);
    found->submit(sim::make_task(sim::make_simple_task(
        "MEMSET_D32", bytes, {{ptr, bytes, true}}, [=](sim::Stream& on) -> sim::Failure {
          fill_words(on.driver().memory(), ptr, value, N);
          return {};
        })));
  });
}

}  // extern "C"
