// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "device_sim/owned_fd.h"
#include "device_sim/ref.h"

namespace acl {

/// A few numbers that processes can share: one page of a file that exists in memory only. All pages
/// of a process are in one file; who is given one of them maps that page alone.
class SharedPage : public sim::RefCounted<SharedPage> {
 public:
  using Number = std::atomic<std::uint64_t>;

  /// A page of zeros. Throws MachineError(out_of_memory).
  static sim::Ref<SharedPage> create();
  /// Another process's page.
  static sim::Ref<SharedPage> adopt(const sim::OwnedFd& file, std::uint64_t offset);
  ~SharedPage();

  Number& number(std::size_t index) const noexcept { return numbers_[index]; }
  /// For sharing it: the file, and where in it. The page is never used for anything else again.
  const sim::OwnedFd& share() noexcept;
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  SharedPage(Number* numbers, std::uint64_t offset, bool own)
      : numbers_(numbers), offset_(offset), own_(own) {}
  Number* const numbers_;
  const std::uint64_t offset_;
  const bool own_;
  std::atomic<bool> shared_{false};
};

}  // namespace acl
