// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace acl::trace_output {

/// A file that grows and is complete after every write: each write ends with a tail, which the
/// next one overwrites. A pipe gets one only from `close_pipe`. The first error is printed once on
/// stderr, cuts the file after the last good write, and ends writing.
class TraceFile {
 public:
  static constexpr off_t kViewable = off_t{2} << 30;  // more than any viewer opens
  static constexpr off_t kNoLimit = INT64_MAX;

  /// `%p` in `path` becomes the process. When another living process writes it, a name with the
  /// process id is taken instead.
  explicit TraceFile(std::string path, off_t size_limit = kViewable);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  bool usable() const noexcept { return fd_ >= 0; }
  const std::string& path() const noexcept { return path_; }
  /// Why not everything was written; empty while it was.
  const std::string& problem() const noexcept { return problem_; }
  void append(std::string_view text, std::string_view tail);
  /// Cuts off the empty lines that overwrite the end of a longer tail.
  void trim() noexcept;
  /// Ends a pipe; does nothing to a file.
  void close_pipe(std::string_view tail);

 private:
  bool open_for_me();
  bool put(std::string_view text, off_t offset) noexcept;
  void give_up(const std::string& why, std::string_view tail);

  std::string path_;
  std::string problem_;
  const off_t size_limit_;
  int fd_ = -1;
  bool seekable_ = true;
  off_t end_ = 0;              // where the tail begins
  std::size_t tail_size_ = 0;  // of the tail that is in the file
  std::size_t padding_ = 0;    // of it: empty lines over the end of a longer one
};

}  // namespace acl::trace_output
