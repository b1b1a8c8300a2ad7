// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/order/report.h"

namespace aclsim {

/// What was found in a checked program.
struct CheckResult {
  std::size_t processes = 0;  // that left a report
  order::Report between;      // what its processes do to each other
  order::Report all;          // that, and what each of them does by itself
};

/// Where the processes of a checked program leave what was found in them, one file each, and what
/// they did with what they share. Gone with the object.
class CheckFolder {
 public:
  /// Throws std::filesystem::filesystem_error when no folder can be made.
  CheckFolder();
  ~CheckFolder();
  CheckFolder(const CheckFolder&) = delete;
  CheckFolder& operator=(const CheckFolder&) = delete;

  /// What ACLSIM_CHECK_REPORT is told: %p becomes the process.
  std::string pattern() const { return (path_ / "%p.json").string(); }
  /// What ACLSIM_CHECK_FAMILY is told.
  std::string family() const { return path_.string(); }

  /// `suppressions` names a file; empty: none. Throws std::runtime_error for a report that cannot
  /// be read.
  CheckResult result(const std::string& suppressions) const;

 private:
  std::vector<std::filesystem::path> files(const std::string& extension) const;
  order::Report between(const std::string& suppressions) const;
  std::filesystem::path path_;
};

/// The report files of all processes together: who writes one by itself knows of no other. Returns
/// what could not be written; empty: nothing.
std::string write_joined(const CheckResult& result, const std::vector<std::string>& files,
                         order::Level fail_on);

}  // namespace aclsim
