// SPDX-License-Identifier: Apache-2.0
// Copies whose addresses are read when they run: from tables, or from a description in device
// memory.
#include <cstring>

#include "device_sim/driver.h"
#include "device_sim/task.h"
#include "runtime/acl/capi/lookup.h"
#include "runtime/acl/transfer.h"

using namespace acl;

namespace {

/// What aclrtSetMemcpyDesc leaves in device memory.
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

/// A copy between addresses that nobody could check before: what is wrong fails the task.
sim::Failure copy_late(Runtime& runtime, void* dst, const void* src, std::size_t count) {
  try {
    const Place to = locate_reachable(runtime, dst, count, "dst", sim::Access::read_write);
    const Place from = locate_reachable(runtime, src, count, "src");
    require_access(runtime, to, from);
  } catch (const AclError&) {
    return {sim::Error::kernel_failed, ACL_ERROR_RT_SYS_DMA};
  }
  std::memmove(runtime.memory().engine(dst), runtime.memory().engine(src), count);
  return {};
}

sim::Failure copy_described(Runtime& runtime, const void* address, aclrtMemcpyKind kind) {
  const auto desc = read<CopyDesc>(runtime.memory(), address);
  if (desc.mark != CopyDesc::kMark || desc.kind != static_cast<std::uint64_t>(kind)) {
    return {sim::Error::kernel_failed, ACL_ERROR_RT_SYS_DMA};
  }
  return copy_late(runtime, desc.dst, desc.src, desc.count);
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
    current_context(runtime).require_usable();
    require_device(runtime, desc, kCopyDescSize, "desc");
    require_device(runtime, srcAddr, count, "srcAddr");
    require_device(runtime, dstAddr, count, "dstAddr");
    const CopyDesc filled{CopyDesc::kMark, static_cast<std::uint64_t>(kind), srcAddr, dstAddr,
                          count};
    std::memcpy(runtime.memory().engine(desc), &filled, sizeof filled);
  });
}

aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(desc, "desc");
    check_desc_kind(kind);
    Stream* const found = own_stream(runtime, stream);
    require_device(runtime, desc, kCopyDescSize, "desc");
    found->submit(
        sim::make_task(sim::make_simple_task("MEMCPY_WITH_DESC", 0, {{desc, kCopyDescSize, false}},
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
    found->submit(sim::make_task(sim::make_simple_task(
        "MEMCPY_WITH_OFFSET", count, {{to, sizeof(void*), false}, {from, sizeof(void*), false}},
        [&runtime, to, from, count](sim::Stream&) -> sim::Failure {
          sim::Memory& memory = runtime.memory();
          return copy_late(runtime, read<void*>(memory, to), read<const void*>(memory, from),
                           count);
        })));
  });
}

}  // extern "C"
