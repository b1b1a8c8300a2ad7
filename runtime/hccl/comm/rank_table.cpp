// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/comm/rank_table.h"

#include <arpa/inet.h>

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "device_sim/base/files.h"
#include "runtime/hccl/base/error.h"

namespace hccl {
namespace {

using nlohmann::json;

/// Reads members of a JSON value. Errors name the path of the wrong member.
class Table {
 public:
  Table(const json& value, std::string where) : value_(value), where_(std::move(where)) {}

  Table member(const char* name) const {
    if (!value_.is_object() || !value_.contains(name))
      fail(HCCL_E_PARA, "{} has no '{}'", where_, name);
    return {value_.at(name), where_ + "." + name};
  }
  bool has(const char* name) const { return value_.is_object() && value_.contains(name); }
  std::size_t size() const {
    if (!value_.is_array() || value_.empty())
      fail(HCCL_E_PARA, "{} is no list, or is empty", where_);
    return value_.size();
  }
  Table at(std::size_t index) const {
    return {value_.at(index), where_ + "[" + std::to_string(index) + "]"};
  }
  std::string text() const {
    if (!value_.is_string()) fail(HCCL_E_PARA, "{} is no text", where_);
    return value_.get<std::string>();
  }
  /// A number, or a string that contains one.
  std::uint32_t number() const {
    if (value_.is_number_unsigned()) return checked(value_.get<std::uint64_t>());
    if (value_.is_string()) {
      const std::string digits = value_.get<std::string>();
      std::uint64_t number = 0;
      const char* const end = digits.data() + digits.size();
      const auto [last, error] = std::from_chars(digits.data(), end, number);
      if (error == std::errc() && last == end && !digits.empty()) return checked(number);
    }
    fail(HCCL_E_PARA, "{} is {}; expected a number", where_, value_.dump());
  }

 private:
  std::uint32_t checked(std::uint64_t number) const {
    if (number <= 0xffffffff) return static_cast<std::uint32_t>(number);
    fail(HCCL_E_PARA, "{} is {}; expected a smaller number", where_, number);
  }
  const json& value_;
  const std::string where_;
};

using Found = std::map<std::uint32_t, RankTable::Rank>;

void add(Found& found, std::uint32_t rank, RankTable::Rank entry, const std::string& where) {
  if (!found.emplace(rank, std::move(entry)).second) {
    fail(HCCL_E_PARA, "{} names rank {} twice", where, rank);
  }
}

Found servers_of(const Table& table, const std::string& where) {
  if (table.member("status").text() != "completed") {
    fail(HCCL_E_PARA, "{}.status is not 'completed'", where);
  }
  const Table servers = table.member("server_list");
  const std::uint32_t count = table.member("server_count").number();
  if (count != servers.size()) {
    fail(HCCL_E_PARA, "{}.server_count is {}, but server_list has {} servers", where, count,
         servers.size());
  }
  Found found;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const std::string id = servers.at(i).member("server_id").text();
    const Table devices = servers.at(i).member("device");
    for (std::size_t j = 0; j < devices.size(); ++j) {
      const Table device = devices.at(j);
      add(found, device.member("rank_id").number(),
          {id, device.member("device_id").number(),
           device.has("device_ip") ? device.member("device_ip").text() : std::string()},
          where);
    }
  }
  return found;
}

Found ranks_of(const Table& table, const std::string& where) {
  const Table ranks = table.member("rank_list");
  const std::uint32_t count = table.member("rank_count").number();
  if (count != ranks.size()) {
    fail(HCCL_E_PARA, "{}.rank_count is {}, but rank_list has {} ranks", where, count,
         ranks.size());
  }
  Found found;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Table rank = ranks.at(i);
    std::string server = "server";
    for (std::size_t j = 0; rank.has("level_list") && j < rank.member("level_list").size(); ++j) {
      const Table level = rank.member("level_list").at(j);
      if (level.has("net_layer") && level.member("net_layer").number() != 0) continue;
      if (level.has("net_instance_id")) server = level.member("net_instance_id").text();
    }
    add(found, rank.member("rank_id").number(), {server, rank.member("device_id").number(), {}},
        where);
  }
  return found;
}

bool is_address(const std::string& text) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, text.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

}  // namespace

RankTable RankTable::read(const std::string& path) {
  std::string text;
  try {
    text = sim::read_file(path);
  } catch (const sim::FileError& error) {
    fail(HCCL_E_INTERNAL, "the rank table '{}' cannot be read: {}", path, error.what());
  }
  return parse(text, path);
}

RankTable RankTable::parse(const std::string& text, const std::string& where) {
  const json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) fail(HCCL_E_INTERNAL, "the rank table '{}' is no JSON", where);
  const Table table(value, where);
  const std::string version = table.member("version").text();
  if (version != "1.0" && version != "2.0") {
    fail(HCCL_E_PARA, "{}.version is '{}'; expected 1.0 or 2.0", where, version);
  }
  const Found found = version == "1.0" ? servers_of(table, where) : ranks_of(table, where);
  RankTable result;
  for (const auto& [rank, entry] : found) {
    if (rank != result.ranks.size()) {
      fail(HCCL_E_PARA, "{} has no rank {}, but rank {}", where, result.ranks.size(), rank);
    }
    result.ranks.push_back(entry);
  }
  return result;
}

void RankTable::require_devices(std::uint32_t devices, const std::string& where) const {
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> rank_of_device;
  std::map<std::string, std::size_t> rank_of_address;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto& [server, device, address] = ranks[rank];
    if (device >= devices) {
      fail(HCCL_E_PARA,
           "{}: rank {} has the device_id {}; expected 0 to {}, the devices of a server", where,
           rank, device, devices - 1);
    }
    const auto [other, is_new] = rank_of_device.emplace(std::pair(server, device), rank);
    if (!is_new) {
      fail(HCCL_E_PARA, "{}: ranks {} and {} have the same device, {} of server '{}'", where,
           other->second, rank, device, server);
    }
    if (address.empty()) continue;
    const auto [same, is_new_address] = rank_of_address.emplace(address, rank);
    if (!is_new_address) {
      fail(HCCL_E_PARA, "{}: ranks {} and {} have the same device_ip, {}", where, same->second,
           rank, address);
    }
  }
}

fabric::Bytes RankTable::canonical() const {
  fabric::Writer writer;
  writer.text("rank table");
  for (const Rank& rank : ranks) writer.text(rank.server).number(rank.device);
  return writer.take();
}

std::vector<std::string> RankTable::store_addresses() const {
  std::vector<std::string> addresses;
  if (is_address(ranks.front().server)) addresses.push_back(ranks.front().server);
  addresses.emplace_back("127.0.0.1");
  return addresses;
}

}  // namespace hccl
