// SPDX-License-Identifier: Apache-2.0
#include "tests/support/share.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace support {
namespace {

/// A whole number that takes all of the text.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

bool Share::holds(std::uint64_t index, unsigned parts) const {
  const unsigned used = std::clamp(parts, 1U, of);
  return index % used == (number - 1) % used;
}

Share parse_share(const std::string& text) {
  Share result;
  const std::string_view all = text;
  const std::size_t slash = all.find('/');
  if (slash == std::string_view::npos || !read_number(all.substr(0, slash), result.number) ||
      !read_number(all.substr(slash + 1), result.of) || result.number < 1 ||
      result.number > result.of) {
    throw std::invalid_argument("ACLSIM_TEST_SHARE: '" + text + "' is no share such as 2/4");
  }
  return result;
}

const Share& share() {
  static const Share mine = [] {
    const std::string_view given = variable("ACLSIM_TEST_SHARE");
    return given.empty() ? Share{} : parse_share(std::string(given));
  }();
  return mine;
}

std::uint64_t first_seed() {
  static const std::uint64_t mine = [] {
    std::uint64_t seed = 1;
    const std::string_view given = variable("ACLSIM_TEST_SEED");
    if (!given.empty() && !read_number(given, seed)) {
      throw std::invalid_argument("ACLSIM_TEST_SEED: '" + std::string(given) + "' is no number");
    }
    return seed;
  }();
  return mine;
}

void keep_run_settings() {
  share();
  first_seed();
  for (const char* name : {"ACLSIM_TEST_SHARE", "ACLSIM_TEST_SEED", "ACLSIM_TEST_ROW"}) {
    unsetenv(name);
  }
}

Row parse_row(std::string_view text) {
  Row row;
  const std::size_t slash = std::min(text.find('/'), text.size());
  if (!read_number(text.substr(0, slash), row.index) ||
      (slash < text.size() && !read_number(text.substr(slash + 1), row.parts))) {
    throw std::invalid_argument("ACLSIM_TEST_ROW: '" + std::string(text) +
                                "' is no row such as 1 or 1/4");
  }
  return row;
}

bool row_in_share() {
  const std::string_view given = variable("ACLSIM_TEST_ROW");
  if (given.empty()) return true;
  const Row row = parse_row(given);
  return in_share(row.index, row.parts);
}

}  // namespace support
