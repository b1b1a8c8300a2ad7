// SPDX-License-Identifier: Apache-2.0
// A trace in memory: the ops of each track in their order, and the ops that they wait for.
//
// Ops are grouped by track: the ops of track L are the indices L.begin .. L.end, in the order in
// which the track runs them. Thus "the next op of this stream" is index + 1, and no op carries its
// track. Columns that not every user needs (times, lines, ...) are empty if the trace or Keep
// leaves them out; the accessors then return kNoTime, 0 or "". Resident: 16 bytes an op, 16 to 40
// more for an op with a table entry, and 8 (start, issue) or 4 (line, id, site) for each column
// that is kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/trace/op.h"
#include "tools/trace/strings.h"

namespace trace {

/// A process of a job. `clock_offset_ns` was added to its times to align them with rank 0.
struct Rank {
  std::int32_t id = 0;
  Nanoseconds clock_offset_ns = 0;
  Nanoseconds clock_bound_ns = 0;  // the offset is right within this; 0: nothing was aligned
  std::uint32_t clock_pairs = 0;   // pairs that the offset was computed from
};

struct Device {
  std::int32_t id = 0;  // as the file says; -1: named by a peer only, and not in this trace
  std::uint32_t rank = 0;
  StringIndex name = 0;
};

enum class TrackKind : std::uint8_t { stream, host };

/// A stream or a host thread: what runs one op after the other.
struct Track {
  TrackKind kind = TrackKind::stream;
  std::int32_t priority = 0;
  std::uint32_t device = kNone;  // kNone: a host thread
  std::uint32_t rank = 0;
  std::uint64_t id = 0;  // as the file says: stream or thread id
  StringIndex name = 0;
  std::uint32_t graph = kNone;  // of a captured graph: runs only when that is launched
  std::uint32_t source = 0;     // index into Trace::sources()
  TrackIndex plane_of = kNone;  // a part of that stream, which runs beside it (see OpKind::join)
  OpIndex begin = 0;
  OpIndex end = 0;

  OpIndex size() const { return end - begin; }
};

enum class ObjectKind : std::uint8_t { event, notify, address };

/// An event, a notify, or a word of memory that is waited on.
struct Object {
  ObjectKind kind = ObjectKind::event;
  std::uint32_t rank = kNone;  // kNone: shared by all ranks (notifies, except in recordings)
  std::uint64_t id = 0;        // as the file says
};

struct Group {
  StringIndex name = 0;
  std::vector<std::uint32_t> ranks;  // indices; empty: not known
  std::uint32_t size = 0;            // how many there are, where more is known than `ranks`
};

struct Buffer {
  std::int32_t device = kHostMemory;  // index into Trace::devices()
  std::uint64_t id = 0;
  std::uint64_t bytes = 0;
};

struct Graph {
  std::uint64_t id = 0;
  StringIndex name = 0;
  std::vector<TrackIndex> tracks;
};

/// A file that was read.
struct Source {
  StringIndex path = 0;
  StringIndex format = 0;  // "aclt", "msprof-db", ...
  StringIndex tool = 0;    // the program that wrote it, if the file names it
  StringIndex file = 0;    // the file that was opened; `path` names its origin
  bool ended = false;      // a recording that is marked as complete
  bool in_order = false;   // Trace::line() of its ops ascends in the order of their calls
};

enum class Level : std::uint8_t { note, warning };

/// The most objects that a device had at a time.
struct Peaks {
  std::uint32_t device = 0;  // index
  std::string json;          // see peaks.h
};

/// Something a reader noticed and did not refuse.
struct Remark {
  Level level = Level::note;
  std::string text;
  std::uint32_t source = 0;  // kNone: no single file
  std::uint32_t line = 0;    // 0: the whole file
};

class Trace {
 public:
  // ---- tables ----
  std::span<const Rank> ranks() const { return ranks_; }
  std::span<const Device> devices() const { return devices_; }
  std::span<const Track> tracks() const { return tracks_; }
  /// Host threads, by the number that Op::host has.
  std::span<const TrackIndex> hosts() const { return hosts_; }
  std::span<const Object> objects() const { return objects_; }
  std::span<const Group> groups() const { return groups_; }
  std::span<const Buffer> buffers() const { return buffers_; }
  std::span<const Graph> graphs() const { return graphs_; }
  std::span<const Source> sources() const { return sources_; }
  std::span<const Remark> remarks() const { return remarks_; }
  std::span<const Peaks> peaks() const { return peaks_; }
  const std::string& text(StringIndex index) const { return strings_[index]; }
  /// The time that all times are counted from, in ns since 1970; 0: not known.
  Nanoseconds base_ns() const { return base_ns_; }

  // ---- ops ----
  OpIndex size() const { return static_cast<OpIndex>(ops_.size()); }
  std::span<const Op> ops() const { return ops_; }
  const Op& operator[](OpIndex op) const { return ops_[op]; }
  /// The track of an op; a binary search over tracks. Loops over tracks need it not.
  TrackIndex track_of(OpIndex op) const;
  const std::string& name(OpIndex op) const { return strings_[ops_[op].name]; }
  /// In ns; 0: not recorded (see kHasDuration).
  Nanoseconds duration(OpIndex op) const {
    const Op& it = ops_[op];
    return it.has(kLongDuration) ? long_durations_.at(op) : it.duration_low;
  }
  bool has_starts() const { return !starts_.empty(); }
  /// When it began, in ns from base_ns(); kNoTime: not recorded.
  Nanoseconds start(OpIndex op) const { return starts_.empty() ? kNoTime : starts_[op]; }
  /// When the host called for it, in ns from base_ns(); kNoTime: not recorded.
  Nanoseconds issue(OpIndex op) const { return issues_.empty() ? kNoTime : issues_[op]; }
  /// The op's number in its file (`i`, or counted from 1).
  std::uint32_t id(OpIndex op) const { return ids_.empty() ? op + 1 : ids_[op]; }
  /// Line (JSON Lines), element (JSON), row (database) or message (Chakra), from 1; 0: not kept.
  std::uint32_t line(OpIndex op) const { return lines_.empty() ? 0 : lines_[op]; }
  /// "file.cpp:12" of the call, or "".
  const std::string& site(OpIndex op) const { return strings_[sites_.empty() ? 0 : sites_[op]]; }
  /// Further members of the op in the file, as JSON text; "": none was kept.
  const std::string& args(OpIndex op) const;

  // ---- what kinds know; only for ops of a kind that has one and whose `use` is not kNone ----
  const SyncUse& sync(OpIndex op) const { return syncs_[ops_[op].use]; }
  const ValueUse& value(OpIndex op) const { return values_[ops_[op].use]; }
  const CopyUse& copy(OpIndex op) const { return copies_[ops_[op].use]; }
  const CommUse& comm(OpIndex op) const { return comms_[ops_[op].use]; }
  const HostUse& host(OpIndex op) const { return host_uses_[ops_[op].use]; }
  const MemoryUse& memory(OpIndex op) const { return memory_uses_[ops_[op].use]; }
  const LaunchUse& launch(OpIndex op) const { return launches_[ops_[op].use]; }
  std::span<const SyncUse> syncs() const { return syncs_; }

  /// Extra edges into an op. All edges are sorted by `to`, so the edges into one track are
  /// adjacent.
  std::span<const Edge> deps(OpIndex op) const;
  std::span<const Edge> edges() const { return edges_; }
  /// Bytes that an op touches; all are sorted by op.
  std::span<const Range> ranges(OpIndex op) const;
  std::span<const Range> ranges() const { return ranges_; }
  /// The buffers given to a watched kernel; empty for all other ops.
  std::span<const Given> given(OpIndex op) const;

  /// Bytes of memory that the trace holds, without texts and remarks.
  std::size_t resident_bytes() const;

  // ---- what pairing and alignment change after reading ----
  SyncUse& sync(OpIndex op) { return syncs_[ops_[op].use]; }
  ValueUse& value(OpIndex op) { return values_[ops_[op].use]; }
  CommUse& comm(OpIndex op) { return comms_[ops_[op].use]; }
  HostUse& host(OpIndex op) { return host_uses_[ops_[op].use]; }
  void add_remark(Remark remark) { remarks_.push_back(std::move(remark)); }
  /// Moves all times of a rank by `offset_ns` and notes it down.
  void shift_clock(std::uint32_t rank, Nanoseconds offset_ns, Nanoseconds bound_ns,
                   std::uint32_t pairs);

 private:
  friend class Builder;
  void shrink();  // gives back what tables reserved

  struct ArgsOf {
    OpIndex op;
    std::string text;
  };

  std::vector<Rank> ranks_;
  std::vector<Device> devices_;
  std::vector<Track> tracks_;
  std::vector<TrackIndex> hosts_;
  std::vector<Object> objects_;
  std::vector<Group> groups_;
  std::vector<Buffer> buffers_;
  std::vector<Graph> graphs_;
  std::vector<Source> sources_;
  std::vector<Remark> remarks_;
  std::vector<Peaks> peaks_;
  Strings strings_;
  Nanoseconds base_ns_ = 0;

  std::vector<Op> ops_;
  std::vector<Nanoseconds> starts_;
  std::vector<Nanoseconds> issues_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::uint32_t> lines_;
  std::vector<StringIndex> sites_;
  std::unordered_map<OpIndex, Nanoseconds> long_durations_;
  std::vector<ArgsOf> args_;  // sorted by op

  std::vector<SyncUse> syncs_;
  std::vector<ValueUse> values_;
  std::vector<CopyUse> copies_;
  std::vector<CommUse> comms_;
  std::vector<HostUse> host_uses_;
  std::vector<MemoryUse> memory_uses_;
  std::vector<LaunchUse> launches_;
  std::vector<Edge> edges_;    // sorted by to
  std::vector<Range> ranges_;  // sorted by op
  std::vector<Given> given_;   // sorted by op
};

}  // namespace trace
