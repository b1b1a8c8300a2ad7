// SPDX-License-Identifier: Apache-2.0
#include "tests/killed/watched.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "tests/support/waiting.h"

namespace killed {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kHangs(
    60);  // sanitizers are slow, and a round is short without them
constexpr std::chrono::milliseconds kPause(2);
constexpr const char* kMark = "KILLED_TEST_MARK";

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// ThreadSanitizer creates a file when a process starts and removes it at once: a kill may happen
/// in between.
bool is_of_sanitizer(const std::string& name) { return name.rfind("tsan.rodata.", 0) == 0; }

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Watched::Watched(std::vector<std::string> command)
    : shared_memory_(names_in("/dev/shm")), mark_(temporary_.path().string()) {
  int out[2];
  if (pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  pid_ = fork();
  if (pid_ == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(out[1], STDERR_FILENO);
    setenv(kMark, mark_.c_str(), 1);
    setenv("TMPDIR", mark_.c_str(), 1);
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(out[1]);
  from_ = out[0];
}

Watched::~Watched() {
  for (const pid_t process : processes()) ::kill(process, SIGKILL);
  if (pid_ > 0) kill();
  if (pid_ > 0) waitpid(pid_, &status_, 0);
  close(from_);
}

bool Watched::read_on(Clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
  pollfd ready{from_, POLLIN, 0};
  if (poll(&ready, 1, static_cast<int>(std::max<long>(left.count(), 0))) <= 0) return false;
  char piece[4096];
  const ssize_t got = read(from_, piece, sizeof piece);
  if (got > 0) output_.append(piece, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

bool Watched::await_output(const std::string& text) {
  const Clock::time_point until = Clock::now() + kHangs;
  while (output_.find(text) == output_.npos) {
    if (!read_on(until)) return false;
  }
  return true;
}

void Watched::kill() { ::kill(pid_, SIGKILL); }

bool Watched::await_end() {
  const Clock::time_point until = Clock::now() + kHangs;
  while (read_on(until)) {
  }
  if (Clock::now() >= until) return false;
  if (waitpid(pid_, &status_, 0) == pid_) pid_ = -1;  // all outputs are closed
  return true;
}

std::vector<pid_t> Watched::processes() const {
  std::vector<pid_t> found;
  const std::string entry = std::string(kMark) + "=" + mark_ + '\0';
  for (const std::string& name : names_in("/proc")) {
    const pid_t process = std::atoi(name.c_str());
    if (process <= 0 || process == getpid()) continue;
    if (content("/proc/" + name + "/environ").find(entry) != std::string::npos) {
      found.push_back(process);
    }
  }
  return found;
}

// Other programs may create and remove names in /dev/shm meanwhile.
std::string Watched::left_over() const {
  std::string what;
  const auto nothing = [&] {
    what.clear();
    for (const pid_t process : processes()) {
      std::string command = content("/proc/" + std::to_string(process) + "/cmdline");
      std::replace(command.begin(), command.end(), '\0', ' ');
      what += "process " + std::to_string(process) + ": " + command + "\n";
    }
    for (const std::string& name : names_in(temporary_.path())) {
      if (!is_of_sanitizer(name)) what += "file " + name + "\n";
    }
    for (const std::string& name : names_in("/dev/shm")) {
      if (shared_memory_.count(name) == 0) what += "/dev/shm/" + name + "\n";
    }
    return what.empty();
  };
  support::eventually(nothing, kHangs, kPause);
  return what;
}

}  // namespace killed
