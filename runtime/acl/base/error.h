// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "acl/acl_base.h"
#include "device_sim/base/error.h"

namespace acl {

/// A refused call: the documented code, and a text that names the argument, its value and the
/// expected values. Thrown anywhere below the C entries, which translate it at one place.
class AclError : public std::exception {
 public:
  AclError(aclError code, std::string text, const void* handle = nullptr)
      : code_(code), text_(std::move(text)), handle_(handle) {}
  aclError code() const noexcept { return code_; }
  /// The handle, if the reason is a handle that names no live object; else null.
  const void* handle() const noexcept { return handle_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  aclError code_;
  std::string text_;
  const void* handle_;
};

/// Not inlined, and the arguments by value: a call pays nothing for the texts of the errors that it
/// may end with.
template <class... Args>
[[noreturn, gnu::noinline, gnu::cold]] void fail(aclError code, fmt::format_string<Args...> format,
                                                 Args... args) {
  throw AclError(code, fmt::vformat(format, fmt::make_format_args(args...)));
}

/// The same where `handle` names no live object of the kind.
template <class... Args>
[[noreturn, gnu::noinline, gnu::cold]] void fail_for_handle(const void* handle, aclError code,
                                                            fmt::format_string<Args...> format,
                                                            Args... args) {
  throw AclError(code, fmt::vformat(format, fmt::make_format_args(args...)), handle);
}

/// The code that a synchronise reports for a task that failed.
aclError code_of(sim::Failure failure) noexcept;
/// The code of a synchronous error of the machine.
aclError code_of(sim::Error error) noexcept;
/// A failure of a task in words.
std::string text_of(sim::Failure failure);
/// A failure that a synchronise reports with this code and text. The last few thousand are kept.
sim::Failure make_failure(aclError code, std::string text);
/// Registers the function that returns the text of an injected fault.
void describe_faults(std::string (*text_of_fault)(std::uint16_t number));

}  // namespace acl
