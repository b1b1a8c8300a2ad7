// SPDX-License-Identifier: Apache-2.0
// Which record a wait waits for: named by the file, or guessed from the order of calls, and never
// one that recorded times rule out.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "tools/trace/formats/kineto.h"
#include "tools/trace/pairing/evidence.h"

namespace trace::kineto {
namespace {

bool called_before(const Launch* a, const Launch* b) {
  return a->time != b->time ? a->time < b->time : a->correlation < b->correlation;
}

/// The position of a call among the calls of its thread.
auto place_of(const std::vector<const Launch*>& calls, const Launch& call) {
  return std::lower_bound(calls.begin(), calls.end(), &call, called_before);
}

}  // namespace

void KinetoImport::sort_launches() {
  for (const auto& [id, launch] : launches_) by_thread_[launch.thread].push_back(&launch);
  for (auto& [thread, calls] : by_thread_) {
    std::sort(calls.begin(), calls.end(), called_before);
    for (const Launch* const call : calls) {
      if (call->name.find("EventRecord") != std::string::npos)
        record_calls_[thread].push_back(call);
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
/// record had ended when what was called for after the wait began.
bool KinetoImport::possible(const Launch& record, StreamKey from, const Item& wait) const {
  const Launch* const call = launch(wait.correlation);
  const auto before = placed_.find(from);
  const auto after = placed_.find({wait.device, wait.stream});
  if (!call || before == placed_.end() || after == placed_.end()) return true;
  const auto earlier = [](const Placed& slice, Nanoseconds time) { return slice.called < time; };
  const auto last =
      std::lower_bound(before->second.begin(), before->second.end(), record.time, earlier);
  const auto next =
      std::lower_bound(after->second.begin(), after->second.end(), call->time, earlier);
  if (last == before->second.begin() || next == after->second.end()) return true;
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
      // If the file marks waits, the stream of a wait without a mark is a guess as well.
      if (wait.record != 0 || !marked) waits_.push_back(std::move(wait));
    }
  }
}

}  // namespace trace::kineto
