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
  int rank = -1;        // that one
  int start_error = 0;  // errno of exec, where the program could not be started
  int interrupted = 0;  // the signal that ended the job from outside
  int lost_output = 0;  // errno of the first write of labelled output that failed
};

struct Job {
  std::vector<std::string> program;
  std::vector<Variables> ranks;  // of those to start here
  int first = 0;                 // the number of the first of them
  bool labels = true;            // what a rank writes begins with "[RANK] "
  /// Called once, when a rank has failed and the others are about to be ended.
  std::function<void(const JobEnd&)> failed;
};

/// Starts all ranks and waits for them. Standard input goes to the first one. When one fails the
/// others get SIGTERM, and SIGKILL 5 s later; signals that reach this process alone are passed on.
JobEnd run_job(const Job& job);

/// Prefixes the lines of a stream. Pure: what is complete is handed out, the rest is kept.
class LineLabels {
 public:
  explicit LineLabels(std::string label) : label_(std::move(label)) {}
  /// The whole lines of what has come so far. A line that is longer than 64 KiB is cut.
  std::string add(std::string_view piece);
  /// What was left without an end, with one.
  std::string rest();

 private:
  const std::string label_;
  std::string kept_;
};

}  // namespace launch
