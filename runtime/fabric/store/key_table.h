// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "runtime/fabric/base/bytes.h"

namespace fabric {

inline constexpr std::size_t kMostKey = 1024;
inline constexpr std::size_t kMostValue = std::size_t{64} << 20;

/// Values by key, and the waits for keys that do not exist yet. It uses no threads, locks or time.
class KeyTable {
 public:
  using Ticket = std::uint64_t;  // of a wait; never 0
  using Values = std::vector<Bytes>;
  /// A wait that has ended.
  struct Answer {
    Ticket ticket;
    Values values;
  };

  /// These functions throw FabricError(invalid) for a key or value that is too long, and for an
  /// empty key.
  std::vector<Answer> set(const std::string& key, Bytes value);
  /// A key that does not exist counts as 0. Throws FabricError(invalid) if the value is not a
  /// number.
  struct Sum {
    std::int64_t value;
    std::vector<Answer> answers;
  };
  Sum add(const std::string& key, std::int64_t amount);
  bool remove(const std::string& key);
  /// Returns the values if all keys exist, otherwise a ticket for a wait until they do.
  std::variant<Values, Ticket> get(std::vector<std::string> keys);
  /// Ends a wait and returns the keys that are still missing. Returns nothing if the wait does not
  /// exist (any more).
  std::vector<std::string> cancel(Ticket ticket);

  std::size_t size() const noexcept { return values_.size(); }
  std::size_t waits() const noexcept { return waits_.size(); }

 private:
  struct Wait {
    std::vector<std::string> keys;
    std::multimap<std::string, Ticket>::iterator place;  // under the first key that is missing
  };
  const std::string* first_missing(const std::vector<std::string>& keys) const;
  Values values_of(const std::vector<std::string>& keys) const;

  std::map<std::string, Bytes> values_;
  std::map<Ticket, Wait> waits_;
  std::multimap<std::string, Ticket> waiting_;
  Ticket last_ = 0;
};

}  // namespace fabric
