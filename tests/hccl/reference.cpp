// SPDX-License-Identifier: Apache-2.0
#include "tests/hccl/reference.h"

#include <array>
#include <cmath>
#include <cstring>

namespace hccltest {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t random_of(const Exchange& e, std::uint64_t a, std::uint64_t b) {
  return mix(e.salt + (a + 1) * 0xc2b2ae3d27d4eb4f + b * 0x9e3779b97f4a7c15);
}

/// A number of which a product of eight stays finite and a sum has to be rounded.
double number_of(std::uint64_t random) {
  const double value = static_cast<double>(random % 2000) / 1024.0 + 0.1;
  return random & 0x10000 ? -value : value;
}

void put_element(const Exchange& e, std::uint32_t rank, std::uint64_t index, std::uint8_t* to) {
  const std::uint64_t random = random_of(e, rank, index);
  const bool sums = reduces(e.what);
  if (sums && e.type == HCCL_DATA_TYPE_FP32) {
    const auto value = static_cast<float>(number_of(random));
    std::memcpy(to, &value, sizeof value);
  } else if (sums && e.type == HCCL_DATA_TYPE_FP64) {
    const double value = number_of(random);
    std::memcpy(to, &value, sizeof value);
  } else if (sums && (e.type == HCCL_DATA_TYPE_FP16 || e.type == HCCL_DATA_TYPE_BFP16)) {
    const bool half = e.type == HCCL_DATA_TYPE_FP16;
    const std::uint16_t bits = half ? to_half(number_of(random)) : to_bfloat(number_of(random));
    std::memcpy(to, &bits, sizeof bits);
  } else {
    std::memcpy(to, &random, size_of(e.type));
  }
}

double rounded_to(double value, int exponent_bits_down) {
  const double quantum = std::ldexp(1.0, exponent_bits_down);
  return std::nearbyint(value / quantum) * quantum;
}

template <class T>
T apply(HcclReduceOp op, T a, T b) {
  switch (op) {
    case HCCL_REDUCE_SUM:
      return static_cast<T>(a + b);
    case HCCL_REDUCE_PROD:
      return static_cast<T>(a * b);
    case HCCL_REDUCE_MAX:
      return a < b ? b : a;
    default:
      return b < a ? b : a;
  }
}

template <class T>
void reduce_as(HcclReduceOp op, std::uint8_t* into, const std::uint8_t* other) {
  T a, b;
  std::memcpy(&a, into, sizeof a);
  std::memcpy(&b, other, sizeof b);
  if constexpr (std::is_integral_v<T>) {  // wraps
    using U = std::make_unsigned_t<T>;
    if (op == HCCL_REDUCE_SUM || op == HCCL_REDUCE_PROD) {
      const auto wide = op == HCCL_REDUCE_SUM
                            ? static_cast<std::uint64_t>(static_cast<U>(a)) + static_cast<U>(b)
                            : static_cast<std::uint64_t>(static_cast<U>(a)) * static_cast<U>(b);
      a = static_cast<T>(static_cast<U>(wide));
      std::memcpy(into, &a, sizeof a);
      return;
    }
  }
  a = apply(op, a, b);
  std::memcpy(into, &a, sizeof a);
}

/// The elements at these places of all ranks, by ascending rank.
void reduce_element(const Exchange& e, const std::vector<const std::uint8_t*>& all,
                    std::uint8_t* to) {
  const std::size_t size = size_of(e.type);
  const bool half = e.type == HCCL_DATA_TYPE_FP16;
  if (half || e.type == HCCL_DATA_TYPE_BFP16) {
    float sum = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      std::uint16_t bits;
      std::memcpy(&bits, all[rank], sizeof bits);
      const auto value = static_cast<float>(half ? from_half(bits) : from_bfloat(bits));
      sum = rank == 0 ? value : apply(e.op, sum, value);
    }
    const std::uint16_t bits = half ? to_half(sum) : to_bfloat(sum);
    std::memcpy(to, &bits, sizeof bits);
    return;
  }
  std::memcpy(to, all[0], size);
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    switch (e.type) {
      case HCCL_DATA_TYPE_INT8:
        reduce_as<std::int8_t>(e.op, to, all[rank]);
        break;
      case HCCL_DATA_TYPE_INT16:
        reduce_as<std::int16_t>(e.op, to, all[rank]);
        break;
      case HCCL_DATA_TYPE_INT32:
        reduce_as<std::int32_t>(e.op, to, all[rank]);
        break;
      case HCCL_DATA_TYPE_INT64:
        reduce_as<std::int64_t>(e.op, to, all[rank]);
        break;
      case HCCL_DATA_TYPE_UINT64:
        reduce_as<std::uint64_t>(e.op, to, all[rank]);
        break;
      case HCCL_DATA_TYPE_FP32:
        reduce_as<float>(e.op, to, all[rank]);
        break;
      default:
        reduce_as<double>(e.op, to, all[rank]);
        break;
    }
  }
}

Layout even(std::uint64_t count, std::uint32_t parts) {
  Layout layout;
  for (std::uint32_t i = 0; i < parts; ++i) {
    layout.counts.push_back(count);
    layout.offsets.push_back(i * count);
  }
  layout.elements = parts * count;
  return layout;
}

/// A gap of one element between the parts, or none.
template <class Count>
Layout uneven(std::uint32_t parts, std::uint64_t gap, Count count) {
  Layout layout;
  for (std::uint32_t i = 0; i < parts; ++i) {
    layout.counts.push_back(count(i));
    layout.offsets.push_back(layout.elements);
    layout.elements += count(i) + gap;
  }
  return layout;
}

}  // namespace

double from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

std::uint16_t to_half(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  if (value == 0) return sign;
  int exponent = std::max(std::ilogb(value), -14);
  value = rounded_to(value, exponent - 10);
  if (value >= 65536) return sign | 0x7c00;
  if (value < std::ldexp(1.0, -14)) return sign | static_cast<std::uint16_t>(std::ldexp(value, 24));
  exponent = std::ilogb(value);
  const auto fraction = static_cast<std::uint16_t>(std::ldexp(value, 10 - exponent)) & 1023;
  return static_cast<std::uint16_t>(sign | (exponent + 15) << 10 | fraction);
}

double from_bfloat(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

std::uint16_t to_bfloat(double value) {
  if (value != 0) value = rounded_to(value, std::max(std::ilogb(value), -126) - 7);
  const auto narrow = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &narrow, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

// Counts of the V kinds: some of them 0.
std::uint64_t pair_count(const Exchange& e, std::uint32_t from, std::uint32_t to) {
  const std::uint64_t random = random_of(e, 1000 + from, 1000 + to);
  return random % 5 == 0 ? 0 : random % (e.count + 1);
}

Layout send_layout(const Exchange& e, std::uint32_t me, std::uint32_t ranks) {
  switch (e.what) {
    case What::reduce_scatter:
    case What::all_to_all:
      return even(e.count, ranks);
    case What::scatter:
      return even(e.count, me == e.root ? ranks : 0);
    case What::reduce_scatter_v:
      return uneven(ranks, 1, [&](std::uint32_t to) { return pair_count(e, 0, to); });
    case What::all_gather_v:
      return even(pair_count(e, 0, me), 1);
    case What::all_to_all_v:
      return uneven(ranks, 2, [&](std::uint32_t to) { return pair_count(e, me, to); });
    case What::all_to_all_vc:
      return uneven(ranks, 0, [&](std::uint32_t to) { return pair_count(e, me, to); });
    case What::send_receive:
      return even(e.count, me % 2 == 0 && me + 1 < ranks ? 1 : 0);
    case What::barrier:
      return {};
    default:
      return even(e.count, 1);
  }
}

Layout receive_layout(const Exchange& e, std::uint32_t me, std::uint32_t ranks) {
  switch (e.what) {
    case What::all_gather:
    case What::all_to_all:
      return even(e.count, ranks);
    case What::reduce_scatter_v:
      return even(pair_count(e, 0, me), 1);
    case What::all_gather_v:
      return uneven(ranks, 1, [&](std::uint32_t from) { return pair_count(e, 0, from); });
    case What::all_to_all_v:
      return uneven(ranks, 3, [&](std::uint32_t from) { return pair_count(e, from, me); });
    case What::all_to_all_vc:
      return uneven(ranks, 0, [&](std::uint32_t from) { return pair_count(e, from, me); });
    case What::send_receive:
      return even(e.count, me % 2 == 1 ? 1 : 0);
    case What::barrier:
      return {};
    default:
      return even(e.count, 1);
  }
}

Image send_image(const Exchange& e, std::uint32_t me, std::uint32_t ranks) {
  const Layout layout = send_layout(e, me, ranks);
  const std::size_t size = size_of(e.type);
  Image image(layout.elements * size, kPoison);
  for (std::size_t part = 0; part < layout.counts.size(); ++part) {
    for (std::uint64_t i = 0; i < layout.counts[part]; ++i) {
      const std::uint64_t at = layout.offsets[part] + i;
      put_element(e, me, at, image.data() + at * size);
    }
  }
  return image;
}

namespace {

void expect_reduced(const Exchange& e, std::uint32_t me, std::uint32_t ranks, Image& image) {
  if (e.what == What::reduce && me != e.root) return;
  const std::size_t size = size_of(e.type);
  const Layout mine = send_layout(e, me, ranks);
  const bool scattered = mine.counts.size() > 1;
  const std::uint64_t begin = scattered ? mine.offsets[me] : 0;
  const std::uint64_t count = mine.counts[scattered ? me : 0];
  std::vector<std::array<std::uint8_t, 8>> operands(ranks);
  std::vector<const std::uint8_t*> elements;
  for (const auto& operand : operands) elements.push_back(operand.data());
  for (std::uint64_t i = 0; i < count; ++i) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      put_element(e, rank, begin + i, operands[rank].data());
    }
    reduce_element(e, elements, image.data() + i * size);
  }
}

/// Copies what rank `from` has in part `part` of its send buffer.
void expect_part(const Exchange& e, std::uint32_t from, std::uint32_t ranks, std::size_t part,
                 std::uint64_t to, Image& image) {
  const std::size_t size = size_of(e.type);
  const Layout layout = send_layout(e, from, ranks);
  for (std::uint64_t i = 0; i < layout.counts[part]; ++i) {
    put_element(e, from, layout.offsets[part] + i, image.data() + (to + i) * size);
  }
}

}  // namespace

Image expected_image(const Exchange& e, std::uint32_t me, std::uint32_t ranks, Image before) {
  Image image = std::move(before);
  const Layout mine = receive_layout(e, me, ranks);
  if (reduces(e.what)) {
    expect_reduced(e, me, ranks, image);
    return image;
  }
  switch (e.what) {
    case What::broadcast:
      expect_part(e, e.root, ranks, 0, 0, image);
      break;
    case What::scatter:
      expect_part(e, e.root, ranks, me, 0, image);
      break;
    case What::ring:
      expect_part(e, (me + ranks - 1) % ranks, ranks, 0, 0, image);
      break;
    case What::send_receive:
      if (me % 2 == 1) expect_part(e, me - 1, ranks, 0, 0, image);
      break;
    case What::barrier:
      break;
    default:
      for (std::uint32_t from = 0; from < ranks; ++from) {
        const bool whole = e.what == What::all_gather || e.what == What::all_gather_v;
        expect_part(e, from, ranks, whole ? 0 : me, mine.offsets[from], image);
      }
  }
  return image;
}

}  // namespace hccltest
