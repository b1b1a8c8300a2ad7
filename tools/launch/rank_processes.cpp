// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/rank_processes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio.hpp>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

namespace launch {
namespace {

namespace asio = boost::asio;

constexpr auto kPatience = std::chrono::seconds(5);
constexpr int kCannotStart = 127;

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

bool make_pipe(Pipe& pipe) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe.read = Descriptor(ends[0]);
  pipe.write = Descriptor(ends[1]);
  return true;
}

/// Passes on the lines that a rank writes to stdout or stderr.
class Output {
 public:
  Output(asio::io_context& io, Descriptor from, int to, std::string label, int& lost)
      : from_(io, from.release()), to_(to), lost_(lost), labels_(std::move(label)) {
    from_.non_blocking(true);
    read();
  }
  /// Passes on the bytes that the pipe contains now. The rank has ended, but processes that it left
  /// behind may hold the pipe open.
  void drain() {
    boost::system::error_code error;
    for (std::size_t size; (size = from_.read_some(asio::buffer(piece_), error)) > 0 && !error;) {
      pass_on(labels_.add({piece_.data(), size}));
    }
    close();
  }

 private:
  void read() {
    from_.async_read_some(asio::buffer(piece_),
                          [this](const boost::system::error_code& error, std::size_t size) {
                            if (error == asio::error::operation_aborted) return;
                            if (error) return close();
                            pass_on(labels_.add({piece_.data(), size}));
                            read();
                          });
  }
  void close() {
    if (!from_.is_open()) return;
    pass_on(labels_.rest());
    boost::system::error_code ignored;
    from_.close(ignored);
  }
  void pass_on(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t size = ::write(to_, text.data(), text.size());
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) {  // the ranks continue to run
        if (lost_ == 0) lost_ = errno;
        return;
      }
      text.remove_prefix(static_cast<std::size_t>(size));
    }
  }

  asio::posix::stream_descriptor from_;
  const int to_;
  int& lost_;
  LineLabels labels_;
  std::array<char, 4096> piece_;
};

struct Rank {
  int number = 0;
  pid_t pid = -1;
  std::unique_ptr<Output> out, err;
};

/// Runs in the child process. exec closes `report` when the program starts.
[[noreturn]] void become(const Job& job, const Variables& variables, bool reads_input, int report) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  if (!reads_input) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
  std::vector<char*> arguments;
  for (const std::string& one : job.program) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  const ssize_t ignored = ::write(report, &error, sizeof error);
  (void)ignored;
  ::_exit(kCannotStart);
}

/// The ranks of this host while they run.
class Processes {
 public:
  explicit Processes(const Job& job) : job_(job), signals_(io_), patience_(io_) {
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
      struct sigaction action {};
      ::sigaction(signal, nullptr, &action);
      if (signal == SIGCHLD || action.sa_handler != SIG_IGN) signals_.add(signal);
    }
  }

  JobEnd run() {
    for (std::size_t i = 0; i < job_.ranks.size() && end_.code == 0; ++i) start(i);
    await_signal();
    reap();
    io_.run();
    end_.lost_output = lost_;
    return end_;
  }

 private:
  void start(std::size_t index);
  void await_signal();
  void reap();
  void ended(Rank& rank, int status);
  void fail(JobEnd end);
  void end_all(int signal) const;
  bool all_ended() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const auto& one) { return one->pid < 0; });
  }

  const Job& job_;
  int lost_ = 0;
  asio::io_context io_;
  asio::signal_set signals_;
  asio::steady_timer patience_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  JobEnd end_;
};

void Processes::start(std::size_t index) {
  const int number = job_.first + static_cast<int>(index);
  const auto refuse = [&](int error) { fail({kCannotStart, number, error, 0}); };
  Pipe out, err, report;
  if (!make_pipe(report) || (job_.labels && (!make_pipe(out) || !make_pipe(err)))) {
    return refuse(errno);
  }
  io_.notify_fork(asio::io_context::fork_prepare);
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (job_.labels) {
      ::dup2(out.write.get(), STDOUT_FILENO);
      ::dup2(err.write.get(), STDERR_FILENO);
    }
    become(job_, job_.ranks[index], index == 0, report.write.get());
  }
  const int error = errno;
  io_.notify_fork(asio::io_context::fork_parent);
  if (pid < 0) return refuse(error);
  for (Pipe* const pipe : {&out, &err, &report}) Descriptor ends(std::move(pipe->write));
  auto rank = std::make_unique<Rank>();
  rank->number = number;
  rank->pid = pid;
  if (job_.labels) {
    const std::string label = "[" + std::to_string(number) + "] ";
    rank->out = std::make_unique<Output>(io_, std::move(out.read), STDOUT_FILENO, label, lost_);
    rank->err = std::make_unique<Output>(io_, std::move(err.read), STDERR_FILENO, label, lost_);
  }
  ranks_.push_back(std::move(rank));
  int exec_error = 0;
  ssize_t size = 0;
  while ((size = ::read(report.read.get(), &exec_error, sizeof exec_error)) < 0 && errno == EINTR) {
  }
  if (size == static_cast<ssize_t>(sizeof exec_error)) refuse(exec_error);
}

void Processes::await_signal() {
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    if (signal == SIGCHLD) {
      reap();
    } else {
      // A terminal sends its signals to the whole group; a second signal is harmless.
      if (end_.interrupted == 0) end_.interrupted = signal;
      end_all(signal);
    }
    if (!all_ended()) await_signal();
  });
}

void Processes::reap() {
  if (job_.child_changed) job_.child_changed();
  for (const auto& rank : ranks_) {
    int status = 0;
    if (rank->pid > 0 && ::waitpid(rank->pid, &status, WNOHANG) == rank->pid) ended(*rank, status);
  }
  if (!all_ended()) return;
  patience_.cancel();
  signals_.cancel();
}

void Processes::ended(Rank& rank, int status) {
  rank.pid = -1;
  if (rank.out) rank.out->drain();
  if (rank.err) rank.err->drain();
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (code != 0) fail({code, rank.number, 0, end_.interrupted});
}

// The first failure is the cause. The exit codes of ranks that are then ended do not count.
void Processes::fail(JobEnd end) {
  if (end_.code != 0) return;
  end_ = end;
  if (job_.failed) job_.failed(end_);
  end_all(SIGTERM);
  patience_.expires_after(kPatience);
  patience_.async_wait([this](const boost::system::error_code& error) {
    if (!error) end_all(SIGKILL);
  });
}

void Processes::end_all(int signal) const {
  for (const auto& rank : ranks_) {
    if (rank->pid > 0) ::kill(rank->pid, signal);
  }
}

}  // namespace

JobEnd run_job(const Job& job) { return Processes(job).run(); }

}  // namespace launch
