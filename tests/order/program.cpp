// SPDX-License-Identifier: Apache-2.0
#include "tests/order/program.h"

#include <fmt/format.h>

namespace ordertest {
namespace {

struct Word {
  const char* name;
  const char* object;  // the letter of the object; null: no object
};

// In the order of the enumeration.
constexpr Word kWords[] = {
    {"op", nullptr},      {"access", nullptr},   {"record", "e"},       {"wait", "e"},
    {"notify", "n"},      {"notify_wait", "n"},  {"write_word", "w"},   {"word_wait", "w"},
    {"add", "c"},         {"counter_wait", "c"}, {"callback", nullptr}, {"sync_begin", "e"},
    {"sync_end", "e"},    {"free", "buffer "},   {"tell", nullptr},     {"create", nullptr},
    {"destroy", nullptr},
};

bool is_half(const Call& call) {
  return call.what == What::notify || call.what == What::notify_wait ||
         call.what == What::sync_begin || call.what == What::sync_end;
}

bool is_sync(const Call& call) {
  return call.what == What::sync_begin || call.what == What::sync_end;
}

}  // namespace

bool is_item(const Call& call) {
  switch (call.what) {
    case What::host_access:
    case What::sync_begin:
    case What::sync_end:
    case What::free:
    case What::tell:
    case What::create:
    case What::destroy:
      return false;
    default:
      return true;
  }
}

std::string to_text(const Call& call) {
  const Word& word = kWords[static_cast<std::size_t>(call.what)];
  std::string text = fmt::format("h{}: {}", call.host, word.name);
  if (call.blocking) text += " BLOCK";
  if (call.object >= 0) text += fmt::format(" {}{}", word.object, call.object);
  if (call.stream >= 0) text += fmt::format(" s{}", call.stream);
  if (call.other >= 0) text += fmt::format(" h{}", call.other);
  if (call.value != 0) text += fmt::format(" #{}", call.value);
  for (const Touch& touch : call.touches) {
    text += fmt::format(" {}[{}, {})", name(touch.how), touch.begin, touch.begin + touch.size);
  }
  return text;
}

const char* name(How how) {
  constexpr const char* kNames[kHows] = {"read", "write",    "sum",
                                         "max",  "set word", "wait for word"};
  return kNames[static_cast<std::size_t>(how)];
}

std::string to_text(const Program& program) {
  std::string text =
      fmt::format("{} host threads, streams s0 to s{}\n", program.hosts, program.streams - 1);
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    text += fmt::format("{:3} {}\n", i, to_text(program.calls[i]));
  }
  return text;
}

Program without(const Program& program, std::size_t gone) {
  const Call& call = program.calls[gone];
  Program rest{program.hosts, program.streams, {}};
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    const Call& other = program.calls[i];
    const bool half = is_half(call) && is_half(other) && is_sync(call) == is_sync(other) &&
                      call.value == other.value && (is_sync(call) || call.object == other.object);
    const bool of_stream = call.what == What::create && other.stream == call.stream;
    if (i != gone && !half && !of_stream) rest.calls.push_back(other);
  }
  return rest;
}

}  // namespace ordertest
