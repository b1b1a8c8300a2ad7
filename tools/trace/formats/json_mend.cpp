// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/json_mend.h"

#include <strings.h>

#include <charconv>
#include <cstring>

namespace trace {
namespace {

class Mender {
 public:
  /// A zero follows the text.
  explicit Mender(Text& text) : at_(text.bytes.data()), end_(at_ + text.size) {}

  /// Whether anything was changed.
  bool run() {
    for (bool quoted = false; at_ < end_;) {
      if (*at_ == '"') {
        quoted = !quoted;
        ++at_;
      } else if (quoted && *at_ == '\\') {
        escape();
      } else if (!quoted && is_letter(*at_)) {
        word();
      } else {
        ++at_;
      }
    }
    return changed_;
  }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  /// The number of \uXXXX; 0 if the text has none here.
  unsigned unit(const char* at) const {
    unsigned value = 0;
    if (end_ - at < 6 || at[0] != '\\' || at[1] != 'u') return 0;
    const auto [rest, error] = std::from_chars(at + 2, at + 6, value, 16);
    return error == std::errc() && rest == at + 6 ? value : 0;
  }
  static bool is_high(unsigned unit) { return unit >= 0xd800 && unit < 0xdc00; }
  static bool is_low(unsigned unit) { return unit >= 0xdc00 && unit < 0xe000; }

  void escape() {
    const unsigned first = unit(at_);
    if (is_high(first) && is_low(unit(at_ + 6))) {
      at_ += 12;
    } else if (is_high(first) || is_low(first)) {
      std::memcpy(at_ + 2, "fffd", 4);
      changed_ = true;
      at_ += 6;
    } else {
      at_ += 2;
    }
  }

  void word() {
    char* const from = at_;
    while (is_letter(*at_)) ++at_;
    const auto size = static_cast<std::size_t>(at_ - from);
    for (const std::string_view name : {"NaN", "Inf", "Infinity"}) {
      if (size != name.size() || strncasecmp(from, name.data(), size) != 0) continue;
      changed_ = changed_ || std::memcmp(from, name.data(), size) != 0;
      std::memcpy(from, name.data(), size);
    }
  }

  char* at_;
  char* const end_;
  bool changed_ = false;
};

}  // namespace

Text mend_json(const Text& text) {
  Text mended = text;
  if (!Mender(mended).run()) return {};
  return mended;
}

}  // namespace trace
