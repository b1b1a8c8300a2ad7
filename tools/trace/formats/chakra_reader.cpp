// SPDX-License-Identifier: Apache-2.0
// Chakra execution traces: nodes with data dependencies, one file a rank.
#include "tools/trace/formats/format_table.h"
#include "tools/trace/formats/readers.h"

#if ACLSIM_HAVE_PROTOBUF

#include <chakra.pb.h>

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "tools/trace/aclt/aclt_reader.h"
#include "tools/trace/formats/chakra_native.h"

namespace trace {
namespace {

namespace pb = chakra_trace;

constexpr std::uint64_t kLatestMicros = std::uint64_t{1} << 51;

/// Reads (length, message) pairs.
class Messages {
 public:
  Messages(const Text& bytes, const std::string& path) : bytes_(bytes.view()), path_(path) {}

  bool next(std::string_view& message) {
    if (at_ == bytes_.size()) return false;
    ++number_;
    const std::uint64_t length = varint();
    if (length > bytes_.size() - at_) {
      refuse(fmt::format("a length of {} bytes, but {} are left; expected a whole message", length,
                         bytes_.size() - at_));
    }
    message = bytes_.substr(at_, length);
    at_ += length;
    return true;
  }
  std::uint32_t number() const { return number_; }
  [[noreturn]] void refuse(std::string_view text) const {
    throw InputError(path_, fmt::format("message {}: {}", number_, text));
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (at_ == bytes_.size()) break;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    refuse("its length is cut off; expected a varint");
  }

  std::string_view bytes_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::uint32_t number_ = 0;
};

struct Node {
  pb::Node pb;
  std::uint32_t row = 0;
  std::vector<std::uint32_t> before;  // nodes
  std::uint32_t open = 0;             // how many of them are not placed yet
  TrackIndex track = kNone;
  OpIndex op = kNone;
};

std::int64_t whole(const pb::AttributeProto& attr, std::int64_t otherwise) {
  switch (attr.value_case()) {
    case pb::AttributeProto::kInt32Val:
      return attr.int32_val();
    case pb::AttributeProto::kInt64Val:
      return attr.int64_val();
    case pb::AttributeProto::kUint32Val:
      return attr.uint32_val();
    case pb::AttributeProto::kUint64Val:
      return static_cast<std::int64_t>(attr.uint64_val());
    case pb::AttributeProto::kBoolVal:
      return attr.bool_val() ? 1 : 0;
    default:
      return otherwise;
  }
}

template <class Message>
const pb::AttributeProto* find(const Message& message, std::string_view name) {
  for (const pb::AttributeProto& attr : message.attr()) {
    if (attr.name() == name) return &attr;
  }
  return nullptr;
}

template <class Message>
std::int64_t whole(const Message& message, std::string_view name, std::int64_t otherwise) {
  const pb::AttributeProto* const attr = find(message, name);
  return attr ? whole(*attr, otherwise) : otherwise;
}

constexpr Collective kChakraCollectives[] = {
    Collective::all_reduce, Collective::reduce,         Collective::all_gather,
    Collective::gather,     Collective::scatter,        Collective::broadcast,
    Collective::all_to_all, Collective::reduce_scatter, Collective::reduce_scatter_block,
    Collective::barrier};

class ChakraImport {
 public:
  ChakraImport(const Text& bytes, const FileContext& context, Builder& builder)
      : messages_(bytes, context.path), context_(context), builder_(builder) {}

  void run() {
    read();
    if (!native_.empty() && native_ops_ == 0) return read_native();
    builder_.source(context_.path, context_.format->name, version_);
    if (changed_) {
      builder_.remark(Level::warning,
                      "was changed after aclsim wrote it; the attributes `aclt` are not read, only "
                      "the nodes");
    }
    rank_ = builder_.rank(context_.rank);
    device_ = builder_.device(rank_, context_.rank);
    connect();
    place_all();
    add_edges();
  }

 private:
  void read();
  void take_native(const Node& node);
  void read_native();
  void connect();
  void place_all();
  void place(std::uint32_t n);
  TrackIndex track_of(const Node& node);
  void add(Node& node);
  /// The call of a collective that a device runs; the file shows both.
  bool wrapper(const Node& node) const {
    return device_collectives_ && whole(node.pb, "is_cpu_op", 0) != 0;
  }
  void add_comm(const NewOp& op, Node& node);
  void add_edges();

  Messages messages_;
  const FileContext& context_;
  Builder& builder_;
  std::string version_;
  std::string native_;           // the lines of the native format; empty: none, or not for these
  std::int64_t native_ops_ = 0;  // how many of its ops are missing
  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> after_;
  std::uint32_t rank_ = 0;
  std::uint32_t device_ = 0;
  bool device_collectives_ = false;
  bool changed_ = false;                                // since aclsim wrote it
  TrackIndex parent_ = kNone;                           // of tracks that are not streams
  std::unordered_map<TrackIndex, std::uint32_t> last_;  // node that a track ends with
};

void ChakraImport::read() {
  std::string_view message;
  if (!messages_.next(message)) messages_.refuse("is missing; expected the metadata");
  pb::GlobalMetadata head;
  if (!head.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    messages_.refuse("is no metadata; expected a Chakra execution trace");
  }
  version_ = head.version();
  for (const pb::AttributeProto& attr : head.attr()) {
    if (attr.name() == "schema") version_ = attr.string_val();
    if (attr.name() == chakra::kNativeText) native_ = attr.string_val();
  }
  const bool native = !native_.empty();
  native_ops_ = whole(head, chakra::kNativeOps, 0);
  while (messages_.next(message)) {
    Node node;
    if (!node.pb.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
      messages_.refuse("is no node; expected a Chakra execution trace");
    }
    node.row = messages_.number();
    if (node.pb.start_time_micros() > kLatestMicros || node.pb.duration_micros() > kLatestMicros) {
      messages_.refuse("a time of more than 71 years; expected microseconds");
    }
    device_collectives_ = device_collectives_ || (node.pb.type() == pb::COMM_COLL_NODE &&
                                                  whole(node.pb, "is_cpu_op", 1) == 0);
    if (!native_.empty()) take_native(node);
    if (node.pb.type() != pb::METADATA_NODE) nodes_.push_back(std::move(node));
  }
  if (native && (native_.empty() || native_ops_ != 0)) changed_ = true;
}

/// Takes the line of the op; nothing is left of the native format if the node was changed.
void ChakraImport::take_native(const Node& node) {
  const pb::AttributeProto* const line = find(node.pb, chakra::kNativeText);
  --native_ops_;
  if (line && whole(node.pb, chakra::kNativeMark, 0) == chakra::mark_of(node.pb)) {
    native_ += line->string_val();
  } else {
    native_.clear();
  }
}

void ChakraImport::read_native() {
  InputFile lines(context_.path, std::move(native_));
  AcltReader(lines, builder_, context_.format->name).read();
}

/// Data dependencies only: converters of profiles store the nesting of calls as control
/// dependencies.
void ChakraImport::connect() {
  std::unordered_map<std::uint64_t, std::uint32_t> by_id;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (by_id.emplace(nodes_[n].pb.id(), n).second) continue;
    throw InputError(context_.path,
                     fmt::format("message {}: node {} is given twice; expected ids to differ",
                                 nodes_[n].row, nodes_[n].pb.id()));
  }
  after_.resize(nodes_.size());
  std::uint32_t dangling = 0;
  std::uint32_t to_self = 0;
  std::uint64_t control = 0;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    control += static_cast<std::uint64_t>(nodes_[n].pb.ctrl_deps_size());
    for (const std::uint64_t id : nodes_[n].pb.data_deps()) {
      const auto found = by_id.find(id);
      dangling += found == by_id.end();
      if (found == by_id.end()) continue;
      to_self += found->second == n;
      if (found->second == n) continue;
      nodes_[n].before.push_back(found->second);
      after_[found->second].push_back(n);
    }
    std::vector<std::uint32_t>& before = nodes_[n].before;
    nodes_[n].open = static_cast<std::uint32_t>(before.size());
  }
  if (dangling != 0) {
    builder_.remark(Level::warning, fmt::format("{} dependencies on nodes that are not there; left "
                                                "out",
                                                dangling));
  }
  if (to_self != 0) {
    builder_.remark(Level::warning,
                    fmt::format("{} nodes depend on themselves; left out", to_self));
  }
  if (control != 0) {
    builder_.remark(
        Level::note,
        fmt::format("{} control dependencies are left out: most files store the nesting "
                    "of calls in them; only data dependencies order nodes",
                    control));
  }
}

/// A stream where the node names one. Otherwise nodes share a track only where one depends on the
/// other, so that tracks add no order of their own.
TrackIndex ChakraImport::track_of(const Node& node) {
  std::int64_t stream = whole(node.pb, "stream", -1);
  // Converted from a profile of PyTorch: the thread of a task of a device is its stream.
  if (stream <= 0 && whole(node.pb, "is_cpu_op", 1) == 0) stream = whole(node.pb, "tid", -1);
  if (stream > 0) return builder_.stream(device_, static_cast<std::uint64_t>(stream));
  for (const std::uint32_t before : node.before) {
    const TrackIndex track = nodes_[before].track;
    if (track == kNone || parent_ == kNone) continue;
    if (track != parent_ && builder_.track(track).plane_of != parent_) continue;  // a named stream
    if (last_.at(track) == before) return track;
  }
  if (parent_ == kNone) return parent_ = builder_.stream(device_, 0);
  const TrackIndex track = builder_.new_stream(device_, 0);
  builder_.track(track).plane_of = parent_;
  return track;
}

void ChakraImport::place(std::uint32_t n) {
  nodes_[n].track = track_of(nodes_[n]);
  add(nodes_[n]);
  last_[nodes_[n].track] = n;
}

void ChakraImport::place_all() {
  const auto later = [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t n) {
      return std::pair(nodes_[n].pb.start_time_micros(), nodes_[n].pb.id());
    };
    return key(a) > key(b);
  };
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> ready(later);
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].open == 0) ready.push(n);
  }
  while (!ready.empty()) {
    const std::uint32_t n = ready.top();
    ready.pop();
    place(n);
    for (const std::uint32_t next : after_[n]) {
      if (--nodes_[next].open == 0) ready.push(next);
    }
  }
  std::uint32_t cyclic = 0;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].op != kNone) continue;
    ++cyclic;
    place(n);
  }
  if (cyclic == 0) return;
  builder_.remark(Level::warning,
                  fmt::format("{} nodes depend on each other in a cycle, or on such", cyclic));
}

void ChakraImport::add_comm(const NewOp& op, Node& node) {
  CommUse use;
  const std::int64_t bytes = whole(node.pb, "comm_size", -1);
  if (bytes >= 0) use.bytes = static_cast<std::uint64_t>(bytes);
  use.tag = static_cast<std::uint32_t>(whole(node.pb, "comm_tag", 0));
  if (const pb::AttributeProto* const group = find(node.pb, "pg_name")) {
    use.group = builder_.group(group->string_val());
  }
  if (op.kind == OpKind::collective) {
    const std::int64_t kind = whole(node.pb, "comm_type", -1);
    if (kind >= 0 && kind < 10) use.kind = kChakraCollectives[kind];
  } else {
    const char* const key = op.kind == OpKind::send ? "comm_dst" : "comm_src";
    const std::int64_t peer = whole(node.pb, key, -1);
    if (peer < 0 || peer > INT32_MAX) {
      throw InputError(context_.path, fmt::format("message {}: node {} lacks `{}`; expected a rank",
                                                  node.row, node.pb.id(), key));
    }
    use.peer = builder_.rank(static_cast<std::int32_t>(peer));
  }
  node.op = builder_.add(op, use);
}

void ChakraImport::add(Node& node) {
  NewOp op;
  op.track = node.track;
  op.name = builder_.text(node.pb.name());
  op.line = node.row;
  const auto micros = static_cast<Nanoseconds>(node.pb.duration_micros());
  if (node.pb.start_time_micros() != 0) {
    op.start = static_cast<Nanoseconds>(node.pb.start_time_micros()) * 1000 - builder_.base_ns();
  }
  if (micros != 0) op.duration = micros * 1000;
  switch (node.pb.type()) {
    case pb::COMM_SEND_NODE:
      op.kind = OpKind::send;
      return add_comm(op, node);
    case pb::COMM_RECV_NODE:
      op.kind = OpKind::recv;
      return add_comm(op, node);
    case pb::COMM_COLL_NODE:
      if (wrapper(node)) break;
      op.kind = OpKind::collective;
      return add_comm(op, node);
    case pb::MEM_LOAD_NODE:
    case pb::MEM_STORE_NODE: {
      op.kind = OpKind::copy;
      CopyUse use;
      const std::int64_t bytes = whole(node.pb, "tensor_size", -1);
      if (bytes >= 0) use.bytes = static_cast<std::uint64_t>(bytes);
      const auto here = static_cast<std::int32_t>(device_);
      const bool load = node.pb.type() == pb::MEM_LOAD_NODE;
      use.src = load ? kHostMemory : here;
      use.dst = load ? here : kHostMemory;
      node.op = builder_.add(op, use);
      return;
    }
    default:
      break;
  }
  op.kind = whole(node.pb, "is_cpu_op", 0) != 0 ? OpKind::delay : OpKind::kernel;
  if (op.duration == kNoTime) op.duration = 0;
  node.op = builder_.add(op);
}

void ChakraImport::add_edges() {
  std::unordered_map<TrackIndex, OpIndex> last;
  std::vector<const Node*> in_order;
  for (const Node& node : nodes_) in_order.push_back(&node);
  std::sort(in_order.begin(), in_order.end(),
            [](const Node* a, const Node* b) { return a->op < b->op; });
  for (const Node* const node : in_order) {
    const auto [at, first] = last.try_emplace(node->track, node->op);
    const OpIndex before = first ? kNone : at->second;
    at->second = node->op;
    for (const std::uint32_t from : node->before) {
      if (nodes_[from].op != before) builder_.edge({nodes_[from].op, node->op, 1});
    }
  }
}

}  // namespace

bool has_protobuf() { return true; }

void read_chakra(const Text& bytes, const FileContext& context, Builder& builder) {
  ChakraImport(bytes, context, builder).run();
}

}  // namespace trace

#else

namespace trace {

bool has_protobuf() { return false; }

void read_chakra(const Text&, const FileContext& context, Builder&) {
  throw InputError(context.path,
                   "is a Chakra trace, which this build of aclsim cannot read; expected a build "
                   "with libprotobuf-dev and protobuf-compiler installed");
}

}  // namespace trace

#endif
