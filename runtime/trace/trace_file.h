// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace acl::trace {

/// A file that grows and is complete after every write: each write ends with a tail, which the
/// next one overwrites. A pipe gets one only from `close_pipe`. The first error is told once on
/// stderr, cuts the file after the last good write, and ends writing.
class TraceFile {
 public:
  /// When another living process writes `path`, a name with the process id is taken instead.
  explicit TraceFile(std::string path);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  bool usable() const noexcept { return fd_ >= 0; }
  const std::string& path() const noexcept { return path_; }
  void append(std::string_view text, std::string_view tail);
  /// Ends a pipe; does nothing to a file.
  void close_pipe(std::string_view tail);

 private:
  bool open_for_me();
  bool put(std::string_view text, off_t offset) noexcept;
  void give_up(const std::string& why, std::string_view tail);

  std::string path_;
  int fd_ = -1;
  bool seekable_ = true;
  off_t end_ = 0;              // where the tail begins
  std::size_t tail_size_ = 0;  // of the tail that is in the file
};

}  // namespace acl::trace
