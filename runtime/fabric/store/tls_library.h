// SPDX-License-Identifier: Apache-2.0
#pragma once
#if ACLSIM_HAVE_OPENSSL

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

namespace fabric {

/// The functions of libssl and libcrypto that are used.
#define FABRIC_TLS_FUNCTIONS(with)                                                                 \
  with(TLS_method) with(SSL_CTX_new) with(SSL_CTX_free) with(SSL_CTX_ctrl)                         \
      with(SSL_CTX_use_certificate_chain_file) with(SSL_CTX_use_PrivateKey)                        \
          with(SSL_CTX_check_private_key) with(SSL_CTX_load_verify_locations)                      \
              with(SSL_CTX_set_verify) with(SSL_CTX_get_cert_store)                                \
                  with(X509_STORE_load_locations) with(X509_STORE_set_flags) with(SSL_new)         \
                      with(SSL_free) with(SSL_set_bio) with(SSL_set_accept_state)                  \
                          with(SSL_set_connect_state) with(SSL_do_handshake) with(SSL_read)        \
                              with(SSL_write) with(SSL_get_error) with(SSL_get_verify_result)      \
                                  with(BIO_new) with(BIO_s_mem) with(BIO_new_mem_buf)              \
                                      with(BIO_free) with(BIO_read) with(BIO_write) with(BIO_ctrl) \
                                          with(PEM_read_bio_PrivateKey) with(EVP_PKEY_free)        \
                                              with(ERR_get_error) with(ERR_clear_error)            \
                                                  with(ERR_reason_error_string)                    \
                                                      with(X509_verify_cert_error_string)

struct OpenSsl {
#define FABRIC_TLS_MEMBER(function) decltype(&::function) function = nullptr;
  FABRIC_TLS_FUNCTIONS(FABRIC_TLS_MEMBER)
#undef FABRIC_TLS_MEMBER
};

/// OpenSSL 3. It is opened by the first call and never closed. Throws FabricError(broken) with
/// installation advice.
const OpenSsl& openssl();

}  // namespace fabric

#endif
