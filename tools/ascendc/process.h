// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace kernel_compiler {

/// Thrown for a failed step that has already reported its reason.
struct StepFailed {
  int status;
};

/// The command lines of programs that bisheng starts.
using Words = std::vector<std::string>;

/// Runs one program with the streams of this process. Throws StepFailed if it fails, and
/// std::runtime_error if it cannot be started.
void run(const Words& words, bool verbose);

/// Runs one program and returns its standard output.
std::string output_of(const Words& words, bool verbose);

/// One of several programs that run at the same time; `name` is for messages.
struct Step {
  std::string name;
  Words words;
};

/// Runs the programs at the same time. Their messages appear when all have ended, and a message of
/// several programs appears once. Throws StepFailed if one of them fails. If others succeed, a line
/// names the programs that failed.
void run_together(const std::vector<Step>& steps, bool verbose);

/// The messages of `later` that are not in `earlier`: compilers begin each with "file:line:".
std::string new_messages(const std::string& later, const std::string& earlier);

}  // namespace kernel_compiler
