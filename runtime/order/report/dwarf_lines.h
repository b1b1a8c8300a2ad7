// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "runtime/order/report/report.h"

namespace order {

/// Finds lines of code with libdw. The class loads libdw at the first use; it is not a dependency.
/// libdw is not thread-safe, so threads that use different objects take turns. One object is not
/// thread-safe.
class DwarfLines {
 public:
  /// For code addresses of this process. Null if libdw is missing.
  static std::unique_ptr<DwarfLines> of_this_process();
  /// For code in files, of processes that have ended. Null if libdw is missing.
  static std::unique_ptr<DwarfLines> of_files();
  ~DwarfLines();

  /// Nothing is looked up any more: the process ends, and the libraries that libdw uses with it.
  /// Waits for the thread that is in it.
  static void stop();

  /// Adds file, line and function, as far as they are known.
  void look_up(std::uint64_t address, Place& place) const;
  /// The same, by the place's module and offset.
  void look_up(Place& place);

 private:
  struct Library;
  explicit DwarfLines(std::unique_ptr<Library> library);
  void look_up(void* module, std::uint64_t address, Place& place) const;
  void* open(const std::string& file);

  std::unique_ptr<Library> library_;
  std::map<std::string, void*> modules_;  // null: it cannot be read
};

/// The file is a header of the interface of kernels. Its lines do not help the author of a kernel:
/// the place of an inlined function is replaced by the place of the call.
bool in_interface(const std::string& file);

std::string demangled(const char* name);

}  // namespace order
