// SPDX-License-Identifier: Apache-2.0
// TLS between PEs and their store, as the program has set it before init.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/fabric/store/tls.h"

namespace shmem {

/// "tlsCert: file; tlsCaPath: folder; tlsCaFile: file,file; tlsCrlPath: folder; tlsCrlFile:
/// file; packagePath: ...". Raises ACLSHMEM_INVALID_PARAM for what is no such text or names no
/// certificate or authority.
fabric::TlsSettings parse_tls(std::string_view info);

/// Decrypts a password; nothing where it fails.
using Decrypt = std::function<std::optional<std::string>(const std::string& cipher)>;

/// As parse_tls; an empty `info`: off.
void set_tls(const std::optional<std::string>& info);
/// `password`: as it is encrypted; empty: none.
void set_tls_key(std::string key, std::string password, Decrypt decrypt);

/// What the store is to speak; null: plain text. Raises ACLSHMEM_INVALID_PARAM where the settings
/// cannot be used.
std::shared_ptr<const fabric::Tls> tls_of_store();

}  // namespace shmem
