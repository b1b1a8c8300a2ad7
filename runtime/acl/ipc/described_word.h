// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace acl {

/// A word that processes share, which says what it is: "notify 3 of device 0 of process 4711".
class DescribedWord {
 public:
  virtual std::string in_words() const = 0;

 protected:
  ~DescribedWord() = default;
};

}  // namespace acl
