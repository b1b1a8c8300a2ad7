// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace order {

/// The loss of the program when a call fails.
enum class Loss : std::uint8_t {
  nothing,  // the call fails by design: a query
  little,   // the state is as before
  work,     // the call was to enqueue, copy, record, wait or launch
  memory,   // the call was to allocate; this is work too
};
/// The loss of a failed call of the function, by the tables of functions (tests/abi); nullopt: no
/// table has the function.
std::optional<Loss> loss_of(std::string_view function) noexcept;
constexpr bool loses_work(Loss loss) { return loss == Loss::work || loss == Loss::memory; }

/// A call of the thread of a failed call, after that one, compared with it.
struct LaterCall {
  bool same_place = false;
  bool same_function = true;  // also if the function of the later call is not known
  bool next = false;          // the thread made no call in between
  bool allocates = false;
};
/// Whether the later call is the failed one again: at the same place, or, of an allocation, if the
/// thread allocates with its next call.
constexpr bool repeats(Loss failed, const LaterCall& later) {
  if (later.same_place && later.same_function) return true;
  return failed == Loss::memory && later.next && later.allocates;
}

}  // namespace order
