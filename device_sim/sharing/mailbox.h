// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device_sim/base/owned_fd.h"

namespace sim {

/// A message of one process to the owner of a mailbox.
struct Mail {
  std::uint32_t kind = 0;
  pid_t process = 0;           // as it sees itself
  std::uint64_t instance = 0;  // the number of the sender, if a process has several senders
  std::string bytes;
  bool whole = true;  // false: its writer was killed while writing, or the memory was full
};

/// Messages of many processes to one: a file in memory to which they append. Its only name is below
/// /proc, so it disappears with the process that made it, however that ends. Not thread-safe.
class Mailbox {
 public:
  /// Throws MachineError(out_of_memory).
  Mailbox();

  /// For send_mail; holds a secret. Valid in processes of this user, as long as this one lives.
  std::string address() const;
  /// The number of bytes that have arrived so far. It grows with each message.
  std::uint64_t arrived() const;
  /// The messages that came since the last call. One that is being written is left for the next
  /// call, unless `last`: then its part is returned.
  std::vector<Mail> take(bool last = false);

  static constexpr std::size_t kMark = 16;

 private:
  void read_on();

  OwnedFd file_;
  std::array<char, kMark> mark_;  // at the beginning of each message, and nowhere else
  std::uint64_t read_ = 0;
  std::string pending_;
};

/// Appends a message atomically. Returns 0, or the errno of the call that failed.
int send_mail(const std::string& address, std::uint32_t kind, std::uint64_t instance,
              std::string_view bytes) noexcept;

/// That errno in words.
std::string mail_error(int error);

}  // namespace sim
