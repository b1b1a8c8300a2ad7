// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/marks.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace trace {
namespace {

/// A message of a Chakra file: its length, then its first field.
struct Message {
  std::size_t next = 0;   // where the following message begins
  unsigned char tag = 0;  // of the first field
};

std::optional<Message> message_at(std::string_view text, std::size_t at) {
  std::uint64_t length = 0;
  for (int shift = 0; at < text.size() && shift < 35; shift += 7) {
    const auto byte = static_cast<unsigned char>(text[at++]);
    length |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  if (at >= text.size() || length < 2) return std::nullopt;
  return Message{at + static_cast<std::size_t>(length), static_cast<unsigned char>(text[at])};
}

bool has_known_tag(const Message& message) {
  return message.tag == 0x0a || message.tag == 0x12 || message.tag == 0x08;
}

}  // namespace

bool has(std::string_view text, std::string_view word) {
  return ::memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

bool is_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

bool begins_as_aclt(std::string_view head) {
  if (!is_json(head)) return false;
  const std::size_t first = head.find_first_of("{[");
  const std::size_t key = head.find_first_not_of(" \t", first + 1);
  return key != std::string_view::npos && head.substr(key).starts_with("\"aclt\"");
}

bool begins_as_sqlite(std::string_view head) { return head.starts_with("SQLite format 3"); }

bool has_words_of_graph_debug(std::string_view text) { return has(text, " aclGraph\""); }

bool has_words_of_ascend_timeline(std::string_view text) {
  return has(text, "\"Ascend Hardware\"") || has(text, "\"Physic Stream Id\"");
}

bool has_words_of_kineto(std::string_view text) {
  const std::string_view far = text.substr(0, kFarHead);
  return has(text.substr(0, kHead), "\"schemaVersion\"") || has(far, "\"PyTorch Profiler\"") ||
         has(far, "\"External id\"") || has(text, "\"cuda_runtime\"") ||
         has(text, "\"cuda_sync\"") || has(text, "\"gpu_memcpy\"") || has(text, "\"cpu_op\"");
}

bool resembles_chakra(std::string_view head) {
  const auto first = message_at(head, 0);
  return first && has_known_tag(*first);
}

bool is_surely_chakra(std::string_view head) {
  const auto first = message_at(head, 0);
  if (!first || first->tag != 0x0a || first->next >= head.size()) return false;
  const auto second = message_at(head, first->next);
  return second && has_known_tag(*second);
}

}  // namespace trace
