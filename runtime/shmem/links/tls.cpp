// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/tls.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/error.h"
#include "runtime/shmem/base/error.h"

namespace shmem {
namespace {

constexpr std::size_t kMostInfo = std::size_t{10} << 10;
constexpr std::size_t kMostCipher = std::size_t{10} << 20;

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// Splits the text at separators and drops empty items.
std::vector<std::string> items(std::string_view text, char separator) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (const auto item = trimmed(text.substr(0, end)); !item.empty()) all.emplace_back(item);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

using Entries = std::map<std::string, std::string, std::less<>>;

Entries entries_of(std::string_view info) {
  constexpr std::string_view kKnown[] = {"tlsCert",   "tlsCrlPath", "tlsCaPath",
                                         "tlsCaFile", "tlsCrlFile", "packagePath"};
  Entries entries;
  for (const std::string& item : items(info, ';')) {
    const std::size_t colon = item.find(':');
    const std::string key(trimmed(std::string_view(item).substr(0, colon)));
    const bool known = std::find(std::begin(kKnown), std::end(kKnown), key) != std::end(kKnown);
    if (colon == std::string::npos || !known) {
      fail(ACLSHMEM_INVALID_PARAM,
           "tls_info has '{}'; expected 'key: value; ...' with tlsCert, tlsCaPath, tlsCaFile, "
           "tlsCrlPath, tlsCrlFile and packagePath",
           item);
    }
    entries[key] = trimmed(std::string_view(item).substr(colon + 1));
  }
  return entries;
}

/// The files of a list. Relative names are in the folder of `folder`.
std::vector<std::string> files_of(const Entries& entries, const char* folder, const char* list) {
  const auto of = [&](const char* key) {
    const auto it = entries.find(key);
    return it == entries.end() ? std::string() : it->second;
  };
  std::vector<std::string> files = items(of(list), ',');
  const std::string where = of(folder);
  for (std::string& file : files) {
    if (file.front() != '/' && !where.empty()) file.insert(0, where + "/");
  }
  return files;
}

struct TlsConfiguration {
  sim::Mutex mutex;
  std::optional<fabric::TlsSettings> settings GUARDED_BY(mutex);
  std::string key GUARDED_BY(mutex);
  std::string password GUARDED_BY(mutex);  // encrypted
  Decrypt decrypt GUARDED_BY(mutex);
};

TlsConfiguration& configuration() {
  static auto* const all = new TlsConfiguration;  // programs call in until the process exits
  return *all;
}

std::string plain_password(const std::string& cipher, const Decrypt& decrypt) {
  if (cipher.empty()) return {};
  if (cipher.size() > kMostCipher) {
    fail(ACLSHMEM_INVALID_PARAM,
         "the password of the private key has {} bytes; expected at most {}", cipher.size(),
         kMostCipher);
  }
  if (!decrypt) {
    fail(ACLSHMEM_INVALID_PARAM,
         "the private key has a password, and nobody decrypts it; expected a decrypt handler");
  }
  const auto plain = decrypt(cipher);
  if (!plain) fail(ACLSHMEM_INVALID_PARAM, "the decrypt handler has failed");
  return *plain;
}

}  // namespace

fabric::TlsSettings parse_tls(std::string_view info) {
  if (info.size() > kMostInfo) {
    fail(ACLSHMEM_INVALID_PARAM, "tls_info has {} bytes; expected at most {}", info.size(),
         kMostInfo);
  }
  const Entries entries = entries_of(info);
  fabric::TlsSettings settings;
  if (const auto it = entries.find("tlsCert"); it != entries.end())
    settings.certificate = it->second;
  settings.authorities = files_of(entries, "tlsCaPath", "tlsCaFile");
  settings.revoked = files_of(entries, "tlsCrlPath", "tlsCrlFile");
  if (settings.certificate.empty()) {
    fail(ACLSHMEM_INVALID_PARAM, "tls_info names no certificate; expected tlsCert: FILE");
  }
  if (settings.authorities.empty()) {
    fail(ACLSHMEM_INVALID_PARAM, "tls_info names no authority; expected tlsCaFile: FILE,...");
  }
  return settings;
}

void set_tls(const std::optional<std::string>& info) {
  std::optional<fabric::TlsSettings> settings;
  if (info) settings = parse_tls(*info);
  const sim::LockGuard guard(configuration().mutex);
  configuration().settings = std::move(settings);
}

void set_tls_key(std::string key, std::string password, Decrypt decrypt) {
  const sim::LockGuard guard(configuration().mutex);
  configuration().key = std::move(key);
  configuration().password = std::move(password);
  configuration().decrypt = std::move(decrypt);
}

// The lock is not held while the program's handler is called.
std::shared_ptr<const fabric::Tls> tls_of_store() {
  fabric::TlsSettings settings;
  std::string password;
  Decrypt decrypt;
  {
    const sim::LockGuard guard(configuration().mutex);
    if (!configuration().settings) return nullptr;
    settings = *configuration().settings;
    settings.key = configuration().key;
    password = configuration().password;
    decrypt = configuration().decrypt;
  }
  if (settings.key.empty()) {
    fail(ACLSHMEM_INVALID_PARAM,
         "TLS is on and there is no private key; call aclshmemx_set_config_store_tls_key");
  }
  settings.password = plain_password(password, decrypt);
  try {
    return fabric::Tls::make(settings);
  } catch (const fabric::FabricError& error) {
    fail(ACLSHMEM_INVALID_PARAM, "{}", error.what());
  }
}

}  // namespace shmem
