// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace killed {

/// A command with a temporary folder of its own, which is known by a variable to all processes that
/// it starts. Its standard output and error are read together.
class Watched {
 public:
  explicit Watched(std::vector<std::string> command);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  pid_t pid() const { return pid_; }
  /// Reads on until the text comes. False when it does not in time.
  bool await_output(const std::string& text);
  void kill();
  /// Reads on until every process has closed its output, and the command has ended. False when that
  /// does not come in time.
  bool await_end();
  /// Of waitpid.
  int status() const { return status_; }
  const std::string& output() const { return output_; }

  /// What is left, in words: processes, files in the temporary folder, names in /dev/shm. Waits for
  /// it to go; empty: nothing is left.
  std::string left_over() const;
  std::vector<pid_t> processes() const;

 private:
  bool read_on(std::chrono::steady_clock::time_point until);

  const support::TempDir temporary_;
  const std::set<std::string> shared_memory_;  // what was there before
  std::string mark_;
  pid_t pid_ = -1;
  int from_ = -1;
  int status_ = -1;
  std::string output_;
};

}  // namespace killed
