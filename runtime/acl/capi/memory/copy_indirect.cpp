// SPDX-License-Identifier: Apache-2.0
// Copies whose addresses are read when they run: from tables, or from a description in device
// memory.
#include <cstring>
#include <vector>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

/// The description that aclrtSetMemcpyDesc writes to device memory.
struct alignas(8) CopyDesc {
  static constexpr std::uint64_t kMark = 0x63736544'79706f43;
  std::uint64_t mark = kMark;
  std::uint64_t kind = 0;
  const void* src = nullptr;
  void* dst = nullptr;
  std::uint64_t count = 0;
};
constexpr std::size_t kCopyDescSize = 64;
static_assert(sizeof(CopyDesc) <= kCopyDescSize);

template <class T>
T read(sim::Memory& memory, const void* address) {
  T value;
  std::memcpy(&value, memory.engine(address), sizeof value);
  return value;
}

/// A copy between addresses that are known only now: an invalid one fails the task.
sim::Failure copy_late(Runtime& runtime, void* dst, const void* src, std::size_t count) {
  try {
    const MemoryLocation to = locate_reachable(runtime, dst, count, "dst", sim::Access::read_write);
    const MemoryLocation from = locate_reachable(runtime, src, count, "src");
    require_access(runtime, to, from);
  } catch (const AclError&) {
    return {sim::Error::kernel_failed, ACL_ERROR_RT_SYS_DMA};
  }
  std::memmove(runtime.memory().engine(dst), runtime.memory().engine(src), count);
  return {};
}

bool matches(const CopyDesc& desc, aclrtMemcpyKind kind) {
  return desc.mark == CopyDesc::kMark && desc.kind == static_cast<std::uint64_t>(kind);
}

sim::Failure copy_described(Runtime& runtime, const void* address, aclrtMemcpyKind kind) {
  const auto desc = read<CopyDesc>(runtime.memory(), address);
  if (!matches(desc, kind)) return {sim::Error::kernel_failed, ACL_ERROR_RT_SYS_DMA};
  return copy_late(runtime, desc.dst, desc.src, desc.count);
}

struct Moved {
  void* dst = nullptr;
  const void* src = nullptr;
  std::size_t count = 0;
};

/// For listeners: the ranges that a copy will move, if they are known when it is enqueued. `ranges`
/// are the ranges in which the task will look for its description; `copy` looks there now. In a
/// graph the task may find another description each time.
template <class Copy>
void append_moved(const Stream& stream, std::vector<sim::MemoryRange>& ranges, Copy copy) {
  auto* const listener = watch::listener();
  if (!listener) return;
  if (stream.redirected() || !listener->settled(ranges)) return listener->writes_anywhere();
  const Moved moved = copy();
  if (moved.count == 0) return;  // the task will fail
  ranges.push_back({moved.src, moved.count, false});
  ranges.push_back({moved.dst, moved.count, true});
}

// A description is the device's own: it names device memory only.
void check_desc_kind(aclrtMemcpyKind kind) {
  if (kind == ACL_MEMCPY_DEVICE_TO_DEVICE || kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE ||
      kind == ACL_MEMCPY_INTER_DEVICE_TO_DEVICE) {
    return;
  }
  fail(ACL_ERROR_INVALID_PARAM, "kind is {}; expected 3, 6 or 7 (between devices)",
       static_cast<int>(kind));
}

void require_device(Runtime& runtime, const void* address, std::size_t size, const char* argument) {
  if (locate(runtime, address, size, argument).on_device()) return;
  fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, in host memory; expected device memory", argument,
       address);
}

/// The entry of a table of addresses that is `offset` bytes behind its start.
const void* table_entry(Runtime& runtime, const void* table, std::size_t offset,
                        const char* argument) {
  if (offset % sizeof(void*) != 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "the offset in {} is {}; expected a multiple of {}", argument,
         offset, sizeof(void*));
  }
  const void* const entry = static_cast<const std::byte*>(table) + offset;
  locate_reachable(runtime, entry, sizeof(void*), argument);
  return entry;
}

}  // namespace

extern "C" {

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize) {
  return guarded(__func__, [&](Runtime&) {
    size_t& out = require_out(descSize, "descSize");
    check_desc_kind(kind);
    out = kCopyDescSize;
  });
}

aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr,
                            size_t count, void* config) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(desc, "desc");
    require_input(srcAddr, "srcAddr");
    require_input(dstAddr, "dstAddr");
    check_desc_kind(kind);
    if (count == 0) fail(ACL_ERROR_INVALID_PARAM, "count is 0");
    if (config) fail(ACL_ERROR_INVALID_PARAM, "config is {}; expected null", config);
    current_context(runtime).require_device_usable();
    require_device(runtime, desc, kCopyDescSize, "desc");
    require_device(runtime, srcAddr, count, "srcAddr");
    require_device(runtime, dstAddr, count, "dstAddr");
    const CopyDesc filled{CopyDesc::kMark, static_cast<std::uint64_t>(kind), srcAddr, dstAddr,
                          count};
    if (auto* const listener = watch::listener())
      listener->host_accessed({desc, kCopyDescSize, true});
    std::memcpy(runtime.memory().engine(desc), &filled, sizeof filled);
  });
}

aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(desc, "desc");
    check_desc_kind(kind);
    Stream* const found = own_stream(runtime, stream);
    require_device(runtime, desc, kCopyDescSize, "desc");
    std::vector<sim::MemoryRange> ranges{{desc, kCopyDescSize, false}};
    append_moved(*found, ranges, [&]() -> Moved {
      const auto now = read<CopyDesc>(runtime.memory(), desc);
      return matches(now, kind) ? Moved{now.dst, now.src, now.count} : Moved{};
    });
    found->submit(
        sim::make_task(sim::make_simple_task("MEMCPY_WITH_DESC", 0, std::move(ranges),
                                             [&runtime, desc, kind](sim::Stream&) -> sim::Failure {
                                               return copy_described(runtime, desc, kind);
                                             })));
  });
}

aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset,
                                    const void** src, size_t count, size_t srcDataOffset,
                                    aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, destMax, src, count, kind);
    Stream* const found = own_stream(runtime, stream);
    const void* const to = table_entry(runtime, dst, dstDataOffset, "dst");
    const void* const from = table_entry(runtime, src, srcDataOffset, "src");
    std::vector<sim::MemoryRange> ranges{{to, sizeof(void*), false}, {from, sizeof(void*), false}};
    append_moved(*found, ranges, [&]() -> Moved {
      sim::Memory& memory = runtime.memory();
      return {read<void*>(memory, to), read<const void*>(memory, from), count};
    });
    found->submit(sim::make_task(
        sim::make_simple_task("MEMCPY_WITH_OFFSET", count, std::move(ranges),
                              [&runtime, to, from, count](sim::Stream&) -> sim::Failure {
                                sim::Memory& memory = runtime.memory();
                                return copy_late(runtime, read<void*>(memory, to),
                                                 read<const void*>(memory, from), count);
                              })));
  });
}

}  // extern "C"
