// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/trace/files/input_error.h"

namespace trace {

/// Room that the JSON parser may read past the end of a text.
inline constexpr std::size_t kPadding = 64;

/// Called with the number of bytes of a file that have been read, and its size (0: unknown).
using Watch = std::function<void(std::uint64_t bytes, std::uint64_t size)>;

/// The most bytes, inflated, that are read from a pipe or a terminal.
inline constexpr std::size_t kMostOfPipe = std::size_t{4000} << 20;

/// A file as bytes, inflated when it is gzip. Throws InputError.
class InputFile {
 public:
  /// A regular file, /dev/null or a pipe; "-" is the standard input, which may be a terminal too.
  /// A named pipe must have a writer within a few seconds.
  explicit InputFile(const std::string& path, Watch watch = {},
                     std::size_t most_of_pipe = kMostOfPipe);
  /// These bytes, as they are, under that name.
  InputFile(std::string name, std::string bytes)
      : path_(std::move(name)), ahead_(std::move(bytes)) {}
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads up to `size` bytes; 0 at the end.
  std::size_t read(char* to, std::size_t size);
  /// The next bytes, at most `size`; read() returns them again.
  std::string_view peek(std::size_t size);
  const std::string& path() const { return path_; }
  /// Replaces the function that is called with the progress.
  void watch(Watch watch) { watch_ = std::move(watch); }
  /// The size of the file, packed or not; 0: unknown.
  std::size_t size() const { return static_cast<std::size_t>(size_); }
  /// Whether the file of that name holds the bytes as they are read.
  bool plain() const;

 private:
  std::size_t inflate(char* to, std::size_t size);

  std::string path_;
  Watch watch_;
  std::uint64_t size_ = 0;  // of the file, packed or not
  bool regular_ = false;
  std::size_t inflated_ = 0;
  std::size_t most_of_pipe_ = kMostOfPipe;
  void* file_ = nullptr;  // a gzFile
  std::string ahead_;     // read already, not yet returned
};

/// Memory for bytes that are written before they are read: large ones need no zeros.
template <class T>
struct Unset : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Unset<U>;
  };
  void construct(T*) {}
  template <class... Args>
  void construct(T* at, Args&&... args) {
    std::construct_at(at, std::forward<Args>(args)...);
  }
};

/// A whole file with kPadding zeros after it.
struct Text {
  std::vector<char, Unset<char>> bytes;
  std::size_t size = 0;
  std::string_view view() const { return {bytes.data(), size}; }
};
/// Throws InputError above `limit` bytes.
Text read_all(InputFile& file, std::size_t limit = std::size_t{4000} << 20);

/// The text without the byte order mark that some editors write.
inline std::string_view without_bom(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

/// The lines of a file, one after the other; after each come a zero and kPadding bytes that may
/// be read.
class LineReader {
 public:
  explicit LineReader(InputFile& file) : file_(file) {}

  /// The next line without its end; nothing at the end of the file. Valid until the next call.
  std::optional<std::string_view> next();
  /// The number of the last line, from 1.
  std::uint32_t number() const { return number_; }
  /// Whether the last line had an end; a run that was killed leaves one without.
  bool ended() const { return ended_; }

 private:
  bool refill();

  InputFile& file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of the bytes that were not returned yet
  std::size_t end_ = 0;
  std::uint32_t number_ = 0;
  bool ended_ = true;
  bool eof_ = false;
};

}  // namespace trace
