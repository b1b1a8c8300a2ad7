// SPDX-License-Identifier: Apache-2.0
// Two hosts: network namespaces of this machine with a cable between them. Neither reaches the
// other's abstract sockets, and all that they have in common is the network.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/support/child.h"

namespace support {

class TwoHosts {
 public:
  /// Null, after a message, where the system lets tests make no network namespaces or has no `ip`.
  /// In continuous integration (CI is set) that is an error for root.
  static std::unique_ptr<TwoHosts> make();
  ~TwoHosts();
  TwoHosts(const TwoHosts&) = delete;
  TwoHosts& operator=(const TwoHosts&) = delete;

  static constexpr const char* kAddresses[] = {"10.231.7.1", "10.231.7.2"};

  /// Starts a CHILD_PROGRAM on a host.
  std::unique_ptr<RunningChild> start(int host, const std::string& program,
                                      const Environment& environment = {}) const;
  /// Calls `body` in a thread of that host; processes that it starts belong to that host too.
  void on(int host, const std::function<void()>& body) const;
  /// Cuts a host off: it can neither receive nor send any more.
  void cut_cable() const;

 private:
  TwoHosts() = default;
  bool connect();
  int spaces_[2] = {-1, -1};
};

}  // namespace support
