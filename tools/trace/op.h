// SPDX-License-Identifier: Apache-2.0
// The parts of a trace: operations, and the further data of each kind of operation.
#pragma once

#include <cstdint>

namespace trace {

/// Indices into the tables of a Trace. All are dense, starting at 0.
using OpIndex = std::uint32_t;
using TrackIndex = std::uint32_t;
using StringIndex = std::uint32_t;  // 0 is the empty string
using Nanoseconds = std::int64_t;

inline constexpr std::uint32_t kNone = UINT32_MAX;
inline constexpr std::uint16_t kNoHost = UINT16_MAX;
inline constexpr Nanoseconds kNoTime = INT64_MIN;
inline constexpr std::uint64_t kUnknownBytes = UINT64_MAX;

/// Device numbers of copies: an index into Trace::devices(), or one of these.
inline constexpr std::int32_t kHostMemory = -1;
inline constexpr std::int32_t kUnknownDevice = -2;

enum class OpKind : std::uint8_t {
  kernel,       // occupies its stream for its duration
  delay,        // as a kernel, but on no core: a sleep, a gap of the host
  copy,         // CopyUse
  fill,         // CopyUse; a memset: dst only
  reduce,       // CopyUse; an inline reduction into dst
  record,       // SyncUse of an event
  wait,         // SyncUse of an event
  reset,        // SyncUse of an event
  notify,       // SyncUse of a notify: sets it
  notify_wait,  // SyncUse of a notify: waits for it and resets it
  value_write,  // ValueUse
  value_wait,   // ValueUse
  callback,     // a host function in stream order; flag kBlocks: the stream waits for it
  api,          // a call of the host that does not wait; on a host track
  sync,         // HostUse: the host waits for a stream, an event, a device; on a host track
  query,        // HostUse: the host asks, `saw` is the answer; on a host track
  send,         // CommUse
  recv,         // CommUse
  collective,   // CommUse
  barrier,      // CommUse; all members of the group
  alloc,        // MemoryUse
  free,         // MemoryUse
  launch,       // LaunchUse: runs a graph
  mark,         // a point with a text; costs nothing
  range_begin,  // an annotated range; costs nothing
  range_end,
  external,  // something outside the trace that arrives at `start`
  join,      // a task whose parts are ops on planes of its stream (its deps): it begins when the
             // stream reaches it, ends with the last of them; its duration is that span. CommUse
             // if it is known to be a collective
};
inline constexpr int kOpKinds = static_cast<int>(OpKind::join) + 1;

/// The word of the native format ("kernel", "memcpy", "nwait", ...).
const char* word(OpKind kind);

/// Waits: it cannot end before something on another track did.
constexpr bool waits(OpKind kind) {
  return kind == OpKind::wait || kind == OpKind::notify_wait || kind == OpKind::value_wait;
}

/// The source of an edge.
enum class Provenance : std::uint8_t {
  none,   // there is no edge
  exact,  // the file names it
  order,  // the k-th use of one id meets the k-th use of the other side (notifies, sends)
  time,   // inferred: the last record that ended just before the wait did
  issue,  // inferred: the nearest earlier record in the order of the host's calls
  user,   // written by hand
};
const char* word(Provenance how);
constexpr bool inferred(Provenance how) {
  return how == Provenance::time || how == Provenance::issue;
}

enum OpFlag : std::uint8_t {
  kHasDuration = 1,  // the duration was recorded; without it the cost model has to say
  kBlocks = 2,       // callback: blocks the stream. copy, api: blocks the host
  kHasDeps = 4,      // Trace::deps() is not empty
  kHasRanges = 8,    // Trace::ranges() is not empty
  kPageable = 16,    // copy: host memory that is not pinned
  kOrdered = 32,     // alloc, free: in stream order
  kOptional = 64,  // of a kind that this version does not know: costs its duration, orders nothing
  kLongDuration = 128,  // internal: the duration is stored in a side table
};

/// One operation, 16 bytes. `kind` is its kind; `use` is the index of further data in the table of
/// its kind (kNone: none). Other data is stored in columns of the Trace that exist only on demand.
struct Op {
  std::uint32_t duration_low = 0;  // read it by Trace::duration()
  std::uint32_t use = kNone;
  StringIndex name = 0;
  OpKind kind = OpKind::kernel;
  std::uint8_t flags = 0;
  std::uint16_t host = kNoHost;  // the issuing thread: index into Trace::hosts()

  bool has(OpFlag flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(Op) == 16);

/// record, wait, reset, notify, notify_wait.
struct SyncUse {
  std::uint32_t object = kNone;  // index into Trace::objects()
  /// Events: the generation, 1 for the first record; a wait has the generation of the record that
  /// it waits for, 0: never recorded before it was issued, orders nothing. Notifies: the count (1
  /// unless counted).
  std::uint32_t generation = 0;
  /// Waits: the op that releases it, kNone: none in this trace. Notifies: their wait.
  OpIndex partner = kNone;
  std::uint16_t candidates = 0;  // records that could have been meant; above 1: ambiguous
  Provenance how = Provenance::none;
  std::uint8_t reserved = 0;

  bool ambiguous() const { return candidates > 1; }
};
static_assert(sizeof(SyncUse) == 16);

enum class Compare : std::uint8_t { equal, greater_equal, bits_and, bits_nor };

/// value_write, value_wait. `partner` of a wait: the write that releases it, where the trace knows.
struct ValueUse {
  std::uint64_t value = 0;
  std::uint32_t object = kNone;  // the address
  OpIndex partner = kNone;
  std::uint32_t candidates = 0;
  Compare compare = Compare::equal;
  Provenance how = Provenance::none;
};

/// copy, fill, reduce. Devices are indices into Trace::devices(), kHostMemory or kUnknownDevice.
struct CopyUse {
  std::uint64_t bytes = kUnknownBytes;
  std::int32_t src = kUnknownDevice;
  std::int32_t dst = kUnknownDevice;
  StringIndex reduction = 0;  // reduce: operation and type, as "sum:int32"; 0: not known
};

enum class Collective : std::uint8_t {
  none,
  all_reduce,
  reduce,
  all_gather,
  gather,
  scatter,
  broadcast,
  all_to_all,
  reduce_scatter,
  reduce_scatter_block,
  barrier,
};
const char* word(Collective kind);

enum class SendMode : std::uint8_t { unknown, eager, rendezvous };

/// send, recv, collective, barrier.
struct CommUse {
  std::uint64_t bytes = kUnknownBytes;
  std::uint32_t peer = kNone;   // send, recv: the other rank's index
  std::uint32_t group = kNone;  // index into Trace::groups()
  std::uint32_t tag = 0;        // send, recv: the tag; collective: its number in the group
  OpIndex partner = kNone;      // send: its recv; recv: its send
  StringIndex algorithm = 0;
  Collective kind = Collective::none;
  SendMode mode = SendMode::unknown;
  Provenance how = Provenance::none;
};

enum class Target : std::uint8_t { stream, event, device };

/// sync, query. A sync of a device waits for the ops that were issued to it before: for ops with a
/// smaller line if the trace has lines, else for ops with an earlier issue time.
struct HostUse {
  Target target = Target::stream;
  std::uint8_t saw = 0;          // query: 1 if the answer was "complete"
  std::uint32_t index = kNone;   // track, object or device, by target
  std::uint32_t generation = 0;  // event: the generation that was recorded last when it was called
  OpIndex partner = kNone;  // event: that record; stream: the last op issued before; else kNone
};

/// alloc, free.
struct MemoryUse {
  std::uint64_t bytes = 0;
  std::uint32_t buffer = kNone;  // index into Trace::buffers()
};

/// launch: runs all tracks of a graph once; the next op of the stream waits for all of them.
struct LaunchUse {
  std::uint32_t graph = kNone;
};

/// An edge between any two ops beside the order of a track and the pairs of the tables above.
struct Edge {
  OpIndex from = kNone;
  OpIndex to = kNone;
  std::uint16_t candidates = 1;
  Provenance how = Provenance::exact;
};

/// Bytes that an op reads or writes.
struct Range {
  OpIndex op = kNone;
  std::uint32_t buffer = kNone;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  bool write = false;
  bool reduced = false;  // written so that others may do the same at the same time
};

/// A buffer that a watched kernel may have written through pointers, which the recording cannot
/// show. The first row of each such kernel has no buffer.
struct Given {
  OpIndex op = kNone;
  std::uint32_t buffer = kNone;
};

}  // namespace trace
