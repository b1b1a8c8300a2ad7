// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/order/engine/vector_clock.h"

namespace acl {

/// The accesses of host code that a page allows, from none to all.
enum class PageAccess : std::uint8_t { none, reads, all };

/// Memory that a task uses, while no host thread is ordered after the task.
struct PendingUse {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  bool writes = false;  // the task; else it reads, and host code may read too
  order::Epoch when;    // the last task of its stream that uses exactly these bytes so

  bool is_same_as(const PendingUse& other) const noexcept {
    return begin == other.begin && size == other.size && writes == other.writes &&
           when.actor == other.when.actor;
  }
};

/// Which pages host code may touch. A page allows what all uses of it allow:
///
///   a use that is closed           nothing if the task writes, else reads
///   a use that code has touched    everything, for all threads, until `close_again`
///   a use with admitted functions  everything, for all threads, until the last of them leaves
///
/// Plain state: it knows neither signals nor the system. `add` and `admit` may allocate memory; all
/// other functions are callable from a signal handler.
class GuardedPages {
 public:
  /// Is called for whole pages whose access may have changed.
  using Protect = std::function<void(std::uintptr_t begin, std::size_t size, PageAccess access)>;
  static constexpr std::size_t kMost = 4096;  // further uses are not guarded

  explicit GuardedPages(Protect protect) : protect_(std::move(protect)) { uses_.reserve(kMost); }

  /// False: there are too many uses, or the same one exists and only its task has changed.
  bool add(const PendingUse& use);
  /// Removes it unless a later task uses the bytes so too.
  void remove(const PendingUse& use);
  /// A function of the program may touch the bytes of the use until `leave`.
  void admit(const PendingUse& use);
  void leave(const PendingUse& use);
  /// Host code touches the address. Opens what forbids that; false: nothing does.
  bool touch(std::uintptr_t address, bool write);
  /// Closes what touches have opened.
  void close_again();

  PageAccess access_at(std::uintptr_t address) const noexcept;
  const std::vector<PendingUse>& uses() const noexcept { return uses_; }
  bool empty() const noexcept { return uses_.empty(); }

 private:
  struct State {
    bool touched = false;
    std::uint32_t functions = 0;  // that are admitted
  };
  PageAccess access_of(std::size_t use) const noexcept;
  std::size_t find(const PendingUse& use) const noexcept;
  void protect(std::uintptr_t begin, std::size_t size) const;

  Protect protect_;
  std::vector<PendingUse> uses_;
  std::vector<State> states_;  // of the uses
  std::size_t touched_ = 0;
};

}  // namespace acl
