// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/trace_file.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"
#include "runtime/trace/no_cancel.h"

namespace acl::trace_output {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

/// "run.aclt.jsonl" -> "run.1234.aclt.jsonl".
std::string with_process_id(const std::filesystem::path& path) {
  constexpr std::string_view kNative = ".aclt.jsonl";
  const std::string name = path.filename().string();
  const std::string end =
      name.ends_with(kNative) ? std::string(kNative) : path.extension().string();
  std::filesystem::path other = path;
  other.replace_filename(
      fmt::format("{}.{}{}", name.substr(0, name.size() - end.size()), ::getpid(), end));
  return other.string();
}

std::string named_for_process(std::string path) {
  for (std::size_t at = 0; (at = path.find("%p", at)) != std::string::npos;) {
    path.replace(at, 2, std::to_string(::getpid()));
  }
  return path;
}

}  // namespace

TraceFile::TraceFile(std::string path, off_t size_limit)
    : path_(named_for_process(std::move(path))), size_limit_(size_limit) {
  if (!open_for_me()) {
    path_ = with_process_id(path_);
    if (!open_for_me()) give_up(reason(EWOULDBLOCK), {});
  }
  if (fd_ < 0) return;
  struct stat info {};
  const bool regular = ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
  seekable_ = ::lseek(fd_, 0, SEEK_CUR) >= 0;
  if (regular && ::ftruncate(fd_, 0) != 0) give_up(reason(errno), {});
}

TraceFile::~TraceFile() {
  if (fd_ >= 0) ::close(fd_);
}

/// False: a living process holds the file. Any other error is printed by this function.
bool TraceFile::open_for_me() {
  fd_ = sim::open_output(path_, O_WRONLY | O_CREAT);  // not yet cut: see below
  if (fd_ < 0) {
    give_up(sim::output_error(errno), {});
    return true;
  }
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
  ::close(std::exchange(fd_, -1));
  return false;
}

bool TraceFile::put(std::string_view text, off_t offset) noexcept {
  const NoCancel no_cancel;
  sim::files::WithoutSignals quiet;
  while (!text.empty()) {
    const ssize_t written = seekable_ ? ::pwrite(fd_, text.data(), text.size(), offset)
                                      : ::write(fd_, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      quiet.failed();
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
    offset += written;
  }
  return true;
}

void TraceFile::append(std::string_view text, std::string_view tail) {
  if (fd_ < 0) return;
  if (!seekable_) {
    if (!put(text, 0)) give_up(reason(errno), {});
    return;
  }
  if (static_cast<off_t>(text.size()) > size_limit_ - end_) return give_up("2 GiB are full", tail);
  std::string whole;
  whole.reserve(text.size() + tail.size() + tail_size_);
  whole.append(text).append(tail);
  if (whole.size() < tail_size_) whole.append(tail_size_ - whole.size(), '\n');
  if (!put(whole, end_)) return give_up(reason(errno), tail);
  end_ += static_cast<off_t>(text.size());
  tail_size_ = whole.size() - text.size();
  padding_ = tail_size_ - tail.size();
}

void TraceFile::trim() noexcept {
  if (fd_ < 0 || !seekable_) return;
  // If this fails, empty lines remain.
  if (::ftruncate(fd_, end_ + static_cast<off_t>(tail_size_ - padding_)) != 0) return;
  tail_size_ -= std::exchange(padding_, 0);
}

void TraceFile::close_pipe(std::string_view tail) {
  if (fd_ < 0 || seekable_) return;
  if (!put(tail, 0)) return give_up(reason(errno), {});
  ::close(std::exchange(fd_, -1));
}

void TraceFile::give_up(const std::string& why, std::string_view tail) {
  std::fputs(fmt::format("aclsim: trace {}: {}; no more of it is written\n", path_, why).c_str(),
             stderr);
  sim::report_lost_output(fmt::format("{}: {}", path_, why));
  problem_ = why;
  if (fd_ < 0) return;
  // The room that the tail needs was in the file before.
  if (seekable_ && end_ > 0 && ::ftruncate(fd_, end_) == 0) put(tail, end_);
  ::close(std::exchange(fd_, -1));
}

}  // namespace acl::trace_output
