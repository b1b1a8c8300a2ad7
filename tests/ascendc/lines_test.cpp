// SPDX-License-Identifier: Apache-2.0
// The lines that findings name are lines of the kernel, also without optimisation.
#include <string>

#include "tests/ascendc/planted.h"
#include "tests/support/catch.h"

namespace {

using namespace AscendC;
using planted::kCount;
using planted::Place;

#define AS_WRITTEN __attribute__((optimize("O0")))

int line_of_mistake = 0;

AS_WRITTEN void adds_by_operator(GM_ADDR x, bool good) {
  Place p(x);
  DataCopy(p.a, p.from, kCount);
  if (good) planted::order<HardEvent::MTE2_V>();
  line_of_mistake = __LINE__ + 1;
  p.b = p.a + p.a;
}
AS_WRITTEN void compares_by_operator(GM_ADDR x, bool good) {
  Place p(x);
  const LocalTensor<uint8_t> bits(TPosition::VECCALC, 2048, 256);
  LocalTensor<uint8_t> result = bits;
  DataCopy(p.a, p.from, kCount);
  if (good) planted::order<HardEvent::MTE2_V>();
  line_of_mistake = __LINE__ + 1;
  result = p.a < p.a;
}
AS_WRITTEN void fills_with_limit(GM_ADDR x, bool good) {
  Place p(x);
  DataCopy(p.a, p.from, kCount);
  if (good) planted::order<HardEvent::MTE2_V>();
  line_of_mistake = __LINE__ + 1;
  NumericLimits<float>::Max(p.a, kCount);
}
AS_WRITTEN void makes_tensor_too_large(GM_ADDR, bool good) {
  line_of_mistake = __LINE__ + 1;
  const LocalTensor<float> t(TPosition::VECCALC, 0, good ? 64 : 1U << 20);
}

void drops_two(GM_ADDR x, bool good) {
  Place p(x);
  DataCopy(p.a, p.from, good ? 16 : 10);
}
void drops_all(GM_ADDR x, bool good) {
  Place p(x);
  Duplicate(p.b, 1.0F, kCount);
  planted::order<HardEvent::V_MTE3>();
  DataCopy(p.to, p.b, good ? 8 : 4);
}
void drops_one_between_local_tensors(GM_ADDR x, bool good) {
  Place p(x);
  Duplicate(p.a, 1.0F, kCount);
  PipeBarrier<PIPE_V>();
  DataCopy(p.b, p.a, good ? 16 : 9);
}

}  // namespace

TEST_CASE("a finding in a function of the interface names the line of the kernel", "[lines]") {
  const planted::Planted kernels[] = {
      ROW(adds_by_operator, 0, "pipe-race"),
      ROW(compares_by_operator, 0, "pipe-race"),
      ROW(fills_with_limit, 0, "pipe-race"),
      ROW(makes_tensor_too_large, 0, "local-exceeded"),
  };
  for (const planted::Planted& row : kernels) {
    DYNAMIC_SECTION(row.name) {
      std::string text;
      CHECK(planted::run(row, true, 1, text) == 0);
      CHECK(text == "");
      CHECK(planted::run(row, false, 1, text) == row.code);
      CAPTURE(text);
      CHECK(contains(text, row.rule));
      CHECK(contains(text, "lines_test.cpp:" + std::to_string(line_of_mistake)));
      CHECK_FALSE(contains(text, "include/ascendc"));
    }
  }
}

TEST_CASE("a copy of a count that is no multiple of 32 bytes reports the elements that it drops",
          "[lines]") {
  const auto message_of = [](const planted::Planted& row) {
    std::string text;
    CHECK(planted::run(row, true, 1, text) == 0);
    CHECK(text == "");
    CHECK(planted::run(row, false, 1, text) == 0);
    return text;
  };
  const std::string tail = message_of(ROW(drops_two, 0, "copy-tail"));
  CAPTURE(tail);
  CHECK(contains(tail, "warning: "));
  CHECK(contains(tail, "count is 10 elements of float, 40 bytes"));
  CHECK(contains(tail, "the last 2 elements are dropped"));
  CHECK(contains(tail, "DataCopyPad"));
  const std::string all = message_of(ROW(drops_all, 0, "copy-tail"));
  CAPTURE(all);
  CHECK(contains(all, "nothing is copied, and all elements are dropped"));
  const std::string one = message_of(ROW(drops_one_between_local_tensors, 0, "copy-tail"));
  CAPTURE(one);
  CHECK(contains(one, "the last 1 element is dropped"));
}
