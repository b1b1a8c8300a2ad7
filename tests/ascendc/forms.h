// SPDX-License-Identifier: Apache-2.0
// A function of the vector unit in all its forms: called in a kernel, step by step, and compared
// with a plain loop over lanes. Every step begins with the same operands, and of each operand all
// bytes come out.
#pragma once

#include <array>
#include <functional>
#include <random>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"

namespace forms {

using namespace AscendC;
using vectortest::Type;
using vectortest::type_of;
using vectortest::Value;
using vectortest::Wide;

constexpr unsigned kOperands = 4;  // destinations and sources
constexpr std::uint32_t kBytes = 2048;

using Bytes = std::vector<std::uint8_t>;
using Operands = std::array<Bytes, kOperands>;

template <class T>
LocalTensor<T> at(unsigned operand) {
  return LocalTensor<std::uint8_t>(TPosition::VECCALC, operand * kBytes, kBytes)
      .ReinterpretCast<T>();
}
template <class T>
const Type& type() {
  return type_of(aclsim_element::of<T>);
}

inline std::function<void(std::uint32_t)> step_body;
inline void run_step_bodies(GM_ADDR x, std::uint32_t steps) {
  GlobalTensor<std::uint8_t> in, out;
  in.SetGlobalBuffer(x, kOperands * kBytes);
  out.SetGlobalBuffer(x + kOperands * kBytes, std::uint64_t{steps} * kOperands * kBytes);
  const LocalTensor<std::uint8_t> all(TPosition::VECCALC, 0, kOperands * kBytes);
  SetCtrlSpr<48, 48>(1);  // infinities and NaN stay what they are
  for (std::uint32_t step = 0; step < steps; ++step) {
    DataCopy(all, in, kOperands * kBytes);
    PipeBarrier<PIPE_ALL>();
    step_body(step);
    PipeBarrier<PIPE_ALL>();
    DataCopy(out[std::uint64_t{step} * kOperands * kBytes], all, kOperands * kBytes);
    PipeBarrier<PIPE_ALL>();
    SetMaskNorm();
    ResetMask();
  }
}

/// The operands after each step; the kernel must not be reported.
inline std::vector<Operands> run_steps(const Operands& given, std::size_t steps,
                                       std::function<void(std::uint32_t)> body) {
  Device device;
  std::vector<std::uint8_t> image;
  for (const Bytes& operand : given) image.insert(image.end(), operand.begin(), operand.end());
  image.resize((steps + 1) * kOperands * kBytes);
  const auto memory = device.memory(image);
  step_body = std::move(body);
  Said said;
  REQUIRE(launch("forms", run_step_bodies, 1, static_cast<GM_ADDR>(memory.data()),
                 static_cast<std::uint32_t>(steps)) == 0);
  const int code = device.synchronize();
  const std::string text = said.text();
  CAPTURE(text);
  REQUIRE(code == 0);
  REQUIRE(text.empty());
  const Bytes all = memory.host();
  std::vector<Operands> left(steps);
  for (std::size_t step = 0; step < steps; ++step) {
    for (unsigned i = 0; i < kOperands; ++i) {
      const auto from =
          all.begin() + static_cast<std::ptrdiff_t>(((step + 1) * kOperands + i) * kBytes);
      left[step][i].assign(from, from + kBytes);
    }
  }
  return left;
}

// ---- elements ----

inline std::uint64_t load_bits(const Bytes& bytes, std::size_t at, const Type& type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &bytes.at(at + type.bytes() - 1) - (type.bytes() - 1), type.bytes());
  return bits;
}
inline Value load(const Bytes& bytes, std::size_t at, const Type& type) {
  return vectortest::decode(load_bits(bytes, at, type), type);
}
inline void store(Bytes& bytes, std::size_t at, const Type& type, const Value& value) {
  const std::uint64_t bits = vectortest::encode(value, type);
  std::memcpy(&bytes.at(at + type.bytes() - 1) - (type.bytes() - 1), &bits, type.bytes());
}
inline Value real_value(double x) {
  Value value;
  value.real = x;
  return value;
}
inline Value whole_value(Wide x) {
  Value value;
  value.whole = x;
  return value;
}

enum class Numbers { tame, edges };  // small ones, whose sums and products are exact; or any
inline Value number_of(const Type& type, Numbers numbers, std::mt19937& random) {
  const auto small = static_cast<int>(random() % 41) - 20;
  if (!type.real()) {
    const Wide edges[] = {vectortest::least_of(type),
                          vectortest::most_of(type),
                          vectortest::most_of(type) - 1,
                          0,
                          1,
                          vectortest::wrapped(-1, type),
                          vectortest::most_of(type) / 3};
    if (numbers == Numbers::edges && random() % 2 == 0) return whole_value(edges[random() % 7]);
    return whole_value(type.is_signed ? small : small < 0 ? -small : small);
  }
  const double most = std::ldexp(2 - std::ldexp(1.0, 1 - type.digits), type.most);
  const double edges[] = {0.0,
                          -0.0,
                          HUGE_VAL,
                          -HUGE_VAL,
                          std::nan(""),
                          most,
                          -most,
                          1.0 / 3,
                          std::ldexp(1.0, type.digits),
                          std::ldexp(1.0, type.digits) + 2,
                          std::ldexp(1.0, type.least - type.digits + 1),
                          1 + std::ldexp(1.0, 1 - type.digits)};
  if (numbers == Numbers::edges && random() % 2 == 0)
    return real_value(vectortest::rounded(edges[random() % 12], type));
  return real_value(small / 4.0);
}
inline void fill(Bytes& bytes, const Type& type, Numbers numbers, unsigned seed) {
  std::mt19937 random(seed);
  bytes.resize(kBytes);
  for (std::size_t at = 0; at < kBytes; at += type.bytes())
    store(bytes, at, type, number_of(type, numbers, random));
}
/// Operand i has elements of types[i], others bytes.
inline Operands filled(const std::vector<const Type*>& types, Numbers numbers) {
  Operands given;
  for (unsigned i = 0; i < kOperands; ++i) {
    fill(given[i], i < types.size() ? *types[i] : type_of(ACLSIM_UINT8), numbers, 11 + i);
  }
  return given;
}

// ---- lanes ----

enum class Form { count, mask_n, mask_bits, kept, kept_bits, counter };
struct Lanes {
  Form form;
  std::uint32_t count;
  std::uint64_t mask[2];
  std::uint8_t repeats;
  bool apart;  // with strides of its own for each operand
};

inline bool is_on(const Lanes& lanes, unsigned lane) {
  if (lanes.form == Form::mask_n) return lane < lanes.mask[0];
  if (lane >= 128) return (lanes.mask[0] & lanes.mask[1]) == ~0ULL;
  return (lanes.mask[lane / 64] >> lane % 64 & 1U) != 0;
}
inline bool is_counted(const Lanes& lanes) {
  return lanes.form == Form::count || lanes.form == Form::counter;
}

/// f(repeat, lane) for each lane that is on.
template <class F>
void each_lane(const Lanes& lanes, unsigned per_repeat, F f) {
  if (is_counted(lanes)) {
    for (unsigned i = 0; i < lanes.count; ++i) f(i / per_repeat, i % per_repeat);
    return;
  }
  for (unsigned repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (unsigned lane = 0; lane < per_repeat; ++lane) {
      if (is_on(lanes, lane)) f(repeat, lane);
    }
  }
}

/// Counts with and without a tail; masks with gaps, of the first lanes and of none; repeats, none
/// of them, too.
inline std::vector<Lanes> all_lanes(unsigned per_repeat) {
  const unsigned n = per_repeat;
  const std::uint64_t low = n >= 64 ? ~0ULL : (1ULL << n) - 1, high = n > 64 ? ~0ULL : 0;
  std::vector<Lanes> all;
  for (const unsigned count : {0U, 1U, n - 1, n, n + 1, 2 * n + n / 2 + 3}) {
    all.push_back({Form::count, count, {}, 0, false});
    all.push_back({Form::counter, count, {}, 1, count % 2 != 0});
  }
  for (const bool apart : {false, true}) {
    for (const std::uint64_t mask : {0U, 1U, n / 2 + 1, n})
      all.push_back({Form::mask_n, 0, {mask, 0}, 3, apart});
    all.push_back({Form::mask_n, 0, {n, 0}, 0, apart});
    for (const Form form : {Form::mask_bits, Form::kept, Form::kept_bits}) {
      all.push_back(
          {form, 0, {0x8000000180f05555ULL & low, 0x4000000000000003ULL & high}, 3, apart});
      all.push_back({form, 0, {low, high}, 2, apart});
      all.push_back({form, 0, {0, high}, 2, apart});
    }
  }
  return all;
}
inline std::vector<Lanes> only(Form form, unsigned per_repeat) {
  std::vector<Lanes> all = all_lanes(per_repeat);
  std::erase_if(all, [form](const Lanes& each) { return each.form != form; });
  return all;
}

/// The stride of operand i, in blocks.
struct BlockStride {
  std::uint8_t block, repeat;
};
inline BlockStride stride_of(const Lanes& lanes, unsigned operand, unsigned per_repeat,
                             const Type& type) {
  constexpr BlockStride kApart[kOperands] = {{2, 17}, {3, 5}, {0, 3}, {1, 9}};
  if (lanes.apart) return kApart[operand];
  return {1, static_cast<std::uint8_t>(per_repeat * type.bytes() / 32)};
}
inline std::size_t place_of(const Lanes& lanes, unsigned operand, unsigned per_repeat,
                            const Type& type, unsigned repeat, unsigned lane) {
  if (lanes.form == Form::count) return (std::size_t{repeat} * per_repeat + lane) * type.bytes();
  const BlockStride stride = stride_of(lanes, operand, per_repeat, type);
  const unsigned per_block = 32 / type.bytes();
  return (std::size_t{repeat} * stride.repeat + std::size_t{lane} / per_block * stride.block) * 32 +
         lane % per_block * type.bytes();
}

template <class D, class S = D>
constexpr unsigned per_repeat_of() {
  return 256 / (sizeof(D) > sizeof(S) ? sizeof(D) : sizeof(S));
}
template <class D, class S0, class S1>
BinaryRepeatParams binary_params(const Lanes& lanes) {
  constexpr unsigned n = per_repeat_of<D, S0>();
  const BlockStride d = stride_of(lanes, 0, n, type<D>()), a = stride_of(lanes, 1, n, type<S0>()),
                    b = stride_of(lanes, 2, n, type<S1>());
  return {d.block, a.block, b.block, d.repeat, a.repeat, b.repeat};
}
template <class D, class S>
UnaryRepeatParams unary_params(const Lanes& lanes) {
  constexpr unsigned n = per_repeat_of<D, S>();
  const BlockStride d = stride_of(lanes, 0, n, type<D>()), a = stride_of(lanes, 1, n, type<S>());
  return {d.block, a.block, d.repeat, a.repeat};
}

/// The contents of the mask register for a call with isSetMask=false.
template <class T>
void set_lanes(const Lanes& lanes) {
  if (lanes.form == Form::counter) {
    SetMaskCount();
    SetVectorMask<T, MaskMode::COUNTER>(static_cast<std::int32_t>(lanes.count));
  } else {
    SetVectorMask<T>(lanes.mask[1], lanes.mask[0]);
  }
}

/// Calls Name(arguments..., lanes) in the form that `lanes` says; KEPT is Name with
/// isSetMask=false.
#define FORMS_CALL(Name, KEPT, T, lanes, params, ...)                 \
  do {                                                                \
    uint64_t forms_bits[2] = {(lanes).mask[0], (lanes).mask[1]};      \
    uint64_t forms_other[2] = {5, 0}; /* not looked at */             \
    if ((lanes).form == forms::Form::count) {                         \
      Name(__VA_ARGS__, (lanes).count);                               \
    } else if ((lanes).form == forms::Form::mask_n) {                 \
      Name(__VA_ARGS__, forms_bits[0], (lanes).repeats, params);      \
    } else if ((lanes).form == forms::Form::mask_bits) {              \
      Name(__VA_ARGS__, forms_bits, (lanes).repeats, params);         \
    } else {                                                          \
      forms::set_lanes<T>(lanes);                                     \
      if ((lanes).form == forms::Form::kept_bits) {                   \
        KEPT(__VA_ARGS__, forms_other, (lanes).repeats, params);      \
      } else {                                                        \
        KEPT(__VA_ARGS__, MASK_PLACEHOLDER, (lanes).repeats, params); \
      }                                                               \
    }                                                                 \
  } while (false)

// ---- comparison ----

/// One lane: the values of the sources and the old value of the destination.
struct Lane {
  Value in[3];
  Value old;
  unsigned repeat, lane;
};
using Loop = std::function<Value(const Lane&)>;

/// How many numbers of the type a result may lie off.
inline void check_operand(const Bytes& got, const Bytes& wanted, const Type& type,
                          unsigned tolerance = 0) {
  for (std::size_t at = 0; at + type.bytes() <= kBytes; at += type.bytes()) {
    const std::uint64_t have = load_bits(got, at, type), want = load_bits(wanted, at, type);
    if (have == want || (vectortest::is_nan(have, type) && vectortest::is_nan(want, type)))
      continue;
    if (tolerance != 0 && vectortest::steps_between(have, want) <= tolerance) continue;
    FAIL("element " << at / type.bytes() << ": " << std::hex << have << ", expected " << want);
  }
}

/// Calls `call(lanes)` for each of `all` and compares all operands with the results of `loop`, lane
/// by lane.
inline void check_lanes(const char* name, const std::vector<const Type*>& types, Numbers numbers,
                        const std::vector<Lanes>& all,
                        const std::function<void(const Lanes&)>& call, const Loop& loop,
                        unsigned tolerance = 0) {
  const Operands given = filled(types, numbers);
  const unsigned n = 256 / std::max(types[0]->bytes(), types[1]->bytes());
  const std::vector<Operands> left =
      run_steps(given, all.size(), [&](std::uint32_t step) { call(all[step]); });
  for (std::size_t step = 0; step < all.size(); ++step) {
    const Lanes& lanes = all[step];
    INFO(name << " " << types[0]->name << " from " << types[1]->name << ", form "
              << static_cast<int>(lanes.form) << ", count " << lanes.count << ", mask "
              << lanes.mask[0] << ", " << lanes.mask[1] << ", repeats " << int{lanes.repeats}
              << ", apart " << lanes.apart);
    Bytes wanted = given[0];
    each_lane(lanes, n, [&](unsigned repeat, unsigned lane) {
      Lane one;
      const auto place = [&](unsigned i) { return place_of(lanes, i, n, *types[i], repeat, lane); };
      for (unsigned i = 1; i < types.size(); ++i)
        one.in[i - 1] = load(given[i], place(i), *types[i]);
      one.old = load(given[0], place(0), *types[0]);
      one.repeat = repeat;
      one.lane = lane;
      store(wanted, place(0), *types[0], loop(one));
    });
    check_operand(left[step][0], wanted, *types[0], tolerance);
    for (unsigned i = 1; i < kOperands; ++i) REQUIRE(left[step][i] == given[i]);
  }
}

/// f(T()) for each C++ type in the set of a row.
template <std::uint32_t set, class F>
void each_type(F f) {
  const auto call = [&f](auto value) {
    if constexpr (aclsim_vector::among<decltype(value)>(set)) f(value);
  };
  std::apply([&call](auto... value) { (call(value), ...); },
             std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, half, bfloat16_t,
                        std::int32_t, std::uint32_t, float, std::int64_t, std::uint64_t>());
}
#define FORMS_TYPES(old_types, new_types) ACLSIM_SET_OF(ACLSIM_HERE(old_types, new_types))

}  // namespace forms
