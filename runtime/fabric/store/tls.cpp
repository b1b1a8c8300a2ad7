// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/tls.h"

#include <dlfcn.h>

#include <array>
#include <mutex>
#include <utility>

#include "runtime/fabric/base/error.h"
#include "runtime/fabric/store/tls_library.h"

namespace fabric {

#if ACLSIM_HAVE_OPENSSL

namespace {

[[noreturn]] void no_library(const std::string& why) {
  throw FabricError(Status::broken,
                    "the store speaks TLS through OpenSSL 3, which cannot be used: " + why +
                        " (Debian and Ubuntu: install libssl3)");
}

OpenSsl open_library() {
  // libssl loads libcrypto. The functions of both are found through this handle.
  void* const library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) no_library(dlerror());
  OpenSsl functions;
#define FABRIC_TLS_FIND(function)                                                          \
  functions.function = reinterpret_cast<decltype(&::function)>(dlsym(library, #function)); \
  if (!functions.function) no_library("it has no " #function);
  FABRIC_TLS_FUNCTIONS(FABRIC_TLS_FIND)
#undef FABRIC_TLS_FIND
  return functions;
}

/// The first error in the OpenSSL queue of this thread.
std::string reason() {
  const unsigned long code = openssl().ERR_get_error();
  const char* const text = code ? openssl().ERR_reason_error_string(code) : nullptr;
  openssl().ERR_clear_error();
  return text ? text : "no reason is given";
}

void require(bool good, const std::string& what) {
  if (!good) throw FabricError(Status::invalid, "TLS: " + what + " cannot be used: " + reason());
}

template <auto OpenSsl::*Free>
struct Frees {
  template <class T>
  void operator()(T* object) const {
    (openssl().*Free)(object);
  }
};
using Context = std::unique_ptr<SSL_CTX, Frees<&OpenSsl::SSL_CTX_free>>;
using Ssl = std::unique_ptr<SSL, Frees<&OpenSsl::SSL_free>>;
using Key = std::unique_ptr<EVP_PKEY, Frees<&OpenSsl::EVP_PKEY_free>>;
using Buffer = std::unique_ptr<BIO, Frees<&OpenSsl::BIO_free>>;

Key read_key(const TlsSettings& settings) {
  const Buffer text(
      openssl().BIO_new_mem_buf(settings.key.data(), static_cast<int>(settings.key.size())));
  const auto password = [](char* into, int room, int, void* kept) {
    const auto& word = *static_cast<const std::string*>(kept);
    if (word.size() > static_cast<std::size_t>(room)) return 0;
    word.copy(into, word.size());
    return static_cast<int>(word.size());
  };
  Key key(openssl().PEM_read_bio_PrivateKey(text.get(), nullptr, password,
                                            const_cast<std::string*>(&settings.password)));
  require(key != nullptr, "the private key");
  return key;
}

class OpenSslSession final : public TlsSession {
 public:
  OpenSslSession(SSL_CTX* context, Tls::Side side)
      : ssl_(openssl().SSL_new(context)),
        in_(openssl().BIO_new(openssl().BIO_s_mem())),
        out_(openssl().BIO_new(openssl().BIO_s_mem())) {
    openssl().SSL_set_bio(ssl_.get(), in_, out_);  // the SSL object owns them
    if (side == Tls::Side::store) {
      openssl().SSL_set_accept_state(ssl_.get());
    } else {
      openssl().SSL_set_connect_state(ssl_.get());
    }
    shake_hands();
  }

  void take(std::span<const std::byte> bytes) override {
    openssl().BIO_write(in_, bytes.data(), static_cast<int>(bytes.size()));
    if (!open_) shake_hands();
  }
  Bytes to_send() override {
    return drain([this](void* to, int room) { return openssl().BIO_read(out_, to, room); });
  }
  bool open() const noexcept override { return open_; }
  void write(std::span<const std::byte> plain) override {
    if (plain.empty()) return;
    openssl().ERR_clear_error();
    check(openssl().SSL_write(ssl_.get(), plain.data(), static_cast<int>(plain.size())));
  }
  Bytes read() override {
    if (!open_) return {};
    openssl().ERR_clear_error();
    return drain([this](void* to, int room) {
      const int got = openssl().SSL_read(ssl_.get(), to, room);
      if (got <= 0) check(got);
      return got;
    });
  }

 private:
  template <class Take>
  static Bytes drain(Take take) {
    Bytes all;
    std::array<std::byte, 16384> piece;
    for (int got = 0; (got = take(piece.data(), static_cast<int>(piece.size()))) > 0;) {
      all.insert(all.end(), piece.begin(), piece.begin() + got);
    }
    return all;
  }
  void shake_hands() {
    openssl().ERR_clear_error();
    const int done = openssl().SSL_do_handshake(ssl_.get());
    open_ = done == 1;
    if (!open_) check(done);
  }
  void check(int result) const {
    if (result > 0) return;
    const int error = openssl().SSL_get_error(ssl_.get(), result);
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ||
        error == SSL_ERROR_ZERO_RETURN) {
      return;
    }
    std::string why = reason();
    const long verified = openssl().SSL_get_verify_result(ssl_.get());
    if (verified != X509_V_OK) {
      why += std::string(" (") + openssl().X509_verify_cert_error_string(verified) + ")";
    }
    throw FabricError(Status::refused, "TLS failed: " + why);
  }

  const Ssl ssl_;
  BIO* const in_;
  BIO* const out_;
  bool open_ = false;
};

class OpenSslTls final : public Tls {
 public:
  explicit OpenSslTls(const TlsSettings& settings)
      : context_(openssl().SSL_CTX_new(openssl().TLS_method())) {
    openssl().ERR_clear_error();
    SSL_CTX* const context = context_.get();
    openssl().SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_3_VERSION, nullptr);
    require(
        openssl().SSL_CTX_use_certificate_chain_file(context, settings.certificate.c_str()) == 1,
        "the certificate '" + settings.certificate + "'");
    const Key key = read_key(settings);
    require(openssl().SSL_CTX_use_PrivateKey(context, key.get()) == 1 &&
                openssl().SSL_CTX_check_private_key(context) == 1,
            "the private key with this certificate");
    for (const std::string& file : settings.authorities) {
      require(openssl().SSL_CTX_load_verify_locations(context, file.c_str(), nullptr) == 1,
              "the authority '" + file + "'");
    }
    X509_STORE* const store = openssl().SSL_CTX_get_cert_store(context);
    for (const std::string& file : settings.revoked) {
      require(openssl().X509_STORE_load_locations(store, file.c_str(), nullptr) == 1,
              "the list of revoked certificates '" + file + "'");
      openssl().X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK);
    }
    openssl().SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                                 nullptr);
  }
  std::unique_ptr<TlsSession> begin(Side side) const override {
    return std::make_unique<OpenSslSession>(context_.get(), side);
  }

 private:
  const Context context_;
};

}  // namespace

const OpenSsl& openssl() {
  static const OpenSsl functions = open_library();
  return functions;
}

std::shared_ptr<const Tls> Tls::make(const TlsSettings& settings) {
  return std::make_shared<OpenSslTls>(settings);
}

#else

std::shared_ptr<const Tls> Tls::make(const TlsSettings&) {
  throw FabricError(Status::broken,
                    "this build has no TLS (OpenSSL's headers, libssl-dev, were not there)");
}

#endif

}  // namespace fabric
