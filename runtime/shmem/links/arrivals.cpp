// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/arrivals.h"

namespace shmem {

namespace {

std::atomic_ref<std::uint64_t> word_at(std::byte* place) {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(place));
}

std::size_t offset_of(int pe) {
  return Arrivals::kOffset + static_cast<std::size_t>(pe) * Arrivals::kStride;
}

}  // namespace

std::atomic_ref<std::uint64_t> Arrivals::count(int of) const {
  return word_at(memory_.engine(me_) + offset_of(of));
}

void Arrivals::tell(int pe) const {
  if (ways_.is_remote(pe)) {
    ways_.tell(pe, offset_of(me_));
  } else {
    word_at(memory_.engine(pe) + offset_of(me_)).fetch_add(1);
  }
}

Arrivals::Passage Arrivals::begin(const std::vector<int>& members, int index) {
  const int size = static_cast<int>(members.size());
  Passage passage;
  passage.of_ = this;
  const std::lock_guard guard(mutex_);
  // Distances are all different and less than size, so a pair meets once.
  for (long long step = 1; step < size; step *= kRadix) {
    auto& tells = passage.tells_.emplace_back();
    auto& awaits = passage.awaits_.emplace_back();
    for (long long i = 1; i < kRadix && i * step < size; ++i) {
      const int distance = static_cast<int>(i * step);
      const int to = members[static_cast<std::size_t>((index + distance) % size)];
      tells.push_back({to, ++told_[static_cast<std::size_t>(to)]});
      const int from = members[static_cast<std::size_t>((index - distance + size) % size)];
      awaits.push_back({from, ++met_[static_cast<std::size_t>(from)]});
    }
  }
  return passage;
}

std::vector<int> Arrivals::Passage::tell() {
  if (round_ >= tells_.size()) return {};
  std::vector<int> pes;
  for (const Count& told : tells_[round_]) {
    of_->tell(told.pe);
    pes.push_back(told.pe);
  }
  return pes;
}

bool Arrivals::Passage::round_is_over() const {
  if (round_ >= awaits_.size()) return true;
  for (const Count& awaited : awaits_[round_]) {
    if (of_->count(awaited.pe).load() < awaited.count) return false;
  }
  return true;
}

bool Arrivals::Passage::advance() {
  if (round_ < tells_.size()) ++round_;
  return round_ < tells_.size();
}

std::vector<int> Arrivals::Passage::missing() const {
  std::vector<int> pes;
  if (round_ >= awaits_.size()) return pes;
  for (const Count& awaited : awaits_[round_]) {
    if (of_->count(awaited.pe).load() < awaited.count) pes.push_back(awaited.pe);
  }
  return pes;
}

}  // namespace shmem
