// SPDX-License-Identifier: Apache-2.0
// Requests of ranks of other hosts, in messages.
#include "runtime/fabric/transport/message.h"

#include <array>
#include <cstring>
#include <vector>

#include "tests/support/catch.h"

using namespace fabric;

namespace {

struct Receiver {
  alignas(8) std::array<std::byte, 64> memory{};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> answers;

  bool take(const Bytes& message) {
    return execute(
        message,
        [&](std::uint64_t key) { return key == 7 ? std::span(memory) : std::span<std::byte>(); },
        [&](std::uint64_t number, std::uint64_t value) { answers.emplace_back(number, value); });
  }
  std::uint64_t word(std::size_t index) const {
    std::uint64_t value = 0;
    std::memcpy(&value, memory.data() + 8 * index, 8);
    return value;
  }
};

Request request(Request::Kind kind, std::uint64_t key, std::uint64_t offset) {
  Request made;
  made.kind = kind;
  made.key = key;
  made.offset = offset;
  return made;
}

}  // namespace

TEST_CASE("the requests of a message are executed in their order and answered", "[fabric]") {
  Receiver receiver;
  Bytes message;
  append(message, request(Request::Kind::put, 7, 0), Bytes(13, std::byte{1}));
  append(message, request(Request::Kind::put, 7, 0), Bytes(8, std::byte{2}));
  Request add = request(Request::Kind::atomic, 7, 16);
  add.what = {.op = AtomicOp::add, .width = 8, .operand = 5};
  append(message, add);
  add.answer = 31;
  append(message, add);
  Request ping = request(Request::Kind::ping, 0, 0);
  ping.answer = 32;
  append(message, ping);
  CHECK_FALSE(receiver.take(message));
  CHECK(receiver.word(0) == 0x0202020202020202);
  CHECK(receiver.word(1) == 0x0101010101);
  CHECK(receiver.word(2) == 10);
  CHECK(receiver.answers == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{31, 5}, {32, 0}});
}

TEST_CASE("words are put where they belong, and nothing beside them", "[fabric]") {
  Receiver receiver;
  Bytes words(24);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::byte(i + 1);
  for (const std::size_t at : {8, 12}) {  // at a word, and between two
    receiver.memory = {};
    Bytes message;
    append(message, request(Request::Kind::put, 7, at), words);
    receiver.take(message);
    CHECK(std::memcmp(receiver.memory.data() + at, words.data(), words.size()) == 0);
    CHECK(receiver.word(0) == 0);
    CHECK(receiver.memory[at + words.size()] == std::byte{0});
  }
}

TEST_CASE("a notify, or a wake, says that somebody is to be woken", "[fabric]") {
  Receiver receiver;
  Bytes message;
  Request set = request(Request::Kind::notify, 7, 8);
  set.what = {.op = AtomicOp::set, .width = 8, .operand = 9};
  append(message, set);
  CHECK(receiver.take(message));
  CHECK(receiver.word(1) == 9);
  message.clear();
  append(message, request(Request::Kind::put, 7, 4), Bytes(4, std::byte{6}));
  append(message, request(Request::Kind::wake, 0, 0));
  CHECK(receiver.take(message));
  CHECK(receiver.word(0) == 0x0606060600000000);
}

TEST_CASE("what does not lie in the memory changes nothing", "[fabric]") {
  Receiver receiver;
  Bytes message;
  const Bytes bytes(16, std::byte{3});
  append(message, request(Request::Kind::put, 8, 0), bytes);   // no such memory
  append(message, request(Request::Kind::put, 7, 49), bytes);  // passes the end
  append(message, request(Request::Kind::put, 7, ~std::uint64_t{0}), bytes);
  Request set = request(Request::Kind::atomic, 7, 4);
  set.what = {.op = AtomicOp::set, .width = 8, .operand = 9};
  append(message, set);  // not at a multiple of its size
  set.offset = 64;
  append(message, set);
  set.offset = 8;
  set.what.width = 3;
  append(message, set);
  receiver.take(message);
  CHECK(receiver.memory == std::array<std::byte, 64>{});
  // Cut off: what is not whole is left out.
  Bytes cut;
  append(cut, request(Request::Kind::put, 7, 0), bytes);
  for (std::size_t size = 0; size < cut.size(); ++size) {
    receiver.take(Bytes(cut.begin(), cut.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  CHECK(receiver.memory == std::array<std::byte, 64>{});
}
