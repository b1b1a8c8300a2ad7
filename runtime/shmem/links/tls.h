// SPDX-License-Identifier: Apache-2.0
// The TLS settings of the store, which the program makes before init.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/fabric/store/tls.h"

namespace shmem {

/// "tlsCert: file; tlsCaPath: folder; tlsCaFile: file,file; tlsCrlPath: folder; tlsCrlFile: file;
/// packagePath: ...". Raises ACLSHMEM_INVALID_PARAM if the text has another form or lacks a
/// certificate or an authority.
fabric::TlsSettings parse_tls(std::string_view info);

/// Decrypts a password; returns nothing after a failure.
using Decrypt = std::function<std::optional<std::string>(const std::string& cipher)>;

/// As parse_tls; an empty `info` switches TLS off.
void set_tls(const std::optional<std::string>& info);
/// `password`: in encrypted form; empty: none.
void set_tls_key(std::string key, std::string password, Decrypt decrypt);

/// The TLS settings for the store; null: plain text. Raises ACLSHMEM_INVALID_PARAM if the settings
/// cannot be used.
std::shared_ptr<const fabric::Tls> tls_of_store();

}  // namespace shmem
