// SPDX-License-Identifier: Apache-2.0
// Tensors as rows: the dims along which an operator computes, and those along which it repeats.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/view/view.h"

namespace aclnn {

using Dims = std::array<bool, kMaxRank>;

inline Dims one_dim(int dim) {
  Dims dims{};
  dims[static_cast<std::size_t>(dim)] = true;
  return dims;
}

/// `along` are the dims of the mask, from address 0; `rows` the others, from the view's own offset.
struct Split {
  View rows;
  View along;
};
Split split(const View& view, const Dims& mask);

/// Without dims of one, and with those joined that continue each other.
View joined(const View& view);

/// Reads rows that all lie alike, given where each begins.
template <class T>
class RowReader {
 public:
  explicit RowReader(const View& row)
      : row_(joined(row)),
        count_(row.count()),
        load_(load_row<T>(row.type)),
        step_(row_.rank() == 0
                  ? static_cast<std::int64_t>(size_of(row.type))
                  : row_.stride(row_.rank() - 1) * static_cast<std::int64_t>(size_of(row.type))),
        plain_(row_.rank() <= 1 && row.type == own_type<T>() && step_ == sizeof(T)) {}

  std::int64_t count() const { return count_; }

  /// All of it: in memory, or in `buffer`.
  const T* all(std::byte* at, T* buffer) const {
    if (in_memory(at)) return reinterpret_cast<const T*>(at);
    if (row_.rank() <= 1) {
      load_(at, step_, buffer, count_);
      return buffer;
    }
    Walk walk(Data{row_, at});
    for (std::int64_t done = 0; done < count_;) {
      const Walk::Segment piece = walk.next(count_ - done);
      load_(piece.at, piece.step, buffer + done, piece.count);
      done += piece.count;
    }
    return buffer;
  }

  /// f(elements, count, index of the first) for [begin, end), at most kChunk at a time.
  template <class F>
  void chunks(std::byte* at, std::int64_t begin, std::int64_t end, F f) const {
    if (in_memory(at)) {
      const T* const from = reinterpret_cast<const T*>(at);
      for (; begin < end; begin += kChunk) f(from + begin, std::min(kChunk, end - begin), begin);
      return;
    }
    T buffer[kChunk];
    if (row_.rank() <= 1) {
      for (; begin < end; begin += kChunk) {
        const std::int64_t part = std::min(kChunk, end - begin);
        load_(at + begin * step_, step_, buffer, part);
        f(buffer, part, begin);
      }
      return;
    }
    Walk walk(Data{row_, at});
    walk.seek(begin);
    while (begin < end) {
      const std::int64_t part = std::min(kChunk, end - begin);
      for (std::int64_t done = 0; done < part;) {
        const Walk::Segment piece = walk.next(part - done);
        load_(piece.at, piece.step, buffer + done, piece.count);
        done += piece.count;
      }
      f(buffer, part, begin);
      begin += part;
    }
  }

 private:
  bool in_memory(const std::byte* at) const {
    return plain_ && reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
  }

  const View row_;
  const std::int64_t count_;
  const LoadRow<T> load_;
  const std::int64_t step_;
  const bool plain_;
};

/// Writes rows that all lie alike.
template <class T>
class RowWriter {
 public:
  explicit RowWriter(const View& row)
      : row_(joined(row)),
        count_(row.count()),
        store_(store_row<T>(row.type)),
        plain_(row.type == own_type<T>() &&
               (row_.rank() == 0 || (row_.rank() == 1 && row_.stride(0) == 1))) {}

  /// The memory for a row: its place in the tensor, or `buffer`, from which `put` stores it.
  T* place(std::byte* at, T* buffer) const {
    return in_memory(at) ? reinterpret_cast<T*>(at) : buffer;
  }
  void put(std::byte* at, const T* from) const {
    if (reinterpret_cast<const std::byte*>(from) == at) return;
    Walk walk(Data{row_, at});
    for (std::int64_t done = 0; done < count_;) {
      const Walk::Segment piece = walk.next(count_ - done);
      store_(from + done, piece.at, piece.step, piece.count);
      done += piece.count;
    }
  }

 private:
  bool in_memory(const std::byte* at) const {
    return plain_ && reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
  }

  const View row_;
  const std::int64_t count_;
  const StoreRow<T> store_;
  const bool plain_;
};

/// f(address, number) for the rows [begin, end).
template <class F>
void each_row(const Data& rows, std::int64_t begin, std::int64_t end, F f) {
  Walk walk(rows);
  walk.seek(begin);
  while (begin < end) {
    const Walk::Segment piece = walk.next(end - begin);
    for (std::int64_t i = 0; i < piece.count; ++i) f(piece.at + i * piece.step, begin + i);
    begin += piece.count;
  }
}

/// All elements of a view, side by side.
template <class T>
std::vector<T> elements_of(const Data& data) {
  std::vector<T> elements(static_cast<std::size_t>(data.count()));
  if (elements.empty()) return elements;
  const T* const from = RowReader<T>(data.view).all(data.at, elements.data());
  if (from != elements.data()) std::copy(from, from + elements.size(), elements.begin());
  return elements;
}

}  // namespace aclnn
