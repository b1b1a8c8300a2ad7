// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/explore/trial.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "tools/aclsim/explore/fork_client.h"
#include "tools/aclsim/verbs/commands.h"

extern char** environ;

namespace aclsim {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr std::chrono::seconds kReportTime{2};

// SIGPIPE: the reader of the output has ended.
constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

/// The variables of a run: the variables of this process and of the run's schedule. `copies`: the
/// socket of a fork server.
std::vector<std::string> environment_of(const Trial& trial, const std::string& copies) {
  const std::pair<const char*, std::string> set[] = {{"ACLSIM_SCHEDULE=", "seeded"},
                                                     {"ACLSIM_SEED=", trial.seed},
                                                     {"ACLSIM_STRATEGY=", trial.strategy},
                                                     {"ACLSIM_DECISIONS=", trial.record},
                                                     {"ACLSIM_FORK_SERVER=", copies}};
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string text = *variable;
    const bool replaced = std::any_of(std::begin(set), std::end(set),
                                      [&](const auto& s) { return text.starts_with(s.first); });
    if (!replaced) variables.push_back(text);
  }
  for (const auto& [name, value] : set) {
    if (!value.empty()) variables.push_back(name + value);
  }
  return variables;
}

/// The form that runtime/acl/process/fork_server.h specifies.
std::string offer_of(int server, const std::string& program) {
  struct stat file {};
  ::stat(program.c_str(), &file);
  return fmt::format("{} {} {} {}", server, ::getpid(), file.st_dev, file.st_ino);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

int* shared_number() {
  void* const page =
      ::mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::runtime_error(fmt::format("mmap: {}", std::strerror(errno)));
  return static_cast<int*>(page);
}

}  // namespace

std::string find_program(const std::string& name) {
  const auto fits = [](const std::string& path) {
    std::error_code ignored;
    return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, ignored);
  };
  if (name.find('/') != std::string::npos) return fits(name) ? name : "";
  const char* const path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string folder = end == at ? "." : folders.substr(at, end - at);
    if (fits(folder + "/" + name)) return folder + "/" + name;
    at = end + 1;
  }
  return "";
}

struct TrialRunner::Running {
  std::size_t tag;
  pid_t pid = -1;
  bool copy = false;
  std::shared_ptr<const Output> out = std::make_shared<const Output>("stdout");
  std::shared_ptr<const Output> err = std::make_shared<const Output>("stderr");
  Clock::time_point began = Clock::now();
  Clock::time_point deadline;
  bool timed_out = false;  // and it may report that until the deadline

  explicit Running(std::size_t name) : tag(name) {}
  ~Running() { end(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Kills the processes of the group and returns the wait status of its program.
  int end() {
    if (pid < 0) return 0;
    ::kill(-pid, SIGKILL);  // the program is not reaped yet, so the number still names this group
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    pid = -1;
    return status;
  }
};

TrialRunner::TrialRunner(std::vector<std::string> command, std::size_t jobs, bool fresh)
    : command_(std::move(command)),
      program_(find_program(command_[0])),
      jobs_(jobs),
      exec_error_(shared_number()),
      copies_(fresh ? nullptr : std::make_unique<ForkClient>()) {
  ::sigemptyset(&held_);
  ::sigaddset(&held_, SIGCHLD);
  for (const int signal : kEnding) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) ::sigaddset(&held_, signal);  // nohup stays nohup
  }
  ::signal(SIGCHLD, SIG_DFL);  // exit codes are lost if SIGCHLD is ignored
  ::sigprocmask(SIG_BLOCK, &held_, &old_mask_);
}

TrialRunner::~TrialRunner() {
  copies_.reset();
  drop_all();
  ::munmap(exec_error_, sizeof(int));
  // Discards pending signals: no run is left that they could end.
  const timespec at_once{};
  while (::sigtimedwait(&held_, nullptr, &at_once) > 0) {
  }
  ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
}

std::string TrialRunner::trouble() const {
  if (program_.empty()) {
    return fmt::format("cannot start {}: no such program, or it cannot be executed", command_[0]);
  }
  if (*exec_error_ == 0) return "";
  return fmt::format("cannot start {}: {}", command_[0], std::strerror(*exec_error_));
}

void TrialRunner::load_each_time() { copies_.reset(); }

void TrialRunner::start(const Trial& trial) {
  auto run = std::make_unique<Running>(trial.tag);
  if (copies_ && copies_->serves() && !trial.fresh) {
    run->pid =
        copies_->copy({trial.seed, trial.strategy, trial.record}, run->out->fd(), run->err->fd());
    run->copy = run->pid >= 0;
    if (!run->copy) copies_.reset();
  }
  if (run->pid < 0) run->pid = start_anew(trial, *run);
  ::setpgid(run->pid, run->pid);  // parent and child both set it; the first call counts
  run->deadline = run->began + std::chrono::duration_cast<Clock::duration>(timeout_);
  running_.push_back(std::move(run));
}

pid_t TrialRunner::start_anew(const Trial& trial, const Running& run) {
  const int server = copies_ && !trial.fresh ? copies_->offer() : -1;
  const std::vector<std::string> variables =
      environment_of(trial, server < 0 ? "" : offer_of(server, program_));
  const std::vector<char*> arguments = pointers(command_);
  const std::vector<char*> environment = pointers(variables);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error(fmt::format("fork: {}", std::strerror(errno)));
  if (pid == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kCannotStart);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
    ::dup2(run.out->fd(), STDOUT_FILENO);
    ::dup2(run.err->fd(), STDERR_FILENO);
    if (server >= 0) ::fcntl(server, F_SETFD, 0);
    ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
    ::execve(program_.c_str(), arguments.data(), environment.data());
    *exec_error_ = errno;
    ::_exit(kCannotExecute);
  }
  if (server >= 0) copies_->offered_to(pid);
  return pid;
}

Outcome TrialRunner::finish(Running& run, int status, bool timed_out) {
  Outcome outcome;
  outcome.tag = run.tag;
  outcome.timed_out = timed_out;
  outcome.copy = run.copy;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.seconds = std::chrono::duration<double>(Clock::now() - run.began).count();
  outcome.out = run.out;
  outcome.err = run.err;
  return outcome;
}

std::optional<Outcome> TrialRunner::reap() {
  if (copies_ && !running_.empty()) {
    const pid_t first = copies_->first_copy();
    if (first > 0) {
      running_.front()->pid = first;
      running_.front()->copy = true;
    }
  }
  for (auto it = running_.begin(); it != running_.end(); ++it) {
    Running& run = **it;
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(run.pid), &info, WEXITED | WNOHANG | WNOWAIT);
    const bool ended = info.si_pid == run.pid;
    if (!ended && Clock::now() < run.deadline) continue;
    if (!ended && reports_ && !std::exchange(run.timed_out, true)) {
      ::kill(run.pid, SIGTERM);
      run.deadline = Clock::now() + kReportTime;
      continue;
    }
    const Outcome outcome = finish(run, run.end(), !ended || run.timed_out);
    running_.erase(it);
    end_orphans();
    return outcome;
  }
  return {};
}

void TrialRunner::end_orphans() const {
  std::vector<pid_t> runs;
  for (const auto& run : running_) runs.push_back(run->pid);
  orphans_.end(runs, {copies_ ? copies_->server() : -1, guard_.process()});
}

Clock::time_point TrialRunner::next_deadline() const {
  Clock::time_point next = Clock::time_point::max();
  for (const auto& run : running_) next = std::min(next, run->deadline);
  return next;
}

void TrialRunner::sleep_until_something_ends() {
  const auto left = std::max(next_deadline() - Clock::now(), Clock::duration(0));
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
  const timespec limit{static_cast<time_t>(ns / 1'000'000'000),
                       static_cast<long>(ns % 1'000'000'000)};
  const int signal = ::sigtimedwait(&held_, nullptr, &limit);
  if (signal > 0 && signal != SIGCHLD) interrupted_ = true;
}

std::optional<Outcome> TrialRunner::next() {
  while (!running_.empty() && !interrupted_) {
    if (auto outcome = reap()) return outcome;
    sleep_until_something_ends();
  }
  return {};
}

void TrialRunner::drop_above(std::size_t tag) {
  std::erase_if(running_, [&](const auto& run) { return run->tag > tag; });
}

void TrialRunner::drop_all() {
  running_.clear();
  end_orphans();
}

std::optional<Outcome> TrialRunner::run(const Trial& trial) {
  start(trial);
  return next();
}

}  // namespace aclsim
