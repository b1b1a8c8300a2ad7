// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "runtime/order/process_group.h"
#include "runtime/order/report.h"

namespace aclsim {

/// What had been found in a process that did not come to the end where it reports.
struct Unfinished {
  std::string process;
  order::Report report;
};

/// Who starts `aclsim run --check`, and may have to kill it, names a folder in this variable: what
/// it leaves then lies there.
inline constexpr const char* kCheckFolders = "ACLSIM_CHECK_FOLDERS";

/// What was found in a checked program.
struct CheckResult {
  std::size_t processes = 0;  // that left a report, or a part of one
  std::vector<Unfinished> unfinished;
  order::Report across_processes;  // what its processes do to each other
  order::Report all;          // that, and what each of them does by itself
};

/// Where the processes of a checked program leave what was found in them, one file each (at their
/// end, and another one until then), and what they did with what they share. Gone with the object.
class CheckFolder {
 public:
  /// Throws std::filesystem::filesystem_error when no folder can be made.
  CheckFolder();
  ~CheckFolder();
  CheckFolder(const CheckFolder&) = delete;
  CheckFolder& operator=(const CheckFolder&) = delete;

  /// What ACLSIM_CHECK_REPORT is told: %p becomes the process.
  std::string pattern() const { return (path_ / "%p.json").string(); }
  /// What ACLSIM_CHECK_PROCESS_GROUP is told.
  std::string group_folder() const { return path_.string(); }

  /// What host threads wait for that never comes, as far as the processes have come; once none of
  /// them has written anything for a while.
  order::Report stuck(const std::string& suppressions);

  /// `suppressions` names a file; empty: none. Throws std::runtime_error for a report that cannot
  /// be read.
  CheckResult result(const std::string& suppressions) const;

 private:
  std::vector<std::filesystem::path> files(const std::string& extension) const;
  std::vector<order::ProcessLog> logs() const;
  std::vector<Unfinished> unfinished(const std::string& suppressions) const;
  std::filesystem::path path_;
  std::uintmax_t bytes_ = 0;  // in all logs, at the last look
  bool looked_ = false;       // at that state
};

/// While it lives, a thread tells at once of processes that wait for each other for ever: they
/// would not come to the end where the rest is told.
class StuckWatch {
 public:
  StuckWatch(CheckFolder& folder, const std::string& suppressions);
  ~StuckWatch();
  StuckWatch(const StuckWatch&) = delete;
  StuckWatch& operator=(const StuckWatch&) = delete;

 private:
  void watch(CheckFolder& folder, const std::string& suppressions);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// The report files of all processes together: who writes one by itself knows of no other. Returns
/// what could not be written; empty: nothing.
std::string write_joined(const CheckResult& result, const std::vector<std::string>& files,
                         order::Level fail_on);

}  // namespace aclsim
