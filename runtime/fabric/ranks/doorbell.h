// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "device_sim/base/owned_fd.h"

namespace fabric {

/// A page of words of a process, which the other processes of its host map.
class ProcessPage {
 public:
  static constexpr std::size_t kBytes = std::size_t{64} << 10;
  static constexpr std::size_t kSlots = kBytes / sizeof(std::uint64_t) - 8;

  /// Makes a page of zeros. Throws MachineError(out_of_memory).
  ProcessPage();
  /// Maps the page of another process.
  explicit ProcessPage(sim::OwnedFd file);
  ~ProcessPage();
  ProcessPage(const ProcessPage&) = delete;
  ProcessPage& operator=(const ProcessPage&) = delete;

  const sim::OwnedFd& file() const noexcept { return file_; }
  /// Not 0: the process wants to be woken.
  std::atomic<std::uint64_t>& armed() const noexcept { return words_[0]; }
  /// One word for each membership of the process in a group; see Presence.
  std::atomic<std::uint64_t>& slot(std::size_t index) const noexcept { return words_[8 + index]; }

 private:
  void map();
  sim::OwnedFd file_;
  std::atomic<std::uint64_t>* words_ = nullptr;
};

/// Wakes a process after another process has written memory that they share. A process that is
/// about to sleep arms its bell and then checks the memory once more. A writer writes the memory
/// and then rings. If the bell is not armed, ringing costs no system call.
class Doorbell {
 public:
  /// `event`: an eventfd of the process.
  Doorbell(std::shared_ptr<ProcessPage> page, sim::OwnedFd event)
      : page_(std::move(page)), event_(std::move(event)) {}

  void arm() noexcept { page_->armed().store(1); }
  void ring() noexcept;
  const sim::OwnedFd& event() const noexcept { return event_; }
  const std::shared_ptr<ProcessPage>& page() const noexcept { return page_; }

 private:
  const std::shared_ptr<ProcessPage> page_;
  const sim::OwnedFd event_;
};

}  // namespace fabric
