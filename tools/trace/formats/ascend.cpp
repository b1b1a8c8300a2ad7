// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/ascend.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "tools/trace/files/input_error.h"
#include "tools/trace/formats/collective_names.h"
#include "tools/trace/formats/first_fit.h"
#include "tools/trace/pairing/event_inference.h"
#include "tools/trace/pairing/evidence.h"

namespace trace {
namespace {

constexpr std::uint64_t kBeside = 0x8000'0000;  // numbers of tracks that are no planes

/// A task with its parts: `join` and the tasks whose context is set, or one task alone.
class AscendImport {
 public:
  AscendImport(AscendProfile& profile, const AscendCalls& calls, Strings& words, Builder& builder)
      : profile_(profile),
        calls_(calls),
        words_(words),
        builder_(builder),
        collective_(words.add("collective")),
        sdma_(words.add("SDMA")),
        sdma_sqe_(words.add("SDMA_SQE")) {
    for (std::uint32_t word = 0; word < words.size(); ++word) {
      kinds_.push_back(ascend_kind(words[word]));
    }
  }

  void run() {
    rank_ = builder_.rank(profile_.rank);
    device_ = builder_.device(rank_, profile_.device, builder_.text(profile_.device_name));
    sort_tasks();
    add_wholes();
    if (builder_.base_ns() == 0 && !profile_.tasks.empty()) {
      builder_.base_ns(profile_.tasks.front().start);
    }
    infer_events();
    find_parts();
    for (std::size_t t = 0; t < profile_.tasks.size(); ++t) {
      if (part_of_[t] == kNone) add_task(t);
    }
    bind_waits();
    add_syncs();
    remark();
  }

 private:
  /// Resets, values and some notifies do not name their object: they only take their time.
  static bool known(const AscendTask& task, OpKind kind) {
    if (kind == OpKind::notify || kind == OpKind::notify_wait) return task.notify != kNoNotify;
    return kind != OpKind::reset && kind != OpKind::value_write && kind != OpKind::value_wait;
  }
  OpKind kind_of(const AscendTask& task) const;
  static bool wraps(const AscendTask& task) { return task.context == kNoContext; }

  /// Sorts by start, a whole before its parts, else stable. Tasks are large: each moves once.
  void sort_tasks() {
    std::vector<AscendTask>& tasks = profile_.tasks;
    std::vector<std::tuple<Nanoseconds, bool, std::uint32_t>> order;
    order.reserve(tasks.size());
    for (const AscendTask& task : tasks) {
      order.emplace_back(task.start, !wraps(task), static_cast<std::uint32_t>(order.size()));
    }
    if (std::is_sorted(order.begin(), order.end())) return;
    std::sort(order.begin(), order.end());
    std::vector<AscendTask> sorted;
    sorted.reserve(tasks.size());
    for (const auto& [start, part, at] : order) sorted.push_back(std::move(tasks[at]));
    tasks = std::move(sorted);
  }
  void add_wholes();
  void infer_events();
  void find_parts();
  void fit_parts(const std::vector<std::uint32_t>& parts);
  void add_task(std::size_t t);
  TrackIndex track_beside(const AscendTask& task);
  OpIndex follow_beside(const AscendTask& task, TrackIndex track, OpIndex op);
  void add_parts(std::size_t join, OpIndex before);
  void remark();
  OpIndex add(const AscendTask& task, TrackIndex track, OpKind kind);
  OpIndex add_sync(const NewOp& op, std::size_t t);
  std::uint32_t event_of(std::size_t t);
  TrackIndex track_of(std::uint64_t stream);
  CopyUse copy_of(const AscendTask& task);
  CommUse collective_of(const AscendTask& task, const NamedCollective& named);
  std::optional<CommUse> whole_of(const AscendTask& task);
  void bind_waits();
  void add_syncs();
  std::uint32_t awaited(const AscendSync& sync, const std::vector<std::uint32_t>& by_end) const;
  TrackIndex plane(std::uint64_t stream, std::uint32_t plane);
  std::int32_t device_of_rank(std::uint32_t rank);
  const AscendCall* call(const AscendTask& task) const {
    const auto found = calls_.find(task.connection);
    return found == calls_.end() ? nullptr : &found->second;
  }

  AscendProfile& profile_;
  const AscendCalls& calls_;
  const Strings& words_;
  Builder& builder_;
  const std::uint32_t collective_, sdma_, sdma_sqe_;  // words
  std::vector<const OpKind*> kinds_;                  // by word
  std::uint32_t rank_ = 0;
  std::uint32_t device_ = 0;
  std::vector<std::uint32_t> part_of_;             // by task: the task it is a part of
  std::vector<std::vector<std::uint32_t>> parts_;  // by task
  std::vector<InferredRecord> inferred_;           // by wait
  std::vector<std::uint32_t> record_tasks_, wait_tasks_;
  std::vector<OpIndex> ops_;                              // by task
  std::vector<bool> fitted_;                              // by task: its plane is a guess
  std::vector<std::uint32_t> events_;                     // by task: its object
  std::unordered_map<std::uint64_t, TrackIndex> tracks_;  // by stream
  std::unordered_map<TrackIndex, OpIndex> last_;
  std::unordered_map<std::uint64_t, TrackIndex> planes_;
  /// A stream whose tasks overlap although a stream runs one task after the other.
  struct Beside {
    FirstFit tracks{kClockSlack};
    struct Last {
      std::size_t task = 0;
      bool met = false;  // the stream's own track has followed it
    };
    std::map<TrackIndex, Last> last;  // by track
  };
  std::unordered_map<std::uint64_t, Beside> beside_;           // by stream
  std::unordered_map<std::uint32_t, std::uint32_t> sequence_;  // of collectives, by group
  std::uint32_t unknown_bytes_ = 0;
  std::uint32_t unknown_waits_ = 0;
  std::uint32_t spread_ = 0;  // tasks that ran beside others of their stream
};

OpKind AscendImport::kind_of(const AscendTask& task) const {
  if (const OpKind* const kind = task.part != 0 ? kinds_[task.part] : nullptr) return *kind;
  // Profilers show some records as place holders; only the name identifies them.
  if (const OpKind* const kind = kinds_[task.name]) return *kind;
  const OpKind* const kind = kinds_[task.type];
  return kind ? *kind : OpKind::kernel;
}

void AscendImport::infer_events() {
  std::vector<EventPoint> records, waits;
  for (std::size_t t = 0; t < profile_.tasks.size(); ++t) {
    const AscendTask& task = profile_.tasks[t];
    const OpKind kind = kind_of(task);
    if (kind != OpKind::record && kind != OpKind::wait) continue;
    EventPoint point{task.stream, task.start, task.end};
    if (const AscendCall* const from = call(task)) {
      point.issue = from->start;
      point.thread = from->thread;
    }
    (kind == OpKind::record ? records : waits).push_back(point);
    (kind == OpKind::record ? record_tasks_ : wait_tasks_).push_back(static_cast<std::uint32_t>(t));
  }
  inferred_ = infer_records(records, waits);
}

/// A timeline shows the parts of a collective without the task itself, which is put around them
/// here.
void AscendImport::add_wholes() {
  std::vector<AscendTask> wholes;
  std::unordered_map<std::uint64_t, std::size_t> open;  // by stream: the whole that is going on
  std::unordered_map<std::uint64_t, const AscendTask*> last;
  for (const AscendTask& task : profile_.tasks) {
    const AscendTask*& before = last[task.stream];
    const bool goes_on = before && before->task == task.task;
    if (task.context == kNoContext || !goes_on) open.erase(task.stream);
    if (task.context != kNoContext && task.part != 0 &&
        !(goes_on && before->context == kNoContext)) {
      const auto [at, fresh] = open.try_emplace(task.stream, wholes.size());
      if (fresh) {
        wholes.push_back(task);
        wholes.back().context = kNoContext;
        wholes.back().part = 0;
        wholes.back().name = collective_;
      }
      wholes[at->second].end = std::max(wholes[at->second].end, task.end);
    }
    // A part does not hide the whole that it follows.
    if (!goes_on || before->context != kNoContext) before = &task;
  }
  if (wholes.empty()) return;
  profile_.tasks.insert(profile_.tasks.end(), wholes.begin(), wholes.end());
  sort_tasks();
}

/// Parts belong to the task of the same stream and number that spans them.
void AscendImport::find_parts() {
  const std::vector<AscendTask>& tasks = profile_.tasks;
  part_of_.assign(tasks.size(), kNone);
  parts_.resize(tasks.size());
  ops_.assign(tasks.size(), kNone);
  std::unordered_map<std::uint64_t, std::uint32_t> whole;  // the last whole task of a stream
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const AscendTask& task = tasks[t];
    if (task.context == kNoContext) {
      whole[task.stream] = static_cast<std::uint32_t>(t);
      continue;
    }
    const auto found = whole.find(task.stream);
    if (found == whole.end()) continue;
    const AscendTask& owner = tasks[found->second];
    if (owner.task != task.task || task.start > owner.end || owner.start > task.start) continue;
    part_of_[t] = found->second;
    parts_[found->second].push_back(static_cast<std::uint32_t>(t));
  }
  fitted_.resize(tasks.size());
  for (const auto& parts : parts_) fit_parts(parts);
}

/// Assigns planes to parts whose plane the file does not name.
void AscendImport::fit_parts(const std::vector<std::uint32_t>& parts) {
  FirstFit fit;
  for (const std::uint32_t t : parts) {
    AscendTask& task = profile_.tasks[t];
    if (task.plane != kNoPlane) continue;
    task.plane = static_cast<std::uint32_t>(fit.take(task.start, task.end));
    fitted_[t] = true;
  }
}

TrackIndex AscendImport::plane(std::uint64_t stream, std::uint32_t plane) {
  const TrackIndex of = track_of(stream);
  const auto [at, fresh] = planes_.try_emplace(std::uint64_t{of} << 32 | plane, 0);
  if (!fresh) return at->second;
  at->second = builder_.new_stream(device_, stream);
  Track& track = builder_.track(at->second);
  track.plane_of = of;
  track.name = builder_.text(fmt::format("stream {} plane {}", stream, plane));
  return at->second;
}

std::int32_t AscendImport::device_of_rank(std::uint32_t rank) {
  if (rank == kNone || rank > INT32_MAX) return static_cast<std::int32_t>(device_);
  return static_cast<std::int32_t>(
      builder_.peer_device(builder_.rank(static_cast<std::int32_t>(rank))));
}

CopyUse AscendImport::copy_of(const AscendTask& task) {
  CopyUse use;
  use.bytes = task.bytes;
  unknown_bytes_ += task.bytes == kUnknownBytes;
  const auto here = static_cast<std::int32_t>(device_);
  if (task.part != 0) {
    use.src = device_of_rank(task.src_rank);
    use.dst = device_of_rank(task.dst_rank);
  } else if (task.direction >= 0) {
    use.src = task.direction <= 1 ? kHostMemory : here;
    use.dst = task.direction == 0 || task.direction == 2 ? kHostMemory : here;
  } else if (task.type == sdma_sqe_ || task.type == sdma_) {
    use.src = use.dst = here;
  }
  return use;
}

CommUse AscendImport::collective_of(const AscendTask& task, const NamedCollective& named) {
  CommUse use;
  use.kind = named.kind;
  use.bytes = task.bytes;
  use.how = Provenance::issue;
  const std::string_view group = group_in_name(words_[task.name]);
  if (named.point_to_point || group.empty()) return use;
  use.group = builder_.group(fmt::format("hcom {}", group));
  use.tag = sequence_[use.group]++;
  return use;
}

/// The collective that a task with parts is, if the profile describes it. Such collectives are not
/// coupled as a whole: their parts wait for the parts of other ranks.
std::optional<CommUse> AscendImport::whole_of(const AscendTask& task) {
  const auto found = profile_.collectives.find(task.connection);
  if (found == profile_.collectives.end()) return std::nullopt;
  const AscendCollective& said = found->second;
  const auto named = collective_by_name(words_[said.name]);
  if (!named || named->point_to_point) return std::nullopt;
  std::set<std::uint32_t> ranks{static_cast<std::uint32_t>(profile_.rank)};
  for (const std::uint32_t part : parts_[static_cast<std::size_t>(&task - profile_.tasks.data())]) {
    const AscendTask& it = profile_.tasks[part];
    for (const std::uint32_t rank : {it.src_rank, it.dst_rank}) {
      if (rank != kNone) ranks.insert(rank);
    }
  }
  CommUse use;
  use.kind = named->kind;
  use.bytes = said.bytes;
  const bool of_each = use.kind == Collective::all_gather ||
                       use.kind == Collective::reduce_scatter ||
                       use.kind == Collective::all_to_all;  // the profile counts one rank's part
  if (of_each && use.bytes < kUnknownBytes / ranks.size()) use.bytes *= ranks.size();
  if (ranks.size() < 2) return use;
  use.group = builder_.group(fmt::format("hcom {}", words_[said.group]));
  use.tag = sequence_[use.group]++;
  std::uint32_t& size = builder_.group_at(use.group).size;
  size = std::max(size, static_cast<std::uint32_t>(ranks.size()));
  return use;
}

// No file of this kind names the events: every record gets an event of its own, and so does a wait
// without a record.
std::uint32_t AscendImport::event_of(std::size_t t) {
  if (events_.empty()) events_.assign(profile_.tasks.size(), kNone);
  std::uint32_t& event = events_[t];
  if (event == kNone) event = builder_.new_object(ObjectKind::event, rank_, profile_.tasks[t].row);
  return event;
}

TrackIndex AscendImport::track_of(std::uint64_t stream) {
  const auto [at, fresh] = tracks_.try_emplace(stream, 0);
  if (fresh) at->second = builder_.stream(device_, stream);
  return at->second;
}

OpIndex AscendImport::add_sync(const NewOp& op, std::size_t t) {
  SyncUse use;
  if (op.kind == OpKind::notify || op.kind == OpKind::notify_wait) {
    use.object = builder_.object(ObjectKind::notify, kNone, profile_.tasks[t].notify);
    use.generation = 1;
    return builder_.add(op, use);
  }
  if (op.kind == OpKind::record) {
    use.object = event_of(t);
    use.generation = 1;
    return builder_.add(op, use);
  }
  const auto at = std::lower_bound(wait_tasks_.begin(), wait_tasks_.end(), t);
  const InferredRecord& found = inferred_[static_cast<std::size_t>(at - wait_tasks_.begin())];
  const std::uint32_t from = found.record == kNone ? kNone : record_tasks_[found.record];
  use.object = event_of(from == kNone ? t : from);
  const bool blocked = profile_.tasks[t].end - profile_.tasks[t].start > kBlockedWait;
  unknown_waits_ += from == kNone;
  use.generation = from == kNone && !blocked ? 0 : 1;
  use.candidates = found.streams;
  use.how = found.how;
  return builder_.add(op, use);
}

OpIndex AscendImport::add(const AscendTask& task, TrackIndex track, OpKind kind) {
  const auto t = static_cast<std::size_t>(&task - profile_.tasks.data());
  NewOp op;
  op.kind = known(task, kind) ? kind : OpKind::delay;
  op.track = track;
  op.name = builder_.text(words_[task.part == 0 ? task.name : task.part]);
  op.start = task.start - builder_.base_ns();
  op.duration = std::max<Nanoseconds>(task.end - task.start, 0);
  op.line = task.row;
  if (const AscendCall* const from = call(task)) {
    op.issue = from->start - builder_.base_ns();
    op.host = builder_.host(rank_, from->thread);
  }
  if (op.kind == OpKind::callback) op.flags |= kBlocks;
  if (op.kind == OpKind::join) {
    const auto said = profile_.collectives.find(task.connection);
    if (said != profile_.collectives.end()) op.name = builder_.text(words_[said->second.name]);
  }
  const auto named =
      op.kind == OpKind::kernel ? collective_by_name(words_[task.name]) : std::nullopt;
  if (named) {
    op.kind = OpKind::collective;
    ops_[t] = builder_.add(op, collective_of(task, *named));
  } else if (op.kind == OpKind::copy || op.kind == OpKind::reduce) {
    ops_[t] = builder_.add(op, copy_of(task));
  } else if (op.kind == OpKind::record || op.kind == OpKind::wait || op.kind == OpKind::notify ||
             op.kind == OpKind::notify_wait) {
    ops_[t] = add_sync(op, t);
  } else {
    const auto whole = op.kind == OpKind::join ? whole_of(task) : std::nullopt;
    ops_[t] = whole ? builder_.add(op, *whole) : builder_.add(op);
  }
  last_[track] = ops_[t];
  return ops_[t];
}

namespace {

/// The planes of one task, while its parts are added in the order in which they begin.
struct Planes {
  struct Plane {
    std::uint32_t last = kNone;      // task
    std::uint32_t previous = kNone;  // the one before it, which had ended when it began
    std::uint32_t met = kNone;       // the part of plane 0 that it has followed already
  };
  static constexpr Nanoseconds kGoOn = 5'000;  // until all planes have gone on
  const std::vector<AscendTask>& tasks;
  std::map<TrackIndex, Plane> all{};

  /// The last part of a plane that had ended at that time.
  std::uint32_t ended(const Plane& at, Nanoseconds when) const {
    for (const std::uint32_t part : {at.last, at.previous}) {
      if (part != kNone && tasks[part].end <= when) return part;
    }
    return kNone;
  }
  /// The part of another plane that a part waited for: it ended just when this one began, after a
  /// gap on its own plane.
  std::uint32_t awaited(const Plane& own, Nanoseconds start) const {
    if (own.last == kNone || start - tasks[own.last].end <= kGoOn) return kNone;
    std::uint32_t latest = own.last;
    for (const auto& [track, at] : all) {
      const std::uint32_t part = ended(at, start);
      if (part != kNone && tasks[part].end > tasks[latest].end) latest = part;
    }
    return latest != own.last && start - tasks[latest].end <= kGoOn ? latest : kNone;
  }
};

}  // namespace

/// Parts of a task, plane by plane side by side. The planes of a collective meet on plane 0: a part
/// there follows all parts that ended before it began, and precedes all that began after its end.
void AscendImport::add_parts(std::size_t join, OpIndex before) {
  const std::uint64_t stream = profile_.tasks[join].stream;
  Planes planes{profile_.tasks};
  const TrackIndex centre = plane(stream, 0);
  const auto follow = [&](std::uint32_t from, OpIndex to) {
    if (from != kNone) builder_.edge({ops_[from], to, 1, Provenance::time});
  };
  for (const std::uint32_t t : parts_[join]) {
    const AscendTask& task = profile_.tasks[t];
    const TrackIndex track = plane(stream, task.plane);
    const OpIndex op = add(task, track, kind_of(task));
    Planes::Plane& own = planes.all[track];
    if (own.last == kNone && before != kNone) builder_.edge({before, op, 1, Provenance::exact});
    if (fitted_[t]) {
      own.last = t;  // tracks that were assigned here do not meet
      continue;
    }
    const std::uint32_t middle = planes.all[centre].last;
    if (track == centre) {
      for (const auto& [other, at] : planes.all) {
        if (other != centre) follow(planes.ended(at, task.start), op);
      }
    } else if (middle != kNone && own.met != middle && profile_.tasks[middle].end <= task.start) {
      follow(middle, op);
      own.met = middle;
    }
    if (track != centre) follow(planes.awaited(own, task.start), op);
    own.previous = std::exchange(own.last, t);
  }
}

void AscendImport::add_task(std::size_t t) {
  const AscendTask& task = profile_.tasks[t];
  const TrackIndex track = track_beside(task);
  if (parts_[t].empty()) {
    follow_beside(task, track, add(task, track, kind_of(task)));
    return;
  }
  const auto before = last_.find(track);
  add_parts(t, before == last_.end() ? kNone : before->second);
  std::map<TrackIndex, OpIndex> ends;
  for (const std::uint32_t part : parts_[t]) {
    ends[plane(task.stream, profile_.tasks[part].plane)] = ops_[part];
  }
  const OpIndex join = follow_beside(task, track, add(task, track, OpKind::join));
  for (const auto& [at, op] : ends) builder_.edge({op, join, 1, Provenance::exact});
}

/// The stream's own track, or a track beside it if that one is occupied when the task begins.
TrackIndex AscendImport::track_beside(const AscendTask& task) {
  const std::size_t fit = beside_[task.stream].tracks.take(task.start, task.end);
  if (fit == 0) return track_of(task.stream);
  ++spread_;
  const TrackIndex of = track_of(task.stream);
  const auto [at, fresh] = planes_.try_emplace((std::uint64_t{of} << 32 | kBeside) + fit, 0);
  if (!fresh) return at->second;
  at->second = builder_.new_stream(device_, task.stream);
  Track& track = builder_.track(at->second);
  track.plane_of = of;
  track.name = builder_.text(fmt::format("stream {} beside {}", task.stream, fit));
  return at->second;
}

/// A task beside a stream follows the tasks that the own track had ended by then; later tasks of
/// the own track follow it.
OpIndex AscendImport::follow_beside(const AscendTask& task, TrackIndex track, OpIndex op) {
  Beside& stream = beside_[task.stream];
  const TrackIndex own = track_of(task.stream);
  const auto t = static_cast<std::size_t>(&task - profile_.tasks.data());
  for (auto& [other, last] : stream.last) {
    if (other == track || (track != own && other != own) || last.met) continue;
    if (profile_.tasks[last.task].end > task.start) continue;
    builder_.edge({ops_[last.task], op, 1, Provenance::time});
    last.met = track == own;
  }
  stream.last[track] = {t, false};
  return op;
}

void AscendImport::remark() {
  if (unknown_bytes_ != 0) {
    builder_.remark(Level::note, fmt::format("{} copies without a size", unknown_bytes_));
  }
  if (unknown_waits_ != 0) {
    builder_.remark(Level::warning, fmt::format("{} stream waits, records not in the file; those "
                                                "that blocked end as recorded",
                                                unknown_waits_));
  }
  if (spread_ != 0) {
    builder_.remark(Level::note, fmt::format("{} tasks ran beside others of their stream; spread "
                                             "over tracks by their times",
                                             spread_));
  }
}

void AscendImport::bind_waits() {
  for (std::size_t w = 0; w < wait_tasks_.size(); ++w) {
    if (inferred_[w].record == kNone) continue;
    SyncUse& use = builder_.pending().sync(ops_[wait_tasks_[w]]);
    use.partner = ops_[record_tasks_[inferred_[w].record]];
  }
}

/// The profile does not name the task that a call waited for. This returns the last task that had
/// ended at the end of the call and had been called for before it.
std::uint32_t AscendImport::awaited(const AscendSync& sync,
                                    const std::vector<std::uint32_t>& by_end) const {
  constexpr int kLookedAt = 256;
  auto at = std::upper_bound(
      by_end.begin(), by_end.end(), sync.end + kClockSlack,
      [&](Nanoseconds end, std::uint32_t t) { return end < profile_.tasks[t].end; });
  for (int looked = 0; at != by_end.begin() && looked < kLookedAt; ++looked) {
    const std::uint32_t t = *--at;
    const AscendCall* const from = call(profile_.tasks[t]);
    if (from && from->start < sync.start && ops_[t] != kNone) return t;
  }
  return kNone;
}

void AscendImport::add_syncs() {
  if (profile_.syncs.empty()) return;
  std::vector<std::uint32_t> by_end(profile_.tasks.size());
  std::iota(by_end.begin(), by_end.end(), 0U);
  std::sort(by_end.begin(), by_end.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(profile_.tasks[a].end, a) < std::pair(profile_.tasks[b].end, b);
  });
  std::sort(profile_.syncs.begin(), profile_.syncs.end(),
            [](const AscendSync& a, const AscendSync& b) { return a.start < b.start; });
  for (const AscendSync& sync : profile_.syncs) {
    const std::uint32_t t = awaited(sync, by_end);
    if (t == kNone) continue;  // no task to wait for
    NewOp op;
    op.kind = OpKind::sync;
    op.host = builder_.host(rank_, sync.thread);
    op.track = builder_.host_track(op.host);
    op.name = builder_.text(words_[sync.name]);
    op.start = op.issue = sync.start - builder_.base_ns();
    op.duration = sync.end - sync.start;
    HostUse use;
    use.target = Target::stream;
    use.partner = ops_[t];
    use.index = track_of(profile_.tasks[t].stream);
    if (words_[sync.name].find("SynchronizeDevice") != std::string::npos) {
      use = {Target::device, 0, device_, 0, kNone};
    }
    builder_.add(op, use);
  }
}

}  // namespace

void add_ascend(AscendProfile& profile, const AscendCalls& calls, Strings& words,
                Builder& builder) {
  AscendImport(profile, calls, words, builder).run();
}

}  // namespace trace
