// SPDX-License-Identifier: Apache-2.0
// The timeline of PyTorch's profiler. Device slices give the streams; event records and waits are
// calls of the host, which are put into the streams as ops of their own at the place of their call.
#include "tools/trace/formats/kineto.h"

#include <algorithm>
#include <tuple>

#include "tools/trace/formats/collective_names.h"

namespace trace::kineto {
namespace {

enum class Category : std::uint8_t { kernel, copy, fill, sync, call, op, other };

/// The oldest versions write "Kernel", "Memcpy", "Memset", "Runtime".
Category category_of(std::string_view text) {
  struct Row {
    std::string_view name;
    Category category;
  };
  constexpr Row kRows[] = {
      {"kernel", Category::kernel},    {"cuda_runtime", Category::call},
      {"cuda_driver", Category::call}, {"gpu_memcpy", Category::copy},
      {"gpu_memset", Category::fill},  {"cuda_sync", Category::sync},
      {"memcpy", Category::copy},      {"memset", Category::fill},
      {"runtime", Category::call},     {"privateuse1_runtime", Category::call},
      {"hip_runtime", Category::call}, {"xpu_runtime", Category::call},
      {"xpu_driver", Category::call},  {"cpu_op", Category::op},
      {"operator", Category::op},
  };
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 32 : a) == b; };
  for (const Row& row : kRows) {
    if (std::equal(text.begin(), text.end(), row.name.begin(), row.name.end(), same)) {
      return row.category;
    }
  }
  return Category::other;
}

Collective collective_of(std::string_view name) {
  if (name.starts_with("allreduce")) return Collective::all_reduce;
  if (name.find("allgather") != std::string_view::npos) return Collective::all_gather;
  if (name.find("reduce_scatter") != std::string_view::npos) return Collective::reduce_scatter;
  if (name.starts_with("broadcast")) return Collective::broadcast;
  if (name.starts_with("all_to_all")) return Collective::all_to_all;
  if (name.starts_with("barrier")) return Collective::barrier;
  return name.starts_with("reduce") ? Collective::reduce : Collective::none;
}

std::uint64_t size_of(std::string_view dtype) {
  struct Row {
    std::string_view name;
    std::uint64_t bytes;
  };
  constexpr Row kRows[] = {{"Double", 8}, {"Long", 8},  {"Int64", 8},    {"ComplexFloat", 8},
                           {"Float", 4},  {"Int", 4},   {"BFloat16", 2}, {"Half", 2},
                           {"Short", 2},  {"Byte", 1},  {"Char", 1},     {"Bool", 1},
                           {"Float8", 1}, {"UInt8", 1}, {"Int8", 1}};
  for (const Row& row : kRows) {
    if (row.name == dtype || (dtype.starts_with("Float8") && row.name == "Float8"))
      return row.bytes;
  }
  return 0;
}

/// The bytes of a whole collective: the output of a rank if it gathers, else its input.
std::uint64_t bytes_of_collective(const JsonEvent& event, Collective kind) {
  const bool gathers = kind == Collective::all_gather || kind == Collective::gather;
  JsonCell count = event.arg(gathers ? "Out msg nelems" : "In msg nelems");
  if (count.empty()) count = event.arg("In msg nelems");
  const std::uint64_t elements = count.number().value_or(0);
  const std::uint64_t each = size_of(event.arg("dtype").raw);
  if (elements == 0 || each == 0 || elements > (std::uint64_t{1} << 50)) return kUnknownBytes;
  return elements * each;
}

}  // namespace

// ---- the file ----

void KinetoImport::take_head(const std::string& key, JsonCell cell) {
  if (key == "distributedInfo.rank") {
    const auto rank = cell.integer();
    if (rank && *rank >= 0 && *rank <= INT32_MAX) rank_id_ = rank;
  }
  if (key == "baseTimeNanoseconds") {
    const auto base = cell.integer();
    if (base && *base >= 0 && *base < Nanoseconds{1} << 61) base_ = *base;
  }
}

void KinetoImport::take(const JsonEvent& event) {
  if (event.phase != 'X') return;
  switch (category_of(event.category)) {
    case Category::kernel:
      return take_slice(event, OpKind::kernel);
    case Category::copy:
      return take_slice(event, OpKind::copy);
    case Category::fill:
      return take_slice(event, OpKind::fill);
    case Category::sync:
      return take_sync(event);
    case Category::call:
      return take_launch(event);
    case Category::op:
      take_operator(event);
      return pass_over(event.category);
    case Category::other:
      pass_over(event.category);
  }
}

/// Counts what no device did. One category mostly follows itself.
void KinetoImport::pass_over(std::string_view category) {
  if (last_passed_ >= passed_over_.size() || passed_over_[last_passed_].first != category) {
    const auto at = std::find_if(passed_over_.begin(), passed_over_.end(),
                                 [&](const auto& row) { return row.first == category; });
    last_passed_ = static_cast<std::size_t>(at - passed_over_.begin());
    if (at == passed_over_.end()) passed_over_.emplace_back(category, 0);
  }
  ++passed_over_[last_passed_].second;
}

/// Files of jobs that were not distributed all say that they are rank 0.
std::int32_t KinetoImport::own_rank() {
  auto rank = static_cast<std::int32_t>(rank_id_.value_or(context_.rank));
  if (!context_.taken || !context_.taken->contains(rank)) return rank;
  const std::int32_t said = rank;
  while (context_.taken->contains(rank)) ++rank;
  builder_.remark(Level::warning, fmt::format("says that it is rank {}, as a file before does; "
                                              "taken as rank {}",
                                              said, rank));
  return rank;
}

std::string KinetoImport::unknown_waits() const {
  const bool records = std::any_of(launches_.begin(), launches_.end(), [](const auto& row) {
    return row.second.name.find("EventRecord") != std::string::npos;
  });
  std::string text =
      fmt::format("{} stream waits, {}; what they order is not known", unknown_,
                  records ? "records that cannot be told" : "records not in the file");
  if (dropped_ != 0) text += fmt::format(" ({} of them not even on which stream)", dropped_);
  return text;
}

void KinetoImport::refuse_nothing() const {
  auto rows = passed_over_;
  if (!launches_.empty()) rows.emplace_back("calls of a runtime", launches_.size());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < rows.size() && i < 8; ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", rows[i].second,
                        rows[i].first.empty() ? "without a category" : shown(rows[i].first));
  }
  throw InputError(context_.path,
                   fmt::format("holds no work of a device; passed over {}; expected slices of "
                               "category kernel, gpu_memcpy or gpu_memset",
                               text.empty() ? "nothing" : text));
}

void KinetoImport::take_launch(const JsonEvent& event) {
  const auto correlation = event.arg("correlation").number();
  const auto thread = event.tid.number();
  if (!correlation || !thread) return;
  launches_.try_emplace(*correlation,
                        Launch{events_.time(event, event.ts, "ts"), duration_of(event), *thread,
                               *correlation, std::string(event.name), event.index});
}

Nanoseconds KinetoImport::duration_of(const JsonEvent& event) const {
  return event.dur.empty() ? 0 : events_.time(event, event.dur, "dur");
}

/// "Memcpy HtoD (Pageable -> Device)"
void KinetoImport::take_copy(Item& item, const JsonEvent& event) {
  if (const auto bytes = event.arg("bytes").number()) item.copy.bytes = *bytes;
  const std::string_view name = event.name;
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  item.pageable = has("Pageable");
  if (item.kind == OpKind::fill || has("DtoD")) item.copy = {item.copy.bytes, 0, 0};
  if (has("HtoD")) item.copy = {item.copy.bytes, kHostMemory, 0};
  if (has("DtoH")) item.copy = {item.copy.bytes, 0, kHostMemory};
  if (has("HtoH")) item.copy = {item.copy.bytes, kHostMemory, kHostMemory};
}

void KinetoImport::take_slice(const JsonEvent& event, OpKind kind) {
  Item item;
  item.kind = kind;
  JsonCell stream = event.arg("stream");
  if (stream.empty()) stream = event.tid;
  JsonCell device = event.arg("device");
  if (device.empty()) device = event.pid;
  const auto on = stream.number();
  const auto of = device.integer();
  if (!on || !of || *of < 0 || *of > INT32_MAX) {
    events_.refuse(event, "names no stream and device; expected args.stream and args.device");
  }
  item.stream = *on;
  item.device = static_cast<std::int32_t>(*of);
  item.start = events_.time(event, event.ts, "ts");
  item.duration = duration_of(event);
  item.correlation = event.arg("correlation").number().value_or(0);
  item.row = event.index;
  item.name = event.name;
  if (kind != OpKind::kernel) take_copy(item, event);
  const JsonCell collective = event.arg("Collective name");
  if (kind == OpKind::kernel && !collective.empty()) {
    item.collective = collective_of(collective.raw);
    if (item.collective != Collective::none) item.kind = OpKind::collective;
    item.group = event.arg("Process Group Name").raw;
    item.group_size = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(event.arg("Group size").number().value_or(0), 1U << 20));
    item.copy.bytes = bytes_of_collective(event, item.collective);
  } else if (const auto named =
                 kind == OpKind::kernel ? collective_by_name(event.name) : std::nullopt) {
    item.kind = OpKind::collective;
    item.collective = named->kind;
    item.alone = named->point_to_point;
  }
  if (item.correlation != 0) stream_of_[item.correlation] = {item.device, item.stream};
  slices_.push_back(std::move(item));
}

void KinetoImport::take_sync(const JsonEvent& event) {
  const std::string_view kind = event.arg("cuda_sync_kind").raw;
  const std::uint64_t stream = event.arg("stream").number().value_or(kNoStream);
  const std::uint64_t correlation = event.arg("correlation").number().value_or(0);
  const auto device = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(event.arg("device").integer().value_or(0), 0, INT32_MAX));
  using What = HostSync::What;
  if (kind == "Stream Sync") syncs_.push_back({What::stream, correlation, stream, device, 0});
  if (kind == "Context Sync") syncs_.push_back({What::device, correlation, kNoStream, device, 0});
  if (kind == "Event Sync") {
    const std::uint64_t of = event.arg("wait_on_stream").number().value_or(kNoStream);
    const std::uint64_t named =
        event.arg("wait_on_cuda_event_record_corr_id").number().value_or(kNoStream);
    const bool known = of < kNoStream && named < kNoStream;
    syncs_.push_back({known ? What::stream : What::guess, correlation, of, device, named});
  }
  if (kind != "Stream Wait Event" || stream >= kNoStream) return;
  Item wait;
  wait.kind = OpKind::wait;
  wait.device = device;
  wait.stream = stream;
  wait.correlation = correlation;
  wait.row = event.index;
  const std::uint64_t record =
      event.arg("wait_on_cuda_event_record_corr_id").number().value_or(kNoStream);
  const std::uint64_t on = event.arg("wait_on_stream").number().value_or(kNoStream);
  if (record < kNoStream && on < kNoStream) {
    wait.record = record;
    Item& item = records_[record];
    item.kind = OpKind::record;
    item.device = device;
    item.stream = on;
    item.correlation = record;
  }
  waits_.push_back(std::move(wait));
}

// ---- the streams ----

void KinetoImport::set_base() {
  if (builder_.base_ns() != 0) return;
  Nanoseconds first = INT64_MAX;
  for (const Item& item : slices_) first = std::min(first, item.start);
  for (const auto& [id, launch] : launches_) first = std::min(first, launch.time);
  if (first != INT64_MAX && first + base_ > 0) builder_.base_ns(first + base_);
}

/// Puts records and waits after the items that were launched before them.
void KinetoImport::merge(std::vector<Item*>& items, std::vector<Item*> points) {
  const auto issued = [](const Item* item) { return item->launch ? item->launch->time : kNoTime; };
  std::stable_sort(points.begin(), points.end(), [&](const Item* a, const Item* b) {
    return issued(a) != issued(b) ? issued(a) < issued(b) : a->correlation < b->correlation;
  });
  std::vector<Item*> merged;
  auto point = points.begin();
  for (Item* const item : items) {
    while (item->launch && point != points.end() && issued(*point) < issued(item)) {
      merged.push_back(*point++);
    }
    merged.push_back(item);
  }
  merged.insert(merged.end(), point, points.end());
  items.swap(merged);
}

void KinetoImport::add_streams() {
  std::map<StreamKey, std::vector<Item*>> streams, points;
  const auto put = [&](Item& item, auto& into) {
    item.launch = launch(item.correlation);
    into[StreamKey{item.device, item.stream}].push_back(&item);
  };
  for (Item& item : slices_) put(item, streams);
  for (auto& [correlation, item] : records_) put(item, points);
  for (Item& item : waits_) put(item, points);
  for (auto& [key, items] : points) streams.try_emplace(key);
  for (auto& [key, items] : streams) {
    streams_.insert(key);
    std::stable_sort(items.begin(), items.end(),
                     [](const Item* a, const Item* b) { return a->start < b->start; });
    merge(items, std::move(points[key]));
    for (const Item* const item : items) add(*item);
  }
  for (const Item& wait : waits_) {
    const auto op = op_of_.find(wait.correlation);
    const auto record = op_of_.find(wait.record);
    if (wait.record == 0 || op == op_of_.end() || record == op_of_.end()) continue;
    SyncUse& use = builder_.pending().sync(op->second);
    use.partner = record->second;
  }
}

/// The communicator, where the profile does not name it: libraries give each a stream of its own.
std::string KinetoImport::group_of(const Item& item) {
  if (!item.group.empty()) return item.group;
  const StreamKey key{item.device, item.stream};
  const std::size_t number =
      communicators_.try_emplace(key, communicators_.size() + 1).first->second;
  return fmt::format("communicator {}", number);
}

void KinetoImport::add(const Item& item) {
  const std::uint32_t device = builder_.device(rank_, item.device);
  NewOp op;
  op.kind = item.kind;
  op.track = builder_.stream(device, item.stream);
  op.duration = item.duration;
  if (item.start != kNoTime) op.start = item.start + base_ - builder_.base_ns();
  op.name = builder_.text(item.name);
  op.line = item.row;
  if (item.pageable) op.flags |= kPageable;
  if (item.launch) {
    op.issue = item.launch->time + base_ - builder_.base_ns();
    op.host = builder_.host(rank_, item.launch->thread);
    if (op.line == 0) op.line = item.launch->row;
    op.site = item.launch->caller;
  }
  OpIndex index = kNone;
  if (item.kind == OpKind::record || item.kind == OpKind::wait) {
    const bool wait = item.kind == OpKind::wait;
    SyncUse use;
    const bool bound = !wait || item.record != 0;
    const std::uint64_t event = wait && bound ? item.record : item.correlation;
    use.object = builder_.object(ObjectKind::event, rank_, event);
    use.generation = bound ? 1 : 0;
    use.candidates = wait && bound ? item.candidates : 0;
    use.how = wait ? item.how : Provenance::none;
    index = op_of_[item.correlation] = builder_.add(op, use);
  } else if (item.kind == OpKind::copy || item.kind == OpKind::fill) {
    CopyUse use = item.copy;
    const auto here = static_cast<std::int32_t>(device);
    if (use.src == 0) use.src = here;
    if (use.dst == 0) use.dst = here;
    index = builder_.add(op, use);
  } else if (item.kind == OpKind::collective) {
    CommUse use;
    use.kind = item.collective;
    if (!item.alone) use.group = builder_.group(group_of(item));
    if (!item.alone) use.tag = sequence_[use.group]++;
    if (!item.alone) builder_.group_at(use.group).size = item.group_size;
    use.bytes = item.copy.bytes;
    use.how = item.group.empty() ? Provenance::issue : Provenance::order;
    index = builder_.add(op, use);
  } else {
    index = builder_.add(op);
  }
  if (op.issue != kNoTime) issued_[op.track].emplace_back(op.issue, index);
}

}  // namespace trace::kineto

namespace trace {

void read_kineto(const Text& text, const FileContext& context, Builder& builder) {
  kineto::KinetoImport(text, context, builder).run();
}

}  // namespace trace
