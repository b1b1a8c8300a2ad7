// SPDX-License-Identifier: Apache-2.0
// Detects the format of a file from its contents.
#pragma once

#include <string>
#include <string_view>

#include "tools/trace/formats/format_table.h"

namespace trace {

/// From the beginning of the file; nullptr: one of the JSON formats, which only json_format() can
/// distinguish. Throws InputError if the file is not a trace.
const Format* format_of(InputFile& file);

/// The format of a JSON text. Throws InputError for a JSON format that holds no schedule; the
/// message names that format and a file to give instead.
const Format& json_format(std::string_view text, const std::string& path);

/// A file found in a folder: its format, or the reason why it is not a trace.
struct Detected {
  const Format* format = nullptr;
  std::string why;
};
Detected detect(const std::string& path);

}  // namespace trace
