// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/copy_rows.h"

namespace aclnn {
namespace {

constexpr std::int64_t kLeastCost = std::int64_t{1}
                                    << 18;  // fewer bytes are not worth a second thread
constexpr std::int64_t kMostCopyPieces = 64;

std::size_t nth(int i) noexcept { return static_cast<std::size_t>(i); }

/// Rows of elements whose type changes, by the lane that holds what is read.
template <class T>
void convert_plane(const std::byte* from, std::byte* to, const Transfer::Plane& plane) {
  const LoadRow<T> load = load_row<T>(plane.from);
  const StoreRow<T> store = store_row<T>(plane.to);
  T buffer[kChunk];
  for (std::int64_t r = 0; r < plane.rows; ++r) {
    for (std::int64_t done = 0; done < plane.count; done += kChunk) {
      const std::int64_t count = std::min(kChunk, plane.count - done);
      load(from + r * plane.from_row + done * plane.from_step, plane.from_step, buffer, count);
      store(buffer, to + r * plane.to_row + done * plane.to_step, plane.to_step, count);
    }
  }
}

/// The same where rows follow each other element by element in `from`: tiles are transposed first.
template <class T>
void convert_transposed(const std::byte* from, std::byte* to, const Transfer::Plane& plane) {
  constexpr std::int64_t kColumns = 64;
  const std::int64_t size = plane.from_row;
  const RowsOfSize& of_size = rows_of_size(size);
  const LoadRow<T> load = load_row<T>(plane.from);
  const StoreRow<T> store = store_row<T>(plane.to);
  alignas(64) std::byte tile[256 * kColumns];
  T numbers[kColumns];
  for (std::int64_t r = 0; r < plane.rows; r += of_size.tile) {
    const std::int64_t rows = std::min(of_size.tile, plane.rows - r);
    for (std::int64_t c = 0; c < plane.count; c += kColumns) {
      const std::int64_t count = std::min(kColumns, plane.count - c);
      of_size.transpose(
          from + r * size + c * plane.from_step, tile,
          {rows, count, size, kColumns * size, plane.from_step, size, plane.from, plane.from});
      for (std::int64_t i = 0; i < rows; ++i) {
        load(tile + i * kColumns * size, size, numbers, count);
        store(numbers, to + (r + i) * plane.to_row + c * plane.to_step, plane.to_step, count);
      }
    }
  }
}

}  // namespace

std::vector<CopyLoop> loops_of(const View& from, const View& to) {
  std::vector<CopyLoop> loops;
  for (int d = 0; d < to.rank(); ++d) loops.push_back({to.size(d), from.stride(d), to.stride(d)});
  return loops;
}

Element element_of(const aclScalar& value, aclDataType type) {
  Element element;
  if (is_complex(type)) {
    store_one<std::complex<double>>(value.number, element.bytes.data(), type);
  } else if (is_float(type)) {
    store_one<double>(value.number.real(), element.bytes.data(), type);
  } else if (type == ACL_BOOL) {
    store_one<std::int64_t>(value.number != 0.0 ? 1 : 0, element.bytes.data(), type);
  } else {
    store_one<std::int64_t>(value.integer, element.bytes.data(), type);
  }
  return element;
}

Transfer::Transfer(const std::vector<CopyLoop>& loops, aclDataType from, aclDataType to) {
  const auto from_size = static_cast<std::int64_t>(size_of(from));
  const auto to_size = static_cast<std::int64_t>(size_of(to));
  std::vector<Loop> all;
  for (const CopyLoop& loop : loops) {
    count_ *= loop.size;
    if (loop.size != 1) all.push_back({loop.size, loop.from * from_size, loop.to * to_size});
  }
  // Writes go through memory in order, for any order of the dims.
  std::stable_sort(all.begin(), all.end(), [](const Loop& a, const Loop& b) {
    return std::pair(std::abs(a.to), std::abs(a.from)) >
           std::pair(std::abs(b.to), std::abs(b.from));
  });
  for (const Loop& loop : all) add(loop);
  while (rank_ < 2) {  // there are always two
    std::copy_backward(loops_.begin(), loops_.begin() + rank_, loops_.begin() + rank_ + 1);
    loops_[0] = rank_ == 0 ? Loop{1, from_size, to_size} : Loop{1, 0, 0};
    ++rank_;
  }
  cost_ = count_ * std::max(from_size, to_size);
  const bool transposes = arrange(from_size, to_size);
  const Loop &row = loops_[nth(rank_ - 2)], &step = loops_[nth(rank_ - 1)];
  plane_ = {row.size, step.size, row.from, row.to, step.from, step.to, from, to};
  const RowsOfSize& of_size = rows_of_size(from_size);
  if (transposes) strip_ = of_size.tile;
  if (from == to) {
    work_ = transposes ? of_size.transpose : of_size.copy;
  } else {
    with_compute_type(compute_type_of(from), [&](auto zero) {
      using T = decltype(zero);
      work_ = transposes ? convert_transposed<T> : convert_plane<T>;
    });
    cost_ *= 2;
  }
}

/// Joins it with the one around it, where both memories go on.
void Transfer::add(Loop loop) {
  if (rank_ != 0) {
    Loop& outer = loops_[nth(rank_ - 1)];
    if (outer.from == loop.size * loop.from && outer.to == loop.size * loop.to) {
      outer = {outer.size * loop.size, loop.from, loop.to};
      return;
    }
  }
  loops_[nth(rank_++)] = loop;
}

/// Whether one memory goes on in the inner loop and the other in another one, which is then put
/// next to it.
bool Transfer::arrange(std::int64_t from_size, std::int64_t to_size) {
  const Loop& inner = loops_[nth(rank_ - 1)];
  if (inner.to == to_size && inner.from == from_size) return false;
  cost_ *= 4;
  if (inner.to != to_size || inner.from == 0 || inner.size < 4) return false;
  for (int d = 0; d + 1 < rank_; ++d) {
    if (loops_[nth(d)].from != from_size || loops_[nth(d)].size < 4) continue;
    std::rotate(loops_.begin() + d, loops_.begin() + d + 1, loops_.begin() + rank_ - 1);
    return true;
  }
  return false;
}

/// The element before which whole strips of rows end.
std::int64_t Transfer::whole_strips(std::int64_t element) const noexcept {
  if (element == count_) return element;
  const std::int64_t row = element / plane_.count, plane = row / plane_.rows;
  const std::int64_t in_plane = row % plane_.rows;
  return (plane * plane_.rows + in_plane - in_plane % strip_) * plane_.count;
}

void Transfer::run(const std::byte* from, std::byte* to, std::int64_t begin,
                   std::int64_t end) const {
  if (strip_ != 0) {
    begin = whole_strips(begin);
    end = whole_strips(end);
  }
  if (begin >= end) return;
  std::int64_t row = begin / plane_.count;
  if (const std::int64_t skip = begin % plane_.count; skip != 0) {
    part(from, to, row, skip, std::min(plane_.count - skip, end - begin));
    ++row;
  }
  const std::int64_t last = end / plane_.count;
  if (row < last) rows(from, to, row, last);
  if (last >= row && end % plane_.count != 0) part(from, to, last, 0, end % plane_.count);
}

/// A part of one row.
void Transfer::part(const std::byte* from, std::byte* to, std::int64_t row, std::int64_t skip,
                    std::int64_t count) const {
  for (int d = rank_ - 2; d >= 0; --d) {
    const Loop& loop = loops_[nth(d)];
    from += row % loop.size * loop.from;
    to += row % loop.size * loop.to;
    row /= loop.size;
  }
  Plane plane = plane_;
  plane.rows = 1;
  plane.count = count;
  work_(from + skip * plane.from_step, to + skip * plane.to_step, plane);
}

void Transfer::rows(const std::byte* from, std::byte* to, std::int64_t begin,
                    std::int64_t end) const {
  std::array<std::int64_t, kMostLoops> index{};
  std::int64_t left = begin / plane_.rows;
  for (int d = rank_ - 3; d >= 0; --d) {
    const Loop& loop = loops_[nth(d)];
    index[nth(d)] = left % loop.size;
    left /= loop.size;
    from += index[nth(d)] * loop.from;
    to += index[nth(d)] * loop.to;
  }
  Plane plane = plane_;
  std::int64_t first = begin % plane_.rows;
  while (begin < end) {
    plane.rows = std::min(plane_.rows - first, end - begin);
    work_(from + first * plane.from_row, to + first * plane.to_row, plane);
    begin += plane.rows;
    first = 0;
    for (int d = rank_ - 3; d >= 0; --d) {
      const Loop& loop = loops_[nth(d)];
      from += loop.from;
      to += loop.to;
      if (++index[nth(d)] < loop.size) break;
      index[nth(d)] = 0;
      from -= loop.size * loop.from;
      to -= loop.size * loop.to;
    }
  }
}

void Copies::add(Item item) {
  if (item.transfer.count() == 0) return;
  item.begin = cost_;
  cost_ += item.transfer.cost();
  items_.push_back(std::move(item));
}

void Copies::add(const View& from, const View& to) { add(from, to, loops_of(from, to)); }

void Copies::add(const View& from, const View& to, const std::vector<CopyLoop>& loops) {
  add(Item{Transfer(loops, from.type, to.type), from, to, {}, 0});
}

void Copies::fill(const Element& value, const View& to) {
  View none;
  none.shape = to.shape;
  none.type = to.type;
  add(Item{Transfer(none, to), none, to, value, 0});
}

void Copies::run(Execution& run, const Item& item, std::int64_t begin, std::int64_t end) {
  const std::byte* const from = item.from ? run.at(item.from).at : item.value.bytes.data();
  item.transfer.run(from, run.at(item.to).at, begin, end);
}

void Copies::plan(Planner& p) {
  if (items_.empty()) return;
  const auto items = std::make_shared<const std::vector<Item>>(std::move(items_));
  const std::int64_t cost = cost_;
  const std::int64_t pieces = std::clamp<std::int64_t>(cost / kLeastCost, 1, kMostCopyPieces);
  p.job(pieces, [items, cost, pieces](Execution& run, std::int64_t piece) {
    const std::int64_t begin = cost * piece / pieces, end = cost * (piece + 1) / pieces;
    auto item =
        std::upper_bound(items->begin(), items->end(), begin,
                         [](std::int64_t at, const Item& other) { return at < other.begin; });
    for (--item; item != items->end() && item->begin < end; ++item) {
      // A place in the costs as an element, rounded down: the parts fit together.
      const auto element = [&](std::int64_t at) {
        const std::int64_t own = item->transfer.cost();
        const std::int64_t each = std::max<std::int64_t>(own / item->transfer.count(), 1);
        return std::clamp<std::int64_t>(at - item->begin, 0, own) / each;
      };
      Copies::run(run, *item, element(begin), element(end));
    }
  });
}

void plan_copy(Planner& p, const View& from, const View& to) {
  Copies copies;
  copies.add(from, to);
  copies.plan(p);
}

}  // namespace aclnn
