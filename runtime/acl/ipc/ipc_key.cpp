// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/ipc/ipc_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

#include "runtime/acl/base/error.h"

namespace acl {
namespace {

constexpr std::uint32_t kMagic = 0x59454b41;  // "AKEY"
constexpr std::uint32_t kVersion = 1;

/// The content of both forms of a key, stored as bytes or as pairs of digits.
struct Record {
  std::uint32_t magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t kind = 0;
  std::uint32_t reserved = 0;
  std::uint64_t key = 0;
  std::uint64_t checksum = 0;
};
static_assert(2 * sizeof(Record) + 1 == kIpcKeyText);

std::uint64_t checksum_of(const Record& record) {
  unsigned char bytes[offsetof(Record, checksum)];
  std::memcpy(bytes, &record, sizeof bytes);
  std::uint64_t sum = 0xcbf29ce484222325;  // FNV-1a
  for (const unsigned char byte : bytes) sum = (sum ^ byte) * 0x100000001b3;
  return sum;
}

Record record_of(IpcKind kind, sim::IpcKey key) {
  Record record;
  record.kind = static_cast<std::uint32_t>(kind);
  record.key = key;
  record.checksum = checksum_of(record);
  return record;
}

sim::IpcKey key_in(const Record& record, IpcKind kind, const char* argument) {
  if (record.magic != kMagic) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is not a key that another process exported", argument);
  }
  if (record.version != kVersion) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "{} is a key of version {}; this library understands version {}", argument, record.version,
         kVersion);
  }
  if (record.checksum != checksum_of(record)) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is a damaged key", argument);
  }
  if (record.kind != static_cast<std::uint32_t>(kind)) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is a key of another kind of object ({}, expected {})",
         argument, record.kind, static_cast<std::uint32_t>(kind));
  }
  return record.key;
}

}  // namespace

std::string ipc_text_of(IpcKind kind, sim::IpcKey key) {
  const Record record = record_of(kind, key);
  unsigned char bytes[sizeof record];
  std::memcpy(bytes, &record, sizeof bytes);
  std::string text;
  for (const unsigned char byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

aclrtMemFabricHandle ipc_fabric_of(IpcKind kind, sim::IpcKey key) {
  const Record record = record_of(kind, key);
  aclrtMemFabricHandle handle{};
  std::memcpy(handle.data, &record, sizeof record);
  return handle;
}

sim::IpcKey ipc_key_of(IpcKind kind, const char* text, const char* argument) {
  const std::size_t length = strnlen(text, kIpcKeyText);
  if (length != kIpcKeyText - 1) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} has {}{} characters; a key has {}", argument,
         length < kIpcKeyText ? "" : "more than ", std::min(length, kIpcKeyText - 1),
         kIpcKeyText - 1);
  }
  unsigned char bytes[sizeof(Record)];
  for (std::size_t i = 0; i < sizeof bytes; ++i) {
    const char* const digits = text + 2 * i;
    if (std::from_chars(digits, digits + 2, bytes[i], 16).ptr != digits + 2) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "{} is no key: character {} is no hexadecimal digit",
           argument, 2 * i);
    }
  }
  Record record;
  std::memcpy(&record, bytes, sizeof record);
  return key_in(record, kind, argument);
}

sim::IpcKey ipc_key_of(IpcKind kind, const aclrtMemFabricHandle& handle, const char* argument) {
  Record record;
  std::memcpy(&record, handle.data, sizeof record);
  return key_in(record, kind, argument);
}

}  // namespace acl
