// SPDX-License-Identifier: Apache-2.0
// Certificates for tests of TLS: an authority and the certificates that it has signed.
#pragma once

#include <cstdlib>
#include <string>

#include "tests/support/temp_dir.h"

namespace support {

class Certificates {
 public:
  /// `password`: of the private key; empty: it has none.
  explicit Certificates(const std::string& password = "") {
    const std::string quiet = " >/dev/null 2>&1";
    const std::string cipher = password.empty() ? " -nodes" : " -passout pass:" + password;
    made_ = run("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout " +
                file("ca.key") + " -out " + file("ca.pem") + quiet) &&
            run("openssl req -newkey rsa:2048 -subj /CN=pe" + cipher + " -keyout " +
                file("key.pem") + " -out " + file("request.pem") + quiet) &&
            run("openssl x509 -req -days 2 -set_serial 2 -in " + file("request.pem") + " -CA " +
                file("ca.pem") + " -CAkey " + file("ca.key") + " -out " + file("cert.pem") + quiet);
  }
  /// False where there is no `openssl`.
  bool made() const { return made_; }
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string certificate() const { return file("cert.pem"); }
  std::string authority() const { return file("ca.pem"); }
  std::string key() const { return folder_.read("key.pem"); }

 private:
  static bool run(const std::string& command) { return std::system(command.c_str()) == 0; }
  TempDir folder_;
  bool made_ = false;
};

}  // namespace support
