// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "runtime/order/report/report.h"

namespace order {

/// Lines of code by libdw. That is looked for when it is wanted, and is no dependency. libdw is not
/// made for several threads, so those that have an object each take turns. One object is not
/// thread-safe.
class DwarfLines {
 public:
  /// For code addresses of this process. Null where there is no libdw.
  static std::unique_ptr<DwarfLines> of_this_process();
  /// For code in files, of processes that are gone. Null where there is no libdw.
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

/// Whether the file is a header of the interface of kernels. Its lines say nothing to who wrote
/// one: a place in a function that is inlined is that of the call.
bool in_interface(const std::string& file);

std::string demangled(const char* name);

}  // namespace order
