// SPDX-License-Identifier: Apache-2.0
// All settings: one table for each section of the configuration file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/acl/base/config.h"

namespace acl::settings {

/// Reads a value into its place. `where` begins the text of an error.
using Setter = std::function<void(Config&, const std::string& value, const std::string& where)>;

struct Setting {
  std::string key;       // "machine.devices"
  const char* variable;  // null: only the file can set it
  Setter set;
};
using Table = std::vector<Setting>;

Table machine_table();
Table limits_table();
Table link_table();
Table run_table();
Table check_table();

/// Adds what `parse` returns to the faults that were asked for before.
void add_faults(Config& config, const std::string& where,
                const std::function<std::vector<sim::FaultRule>()>& parse);

}  // namespace acl::settings
