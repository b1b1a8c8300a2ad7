// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/arrivals.h"

namespace shmem {

std::atomic_ref<std::uint64_t> Arrivals::count(int at, int of) const {
  std::byte* const word = memory_.engine(at) + kOffset + static_cast<std::size_t>(of) * kStride;
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(word));
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
      tells.push_back(members[static_cast<std::size_t>((index + distance) % size)]);
      const int from = members[static_cast<std::size_t>((index - distance + size) % size)];
      awaits.push_back({from, ++met_[static_cast<std::size_t>(from)]});
    }
  }
  return passage;
}

std::vector<int> Arrivals::Passage::tell() {
  if (round_ >= tells_.size()) return {};
  for (const int pe : tells_[round_]) of_->count(pe, of_->me_).fetch_add(1);
  return tells_[round_];
}

bool Arrivals::Passage::round_is_over() const {
  if (round_ >= awaits_.size()) return true;
  for (const Awaited& awaited : awaits_[round_]) {
    if (of_->count(of_->me_, awaited.pe).load() < awaited.count) return false;
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
  for (const Awaited& awaited : awaits_[round_]) {
    if (of_->count(of_->me_, awaited.pe).load() < awaited.count) pes.push_back(awaited.pe);
  }
  return pes;
}

}  // namespace shmem
