// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/chakra_writer.h"

#include <stdexcept>

#if ACLSIM_HAVE_PROTOBUF

#include <chakra.pb.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "tools/trace/aclt/aclt_writer.h"
#include "tools/trace/calls.h"
#include "tools/trace/files/output_file.h"
#include "tools/trace/formats/chakra_native.h"

namespace trace {
namespace {

namespace pb = chakra_trace;

void put(OutputFile& out, const google::protobuf::MessageLite& message) {
  const std::string bytes = message.SerializeAsString();
  std::string length;
  std::uint64_t left = bytes.size();
  while (left >= 0x80) {
    length += static_cast<char>((left & 0x7f) | 0x80);
    left >>= 7;
  }
  length += static_cast<char>(left);
  out.write(length);
  out.write(bytes);
}

void set(pb::Node& node, const char* name, std::int64_t value) {
  pb::AttributeProto& attr = *node.add_attr();
  attr.set_name(name);
  attr.set_int64_val(value);
}

void set(pb::Node& node, std::string_view name, std::string_view value) {
  pb::AttributeProto& attr = *node.add_attr();
  attr.set_name(std::string(name));
  attr.set_string_val(std::string(value));
}

class ChakraWriter {
 public:
  explicit ChakraWriter(const Trace& trace) : trace_(trace), track_of_(trace.size()) {
    for (TrackIndex track = 0; track < trace.tracks().size(); ++track) {
      const Track& it = trace.tracks()[track];
      std::fill(track_of_.begin() + it.begin, track_of_.begin() + it.end, track);
    }
  }

  void write(std::uint32_t rank, OutputFile& out) {
    rank_ = rank;
    find_releases();
    write_aclt_lines(trace_, rank, [&](OpIndex op, std::string_view line) {
      if (op == kNone) return put(out, metadata(line));
      pb::Node made = node(op, trace_.tracks()[track_of_[op]]);
      set(made, chakra::kNativeMark.data(), chakra::mark_of(made));
      set(made, chakra::kNativeText, line);
      put(out, made);
    });
  }

 private:
  pb::GlobalMetadata metadata(std::string_view definitions) const;
  pb::Node node(OpIndex op, const Track& track);
  void find_releases();
  void dependencies(pb::Node& node, OpIndex op, const Track& track);
  template <class Do>
  void each_awaited(OpIndex sync, Do&& each) const;
  Nanoseconds work_of(OpIndex op) const;
  Nanoseconds after_wait(OpIndex op) const;
  void kind(pb::Node& node, OpIndex op);
  void comm(pb::Node& node, const CommUse& use, OpKind kind);
  void copy(pb::Node& node, const CopyUse& use);
  void message(pb::Node& node, OpIndex op, OpIndex partner, bool send);
  std::uint32_t rank_of(OpIndex op) const { return trace_.tracks()[track_of_[op]].rank; }

  const Trace& trace_;
  std::vector<TrackIndex> track_of_;
  std::uint32_t rank_ = 0;
  std::unordered_map<OpIndex, OpIndex> releases_;  // the synchronise before which no op is issued
};

pb::GlobalMetadata ChakraWriter::metadata(std::string_view definitions) const {
  pb::GlobalMetadata head;
  head.set_version("0.0.4");
  pb::AttributeProto& schema = *head.add_attr();
  schema.set_name("schema");
  schema.set_string_val("1.0.2-chakra.0.0.4");
  std::int64_t ops = 0;
  for (const Track& track : trace_.tracks()) ops += track.rank == rank_ ? track.size() : 0;
  pb::AttributeProto& count = *head.add_attr();
  count.set_name(std::string(chakra::kNativeOps));
  count.set_int64_val(ops);
  pb::AttributeProto& native = *head.add_attr();
  native.set_name(std::string(chakra::kNativeText));
  native.set_string_val(std::string(definitions));
  return head;
}

/// For each track the first op that a thread issued after it had waited for a device.
void ChakraWriter::find_releases() {
  releases_.clear();
  struct Wait {
    Nanoseconds end;
    OpIndex op;
  };
  std::unordered_map<std::uint16_t, std::vector<Wait>> waits;  // by thread
  const auto mine = [&](OpIndex op) { return rank_of(op) == rank_; };
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    const Op& it = trace_[op];
    const bool holds = it.kind == OpKind::sync || (it.kind == OpKind::copy && it.has(kBlocks));
    if (!holds || it.host == kNoHost || trace_.start(op) == kNoTime || !mine(op)) continue;
    waits[it.host].push_back({trace_.start(op) + trace_.duration(op), op});
  }
  for (auto& [host, ends] : waits) {
    std::stable_sort(ends.begin(), ends.end(),
                     [](const Wait& a, const Wait& b) { return a.end < b.end; });
  }
  for (const Track& track : trace_.tracks()) {
    if (track.kind == TrackKind::host || track.rank != rank_) continue;
    OpIndex before = kNone;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      const Nanoseconds issued = trace_.issue(op);
      const auto of_host = waits.find(trace_[op].host);
      if (of_host == waits.end() || issued == kNoTime) continue;
      const auto after =
          std::upper_bound(of_host->second.begin(), of_host->second.end(), issued,
                           [](Nanoseconds time, const Wait& wait) { return time < wait.end; });
      if (after == of_host->second.begin() || std::prev(after)->op == before) continue;
      before = std::prev(after)->op;
      // A profile may contradict itself: then the order is not written.
      const bool later = trace_.start(op) == kNoTime || trace_.start(op) >= std::prev(after)->end;
      if (later && before != op) releases_[op] = before;
    }
  }
}

void ChakraWriter::dependencies(pb::Node& node, OpIndex op, const Track& track) {
  const auto depend = [&](OpIndex on) {
    if (on != kNone && rank_of(on) == rank_) node.add_data_deps(on);
  };
  // An op depends on the op before it on its track, not on other tracks; parts of a task have
  // tracks of their own.
  if (op != track.begin) depend(op - 1);
  for (const Edge& edge : trace_.deps(op)) depend(edge.from);
  if (const auto release = releases_.find(op); release != releases_.end()) depend(release->second);
  if (trace_[op].use == kNone) return;
  const OpKind kind = trace_[op].kind;
  if (kind == OpKind::wait || kind == OpKind::notify_wait) depend(trace_.sync(op).partner);
  if (kind == OpKind::value_wait) depend(trace_.value(op).partner);
  if (kind == OpKind::sync) each_awaited(op, depend);
}

/// Calls `each` for the ops that the synchronise waits for; kNone: none, on one of the tracks.
template <class Do>
void ChakraWriter::each_awaited(OpIndex sync, Do&& each) const {
  if (trace_.host(sync).target != Target::device) return each(trace_.host(sync).partner);
  for (const Track& track : trace_.tracks()) each(last_before_device_sync(trace_, sync, track));
}

/// The duration of the op without its wait.
Nanoseconds ChakraWriter::work_of(OpIndex op) const {
  const OpKind kind = trace_[op].kind;
  if (waits(kind) || kind == OpKind::join) return 0;
  return kind == OpKind::sync && trace_[op].use != kNone ? after_wait(op) : trace_.duration(op);
}

/// A synchronise: the time that it took after the end of the last op that it waited for.
Nanoseconds ChakraWriter::after_wait(OpIndex op) const {
  Nanoseconds until = trace_.start(op);
  if (until == kNoTime) return trace_.duration(op);
  const Nanoseconds end = until + trace_.duration(op);
  each_awaited(op, [&](OpIndex target) {
    if (target == kNone || trace_.start(target) == kNoTime) return;
    until = std::max(until, trace_.start(target) + trace_.duration(target));
  });
  return std::max<Nanoseconds>(0, end - until);
}

/// One byte from rank to rank; the tag is the pair's.
void ChakraWriter::message(pb::Node& node, OpIndex op, OpIndex partner, bool send) {
  node.set_type(send ? pb::COMM_SEND_NODE : pb::COMM_RECV_NODE);
  set(node, send ? "comm_dst" : "comm_src", trace_.ranks()[rank_of(partner)].id);
  set(node, "comm_size", 1);
  set(node, "comm_tag", send ? op : partner);
}

void ChakraWriter::comm(pb::Node& node, const CommUse& use, OpKind kind) {
  if (kind == OpKind::collective || kind == OpKind::barrier) {
    node.set_type(pb::COMM_COLL_NODE);
    const int type = static_cast<int>(use.kind) - static_cast<int>(Collective::all_reduce);
    if (type >= 0) set(node, "comm_type", type);
  } else {
    node.set_type(kind == OpKind::send ? pb::COMM_SEND_NODE : pb::COMM_RECV_NODE);
    set(node, kind == OpKind::send ? "comm_dst" : "comm_src", trace_.ranks()[use.peer].id);
    set(node, "comm_tag", use.tag);
  }
  if (use.bytes != kUnknownBytes) set(node, "comm_size", static_cast<std::int64_t>(use.bytes));
  if (use.group == kNone) return;
  pb::AttributeProto& group = *node.add_attr();
  group.set_name("pg_name");
  group.set_string_val(trace_.text(trace_.groups()[use.group].name));
}

void ChakraWriter::copy(pb::Node& node, const CopyUse& use) {
  if (use.src == kHostMemory) node.set_type(pb::MEM_LOAD_NODE);
  if (use.dst == kHostMemory) node.set_type(pb::MEM_STORE_NODE);
  if (use.bytes != kUnknownBytes) set(node, "tensor_size", static_cast<std::int64_t>(use.bytes));
}

void ChakraWriter::kind(pb::Node& node, OpIndex op) {
  node.set_type(pb::COMP_NODE);
  if (trace_[op].use == kNone) return;
  switch (trace_[op].kind) {
    case OpKind::send:
    case OpKind::recv:
    case OpKind::collective:
    case OpKind::barrier:
      return comm(node, trace_.comm(op), trace_[op].kind);
    case OpKind::copy:
    case OpKind::fill:
      return copy(node, trace_.copy(op));
    case OpKind::notify:
    case OpKind::notify_wait: {
      const OpIndex partner = trace_.sync(op).partner;
      if (partner == kNone || rank_of(partner) == rank_) return;
      return message(node, op, partner, trace_[op].kind == OpKind::notify);
    }
    default:
      return;
  }
}

pb::Node ChakraWriter::node(OpIndex op, const Track& track) {
  pb::Node node;
  node.set_id(op);
  node.set_name(trace_.name(op).empty() ? word(trace_[op].kind) : trace_.name(op));
  dependencies(node, op, track);
  kind(node, op);
  const Nanoseconds work = work_of(op);
  node.set_duration_micros(static_cast<std::uint64_t>((work + 999) / 1000));
  // A wait begins where it ends: its dependencies contain the time until then.
  Nanoseconds start = trace_.start(op);
  if (start != kNoTime) start += trace_.duration(op) - work + trace_.base_ns();
  if (start > 0) node.set_start_time_micros(static_cast<std::uint64_t>(start) / 1000);
  pb::AttributeProto& cpu = *node.add_attr();
  cpu.set_name("is_cpu_op");
  cpu.set_bool_val(track.kind == TrackKind::host);
  if (track.kind == TrackKind::stream && track.plane_of == kNone) {
    set(node, "stream", static_cast<std::int64_t>(track_of_[op]) + 1);
  }
  return node;
}

std::string with_rank(const std::string& path, std::int32_t rank) {
  const bool ends = path.ends_with(".et");
  return fmt::format("{}.{}.et", ends ? path.substr(0, path.size() - 3) : path, rank);
}

}  // namespace

std::vector<std::string> write_chakra(const Trace& trace, const std::string& path) {
  std::vector<bool> used(trace.ranks().size());
  for (const Track& track : trace.tracks())
    used[track.rank] = used[track.rank] || track.size() != 0;
  std::vector<std::string> paths;
  std::vector<std::unique_ptr<OutputFile>> files;
  ChakraWriter writer(trace);
  for (std::uint32_t rank = 0; rank < used.size(); ++rank) {
    if (!used[rank]) continue;
    paths.push_back(with_rank(path, trace.ranks()[rank].id));
    files.push_back(std::make_unique<OutputFile>(paths.back()));
    writer.write(rank, *files.back());
  }
  for (const auto& file : files) file->close();
  return paths;
}

std::vector<std::string> omitted_by_chakra(const Trace& trace) {
  std::size_t calls = 0, kinds = 0, untimed = 0, launches = 0, between = 0;
  bool fractions = false;
  const auto whole = [](Nanoseconds time) { return time == kNoTime || time % 1000 == 0; };
  for (const Track& track : trace.tracks()) {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      const OpKind kind = trace[op].kind;
      calls += trace.issue(op) != kNoTime || track.kind == TrackKind::host;
      kinds += waits(kind) || kind == OpKind::sync || kind == OpKind::join;
      untimed += !trace[op].has(kHasDuration) && track.kind == TrackKind::stream;
      launches += kind == OpKind::launch;
      fractions = fractions || !whole(trace.start(op)) || !whole(trace.duration(op));
      for (const Edge& edge : trace.deps(op)) {
        between += trace.tracks()[trace.track_of(edge.from)].rank != track.rank;
      }
    }
  }
  std::vector<std::string> all;
  const auto add = [&](std::size_t count, std::string_view text) {
    if (count != 0) all.push_back(fmt::format(fmt::runtime(text), count));
  };
  add(calls, "the times of {} calls");
  add(trace.ranges().size(), "{} accesses to memory");
  add(kinds, "the kinds of {} waits (they become dependencies)");
  add(untimed, "that {} operations have no duration (it becomes 0)");
  add(launches, "{} launches of graphs");
  add(between, "{} dependencies between ranks (aclsim does not find them either)");
  if (fractions) all.emplace_back("fractions of microseconds");
  return all;
}

}  // namespace trace

#else

namespace trace {

std::vector<std::string> write_chakra(const Trace&, const std::string&) {
  throw std::runtime_error(
      "this build of aclsim cannot write Chakra traces; expected a build with libprotobuf-dev and "
      "protobuf-compiler installed");
}

std::vector<std::string> omitted_by_chakra(const Trace&) { return {}; }

}  // namespace trace

#endif
