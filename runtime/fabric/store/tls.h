// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/fabric/base/bytes.h"

namespace fabric {

/// What a process shows by TLS, and whom it believes. Files are PEM.
struct TlsSettings {
  std::string certificate;               // a file, with the chain behind it
  std::string key;                       // the text
  std::string password;                  // of the key; empty: none
  std::vector<std::string> authorities;  // files
  std::vector<std::string> revoked;      // files of lists
};

/// One connection, as bytes that go in and out of it. One thread at a time. All of it throws
/// FabricError(refused) with what OpenSSL says when the other side speaks no TLS, or is not
/// believed.
class TlsSession {
 public:
  virtual ~TlsSession() = default;
  /// What came from the other side.
  virtual void take(std::span<const std::byte> bytes) = 0;
  /// What goes to the other side now.
  virtual Bytes to_send() = 0;
  /// Whether both sides have shown who they are, as far as this one can know: before, nothing is
  /// written.
  virtual bool open() const noexcept = 0;
  virtual void write(std::span<const std::byte> plain) = 0;
  /// What the other side has written.
  virtual Bytes read() = 0;
};

/// TLS 1.3 by OpenSSL; both sides show a certificate. Any thread.
class Tls {
 public:
  /// Throws FabricError: invalid for files and keys that cannot be used, broken where there is no
  /// OpenSSL.
  static std::shared_ptr<const Tls> make(const TlsSettings& settings);
  virtual ~Tls() = default;
  enum class Side { store, rank };
  virtual std::unique_ptr<TlsSession> begin(Side side) const = 0;
};

}  // namespace fabric
