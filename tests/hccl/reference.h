// SPDX-License-Identifier: Apache-2.0
// The results of operations between ranks, computed by a simple reference.
#pragma once

#include <cstddef>
#include <vector>

#include "tests/hccl/exchange.h"

namespace hccltest {

using Image = std::vector<std::uint8_t>;
constexpr std::uint8_t kPoison = 0xa5;

/// Begin and contents of a buffer, in elements. The parts of the V kinds are separated by gaps.
struct Layout {
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> offsets;
  std::uint64_t elements = 0;
};

/// The data of rank `from` for rank `to`, and its place in the send or receive buffer.
Layout send_layout(const Exchange& e, std::uint32_t me, std::uint32_t ranks);
Layout receive_layout(const Exchange& e, std::uint32_t me, std::uint32_t ranks);
std::uint64_t pair_count(const Exchange& e, std::uint32_t from, std::uint32_t to);

/// The send buffer of a rank, poison in its gaps.
Image send_image(const Exchange& e, std::uint32_t me, std::uint32_t ranks);
/// The receive buffer after the operation; `before`: its contents before.
Image expected_image(const Exchange& e, std::uint32_t me, std::uint32_t ranks, Image before);

/// One 16-bit float, exactly; and the nearest one, to even.
double from_half(std::uint16_t bits);
std::uint16_t to_half(double value);
double from_bfloat(std::uint16_t bits);
std::uint16_t to_bfloat(double value);

}  // namespace hccltest
