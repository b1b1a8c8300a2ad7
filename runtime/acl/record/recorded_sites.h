// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "runtime/acl/watch/places.h"

namespace acl {

/// Texts of the call sites in a recording. Callers hold the recorder's lock.
class RecordedSites {
 public:
  /// `file:line`, or `module+offset` without debug information; "" if neither is known.
  std::string text(std::uint64_t site);

 private:
  std::unique_ptr<Places> places_;  // made for the first site
  std::unordered_map<std::uint64_t, std::string> texts_;
};

}  // namespace acl
