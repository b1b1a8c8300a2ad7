// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>

extern char** environ;

namespace kernel_compiler {
namespace {

/// A file without a name, for the output of a program.
class Capture {
 public:
  Capture() : file_(std::tmpfile(), &std::fclose) {
    if (!file_) throw std::runtime_error("no temporary file can be created");
  }
  int descriptor() const { return fileno(file_.get()); }
  std::string text() const {
    std::string text;
    char buffer[4096];
    std::rewind(file_.get());
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, file_.get()))
      text.append(buffer, n);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Starts a program; `stream` of it is redirected to `target` unless that is negative.
pid_t start(const Words& words, bool verbose, int stream, int target) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  if (verbose) {
    for (const std::string& word : words) std::cerr << word << ' ';
    std::cerr << std::endl;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (target >= 0) posix_spawn_file_actions_adddup2(&actions, target, stream);
  pid_t child = 0;
  const int error = posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw std::runtime_error("the program '" + words[0] +
                             "' cannot be started: " + std::strerror(error) +
                             "; expected it in PATH. CXX names the compiler");
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// Whether a line begins a message: "file:line:" or "In file included from".
bool begins_message(std::string_view line) {
  if (line.starts_with("In file included")) return true;
  for (std::size_t at = line.find(':'); at != std::string_view::npos && at > 0;
       at = line.find(':', at + 1)) {
    std::size_t digit = at + 1;
    while (digit < line.size() && std::isdigit(static_cast<unsigned char>(line[digit])) != 0)
      ++digit;
    if (digit > at + 1 && digit < line.size() && line[digit] == ':') return true;
  }
  return false;
}

std::vector<std::string> messages_of(const std::string& text) {
  std::vector<std::string> messages;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    if (messages.empty() || begins_message(line)) messages.emplace_back();
    messages.back() += line;
  }
  return messages;
}

}  // namespace

void run(const Words& words, bool verbose) {
  const int status = wait_for(start(words, verbose, 0, -1));
  if (status != 0) throw StepFailed{status};
}

std::string output_of(const Words& words, bool verbose) {
  const Capture output;
  const int status = wait_for(start(words, verbose, STDOUT_FILENO, output.descriptor()));
  if (status != 0) throw StepFailed{status};
  return output.text();
}

std::string new_messages(const std::string& later, const std::string& earlier) {
  const std::vector<std::string> known = messages_of(earlier);
  const std::set<std::string> printed(known.begin(), known.end());
  std::string text;
  for (const std::string& message : messages_of(later)) {
    if (!printed.contains(message)) text += message;
  }
  return text;
}

void run_together(const std::vector<Step>& steps, bool verbose) {
  if (steps.size() == 1) return run(steps[0].words, verbose);
  std::vector<Capture> messages(steps.size());
  std::vector<pid_t> children;
  for (std::size_t i = 0; i < steps.size(); ++i)
    children.push_back(start(steps[i].words, verbose, STDERR_FILENO, messages[i].descriptor()));
  std::string printed;
  std::string failed;
  int status = 0;
  std::size_t failures = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const int own = wait_for(children[i]);
    const std::string text = new_messages(messages[i].text(), printed);
    std::cerr << text << std::flush;
    printed += text;
    if (own == 0) continue;
    status = own;
    ++failures;
    failed += (failed.empty() ? "" : " and ") + steps[i].name;
  }
  if (failures == 0) return;
  if (failures < steps.size())
    std::cerr << "bisheng: note: these errors are of the pass for " << failed << '\n';
  throw StepFailed{status};
}

}  // namespace kernel_compiler
