// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace trace {

/// The file is not complete, because of a full disk or a closed pipe. The text names both.
class OutputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that appears only when it is complete: it is written under another name beside its place,
/// and close() moves it there. Throws std::runtime_error with the path if the system refuses to
/// create it, and OutputError if it cannot be completed.
class OutputFile {
 public:
  /// "-" is the standard output. A name that ends in ".gz" is compressed.
  explicit OutputFile(const std::string& path);
  /// Removes the file unless close() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void close();

 private:
  std::string error_text(const char* what) const;
  [[noreturn]] void fail(const char* what) const;
  [[noreturn]] void fail_to_complete() const;
  void put(const char* bytes, std::size_t size);
  void flush();
  void open_beside();

  std::string path_;
  std::string beside_;  // empty: written in place (standard output, devices, pipes)
  std::string buffer_;
  int fd_ = -1;
  void* packer_ = nullptr;  // a gzFile
};

}  // namespace trace
