// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace killed {

/// A command with a temporary folder of its own. A variable with its path marks all processes that
/// the command starts. Its standard output and error are read together.
class Watched {
 public:
  explicit Watched(std::vector<std::string> command);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  pid_t pid() const { return pid_; }
  /// Reads until the text appears. False if it does not appear in time.
  bool await_output(const std::string& text);
  void kill();
  /// Reads until every process has closed its output, and the command has ended. False if that
  /// does not happen in time.
  bool await_end();
  /// The status of waitpid.
  int status() const { return status_; }
  const std::string& output() const { return output_; }

  /// Describes what remains: processes, files in the temporary folder, names in /dev/shm. Waits for
  /// them to disappear; empty if nothing remains.
  std::string left_over() const;
  std::vector<pid_t> processes() const;

 private:
  bool read_on(std::chrono::steady_clock::time_point until);

  const support::TempDir temporary_;
  const std::set<std::string> shared_memory_;  // names that existed before
  std::string mark_;
  pid_t pid_ = -1;
  int from_ = -1;
  int status_ = -1;
  std::string output_;
};

}  // namespace killed
