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

/// Values under names, and who waits for which. No threads, no locks, no time.
class KeyTable {
 public:
  using Ticket = std::uint64_t;  // of a wait; never 0
  using Values = std::vector<Bytes>;
  /// A wait that is over.
  struct Answer {
    Ticket ticket;
    Values values;
  };

  /// All of these throw FabricError(invalid) for a key or value that is too long or empty (a key).
  std::vector<Answer> set(const std::string& key, Bytes value);
  /// A key that is not there counts as 0. Throws FabricError(invalid) where the value is no number.
  struct Sum {
    std::int64_t value;
    std::vector<Answer> answers;
  };
  Sum add(const std::string& key, std::int64_t amount);
  bool remove(const std::string& key);
  /// The values, if all are there; otherwise the ticket of a wait until they are.
  std::variant<Values, Ticket> get(std::vector<std::string> keys);
  /// Ends a wait; returns the keys that it lacked. Nothing when there is no such wait (any more).
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
