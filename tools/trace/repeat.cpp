// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/repeat.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "tools/trace/builder.h"
#include "tools/trace/files/input_error.h"
#include "tools/trace/pairing/pairing.h"
#include "tools/trace/parts.h"

namespace trace {
namespace {

Keep kept() {
  Keep keep;
  keep.sites = keep.ranges = false;
  return keep;
}

/// Ranks that have ops: the trace only names the others.
std::vector<std::uint32_t> working(const Trace& trace) {
  std::set<std::uint32_t> found;
  for (const Track& track : trace.tracks()) {
    if (track.size() != 0) found.insert(track.rank);
  }
  return {found.begin(), found.end()};
}

/// Collectives that a profile records by their parts. The parts are for the number of ranks in the
/// profile; with another number, the whole collective is one op.
class Wholes {
 public:
  Wholes(const Trace& trace, std::uint32_t rank)
      : trace_(trace), wholes_(trace.size()), parts_(trace.size()) {
    for (const Track& track : trace.tracks()) {
      if (track.rank != rank) continue;
      for (OpIndex op = track.begin; op < track.end; ++op) look_at(op);
    }
  }
  bool whole(OpIndex op) const { return wholes_[op]; }
  bool part(OpIndex op) const { return parts_[op]; }
  bool any() const { return std::find(wholes_.begin(), wholes_.end(), true) != wholes_.end(); }
  /// Whether the track holds nothing else.
  bool only_parts(const Track& track) const {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (!parts_[op]) return false;
    }
    return track.size() != 0;
  }

 private:
  void look_at(OpIndex op) {
    if (trace_[op].kind != OpKind::join) return;
    const std::vector<OpIndex> parts = parts_of(trace_, op);
    const bool exchanges =
        trace_[op].use != kNone ||
        std::any_of(parts.begin(), parts.end(), [&](OpIndex part) { return for_others(part); });
    if (!exchanges) return;
    wholes_[op] = true;
    for (const OpIndex part : parts) parts_[part] = true;
  }
  bool for_others(OpIndex part) const {
    const OpKind kind = trace_[part].kind;
    if (kind == OpKind::notify || kind == OpKind::notify_wait) return true;
    if ((kind != OpKind::copy && kind != OpKind::reduce) || trace_[part].use == kNone) return false;
    const CopyUse& use = trace_.copy(part);
    return use.src >= 0 && use.dst >= 0 && use.src != use.dst;
  }

  const Trace& trace_;
  std::vector<bool> wholes_, parts_;
};

/// The number of ranks of the job, as far as the trace shows it.
std::size_t world_of(const Trace& trace) {
  std::size_t most = working(trace).size();
  for (const Group& group : trace.groups()) {
    most = std::max({most, group.ranks.size(), std::size_t{group.size}});
  }
  return most;
}

class Repeat {
 public:
  Repeat(const Trace& from, std::uint32_t rank, std::uint32_t count)
      : from_(from),
        rank_(rank),
        count_(count),
        out_(kept()),
        world_(world_of(from)),
        wholes_(from, rank) {}

  Trace run() {
    define();
    for (copy_ = 0; copy_ < count_; ++copy_) add_copy();
    for (const Edge& edge : from_.edges()) {
      const std::vector<OpIndex>& a = placed(edge.from);
      const std::vector<OpIndex>& b = placed(edge.to);
      for (std::size_t c = 0; c < a.size() && c < b.size(); ++c) {
        out_.edge({a[c], b[c], edge.candidates, edge.how});
      }
    }
    link_partners();
    for (const std::string& text : remarks()) out_.remark(Level::note, text);
    Trace made = out_.finish();
    pair_sends(made);
    return made;
  }

 private:
  void define() {
    for (const Source& source : from_.sources()) {
      out_.source(from_.text(source.path), from_.text(source.format), from_.text(source.tool),
                  from_.text(source.file));
    }
    out_.base_ns(from_.base_ns());
    for (std::uint32_t c = 0; c < count_; ++c) {
      ranks_.push_back(out_.rank(static_cast<std::int32_t>(c)));
      devices_.emplace_back();
      for (std::uint32_t d = 0; d < from_.devices().size(); ++d) {
        const Device& device = from_.devices()[d];
        if (device.rank != rank_) continue;
        devices_[c][d] = out_.device(ranks_[c], std::max(0, device.id), word(device.name));
      }
    }
    std::uint64_t ops = 0;
    for (const Track& track : from_.tracks()) ops += track.rank == rank_ ? track.size() : 0;
    if (ops * count_ > kMost) {
      throw InputError(
          fmt::format("a rank of {} ops, {} times, are too many; expected at most {} "
                      "ops together",
                      ops, count_, kMost));
    }
  }

  StringIndex word(StringIndex text) { return text == 0 ? 0 : out_.text(from_.text(text)); }

  void add_copy() {
    std::map<std::uint32_t, std::uint32_t> graphs;
    objects_.clear();
    tracks_.assign(from_.tracks().size(), kNone);
    for (TrackIndex l = 0; l < from_.tracks().size(); ++l) {
      const Track& track = from_.tracks()[l];
      if (track.rank == rank_ && !wholes_.only_parts(track)) add_track(l, graphs);
    }
    for (TrackIndex l = 0; l < from_.tracks().size(); ++l) {
      if (tracks_[l] == kNone) continue;
      const Track& track = from_.tracks()[l];
      if (track.plane_of != kNone) out_.track(tracks_[l]).plane_of = tracks_[track.plane_of];
      sequence_ = 0;
      for (OpIndex op = track.begin; op < track.end; ++op) {
        if (!wholes_.part(op)) add(op, l);
      }
    }
  }

  void add_track(TrackIndex l, std::map<std::uint32_t, std::uint32_t>& graphs) {
    const Track& track = from_.tracks()[l];
    if (track.kind == TrackKind::host) {
      tracks_[l] = out_.host_track(out_.host(ranks_[copy_], track.id));
      out_.track(tracks_[l]).name = word(track.name);
      return;
    }
    tracks_[l] = out_.new_stream(devices_[copy_].at(track.device), track.id);
    Track& made = out_.track(tracks_[l]);
    made.name = word(track.name);
    made.priority = track.priority;
    if (track.graph == kNone) return;
    const auto [at, fresh] = graphs.try_emplace(track.graph, 0);
    const Graph& graph = from_.graphs()[track.graph];
    if (fresh) at->second = out_.graph(graph.id, word(graph.name));
    made.graph = at->second;
    out_.graph_at(at->second).tracks.push_back(tracks_[l]);
    graphs_[{copy_, track.graph}] = at->second;
  }

  std::uint32_t object(std::uint32_t index) {
    const auto [at, fresh] = objects_.try_emplace(index, 0);
    if (!fresh) return at->second;
    const Object& it = from_.objects()[index];
    return at->second = out_.new_object(it.kind, ranks_[copy_], it.id);
  }

  /// The rank at the same distance from this copy as another one was from the original, the shorter
  /// way round.
  std::uint32_t peer(std::uint32_t rank) {
    const std::int64_t own = from_.ranks()[rank_].id;
    const auto named = static_cast<std::int64_t>(from_.ranks().size());
    std::int64_t apart = from_.ranks()[rank].id - own;
    if (2 * apart > named) apart -= named;
    if (2 * apart < -named) apart += named;
    const auto n = static_cast<std::int64_t>(count_);
    peers_ = peers_ || apart != 0;
    return static_cast<std::uint32_t>((((copy_ + apart) % n) + n) % n);
  }

  std::int32_t device(std::int32_t index) {
    if (index < 0) return index;
    const Device& it = from_.devices()[static_cast<std::size_t>(index)];
    const bool own = it.rank == rank_;
    const auto& devices = devices_[own ? copy_ : peer(it.rank)];
    const auto same = devices.find(static_cast<std::uint32_t>(index));
    if (same != devices.end()) return static_cast<std::int32_t>(same->second);
    return devices.empty() ? kUnknownDevice : static_cast<std::int32_t>(devices.begin()->second);
  }

  void add(OpIndex op, TrackIndex l) {
    const Op& it = from_[op];
    NewOp made;
    made.kind = wholes_.whole(op) ? OpKind::collective : it.kind;
    made.track = tracks_[l];
    made.name = word(it.name);
    made.start = from_.start(op);
    made.issue = from_.issue(op);
    if (it.has(kHasDuration)) made.duration = from_.duration(op);
    made.flags = static_cast<std::uint8_t>(
        it.flags &
        static_cast<std::uint8_t>(~(kHasDuration | kHasDeps | kHasRanges | kLongDuration)));
    if (it.host != kNoHost) made.host = host_of(it.host);
    made.id = from_.id(op);
    made.line = from_.line(op);
    placed_[op].push_back(put(made, op));
  }
  std::uint16_t host_of(std::uint16_t host) {
    return out_.host(ranks_[copy_], from_.tracks()[from_.hosts()[host]].id);
  }

  OpIndex put(const NewOp& made, OpIndex op) {
    const Op& it = from_[op];
    if (it.use == kNone && !wholes_.whole(op)) return out_.add(made);
    switch (made.kind) {
      case OpKind::record:
      case OpKind::wait:
      case OpKind::reset:
      case OpKind::notify:
      case OpKind::notify_wait: {
        SyncUse use = from_.sync(op);
        if (use.object != kNone) use.object = object(use.object);
        use.partner = kNone;
        return out_.add(made, use);
      }
      case OpKind::value_write:
      case OpKind::value_wait: {
        ValueUse use = from_.value(op);
        if (use.object != kNone) use.object = object(use.object);
        use.partner = kNone;
        return out_.add(made, use);
      }
      case OpKind::copy:
      case OpKind::fill:
      case OpKind::reduce: {
        CopyUse use = from_.copy(op);
        use.src = device(use.src);
        use.dst = device(use.dst);
        use.reduction = word(use.reduction);
        return out_.add(made, use);
      }
      case OpKind::send:
      case OpKind::recv:
      case OpKind::collective:
      case OpKind::barrier:
        return out_.add(made, comm(op));
      case OpKind::sync:
      case OpKind::query:
        return out_.add(made, host_use(op));
      case OpKind::launch: {
        LaunchUse use = from_.launch(op);
        const auto [at, fresh] = graphs_.try_emplace({copy_, use.graph}, 0);
        if (fresh) at->second = out_.graph(from_.graphs()[use.graph].id);
        use.graph = at->second;
        return out_.add(made, use);
      }
      default:
        return out_.add(made);
    }
  }

  CommUse comm(OpIndex op) {
    CommUse use = from_[op].use == kNone ? CommUse{} : from_.comm(op);
    use.partner = kNone;
    use.algorithm = word(use.algorithm);
    if (use.peer != kNone) use.peer = ranks_[peer(use.peer)];
    const bool pair = from_[op].kind == OpKind::send || from_[op].kind == OpKind::recv;
    if (pair) {
      use.tag = 0;  // other ranks have other tags: the k-th meets the k-th
      use.group = kNone;
      return use;
    }
    const bool known = use.group != kNone;
    std::string name = known ? from_.text(from_.groups()[use.group].name)
                             : fmt::format("stream {}", from_.tracks()[from_.track_of(op)].id);
    if (!known) use.tag = sequence_++;
    std::size_t size = known ? std::max<std::size_t>(from_.groups()[use.group].ranks.size(),
                                                     from_.groups()[use.group].size)
                             : 0;
    if (size < 2 || size >= world_ || count_ % size != 0) size = count_;
    const auto part = static_cast<std::uint32_t>(copy_ / size);
    if (size != count_) name += fmt::format(" of part {}", part);
    if (size != count_) parts_ = true;
    use.group = out_.group(name);
    std::vector<std::uint32_t>& ranks = out_.group_at(use.group).ranks;
    for (std::size_t r = ranks.size(); r < size; ++r) ranks.push_back(ranks_[part * size + r]);
    return use;
  }

  HostUse host_use(OpIndex op) {
    HostUse use = from_.host(op);
    use.partner = kNone;
    if (use.index == kNone) return use;
    if (use.target == Target::stream) use.index = tracks_[use.index];
    if (use.target == Target::event) use.index = object(use.index);
    if (use.target == Target::device) {
      const std::int32_t own = device(static_cast<std::int32_t>(use.index));
      use.index = own < 0 ? kNone : static_cast<std::uint32_t>(own);
    }
    return use;
  }

  const std::vector<OpIndex>& placed(OpIndex op) const {
    static const std::vector<OpIndex> nowhere;
    const auto found = placed_.find(op);
    return found == placed_.end() ? nowhere : found->second;
  }

  /// Partners within the rank; those outside of it are lost, and their waits end as recorded.
  void link_partners() {
    for (const auto& [op, places] : placed_) {
      const Op& it = from_[op];
      if (it.use == kNone) continue;
      OpIndex partner = kNone;
      const bool signals = waits(it.kind) || it.kind == OpKind::notify;
      if (signals) {
        partner = it.kind == OpKind::value_wait ? from_.value(op).partner : from_.sync(op).partner;
      }
      if (it.kind == OpKind::sync) partner = from_.host(op).partner;
      if (partner == kNone) continue;
      const std::vector<OpIndex>& others = placed(partner);
      lost_ += waits(it.kind) && others.empty();
      for (std::size_t c = 0; c < others.size(); ++c) link(places[c], it.kind, others[c]);
    }
  }
  void link(OpIndex op, OpKind kind, OpIndex partner) {
    Trace& made = out_.pending();
    if (kind == OpKind::sync) {
      made.host(op).partner = partner;
    } else if (kind == OpKind::value_wait) {
      made.value(op).partner = partner;
    } else {
      made.sync(op).partner = partner;
    }
  }

  std::vector<std::string> remarks() const {
    std::vector<std::string> texts{
        fmt::format("rank {} is repeated {} times", from_.ranks()[rank_].id, count_)};
    if (peers_)
      texts.push_back("other ranks are taken to be as far from each copy as from the rank");
    if (parts_)
      texts.push_back("groups that are smaller than the job are taken to be of neighbours");
    if (wholes_.any()) {
      texts.push_back("collectives that are told by their parts are taken as one operation each");
    }
    if (lost_ != 0) {
      texts.push_back(
          fmt::format("{} waits of a rank are for other ranks; they end as recorded", lost_));
    }
    return texts;
  }

  static constexpr std::uint64_t kMost = 100'000'000;

  const Trace& from_;
  std::uint32_t rank_;
  std::uint32_t count_;
  Builder out_;
  std::size_t world_;
  Wholes wholes_;
  std::uint32_t copy_ = 0;
  std::uint32_t sequence_ = 0;  // of collectives of a track that name no group
  std::uint64_t lost_ = 0;
  bool peers_ = false, parts_ = false;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> devices_;  // by copy, then by device
  std::vector<TrackIndex> tracks_;                               // of this copy
  std::map<std::uint32_t, std::uint32_t> objects_;               // of this copy
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> graphs_;
  std::map<OpIndex, std::vector<OpIndex>> placed_;  // by op: of each copy
};

}  // namespace

Trace repeat_rank(const Trace& trace, std::uint32_t rank, std::uint32_t count) {
  return Repeat(trace, rank, count).run();
}

}  // namespace trace
