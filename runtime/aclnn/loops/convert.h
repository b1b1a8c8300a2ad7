// SPDX-License-Identifier: Apache-2.0
// Elements in memory as numbers to compute with, and back.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "runtime/aclnn/base/types.h"
#include "runtime/aclnn/view/view.h"

namespace aclnn {

/// Elements that are converted and computed at a time: a row of buffers stays in the first cache.
inline constexpr std::int64_t kChunk = 1024;

/// Reads `count` elements that lie `step` bytes apart, or writes them.
template <class T>
using LoadRow = void (*)(const std::byte* from, std::int64_t step, T* to, std::int64_t count);
template <class T>
using StoreRow = void (*)(const T* from, std::byte* to, std::int64_t step, std::int64_t count);

/// For any type of memory and T of float, double, int64_t, uint64_t, complex<float>,
/// complex<double>. Floats become integers by truncation, NaN becomes 0; integers are cut to the
/// width of the type; any value but 0 is true; a complex number becomes its real part.
template <class T>
LoadRow<T> load_row(aclDataType type);
template <class T>
StoreRow<T> store_row(aclDataType type);

/// The type of memory that is T itself, whose elements need no conversion.
template <class T>
constexpr aclDataType own_type() {
  if constexpr (std::is_same_v<T, float>) return ACL_FLOAT;
  if constexpr (std::is_same_v<T, double>) return ACL_DOUBLE;
  if constexpr (std::is_same_v<T, std::int64_t>) return ACL_INT64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ACL_UINT64;
  if constexpr (std::is_same_v<T, std::complex<float>>) return ACL_COMPLEX64;
  return ACL_COMPLEX128;
}

/// The elements of a view in order, as T, from a given element on. If they are contiguous in memory
/// as T, they are not copied.
template <class T>
class Reader {
 public:
  explicit Reader(const Data& data)
      : walk_(data), load_(load_row<T>(data.view.type)), same_(data.view.type == own_type<T>()) {}

  void seek(std::int64_t index) { walk_.seek(index); }
  /// The next `count` elements: in memory, or in `buffer`, which has room for them.
  const T* next(std::int64_t count, T* buffer) {
    std::int64_t done = 0;
    while (done < count) {
      const Walk::Segment piece = walk_.next(count - done);
      if (same_ && piece.count == count && piece.step == sizeof(T) && aligned(piece.at)) {
        return reinterpret_cast<const T*>(piece.at);
      }
      load_(piece.at, piece.step, buffer + done, piece.count);
      done += piece.count;
    }
    return buffer;
  }

 private:
  static bool aligned(const std::byte* at) {
    return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
  }
  Walk walk_;
  const LoadRow<T> load_;
  const bool same_;
};

/// The same for results: `place` returns the memory for the next elements, `put` stores them.
template <class T>
class Writer {
 public:
  explicit Writer(const Data& data)
      : walk_(data), store_(store_row<T>(data.view.type)), same_(data.view.type == own_type<T>()) {}

  void seek(std::int64_t index) { walk_.seek(index); }
  T* place(std::int64_t count, T* buffer) {
    Walk ahead = walk_;
    const Walk::Segment piece = ahead.next(count);
    direct_ = same_ && piece.count == count && piece.step == sizeof(T) &&
              reinterpret_cast<std::uintptr_t>(piece.at) % alignof(T) == 0;
    if (!direct_) return buffer;
    walk_ = ahead;
    return reinterpret_cast<T*>(piece.at);
  }
  void put(std::int64_t count, const T* from) {
    if (direct_) return;
    write(count, from);
  }
  void write(std::int64_t count, const T* from) {
    std::int64_t done = 0;
    while (done < count) {
      const Walk::Segment piece = walk_.next(count - done);
      store_(from + done, piece.at, piece.step, piece.count);
      done += piece.count;
    }
  }

 private:
  Walk walk_;
  const StoreRow<T> store_;
  const bool same_;
  bool direct_ = false;
};

/// One element.
template <class T>
T load_one(const std::byte* from, aclDataType type) {
  T value;
  load_row<T>(type)(from, 0, &value, 1);
  return value;
}
template <class T>
void store_one(T value, std::byte* to, aclDataType type) {
  store_row<T>(type)(&value, to, 0, 1);
}

}  // namespace aclnn
