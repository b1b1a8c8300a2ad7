// SPDX-License-Identifier: Apache-2.0
// One call of a register function in a kernel: bytes go into the unified buffer, the call computes
// there, and the bytes come out.
#pragma once

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"

namespace registers_test {

using namespace AscendC;
using vectortest::Type;
using vectortest::type_of;
using vectortest::Value;
using vectortest::Wide;

constexpr std::size_t kRegister = 256;
using Bytes = std::vector<std::uint8_t>;

struct Call {
  std::function<void(std::uint8_t*)> body;
  std::function<void()> before;  // of the call, in the kernel
};
inline Call call_of_kernel;
inline void run_call(GM_ADDR x, std::uint32_t bytes) {
  GlobalTensor<std::uint8_t> global;
  global.SetGlobalBuffer(x, bytes);
  const LocalTensor<std::uint8_t> local(TPosition::VECCALC, 0, bytes);
  if (call_of_kernel.before) call_of_kernel.before();
  DataCopy(local, global, bytes);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  {
    const aclsim_reg::Scope scope;
    call_of_kernel.body(reinterpret_cast<std::uint8_t*>(local.GetPhyAddr()));
  }
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(global, local, bytes);
}

/// The bytes after the call. The kernel must succeed, and nothing may be reported.
inline Bytes run(Bytes given, std::function<void(std::uint8_t*)> body,
                 std::function<void()> before = {}) {
  Device device;
  given.resize((given.size() + 31) / 32 * 32);
  const auto memory = device.memory(given);
  call_of_kernel = {std::move(body), std::move(before)};
  Said said;
  // The body has assertions, so this thread makes none until the kernel has ended.
  const auto launched = launch("registers", run_call, 1, static_cast<GM_ADDR>(memory.data()),
                               static_cast<std::uint32_t>(given.size()));
  const int code = device.synchronize();
  const std::string text = said.text();
  CAPTURE(text);
  REQUIRE(launched == 0);
  REQUIRE(code == 0);
  REQUIRE(text.empty());
  return memory.host();
}

template <class T>
const Type& type() {
  return type_of(aclsim_element::of<T>);
}
inline std::uint64_t bits_at(const Bytes& bytes, std::size_t at, const Type& type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &bytes.at(at + type.bytes() - 1) - (type.bytes() - 1), type.bytes());
  return bits;
}
inline Value value_at(const Bytes& bytes, std::size_t at, const Type& type) {
  return vectortest::decode(bits_at(bytes, at, type), type);
}

/// Small numbers, numbers at the limits of the type, and ties.
inline Value number(const Type& type, std::mt19937& random) {
  Value value;
  const auto small = static_cast<int>(random() % 41) - 20;
  if (!type.real()) {
    const Wide edges[] = {vectortest::least_of(type),    vectortest::most_of(type),    0, 1,
                          vectortest::wrapped(-1, type), vectortest::most_of(type) / 3};
    value.whole = random() % 2 == 0 ? edges[random() % 6]
                                    : Wide{type.is_signed || small >= 0 ? small : -small};
    return value;
  }
  const double most = std::ldexp(2 - std::ldexp(1.0, 1 - type.digits), type.most);
  const double edges[] = {0.0,       -0.0,         HUGE_VAL,
                          -HUGE_VAL, std::nan(""), most,
                          -most,     1.0 / 3,      1 + std::ldexp(1.0, 1 - type.digits)};
  value.real = random() % 3 == 0 ? vectortest::rounded(edges[random() % 9], type) : small / 4.0;
  return value;
}
inline Bytes numbers(const Type& type, std::size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  Bytes all(bytes);
  for (std::size_t at = 0; at < bytes; at += type.bytes()) {
    const std::uint64_t bits = vectortest::encode(number(type, random), type);
    std::memcpy(&all[at], &bits, type.bytes());
  }
  return all;
}
inline Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Whether the number at `at` is the expected one, up to `tolerance` numbers of the type.
inline bool same(const Bytes& bytes, std::size_t at, const Type& type, const Value& expected,
                 std::uint64_t tolerance = 0) {
  const std::uint64_t found = bits_at(bytes, at, type);
  const std::uint64_t wanted = vectortest::encode(expected, type);
  if (vectortest::is_nan(wanted, type)) return vectortest::is_nan(found, type);
  return found == wanted ||
         (tolerance != 0 && vectortest::steps_between(found, wanted) <= tolerance);
}

/// Masks as the lanes that are on, and as the value that a kernel gives.
struct Lanes {
  const char* name;
  std::vector<bool> on;
  Reg::MaskReg mask;
};
/// All lanes, none, the first ones (a tail), every third one, and lanes at random.
inline std::vector<Lanes> some_lanes(std::size_t lanes) {
  const std::size_t stride = 256 / lanes;
  std::mt19937 random(5);
  std::vector<Lanes> all;
  const auto add = [&](const char* name, const std::function<bool(std::size_t)>& on) {
    Lanes made{name, {}, {}};
    for (std::size_t i = 0; i < lanes; ++i) {
      made.on.push_back(on(i));
      if (made.on.back()) made.mask.aclsim_bits[i * stride / 64] |= 1ULL << i * stride % 64;
    }
    all.push_back(made);
  };
  add("all", [](std::size_t) { return true; });
  add("none", [](std::size_t) { return false; });
  add("tail", [&](std::size_t i) { return i < lanes / 3 + 1; });
  add("every third", [](std::size_t i) { return i % 3 == 0; });
  std::vector<bool> bits(lanes);
  for (std::size_t i = 0; i < lanes; ++i) bits[i] = random() % 2 == 0;
  add("random", [&](std::size_t i) { return bits[i]; });
  return all;
}

template <class T>
__ubuf__ T* at(std::uint8_t* buffer, std::size_t number) {
  return reinterpret_cast<__ubuf__ T*>(buffer + number * kRegister);
}

}  // namespace registers_test
