// SPDX-License-Identifier: Apache-2.0
// Functions for files that a program or its user names. They never wait when they open a file, and
// never read without end. All of them are in this header, so that code without the machine can use
// them too.
#pragma once

#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace sim {

/// Why a file is not taken, in a few words: "a named pipe", "No such file or directory".
class FileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The limit for files of text: settings, suppressions, topologies, reports.
inline constexpr std::size_t kMostText = std::size_t{256} << 20;

enum class Pipes { refused, allowed };

namespace files {

[[noreturn]] inline void fail_with_errno() {
  throw FileError(std::generic_category().message(errno));
}

/// A description of a path that is not a file of bytes, such as a directory. Null for a regular
/// file and the null device, and for pipes and sockets if `pipes` allows them.
inline const char* obstacle(const struct stat& info, Pipes pipes) noexcept {
  const bool null_device = S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3);
  const bool allowed = pipes == Pipes::allowed;
  if (S_ISREG(info.st_mode) || null_device) return nullptr;
  if (S_ISFIFO(info.st_mode)) return allowed ? nullptr : "a pipe";
  if (S_ISSOCK(info.st_mode)) return allowed ? nullptr : "a socket";
  return S_ISDIR(info.st_mode) ? "a folder" : "a device";
}

/// Whether the kernel generates the contents of the file. Such files look like regular files, but a
/// read may wait or never reach the end.
inline bool is_of_kernel(int fd) noexcept {
  struct statfs info {};
  if (fstatfs(fd, &info) != 0) return false;
  constexpr unsigned long kSystems[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC,        DEBUGFS_MAGIC,
                                        TRACEFS_MAGIC,    CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
                                        SECURITYFS_MAGIC};
  return std::find(std::begin(kSystems), std::end(kSystems),
                   static_cast<unsigned long>(info.f_type)) != std::end(kSystems);
}

class Closed {
 public:
  explicit Closed(int fd) noexcept : fd_(fd) {}
  ~Closed() {
    if (fd_ >= 0) ::close(fd_);
  }
  Closed(const Closed&) = delete;
  Closed& operator=(const Closed&) = delete;
  int get() const noexcept { return fd_; }
  int give_away() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// Throws FileError if is_of_kernel or obstacle applies to the file.
inline void require_input(int fd, Pipes pipes) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) fail_with_errno();
  if (const char* const what = obstacle(info, pipes)) throw FileError(what);
  if (S_ISREG(info.st_mode) && is_of_kernel(fd)) throw FileError("a file of the kernel");
}

/// While it lives, a write of this thread that meets a closed pipe or a limit of the size of files
/// fails, and raises no signal: the program whose process this is would end.
class WithoutSignals {
 public:
  WithoutSignals() noexcept {
    ::sigemptyset(&ours_);
    for (const int signal : {SIGPIPE, SIGXFSZ}) ::sigaddset(&ours_, signal);
    sigset_t pending;
    ::sigpending(&pending);
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
      if (::sigismember(&pending, signal) == 1) ::sigdelset(&ours_, signal);  // it came before
    }
    ::pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  ~WithoutSignals() {
    const int error = errno;
    const timespec none{};
    while (failed_ && ::sigtimedwait(&ours_, nullptr, &none) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;
  /// A write has failed, so one of them may be pending.
  void failed() noexcept { failed_ = true; }

 private:
  sigset_t ours_;
  sigset_t before_;
  bool failed_ = false;
};

}  // namespace files

/// Opens a file for reading: a regular one, /dev/null, which is empty, and where allowed a pipe,
/// which is then in non-blocking mode. Everything else is refused before it is opened: to open a
/// device may do something. Throws FileError. The caller closes the descriptor.
inline int open_input(const std::string& path, Pipes pipes = Pipes::refused) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) files::fail_with_errno();
  if (const char* const what = files::obstacle(info, pipes)) throw FileError(what);
  // It may be another one by now, so a pipe must not hold up the open either.
  files::Closed file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) files::fail_with_errno();
  files::require_input(file.get(), pipes);
  return file.give_away();
}

/// Throws FileError if open_input would, as far as this is known without opening a pipe. (To open
/// and close a pipe would make its writer fail.)
inline void require_input(const std::string& path, Pipes pipes) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) files::fail_with_errno();
  if (!S_ISFIFO(info.st_mode) || pipes == Pipes::refused) {
    const files::Closed file(open_input(path, pipes));
  } else if (::access(path.c_str(), R_OK) != 0) {
    files::fail_with_errno();
  }
}

/// The bytes of a regular file, or none of /dev/null. Throws FileError, also above `most` bytes.
inline std::string read_file(const std::string& path, std::size_t most = kMostText) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  const files::Closed file(open_input(path));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) files::fail_with_errno();
  const auto too_much = [most] {
    return FileError("more than " + std::to_string(most >> 20) + " MiB");
  };
  if (static_cast<std::size_t>(info.st_size) > most) throw too_much();
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(info.st_size) + kPiece);
  for (;;) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kPiece);
    const ssize_t got = ::read(file.get(), bytes.data() + size, kPiece);
    bytes.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return bytes;
    if (got < 0 && errno != EINTR) files::fail_with_errno();
    if (bytes.size() > most) throw too_much();  // it grows
  }
}

/// open() for writing. If a pipe has no reader, fails with ENXIO instead of waiting. Later writes
/// may wait as usual.
inline int open_output(const std::string& path, int flags) noexcept {
  const int fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
  if (fd >= 0) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd;
}

/// Writes all bytes. Returns 0, or the errno of the call that failed.
inline int write_all(int fd, std::string_view bytes) noexcept {
  files::WithoutSignals quiet;
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      quiet.failed();
      return done < 0 ? errno : EIO;
    }
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

/// Replaces the contents of a file. Returns 0, or the errno of the call that failed.
inline int write_file(const std::string& path, std::string_view bytes) noexcept {
  files::Closed file(open_output(path, O_WRONLY | O_CREAT | O_TRUNC));
  if (file.get() < 0) return errno;
  const int error = write_all(file.get(), bytes);
  const bool closed = ::close(file.give_away()) == 0;
  return error != 0 || closed ? error : errno;
}

/// Empties a file that is about to be written, so that old contents are not mistaken for new ones.
/// Returns 0, or the errno of the call that failed. Pipes and devices stay unchanged.
inline int clear_output(const std::string& path) noexcept {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return ::access(path.c_str(), W_OK) == 0 ? 0 : errno;
  }
  return write_file(path, {});
}

/// Why a file could not be written, by its errno.
inline std::string output_error(int error) {
  return error == ENXIO ? "nobody reads from the pipe" : std::generic_category().message(error);
}

}  // namespace sim
