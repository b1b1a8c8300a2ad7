// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/op_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "device_sim/base/mutex.h"
#include "device_sim/base/thread.h"
#include "runtime/acl/base/error.h"

namespace acl {
namespace {

constexpr int kPatienceMs = 1000;  // with a reader, once no more records come
constexpr int kLookMs = 100;       // how often a blocked writer looks whether it shall end

int duplicate(int fd) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) fail(ACL_ERROR_INVALID_PARAM, "fd is {}, which is not an open descriptor", fd);
  return copy;
}

// The two ends of a pipe are one file, so the access mode counts too.
bool same_end(int a, int b) {
  struct stat of_a {
  }, of_b{};
  if (fstat(a, &of_a) != 0 || fstat(b, &of_b) != 0) return false;
  return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino &&
         (fcntl(a, F_GETFL) & O_ACCMODE) == (fcntl(b, F_GETFL) & O_ACCMODE);
}

}  // namespace

OpPipe::OpPipe(int fd) : source_(fd), fd_(duplicate(fd)) {
  try {  // SIGPIPE would end the process
    thread_ = sim::start_thread(sim::Signals::blocked, [this] { run(); });
  } catch (...) {
    close(fd_);
    throw;
  }
}

OpPipe::~OpPipe() {
  {
    const sim::LockGuard guard(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  close(fd_);
}

void OpPipe::close_source() const {
  if (same_end(source_, fd_)) close(source_);
}

void OpPipe::send(const OpRecord& record) {
  {
    const sim::LockGuard guard(mutex_);
    queue_.push_back(record);
  }
  changed_.notify_one();
}

void OpPipe::run() {
  sim::UniqueLock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this]() REQUIRES(mutex_) { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const OpRecord record = queue_.front();
    queue_.pop_front();
    lock.unlock();
    const bool sent = write(record);
    lock.lock();
    if (!sent) break;
  }
  // The pipe has no reader, so the records are dropped.
  while (!stopping_) {
    queue_.clear();
    changed_.wait(lock);
  }
}

bool OpPipe::write(const OpRecord& record) {
  for (int patience_ms = kPatienceMs;;) {
    pollfd ready{fd_, POLLOUT, 0};
    const int found = poll(&ready, 1, kLookMs);
    if (found > 0 && (ready.revents & (POLLERR | POLLNVAL)) != 0) return false;
    if (found > 0) {
      // A pipe that is ready takes a record at once and whole.
      const ssize_t written = ::write(fd_, &record, sizeof record);
      if (written == static_cast<ssize_t>(sizeof record)) return true;
      if (written >= 0 || (errno != EAGAIN && errno != EINTR)) return false;
    }
    const sim::LockGuard guard(mutex_);
    if (stopping_ && (patience_ms -= kLookMs) <= 0) return false;
  }
}

}  // namespace acl
