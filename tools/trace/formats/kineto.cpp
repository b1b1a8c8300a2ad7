// SPDX-License-Identifier: Apache-2.0
// The timeline of PyTorch's profiler. Device slices give the streams; event records and waits are
// calls of the host, which are put into the streams as ops of their own at the place of their call.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "tools/trace/formats/collective_names.h"
#include "tools/trace/formats/json_events.h"
#include "tools/trace/formats/readers.h"
#include "tools/trace/pairing/evidence.h"

namespace trace {
namespace {

constexpr std::uint64_t kNoStream = UINT32_MAX;

struct Launch {
  Nanoseconds time = kNoTime;
  Nanoseconds duration = 0;
  std::uint64_t thread = 0;
  std::uint64_t correlation = 0;
  std::string name;
  std::uint32_t row = 0;
};

/// A slice of a stream, or a record or a wait that is put into it.
struct Item {
  OpKind kind = OpKind::kernel;
  std::int32_t device = 0;
  std::uint64_t stream = 0;
  Nanoseconds start = kNoTime;
  Nanoseconds duration = kNoTime;
  std::uint64_t correlation = 0;
  std::uint32_t row = 0;
  std::string name;
  CopyUse copy;
  Collective collective = Collective::none;
  std::string group;
  bool alone = false;  // a collective that no others are known to meet
  bool pageable = false;
  // waits
  std::uint64_t record = 0;  // correlation of the record; 0: not known
  std::uint16_t candidates = 1;
  Provenance how = Provenance::exact;
  const Launch* launch = nullptr;
};

struct HostSync {
  enum class What : std::uint8_t { stream, device, guess };
  What what = What::device;
  std::uint64_t correlation = 0;
  std::uint64_t stream = kNoStream;
  std::int32_t device = 0;
  std::uint64_t record = 0;  // of an event: what was called for before this; 0: before the call
};

enum class Category : std::uint8_t { kernel, copy, fill, sync, call, other };

/// The oldest versions write "Kernel", "Memcpy", "Memset", "Runtime".
Category category_of(std::string_view text) {
  struct Row {
    std::string_view name;
    Category category;
  };
  constexpr Row kRows[] = {
      {"kernel", Category::kernel},       {"cuda_runtime", Category::call},
      {"cuda_driver", Category::call},    {"gpu_memcpy", Category::copy},
      {"gpu_memset", Category::fill},     {"cuda_sync", Category::sync},
      {"memcpy", Category::copy},         {"memset", Category::fill},
      {"runtime", Category::call},        {"privateuse1_runtime", Category::call},
      {"hip_runtime", Category::call},    {"xpu_runtime", Category::call},
      {"xpu_driver", Category::call},
  };
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a | 32 : a) == b; };
  for (const Row& row : kRows) {
    if (std::equal(text.begin(), text.end(), row.name.begin(), row.name.end(), same)) {
      return row.category;
    }
  }
  return Category::other;
}

/// Calls in which the host waits: of all devices' runtimes.
bool synchronises(std::string_view call) {
  return call.find("Synchronize") != std::string_view::npos;
}
bool of_device(std::string_view call) {
  return call.find("DeviceSynchronize") != std::string_view::npos ||
         call.find("CtxSynchronize") != std::string_view::npos;
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

class KinetoImport {
 public:
  KinetoImport(const Text& text, const FileContext& context, Builder& builder)
      : events_(text, context.path), context_(context), builder_(builder) {}

  void run() {
    builder_.source(context_.path, "kineto", "PyTorch profiler");
    events_.walk([this](const JsonEvent& event) { take(event); },
                 [this](const std::string& key, JsonCell cell) { take_head(key, cell); });
    if (slices_.empty()) refuse_nothing();
    rank_ = builder_.rank(own_rank());
    sort_launches();
    sort_slices();
    resolve_waits();
    set_base();
    add_streams();
    add_syncs();
    if (unknown_ != 0) {
      builder_.remark(Level::warning, unknown_waits());
    }
  }

 private:
  using StreamKey = std::pair<std::int32_t, std::uint64_t>;

  std::int32_t own_rank();
  [[noreturn]] void refuse_nothing() const;
  void pass_over(std::string_view category);
  std::string unknown_waits() const;
  void take_head(const std::string& key, JsonCell cell);
  void take(const JsonEvent& event);
  void take_launch(const JsonEvent& event);
  Nanoseconds duration_of(const JsonEvent& event) const;
  void take_slice(const JsonEvent& event, OpKind kind);
  void take_sync(const JsonEvent& event);
  void take_copy(Item& item, const JsonEvent& event);
  void sort_launches();
  void resolve_waits();
  bool names_record(const Item& wait) const;
  void infer(Item& wait);
  bool possible(const Launch& record, StreamKey from, const Item& wait) const;
  std::pair<const Launch*, StreamKey> record_before(const Launch& call, const Item& wait) const;
  void sort_slices();
  std::optional<StreamKey> stream_near(const Launch& launch, bool before) const;
  void place_record(std::uint64_t correlation, StreamKey on);
  void set_base();
  void add_streams();
  void merge(std::vector<Item*>& items, std::vector<Item*> points);
  void add(const Item& item);
  std::string group_of(const Item& item);
  void add_syncs();
  void add_sync(const HostSync& sync);
  void find_unmarked_syncs();
  OpIndex issued_before(LaneIndex lane, Nanoseconds time) const;
  OpIndex guess(const NewOp& op) const;
  const Launch* launch(std::uint64_t correlation) const {
    const auto found = launches_.find(correlation);
    return found == launches_.end() ? nullptr : &found->second;
  }

  JsonEvents events_;
  const FileContext& context_;
  Builder& builder_;
  std::optional<std::int64_t> rank_id_;
  Nanoseconds base_ = 0;
  std::uint32_t rank_ = 0;
  std::vector<Item> slices_, waits_;
  std::map<std::uint64_t, Item> records_;  // by correlation
  std::vector<HostSync> syncs_;
  std::unordered_map<std::uint64_t, Launch> launches_;  // calls of the host, by correlation
  std::map<std::uint64_t, std::vector<const Launch*>> by_thread_;
  std::map<std::uint64_t, std::vector<const Launch*>> record_calls_;  // by thread
  /// Slices of a stream in the order of their calls.
  struct Placed {
    Nanoseconds called;
    Nanoseconds next_start;  // the earliest of this and all behind
    Nanoseconds done;        // the latest end of this and all before
  };
  std::map<StreamKey, std::vector<Placed>> placed_;
  std::unordered_map<std::uint64_t, StreamKey> stream_of_;  // slices, by correlation
  std::unordered_map<std::uint64_t, OpIndex> op_of_;        // records, by correlation
  std::unordered_map<LaneIndex, std::vector<std::pair<Nanoseconds, OpIndex>>> issued_;
  std::set<StreamKey> streams_;
  std::map<StreamKey, std::size_t> communicators_;           // streams of collectives
  std::unordered_map<std::uint32_t, std::uint32_t> sequence_;  // of collectives, by group
  std::uint32_t unknown_ = 0;  // waits without a record
  std::uint32_t dropped_ = 0;  // of these: without a stream
  std::vector<std::pair<std::string, std::uint64_t>> passed_over_;  // categories
  std::size_t last_passed_ = 0;
};

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
  std::string text = fmt::format("{} stream waits, {}; what they order is not known", unknown_,
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
  launches_.try_emplace(
      *correlation, Launch{events_.time(event, event.ts, "ts"), duration_of(event), *thread,
                           *correlation, std::string(event.name), event.index});
}

Nanoseconds KinetoImport::duration_of(const JsonEvent& event) const {
  const Nanoseconds duration = event.dur.empty() ? 0 : events_.time(event, event.dur, "dur");
  if (duration < 0) events_.refuse(event, "`dur` is negative; expected a duration");
  return duration;
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
  } else if (const auto named = kind == OpKind::kernel ? collective_by_name(event.name)
                                                       : std::nullopt) {
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

// ---- which record ----

bool called_before(const Launch* a, const Launch* b) {
  return a->time != b->time ? a->time < b->time : a->correlation < b->correlation;
}

/// Where a call is among those of its thread.
auto place_of(const std::vector<const Launch*>& calls, const Launch& call) {
  return std::lower_bound(calls.begin(), calls.end(), &call, called_before);
}

void KinetoImport::sort_launches() {
  for (const auto& [id, launch] : launches_) by_thread_[launch.thread].push_back(&launch);
  for (auto& [thread, calls] : by_thread_) {
    std::sort(calls.begin(), calls.end(), called_before);
    for (const Launch* const call : calls) {
      if (call->name.find("EventRecord") != std::string::npos) record_calls_[thread].push_back(call);
    }
  }
  for (const auto& [correlation, key] : stream_of_) streams_.insert(key);
}

void KinetoImport::sort_slices() {
  for (const Item& item : slices_) {
    if (const Launch* const call = launch(item.correlation)) {
      placed_[{item.device, item.stream}].push_back(
          {call->time, item.start, item.start + item.duration});
    }
  }
  for (auto& [key, slices] : placed_) {
    std::stable_sort(slices.begin(), slices.end(),
                     [](const Placed& a, const Placed& b) { return a.called < b.called; });
    for (std::size_t i = 1; i < slices.size(); ++i) {
      slices[i].done = std::max(slices[i].done, slices[i - 1].done);
    }
    for (std::size_t i = slices.size(); i-- > 1;) {
      slices[i - 1].next_start = std::min(slices[i - 1].next_start, slices[i].next_start);
    }
  }
}

/// Whether the times allow that the wait waited for the record: what was called for before the
/// record had ended when what was called for behind the wait began.
bool KinetoImport::possible(const Launch& record, StreamKey from, const Item& wait) const {
  const Launch* const call = launch(wait.correlation);
  const auto before = placed_.find(from);
  const auto behind = placed_.find({wait.device, wait.stream});
  if (!call || before == placed_.end() || behind == placed_.end()) return true;
  const auto earlier = [](const Placed& slice, Nanoseconds time) { return slice.called < time; };
  const auto last = std::lower_bound(before->second.begin(), before->second.end(), record.time,
                                     earlier);
  const auto next =
      std::lower_bound(behind->second.begin(), behind->second.end(), call->time, earlier);
  if (last == before->second.begin() || next == behind->second.end()) return true;
  return std::prev(last)->done <= next->next_start + kClockSlack;
}

/// Some versions of the profiler name records of the future, or of a run before.
bool KinetoImport::names_record(const Item& wait) const {
  if (wait.record == 0 || wait.record >= wait.correlation) return false;
  const Launch* const call = launch(wait.record);
  const auto item = records_.find(wait.record);
  return call && item != records_.end() &&
         possible(*call, {item->second.device, item->second.stream}, wait);
}

/// The nearest record that the thread called for before the wait and that times do not rule out.
std::pair<const Launch*, KinetoImport::StreamKey> KinetoImport::record_before(
    const Launch& call, const Item& wait) const {
  constexpr int kLookedAt = 64;
  const auto calls = record_calls_.find(call.thread);
  if (calls == record_calls_.end()) return {};
  auto at = place_of(calls->second, call);
  for (int looked = 0; at != calls->second.begin() && looked < kLookedAt; ++looked) {
    const Launch* const record = *--at;
    const auto on = stream_near(*record, true);
    if (!on) return {};
    if (possible(*record, *on, wait)) return {record, *on};
  }
  return {};
}

/// The stream of the next thing that the thread launched after a call, or before it.
std::optional<KinetoImport::StreamKey> KinetoImport::stream_near(const Launch& near,
                                                                 bool before) const {
  const std::vector<const Launch*>& calls = by_thread_.at(near.thread);
  auto at = place_of(calls, near);
  while (before ? at != calls.begin() : ++at != calls.end()) {
    if (before) --at;
    const auto found = stream_of_.find((*at)->correlation);
    if (found != stream_of_.end()) return found->second;
  }
  return std::nullopt;
}

void KinetoImport::place_record(std::uint64_t correlation, StreamKey on) {
  Item& item = records_[correlation];
  item.kind = OpKind::record;
  item.correlation = correlation;
  std::tie(item.device, item.stream) = on;
}

void KinetoImport::infer(Item& wait) {
  wait.record = 0;
  wait.how = Provenance::none;
  const Launch* const call = launch(wait.correlation);
  if (!call) return;
  const auto [record, on] = record_before(*call, wait);
  if (!record || on == StreamKey{wait.device, wait.stream}) return;
  const std::int32_t device = on.first;
  const auto others = std::count_if(streams_.begin(), streams_.end(), [&](const StreamKey& key) {
    return key.first == device && key.second != wait.stream;
  });
  wait.record = record->correlation;
  wait.how = Provenance::issue;
  wait.candidates = static_cast<std::uint16_t>(std::min<std::ptrdiff_t>(others, UINT16_MAX));
  place_record(record->correlation, on);
}

/// Waits whose record is named are exact. Others, and calls that left no mark on a stream, are
/// guessed from the order of the thread's calls.
void KinetoImport::resolve_waits() {
  const bool marked = !waits_.empty();
  std::set<std::uint64_t> known;
  std::set<std::uint64_t> named;
  for (Item& wait : waits_) {
    known.insert(wait.correlation);
    if (!names_record(wait)) wait.record = 0;
    if (wait.record != 0) named.insert(wait.record);
  }
  std::erase_if(records_, [&](const auto& row) { return !named.contains(row.first); });
  for (Item& wait : waits_) {
    if (wait.record == 0) infer(wait);
    unknown_ += wait.record == 0;
  }
  for (const auto& [thread, calls] : by_thread_) {
    for (const Launch* const call : calls) {
      const bool is_wait = call->name.find("StreamWaitEvent") != std::string::npos;
      if (!is_wait || known.contains(call->correlation)) continue;
      const auto on = stream_near(*call, false);
      if (!on) {
        ++dropped_;
        ++unknown_;
        continue;
      }
      Item wait;
      wait.kind = OpKind::wait;
      std::tie(wait.device, wait.stream) = *on;
      wait.correlation = call->correlation;
      wait.row = call->row;
      infer(wait);
      unknown_ += wait.record == 0;
      dropped_ += wait.record == 0 && marked;
      // Where the file marks waits, the stream of one without a mark is a guess as well.
      if (wait.record != 0 || !marked) waits_.push_back(std::move(wait));
    }
  }
}

// ---- the streams ----

void KinetoImport::set_base() {
  if (builder_.base_ns() != 0) return;
  Nanoseconds first = INT64_MAX;
  for (const Item& item : slices_) first = std::min(first, item.start);
  for (const auto& [id, launch] : launches_) first = std::min(first, launch.time);
  if (first != INT64_MAX && first + base_ > 0) builder_.base_ns(first + base_);
}

/// Puts records and waits behind what was launched before them.
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
  const std::size_t number = communicators_.try_emplace(key, communicators_.size() + 1).first->second;
  return fmt::format("communicator {}", number);
}

void KinetoImport::add(const Item& item) {
  const std::uint32_t device = builder_.device(rank_, item.device);
  NewOp op;
  op.kind = item.kind;
  op.lane = builder_.stream(device, item.stream);
  op.duration = item.duration;
  if (item.start != kNoTime) op.start = item.start + base_ - builder_.base_ns();
  op.name = builder_.text(item.name);
  op.line = item.row;
  if (item.pageable) op.flags |= kPageable;
  if (item.launch) {
    op.issue = item.launch->time + base_ - builder_.base_ns();
    op.host = builder_.host(rank_, item.launch->thread);
    if (op.line == 0) op.line = item.launch->row;
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
    use.how = item.group.empty() ? Provenance::issue : Provenance::order;
    index = builder_.add(op, use);
  } else {
    index = builder_.add(op);
  }
  if (op.issue != kNoTime) issued_[op.lane].emplace_back(op.issue, index);
}

/// Calls that wait and that the file does not mark besides.
void KinetoImport::find_unmarked_syncs() {
  std::set<std::uint64_t> marked;
  for (const HostSync& sync : syncs_) marked.insert(sync.correlation);
  for (const auto& [correlation, call] : launches_) {
    if (!synchronises(call.name) || marked.contains(correlation)) continue;
    const bool device = of_device(call.name);
    syncs_.push_back({device ? HostSync::What::device : HostSync::What::guess, correlation,
                      kNoStream, streams_.begin()->first, 0});
  }
}

/// The last op of a stream that was called for before `time`.
OpIndex KinetoImport::issued_before(LaneIndex lane, Nanoseconds time) const {
  const auto found = issued_.find(lane);
  if (found == issued_.end()) return kNone;
  const auto after = std::upper_bound(
      found->second.begin(), found->second.end(), time,
      [](Nanoseconds at, const auto& row) { return at < row.first; });
  return after == found->second.begin() ? kNone : std::prev(after)->second;
}

/// What a call waited for whose stream is not told: of the last ops of all streams the one that
/// ended last, but not behind the call.
OpIndex KinetoImport::guess(const NewOp& op) const {
  OpIndex best = kNone;
  Nanoseconds latest = kNoTime;
  const trace::Trace& made = builder_.pending();
  for (const auto& [lane, issued] : issued_) {
    OpIndex at = issued_before(lane, op.issue);
    while (at != kNone && made.start(at) == kNoTime) at = issued_before(lane, made.issue(at) - 1);
    if (at == kNone) continue;
    const Nanoseconds end = made.start(at) + made.duration(at);
    if (end > op.start + op.duration + kClockSlack || end <= latest) continue;
    latest = end;
    best = at;
  }
  return best;
}

/// The host's waits, at the time of their call.
void KinetoImport::add_syncs() {
  find_unmarked_syncs();
  const auto called = [&](const HostSync& sync) {
    const Launch* const call = launch(sync.correlation);
    return std::pair(call ? call->time : kNoTime, sync.correlation);
  };
  std::stable_sort(syncs_.begin(), syncs_.end(), [&](const HostSync& a, const HostSync& b) {
    return called(a) < called(b);
  });
  for (auto& [lane, issued] : issued_) {
    std::stable_sort(issued.begin(), issued.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  for (const HostSync& sync : syncs_) add_sync(sync);
}

void KinetoImport::add_sync(const HostSync& sync) {
  const Launch* const call = launch(sync.correlation);
  const bool of_stream = sync.what == HostSync::What::stream;
  // Nothing ran on such a stream.
  if (!call || (of_stream && !streams_.contains({sync.device, sync.stream}))) return;
  NewOp op;
  op.kind = OpKind::sync;
  op.host = builder_.host(rank_, call->thread);
  op.lane = builder_.host_lane(op.host);
  op.name = builder_.text(call->name);
  op.start = op.issue = call->time + base_ - builder_.base_ns();
  op.duration = call->duration;
  op.line = call->row;
  HostUse use;
  use.target = sync.what == HostSync::What::device ? Target::device : Target::stream;
  if (use.target == Target::device) {
    use.index = builder_.device(rank_, sync.device);
    op.line = 0;  // what was called for before it is known by time, not by its place in the file
  } else if (of_stream) {
    use.index = builder_.stream(builder_.device(rank_, sync.device), sync.stream);
    const Launch* const record = sync.record == 0 ? nullptr : launch(sync.record);
    const Nanoseconds until =
        record ? record->time + base_ - builder_.base_ns() - 1 : op.issue;
    use.partner = issued_before(use.index, until);
  } else {
    use.partner = guess(op);
    if (use.partner == kNone) return;  // nothing was there to wait for
    use.index = builder_.pending_lane(use.partner);
  }
  builder_.add(op, use);
}

}  // namespace

void read_kineto(const Text& text, const FileContext& context, Builder& builder) {
  KinetoImport(text, context, builder).run();
}

}  // namespace trace
