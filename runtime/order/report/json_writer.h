// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace order {

/// Writes JSON from front to back, two spaces a level. Members and elements come between an open
/// and its close; who calls keeps them paired.
class JsonWriter {
 public:
  JsonWriter& open(char bracket);  // '{' or '['
  JsonWriter& close();
  /// The name of the next member.
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(bool yes);
  JsonWriter& value(std::integral auto number) { return raw(std::to_string(number)); }

  /// A whole member. Empty texts are left out by text().
  template <class T>
  JsonWriter& member(std::string_view name, const T& what) {
    return key(name).value(what);
  }
  JsonWriter& text(std::string_view name, std::string_view text) {
    return text.empty() ? *this : member(name, text);
  }
  JsonWriter& open_member(std::string_view name, char bracket) { return key(name).open(bracket); }

  /// The text, with a newline; nothing may be open.
  std::string take();

 private:
  JsonWriter& raw(std::string_view text);
  void next();

  std::string out_;
  std::string closing_;  // brackets that are open, the innermost last
  bool first_ = true;
  bool after_key_ = false;
};

}  // namespace order
