// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/base/identity.h"

#include <sys/random.h>

#include <cerrno>
#include <vector>

#include "runtime/fabric/base/error.h"

namespace fabric {

void fill_random(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno != EINTR) {
      throw FabricError(Status::broken, "the system has no random numbers");
    }
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  while (number == 0) fill_random(std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

Identity::Nonce Identity::draw_nonce() {
  Nonce nonce;
  fill_random(nonce);
  return nonce;
}

Identity::Nonce Identity::nonce_of(std::span<const std::byte> common) { return sha256(common); }

Identity::Identity(const Nonce& nonce, std::string_view secret, Users users)
    : key_(hmac_sha256(nonce, std::as_bytes(std::span(secret)))), users_(users) {}

Digest Identity::prove(Side who, std::span<const std::byte> challenge) const {
  std::vector<std::byte> message{static_cast<std::byte>(who)};
  message.insert(message.end(), challenge.begin(), challenge.end());
  return hmac_sha256(key_, message);
}

}  // namespace fabric
