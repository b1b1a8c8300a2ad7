// SPDX-License-Identifier: Apache-2.0
// Which format a file has, by its content.
#pragma once

#include <string>
#include <string_view>

#include "tools/trace/files/input_file.h"

namespace trace {

/// Formats that are read, as a list for messages.
const std::string& known_formats();

/// By the beginning of the file; "json" stands for what only the whole text tells. Throws
/// InputError for what is no trace.
std::string format_of(InputFile& file);

/// Which of the JSON formats a text is. Throws InputError, which names the format and what to give
/// instead, for those that hold no schedule.
std::string json_flavour(std::string_view text, const std::string& path);

/// A file that nobody named, in a folder: its format, or why it is no trace.
struct Sighting {
  std::string format;
  std::string why;
};
Sighting sight(const std::string& path);

}  // namespace trace
