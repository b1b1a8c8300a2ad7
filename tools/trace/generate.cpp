// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/generate.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tools/trace/builder.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/pairing/pairing.h"

namespace trace {
namespace {

/// Steele's SplitMix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(next() % end); }

 private:
  std::uint64_t state_;
};

class Generator {
 public:
  explicit Generator(const GenerateOptions& options)
      : options_(options), random_(options.seed), builder_(Keep{.ids = false, .lines = false}) {
    builder_.source(fmt::format("gen {}", options.kind), kNativeFormat, "aclsim gen");
    const bool many_ranks = options.kind == "sends";
    for (std::uint32_t d = 0; d < options.devices; ++d) {
      const std::uint32_t rank = builder_.rank(many_ranks ? static_cast<std::int32_t>(d) : 0);
      devices_.push_back(builder_.device(rank, static_cast<std::int32_t>(d)));
      for (std::uint32_t s = 0; s < options.streams; ++s) {
        tracks_.push_back(builder_.stream(devices_.back(), s));
      }
    }
    kernel_ = builder_.text("kernel");
    events_.resize(tracks_.size());
  }

  Trace run(void (Generator::*step)()) {
    while (left() != 0) {
      const OpIndex before = builder_.size();
      (this->*step)();
      if (builder_.size() == before) fill();  // too little room for one more step
    }
    Trace trace = builder_.finish();
    pair_notifies(trace);
    pair_sends(trace);
    return trace;
  }

  void ring();
  void pipeline();
  void fan_in();
  void fan_out();
  void random();
  void deadlock();
  void racy();
  void sends();

 private:
  std::uint32_t left() const { return options_.ops - builder_.size(); }
  std::uint32_t count() const { return static_cast<std::uint32_t>(tracks_.size()); }
  std::uint32_t device_of(std::uint32_t track) const { return track / options_.streams; }
  /// The same stream of the next device; with one device the next stream.
  std::uint32_t neighbour(std::uint32_t track) const {
    return (track + (options_.devices > 1 ? options_.streams : 1)) % count();
  }

  NewOp on(std::uint32_t track, OpKind kind) const {
    NewOp op;
    op.kind = kind;
    op.track = tracks_[track];
    return op;
  }
  OpIndex kernel(std::uint32_t track) {
    NewOp op = on(track, OpKind::kernel);
    op.name = kernel_;
    op.duration = 1000 + random_.below(99'000);
    return builder_.add(op);
  }
  OpIndex copy(std::uint32_t from, std::uint32_t to) {
    const std::uint64_t bytes = (1 + random_.below(64)) * 65'536ULL;
    return builder_.add(on(from, OpKind::copy),
                        CopyUse{bytes, static_cast<std::int32_t>(devices_[device_of(from)]),
                                static_cast<std::int32_t>(devices_[device_of(to)])});
  }
  /// Each track records one event again and again.
  void record(std::uint32_t track) {
    Event& event = events_[track];
    SyncUse use;
    use.object = builder_.object(ObjectKind::event, 0, track + 1);
    use.generation = ++event.generation;
    event.op = builder_.add(on(track, OpKind::record), use);
  }
  void wait(std::uint32_t track, std::uint32_t of) {
    const Event& event = events_[of];
    SyncUse use;
    use.object = builder_.object(ObjectKind::event, 0, of + 1);
    use.generation = event.generation;
    use.partner = event.op;
    use.candidates = use.generation == 0 ? 0 : 1;
    use.how = use.generation == 0 ? Provenance::none : Provenance::exact;
    builder_.add(on(track, OpKind::wait), use);
  }
  void notify(std::uint32_t track, OpKind kind, std::uint64_t id) {
    SyncUse use;
    use.object = builder_.object(ObjectKind::notify, kNone, id);
    use.generation = 1;
    builder_.add(on(track, kind), use);
  }
  void fill() {
    while (left() != 0) kernel(random_.below(count()));
  }

  struct Event {
    std::uint32_t generation = 0;
    OpIndex op = kNone;
  };

  const GenerateOptions& options_;
  Random random_;
  Builder builder_;
  std::vector<std::uint32_t> devices_;
  std::vector<TrackIndex> tracks_;
  std::vector<Event> events_;  // by track
  StringIndex kernel_ = 0;
  std::uint32_t step_ = 0;
};

void Generator::ring() {
  if (left() < 4 * count()) return;
  for (std::uint32_t track = 0; track < count(); ++track) {
    kernel(track);
    copy(track, neighbour(track));
    record(track);
  }
  for (std::uint32_t track = 0; track < count(); ++track) wait(neighbour(track), track);
}

/// One batch passes the stages: one track after the other.
void Generator::pipeline() {
  if (left() < 4 * count()) return;
  for (std::uint32_t stage = 0; stage < count(); ++stage) {
    if (stage != 0) wait(stage, stage - 1);
    kernel(stage);
    if (stage + 1 != count()) copy(stage, stage + 1);
    record(stage);
  }
}

void Generator::fan_in() {
  if (left() < 3 * count()) return;
  for (std::uint32_t track = 1; track < count(); ++track) {
    kernel(track);
    record(track);
  }
  for (std::uint32_t track = 1; track < count(); ++track) wait(0, track);
  kernel(0);
}

void Generator::fan_out() {
  if (left() < 3 * count()) return;
  kernel(0);
  record(0);
  for (std::uint32_t track = 1; track < count(); ++track) {
    wait(track, 0);
    kernel(track);
  }
}

void Generator::random() {
  const std::uint32_t track = random_.below(count());
  const std::uint32_t other = random_.below(count());
  const std::uint32_t dice = random_.below(10);
  if (dice < 5) {
    kernel(track);
  } else if (dice < 6) {
    copy(track, other);
  } else if (dice < 8 || other == track || events_[other].op == kNone) {
    record(track);
  } else {
    wait(track, other);
  }
}

/// Some work, then a cycle: every track waits for a notify that the one before it would set only
/// after a wait of its own.
void Generator::deadlock() {
  while (left() > 2 * count()) {
    const OpIndex before = builder_.size();
    random();
    if (builder_.size() == before) break;
  }
  for (std::uint32_t track = 0; track < count(); ++track) {
    notify(track, OpKind::notify_wait, track + 1);
    notify(track, OpKind::notify, (track + 1) % count() + 1);
  }
}

/// A track writes, the next one reads after a wait; now and then the wait is left out, at least
/// once.
void Generator::racy() {
  if (left() < 4) return;
  const std::uint32_t writer = random_.below(count());
  const std::uint32_t reader = (writer + 1) % count();
  const Buffer memory{static_cast<std::int32_t>(devices_[device_of(writer)]), step_, 4096};
  const std::uint32_t buffer = builder_.buffer(memory);
  builder_.range({kernel(writer), buffer, 0, 4096, true});
  record(writer);
  const bool forget = step_++ == 0 || random_.below(16) == 0;
  if (!forget) wait(reader, writer);
  builder_.range({kernel(reader), buffer, 1024, 1024, false});
}

/// Every rank sends to the next and then receives: eager sends complete, sends that wait for their
/// receive are a deadlock.
void Generator::sends() {
  if (left() < 3 * count()) return;
  for (std::uint32_t track = 0; track < count(); ++track) {
    CommUse send;
    send.bytes = 1U << 20;
    send.peer = device_of(neighbour(track));
    send.tag = track % options_.streams;
    builder_.add(on(track, OpKind::send), send);
    CommUse recv = send;
    recv.peer = (device_of(track) + options_.devices - 1) % options_.devices;
    builder_.add(on(track, OpKind::recv), recv);
    kernel(track);
  }
}

struct Shape {
  const char* name;
  const char* what;
  void (Generator::*step)();
  std::uint32_t ops_a_track;  // the fewest
  bool devices;               // wants two devices; else two tracks do
};
constexpr Shape kShapes[] = {
    {"ring", "each stream computes, copies to the next device and waits for the one before",
     &Generator::ring, 4, false},
    {"pipeline", "batches run through all streams in a row", &Generator::pipeline, 4, false},
    {"fanin", "the first stream waits for all others", &Generator::fan_in, 3, false},
    {"fanout", "all others wait for the first stream", &Generator::fan_out, 3, false},
    {"random", "kernels, copies, records and waits by chance, never a deadlock", &Generator::random,
     1, false},
    {"deadlock", "random work that ends in a cycle of notifies", &Generator::deadlock, 2, false},
    {"racy", "writers and readers of one buffer, some without the wait between", &Generator::racy,
     2, false},
    {"sends", "ranks in a ring: send, receive, compute; a deadlock without eager sends",
     &Generator::sends, 3, true},
};

const Shape& shape(const std::string& name) {
  for (const Shape& shape : kShapes) {
    if (name == shape.name) return shape;
  }
  std::string known;
  for (const Shape& shape : kShapes) known += fmt::format(" {}", shape.name);
  throw std::invalid_argument(
      fmt::format("gen: '{}' is not valid; expected one of:{}", name, known));
}

}  // namespace

const std::vector<GenerateKind>& generate_kinds() {
  static const std::vector<GenerateKind> kinds = [] {
    std::vector<GenerateKind> rows;
    for (const Shape& shape : kShapes) rows.push_back({shape.name, shape.what});
    return rows;
  }();
  return kinds;
}

Trace generate(const GenerateOptions& options) {
  const Shape& wanted = shape(options.kind);
  const std::uint64_t tracks = std::uint64_t{options.devices} * options.streams;
  if (wanted.devices ? options.devices < 2 : tracks < 2) {
    throw std::invalid_argument(fmt::format(
        "gen: {} device(s) of {} stream(s); {} expects at least two {}", options.devices,
        options.streams, options.kind, wanted.devices ? "devices" : "streams"));
  }
  if (tracks > 1U << 20 || options.ops < wanted.ops_a_track * tracks) {
    throw std::invalid_argument(fmt::format(
        "gen: {} ops on {} streams; {} expects at least {} a stream, and at most 1048576 streams",
        options.ops, tracks, options.kind, wanted.ops_a_track));
  }
  return Generator(options).run(wanted.step);
}

}  // namespace trace
