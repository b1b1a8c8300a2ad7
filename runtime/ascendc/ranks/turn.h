// SPDX-License-Identifier: Apache-2.0
// One collective, as one rank has committed it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ascendc::ranks {

enum class Kind : std::uint8_t {
  all_reduce = 2,
  all_gather = 6,
  reduce_scatter = 7,
  all_to_all_v = 8,
  all_to_all = 10,
};
/// As kernels write it; null for a number that is none of these.
const char* name_of(std::uint32_t kind) noexcept;

/// Bytes of an element of an HcclDataType; 0: not supported.
std::uint32_t bytes_of(std::uint32_t type) noexcept;
/// "float"
const char* name_of_type(std::uint32_t type) noexcept;
/// Whether elements of the type are added and compared.
bool is_reducible(std::uint32_t type) noexcept;

enum class Reduction : std::uint8_t { sum = 0, max = 2, min = 3 };

/// A part of a buffer, in bytes.
struct Part {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

struct Turn {
  Kind kind{};
  std::uint32_t type = 0;
  Reduction reduction = Reduction::sum;
  std::uint64_t count = 0;
  std::uint32_t task = 0, number = 0;  // of the rank's kernel
  std::string place{};                 // of the call: "main.cpp:18"
  std::byte* send = nullptr;
  std::byte* receive = nullptr;
  /// By rank: the part for that rank, and the part from that rank. A reduction has one part to
  /// receive; parts of 0 bytes are not copied.
  std::vector<Part> sent{};
  std::vector<Part> received{};

  bool reduces() const noexcept { return kind == Kind::all_reduce || kind == Kind::reduce_scatter; }
  /// "AllReduce of 8 elements of float (sum)"
  std::string text() const;
};

/// Why the turns of two ranks do not match; empty: they do. By rank: `a` and `b`.
std::string mismatch(const Turn& one, std::uint32_t a, const Turn& other, std::uint32_t b);
/// Reads all operands, and then writes all results.
void carry_out(const std::vector<Turn>& turns);

}  // namespace ascendc::ranks
