// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace aclsim {

/// Nobody can get what a verb has to say. Not a std::runtime_error: no verb takes it for its own.
class StandardOutputError : public std::exception {
 public:
  explicit StandardOutputError(int error);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Appends to the standard output, the tool's only way to it. Throws StandardOutputError.
void put_out(std::string_view text);
/// Writes what is left. Throws StandardOutputError, also when an earlier call did.
void flush_out();

/// Writes to standard error, at once and from any thread. What is lost there is no exception, but
/// the exit code is not 0 then.
void tell(std::string_view text) noexcept;
/// Whether all of that could be written.
bool told_all() noexcept;

template <class... Values>
void print_out(fmt::format_string<Values...> format, Values&&... values) {
  put_out(fmt::format(format, std::forward<Values>(values)...));
}

/// Opens something in place of standard files that are closed; uses of it fail as before. To be
/// called before any other file is opened.
void fill_standard_files();

/// From here on a write to a closed pipe, or past the limit of a file's size, fails and does not
/// end this process. Programs that it starts are not concerned.
void let_writes_fail();

}  // namespace aclsim
