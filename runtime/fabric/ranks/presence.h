// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "runtime/fabric/ranks/doorbell.h"
#include "runtime/fabric/ranks/process.h"

namespace fabric {

/// Records that a rank is in a group, in a slot of its process's page, which stays readable after
/// the process has died. An odd number means present. Each membership has a number of its own.
struct PresenceCard {
  std::uint32_t slot = 0;
  std::uint64_t number = 0;
};

class Presence {
 public:
  explicit Presence(std::shared_ptr<Process> process)
      : process_(std::move(process)), slot_(process_->take_slot()) {
    std::atomic<std::uint64_t>& word = process_->doorbell().page()->slot(slot_);
    number_ = word.load() + 1;
    word.store(number_);
  }
  ~Presence() {
    leave();
    process_->give_slot(slot_);
  }
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

  void leave() noexcept {
    std::uint64_t present = number_;
    process_->doorbell().page()->slot(slot_).compare_exchange_strong(present, number_ + 1);
  }
  PresenceCard card() const noexcept { return {static_cast<std::uint32_t>(slot_), number_}; }

  /// Whether the rank has neither left nor been replaced. The rank may have died.
  static bool holds(const ProcessPage& page, const PresenceCard& card) noexcept {
    return card.slot < ProcessPage::kSlots && page.slot(card.slot).load() == card.number;
  }

 private:
  const std::shared_ptr<Process> process_;
  const std::size_t slot_;
  std::uint64_t number_ = 0;
};

}  // namespace fabric
