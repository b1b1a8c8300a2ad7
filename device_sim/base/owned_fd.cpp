// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/owned_fd.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <string>

#include "device_sim/base/error.h"
#include "device_sim/base/files.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/uncancelled.h"

namespace sim {
namespace {

/// The descriptors that a forked child closes. Never destroyed: static objects may still close
/// files.
class Registry {
 public:
  static Registry& get() {
    static Registry* const made = [] {
      auto* const registry = new Registry;
      // Not analysed: fork calls the first function before the others, so the lock is held there.
      pthread_atfork([]() NO_THREAD_SAFETY_ANALYSIS { get().mutex_.lock(); },
                     []() NO_THREAD_SAFETY_ANALYSIS { get().mutex_.unlock(); },
                     []() NO_THREAD_SAFETY_ANALYSIS {
                       for (const int fd : get().open_) ::close(fd);
                       get().mutex_.unlock();
                     });
      return registry;
    }();
    return *made;
  }
  void add(int fd) {
    const sim::LockGuard guard(mutex_);
    open_.insert(fd);
  }
  // Closes under the lock, because the system may reuse the number at once.
  void close(int fd) {
    const Uncancelled whole;
    const sim::LockGuard guard(mutex_);
    if (open_.erase(fd) != 0) ::close(fd);
  }

 private:
  sim::Mutex mutex_;
  std::set<int> open_ GUARDED_BY(mutex_);
};

/// Programs that keep thousands of pieces of memory need more descriptors than shells allow at
/// first. True when there are more now.
bool allow_more_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

template <class Open>
int open_with_room(Open open) {
  const int fd = open();
  return fd < 0 && errno == EMFILE && allow_more_files() ? open() : fd;
}

[[noreturn]] void fail_with_errno(const char* what) {
  throw MachineError(Error::out_of_memory, std::string(what) + ": " + std::strerror(errno));
}

/// As ftruncate. Files in memory are subject to the limit of the size of files, whose signal would
/// end the program; a soft limit is lifted for the moment.
bool set_size(int fd, std::size_t bytes) {
  const auto size = static_cast<off_t>(bytes);
  files::WithoutSignals quiet;
  if (ftruncate(fd, size) == 0) return true;
  if (errno != EFBIG) return false;
  quiet.failed();
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  const rlimit lifted{limit.rlim_max, limit.rlim_max};
  if (setrlimit(RLIMIT_FSIZE, &lifted) != 0) return false;
  const bool done = ftruncate(fd, size) == 0;
  const int error = errno;
  setrlimit(RLIMIT_FSIZE, &limit);
  errno = error;
  return done;
}

[[noreturn]] void fail_to_make(std::size_t bytes) {
  if (errno != EFBIG) fail_with_errno("cannot create device memory");
  throw MachineError(Error::out_of_memory,
                     "cannot create " + std::to_string(bytes) +
                         " bytes of device memory: the limit of the size of files (ulimit -f) is "
                         "less; raise it, or configure less memory");
}

}  // namespace

OwnedFd::OwnedFd(int fd) : fd_(fd) {
  if (fd >= 0) Registry::get().add(fd);
}

void OwnedFd::reset() noexcept {
  if (fd_ >= 0) Registry::get().close(std::exchange(fd_, -1));
}

OwnedFd OwnedFd::duplicate() const {
  OwnedFd copy(open_with_room([this] { return fcntl(fd_, F_DUPFD_CLOEXEC, 0); }));
  if (!copy) fail_with_errno("cannot share memory");
  return copy;
}

OwnedFd make_memory_file(const char* name, std::size_t bytes) {
  OwnedFd file(open_with_room([&] { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }));
  // Code that maps the file relies on its size.
  if (!file || !set_size(file.get(), bytes) ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    fail_to_make(bytes);
  }
  return file;
}

}  // namespace sim
