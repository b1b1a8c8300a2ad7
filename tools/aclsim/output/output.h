// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace aclsim {

/// The complete stdout or stderr of a run, in a file in memory that the object owns.
class Output {
 public:
  /// Throws std::runtime_error if the file cannot be created.
  explicit Output(const char* name);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// The descriptor to which the run writes.
  int fd() const noexcept { return fd_; }
  std::uint64_t size() const;
  /// Up to `most` bytes from offset `from` on; fewer at the end.
  std::string part(std::uint64_t from, std::size_t most) const;
  std::string tail(std::size_t most) const;
  bool contains(const std::string& text) const;
  /// The number of lines. A last line without a line break counts.
  std::uint64_t lines() const;

 private:
  int fd_;
};

/// Describes the first difference of `other` from `one`; empty if they are equal.
std::string first_difference(const Output& one, const Output& other);

}  // namespace aclsim
