// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/files/raw_json.h"

#include <rapidjson/error/en.h>

#include <stdexcept>

namespace trace {
namespace {

/// A text in a buffer of its own, whose escapes are resolved in place.
struct OneText : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, OneText> {
  std::string_view text;
  bool Default() { return false; }
  bool String(const char* at, rapidjson::SizeType size, bool) {
    text = {at, size};
    return true;
  }
};

}  // namespace

void raw_json_broken(const char* what) {
  throw std::logic_error(std::string("RapidJSON: not true: ") + what);
}

std::string problem_of(const rapidjson::ParseResult& result, const char* refused) {
  if (result.Code() == rapidjson::kParseErrorTermination) return refused;
  // It calls everything empty that does not begin with a value.
  if (result.Code() == rapidjson::kParseErrorDocumentEmpty) return "no value";
  std::string text = rapidjson::GetParseError_En(result.Code());
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string_view Unescaped::resolve(std::string_view raw) {
  if (raw.find('\\') == std::string_view::npos) return raw;
  std::string& buffer = texts_.emplace_back();
  buffer.reserve(raw.size() + 2);
  buffer.append(1, '"').append(raw).append(1, '"');
  rapidjson::InsituStringStream stream(buffer.data());
  rapidjson::Reader reader;
  OneText text;
  if (!reader.Parse<rapidjson::kParseInsituFlag>(stream, text)) raw_json_broken("a text");
  return text.text;
}

}  // namespace trace
