// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace acl::rtc {

/// A header that a program includes by this name.
struct Header {
  std::string name;
  std::string text;
};

/// The name of the variable that points at the kernel of the expression with this index.
std::string variable_of_name(std::size_t index);

/// The source that is compiled: the program's, followed by a variable for each expression.
std::string with_names(const std::string& source, const std::vector<std::string>& expressions);

/// A file name that the messages of the compiler show for a program of this name.
std::string file_name_of(const std::string& program);

/// Whether a header of this name can be written into a folder of the program.
bool is_header_name(const std::string& name);

/// Whether a program may give this option to the compiler; the runtime chooses which files the
/// compiler reads and writes.
bool is_option(const std::string& option);

/// The compiler's messages without the folder of temporary files.
std::string without_folder(std::string messages, const std::string& folder);

}  // namespace acl::rtc
