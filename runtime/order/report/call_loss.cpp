// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/call_loss.h"

#include <algorithm>
#include <iterator>

namespace order {
namespace {

struct Row {
  std::string_view function;
  Loss loss;
};
constexpr Row kRows[] = {
#include "call_losses.inc"
};

constexpr bool is_sorted() {
  for (std::size_t i = 1; i < std::size(kRows); ++i) {
    if (kRows[i - 1].function >= kRows[i].function) return false;
  }
  return true;
}
static_assert(is_sorted(), "each function has one loss in the tables of tests/abi");

}  // namespace

std::optional<Loss> loss_of(std::string_view function) noexcept {
  const auto* const at =
      std::lower_bound(std::begin(kRows), std::end(kRows), function,
                       [](const Row& row, std::string_view name) { return row.function < name; });
  return at != std::end(kRows) && at->function == function ? std::optional(at->loss) : std::nullopt;
}

}  // namespace order
