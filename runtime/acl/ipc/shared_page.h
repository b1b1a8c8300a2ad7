// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "device_sim/base/owned_fd.h"
#include "device_sim/base/ref.h"

namespace acl {

/// The number that a file has in every process; 0 for none.
std::uint64_t file_number(const sim::OwnedFd& file) noexcept;

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
  /// The file, by the number that it has in every process.
  std::uint64_t file_number() const noexcept { return file_number_; }

 private:
  SharedPage(Number* numbers, std::uint64_t file_number, std::uint64_t offset, bool own)
      : numbers_(numbers), file_number_(file_number), offset_(offset), own_(own) {}
  Number* const numbers_;
  const std::uint64_t file_number_;
  const std::uint64_t offset_;
  const bool own_;
  std::atomic<bool> shared_{false};
};

}  // namespace acl
