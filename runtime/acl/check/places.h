// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "runtime/order/report.h"

namespace acl {

/// Lines of the program for code addresses of this process, by libdw where that is installed;
/// without it, or without debug information, function, module and offset.
class Places {
 public:
  Places();
  ~Places();
  order::Place of(std::uint64_t site);
  /// Without the line of code: quick.
  static order::Place roughly(std::uint64_t site);

 private:
  struct Dwarf;
  std::unique_ptr<Dwarf> dwarf_;  // null: there is no libdw
};

}  // namespace acl
