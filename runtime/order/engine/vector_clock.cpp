// SPDX-License-Identifier: Apache-2.0
// Clocks of many actors.
#include "runtime/order/engine/vector_clock.h"

namespace order {
namespace {

/// `beyond` gets what differs from before too.
template <class Words>
[[gnu::always_inline]] inline void join_words(std::uint32_t* mine, const std::uint32_t* theirs,
                                              Words& beyond) {
  Words a, b;
  std::memcpy(&a, mine, sizeof a);
  std::memcpy(&b, theirs, sizeof b);
  const Words most = a > b ? a : b;
  std::memcpy(mine, &most, sizeof most);
  beyond |= most ^ a;
}

using Four = std::uint32_t __attribute__((vector_size(16)));
using Halves = std::uint64_t __attribute__((vector_size(16)));

bool any(const Four& words) {
  const auto halves = reinterpret_cast<Halves>(words);
  return (halves[0] | halves[1]) != 0;
}

// Both: `count` is a multiple of 4.
bool join_sse(std::uint32_t* mine, const std::uint32_t* theirs, std::uint32_t count) {
  Four beyond{};
  for (std::uint32_t i = 0; i < count; i += 4) join_words(mine + i, theirs + i, beyond);
  return any(beyond);
}

#ifdef __x86_64__
using Eight = std::uint32_t __attribute__((vector_size(32)));

[[gnu::target("avx2")]] bool join_avx(std::uint32_t* mine, const std::uint32_t* theirs,
                                      std::uint32_t count) {
  Eight beyond{};
  std::uint32_t i = 0;
  for (; i + 8 <= count; i += 8) join_words(mine + i, theirs + i, beyond);
  Four parts[2];
  std::memcpy(parts, &beyond, sizeof beyond);
  if (i < count) join_words(mine + i, theirs + i, parts[0]);
  return any(parts[0] | parts[1]);
}
#endif

}  // namespace

bool VectorClock::join_many(std::uint32_t* mine, const std::uint32_t* theirs, std::uint32_t count) {
#ifdef __x86_64__
  static const bool avx = __builtin_cpu_supports("avx2") != 0;
  if (avx) return join_avx(mine, theirs, count);
#endif
  return join_sse(mine, theirs, count);
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
