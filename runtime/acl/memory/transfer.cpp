// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/transfer.h"

#include <atomic>
#include <cstring>

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/capture_gate.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/memory/host_pages.h"
#include "runtime/acl/memory/host_registration.h"
#include "runtime/acl/memory/memory_pool.h"
#include "runtime/acl/memory/peer_maps.h"
#include "runtime/acl/memory/program_variables.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

bool is_registered(Runtime& runtime, const void* address, std::size_t size) {
  return HostRegistrations::in_use() && runtime.section<HostRegistrations>().covers(address, size);
}

bool is_variable(Runtime& runtime, const void* address, std::size_t size) {
  if (!ProgramVariables::in_use()) return false;
  const auto variable = runtime.section<ProgramVariables>().find(address);
  if (!variable) return false;
  const auto* const begin = static_cast<const std::byte*>(variable->address);
  return size <=
         variable->size - static_cast<std::size_t>(static_cast<const std::byte*>(address) - begin);
}

std::atomic<bool> host_memory_checked{false};

const void* start_of(const sim::Allocation& allocation) {
  return reinterpret_cast<const void*>(allocation.begin);
}

template <class... Args>
void report_misuse(watch::Misuse misuse, fmt::format_string<Args...> text, Args&&... args) {
  if (auto* const listener = watch::listener()) {
    listener->misused(misuse, fmt::format(text, std::forward<Args>(args)...));
  }
}

void report_no_memory(const void* address, const char* argument) {
  if (auto* const listener = watch::listener()) listener->no_memory_found(address, argument);
}

void require_right(Runtime& runtime, const sim::Allocation& allocation, const char* argument,
                   sim::Access wanted) {
  const Context* const context = thread_state().context.get();
  const int device = context ? context->device() : allocation.device;
  const auto right = runtime.memory().mappings().rights(start_of(allocation)).of(device);
  if (!right || *right >= wanted) return;
  fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
       "{} is mapped memory that device {} may {}; expected aclrtMemSetAccess to let it {}",
       argument, runtime.logical(device), *right == sim::Access::none ? "not access" : "only read",
       wanted == sim::Access::read ? "read" : "write");
}

/// Whether `device` was given access to mapped memory by name.
bool granted(Runtime& runtime, const MemoryLocation& place, int device, sim::Access wanted) {
  if (!place.allocation->restricted) return false;
  const auto right = runtime.memory().mappings().rights(start_of(*place.allocation)).of(device);
  return right && *right >= wanted;
}

}  // namespace

void check_host_memory(bool on) noexcept { host_memory_checked = on; }

MemoryLocation find_location(Runtime& runtime, const void* address) {
  MemoryLocation place{runtime.memory().find(address)};
  if (place.allocation) return place;
  const sim::Memory& memory = runtime.memory();
  place.gone = memory.space_of(address) || memory.mappings().holds(address);
  place.registered = is_registered(runtime, address, 1);
  place.variable = is_variable(runtime, address, 1);
  return place;
}

namespace {

/// The address is in no live allocation: the place in ordinary host memory.
[[gnu::noinline]] MemoryLocation locate_outside(Runtime& runtime, const void* address,
                                                std::size_t size, const char* argument,
                                                sim::Access wanted) {
  const sim::Memory& memory = runtime.memory();
  report_no_memory(address, argument);
  if (memory.mappings().holds(address)) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "{} is {}, among the addresses for virtual memory, where nothing is mapped", argument,
         address);
  }
  if (const sim::AddressSpace* const space = memory.space_of(address)) {
    const bool host = space->device() == sim::kHostDevice;
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "{} is {}, in {} memory{} where no allocation is live (freed, or past the end of one)",
         argument, address, host ? "pinned host" : "device",
         host ? "" : fmt::format(" of device {}", runtime.logical(space->device())));
  }
  MemoryLocation place;
  place.registered = is_registered(runtime, address, size);
  place.variable = is_variable(runtime, address, size);
  if (host_memory_checked && !host_may(wanted, address, size)) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, where the host cannot {} {} bytes", argument,
         address, wanted == sim::Access::read ? "read" : "write", size);
  }
  return place;
}

[[gnu::noinline]] void narrow_to_block(Runtime& runtime, sim::Allocation& allocation,
                                       const void* address, const char* argument) {
  if (runtime.section<MemoryPools>().narrow(allocation)) return;
  report_no_memory(address, argument);
  fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, in a block that was given back to its memory pool",
       argument, address);
}

[[noreturn, gnu::noinline, gnu::cold]] void raise_past_end(const sim::Allocation& allocation,
                                                           std::size_t offset, std::size_t size,
                                                           const char* argument) {
  report_misuse(watch::Misuse::out_of_bounds,
                "{} passes the end of an allocation of {} bytes by {} bytes", argument,
                allocation.size, offset + size - allocation.size);
  fail(ACL_ERROR_RT_PARAM_INVALID,
       "{} is byte {} of an allocation of {} bytes (allocation {}): {} bytes from there pass its "
       "end",
       argument, offset, allocation.size, allocation.serial, size);
}

}  // namespace

MemoryLocation locate(Runtime& runtime, const void* address, std::size_t size, const char* argument,
                      sim::Access wanted) {
  MemoryLocation place{runtime.memory().find(address)};
  if (!place.allocation) return locate_outside(runtime, address, size, argument, wanted);
  sim::Allocation& allocation = *place.allocation;
  if (MemoryLabel::of(allocation).use == MemoryLabel::Use::pooled) [[unlikely]] {
    narrow_to_block(runtime, allocation, address, argument);
  }
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - allocation.begin;
  if (offset > allocation.size || size > allocation.size - offset) [[unlikely]] {
    raise_past_end(allocation, offset, size, argument);
  }
  if (allocation.restricted) [[unlikely]]
    require_right(runtime, allocation, argument, wanted);
  return place;
}

MemoryLocation locate_reachable(Runtime& runtime, const void* address, std::size_t size,
                                const char* argument, sim::Access wanted) {
  const MemoryLocation place = locate(runtime, address, size, argument, wanted);
  if (place.pageable()) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "{} is {}, ordinary host memory that a device cannot reach; expected memory of ACL or "
         "registered memory",
         argument, address);
  }
  return place;
}

std::byte* reach_at_once(Runtime& runtime, const void* address, std::size_t size) noexcept {
  const sim::Allocation* const allocation = runtime.memory().recall(address);
  if (!allocation || allocation->restricted) return nullptr;
  if (MemoryLabel::of(*allocation).use == MemoryLabel::Use::pooled) return nullptr;
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - allocation->begin;
  if (offset > allocation->size || size > allocation->size - offset) return nullptr;
  return static_cast<std::byte*>(runtime.memory().engine(address));
}

void require_access(Runtime& runtime, const MemoryLocation& dst, const MemoryLocation& src) {
  if (dst.device() == src.device() || dst.device() == sim::kHostDevice ||
      src.device() == sim::kHostDevice) {
    return;
  }
  const int open_ways = runtime.links().open_ways(dst.device(), src.device());
  if (open_ways == 2) return;
  if (granted(runtime, dst, src.device(), sim::Access::read_write) ||
      granted(runtime, src, dst.device(), sim::Access::read)) {
    return;
  }
  if (runtime.section<PeerMaps>().join(dst, src)) return;
  const int to = runtime.logical(dst.device());
  const int from = runtime.logical(src.device());
  if (open_ways == 1) {
    report_misuse(watch::Misuse::no_peer_access,
                  "the copy from device {} to device {} has peer access in one direction only",
                  from, to);
    return;
  }
  report_misuse(watch::Misuse::no_peer_access,
                "the copy from device {} to device {} has peer access in neither direction", from,
                to);
  fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
       "a copy from device {} to device {} needs peer access; expected "
       "aclrtDeviceEnablePeerAccess({}) with device {} current and ({}) with device {} current",
       from, to, from, to, to, from);
}

void check_copy_arguments(const void* dst, std::size_t dest_max, const void* src, std::size_t count,
                          aclrtMemcpyKind kind) {
  if (!dst) fail(ACL_ERROR_INVALID_PARAM, "dst is null");
  if (!src) fail(ACL_ERROR_INVALID_PARAM, "src is null");
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
    fail(ACL_ERROR_INVALID_PARAM, "kind is {}; expected 0 to 5", static_cast<int>(kind));
  }
  if (dest_max == 0 || count > dest_max) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "count is {} and destMax {}; expected count <= destMax", count,
         dest_max);
  }
}

void check_direction(aclrtMemcpyKind kind, const MemoryLocation& dst, const MemoryLocation& src) {
  if (!dst.on_device() && !src.on_device()) {
    fail(kind == ACL_MEMCPY_HOST_TO_HOST || kind == ACL_MEMCPY_DEFAULT
             ? ACL_ERROR_RT_FEATURE_NOT_SUPPORT
             : ACL_ERROR_RT_PARAM_INVALID,
         "kind is {}, and both dst and src are host memory: an asynchronous copy needs a device",
         static_cast<int>(kind));
  }
  // Memory that ACL knows corrects the kind; memory that it does not know is the host's.
  const bool to_device = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (to_device && dst.pageable()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "kind is {} (to a device), but dst is ordinary host memory",
         static_cast<int>(kind));
  }
  if (from_device && src.pageable()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "kind is {} (from a device), but src is ordinary host memory",
         static_cast<int>(kind));
  }
}

void report_copy(const void* dst, const void* src, std::size_t count) {
  auto* const listener = watch::listener();
  if (!listener) return;
  const sim::MemoryRange ranges[] = {{src, count, false}, {dst, count, true}};
  listener->host_copied(ranges);
}

namespace {

const char* side(bool device) { return device ? "device" : "host"; }

constexpr bool goes_to_device(aclrtMemcpyKind kind) {
  return kind != ACL_MEMCPY_HOST_TO_HOST && kind != ACL_MEMCPY_DEVICE_TO_HOST;
}
constexpr bool comes_from_device(aclrtMemcpyKind kind) {
  return kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
}

void report_wrong_direction(aclrtMemcpyKind kind, const MemoryLocation& to,
                            const MemoryLocation& from) {
  if (to.gone || from.gone) return;            // the copy will fail, and not for its direction
  if (to.managed() || from.managed()) return;  // memory of both sides
  report_misuse(watch::Misuse::wrong_direction,
                "the kind says {} to {}, but the addresses are {} to {}",
                side(comes_from_device(kind)), side(goes_to_device(kind)), side(from.on_device()),
                side(to.on_device()));
}

}  // namespace

void report_direction(aclrtMemcpyKind kind, const MemoryLocation& to, const MemoryLocation& from) {
  if (!watch::listener() || kind == ACL_MEMCPY_DEFAULT) return;
  const bool as_said =
      goes_to_device(kind) == to.on_device() && comes_from_device(kind) == from.on_device();
  if (!as_said) report_wrong_direction(kind, to, from);
}

namespace {
void move_bytes(Runtime& runtime, void* dst, const MemoryLocation& to, const void* src,
                const MemoryLocation& from, std::size_t count) {
  if (auto* const intervener = watch::intervener()) {
    intervener->before_copy(sim::make_copy(dst, to.device(), src, from.device(), count).copy);
  }
  report_copy(dst, src, count);
  std::memmove(runtime.memory().engine(dst), runtime.memory().engine(src), count);
}
}  // namespace

void require_immediate_work(Runtime& runtime) {
  const Context& context = current_context(runtime);
  context.require_device_usable();
  require_no_capture_forbids(context);
}

void finish_stream(Stream& stream) {
  if (stream.redirected()) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "stream {} is being captured or bound to a model, and the memory is not pinned: the copy "
         "would happen in the call",
         stream.id());
  }
  require_no_capture_forbids(stream.context(), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
  const auto keep = sim::Ref<Stream>::share(&stream);  // host functions may destroy it meanwhile
  stream.synchronize(sim::Deadline::never());
}

bool happens_in_call(const Stream& stream, const MemoryLocation& to, const MemoryLocation& from) {
  if (to.pageable()) return true;
  if (!from.pageable()) [[likely]]
    return false;
  const auto sink = stream.sink();
  return !sink || sink->kind() != TaskSink::Kind::model;
}

void copy_now(Runtime& runtime, void* dst, const void* src, std::size_t count) {
  if (dst == src) {  // nothing to move, but there must be memory
    locate(runtime, src, count, "src");
    return;
  }
  const MemoryLocation to = locate(runtime, dst, count, "dst", sim::Access::read_write);
  const MemoryLocation from = locate(runtime, src, count, "src");
  require_access(runtime, to, from);
  move_bytes(runtime, dst, to, src, from, count);
}

void copy_async(Runtime& runtime, void* dst, const void* src, std::size_t count,
                aclrtMemcpyKind kind, Stream& stream) {
  if (dst == src) {
    locate(runtime, src, count, "src");
    return;
  }
  const MemoryLocation to = locate(runtime, dst, count, "dst", sim::Access::read_write);
  const MemoryLocation from = locate(runtime, src, count, "src");
  report_direction(kind, to, from);
  check_direction(kind, to, from);
  require_access(runtime, to, from);
  if (happens_in_call(stream, to, from)) {
    finish_stream(stream);
    report_misuse(watch::Misuse::hidden_synchronize,
                  "the host buffer is pageable; the call waits for its stream and then copies");
    move_bytes(runtime, dst, to, src, from, count);
    return;
  }
  if (auto* const listener = watch::listener(); listener && !to.on_device()) {
    const sim::MemoryRange ranges[] = {{src, count, false}};
    if (!stream.redirected()) listener->copying_to_host(stream, ranges);
  }
  stream.submit(sim::make_copy(dst, to.device(), src, from.device(), count));
}

}  // namespace acl
