// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace acl {

/// The parts of aclInit's JSON that a runtime without models cares for.
struct InitConfig {
  struct Profiler {
    std::string output;      // a folder
    std::uint64_t data = 0;  // ACL_PROF_ bits
  };
  int default_device = -1;
  bool all_messages = false;  // recent texts of all threads are shared
  bool dump = false;          // the configuration has a "dump" that turns a dump on
  std::optional<Profiler> profiler;
};

/// Reads a regular file. Raises ACL_ERROR_INVALID_FILE, which names `argument`.
std::string read_config_file(const char* path, const char* argument);

/// Raises ACL_ERROR_PARSE_FILE if the text is not a JSON object, ACL_ERROR_INVALID_FILE for a wrong
/// device, ACL_ERROR_INVALID_PARAM for a wrong err_msg_mode, ACL_ERROR_INVALID_PROFILING_CONFIG for
/// a wrong profiler.
InitConfig parse_init_config(const std::string& text, const char* path);

}  // namespace acl
