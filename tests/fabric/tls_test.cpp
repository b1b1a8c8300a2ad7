// SPDX-License-Identifier: Apache-2.0
// The store over TLS.
#include "runtime/fabric/store/tls.h"

#include "runtime/fabric/store/hosted_store.h"
#include "runtime/fabric/store/store_server.h"
#include "tests/fabric/ranks.h"
#include "tests/support/catch.h"
#include "tests/support/certificates.h"

#if ACLSIM_HAVE_OPENSSL

using namespace fabric;
using catch_compat::ContainsSubstring;
using fabrictest::soon;
using support::Certificates;

namespace {

std::shared_ptr<const Tls> tls_of(const Certificates& mine, const Certificates& believed) {
  return Tls::make({mine.certificate(), mine.key(), "", {believed.authority()}, {}});
}

Bytes bytes(std::size_t count, int value) { return Bytes(count, static_cast<std::byte>(value)); }

/// A store of this process, and a rank that joins it through TCP as one of another process does.
struct TlsStore {
  explicit TlsStore(std::shared_ptr<const Tls> of_store)
      : nonce(Identity::draw_nonce()),
        hub(std::make_shared<Hub>()),
        server(StoreServer::start(hub, Identity(nonce, ""), "127.0.0.1", 0, std::move(of_store))) {}
  std::unique_ptr<Store> join(const std::shared_ptr<const Tls>& tls) const {
    return join_tcp_store({{"127.0.0.1", server->port()}}, Identity(nonce, ""), 0, "a rank", soon(),
                          Timekeeper::real(), tls);
  }
  const Identity::Nonce nonce;
  const std::shared_ptr<Hub> hub;
  const std::shared_ptr<StoreServer> server;
};

}  // namespace

TEST_CASE("a store speaks TLS with whom it believes, and with nobody else", "[fabric][tls]") {
  const Certificates certificates;
  const Certificates others;
  if (!certificates.made()) {
    WARN("skipped: there is no openssl to make certificates with");
    return;
  }
  const auto tls = tls_of(certificates, certificates);
  const TlsStore guarded(tls);
  {
    const auto store = guarded.join(tls);
    store->set("small", bytes(3, 7));
    store->set("large", bytes(3'000'000, 9));
    CHECK(store->get("small", soon()) == bytes(3, 7));
    CHECK(store->get("large", soon()) == bytes(3'000'000, 9));
    store->leave();
  }
  CHECK_THROWS_WITH(guarded.join(nullptr), ContainsSubstring("speaks TLS"));
  CHECK_THROWS_WITH(guarded.join(tls_of(others, certificates)), ContainsSubstring("TLS failed"));
  CHECK_THROWS_WITH(guarded.join(tls_of(certificates, others)),
                    ContainsSubstring("TLS failed") && ContainsSubstring("certificate"));
  const TlsStore plain(nullptr);
  CHECK_THROWS_WITH(plain.join(tls), ContainsSubstring("TLS failed"));
}

TEST_CASE("certificates and keys that cannot be used are told", "[fabric][tls]") {
  const Certificates certificates("secret");
  if (!certificates.made()) return;
  TlsSettings settings{
      certificates.certificate(), certificates.key(), "secret", {certificates.authority()}, {}};
  CHECK_NOTHROW(Tls::make(settings));
  settings.password = "guessed";
  CHECK_THROWS_WITH(Tls::make(settings), ContainsSubstring("the private key cannot be used"));
  settings.key = "no key";
  CHECK_THROWS_WITH(Tls::make(settings), ContainsSubstring("the private key cannot be used"));
  settings.certificate = "/nowhere";
  CHECK_THROWS_WITH(Tls::make(settings), ContainsSubstring("'/nowhere' cannot be used"));
}

#endif
