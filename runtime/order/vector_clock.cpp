// SPDX-License-Identifier: Apache-2.0
// Clocks of many actors.
#include "runtime/order/vector_clock.h"

namespace order {
namespace {

/// `count` is a multiple of 4.
template <class Words>
[[gnu::always_inline]] inline std::uint32_t join_words(std::uint32_t* mine,
                                                       const std::uint32_t* theirs,
                                                       std::uint32_t count) {
  constexpr std::uint32_t kStep = sizeof(Words) / sizeof(std::uint32_t);
  Words beyond{};
  std::uint32_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    Words a, b;
    std::memcpy(&a, mine + i, sizeof a);
    std::memcpy(&b, theirs + i, sizeof b);
    const Words most = a > b ? a : b;
    beyond |= most ^ a;
    std::memcpy(mine + i, &most, sizeof most);
  }
  std::uint32_t any = 0;
  for (std::uint32_t lane = 0; lane < kStep; ++lane) any |= beyond[lane];
  for (; i < count; ++i) {
    const std::uint32_t most = std::max(mine[i], theirs[i]);
    any |= most ^ mine[i];
    mine[i] = most;
  }
  return any;
}

using Four = std::uint32_t __attribute__((vector_size(16)));

#ifdef __x86_64__
using Eight = std::uint32_t __attribute__((vector_size(32)));

[[gnu::target("avx2")]] std::uint32_t join_avx(std::uint32_t* mine, const std::uint32_t* theirs,
                                               std::uint32_t count) {
  return join_words<Eight>(mine, theirs, count);
}
#endif

}  // namespace

bool VectorClock::join_many(std::uint32_t* mine, const std::uint32_t* theirs,
                            std::uint32_t count) {
#ifdef __x86_64__
  static const bool avx = __builtin_cpu_supports("avx2") != 0;
  if (avx) return join_avx(mine, theirs, count) != 0;
#endif
  return join_words<Four>(mine, theirs, count) != 0;
}

bool VectorClock::covers(const VectorClock& other) const noexcept {
  const std::uint32_t* const mine = counts();
  const std::uint32_t* const theirs = other.counts();
  Lanes beyond{};
  Actor i = 0;
  for (; i < size_ && i < other.size_; i += kLanes) {
    beyond |= reinterpret_cast<Lanes>(lanes(theirs + i) > lanes(mine + i));
  }
  for (; i < other.size_; i += kLanes) beyond |= lanes(theirs + i);
  return !any(beyond);
}

void VectorClock::make_room(std::uint32_t room) {
  auto made = std::make_unique<std::uint32_t[]>(room);
  std::copy(counts(), counts() + size_, made.get());
  more_ = std::move(made);
  room_ = room;
}

void VectorClock::assign_many(const VectorClock& other) {
  if (other.size_ > room_) {
    size_ = 0;
    make_room(rounded(other.size_));
  }
  std::copy(other.counts(), other.counts() + other.size_, counts());
  zero_from(std::exchange(size_, other.size_), other.size_);
}

}  // namespace order
