// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace fabric {

/// The reason why ranks could not do something together. The libraries above map it to codes of
/// their own.
enum class Status {
  timed_out,  // a rank did not arrive in time; the text names it
  lost,       // a rank has died or given up
  refused,    // wrong identity, version or rank
  closed,     // the store, or this rank's part in it, has ended
  invalid,    // an argument
  broken,     // the system refuses a resource, or the peer sends malformed data
};

class FabricError : public std::runtime_error {
 public:
  FabricError(Status status, const std::string& what) : std::runtime_error(what), status_(status) {}
  Status status() const noexcept { return status_; }

 private:
  Status status_;
};

}  // namespace fabric
