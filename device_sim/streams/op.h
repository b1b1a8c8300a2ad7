// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "device_sim/base/error.h"
#include "device_sim/base/ref.h"
#include "device_sim/streams/word.h"

namespace sim {

class HostLane;
class Signal;
class WaitTally;

/// The kinds of ops.
enum class OpKind : std::uint8_t {
  copy,         // bytes from one place to another
  fill,         // one byte value over a range
  kernel,       // code compiled for the host, run as device work
  host_call,    // a function for a host thread that serves a lane
  record,       // marks a signal done
  wait,         // holds the stream until a signal is done
  reset,        // marks a signal pending again
  word_wait,    // holds the stream until a word is as wanted
  word_change,  // changes a word
  control,      // decides where the stream goes: graphs
  task,         // short work on memory that the layer above defines: reductions, 2-D copies, ...
};

constexpr const char* name(OpKind kind) noexcept {
  switch (kind) {
    case OpKind::copy:
      return "copy";
    case OpKind::fill:
      return "fill";
    case OpKind::kernel:
      return "kernel";
    case OpKind::host_call:
      return "host call";
    case OpKind::record:
      return "record";
    case OpKind::wait:
      return "wait";
    case OpKind::reset:
      return "reset";
    case OpKind::word_wait:
      return "word wait";
    case OpKind::word_change:
      return "word change";
    case OpKind::control:
      return "control";
    case OpKind::task:
      return "task";
  }
  return "op";
}

/// A `merge` that counts as the same as any other.
inline constexpr std::uint16_t kAnyMerge = 0xffff;

/// Bytes that an op reads or writes, as its enqueuer declared them.
struct MemoryRange {
  const void* begin;
  std::size_t size;
  bool written;
  bool read = !written;     // memory that is updated in place is read and written
  std::uint16_t merge = 0;  // not 0: concurrent writes with the same number do not conflict
};

/// The description of its launch that a kernel gets.
struct KernelRun {
  void* function;  // a Shared object when the op has one
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

/// A tensor that a kernel works on. The code that makes and reads it defines the meaning of `type`.
struct KernelArray {
  int type = 0;
  std::vector<std::uint64_t> shape;
  bool read = false, written = false;
};

/// An object that a kernel runs and that traces may describe in more detail.
class KernelSubject : public Shared {
 public:
  /// JSON members, each with a leading comma; "" if it has none. Valid as long as the object.
  virtual const char* details() const noexcept = 0;
  /// The code that runs it reports its accesses when it is over.
  virtual bool is_observed() const noexcept { return false; }
  /// Its arguments. Valid as long as the object.
  virtual std::span<const unsigned char> args() const noexcept { return {}; }
  /// For dumps of data; if it has no arrays, its ranges are dumped.
  virtual std::vector<KernelArray> arrays() const { return {}; }
  /// The elements of one as they are now: in order, without gaps. Right before the kernel runs, or
  /// after.
  virtual std::vector<std::byte> elements(std::size_t /*array*/) const { return {}; }
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
  void* function;    // a Shared object (one reference) when the op has one
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
  const Shared* owner;  // of the argument: one reference, or null
  bool blocking;
};

struct RecordOp {
  Signal* signal;  // one reference
  bool timed;
};

struct WaitOp {
  Signal* signal;            // one reference
  WaitTally* tally;          // one reference, or null
  std::uint64_t timeout_ns;  // 0: no limit
};

class Control;
class Task;

struct TaskOp {
  const Task* task;  // one reference
};

struct WordWaitOp {
  Word* word;                // one reference
  const char* name;          // as for tasks
  std::uint64_t timeout_ns;  // 0: no limit
  WordTest test;
};

struct WordChangeOp {
  Word* word;  // one reference
  const char* name;
  std::uint64_t value;
  WordChange how;
};

struct ControlOp {
  Control* control;  // one reference
};

struct ResetOp {
  Signal* signal;  // one reference
};

/// One entry of a stream's queue: plain data, as large as a cache line. Code that takes it out of
/// the queue calls `dispose_op`.
struct Op {
  /// The completion id of an op that is not reported to hooks, not even as part of a program.
  static constexpr std::uint32_t kUnreported = ~std::uint32_t{0};

  OpKind kind;
  bool has_blob = false;        // kernel only
  bool has_object = false;      // kernel only
  bool defers_report = false;   // in programs: see Flow::deferred
  std::uint32_t task_id = 0;    // given by the stream at submit
  std::uint32_t thread_id = 0;  // of the host thread that submitted it; 0 when unknown
  std::uint32_t completion_id =
      0;  // given by the enqueuer: ops that have one are reported to hooks
  union {
    CopyOp copy;
    FillOp fill;
    KernelOp kernel;
    HostCallOp host_call;
    RecordOp record;
    WaitOp wait;
    ResetOp reset;
    TaskOp task;
    WordWaitOp word_wait;
    WordChangeOp word_change;
    ControlOp control;
  };

  explicit Op(OpKind k) noexcept : kind(k), copy{} {}

  /// A kernel without arguments.
  bool is_bare_kernel() const noexcept {
    return kind == OpKind::kernel && !has_blob && !has_object && kernel.args_size == 0;
  }

  /// A key that all runs of a kernel share. Objects differ with each launch; their names do not.
  const void* kernel_key() const noexcept {
    if (has_object) return kernel.name;
    return kernel.function ? kernel.function : reinterpret_cast<const void*>(kernel.entry);
  }

  /// It has nothing to release when it leaves its stream.
  bool holds_nothing() const noexcept {
    return kind == OpKind::copy || kind == OpKind::fill ||
           (kind == OpKind::kernel && !has_blob && !has_object);
  }

  /// The argument bytes of a kernel, and the memory that its enqueuer declared.
  std::span<const unsigned char> kernel_args() const noexcept {
    if (!has_blob) return {kernel.inline_args, kernel.args_size};
    return {static_cast<const unsigned char*>(kernel.blob->args()), kernel.blob->args_size};
  }
  std::span<const MemoryRange> kernel_ranges() const noexcept {
    if (!has_blob) return {};
    return {kernel.blob->ranges(), kernel.blob->range_count};
  }
};
static_assert(sizeof(Op) == 64);

/// The facts about an op that a driver may need after the caller has submitted it.
struct OpWeight {
  OpKind kind;
  std::uint64_t amount;  // bytes of a copy or fill; kernel_key of a kernel; else 0

  static OpWeight of(const Op& op) noexcept {
    switch (op.kind) {
      case OpKind::copy:
        return {op.kind, op.copy.size};
      case OpKind::fill:
        return {op.kind, op.fill.size};
      case OpKind::kernel:
        return {op.kind, reinterpret_cast<std::uintptr_t>(op.kernel_key())};
      default:
        return {op.kind, 0};
    }
  }
};

/// Builders. Each takes over a reference to the object that it gets as a Ref, or adds a reference
/// if it gets the object otherwise.
inline Op make_copy(void* dst, int dst_device, const void* src, int src_device,
                    std::size_t size) noexcept {
  Op op(OpKind::copy);
  op.copy = {dst, src, size, static_cast<std::int16_t>(dst_device),
             static_cast<std::int16_t>(src_device)};
  return op;
}
inline Op make_fill(void* dst, int device, std::uint8_t value, std::size_t size) noexcept {
  Op op(OpKind::fill);
  op.fill = {dst, size, static_cast<std::int16_t>(device), value};
  return op;
}
Op make_kernel(KernelEntry entry, void* function, const char* name, std::uint32_t blocks,
               const void* args, std::size_t args_size, const MemoryRange* ranges,
               std::size_t range_count);
/// The same without ranges.
inline Op make_kernel(KernelEntry entry, void* function, const char* name, std::uint32_t blocks,
                      const void* args, std::size_t args_size) {
  if (args_size > kInlineArgs) [[unlikely]] {
    return make_kernel(entry, function, name, blocks, args, args_size, nullptr, 0);
  }
  Op op(OpKind::kernel);
  op.kernel.entry = entry;
  op.kernel.function = function;
  op.kernel.name = name;
  op.kernel.blocks = blocks;
  op.kernel.args_size = static_cast<std::uint32_t>(args_size);
  if (args_size != 0) std::memcpy(op.kernel.inline_args, args, args_size);
  return op;
}
/// Runs more than a function: loaded code, arguments with pointers into themselves. The op keeps
/// the object until it has left its stream, so code that is unloaded meanwhile stays. It may be run
/// again and again (graphs replay it).
Op make_kernel(KernelEntry entry, Ref<Shared> object, const char* name, std::uint32_t blocks,
               const MemoryRange* ranges = nullptr, std::size_t range_count = 0);
/// `owner` lives until the function has returned, or will never run.
Op make_host_call(Ref<HostLane> lane, void (*function)(void*), void* argument, bool blocking,
                  Ref<const Shared> owner = {}) noexcept;
Op make_host_call(HostLane& lane, void (*function)(void*), void* argument, bool blocking,
                  Ref<const Shared> owner = {}) noexcept;
Op make_record(Ref<Signal> signal, bool timed) noexcept;
Op make_record(Signal& signal, bool timed) noexcept;
Op make_wait(Ref<Signal> signal, Ref<WaitTally> tally, std::uint64_t timeout_ns) noexcept;
Op make_wait(Signal& signal, WaitTally* tally, std::uint64_t timeout_ns) noexcept;
Op make_reset(Signal& signal) noexcept;
Op make_word_wait(Word& word, const WordTest& test, std::uint64_t timeout_ns,
                  const char* name) noexcept;
Op make_word_change(Word& word, WordChange how, std::uint64_t value, const char* name) noexcept;
Op make_control(Ref<Control> control) noexcept;
Op make_task(Ref<const Task> task) noexcept;

/// The object that a kernel runs, if it has something to say.
const KernelSubject* subject_of(const Op& op) noexcept;

/// A second op that holds everything itself.
Op clone_op(const Op& op);

/// Releases everything that the op refers to.
void dispose_op(Op& op) noexcept;

/// An op together with its references.
class OwnedOp {
 public:
  /// Takes over the references of the op.
  explicit OwnedOp(const Op& op) noexcept : op_(op) {}
  OwnedOp(OwnedOp&& other) noexcept : op_(other.op_) { other.empty_ = true; }
  OwnedOp& operator=(OwnedOp&& other) noexcept {
    std::swap(op_, other.op_);
    std::swap(empty_, other.empty_);
    return *this;
  }
  ~OwnedOp() {
    if (!empty_) dispose_op(op_);
  }
  Op& operator*() noexcept { return op_; }
  const Op& operator*() const noexcept { return op_; }
  const Op* operator->() const noexcept { return &op_; }
  /// Passes the references to the caller.
  Op give_away() noexcept {
    empty_ = true;
    return op_;
  }

 private:
  Op op_;
  bool empty_ = false;
};

}  // namespace sim
