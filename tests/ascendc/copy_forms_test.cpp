// SPDX-License-Identifier: Apache-2.0
// Every form of DataCopy and DataCopyPad for every type of its row, at its edges, against plain
// loops over bytes.
#include <cstring>
#include <functional>
#include <random>
#include <type_traits>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace copyforms {
namespace {

using namespace AscendC;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint32_t kIn = 1U << 18;  // input bytes: more than 4095 blocks
constexpr std::uint32_t kLocal = 49152;  // bytes of each local tensor, and of the output

std::function<void(GM_ADDR)> move_body;
void run_move_body(GM_ADDR x) { move_body(x); }

/// The memory for a copy: input and output in global memory, and two local tensors.
template <class T>
struct Place {
  GlobalTensor<T> in, out;
  LocalTensor<T> a, b;
  explicit Place(GM_ADDR x) {
    constexpr std::uint32_t kPer = sizeof(T);
    in.SetGlobalBuffer(reinterpret_cast<T*>(x), kIn / kPer);
    out.SetGlobalBuffer(reinterpret_cast<T*>(x + kIn), kLocal / kPer);
    a = LocalTensor<uint8_t>(TPosition::VECCALC, 0, kLocal).ReinterpretCast<T>();
    b = LocalTensor<uint8_t>(TPosition::VECCALC, kLocal, kLocal).ReinterpretCast<T>();
  }
};

/// Global memory with random bytes, and the output of a kernel.
class Bench {
 public:
  Bench() : image_(kIn + kLocal) {
    std::mt19937 random(7);
    for (std::uint8_t& byte : image_) byte = static_cast<std::uint8_t>(random());
  }
  Bytes in() const { return {image_.begin(), image_.begin() + kIn}; }
  /// The output in places that the kernel does not write.
  Bytes before() const { return {image_.begin() + kIn, image_.end()}; }

  /// `form` makes a copy. `before()` is the old contents of tensor `a`, which is also output if
  /// `local` is set.
  template <class T>
  Bytes run(const std::function<void(const Place<T>&)>& form, bool local,
            bool leaves_tail = false) {
    const auto memory = device_.memory(image_);
    move_body = [&](GM_ADDR x) {
      const Place<uint8_t> bytes(x);
      DataCopy(bytes.a, bytes.out, kLocal);
      DataCopy(bytes.b, bytes.in, kLocal);
      PipeBarrier<PIPE_ALL>();
      form(Place<T>(x));
      PipeBarrier<PIPE_ALL>();
      if (local) DataCopy(bytes.out, bytes.a, kLocal);
    };
    Said said;
    REQUIRE(launch("moves", run_move_body, 1, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
    const int code = device_.synchronize();
    const std::string text = said.text();
    CAPTURE(text);
    REQUIRE(code == 0);
    // A place is reported once.
    REQUIRE((text.empty() || (leaves_tail && text.find("[copy-tail]") != std::string::npos)));
    const Bytes all = memory.host();
    REQUIRE(std::equal(all.begin(), all.begin() + kIn, image_.begin()));
    return {all.begin() + kIn, all.end()};
  }

 private:
  Device device_;
  Bytes image_;
};

template <class T>
struct Of {
  using type = T;
};

/// Calls for each C++ type that one of the row's elements is.
template <class F>
void each_moved_type(F f) {
  const auto call = [&](auto of) {
    using T = typename decltype(of)::type;
    if constexpr (aclsim_vector::among<T>(ACLSIM_SET_MOVED)) f(of);
  };
  std::apply(
      [&](auto... of) { (call(of), ...); },
      std::tuple<Of<bool>, Of<std::int8_t>, Of<std::uint8_t>, Of<std::int16_t>, Of<std::uint16_t>,
                 Of<half>, Of<bfloat16_t>, Of<std::int32_t>, Of<std::uint32_t>, Of<float>,
                 Of<std::int64_t>, Of<std::uint64_t>, Of<double>>());
}

constexpr std::uint32_t round_up(std::uint32_t bytes) { return (bytes + 31) / 32 * 32; }

struct Blocks {
  std::uint16_t count, length, from_gap, to_gap;
};
// None, one, several; with gaps on one side or both; as many as the row allows.
constexpr Blocks kBlocks[] = {{0, 3, 0, 0},  {3, 0, 1, 1},   {1, 1, 0, 0},
                              {1, 40, 9, 9}, {5, 3, 0, 2},   {5, 3, 2, 0},
                              {7, 1, 5, 3},  {2, 300, 7, 1}, {ACLSIM_MOST_COPY_BLOCKS / 4, 1, 0, 0},
                              {64, 2, 1, 1}};

Bytes blocks_wanted(Bytes to, const Bytes& from, const Blocks& p) {
  std::size_t read = 0, written = 0;
  for (unsigned block = 0; block < p.count && p.length != 0; ++block) {
    for (unsigned i = 0; i < p.length * 32U; ++i) to.at(written++) = from.at(read++);
    read += p.from_gap * 32U;
    written += p.to_gap * 32U;
  }
  return to;
}

}  // namespace

TEST_CASE(
    "DataCopy of blocks moves the bytes that a loop moves, in each direction and for each type",
    "[copy_forms]") {
  Bench bench;
  each_moved_type([&](auto of) {
    using T = typename decltype(of)::type;
    for (const Blocks& p : kBlocks) {
      CAPTURE(sizeof(T), p.count, p.length, p.from_gap, p.to_gap);
      const DataCopyParams params(p.count, p.length, p.from_gap, p.to_gap);
      const Bytes wanted = blocks_wanted(bench.before(), bench.in(), p);
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopy(at.a, at.in, params); }, true) ==
             wanted));
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopy(at.out, at.b, params); }, false) ==
             wanted));
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopy(at.a, at.b, params); }, true) ==
             wanted));
    }
  });
}

TEST_CASE("DataCopy takes as many blocks as its row allows", "[copy_forms]") {
  Bench bench;
  // Into the same block again and again: the last one stays.
  const DataCopyParams params(ACLSIM_MOST_COPY_BLOCKS, 1, 1, 0);
  const auto form = [&](const Place<uint8_t>& at) {
    LocalTensor<uint8_t> l1(TPosition::TSCM, 0, ACLSIM_MOST_COPY_BLOCKS * 32);
    DataCopy(l1, at.in, params);
    PipeBarrier<PIPE_ALL>();
    DataCopy(at.a, l1[(ACLSIM_MOST_COPY_BLOCKS - 2) * 32], DataCopyParams(1, 2, 0, 0));
  };
  Bytes wanted = bench.before();
  const Bytes in = bench.in();
  for (unsigned i = 0; i < 64; ++i) {
    wanted[i] = in[(ACLSIM_MOST_COPY_BLOCKS - 2 + i / 32) * 64U + i % 32];
  }
  CHECK((bench.run<uint8_t>(form, true) == wanted));
}

TEST_CASE("DataCopy of a count moves whole blocks of 32 bytes and leaves a tail", "[copy_forms]") {
  Bench bench;
  each_moved_type([&](auto of) {
    using T = typename decltype(of)::type;
    const unsigned block = 32 / sizeof(T);
    for (const unsigned count :
         {0U, 1U, block - 1, block, block + 1, 2 * block - 1, 40 * block, 1000U}) {
      CAPTURE(sizeof(T), count);
      const unsigned bytes = count * static_cast<unsigned>(sizeof(T)) / 32 * 32;
      const Bytes in = bench.in();
      Bytes wanted = bench.before();
      std::copy(in.begin(), in.begin() + bytes, wanted.begin());
      const bool tail = bytes != count * sizeof(T);
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopy(at.a, at.in, count); }, true, tail) ==
             wanted));
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopy(at.out, at.b, count); }, false,
                          tail) == wanted));
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopy(at.a, at.b, count); }, true, tail) ==
             wanted));
    }
  });
}

namespace {

struct Padded {
  std::uint32_t count, length, from_gap,
      to_gap;  // the length in elements, the gaps in the unit of their side
  bool pad;
  std::uint32_t left, right;  // elements
};

std::vector<Padded> padded_cases(std::uint32_t width) {
  const std::uint32_t block = 32 / width;
  std::vector<Padded> cases;
  for (const std::uint32_t length : {1U, block - 1, block, block + 1, 5 * block + 1}) {
    if (length == 0) continue;
    cases.push_back({1, length, 0, 0, true, 0, 0});
    cases.push_back({3, length, 8 * width, 1, true, 1, 0});
    cases.push_back({2, length, 0, 0, true, 0, block});
    cases.push_back({4, length, width, 2, true, block / 2, 1});
    cases.push_back({2, length, 3 * width, 0, false, 0, 0});
  }
  cases.push_back({0, 4, 0, 0, true, 1, 1});
  return cases;
}

/// Without padding the bytes beside a block are unspecified: `open` marks them.
Bytes padded_wanted(Bytes to, const Bytes& from, const Padded& p, const Bytes& value,
                    std::vector<bool>& open) {
  const auto width = static_cast<std::uint32_t>(value.size());
  std::size_t read = 0, written = 0;
  for (std::uint32_t block = 0; block < p.count; ++block) {
    const std::uint32_t left = p.pad ? p.left : 0, right = p.pad ? p.right : 0;
    const std::uint32_t elements = round_up((left + p.length + right) * width) / width;
    for (std::uint32_t i = 0; i < elements; ++i) {
      const bool inside = i >= left && i < left + p.length;
      for (std::uint32_t byte = 0; byte < width; ++byte) {
        const std::uint8_t beside = left + right == 0 ? from.at(read + byte) : value[byte];
        to.at(written + i * width + byte) =
            inside ? from.at(read + (i - left) * width + byte) : beside;
        if (!inside && !p.pad) open.at(written + i * width + byte) = true;
      }
    }
    read += p.length * width + p.from_gap;
    written += elements * width + p.to_gap * 32U;
  }
  return to;
}

template <class T>
Bytes bytes_of(T value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

TEST_CASE("DataCopyPad from global memory fills each block as a loop does, for each type",
          "[copy_forms]") {
  Bench bench;
  each_moved_type([&](auto of) {
    using T = typename decltype(of)::type;
    if constexpr (!std::is_same_v<T, bool>) {
      constexpr std::uint32_t kWidth = sizeof(T);
      const T value = T(77);
      for (const Padded& p : padded_cases(kWidth)) {
        CAPTURE(kWidth, p.count, p.length, p.from_gap, p.to_gap, p.pad, p.left, p.right);
        std::vector<bool> open(kLocal);
        const Bytes wanted = padded_wanted(bench.before(), bench.in(), p, bytes_of(value), open);
        const auto same = [&](Bytes got) {
          for (std::size_t i = 0; i < kLocal; ++i) got[i] = open[i] ? wanted[i] : got[i];
          return got == wanted;
        };
        const auto left = static_cast<std::uint8_t>(p.left),
                   right = static_cast<std::uint8_t>(p.right);
        const DataCopyExtParams ext(static_cast<std::uint16_t>(p.count), p.length * kWidth,
                                    p.from_gap, p.to_gap, 0);
        CHECK(same(bench.run<T>(
            [&](const Place<T>& at) {
              DataCopyPad(at.a, at.in, ext, DataCopyPadExtParams<T>(p.pad, left, right, value));
            },
            true)));
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, kWidth);
        const DataCopyParams params(
            static_cast<std::uint16_t>(p.count), static_cast<std::uint16_t>(p.length * kWidth),
            static_cast<std::uint16_t>(p.from_gap), static_cast<std::uint16_t>(p.to_gap));
        CHECK(same(bench.run<T>(
            [&](const Place<T>& at) {
              DataCopyPad(at.a, at.in, params, DataCopyPadParams(p.pad, left, right, bits));
            },
            true)));
      }
    }
  });
}

TEST_CASE("DataCopyPad without padding fills with what SetPadValue gave", "[copy_forms]") {
  Bench bench;
  Bytes wanted = bench.before();
  const Bytes in = bench.in();
  for (unsigned block = 0; block < 2; ++block) {
    for (unsigned i = 0; i < 32; ++i) {
      wanted[block * 32 + i] =
          i < 6 ? in[block * 6 + i] : static_cast<std::uint8_t>(i % 2 == 0 ? 0x34 : 0x12);
    }
  }
  CHECK((bench.run<std::int16_t>(
             [](const Place<std::int16_t>& at) {
               SetPadValue(std::int16_t{0x1234});
               DataCopyPad(at.a, at.in, DataCopyExtParams(2, 6, 0, 0, 0),
                           DataCopyPadExtParams<std::int16_t>(false, 0, 0, 0));
             },
             true) == wanted));
}

TEST_CASE("DataCopyPad to global memory writes exactly the bytes of each block", "[copy_forms]") {
  Bench bench;
  each_moved_type([&](auto of) {
    using T = typename decltype(of)::type;
    constexpr std::uint32_t kWidth = sizeof(T);
    for (const Padded& p : padded_cases(kWidth)) {
      const std::uint32_t bytes = p.length * kWidth;
      CAPTURE(kWidth, p.count, bytes, p.from_gap, p.to_gap);
      Bytes wanted = bench.before();
      const Bytes local = bench.in();
      std::size_t read = 0, written = 0;
      for (std::uint32_t block = 0; block < p.count; ++block) {
        for (std::uint32_t i = 0; i < bytes; ++i) wanted[written + i] = local[read + i];
        read += round_up(bytes) + p.to_gap * 32U;
        written += bytes + p.from_gap;
      }
      const auto count = static_cast<std::uint16_t>(p.count);
      const DataCopyExtParams ext(count, bytes, p.to_gap, p.from_gap, 0);
      const DataCopyParams params(count, static_cast<std::uint16_t>(bytes),
                                  static_cast<std::uint16_t>(p.to_gap),
                                  static_cast<std::uint16_t>(p.from_gap));
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopyPad(at.out, at.b, ext); }, false) ==
             wanted));
      CHECK((bench.run<T>([&](const Place<T>& at) { DataCopyPad(at.out, at.b, params); }, false) ==
             wanted));
    }
  });
}

}  // namespace copyforms
