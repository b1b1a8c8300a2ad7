// SPDX-License-Identifier: Apache-2.0
// PEs whose store speaks TLS, and settings that cannot be used.
#include <fstream>
#include <iterator>

#include "tests/shmem/world.h"
#include "tests/support/certificates.h"

using namespace shmemtest;
using catch_compat::ContainsSubstring;
using support::Certificates;

namespace {

/// The "cipher" of these tests: a letter followed by the password.
int decrypt(const char* cipher, std::size_t length, char* plain, std::size_t& room) {
  if (length < 2 || length >= room || cipher[0] != 'x') return -1;
  std::memcpy(plain, cipher + 1, length - 1);
  room = length - 1;
  return 0;
}

int set_tls(const std::string& info) {
  return aclshmemx_set_conf_store_tls(true, info.c_str(), static_cast<std::uint32_t>(info.size()));
}

int set_key(const std::string& key, const std::string& password,
            aclshmem_decrypt_handler handler = decrypt) {
  return aclshmemx_set_config_store_tls_key(key.c_str(), static_cast<std::uint32_t>(key.size()),
                                            password.c_str(),
                                            static_cast<std::uint32_t>(password.size()), handler);
}

std::string info_of(const std::string& certificate, const std::string& authority) {
  return fmt::format("tlsCert: {}; tlsCaFile: {};", certificate, authority);
}

/// A PE of a job as TEST_CERTIFICATE, TEST_KEY, TEST_AUTHORITY say.
void use_tls() {
  const auto variable = support::environment_variable;
  if (variable("TEST_CERTIFICATE").empty()) return;
  std::ifstream file(variable("TEST_KEY"));
  const std::string key{std::istreambuf_iterator<char>(file), {}};
  const std::string info = info_of(variable("TEST_CERTIFICATE"), variable("TEST_AUTHORITY"));
  expect(set_tls(info) == 0 && set_key(key, variable("TEST_PASSWORD")) == 0, message());
}

support::Environment environment(const Certificates& mine, const Certificates& believed,
                                 const std::string& password = "") {
  return {{"TEST_CERTIFICATE", mine.certificate()},
          {"TEST_KEY", mine.file("key.pem")},
          {"TEST_AUTHORITY", believed.authority()},
          {"TEST_PASSWORD", password}};
}

bool have(const Certificates& certificates) {
#if !ACLSIM_HAVE_OPENSSL
  WARN("skipped: this build has no TLS");
  return false;
#else
  if (!certificates.made()) WARN("skipped: there is no openssl to make certificates with");
  return certificates.made();
#endif
}

}  // namespace

CHILD_PROGRAM(shmem_over_tls) {
  return as_pe([] {
    use_tls();
    const InJob job(1 << 20, 20);
    auto* const words = static_cast<std::int32_t*>(aclshmem_calloc(1, 4));
    aclshmem_int32_p(words, job.me + 1, (job.me + 1) % job.pes);
    aclshmem_barrier_all();
    expect(aclshmem_int32_g(words, job.me) == (job.me + job.pes - 1) % job.pes + 1, "the word");
    expect(aclshmem_finalize() == 0, message());
  });
}

TEST_CASE("PEs meet over TLS, with a key that a password protects", "[shmem][tls]") {
  const Certificates certificates("secret");
  if (!have(certificates)) return;
  Job("shmem_over_tls", 3, environment(certificates, certificates, "xsecret")).check_all_say("ok");
}

TEST_CASE("a PE that speaks plain text, or whom PE 0 does not believe, is refused at once",
          "[shmem][tls]") {
  const Certificates certificates;
  const Certificates others;
  if (!have(certificates)) return;
  const std::string port = std::to_string(free_port());
  const auto start = [&](const char* pe, support::Environment with) {
    with.insert(with.end(), {{"TEST_PE", pe}, {"TEST_PES", "2"}, {"TEST_PORT", port}});
    return std::make_unique<RunningChild>("shmem_over_tls", with);
  };
  const auto first = start("0", environment(certificates, certificates));
  const auto plain = start("1", {});
  CHECK_THAT(plain->hear(), ContainsSubstring("init: -6") && ContainsSubstring("speaks TLS"));
  const auto wrong = start("1", environment(others, certificates));
  CHECK_THAT(wrong->hear(), ContainsSubstring("init: -6") && ContainsSubstring("TLS failed"));
  const auto right = start("1", environment(certificates, certificates));
  CHECK(right->hear() == "ok");
  CHECK(first->hear() == "ok");
}

TEST_CASE("TLS settings are checked", "[shmem][tls][fail]") {
  CHECK(aclshmemx_set_conf_store_tls(false, nullptr, 0) == 0);
  CHECK(set_tls("") == ACLSHMEM_INVALID_PARAM);
  CHECK_THAT(message(), ContainsSubstring("names no certificate"));
  CHECK(aclshmemx_set_conf_store_tls(true, nullptr, 0) == ACLSHMEM_INVALID_PARAM);
  CHECK(set_tls("tlsCert: a.pem") == ACLSHMEM_INVALID_PARAM);
  CHECK_THAT(message(), ContainsSubstring("names no authority"));
  CHECK(set_tls("tlsCert; tlsCaFile: b") == ACLSHMEM_INVALID_PARAM);
  CHECK(set_tls("cert: a") == ACLSHMEM_INVALID_PARAM);
  CHECK_THAT(message(), ContainsSubstring("tls_info has 'cert: a'"));
  CHECK(set_tls(std::string(10241, ' ')) == ACLSHMEM_INVALID_PARAM);
}

TEST_CASE("init without what TLS needs fails with -1", "[shmem][tls][fail]") {
  const Certificates certificates("secret");
  if (!have(certificates)) return;
  REQUIRE(aclrtSetDevice(0) == 0);
  const auto init = [] {
    auto attr = attributes(0, 1, address_of(free_port()));
    const int code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr);
    if (code == 0) aclshmem_finalize();
    return code;
  };
  const auto refused = [&](const char* text) {
    CHECK(init() == ACLSHMEM_INVALID_PARAM);
    CHECK_THAT(message(), ContainsSubstring(text));
  };
  REQUIRE(set_tls(info_of(certificates.certificate(), certificates.authority())) == 0);
  refused("there is no private key");
  REQUIRE(set_key(certificates.key(), "xsecret", nullptr) == 0);
  refused("nobody decrypts it");
  REQUIRE(set_key(certificates.key(), "secret") == 0);
  refused("the decrypt handler has failed");
  REQUIRE(set_key(certificates.key(), "xguess") == 0);
  refused("the private key cannot be used");
  REQUIRE(set_key(certificates.key(), "xsecret") == 0);
  CHECK(init() == 0);
  REQUIRE(set_tls(info_of("/nowhere", certificates.authority())) == 0);
  refused("the certificate '/nowhere' cannot be used");
  CHECK(aclshmemx_set_conf_store_tls(false, nullptr, 0) == 0);
  CHECK(set_key("", "", nullptr) == 0);
  CHECK(init() == 0);
  aclrtResetDevice(0);
}
