// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/trace/trace.h"

namespace trace {

/// Which optional columns a trace keeps.
struct Keep {
  bool starts = true;
  bool issues = true;
  bool ids = true;
  bool lines = true;
  bool sites = true;
  bool ranges = true;
  bool args = false;
  bool outcomes = true;  // args that the check of recordings needs
};

/// The fields that every op can have.
struct NewOp {
  OpKind kind = OpKind::kernel;
  TrackIndex track = kNone;
  StringIndex name = 0;
  Nanoseconds start = kNoTime;
  Nanoseconds duration = kNoTime;  // kNoTime: not recorded; never negative
  Nanoseconds issue = kNoTime;
  std::uint16_t host = kNoHost;
  std::uint8_t flags = 0;
  std::uint32_t id = 0;  // 0: the next number
  std::uint32_t line = 0;
  StringIndex site = 0;
};

/// Puts a trace together, from one file or several. Ops of a track are added in the order in which
/// the track runs them; tracks may be interleaved. Indices of ops that add() returns are those to
/// use in partners, edges and ranges given to the builder; finish() translates them.
class Builder {
 public:
  explicit Builder(Keep keep = {}) : keep_(keep) {}

  // ---- definitions; each returns its index ----
  /// `file`: the file that was opened, if it is not `path`.
  std::uint32_t source(std::string_view path, std::string_view format, std::string_view tool = {},
                       std::string_view file = {});
  std::uint32_t rank(std::int32_t id);  // the one with this id, new or not
  /// A new one, with the next free id if this one is taken.
  std::uint32_t new_rank(std::int32_t id);
  std::uint32_t device(std::uint32_t rank, std::int32_t id, StringIndex name = 0);  // same
  /// The device of a rank that another rank copies to or from: its first device, or one without id.
  std::uint32_t peer_device(std::uint32_t rank);
  TrackIndex stream(std::uint32_t device, std::uint64_t id);      // same
  TrackIndex new_stream(std::uint32_t device, std::uint64_t id);  // always a new one
  /// A number for NewOp::host; host_track() returns its track.
  std::uint16_t host(std::uint32_t rank, std::uint64_t id);  // same
  TrackIndex host_track(std::uint16_t host) const { return trace_.hosts_[host]; }
  Track& track(TrackIndex index) { return trace_.tracks_[index]; }
  Device& device_at(std::uint32_t index) { return trace_.devices_[index]; }
  /// rank kNone: shared by all ranks.
  std::uint32_t object(ObjectKind kind, std::uint32_t rank, std::uint64_t id);  // same
  std::uint32_t new_object(ObjectKind kind, std::uint32_t rank, std::uint64_t id);
  std::uint32_t group(std::string_view name);  // same
  Group& group_at(std::uint32_t index) { return trace_.groups_[index]; }
  std::uint32_t buffer(const Buffer& buffer);
  std::uint32_t graph(std::uint64_t id, StringIndex name = 0);
  Graph& graph_at(std::uint32_t index) { return trace_.graphs_[index]; }
  Rank& rank_at(std::uint32_t index) { return trace_.ranks_[index]; }
  StringIndex text(std::string_view text) { return trace_.strings_.add(text); }
  /// Marks the source that was added last as complete.
  void ended() { trace_.sources_.back().ended = true; }
  void in_order() { trace_.sources_.back().in_order = true; }
  void peaks(Peaks peaks) { trace_.peaks_.push_back(std::move(peaks)); }
  void base_ns(Nanoseconds base) { trace_.base_ns_ = base; }
  Nanoseconds base_ns() const { return trace_.base_ns_; }
  void remark(Level level, std::string text, std::uint32_t line = 0);

  // ---- ops ----
  OpIndex add(const NewOp& op) { return push(op, kNone); }
  OpIndex add(const NewOp& op, const SyncUse& use) { return put(op, use, trace_.syncs_); }
  OpIndex add(const NewOp& op, const ValueUse& use) { return put(op, use, trace_.values_); }
  OpIndex add(const NewOp& op, const CopyUse& use) { return put(op, use, trace_.copies_); }
  OpIndex add(const NewOp& op, const CommUse& use) { return put(op, use, trace_.comms_); }
  OpIndex add(const NewOp& op, const HostUse& use) { return put(op, use, trace_.host_uses_); }
  OpIndex add(const NewOp& op, const MemoryUse& use) { return put(op, use, trace_.memory_uses_); }
  OpIndex add(const NewOp& op, const LaunchUse& use) { return put(op, use, trace_.launches_); }
  /// Sets the times of an op that was added before; kNoTime: unknown.
  void times(OpIndex op, Nanoseconds start, Nanoseconds duration);
  void edge(const Edge& edge) { trace_.edges_.push_back(edge); }
  void range(const Range& range);
  void given(const Given& given);
  void args(OpIndex op, std::string json);
  OpIndex size() const { return trace_.size(); }
  TrackIndex pending_track(OpIndex op) const { return track_of_[op]; }
  Trace& pending() { return trace_; }  // ops in the order of adding; for readers that look back
  const Keep& keep() const { return keep_; }

  /// Groups the ops by track. The builder is empty afterwards.
  Trace finish();

 private:
  template <class Use>
  OpIndex put(const NewOp& op, const Use& use, std::vector<Use>& table) {
    table.push_back(use);
    return push(op, static_cast<std::uint32_t>(table.size() - 1));
  }
  /// The key of a definition: its kind, its owner, its number in the file.
  struct Key {
    char sort;
    std::uint32_t owner;
    std::uint64_t id;
    bool operator==(const Key&) const = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const {
      const std::uint64_t mixed =
          (key.id ^ (std::uint64_t{key.owner} << 40) ^ (std::uint64_t(key.sort) << 56)) *
          0x9E3779B97F4A7C15U;
      return static_cast<std::size_t>(mixed ^ (mixed >> 32));
    }
  };

  TrackIndex new_track(const Track& track);
  OpIndex push(const NewOp& op, std::uint32_t use);
  void set_duration(OpIndex op, Nanoseconds duration);
  std::vector<OpIndex> new_places();
  void translate(const std::vector<OpIndex>& place);

  Keep keep_;
  Trace trace_;
  std::vector<TrackIndex> track_of_;  // by op, until finish()
  std::unordered_map<Key, std::uint32_t, HashOfKey> known_;
};

}  // namespace trace
