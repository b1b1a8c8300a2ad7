// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/check_run.h"

#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

namespace aclsim {

namespace fs = std::filesystem;

CheckFolder::CheckFolder() {
  std::string name = (fs::temp_directory_path() / "aclsim-check.XXXXXX").string();
  if (!::mkdtemp(name.data())) {
    throw fs::filesystem_error("no folder can be made", name,
                               std::error_code(errno, std::generic_category()));
  }
  path_ = name;
}

CheckFolder::~CheckFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::size_t CheckFolder::Counts::at_least(const std::string& level) const {
  if (level == "error") return errors;
  if (level == "warning") return errors + warnings;
  return errors + warnings + notes;
}

CheckFolder::Counts CheckFolder::count() const {
  Counts counts;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    std::ifstream file(entry.path());
    const auto report = nlohmann::json::parse(file, nullptr, false);
    if (report.is_discarded() || !report.contains("findings")) {
      throw std::runtime_error("a report cannot be read: " + entry.path().filename().string());
    }
    ++counts.processes;
    for (const auto& finding : report["findings"]) {
      const std::string level = finding.value("level", "error");
      ++(level == "error" ? counts.errors : level == "warning" ? counts.warnings : counts.notes);
    }
  }
  return counts;
}

}  // namespace aclsim
