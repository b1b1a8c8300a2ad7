// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>

#include "acl/acl_dump.h"

namespace acl {

/// The "dump" object of a configuration file.
struct DumpConfig {
  std::string path;            // absolute
  bool inputs = false;         // of operators, before they run
  bool outputs = false;        // of operators, after they ran
  std::set<std::string> only;  // names of operators; empty: all
  bool overflow = false;
  std::optional<acldumpType> exceptions;  // how much of a failed operator is written

  bool data() const noexcept { return inputs || outputs; }
  bool wants(const std::string& op) const { return only.empty() || only.count(op) != 0; }
};

/// `argument`: what the path is called. Raises ACL_ERROR_INVALID_FILE when the file cannot be read,
/// ACL_ERROR_PARSE_FILE when it is no JSON object, ACL_ERROR_INVALID_DUMP_CONFIG when its "dump" is
/// missing or wrong. Makes the folder.
DumpConfig load_dump_config(const char* path, const char* argument);

}  // namespace acl
