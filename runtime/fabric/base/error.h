// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace fabric {

/// Why ranks could not do something together. The interfaces above give these their own codes.
enum class Status {
  timed_out,  // somebody did not come in time; the text says who
  lost,       // a rank has died or given up
  refused,    // wrong identity, version or rank
  closed,     // the store, or this rank's part in it, has ended
  invalid,    // an argument
  broken,     // the system refuses, or the other side makes no sense
};

class FabricError : public std::runtime_error {
 public:
  FabricError(Status status, const std::string& what) : std::runtime_error(what), status_(status) {}
  Status status() const noexcept { return status_; }

 private:
  Status status_;
};

}  // namespace fabric
