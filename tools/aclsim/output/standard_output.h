// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace aclsim {

/// The standard output cannot be written. Not a std::runtime_error, so that verbs do not catch it
/// as an error of their own.
class StandardOutputError : public std::exception {
 public:
  explicit StandardOutputError(int error);
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Appends to the standard output; the tool writes to it only through this function. Throws
/// StandardOutputError.
void put_out(std::string_view text);
/// Writes the buffered text. Throws StandardOutputError, also if an earlier call threw it.
void flush_out();

/// Writes to standard error immediately; any thread may call it. A failed write throws no exception
/// but makes the exit code nonzero.
void tell(std::string_view text) noexcept;
/// Whether standard error received the text of all calls.
bool told_all() noexcept;

template <class... Values>
void print_out(fmt::format_string<Values...> format, Values&&... values) {
  put_out(fmt::format(format, std::forward<Values>(values)...));
}

/// Opens a replacement for each closed standard file; reads and writes fail as before. To be called
/// before any other file is opened.
void fill_standard_files();

/// Makes writes to a closed pipe, or beyond the size limit of a file, fail instead of ending this
/// process. Child processes are not affected.
void let_writes_fail();

}  // namespace aclsim
