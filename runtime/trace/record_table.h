// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "device_sim/base/clock.h"

namespace acl::trace_output {

/// The stream and the time of the last record of a signal.
struct RecordMark {
  std::uint64_t signal = 0;  // 0: none
  sim::Nanoseconds start = 0;
  std::uint32_t device = 0;
  std::uint32_t stream = 0;
};

/// The last million of recorded signals. Ids are given in ascending order, so that a new one takes
/// the place of one that is a million older. Memory is touched only as ids come.
class RecordTable {
 public:
  static constexpr std::size_t kCapacity = std::size_t{1} << 20;

  RecordTable()
      : marks_(static_cast<RecordMark*>(std::calloc(kCapacity, sizeof(RecordMark))), &std::free) {
    if (!marks_) throw std::bad_alloc();
  }

  void remember(const RecordMark& mark) noexcept { at(mark.signal) = mark; }
  /// Null when the signal was never recorded, or was forgotten.
  const RecordMark* find(std::uint64_t signal) const noexcept {
    const RecordMark& mark = at(signal);
    return signal != 0 && mark.signal == signal ? &mark : nullptr;
  }

 private:
  RecordMark& at(std::uint64_t signal) const noexcept {
    return marks_.get()[signal & (kCapacity - 1)];
  }

  std::unique_ptr<RecordMark[], decltype(&std::free)> marks_;
};

}  // namespace acl::trace_output
