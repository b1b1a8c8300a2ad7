// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace aclsim {

/// What a run wrote to stdout or stderr, all of it: a file in memory that goes with its object.
class Output {
 public:
  /// Throws std::runtime_error when there is no room for one.
  explicit Output(const char* name);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Where the run writes.
  int fd() const noexcept { return fd_; }
  std::uint64_t size() const;
  /// Less at the end.
  std::string part(std::uint64_t from, std::size_t most) const;
  std::string tail(std::size_t most) const;
  bool contains(const std::string& text) const;
  /// A last one without an end counts.
  std::uint64_t lines() const;

 private:
  int fd_;
};

/// Where `other` differs first, in words for people; empty when it does not.
std::string first_difference(const Output& one, const Output& other);

}  // namespace aclsim
