// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/stream_use.h"

#include <string>

#include "runtime/acl/watch/places.h"

namespace acl {

bool StreamUse::take(const StreamHolder& holder, std::size_t limit) {
  const std::size_t streams = count_.fetch_add(1) + 1;
  if (streams > limit) {
    --count_;
    return false;
  }
  if (holder.graph == 0 && streams <= most_) return true;
  const sim::LockGuard guard(mutex_);
  if (holder.graph != 0) ++by_place_[holder.captured_at][holder.graph];
  if (streams > most_) {
    peak_ = counted();
    peak_.streams = streams;
    most_ = streams;
  }
  return true;
}

void StreamUse::give(const StreamHolder& holder) {
  --count_;
  if (holder.graph == 0) return;
  const sim::LockGuard guard(mutex_);
  const auto place = by_place_.find(holder.captured_at);
  if (place == by_place_.end()) return;
  const auto graph = place->second.find(holder.graph);
  if (graph != place->second.end() && --graph->second == 0) place->second.erase(graph);
  if (place->second.empty()) by_place_.erase(place);
}

StreamUse::Count StreamUse::counted() const {
  Count count{this->count(), {}};
  for (const auto& [place, graphs] : by_place_) {
    Graphs& row = count.graphs.emplace_back();
    row.captured_at = place;
    row.graphs = graphs.size();
    for (const auto& [graph, streams] : graphs) row.streams += streams;
  }
  return count;
}

StreamUse::Count StreamUse::now() const {
  const sim::LockGuard guard(mutex_);
  return counted();
}

StreamUse::Count StreamUse::peak() const {
  const sim::LockGuard guard(mutex_);
  return peak_;
}

// ---- in words ----

namespace {

std::string place_of_capture(std::uint64_t site) {
  if (site == 0) return {};
  static auto& places = *new Places;  // never destroyed: programs create streams while they end
  static sim::Mutex mutex;
  const sim::LockGuard guard(mutex);
  const std::string place = order::position(places.of(site));
  return place.substr(place.rfind('/') + 1);
}

}  // namespace

std::vector<order::GraphsAt> placed(const std::vector<StreamUse::Graphs>& graphs) {
  std::vector<order::GraphsAt> rows;
  for (const StreamUse::Graphs& row : graphs) {
    rows.push_back({place_of_capture(row.captured_at), row.graphs, row.streams});
  }
  return rows;
}

}  // namespace acl
