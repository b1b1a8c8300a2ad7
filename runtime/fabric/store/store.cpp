// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/store.h"

#include <set>

namespace fabric {
namespace {

std::string list_of(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  }
  return text;
}

}  // namespace

std::string StoreCollectives::key(std::uint64_t round, int rank) const {
  return name_ + "/" + std::to_string(round) + "/" + std::to_string(rank);
}

std::vector<Bytes> StoreCollectives::allgather(Bytes mine, Moment end) {
  const std::uint64_t round = ++round_;
  // A rank that takes part in a round has read all values of the round before the previous one.
  if (round > 2) store_.remove(key(round - 2, rank_));
  std::vector<std::string> keys;
  for (int rank = 0; rank < size_; ++rank) keys.push_back(key(round, rank));
  try {
    // The process that holds the store may leave as soon as all have arrived, so setting and
    // waiting are one message.
    Store::Entries entry;
    entry.emplace_back(key(round, rank_), std::move(mine));
    return store_.exchange(std::move(entry), keys, end);
  } catch (const StoreTimeout& timeout) {
    const std::set<std::string> missing(timeout.missing().begin(), timeout.missing().end());
    std::vector<int> absent;
    for (int rank = 0; rank < size_; ++rank) {
      if (missing.count(keys[static_cast<std::size_t>(rank)]) != 0) absent.push_back(rank);
    }
    throw FabricError(Status::timed_out, "rank " + std::to_string(rank_) + " of " +
                                             std::to_string(size_) + " waited in vain for " +
                                             list_of(absent) + " (" + name_ + ")");
  }
}

}  // namespace fabric
