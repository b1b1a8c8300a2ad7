// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "device_sim/base/owned_fd.h"

namespace sim {

/// Whether a process of this user may ask for something: one of the same user, or root's, who may
/// read the memory of every process anyway.
bool ipc_may_ask(uid_t user) noexcept;

/// Connections that have not asked for anything yet. They hold descriptors, so there are never many
/// of them and none for long: a newcomer takes the place of the oldest one of the process that has
/// most. An honest process asks as soon as it is connected, and tries again when it lost its place.
class IpcGuests {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Guest {
    OwnedFd connection;
    pid_t process;
    Time leave;
  };

  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kMostOfOneProcess = 8;
  static constexpr std::chrono::milliseconds kPatience{2000};

  /// Returns who has to leave for the newcomer.
  std::optional<Guest> add(OwnedFd connection, pid_t process, Time now);
  /// Those whose time is up.
  std::vector<Guest> take_late(Time now);
  /// One that asked.
  Guest take(std::size_t index);

  std::size_t size() const noexcept { return guests_.size(); }
  const Guest& operator[](std::size_t index) const noexcept { return guests_[index]; }
  /// The time until the next connection is late, in milliseconds for poll: -1 without connections.
  int patience_ms(Time now) const noexcept;

 private:
  std::vector<Guest> guests_;  // oldest first
};

}  // namespace sim
