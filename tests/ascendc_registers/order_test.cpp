// SPDX-License-Identifier: Apache-2.0
// Functions that fill registers, change the order of their lanes, compare, carry, or reduce.
#include <cmath>

#include "tests/ascendc_registers/bench.h"

namespace registers_test::order_tests {
namespace {

using namespace AscendC::Reg;

template <class T>
std::vector<T> values(const Bytes& bytes, std::size_t number, std::size_t count = 256 / sizeof(T)) {
  std::vector<T> all(count);
  std::memcpy(all.data(), &bytes.at(number * kRegister), count * sizeof(T));
  return all;
}

template <class T>
void check_interleave() {
  const Bytes given = joined({numbers(type<T>(), 512, 31), Bytes(1024)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<T> a, b;
    MaskReg full = CreateMask<T>();
    LoadAlign(a, at<T>(buffer, 0));
    LoadAlign(b, at<T>(buffer, 1));
    Interleave(a, b, a, b);
    StoreAlign(at<T>(buffer, 2), a, full);
    StoreAlign(at<T>(buffer, 3), b, full);
    DeInterleave(a, b, a, b);
    StoreAlign(at<T>(buffer, 4), a, full);
    StoreAlign(at<T>(buffer, 5), b, full);
  });
  for (std::size_t i = 0; i < 512 / sizeof(T); ++i) {
    const std::size_t from = (i % 2) * 256 + i / 2 * sizeof(T);
    for (std::size_t k = 0; k < sizeof(T); ++k) {
      CHECK(all[512 + i * sizeof(T) + k] == given[from + k]);
    }
  }
  CHECK(Bytes(all.begin() + 1024, all.end()) == Bytes(given.begin(), given.begin() + 512));
}
TEST_CASE("registers: Interleave alternates two registers, DeInterleave undoes it",
          "[registers][order]") {
  check_interleave<std::uint8_t>();
  check_interleave<half>();
  check_interleave<float>();
}

template <class T>
void check_lanes_of(const std::function<void(const Lanes&, const Bytes&)>& compare,
                    const std::function<void(RegTensor<T>&, RegTensor<T>&, MaskReg&)>& act) {
  for (const Lanes& lanes : some_lanes(256 / sizeof(T))) {
    const Bytes given = joined({numbers(type<T>(), 512, 33), Bytes(256)});
    const Bytes all = run(given, [&](std::uint8_t* buffer) {
      RegTensor<T> a, b;
      MaskReg mask = lanes.mask;
      MaskReg full = CreateMask<T>();
      LoadAlign(a, at<T>(buffer, 0));
      LoadAlign(b, at<T>(buffer, 1));
      act(a, b, mask);
      StoreAlign(at<T>(buffer, 2), a, full);
    });
    CAPTURE(lanes.name);
    compare(lanes, all);
  }
}

template <class T>
void check_masked() {
  constexpr std::size_t kLanes = 256 / sizeof(T);
  const auto bits = [](const Bytes& all, std::size_t number, std::size_t i) {
    return bits_at(all, number * 256 + i * sizeof(T), type<T>());
  };
  check_lanes_of<T>(
      [&](const Lanes& lanes, const Bytes& all) {
        for (std::size_t i = 0; i < kLanes; ++i) {
          CHECK(bits(all, 2, i) == bits(all, lanes.on[i] ? 0 : 1, i));
        }
      },
      [](RegTensor<T>& a, RegTensor<T>& b, MaskReg& mask) { Select(a, a, b, mask); });
  check_lanes_of<T>(
      [&](const Lanes& lanes, const Bytes& all) {
        for (std::size_t i = 0; i < kLanes; ++i) {
          CHECK(bits(all, 2, i) == bits(all, lanes.on[i] ? 1 : 0, i));
        }
      },
      [](RegTensor<T>& a, RegTensor<T>& b, MaskReg& mask) { Move(a, b, mask); });
  check_lanes_of<T>(
      [&](const Lanes& lanes, const Bytes& all) {
        for (std::size_t i = 0; i < kLanes; ++i) {
          CHECK(bits(all, 2, i) == (lanes.on[i] ? bits(all, 1, 0) : 0));
        }
      },
      [](RegTensor<T>& a, RegTensor<T>& b, MaskReg& mask) { Duplicate(a, b, mask); });
  check_lanes_of<T>(
      [&](const Lanes& lanes, const Bytes& all) {
        for (std::size_t i = 0; i < kLanes; ++i) {
          CHECK(bits(all, 2, i) == (lanes.on[i] ? bits(all, 1, kLanes - 1) : bits(all, 0, i)));
        }
      },
      [](RegTensor<T>& a, RegTensor<T>& b, MaskReg& mask) {
        Duplicate<T, HighLowPart::HIGHEST, MaskMergeMode::MERGING>(a, b, mask);
      });
  check_lanes_of<T>(
      [&](const Lanes& lanes, const Bytes& all) {
        for (std::size_t i = 0; i < kLanes; ++i) {
          const double found =
              type<T>().real()
                  ? value_at(all, 512 + i * sizeof(T), type<T>()).real
                  : static_cast<double>(value_at(all, 512 + i * sizeof(T), type<T>()).whole);
          CHECK(found == (lanes.on[i] ? 5 : 0));
        }
      },
      [](RegTensor<T>& a, RegTensor<T>&, MaskReg& mask) { Duplicate(a, T(5), mask); });
}
TEST_CASE("registers: Select, Move and Duplicate obey their mask", "[registers][order]") {
  check_masked<std::uint8_t>();
  check_masked<half>();
  check_masked<float>();
  check_masked<std::int64_t>();
}

template <class T>
void check_squeeze() {
  check_lanes_of<T>(
      [](const Lanes& lanes, const Bytes& all) {
        std::size_t n = 0;
        for (std::size_t i = 0; i < lanes.on.size(); ++i) {
          if (!lanes.on[i]) continue;
          CHECK(bits_at(all, 512 + n++ * sizeof(T), type<T>()) ==
                bits_at(all, i * sizeof(T), type<T>()));
        }
        for (; n < lanes.on.size(); ++n) {
          CHECK(bits_at(all, 512 + n * sizeof(T), type<T>()) == 0);
        }
      },
      [](RegTensor<T>& a, RegTensor<T>&, MaskReg& mask) { Squeeze(a, a, mask); });
}
TEST_CASE("registers: Squeeze collects the lanes of its mask", "[registers][order]") {
  check_squeeze<std::int8_t>();
  check_squeeze<half>();
  check_squeeze<float>();
}
TEST_CASE("registers: squeezed lanes follow each other in memory", "[registers][order]") {
  Bytes given = joined({numbers(type<float>(), 512, 41), Bytes(512, 0xee)});
  const Lanes lanes = some_lanes(64)[4];
  std::int64_t counted = 0;
  const Bytes all = run(given, [&](std::uint8_t* buffer) {
    RegTensor<float> a, kept;
    MaskReg mask = lanes.mask;
    UnalignRegForStore stores;
    Reg::ClearSpr<SpecialPurposeReg::AR>();
    for (int i = 0; i < 2; ++i) {
      LoadAlign(a, at<float>(buffer, 0) + 64 * i);
      Squeeze<float, Reg::GatherMaskMode::STORE_REG>(kept, a, mask);
      StoreUnAlign(at<float>(buffer, 2), kept, stores);
    }
    StoreUnAlignPost(at<float>(buffer, 2), stores);
    counted = GetSpr<SpecialPurposeReg::AR>();
  });
  std::size_t n = 0;
  for (std::size_t i = 0; i < 128; ++i) {
    if (!lanes.on[i % 64]) continue;
    CHECK(bits_at(all, 512 + n++ * 4, type<float>()) == bits_at(given, i * 4, type<float>()));
  }
  CHECK(counted == static_cast<std::int64_t>(n * 4));
  CHECK(all[512 + n * 4] == 0xee);
}
TEST_CASE("registers: Unsqueeze counts the lanes before each", "[registers][order]") {
  check_lanes_of<std::int16_t>(
      [](const Lanes& lanes, const Bytes& all) {
        Wide n = 0;
        for (std::size_t i = 0; i < 128; ++i) {
          CHECK(value_at(all, 512 + i * 2, type<std::int16_t>()).whole == n);
          n += lanes.on[i] ? 1 : 0;
        }
      },
      [](RegTensor<std::int16_t>& a, RegTensor<std::int16_t>&, MaskReg& mask) {
        Unsqueeze(a, mask);
      });
}

TEST_CASE("registers: Gather takes lanes modulo the number of lanes", "[registers][order]") {
  const Bytes given = joined({numbers(type<float>(), 256, 51), Bytes(512)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> a;
    RegTensor<std::uint32_t> index;
    MaskReg full = CreateMask<float>();
    LoadAlign(a, at<float>(buffer, 0));
    Duplicate(index, 100U);
    Gather(a, a, index);
    StoreAlign(at<float>(buffer, 1), a, full);
  });
  CHECK(bits_at(all, 256, type<float>()) == bits_at(given, 36 * 4, type<float>()));
}

TEST_CASE("registers: Pack and UnPack use one half of a register", "[registers][order]") {
  Bytes given(256 * 5);
  for (std::size_t i = 0; i < 128; ++i) {
    const auto value = static_cast<std::int16_t>(i * 300 - 20000);
    std::memcpy(&given[i * 2], &value, 2);
  }
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<std::int16_t> a;
    RegTensor<std::uint8_t> packed;
    RegTensor<std::int32_t> unpacked;
    MaskReg full = CreateMask<std::uint8_t>();
    MaskReg wide = CreateMask<std::int32_t>();
    LoadAlign(a, at<std::int16_t>(buffer, 0));
    Pack(packed, a);
    StoreAlign(at<std::uint8_t>(buffer, 1), packed, full);
    Pack<std::uint8_t, std::int16_t, HighLowPart::HIGHEST>(packed, a);
    StoreAlign(at<std::uint8_t>(buffer, 2), packed, full);
    UnPack(unpacked, a);
    StoreAlign(at<std::int32_t>(buffer, 3), unpacked, wide);
    UnPack<std::int32_t, std::int16_t, HighLowPart::HIGHEST>(unpacked, a);
    StoreAlign(at<std::int32_t>(buffer, 4), unpacked, wide);
  });
  const auto a = values<std::int16_t>(given, 0);
  const auto low = values<std::uint8_t>(all, 1), high = values<std::uint8_t>(all, 2);
  const auto first = values<std::int32_t>(all, 3), second = values<std::int32_t>(all, 4);
  for (std::size_t i = 0; i < 128; ++i) {
    CHECK(low[i] == static_cast<std::uint8_t>(a[i]));
    CHECK(low[128 + i] == 0);
    CHECK(high[128 + i] == static_cast<std::uint8_t>(a[i]));
  }
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(first[i] == a[i]);
    CHECK(second[i] == a[64 + i]);
  }
}

TEST_CASE("registers: Arange counts up from a value, or down to it", "[registers][order]") {
  const Bytes all = run(Bytes(768), [](std::uint8_t* buffer) {
    RegTensor<std::int8_t> bytes;
    RegTensor<float> floats;
    MaskReg full = CreateMask<std::int8_t>();
    Arange(bytes, static_cast<std::int8_t>(100));
    StoreAlign(at<std::int8_t>(buffer, 0), bytes, full);
    Arange(floats, -3.0F);
    StoreAlign(at<float>(buffer, 1), floats, full);
    Arange<float, IndexOrder::DECREASE_ORDER>(floats, 5.0F);
    StoreAlign(at<float>(buffer, 2), floats, full);
  });
  for (std::size_t i = 0; i < 256; ++i) {
    CHECK(values<std::int8_t>(all, 0)[i] == static_cast<std::int8_t>(100 + i));
  }
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(values<float>(all, 1)[i] == static_cast<float>(i) - 3);
    CHECK(values<float>(all, 2)[i] == 5 + 63 - static_cast<float>(i));
  }
}

TEST_CASE("registers: Histograms adds the counts of bytes", "[registers][order]") {
  const Bytes given = joined({numbers(type<std::uint8_t>(), 256, 61), Bytes(1024)});
  const Lanes lanes = some_lanes(256)[4];
  const Bytes all = run(given, [&](std::uint8_t* buffer) {
    RegTensor<std::uint8_t> source;
    RegTensor<std::uint16_t> counts;
    MaskReg mask = lanes.mask;
    MaskReg full = CreateMask<std::uint16_t>();
    LoadAlign(source, at<std::uint8_t>(buffer, 0));
    Duplicate(counts, static_cast<std::uint16_t>(7));
    Histograms<std::uint8_t, std::uint16_t, HistogramsBinType::BIN0, HistogramsType::FREQUENCY>(
        counts, source, mask);
    StoreAlign(at<std::uint16_t>(buffer, 1), counts, full);
    Duplicate(counts, static_cast<std::uint16_t>(0));
    Histograms<std::uint8_t, std::uint16_t, HistogramsBinType::BIN1, HistogramsType::FREQUENCY>(
        counts, source, mask);
    StoreAlign(at<std::uint16_t>(buffer, 2), counts, full);
    Duplicate(counts, static_cast<std::uint16_t>(0));
    Histograms<std::uint8_t, std::uint16_t, HistogramsBinType::BIN0, HistogramsType::ACCUMULATE>(
        counts, source, mask);
    StoreAlign(at<std::uint16_t>(buffer, 3), counts, full);
  });
  std::size_t upto = 0;
  for (std::size_t value = 0; value < 128; ++value) {
    std::size_t low = 0, high = 0;
    for (std::size_t i = 0; i < 256; ++i) {
      low += lanes.on[i] && given[i] == value ? 1 : 0;
      high += lanes.on[i] && given[i] == value + 128 ? 1 : 0;
    }
    upto += low;
    CHECK(values<std::uint16_t>(all, 1)[value] == 7 + low);
    CHECK(values<std::uint16_t>(all, 2)[value] == high);
    CHECK(values<std::uint16_t>(all, 3)[value] == upto);
  }
}

template <class T, CMPMODE mode>
void check_compare(bool (*test)(const Value&, const Value&, bool real)) {
  const Bytes given = joined({numbers(type<T>(), 512, 71), Bytes(512)});
  const Lanes lanes = some_lanes(256 / sizeof(T))[3];
  T value;
  std::memcpy(&value, &given[256 + sizeof(T)], sizeof(T));
  const Bytes all = run(given, [&](std::uint8_t* buffer) {
    RegTensor<T> a, b;
    MaskReg mask = lanes.mask, result;
    LoadAlign(a, at<T>(buffer, 0));
    LoadAlign(b, at<T>(buffer, 1));
    Compare<T, mode>(result, a, b, mask);
    StoreAlign(at<T>(buffer, 2), result);
    Compares<T, mode>(result, a, value, mask);
    StoreAlign(at<T>(buffer, 3), result);
  });
  const Type& t = type<T>();
  for (std::size_t i = 0; i < 256; ++i) {
    const std::size_t lane = i / sizeof(T);
    const bool lowest = i % sizeof(T) == 0;
    const auto bit = [&](std::size_t number) {
      return (all[number * 256 + i / 8] >> i % 8 & 1) != 0;
    };
    const Value a = value_at(given, lane * sizeof(T), t);
    const auto wanted = [&](const Value& b) {
      return lowest && lanes.on[lane] && test(a, b, t.real());
    };
    CAPTURE(t.name, i);
    CHECK(bit(2) == wanted(value_at(given, 256 + lane * sizeof(T), t)));
    CHECK(bit(3) == wanted(value_at(given, 256 + sizeof(T), t)));
  }
}
#define COMPARISON(op)                                   \
  [](const Value& a, const Value& b, bool real) {        \
    return real ? a.real op b.real : a.whole op b.whole; \
  }
template <class T>
void check_comparisons() {
  check_compare<T, CMPMODE::LT>(COMPARISON(<));
  check_compare<T, CMPMODE::GT>(COMPARISON(>));
  check_compare<T, CMPMODE::EQ>(COMPARISON(==));
  check_compare<T, CMPMODE::LE>(COMPARISON(<=));
  check_compare<T, CMPMODE::GE>(COMPARISON(>=));
  check_compare<T, CMPMODE::NE>(COMPARISON(!=));
}
TEST_CASE("registers: comparisons give the lowest bit of each lane", "[registers][order]") {
  check_comparisons<std::uint8_t>();
  check_comparisons<std::int16_t>();
  check_comparisons<half>();
  check_comparisons<bfloat16_t>();
  check_comparisons<float>();
  check_comparisons<std::uint32_t>();
  check_comparisons<std::int64_t>();
}

TEST_CASE("registers: carries connect sums and differences of 32 bits to 64",
          "[registers][order]") {
  const Bytes given = joined({numbers(type<std::uint32_t>(), 1024, 81), Bytes(1536)});
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    using Words = RegTensor<std::uint32_t>;
    Words low[2], high[2], result;
    MaskReg full = CreateMask<std::uint32_t>(), carry;
    for (int i : {0, 1}) {
      LoadAlign(low[i], at<std::uint32_t>(buffer, 2 * i));
      LoadAlign(high[i], at<std::uint32_t>(buffer, 2 * i + 1));
    }
    Add(carry, result, low[0], low[1], full);
    StoreAlign(at<std::uint32_t>(buffer, 4), result, full);
    AddC(carry, result, high[0], high[1], carry, full);
    StoreAlign(at<std::uint32_t>(buffer, 5), result, full);
    Sub(carry, result, low[0], low[1], full);
    StoreAlign(at<std::uint32_t>(buffer, 6), result, full);
    SubC(carry, result, high[0], high[1], carry, full);
    StoreAlign(at<std::uint32_t>(buffer, 7), result, full);
    Mull(result, high[0], low[0], low[1], full);
    StoreAlign(at<std::uint32_t>(buffer, 8), result, full);
    StoreAlign(at<std::uint32_t>(buffer, 9), high[0], full);
  });
  for (std::size_t i = 0; i < 64; ++i) {
    const auto word = [&](std::size_t number) {
      return std::uint64_t{values<std::uint32_t>(all, number)[i]};
    };
    const std::uint64_t a = word(0) | word(1) << 32, b = word(2) | word(3) << 32;
    CHECK((word(4) | word(5) << 32) == a + b);
    CHECK((word(6) | word(7) << 32) == a - b);
    CHECK((word(8) | word(9) << 32) == word(0) * word(2));
  }
}

// ---- reductions: with whole numbers, whose sums no order changes

template <class T>
Bytes small_numbers(unsigned seed) {
  std::mt19937 random(seed);
  Bytes all(kRegister);
  for (std::size_t at = 0; at < kRegister; at += sizeof(T)) {
    const T value = static_cast<T>(static_cast<int>(random() % 15));
    std::memcpy(&all[at], &value, sizeof(T));
  }
  return all;
}
template <class T>
double number_at(const Bytes& bytes, std::size_t at) {
  const Value value = value_at(bytes, at, type<T>());
  return type<T>().real() ? value.real : static_cast<double>(value.whole);
}

template <class T, class S = T>
void check_sums() {
  for (const Lanes& lanes : some_lanes(256 / sizeof(T))) {
    const Bytes given = joined({small_numbers<T>(91), Bytes(512)});
    const Bytes all = run(given, [&](std::uint8_t* buffer) {
      RegTensor<T> source;
      RegTensor<S> sum;
      MaskReg mask = lanes.mask;
      MaskReg full = CreateMask<S>();
      LoadAlign(source, at<T>(buffer, 0));
      Reduce(sum, source, mask);
      StoreAlign(at<S>(buffer, 1), sum, full);
    });
    double sum = 0;
    for (std::size_t i = 0; i < lanes.on.size(); ++i) {
      sum += lanes.on[i] ? number_at<T>(given, i * sizeof(T)) : 0;
    }
    CAPTURE(type<T>().name, lanes.name);
    CHECK(number_at<S>(all, 256) == sum);
    CHECK(number_at<S>(all, 256 + sizeof(S)) == 0);
  }
}
template <class T>
void check_extremes() {
  for (const Lanes& lanes : some_lanes(256 / sizeof(T))) {
    const Bytes given = joined({small_numbers<T>(92), Bytes(1024)});
    const Bytes all = run(given, [&](std::uint8_t* buffer) {
      RegTensor<T> source, result;
      MaskReg mask = lanes.mask;
      MaskReg full = CreateMask<T>();
      LoadAlign(source, at<T>(buffer, 0));
      Reduce<ReduceType::MAX>(result, source, mask);
      StoreAlign(at<T>(buffer, 1), result, full);
      ReduceMin(result, source, mask);
      StoreAlign(at<T>(buffer, 2), result, full);
    });
    double most = -1, least = 100;
    std::size_t most_at = 0, least_at = 0;
    bool any = false;
    for (std::size_t i = 0; i < lanes.on.size(); ++i) {
      if (!lanes.on[i]) continue;
      any = true;
      const double value = number_at<T>(given, i * sizeof(T));
      if (value > most) most = value, most_at = i;
      if (value < least) least = value, least_at = i;
    }
    CAPTURE(type<T>().name, lanes.name);
    if (!any) {
      const Type& t = type<T>();
      Value low, high;
      low.real = -HUGE_VAL, high.real = HUGE_VAL;
      low.whole = vectortest::least_of(t), high.whole = vectortest::most_of(t);
      CHECK(same(all, 256, t, low));
      CHECK(same(all, 512, t, high));
      continue;
    }
    CHECK(number_at<T>(all, 256) == most);
    CHECK(bits_at(all, 256 + sizeof(T), type<T>()) == most_at);
    CHECK(number_at<T>(all, 512) == least);
    CHECK(bits_at(all, 512 + sizeof(T), type<T>()) == least_at);
  }
}
TEST_CASE("registers: Reduce adds the lanes of its mask", "[registers][order]") {
  check_sums<half>();
  check_sums<float>();
  check_sums<std::int32_t>();
  check_sums<std::uint32_t>();
  check_sums<std::int64_t>();
  check_sums<std::int16_t, std::int32_t>();
  check_sums<std::uint16_t, std::uint32_t>();
}
TEST_CASE("registers: Reduce finds the first greatest and least lane", "[registers][order]") {
  check_extremes<std::int16_t>();
  check_extremes<std::uint16_t>();
  check_extremes<half>();
  check_extremes<std::int32_t>();
  check_extremes<float>();
  check_extremes<std::int64_t>();
  check_extremes<std::uint64_t>();
}
TEST_CASE("registers: the first NaN is the greatest and the least lane", "[registers][order]") {
  Bytes given(768);
  const float nan = std::nanf("");
  for (std::size_t i : {20U, 9U}) std::memcpy(&given[i * 4], &nan, 4);
  const Bytes all = run(given, [](std::uint8_t* buffer) {
    RegTensor<float> source, result;
    MaskReg full = CreateMask<float>();
    LoadAlign(source, at<float>(buffer, 0));
    ReduceMax(result, source, full);
    StoreAlign(at<float>(buffer, 1), result, full);
  });
  CHECK(std::isnan(values<float>(all, 1)[0]));
  CHECK(values<std::uint32_t>(all, 1)[1] == 9);
}

template <class T>
void check_blocks() {
  for (const Lanes& lanes : some_lanes(256 / sizeof(T))) {
    const Bytes given = joined({small_numbers<T>(93), Bytes(1024)});
    const Bytes all = run(given, [&](std::uint8_t* buffer) {
      RegTensor<T> source, result;
      MaskReg mask = lanes.mask;
      MaskReg full = CreateMask<T>();
      LoadAlign(source, at<T>(buffer, 0));
      ReduceDataBlock<ReduceType::SUM>(result, source, mask);
      StoreAlign(at<T>(buffer, 1), result, full);
      ReduceDataBlock<ReduceType::MAX>(result, source, mask);
      StoreAlign(at<T>(buffer, 2), result, full);
      PairReduceElem(result, source, mask);
      StoreAlign(at<T>(buffer, 3), result, full);
    });
    constexpr std::size_t kInBlock = 32 / sizeof(T);
    CAPTURE(type<T>().name, lanes.name);
    for (std::size_t block = 0; block < 8; ++block) {
      double sum = 0, most = -HUGE_VAL;
      for (std::size_t i = block * kInBlock; i < (block + 1) * kInBlock; ++i) {
        if (!lanes.on[i]) continue;
        sum += number_at<T>(given, i * sizeof(T));
        most = std::max(most, number_at<T>(given, i * sizeof(T)));
      }
      CHECK(number_at<T>(all, 256 + block * sizeof(T)) == sum);
      CHECK(number_at<T>(all, 512 + block * sizeof(T)) == most);
    }
    CHECK(number_at<T>(all, 256 + 8 * sizeof(T)) == 0);
    for (std::size_t i = 0; i < 256 / sizeof(T) / 2; ++i) {
      double sum = 0;
      for (const std::size_t k : {2 * i, 2 * i + 1}) {
        sum += lanes.on[k] ? number_at<T>(given, k * sizeof(T)) : 0;
      }
      CHECK(number_at<T>(all, 768 + i * sizeof(T)) == sum);
    }
  }
}
TEST_CASE("registers: reductions of blocks and pairs fill the first lanes", "[registers][order]") {
  check_blocks<half>();
  check_blocks<float>();
}

}  // namespace
}  // namespace registers_test::order_tests
