// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/device_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace acl {
namespace {

constexpr int kFirstSlot = 1;  // slot 0 of the bus is the bridge

/// Removes a hexadecimal number of at most `digits` digits from the beginning of the text, and the
/// mark after it unless the text ends there.
std::optional<int> take_number(std::string_view& text, std::size_t digits, char mark) {
  int value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  const auto length = static_cast<std::size_t>(at - text.data());
  if (error != std::errc() || length > digits || value < 0) return std::nullopt;
  text.remove_prefix(length);
  if (text.empty()) return value;
  if (text[0] != mark || text.size() == 1) return std::nullopt;
  text.remove_prefix(1);
  return value;
}

}  // namespace

std::string pci_bus_id(int physical_device) {
  const int slot = physical_device + kFirstSlot;
  return fmt::format("{:04x}:{:02x}:00.0", slot >> 8, slot & 0xff);
}

std::optional<int> device_at(std::string_view text) {
  const auto colons = std::count(text.begin(), text.end(), ':');
  if (colons != 1 && colons != 2) return std::nullopt;
  const auto domain = colons == 2 ? take_number(text, 4, ':') : 0;
  const auto bus = take_number(text, 2, ':');
  const bool has_function = text.find('.') != text.npos;
  const auto device = take_number(text, 2, '.');
  const auto function = has_function ? take_number(text, 1, '\0') : 0;
  if (!domain || !bus || !device || !function || !text.empty()) return std::nullopt;
  if (*device != 0 || *function != 0) return -1;
  return (*domain << 8 | *bus) - kFirstSlot;
}

aclrtUuid device_uuid(int physical_device) {
  static constexpr char kMachine[] = "aclsim-device";  // 13 characters
  aclrtUuid uuid{};
  std::memcpy(uuid.bytes, kMachine, 13);
  uuid.bytes[14] = static_cast<char>(physical_device >> 8);
  uuid.bytes[15] = static_cast<char>(physical_device & 0xff);
  return uuid;
}

}  // namespace acl
