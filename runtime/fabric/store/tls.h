// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/fabric/base/bytes.h"

namespace fabric {

/// The certificate that a process presents, and the authorities that it trusts. Files are in PEM
/// format.
struct TlsSettings {
  std::string certificate;               // a file that holds the certificate and then its chain
  std::string key;                       // the key in PEM format
  std::string password;                  // of the key; empty: none
  std::vector<std::string> authorities;  // files of authorities
  std::vector<std::string> revoked;      // files of revocation lists
};

/// One TLS connection without a socket: it consumes received bytes and produces bytes to send. One
/// thread at a time. All functions throw FabricError(refused), with OpenSSL's text, if the other
/// side does not speak TLS or is not trusted.
class TlsSession {
 public:
  virtual ~TlsSession() = default;
  /// Consumes received bytes.
  virtual void take(std::span<const std::byte> bytes) = 0;
  /// Returns the bytes to send now.
  virtual Bytes to_send() = 0;
  /// Whether the handshake is complete on this side. Nothing may be written before.
  virtual bool open() const noexcept = 0;
  virtual void write(std::span<const std::byte> plain) = 0;
  /// Returns the decrypted data.
  virtual Bytes read() = 0;
};

/// TLS 1.3 by OpenSSL. Both sides present a certificate. Any thread.
class Tls {
 public:
  /// Throws FabricError: invalid for files and keys that cannot be used, broken if OpenSSL is not
  /// installed.
  static std::shared_ptr<const Tls> make(const TlsSettings& settings);
  virtual ~Tls() = default;
  enum class Side { store, rank };
  virtual std::unique_ptr<TlsSession> begin(Side side) const = 0;
};

}  // namespace fabric
