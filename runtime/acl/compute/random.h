// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/error.h"
#include "device_sim/streams/op.h"

namespace acl {

class Runtime;

/// A number that a random task is given, or the place in memory where it finds it when it runs.
class RandomParameter {
 public:
  RandomParameter() = default;
  /// The number has `least` to `most` bytes. Raises ACL_ERROR_INVALID_PARAM for other sizes, and
  /// ACL_ERROR_RT_PARAM_INVALID for an address that devices do not reach.
  RandomParameter(Runtime& runtime, const aclrtRandomParaInfo& info, std::size_t least,
                  std::size_t most, const char* argument);

  /// False if only the running task knows the number.
  bool known() const noexcept { return address_ == nullptr; }
  /// Its bytes, zero-extended.
  std::uint64_t bits(Runtime& runtime) const;
  void append_range(std::vector<sim::MemoryRange>& ranges) const;

 private:
  std::uint64_t value_ = 0;
  const void* address_ = nullptr;
  std::size_t size_ = 0;
};

/// A checked request for random numbers. Running it may be repeated; its counter moves on.
///
/// The generator is Philox4x32-10 with the seed as key. The 128-bit counter in device memory (0
/// without one) names the first block of four words; words are taken in order:
///   dropout bitmask   one word for each bit: the bit is 1 (keep) unless word < ratio * 2^32. Bits
///                     fill bytes from the lowest on; the rest of the last byte is 0
///   uniform           one word: min + (max - min) * (word >> 8) / 2^24, rounded to the type.
///                     Integers: two words, low first, scaled to [min, max)
///   normal            two words for two numbers (Box-Muller)
///   truncated normal  one block: the first of its two pairs of normals that is within two
///                     deviations; if neither is, the same block is drawn under the next key,
///                     seed + k * 0x9E3779B97F4A7C15
/// Afterwards the counter names the first block of which nothing was used.
class RandomRequest {
 public:
  RandomRequest(Runtime& runtime, const aclrtRandomNumTaskInfo& info);

  sim::Failure run(Runtime& runtime) const;
  /// 0 if only the running task knows the size.
  std::size_t result_bytes(Runtime& runtime) const;
  std::vector<sim::MemoryRange> ranges(Runtime& runtime) const;

  struct Type;

 private:
  std::size_t bytes_of(std::uint64_t count) const;
  bool valid(std::uint64_t a, std::uint64_t b) const;

  const Type* type_ = nullptr;
  aclrtRandomNumFuncType function_;
  std::array<RandomParameter, 2> parameters_;  // the ratio; min and max; mean and deviation
  RandomParameter seed_;
  RandomParameter count_;
  void* result_ = nullptr;
  void* counter_ = nullptr;
};

}  // namespace acl
