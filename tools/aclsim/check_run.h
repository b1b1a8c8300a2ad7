// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace aclsim {

/// Where the processes of a checked program leave what was found in them, one file each. Gone with
/// the object.
class CheckFolder {
 public:
  /// Throws std::filesystem::filesystem_error when no folder can be made.
  CheckFolder();
  ~CheckFolder();
  CheckFolder(const CheckFolder&) = delete;
  CheckFolder& operator=(const CheckFolder&) = delete;

  /// What ACLSIM_CHECK_REPORT is told: %p becomes the process.
  std::string pattern() const { return (path_ / "%p.json").string(); }

  struct Counts {
    std::size_t processes = 0;  // that left a report
    std::size_t errors = 0;
    std::size_t warnings = 0;
    std::size_t notes = 0;

    /// Those at the level ("note", "warning", "error") or above.
    std::size_t at_least(const std::string& level) const;
  };
  /// Adds the reports up. Throws std::runtime_error for one that cannot be read.
  Counts count() const;

 private:
  std::filesystem::path path_;
};

}  // namespace aclsim
