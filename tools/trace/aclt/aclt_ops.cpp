// SPDX-License-Identifier: Apache-2.0
// The part of the reader of the native format that takes ops.
#include <algorithm>

#include "tools/trace/aclt/aclt_reader.h"
#include "tools/trace/words.h"

namespace trace {

using K = AcltKey;

// ---- what all ops have ----

namespace {
constexpr Nanoseconds kFarthest = Nanoseconds{1} << 61;  // sums of a few still fit into 64 bits
}

Nanoseconds AcltReader::time(AcltKey key) const {
  if (!line_.has(key)) return kNoTime;
  const Nanoseconds given = line_.integer(key);
  if (given >= -kFarthest && given <= kFarthest) {
    const Nanoseconds shifted = given + shift_;
    if (shifted >= -kFarthest && shifted <= kFarthest) return shifted;
  }
  refuse(fmt::format("`{}` is {}; expected a time within 73 years of `base_ns`", word(key), given));
}

Nanoseconds AcltReader::duration() const {
  if (!line_.has(K::d)) return kNoTime;
  const Nanoseconds given = line_.integer(K::d);
  if (given >= 0 && given <= kFarthest) return given;
  refuse(fmt::format("`d` is {}; expected from 0 ns to 73 years", given));
}

StringIndex AcltReader::name() {
  if (line_.has(K::text)) return builder_.text(line_.text(K::text));
  if (!line_.has(K::n)) return 0;
  return line_.is_text(K::n) ? builder_.text(line_.text(K::n)) : find(names_, K::n, "name");
}

/// `i`, or one more than the op before has.
void AcltReader::take_number(NewOp& op) {
  const std::uint64_t number = line_.has(K::i) ? line_.number(K::i) : last_number_ + 1;
  if (number == 0 || number >= kNone) {
    refuse(fmt::format("`i` is {}; expected a number from 1 to 4294967294", number));
  }
  ascending_ = ascending_ && number > last_number_;
  last_number_ = number;
  op.id = static_cast<std::uint32_t>(number);
  numbers_.push_back(op.id);
}

/// The track: the stream, or else the host thread.
void AcltReader::place(NewOp& op) {
  if (line_.has(K::h)) op.host = static_cast<std::uint16_t>(find(hosts_, K::h, "host thread"));
  const bool by_host =
      op.kind == OpKind::api || op.kind == OpKind::sync || op.kind == OpKind::query;
  if (!by_host && line_.has(K::st)) {
    op.track = find(streams_, K::st, "stream");
  } else if (op.host != kNoHost) {
    op.track = builder_.host_track(op.host);
  } else {
    lacks(by_host ? K::h : K::st, word(op.kind));
  }
}

NewOp AcltReader::common(OpKind kind) {
  NewOp op;
  op.kind = kind;
  op.line = lines_.number() - skipped_;
  take_number(op);
  place(op);
  op.name = name();
  op.start = time(K::t);
  op.issue = time(K::iss);
  op.duration = duration();
  if (line_.has(K::site)) op.site = builder_.text(line_.text(K::site));
  if (line_.flag(K::blocks) || line_.flag(K::sync)) op.flags |= kBlocks;
  if (line_.flag(K::pageable)) op.flags |= kPageable;
  if (line_.flag(K::ordered)) op.flags |= kOrdered;
  if (kind == OpKind::callback && !line_.has(K::blocks)) op.flags |= kBlocks;
  return op;
}

// ---- events ----

AcltReader::Event& AcltReader::event(std::uint32_t object) {
  if (object >= events_.size()) events_.resize(object + 1);
  return events_[object];
}

void AcltReader::record(std::uint32_t object, SyncUse& use) {
  Event& it = event(object);
  use.generation = line_.has(K::gen) ? small(K::gen) : it.generation + 1;
  if (use.generation == 0) refuse("`gen` of a record is 0; expected a number from 1");
  if (use.generation == it.generation) {
    refuse(fmt::format("generation {} of event {} is recorded twice; expected one record",
                       use.generation, line_.number(K::ev)));
  }
  it.generation = use.generation;
  it.op = builder_.size();
  it.records.push_back({it.generation, it.op});
}

OpIndex AcltReader::add_event(const NewOp& op) {
  need(K::ev, word(op.kind));
  SyncUse use;
  const std::uint32_t rank = builder_.track(op.track).rank;
  use.object = builder_.object(ObjectKind::event, rank, line_.number(K::ev));
  if (op.kind == OpKind::record) {
    record(use.object, use);
    return builder_.add(op, use);
  }
  Event& it = event(use.object);
  const bool bound = it.op != kNone;
  use.generation = line_.has(K::gen) ? small(K::gen) : bound ? it.generation : 0;
  if (op.kind == OpKind::reset) {
    it.op = kNone;
    return builder_.add(op, use);
  }
  if (use.generation == 0) return builder_.add(op, use);
  const How how = line_.has(K::inf) ? how_of(line_.text(K::inf)) : How{Provenance::exact, 1};
  use.how = how.how;
  use.candidates = how.candidates;
  if (use.generation == it.generation && bound) {
    use.partner = it.op;
  } else {
    open_.push_back({Open::wait, builder_.size(), op.line, use.generation, use.object});
  }
  return builder_.add(op, use);
}

OpIndex AcltReader::add_notify(const NewOp& op) {
  need(K::nid, word(op.kind));
  SyncUse use;
  const std::uint32_t rank = recording_ ? builder_.track(op.track).rank : kNone;
  use.object = builder_.object(ObjectKind::notify, rank, line_.number(K::nid));
  use.generation = line_.has(K::count) ? small(K::count) : 1;
  return builder_.add(op, use);
}

OpIndex AcltReader::add_value(const NewOp& op) {
  need(K::addr, word(op.kind));
  ValueUse use;
  use.object =
      builder_.object(ObjectKind::address, builder_.track(op.track).rank, line_.number(K::addr));
  use.value = line_.number(K::val);
  if (!line_.has(K::cmp)) return builder_.add(op, use);
  const auto found = compare(line_.text(K::cmp));
  if (!found) {
    refuse(fmt::format("`cmp` is '{}'; expected eq, geq, and or nor", shown(line_.text(K::cmp))));
  }
  use.compare = *found;
  return builder_.add(op, use);
}

// ---- the other kinds ----

OpIndex AcltReader::add_copy(const NewOp& op) {
  CopyUse use;
  if (line_.has(K::bytes)) use.bytes = line_.number(K::bytes);
  use.src = device_or_host(K::src);
  use.dst = device_or_host(K::dst);
  if (op.kind == OpKind::reduce) use.reduction = builder_.text(line_.text(K::kind));
  const Track& track = builder_.track(op.track);
  if (op.kind != OpKind::copy && !line_.has(K::dst) && track.device != kNone) {
    use.dst = static_cast<std::int32_t>(track.device);
  }
  return builder_.add(op, use);
}

OpIndex AcltReader::add_comm(const NewOp& op) {
  CommUse use;
  if (line_.has(K::bytes)) use.bytes = line_.number(K::bytes);
  if (line_.has(K::group)) use.group = find(groups_, K::group, "group");
  if (line_.has(K::algo)) use.algorithm = builder_.text(line_.text(K::algo));
  use.tag = small(line_.has(K::seq) ? K::seq : K::tag);
  if (op.kind == OpKind::barrier) use.kind = Collective::barrier;
  if (op.kind == OpKind::collective || op.kind == OpKind::join) {
    need(K::kind, "coll");
    const auto kind = collective(line_.text(K::kind));
    if (!kind) {
      refuse(fmt::format("`kind` is '{}'; expected all_reduce, all_gather, ...",
                         shown(line_.text(K::kind))));
    }
    use.kind = *kind;
  }
  if (op.kind == OpKind::send || op.kind == OpKind::recv) {
    need(K::peer, word(op.kind));
    use.peer = rank_of(line_.number(K::peer));
  }
  if (line_.has(K::mode)) {
    const auto mode = send_mode(line_.text(K::mode));
    if (!mode) {
      refuse(fmt::format("`mode` is '{}'; expected eager, rdv or unknown",
                         shown(line_.text(K::mode))));
    }
    use.mode = *mode;
  }
  return builder_.add(op, use);
}

OpIndex AcltReader::add_host(const NewOp& op) {
  HostUse use;
  const std::string_view what = line_.has(K::what) ? line_.text(K::what) : "event";
  const auto found = target(what);
  if (!found) refuse(fmt::format("`what` is '{}'; expected stream, event or device", shown(what)));
  use.target = *found;
  use.saw = line_.flag(K::saw) ? 1 : 0;
  const AcltKey key = line_.has(K::ev) ? K::ev : K::id;
  need(key, word(op.kind));
  if (use.target == Target::device) use.index = find(devices_, key, "device");
  if (use.target == Target::stream) {
    use.index = find(streams_, key, "stream");
    if (use.index < last_of_track_.size()) use.partner = last_of_track_[use.index];
  }
  if (use.target == Target::event) {
    const std::uint32_t rank = builder_.track(op.track).rank;
    use.index = builder_.object(ObjectKind::event, rank, line_.number(key));
    Event& it = event(use.index);
    use.generation = line_.has(K::gen) ? small(K::gen) : it.op == kNone ? 0 : it.generation;
    if (use.generation != 0) {
      open_.push_back({Open::host, builder_.size(), op.line, use.generation, use.index});
    }
  } else if (line_.has(K::upto)) {
    open_.push_back({Open::host, builder_.size(), op.line, line_.number(K::upto)});
  }
  return builder_.add(op, use);
}

OpIndex AcltReader::add_memory(const NewOp& op) {
  need(K::buf, word(op.kind));
  MemoryUse use;
  use.buffer = find(buffers_, K::buf, "buffer");
  use.bytes = line_.number(K::size);
  return builder_.add(op, use);
}

OpIndex AcltReader::add(const NewOp& op) {
  switch (op.kind) {
    case OpKind::record:
    case OpKind::wait:
    case OpKind::reset:
      return add_event(op);
    case OpKind::notify:
    case OpKind::notify_wait:
      return add_notify(op);
    case OpKind::value_write:
    case OpKind::value_wait:
      return add_value(op);
    case OpKind::copy:
    case OpKind::fill:
    case OpKind::reduce:
      return add_copy(op);
    case OpKind::send:
    case OpKind::recv:
    case OpKind::collective:
    case OpKind::barrier:
      return add_comm(op);
    case OpKind::join:
      if (line_.has(K::kind)) return add_comm(op);
      break;
    case OpKind::sync:
    case OpKind::query:
      return add_host(op);
    case OpKind::alloc:
    case OpKind::free:
      return add_memory(op);
    case OpKind::launch:
      need(K::graph, "launch");
      return builder_.add(op, LaunchUse{find(graphs_, K::graph, "graph")});
    case OpKind::external:
      need(K::t, "ext");
      break;
    default:
      break;
  }
  return builder_.add(op);
}

void AcltReader::add_deps(OpIndex op) {
  for (const AcltDep& dep : line_.deps) {
    const How how = dep.how.data() ? how_of(dep.how) : How{Provenance::exact, 1};
    open_.push_back({Open::dep, op, lines_.number(), dep.op, kNone, how.candidates, how.how});
  }
}

std::uint32_t AcltReader::buffer_of(AcltKey key, std::uint64_t id) const {
  const std::uint32_t buffer = buffers_.find(id);
  if (buffer != IdMap::kAbsent) return buffer;
  refuse(
      fmt::format("`{}` names buffer {}; expected one that a line before defines", word(key), id));
}

void AcltReader::add_ranges(OpIndex op) {
  for (const AcltRange& range : line_.ranges) {
    const std::uint32_t buffer = buffer_of(range.key, range.buffer);
    if (range.offset + range.bytes < range.offset) {
      refuse(fmt::format("a range of {} bytes at {}; expected an end below 2^64", range.bytes,
                         range.offset));
    }
    const bool reduced = range.key == K::red;
    builder_.range({op, buffer, range.offset, range.bytes, reduced || range.key == K::wr, reduced});
  }
  if (!line_.has(K::may)) return;
  builder_.given({op, kNone});
  for (const std::uint64_t id : line_.may) builder_.given({op, buffer_of(K::may, id)});
}

void AcltReader::op() {
  const auto kind = op_kind(line_.text(K::op));
  if (!kind && !line_.flag(K::opt)) {
    refuse(
        fmt::format("`op` is '{}'; expected kernel, memcpy, record, wait, ... "
                    "(docs/trace-format.md), or \"opt\":true to pass over it",
                    shown(line_.text(K::op))));
  }
  NewOp op = common(kind.value_or(OpKind::delay));
  if (line_.flag(K::opt)) op.flags |= kOptional;
  if (!kind && op.name == 0) op.name = builder_.text(line_.text(K::op));
  const OpIndex index = add(op);
  if (op.track >= last_of_track_.size()) last_of_track_.resize(op.track + 1, kNone);
  last_of_track_[op.track] = index;
  if (!line_.deps.empty()) add_deps(index);
  add_ranges(index);
  if (!line_.args.empty()) builder_.args(index, std::string(line_.args));
}

}  // namespace trace
