// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "acl/acl_rt.h"
#include "device_sim/memory/address_space.h"
#include "device_sim/memory/mappings.h"
#include "runtime/acl/memory/memory_label.h"

namespace acl {

class Runtime;
class Stream;

/// One end of a copy or fill: where its memory lives, as far as the machine knows.
struct MemoryLocation {
  std::optional<sim::Allocation> allocation;  // nullopt: host memory that ACL did not allocate
  bool registered = false;                    // by aclrtHostRegister, then without allocation
  bool variable = false;  // of kernel code, asked for by symbol; then without allocation
  bool gone =
      false;  // no live allocation at an address of ACL's memory; only find_location sets it

  bool managed() const noexcept {
    return variable ||
           (allocation && MemoryLabel::of(*allocation).use == MemoryLabel::Use::managed);
  }
  /// Managed memory and variables too: they may be used wherever device memory may.
  bool on_device() const noexcept {
    return variable || (allocation && (allocation->device != sim::kHostDevice || managed()));
  }
  bool pinned() const noexcept { return !on_device() && !pageable(); }
  /// Host memory that devices cannot reach by themselves.
  bool pageable() const noexcept { return !allocation && !registered && !variable; }
  /// A device id of the machine; sim::kHostDevice for host and managed memory.
  int device() const noexcept { return allocation ? allocation->device : sim::kHostDevice; }
};

/// The memory that contains `address`; unlike locate, it raises no error.
MemoryLocation find_location(Runtime& runtime, const void* address);

/// Whether `locate` looks at ordinary host memory: raises ACL_ERROR_RT_PARAM_INVALID then where the
/// host may not access it as wanted.
void check_host_memory(bool on) noexcept;

/// Finds the memory that contains [address, address + size). Raises ACL_ERROR_RT_PARAM_INVALID if
/// the range passes the end of its allocation, or is in device memory that is not allocated, and
/// ACL_ERROR_RT_DRV_INTERNAL_ERROR if it is mapped memory that the current device may not access as
/// wanted.
MemoryLocation locate(Runtime& runtime, const void* address, std::size_t size, const char* argument,
                      sim::Access wanted = sim::Access::read);

/// As locate, for tasks of the device: raises ACL_ERROR_RT_PARAM_INVALID for pageable memory too.
MemoryLocation locate_reachable(Runtime& runtime, const void* address, std::size_t size,
                                const char* argument, sim::Access wanted = sim::Access::read);

/// The address at which the engine reads and writes these bytes, if the calling thread has the
/// answer at hand and allows any access; null: ask locate_reachable.
std::byte* reach_at_once(Runtime& runtime, const void* address, std::size_t size) noexcept;

/// A copy between devices needs an open direction, either of the two, or mapped memory at one end
/// that the other end's device was given access to; raises ACL_ERROR_RT_DRV_INTERNAL_ERROR.
void require_access(Runtime& runtime, const MemoryLocation& dst, const MemoryLocation& src);

/// The checks that copies share, on the numbers alone.
void check_copy_arguments(const void* dst, std::size_t dest_max, const void* src, std::size_t count,
                          aclrtMemcpyKind kind);

/// Compares the direction of an asynchronous copy (`kind`) with its addresses: raises
/// ACL_ERROR_RT_FEATURE_NOT_SUPPORT for host to host, ACL_ERROR_RT_PARAM_INVALID for a direction
/// that the addresses cannot have.
void check_direction(aclrtMemcpyKind kind, const MemoryLocation& dst, const MemoryLocation& src);

/// Reports a copy that the call itself makes to the listeners.
void report_copy(const void* dst, const void* src, std::size_t count);
/// Reports a kind that contradicts the addresses.
void report_direction(aclrtMemcpyKind kind, const MemoryLocation& to, const MemoryLocation& from);

/// For calls that copy or fill before they return: raises the error of a device that takes no
/// calls, and ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT while a capture forbids such calls. They work
/// in a context that a failure stopped: the program reads back what was computed before it.
void require_immediate_work(Runtime& runtime);

/// The first step of a call that touches pageable memory for a stream: waits for all tasks of the
/// stream. Raises ACL_ERROR_RT_PARAM_INVALID for a captured stream,
/// ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC while another capture forbids it.
void finish_stream(Stream& stream);

/// Whether a copy for the stream happens in the call, because a device cannot reach one of the
/// ends. A model that is being built keeps a copy from pageable memory: it is read when the model
/// runs.
bool happens_in_call(const Stream& stream, const MemoryLocation& to, const MemoryLocation& from);

/// Copies before it returns. The memory may be anywhere.
void copy_now(Runtime& runtime, void* dst, const void* src, std::size_t count);

/// Copies in the order of a stream. If happens_in_call() is true, the call finishes the stream and
/// then copies.
void copy_async(Runtime& runtime, void* dst, const void* src, std::size_t count,
                aclrtMemcpyKind kind, Stream& stream);

}  // namespace acl
