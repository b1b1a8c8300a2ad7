// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/order/report/dwarf_lines.h"
#include "runtime/order/report/report.h"

namespace acl {

/// Lines of the program for code addresses of this process, by libdw if it is installed;
/// without it, or without debug information, function, module and offset.
class Places {
 public:
  Places();
  ~Places();
  order::Place of(std::uint64_t site);
  /// Places of stacks have their callers up to that number of frames, and as many as are needed to
  /// see which calls led to a function that several places call.
  static void show_frames(std::size_t least);
  /// Without the line of code: quick.
  static order::Place roughly(std::uint64_t site);
  /// Only the library and the offset in it; for callers that hold a lock.
  static order::Place without_loader(std::uint64_t site);

 private:
  std::unique_ptr<order::DwarfLines> lines_;  // null: libdw is not installed
};

}  // namespace acl
