// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_sim/error.h"

namespace sim {

class HostLane;
class Signal;
class WaitTally;

/// What a stream can hold.
enum class OpKind : std::uint8_t {
  copy,       // bytes from one place to another
  fill,       // one byte value over a range
  kernel,     // code compiled for the host, run as device work
  host_call,  // a function for a host thread that serves a lane
  record,     // marks a signal done
  wait,       // holds the stream until a signal is done
  reset,      // marks a signal pending again
};

const char* name(OpKind kind) noexcept;

/// Bytes that an op reads or writes, as its enqueuer declared them.
struct MemoryRange {
  const void* begin;
  std::size_t size;
  bool written;
};

/// What a kernel is told about its launch.
struct KernelRun {
  void* function;
  const void* args;
  std::size_t args_size;
  std::uint32_t blocks;
  int device;
  std::uint32_t stream_id;
  std::uint32_t task_id;
};

/// Runs all blocks of one launch; returns 0 or a device error code.
using KernelEntry = std::int32_t (*)(const KernelRun& run);

/// Arguments that do not fit into the op, followed by the declared ranges. One malloc block.
struct KernelBlob {
  std::uint32_t args_size;
  std::uint32_t range_count;
  // then: ranges, then: argument bytes

  static KernelBlob* create(const void* args, std::size_t args_size, const MemoryRange* ranges,
                            std::size_t range_count);
  static void destroy(KernelBlob* blob) noexcept;
  const MemoryRange* ranges() const noexcept {
    return reinterpret_cast<const MemoryRange*>(this + 1);
  }
  const void* args() const noexcept { return ranges() + range_count; }
};

inline constexpr std::size_t kInlineArgs = 16;

struct CopyOp {
  void* dst;
  const void* src;
  std::size_t size;
  std::int16_t dst_device;
  std::int16_t src_device;
};

struct FillOp {
  void* dst;
  std::size_t size;
  std::int16_t device;
  std::uint8_t value;
};

struct KernelOp {
  KernelEntry entry;
  void* function;
  const char* name;  // owned by the enqueuer for as long as the process lives
  std::uint32_t blocks;
  std::uint32_t args_size;  // of the inline bytes; unused with a blob
  union {
    unsigned char inline_args[kInlineArgs];
    KernelBlob* blob;
  };
};

struct HostCallOp {
  HostLane* lane;  // one reference
  void (*function)(void*);
  void* argument;
  bool blocking;
};

struct RecordOp {
  Signal* signal;  // one reference
  bool timed;
};

struct WaitOp {
  Signal* signal;           // one reference
  WaitTally* tally;         // one reference, or null
  std::uint64_t timeout_ns; // 0: no limit
};

struct ResetOp {
  Signal* signal;  // one reference
};

/// One entry of a stream's queue: plain data, as large as a cache line. Whoever takes it out of the queue
/// calls `dispose_op`.
struct Op {
  OpKind kind;
  bool has_blob = false;       // kernel only
  std::uint32_t task_id = 0;   // given by the stream at submit
  std::uint32_t thread_id = 0; // of the host thread that submitted it; 0 when unknown
  union {
    CopyOp copy;
    FillOp fill;
    KernelOp kernel;
    HostCallOp host_call;
    RecordOp record;
    WaitOp wait;
    ResetOp reset;
  };

  explicit Op(OpKind k) noexcept : kind(k), copy{} {}
};
static_assert(sizeof(Op) == 64);

/// Builders; each takes over a reference to what it names.
Op make_copy(void* dst, int dst_device, const void* src, int src_device, std::size_t size) noexcept;
Op make_fill(void* dst, int device, std::uint8_t value, std::size_t size) noexcept;
Op make_kernel(KernelEntry entry, void* function, const char* name, std::uint32_t blocks,
               const void* args, std::size_t args_size, const MemoryRange* ranges = nullptr,
               std::size_t range_count = 0);
Op make_host_call(HostLane& lane, void (*function)(void*), void* argument, bool blocking) noexcept;
Op make_record(Signal& signal, bool timed) noexcept;
Op make_wait(Signal& signal, WaitTally* tally, std::uint64_t timeout_ns) noexcept;
Op make_reset(Signal& signal) noexcept;

/// Gives back everything that the op holds.
void dispose_op(Op& op) noexcept;

}  // namespace sim
