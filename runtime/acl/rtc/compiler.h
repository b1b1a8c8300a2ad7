// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace acl::rtc {

using Words = std::vector<std::string>;

/// The folder of the toolkit that this library belongs to, or else of ASCEND_HOME_PATH. Raises
/// ACL_ERROR_RTC_FAILURE, with the places that were searched, if neither has the kernel compiler.
std::string find_toolkit();
/// The kernel compiler of a toolkit.
std::string compiler_of(const std::string& toolkit);

/// A folder of temporary files; its content goes with it. Raises
/// ACL_ERROR_RTC_PROG_CREATION_FAILURE if it cannot be created.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::string& path() const noexcept { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Raises ACL_ERROR_RTC_FAILURE when the file cannot be written.
  void write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

/// Runs a program with its messages in the file `log`; true if it succeeded. Raises
/// ACL_ERROR_RTC_FAILURE if it cannot be started. `made`: the file that it writes, which decides
/// where the process ignores the end of its children.
bool run(const Words& words, const std::string& log, const std::string& made);

}  // namespace acl::rtc
