// SPDX-License-Identifier: Apache-2.0
#include "tests/support/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace support {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kVariable = "TEST_CHILD_PROGRAM";

std::map<std::string, int (*)()>& programs() {
  static std::map<std::string, int (*)()> all;
  return all;
}

std::vector<std::string> merged(const Environment& changes) {
  std::map<std::string, std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const auto equals = text.find('=');
    if (equals != std::string::npos) all[text.substr(0, equals)] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : changes) {
    if (value.empty()) {
      all.erase(name);
    } else {
      all[name] = value;
    }
  }
  std::vector<std::string> lines;
  for (const auto& [name, value] : all) lines.push_back(name + "=" + value);
  return lines;
}

// The descriptors of the child's standard input, output and error; -1: as in this process.
struct Streams {
  int input;
  int output;
  int error;
};

pid_t spawn(const Environment& environment, const Streams& streams) {
  std::vector<std::string> lines = merged(environment);
  std::vector<char*> pointers;
  for (std::string& line : lines) pointers.push_back(line.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::pair<int, int> replaced[] = {{streams.input, STDIN_FILENO},
                                          {streams.output, STDOUT_FILENO},
                                          {streams.error, STDERR_FILENO}};
  for (const auto& [from, to] : replaced) {
    if (from >= 0) posix_spawn_file_actions_adddup2(&actions, from, to);
  }
  char name[] = "child";
  char* arguments[] = {name, nullptr};
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, arguments, pointers.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(std::string("posix_spawn: ") + std::strerror(error));
  return pid;
}

// Collects output until the child is gone or the time is up; grandchildren may keep the pipe open.
bool wait_for(pid_t pid, int input, Clock::time_point deadline, ChildResult& result) {
  int status = 0;
  for (bool gone = false;;) {
    pollfd ready{input, POLLIN, 0};
    char buffer[4096];
    if (poll(&ready, 1, gone ? 0 : 5) > 0) {
      const ssize_t size = read(input, buffer, sizeof buffer);
      if (size > 0) {
        result.output.append(buffer, static_cast<std::size_t>(size));
        continue;
      }
    }
    if (gone) break;
    gone = waitpid(pid, &status, WNOHANG) == pid;
    if (!gone && Clock::now() > deadline) return false;
    if (!gone && (ready.revents & POLLHUP) != 0) std::this_thread::yield();
  }
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return true;
}

}  // namespace

ChildProgram::ChildProgram(const char* name, int (*body)()) { programs()[name] = body; }

std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

ChildResult run_child(const std::string& program, const Environment& environment,
                      std::chrono::seconds limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  Environment all = environment;
  all.emplace_back(kVariable, program);
  const pid_t pid = spawn(all, {-1, ends[1], ends[1]});
  close(ends[1]);
  ChildResult result;
  if (!wait_for(pid, ends[0], Clock::now() + limit, result)) {
    result.timed_out = true;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  close(ends[0]);
  return result;
}

ChildResult run_racing_child(const std::string& program, Environment environment) {
  environment.emplace_back("TSAN_OPTIONS", "report_bugs=0");
  return run_child(program, environment);
}

RunningChild::RunningChild(const std::string& program, const Environment& environment) {
  int to[2];
  int from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
  Environment all = environment;
  all.emplace_back(kVariable, program);
  pid_ = spawn(all, {to[0], from[1], -1});
  close(to[0]);
  close(from[1]);
  to_ = to[1];
  from_ = from[0];
}

void RunningChild::say(const std::string& line) {
  const std::string text = line + "\n";
  [[maybe_unused]] const ssize_t written = write(to_, text.data(), text.size());
}

std::string RunningChild::hear(std::chrono::seconds limit) {
  const auto deadline = Clock::now() + limit;
  for (;;) {
    const auto end = heard_.find('\n');
    if (end != std::string::npos) {
      const std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return line;
    }
    pollfd ready{from_, POLLIN, 0};
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) <= 0) return "(nothing)";
    char buffer[4096];
    const ssize_t size = read(from_, buffer, sizeof buffer);
    if (size <= 0) return "(nothing)";
    heard_.append(buffer, static_cast<std::size_t>(size));
  }
}

void RunningChild::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  close(to_);
  close(from_);
  pid_ = -1;
}

bool is_child(int& status) {
  const char* name = std::getenv(kVariable);
  if (name == nullptr) return false;
  const auto it = programs().find(name);
  if (it == programs().end()) {
    std::fprintf(stderr, "no child program is called %s\n", name);
    status = 127;
  } else {
    status = it->second();
  }
  return true;
}

void child_failed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
  _exit(1);
}

void child_failed(const char* file, int line, const char* what, int code) {
  std::fprintf(stderr, "%s:%d: %s returned %d\n", file, line, what, code);
  _exit(1);
}

}  // namespace support
