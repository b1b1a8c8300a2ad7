// SPDX-License-Identifier: Apache-2.0
// Sorts with a configuration, and the first k elements of rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "ascendc/impl/library_sizes_sort.h"
#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"

namespace ascendc::library {
namespace {

// ---- Sort: dst, dstIndex?, src, srcIndex?, tmp?; numbers: elements, descending, by merging

void plan_sort(const Call& call, Plan& plan) {
  const std::uint64_t count = call.count(0);
  const bool merges = call.number(2) != 0;
  plan.require_range("calCount", call.number(0), 1, UINT32_MAX);
  if (merges) plan.require_multiple("calCount of MERGE_SORT", call.number(0), 32);
  plan.read(2, count);
  plan.read(3, count);
  // A merge sort leaves its records of 8 bytes in the memory of the result.
  plan.write(0, merges ? count * 8 / call.bytes(0) : count);
  plan.write(1, count);
  const unsigned index_bytes = call.has(1) ? call.bytes(1) : 4;
  plan.temporary(4, aclsim_library::sort_temporary(count, call.bytes(2), index_bytes, merges,
                                                   call.reuses_source()));
}

/// The order of the elements of a type as integers.
class Keys {
 public:
  /// `by_value`: a zero is equal to a negative one. Otherwise the digits decide.
  Keys(const Call& call, unsigned operand, bool by_value)
      : call_(call), operand_(operand), by_value_(by_value) {}

  std::uint64_t operator()(std::uint64_t i) const {
    switch (call_.element(operand_)) {
      case ACLSIM_FLOAT:
        return of_bits(call_.at<std::uint32_t>(operand_)[i], 31);
      case ACLSIM_HALF:
      case ACLSIM_BFLOAT16:
        return of_bits(call_.at<std::uint16_t>(operand_)[i], 15);
      default: {
        std::uint64_t key = 0;
        with_integer(call_.element(operand_), [&](auto type) {
          using T = decltype(type);
          const auto value = static_cast<std::uint64_t>(call_.at<T>(operand_)[i]);
          key = std::is_signed_v<T> ? value ^ (std::uint64_t{1} << 63) : value;
        });
        return key;
      }
    }
  }
  bool is_nan(std::uint64_t i) const {
    if (!is_floating(call_.element(operand_))) return false;
    float value = 0;
    call_.load(operand_, i, 1, &value);
    return value != value;
  }

 private:
  std::uint64_t of_bits(std::uint64_t bits, unsigned sign) const {
    const std::uint64_t negative = std::uint64_t{1} << sign;
    if (by_value_ && bits == negative) bits = 0;
    return (bits & negative) != 0 ? ~bits & (2 * negative - 1) : bits | negative;
  }
  const Call& call_;
  unsigned operand_;
  bool by_value_;
};

/// The place of a NaN in the order.
enum class NanOrder { kFirst, kLast, kBySign };

struct Item {
  bool after;  // all that have it false
  std::uint64_t key;
  std::uint64_t place;
};

/// Elements [first, first + count) of an operand in order; a smaller key comes first.
std::vector<Item> items_of(const Call& call, unsigned operand, std::uint64_t first,
                           std::uint64_t count, bool descending, bool by_value, NanOrder nan) {
  const Keys key(call, operand, by_value);
  std::vector<Item> items(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t value = key(first + i);
    items[i] = {nan == NanOrder::kFirst, descending ? ~value : value, first + i};
    if (nan != NanOrder::kBySign && key.is_nan(first + i)) {
      items[i] = {nan == NanOrder::kLast, 0, first + i};
    }
  }
  return items;
}

bool comes_before(const Item& a, const Item& b) {
  return a.after != b.after ? b.after : a.key < b.key;
}

/// The bytes of chosen elements, which are all read before one is written.
class Chosen {
 public:
  Chosen(const Call& call, unsigned operand) : call_(call), operand_(operand) {}
  void take(std::uint64_t place) {
    const auto* const from = call_.at<std::uint8_t>(operand_) + place * bytes();
    kept_.insert(kept_.end(), from, from + bytes());
  }
  /// Rows of `width` elements, `stride` elements apart.
  void put(unsigned to, std::uint64_t width, std::uint64_t stride) const {
    const std::uint64_t row = width * bytes();
    for (std::uint64_t done = 0; done < kept_.size(); done += row) {
      std::memcpy(call_.at<std::uint8_t>(to) + done / row * stride * bytes(), kept_.data() + done,
                  row);
    }
  }

 private:
  unsigned bytes() const { return call_.bytes(operand_); }
  const Call& call_;
  unsigned operand_;
  std::vector<std::uint8_t> kept_;
};

void compute_sort(const Call& call) {
  const std::uint64_t count = call.count(0);
  const bool merges = call.number(2) != 0;
  std::vector<Item> items = items_of(call, 2, 0, count, call.number(1) != 0, merges,
                                     merges ? NanOrder::kLast : NanOrder::kBySign);
  std::stable_sort(items.begin(), items.end(), comes_before);
  Chosen values(call, 2);
  for (const Item& item : items) values.take(item.place);
  if (call.has(1) && call.has(3)) {
    Chosen indices(call, 3);
    for (const Item& item : items) indices.take(item.place);
    indices.put(1, count, count);
  } else if (call.has(1)) {
    for (std::uint64_t i = 0; i < count; ++i) {
      call.at<std::uint32_t>(1)[i] = static_cast<std::uint32_t>(items[i].place);
    }
  }
  values.put(0, count, count);
}

// ---- TopK: dstValue, dstIndex, src, srcIndex?, finish?, tmp?

struct TopK {
  explicit TopK(const Call& call)
      : rows(call.count(0)),
        inner(call.count(1)),
        n(call.number(2)),
        k(call.count(3)),
        largest(call.number(4) != 0),
        small(call.number(5) != 0),
        radix(call.number(6) != 0),
        sorted(call.number(7) != 0) {
    const std::uint64_t block = 32 / call.bytes(0);
    value_stride = small ? k : (k + block - 1) / block * block;
    index_stride = small ? k : (k + 7) / 8 * 8;
  }
  std::uint64_t rows, inner;
  std::int64_t n;
  std::uint64_t k;
  bool largest, small, radix, sorted;
  std::uint64_t value_stride, index_stride;  // elements from one row of a result to the next
};

void plan_topk(const Call& call, Plan& plan) {
  const TopK top(call);
  plan.require_range("topKInfo.outter", call.number(0), 1, INT32_MAX);
  if (top.small && call.has(4)) {
    plan.refuse(Fault::kRange,
                "isHasfinish is true; expected false: TOPK_NSMALL has no finished rows");
  }
  if (top.small) {
    plan.require_range("topKInfo.inner of TOPK_NSMALL", call.number(1), 32, 32);
  } else {
    plan.require_range("topKInfo.inner", call.number(1), 32, 4096);
    plan.require_multiple("topKInfo.inner", call.number(1), 32);
  }
  plan.require_range("topKInfo.n", top.n, 1, call.number(1));
  plan.require_range("k", call.number(3), 1, top.n);
  plan.read(2, top.rows * top.inner);
  plan.read(3, top.small ? top.rows * top.inner : top.inner);
  plan.read(4, top.rows);
  plan.write(0, top.rows * top.value_stride);
  plan.write(1, top.rows * top.index_stride);
  plan.temporary(
      5, aclsim_library::topk_temporary(top.inner, top.rows, call.bytes(2), top.small, top.radix,
                                        !call.has(3), top.largest, call.reuses_source()));
}

/// The first k items of a row. Unsorted: those before the last of them, then its equals.
std::vector<Item> first_items(const Call& call, const TopK& top, std::uint64_t row) {
  std::vector<Item> items =
      items_of(call, 2, row * top.inner, top.inner, top.largest, !top.radix, NanOrder::kFirst);
  std::vector<Item> ordered = items;
  std::stable_sort(ordered.begin(), ordered.end(), comes_before);
  if (!top.sorted) {
    const Item last = ordered[top.k - 1];
    std::stable_partition(items.begin(), items.end(),
                          [&](const Item& item) { return !comes_before(last, item); });
    std::stable_partition(items.begin(), items.end(),
                          [&](const Item& item) { return comes_before(item, last); });
    ordered = std::move(items);
  }
  ordered.resize(top.k);
  return ordered;
}

void compute_topk(const Call& call) {
  const TopK top(call);
  Chosen values(call, 2);
  std::vector<std::int32_t> indices;
  for (std::uint64_t row = 0; row < top.rows; ++row) {
    const bool finished = call.has(4) && call.at<std::uint8_t>(4)[row] != 0;
    for (const Item& item : first_items(call, top, row)) {
      values.take(item.place);
      auto index = static_cast<std::int32_t>(item.place - row * top.inner);
      if (call.has(3)) {
        index =
            call.at<std::int32_t>(3)[top.small ? item.place : static_cast<std::uint64_t>(index)];
      }
      indices.push_back(finished ? static_cast<std::int32_t>(top.n) : index);
    }
  }
  values.put(0, top.k, top.value_stride);
  for (std::uint64_t i = 0; i < indices.size(); ++i) {
    call.at<std::int32_t>(1)[i / top.k * top.index_stride + i % top.k] = indices[i];
  }
}

}  // namespace

const std::vector<Function> kSortFunctions = {
    {ACLSIM_LIB_Sort, plan_sort, compute_sort},
    {ACLSIM_LIB_TopK, plan_topk, compute_topk},
};

}  // namespace ascendc::library
