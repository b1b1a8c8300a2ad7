// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/output/output.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace aclsim {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::uint64_t kShown = 80;  // characters of a line that are shown

struct TextPosition {
  std::uint64_t byte = 0;  // from 0
  std::uint64_t line = 1;
  std::uint64_t line_start = 0;
};

void pass(TextPosition& position, const std::string& block, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    ++position.byte;
    if (block[i] != '\n') continue;
    ++position.line;
    position.line_start = position.byte;
  }
}

/// The first position at which the two differ: possibly at the end of one or of both.
TextPosition common_start(const Output& one, const Output& other) {
  TextPosition position;
  for (;;) {
    const std::string a = one.part(position.byte, kBlock);
    const std::string b = other.part(position.byte, kBlock);
    const std::size_t both = std::min(a.size(), b.size());
    const auto differs =
        std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(both), b.begin()).first -
        a.begin();
    pass(position, a, static_cast<std::size_t>(differs));
    if (static_cast<std::size_t>(differs) < both || a.size() != b.size() || both == 0)
      return position;
  }
}

/// The part of the line around that position that is shown.
std::string shown(const Output& output, const TextPosition& position) {
  if (position.line_start >= output.size()) return "(end)";
  const std::uint64_t within = position.byte - position.line_start;
  const std::uint64_t skipped = within > kShown / 2 ? within - kShown / 2 : 0;
  std::string text = output.part(position.line_start + skipped, kShown);
  text.resize(std::min(text.find('\n'), text.size()));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  }
  return (skipped > 0 ? "..." : "") + text;
}

}  // namespace

Output::Output(const char* name) : fd_(::memfd_create(name, MFD_CLOEXEC)) {
  if (fd_ < 0) throw std::runtime_error(fmt::format("memfd_create: {}", std::strerror(errno)));
}

Output::~Output() { ::close(fd_); }

std::uint64_t Output::size() const {
  struct stat info {};
  ::fstat(fd_, &info);
  return static_cast<std::uint64_t>(info.st_size);
}

std::string Output::part(std::uint64_t from, std::size_t most) const {
  const std::uint64_t all = size();
  std::string text(from < all ? std::min<std::uint64_t>(most, all - from) : 0, '\0');
  const ssize_t read = ::pread(fd_, text.data(), text.size(), static_cast<off_t>(from));
  text.resize(read > 0 ? static_cast<std::size_t>(read) : 0);
  return text;
}

std::string Output::tail(std::size_t most) const {
  const std::uint64_t all = size();
  return part(all > most ? all - most : 0, most);
}

bool Output::contains(const std::string& text) const {
  const std::uint64_t all = size();
  for (std::uint64_t at = 0; at < all; at += kBlock) {
    // Reads beyond the block to find a text that crosses its end.
    if (part(at, kBlock + text.size()).find(text) != std::string::npos) return true;
  }
  return false;
}

std::uint64_t Output::lines() const {
  const std::uint64_t all = size();
  std::uint64_t count = 0;
  for (std::uint64_t at = 0; at < all; at += kBlock) {
    const std::string block = part(at, kBlock);
    count += static_cast<std::uint64_t>(std::count(block.begin(), block.end(), '\n'));
  }
  return count + (all > 0 && tail(1) != "\n" ? 1 : 0);
}

std::string first_difference(const Output& one, const Output& other) {
  const TextPosition position = common_start(one, other);
  if (position.byte == one.size() && position.byte == other.size()) return "";
  const std::string was = shown(one, position);
  const std::string is = shown(other, position);
  if (was == is)
    return fmt::format("at the end of line {}, byte {}", position.line, position.byte + 1);
  return fmt::format("in line {}: '{}' instead of '{}'", position.line, is, was);
}

}  // namespace aclsim
