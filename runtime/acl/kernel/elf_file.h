// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acl {

/// A short description of a file's content for error texts: "an ELF shared object for machine 183",
/// ...
std::string describe_file(std::string_view bytes);

/// The parts of a shared object for this machine that are read before the loader sees it.
struct ElfFile {
  struct Symbol {
    std::string name;
    bool function;     // else a variable
    std::size_t size;  // bytes; 0: not known
  };
  std::vector<Symbol> exported;
  std::size_t span = 0;  // bytes from the first to the last byte that is loaded

  /// nullopt when the bytes are no shared object for this machine. Raises
  /// ACL_ERROR_RT_PARAM_INVALID when they are one, but parts are missing.
  static std::optional<ElfFile> read(std::string_view bytes);
};

}  // namespace acl
