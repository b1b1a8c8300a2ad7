// SPDX-License-Identifier: Apache-2.0
// DataCopy of several axes with padding, against a loop over the elements of the destination.
#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/planted.h"
#include "tests/support/catch.h"

namespace axes {
namespace {

using namespace AscendC;

constexpr uint32_t kRoom = 8192;  // elements of the destination
constexpr int kPadding = 77, kOld = -5;

constexpr NdDmaConfig kConstant;
constexpr NdDmaConfig kNearest = {true};
constexpr NdDmaConfig kTwoEach = {false, 2, 2};

template <class T, uint8_t dim, const NdDmaConfig& config>
void copies(GM_ADDR from, GM_ADDR to, NdDmaLoopInfo<dim> info) {
  GlobalTensor<T> src, dst;
  src.SetGlobalBuffer(reinterpret_cast<T*>(from), kRoom);
  dst.SetGlobalBuffer(reinterpret_cast<T*>(to), kRoom);
  const LocalTensor<T> place(TPosition::VECIN, 0, kRoom);
  DataCopy(place, dst, kRoom);
  PipeBarrier<PIPE_ALL>();
  NdDmaDci();
  const NdDmaParams<T, dim> params{info, static_cast<T>(kPadding)};
  if constexpr (&config == &kConstant) {
    DataCopy(place, src, params);
  } else {
    DataCopy<T, dim, config>(place, src, params);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(dst, place, kRoom);
}

/// An element of the destination per call, the innermost axis first.
template <class T, uint8_t dim, const NdDmaConfig& config>
std::vector<T> expected(const std::vector<T>& from, const NdDmaLoopInfo<dim>& info) {
  std::vector<T> made(kRoom, static_cast<T>(kOld));
  std::array<uint32_t, dim> at{};
  for (;;) {
    std::size_t target = 0, source = 0;
    bool pads = false;
    for (uint8_t i = 0; i < dim; ++i) {
      const int before = config.loopLpSize == 0xffff ? info.loopLpSize[i] : config.loopLpSize;
      const int index = static_cast<int>(at[i]) - before, size = static_cast<int>(info.loopSize[i]);
      pads = pads || index < 0 || index >= size;
      target += std::size_t{at[i]} * info.loopDstStride[i];
      source += static_cast<std::size_t>(std::clamp(index, 0, size - 1)) * info.loopSrcStride[i];
    }
    made[target] = pads && !config.isNearestValueMode ? static_cast<T>(kPadding) : from[source];
    uint8_t axis = 0;
    for (; axis < dim; ++axis) {
      const uint32_t before =
          config.loopLpSize == 0xffff ? info.loopLpSize[axis] : config.loopLpSize;
      const uint32_t behind =
          config.loopRpSize == 0xffff ? info.loopRpSize[axis] : config.loopRpSize;
      if (++at[axis] < before + info.loopSize[axis] + behind) break;
      at[axis] = 0;
    }
    if (axis == dim) return made;
  }
}

template <class T, uint8_t dim, const NdDmaConfig& config>
void check(const char* what, const NdDmaLoopInfo<dim>& info) {
  CAPTURE(what, sizeof(T));
  std::vector<T> values(kRoom);
  for (uint32_t i = 0; i < kRoom; ++i) values[i] = static_cast<T>(i % 113);
  Device device;
  const auto from = device.memory(values);
  const auto to = device.memory(std::vector<T>(kRoom, static_cast<T>(kOld)));
  Said said;
  REQUIRE(launch("copies", (copies<T, dim, config>), 1, reinterpret_cast<GM_ADDR>(from.data()),
                 reinterpret_cast<GM_ADDR>(to.data()), info) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  CHECK((to.host() == expected<T, dim, config>(values, info)));
}

template <class T>
void check_all() {
  check<T, 1, kConstant>("a row with padding", {{1}, {1}, {40}, {3}, {5}});
  check<T, 2, kConstant>("a matrix with padding", {{1, 32}, {1, 64}, {32, 16}, {15, 13}, {17, 3}});
  check<T, 2, kTwoEach>("the same padding on all sides", {{1, 8}, {1, 16}, {8, 6}, {9, 9}, {9, 9}});
  check<T, 2, kConstant>("a transposition", {{1, 64}, {16, 1}, {64, 16}, {0, 0}, {0, 0}});
  check<T, 2, kConstant>("a broadcast", {{1, 0}, {1, 16}, {16, 3}, {0, 0}, {0, 0}});
  check<T, 2, kConstant>("a part", {{1, 64}, {1, 16}, {16, 16}, {0, 0}, {0, 0}});
  check<T, 5, kConstant>("five axes", {{1, 6, 40, 200, 900},
                                       {1, 8, 40, 160, 640},
                                       {6, 3, 3, 3, 2},
                                       {1, 1, 0, 1, 0},
                                       {1, 1, 1, 0, 1}});
  if constexpr (sizeof(T) < 8) {
    check<T, 2, kNearest>("the nearest element", {{1, 15}, {1, 32}, {15, 28}, {11, 3}, {6, 1}});
    check<T, 3, kNearest>("the nearest element of three axes",
                          {{30, 1, 5}, {1, 16, 128}, {4, 5, 6}, {2, 1, 0}, {1, 0, 2}});
  }
}
TEST_CASE("DataCopy of several axes places each element and each padding as a loop does",
          "[copies]") {
  check_all<int8_t>();
  check_all<uint16_t>();
  check_all<int32_t>();
  check_all<int64_t>();
}

}  // namespace
}  // namespace axes

namespace planted {
namespace {
using namespace AscendC;

PLANTED(reads_past_the_allocation) {
  Place place(x);
  const uint64_t stride = good ? 32 : kFloats;
  DataCopy(place.a, place.from,
           NdDmaParams<float, 2>{{{1, stride}, {1, 32}, {32, 2}, {0, 0}, {0, 0}}, 0});
}
PLANTED(pads_past_the_tensor) {
  Place place(x);
  const uint8_t behind = good ? 32 : 33;
  DataCopy(place.a, place.from, NdDmaParams<float, 1>{{{1}, {1}, {32}, {0}, {behind}}, 0});
}
PLANTED(copies_no_element) {
  Place place(x);
  DataCopy(place.a, place.from, NdDmaParams<float, 1>{{{1}, {1}, {good ? 1U : 0U}, {0}, {0}}, 0});
}
PLANTED(computes_before_the_axes_are_there) {
  Place place(x);
  DataCopy(place.a, place.from, NdDmaParams<float, 1>{{{1}, {1}, {64}, {0}, {0}}, 0});
  if (good) order<HardEvent::MTE2_V>();
  Add(place.b, place.a, place.a, kCount);
}
TEST_CASE("DataCopy of several axes: a mistake is found, and its repair is not",
          "[copies][planted]") {
  check(ROW(reads_past_the_allocation, 507035, "gm-exceeded"), "DataCopy");
  check(ROW(pads_past_the_tensor, 0, "tensor-exceeded"), "DataCopy");
  check(ROW(copies_no_element, 507035, "argument"), "DataCopy: loopSize is 0");
  check(ROW(computes_before_the_axes_are_there, 0, "pipe-race"), "MTE2_V");
}
}  // namespace
}  // namespace planted
