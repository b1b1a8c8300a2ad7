// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/launch/layout.h"

namespace launch {

/// How a job ended.
struct JobEnd {
  int code = 0;         // 0, or the exit code of the rank that failed first; 128 + n: signal n
  int rank = -1;        // the rank that failed first
  int start_error = 0;  // errno of exec if the program could not be started
  int interrupted = 0;  // the signal that ended the job from outside
  int lost_output = 0;  // errno of the first write of labelled output that failed
};

struct Job {
  std::vector<std::string> program;
  std::vector<Variables> ranks;  // one entry for each rank of this host
  int first = 0;                 // the number of the first rank of this host
  bool labels = true;            // each line of a rank's output begins with "[RANK] "
  /// Called once, when a rank has failed and the others are about to be ended.
  std::function<void(const JobEnd&)> failed;
  /// Called when a child of this process has stopped or ended. It may be another child than a rank.
  std::function<void()> child_changed{};
};

/// Starts all ranks and waits for them. Standard input goes to the first rank. When a rank fails,
/// the others get SIGTERM, and SIGKILL 5 s later. Signals to this process are passed on.
JobEnd run_job(const Job& job);

/// Prefixes the lines of a byte stream. Pure: complete lines are returned, the rest is kept.
class LineLabels {
 public:
  explicit LineLabels(std::string label) : label_(std::move(label)) {}
  /// Adds bytes and returns the lines that are now complete. Lines longer than 64 KiB are cut.
  std::string add(std::string_view piece);
  /// Returns an incomplete last line, with a line break appended.
  std::string rest();

 private:
  const std::string label_;
  std::string kept_;
};

}  // namespace launch
