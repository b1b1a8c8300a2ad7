// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/accesses.h"

#include <algorithm>

#include "device_sim/base/mutex.h"

namespace ascendc {

void Accesses::append(std::vector<Bytes>& list, Bytes bytes) {
  if (!list.empty() && bytes.begin <= list.back().end) {
    list.back().end = std::max(list.back().end, bytes.end);
  } else {
    list.push_back(bytes);
  }
}

void Accesses::add_reads(const Shadow& of_block) {
  std::vector<Bytes> reads;
  for (const auto& [begin, cell] : of_block.cells()) {
    const auto read = [](const Mark& mark) { return mark.tick != 0; };
    if (std::any_of(cell.reads.begin(), cell.reads.end(), read)) append(reads, {begin, cell.end});
  }
  if (reads.empty()) return;
  const sim::LockGuard guard(mutex_);
  reads_.insert(reads_.end(), reads.begin(), reads.end());
}

std::vector<acl::embedding::Range> Accesses::ranges(const GlobalWrites& writes,
                                                    GmRange attached) const {
  std::vector<Bytes> sorted = reads_, reads, stores, adds;
  std::sort(sorted.begin(), sorted.end(),
            [](const Bytes& a, const Bytes& b) { return a.begin < b.begin; });
  for (const Bytes& bytes : sorted) append(reads, bytes);
  for (const auto& [begin, cell] : writes.cells())
    append(cell.atomic ? adds : stores, {begin, cell.end});
  std::vector<acl::embedding::Range> all;
  const auto add = [&](const Bytes& bytes, bool written, bool reduced) {
    if (bytes.begin - attached.begin < attached.size) return;
    all.push_back({reinterpret_cast<const void*>(bytes.begin), bytes.end - bytes.begin, !written,
                   written, reduced});
  };
  for (const Bytes& bytes : reads) {
    const auto after =
        std::upper_bound(stores.begin(), stores.end(), bytes.begin,
                         [](std::uint64_t at, const Bytes& store) { return at < store.begin; });
    if (after != stores.begin() && std::prev(after)->end >= bytes.end) continue;
    add(bytes, false, false);
  }
  for (const Bytes& bytes : stores) add(bytes, true, false);
  for (const Bytes& bytes : adds) add(bytes, true, true);
  return all;
}

}  // namespace ascendc
