// SPDX-License-Identifier: Apache-2.0
// Marks in the contents of files by which the formats are recognised.
#pragma once

#include <string_view>

namespace trace {

/// Number of bytes at the beginning of a file in which detection looks for a mark.
inline constexpr std::size_t kHead = 4096;
/// Number of bytes at the beginning of a JSON text in which detection looks for the words of a
/// trace.
inline constexpr std::size_t kFarHead = std::size_t{1} << 20;

/// string_view::find() for long texts: it does not stop at each character that `word` begins with.
bool has(std::string_view text, std::string_view word);

bool is_json(std::string_view head);
bool begins_as_aclt(std::string_view head);
bool begins_as_sqlite(std::string_view head);

/// Each of these takes a whole JSON text.
bool has_words_of_graph_debug(std::string_view text);
bool has_words_of_ascend_timeline(std::string_view text);
bool has_words_of_kineto(std::string_view text);

/// Chakra files have no mark: they begin with a message whose first field is 1 (version or id) or
/// 2.
bool resembles_chakra(std::string_view head);
/// Stricter: a message with metadata is followed by a message with a node.
bool is_surely_chakra(std::string_view head);

}  // namespace trace
