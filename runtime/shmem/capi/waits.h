// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>

#include "runtime/shmem/base/guard.h"
#include "runtime/shmem/pe/compare.h"
#include "runtime/shmem/pe/pe.h"
#include "runtime/shmem/pe/transfer.h"

namespace shmem {

/// The words and the condition of a wait or a test.
template <class T>
struct Words {
  T* first;
  std::size_t count;
  const int* status;  // elements whose status is not 0 are left out; null: none is left out
  int cmp;
  const T* values;
  std::size_t value_step;  // 0: one value for all elements

  bool counts(std::size_t i) const { return !status || status[i] == 0; }
  bool any_counts() const {
    for (std::size_t i = 0; i < count; ++i) {
      if (counts(i)) return true;
    }
    return false;
  }
};

/// The same words, at the addresses that this library uses.
template <class T>
class Watched {
 public:
  explicit Watched(const Words<T>& words) : words_(words), me_(Pe::get()) {
    require_comparison(words.cmp);
    if (!words.any_counts()) return;
    if (!words.values) fail(ACLSHMEM_INVALID_PARAM, "cmp_values is NULL");
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(words.count, sizeof(T), &bytes)) {
      fail(ACLSHMEM_INVALID_PARAM, "nelems is {}; so many do not exist", words.count);
    }
    if (reinterpret_cast<std::uintptr_t>(words.first) % sizeof(T) != 0) {
      fail(ACLSHMEM_INVALID_PARAM, "ivar is {}; expected a multiple of {}",
           static_cast<const void*>(words.first), sizeof(T));
    }
    at_ = me_->local(words.first, bytes, false, "ivar");
  }

  bool empty() const noexcept { return !at_; }
  bool holds(std::size_t i) const noexcept {
    return compare(load<T>(at_ + i * sizeof(T)), words_.cmp, words_.values[i * words_.value_step]);
  }
  bool all_hold() const noexcept {
    for (std::size_t i = 0; i < words_.count; ++i) {
      if (words_.counts(i) && !holds(i)) return false;
    }
    return true;
  }
  /// SIZE_MAX: none.
  std::size_t first_that_holds() const noexcept {
    for (std::size_t i = 0; i < words_.count; ++i) {
      if (words_.counts(i) && holds(i)) return i;
    }
    return SIZE_MAX;
  }
  /// Reports to the checker that the word has ended a wait.
  void seen(std::size_t i) const {
    if (!me_->published().on()) return;
    const T value = words_.values[i * words_.value_step];
    me_->tell_seen(words_.first + i, sizeof(T), [cmp = words_.cmp, value](std::uint64_t bits) {
      T word;
      std::memcpy(&word, &bits, sizeof word);
      return compare(word, cmp, value);
    });
  }
  void all_seen() const {
    if (!me_->published().on()) return;
    for (std::size_t i = 0; i < words_.count; ++i) {
      if (words_.counts(i)) seen(i);
    }
  }
  /// Raises ACLSHMEM_INNER_ERROR if a PE is lost. As on hardware, there is no time limit.
  void wait(const std::function<bool()>& until) const {
    me_->drain();
    const Shown shown("shmem wait", *me_, "shmem wait");
    if (me_->waiter().wait(until, fabric::kNever) == Waiter::Outcome::holds) return;
    fail(ACLSHMEM_INNER_ERROR, "{}", me_->loss().value_or("a PE was lost"));
  }

 private:
  const Words<T>& words_;
  const PeInUse me_;
  const std::byte* at_ = nullptr;
};

template <class T>
void wait_for_all(const Words<T>& words) {
  const Watched<T> watched(words);
  if (watched.empty()) return;
  watched.wait([&] { return watched.all_hold(); });
  watched.all_seen();
}

template <class T>
void any(const char* function, const Words<T>& words, std::size_t* result, bool wait) {
  guarded(function, [&] {
    std::size_t& out = require_out(result, "res_out");
    out = SIZE_MAX;
    const Watched<T> watched(words);
    if (watched.empty()) return;
    if (wait) watched.wait([&] { return watched.first_that_holds() != SIZE_MAX; });
    out = watched.first_that_holds();
    if (out != SIZE_MAX) watched.seen(out);
  });
}

template <class T>
void some(const char* function, const Words<T>& words, std::size_t* indices, std::size_t* result,
          bool wait) {
  guarded(function, [&] {
    std::size_t& out = require_out(result, "res_out");
    out = 0;
    const Watched<T> watched(words);
    if (watched.empty()) return;
    if (!indices) fail(ACLSHMEM_INVALID_PARAM, "indices is NULL");
    if (wait) watched.wait([&] { return watched.first_that_holds() != SIZE_MAX; });
    for (std::size_t i = 0; i < words.count; ++i) {
      if (words.counts(i) && watched.holds(i)) indices[out++] = i;
    }
    for (std::size_t i = 0; i < out; ++i) watched.seen(indices[i]);
  });
}

template <class T>
void test_all(const char* function, const Words<T>& words, int* result) {
  guarded(function, [&] {
    int& out = require_out(result, "res_out");
    out = 0;
    const Watched<T> watched(words);
    out = watched.empty() || watched.all_hold();
    if (out != 0 && !watched.empty()) watched.all_seen();
  });
}

}  // namespace shmem
