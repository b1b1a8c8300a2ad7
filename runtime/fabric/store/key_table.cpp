// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/key_table.h"

#include <utility>

#include "runtime/fabric/base/error.h"

namespace fabric {
namespace {

void require_key(const std::string& key) {
  if (key.empty() || key.size() > kMostKey) {
    throw FabricError(Status::invalid, "a key has " + std::to_string(key.size()) +
                                           " bytes; expected 1 to " + std::to_string(kMostKey));
  }
}

std::int64_t number_in(const std::string& key, const Bytes& value) {
  if (value.size() != sizeof(std::int64_t)) {
    throw FabricError(Status::invalid, "the value of '" + key + "' is no number");
  }
  return Reader(value).number<std::int64_t>();
}

}  // namespace

std::vector<KeyTable::Answer> KeyTable::set(const std::string& key, Bytes value) {
  require_key(key);
  if (value.size() > kMostValue) {
    throw FabricError(Status::invalid,
                      "the value of '" + key + "' has " + std::to_string(value.size()) +
                          " bytes; expected at most " + std::to_string(kMostValue));
  }
  values_[key] = std::move(value);
  std::vector<Answer> answers;
  const auto [first, last] = waiting_.equal_range(key);
  std::vector<Ticket> tickets;
  for (auto it = first; it != last; ++it) tickets.push_back(it->second);
  waiting_.erase(first, last);
  for (const Ticket ticket : tickets) {
    Wait& wait = waits_.at(ticket);
    if (const std::string* const missing = first_missing(wait.keys)) {
      wait.place = waiting_.emplace(*missing, ticket);
    } else {
      answers.push_back({ticket, values_of(wait.keys)});
      waits_.erase(ticket);
    }
  }
  return answers;
}

KeyTable::Sum KeyTable::add(const std::string& key, std::int64_t amount) {
  require_key(key);
  const auto it = values_.find(key);
  const auto before = it == values_.end() ? 0 : number_in(key, it->second);
  const auto sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(before) +
                                             static_cast<std::uint64_t>(amount));
  return {sum, set(key, Writer().number(sum).take())};
}

bool KeyTable::remove(const std::string& key) { return values_.erase(key) != 0; }

std::variant<KeyTable::Values, KeyTable::Ticket> KeyTable::get(std::vector<std::string> keys) {
  for (const std::string& key : keys) require_key(key);
  const std::string* const missing = first_missing(keys);
  if (!missing) return values_of(keys);
  const Ticket ticket = ++last_;
  const auto place = waiting_.emplace(*missing, ticket);
  waits_.emplace(ticket, Wait{std::move(keys), place});
  return ticket;
}

std::vector<std::string> KeyTable::cancel(Ticket ticket) {
  const auto it = waits_.find(ticket);
  if (it == waits_.end()) return {};
  std::vector<std::string> missing;
  for (const std::string& key : it->second.keys) {
    if (values_.count(key) == 0) missing.push_back(key);
  }
  waiting_.erase(it->second.place);
  waits_.erase(it);
  return missing;
}

const std::string* KeyTable::first_missing(const std::vector<std::string>& keys) const {
  for (const std::string& key : keys) {
    if (values_.count(key) == 0) return &key;
  }
  return nullptr;
}

KeyTable::Values KeyTable::values_of(const std::vector<std::string>& keys) const {
  Values values;
  values.reserve(keys.size());
  for (const std::string& key : keys) values.push_back(values_.at(key));
  return values;
}

}  // namespace fabric
