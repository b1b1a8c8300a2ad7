// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/arrivals.h"

#include <algorithm>

#include "device_sim/base/mutex.h"

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
  if (connections_.is_remote(pe)) {
    connections_.tell(pe, offset_of(me_));
  } else {
    word_at(memory_.engine(pe) + offset_of(me_)).fetch_add(1);
  }
}

Arrivals::Passage Arrivals::begin(const Members& members, int index) {
  const long long size = members.size;
  Passage passage;
  passage.of_ = this;
  passage.pairs_.reserve(static_cast<std::size_t>(std::min<long long>(size - 1, kRadix - 1)));
  const sim::LockGuard guard(mutex_);
  // All distances differ and are less than size, so each pair meets once.
  for (long long step = 1; step < size; step *= kRadix) {
    for (long long distance = step; distance < step * kRadix && distance < size; distance += step) {
      const int to = members.at((index + distance) % size);
      const int from = members.at((index - distance + size) % size);
      passage.pairs_.push_back({{to, ++notified_[static_cast<std::size_t>(to)]},
                                {from, ++met_[static_cast<std::size_t>(from)]}});
    }
  }
  return passage;
}

std::span<const Arrivals::Pair> Arrivals::Passage::round() const noexcept {
  return std::span(pairs_).subspan(begin_,
                                   std::min<std::size_t>(kRadix - 1, pairs_.size() - begin_));
}

void Arrivals::Passage::tell() const {
  for (const Pair& pair : round()) of_->tell(pair.tells.pe);
}

bool Arrivals::Passage::round_is_over() const {
  const auto all = round();
  return std::all_of(all.begin(), all.end(), [this](const Pair& pair) {
    return of_->count(pair.awaits.pe).load() >= pair.awaits.count;
  });
}

bool Arrivals::Passage::advance() {
  begin_ += round().size();
  return begin_ < pairs_.size();
}

std::vector<int> Arrivals::Passage::missing() const {
  std::vector<int> pes;
  for (const Pair& pair : round()) {
    if (of_->count(pair.awaits.pe).load() < pair.awaits.count) pes.push_back(pair.awaits.pe);
  }
  return pes;
}

}  // namespace shmem
