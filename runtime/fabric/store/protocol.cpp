// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/protocol.h"

#include <utility>

namespace fabric {

Bytes pack(const std::vector<std::string>& keys) {
  Writer writer;
  writer.number(static_cast<std::uint32_t>(keys.size()));
  for (const std::string& key : keys) writer.text(key);
  return writer.take();
}

std::vector<std::string> unpack_keys(Reader& reader) {
  std::vector<std::string> keys;
  for (auto count = reader.number<std::uint32_t>(); count > 0; --count) {
    keys.push_back(reader.text());
  }
  return keys;
}

Bytes pack(const Reply& reply) {
  Writer writer;
  writer.number(static_cast<std::uint8_t>(reply.kind)).number(reply.number).text(reply.text);
  writer.raw(pack(reply.missing));
  writer.number(static_cast<std::uint32_t>(reply.values.size()));
  for (const Bytes& value : reply.values) writer.bytes(value);
  return writer.take();
}

Reply unpack_reply(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Reply reply;
  reply.kind = static_cast<Reply::Kind>(reader.number<std::uint8_t>());
  reply.number = reader.number<std::int64_t>();
  reply.text = reader.printable_text();
  reply.missing = unpack_keys(reader);
  for (auto count = reader.number<std::uint32_t>(); count > 0; --count) {
    const auto value = reader.bytes();
    reply.values.emplace_back(value.begin(), value.end());
  }
  reader.end();
  return reply;
}

Bytes pack(const Departure& departure) {
  return Writer()
      .number(departure.rank)
      .number(static_cast<std::uint8_t>(departure.orderly))
      .text(departure.text)
      .take();
}

Departure unpack_departure(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Departure departure{};
  departure.rank = reader.number<int>();
  departure.orderly = reader.number<std::uint8_t>() != 0;
  departure.text = reader.printable_text();
  reader.end();
  return departure;
}

}  // namespace fabric
