// SPDX-License-Identifier: Apache-2.0
// Functions of the library that move elements, against the definitions of the layouts.
#include <array>

#include "tests/ascendc_library/bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

/// Different values in all places, of any type.
template <typename T>
std::vector<T> counted(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = T(static_cast<float>(1 + i % 120));
  return values;
}

// ---- Broadcast

template <typename T, int dim, int axis>
void check_broadcast(std::array<std::uint32_t, dim> from_shape,
                     std::array<std::uint32_t, dim> to_shape) {
  CAPTURE(sizeof(T), dim, axis, from_shape[0], to_shape[0]);
  std::uint32_t from_size = 1, to_size = 1;
  for (int i = 0; i < dim; ++i) from_size *= from_shape[i], to_size *= to_shape[i];
  const std::vector<T> from = counted<T>(from_size);
  const std::uint32_t cols = dim == 2 ? to_shape[dim - 1] : 1;
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    auto tmp = memory.take<std::uint8_t>(8 * (32 + to_shape[dim - 1] * sizeof(T) + 32));
    const Result<T> dst(memory, to_size), own(memory, to_size);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Broadcast<T, dim, axis>(dst.tensor(), src, to_shape.data(), from_shape.data(), tmp);
    AscendC::BroadCast<T, dim, axis>(own.tensor(), src, to_shape.data(), from_shape.data());
    const auto expected = [&](std::size_t i) {
      if (dim == 1) return number(from[0]);
      return number(axis == 0 ? from[i % cols] : from[i / cols]);
    };
    check_each(dst.values(), expected);
    check_each(own.values(), expected);
  });
  CHECK(text == "");
}

template <typename T>
void check_broadcasts() {
  check_broadcast<T, 1, 0>({1}, {37});
  check_broadcast<T, 2, 0>({1, 32}, {5, 32});
  check_broadcast<T, 2, 1>({13, 1}, {13, 7});
  check_broadcast<T, 2, 1>({16, 1}, {16, 64});
}

TEST_CASE("Broadcast repeats the axis of one element", "[shapes]") {
  check_broadcasts<std::int8_t>();
  check_broadcasts<std::uint8_t>();
  check_broadcasts<half>();
  check_broadcasts<float>();
}

#if __NPU_ARCH__ == 3510
TEST_CASE("Broadcast of 3510 has all types, and shapes of up to nine axes", "[shapes]") {
  check_broadcasts<std::int64_t>();
  check_broadcasts<bfloat16_t>();
  const std::vector<std::int16_t> from = counted<std::int16_t>(2 * 3 * 2);
  CHECK(run([&] {
          Memory memory;
          const auto src = memory.take(from);
          const Result<std::int16_t> dst(memory, 2 * 4 * 3 * 5 * 2);
          const std::uint32_t to[] = {2, 4, 3, 5, 2}, shape[] = {2, 1, 3, 1, 2};
          AscendC::BroadcastTiling tiling;
          AscendC::GetBroadcastTilingInfo<std::int16_t>(5, to, shape, false, tiling);
          CHECK(tiling.dstSize == 240);
          CHECK(tiling.srcStride[1] == 0);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Broadcast<std::int16_t>(dst.tensor(), src, to, shape, &tiling);
          check_each(dst.values(), [&](std::size_t i) {
            return number(from[i / 120 * 6 + i / 10 % 3 * 2 + i % 2]);
          });
        }) == "");
}
#endif

// ---- Pad and UnPad

template <typename T>
void check_pad(std::uint32_t height, std::uint32_t width, std::uint32_t kept, std::uint16_t left,
               std::uint16_t right) {
  CAPTURE(sizeof(T), height, width, kept, left, right);
  const std::uint32_t block = 32 / sizeof(T), row = (width + block - 1) / block * block;
  const std::vector<T> from = counted<T>(height * width);
  AscendC::tiling::PadTiling tiling;
  AscendC::PadTilingFunc(AscendC::TensorShape({height, width}),
                         AscendC::TensorShape({height, kept}), 0, sizeof(T), tiling);
  std::uint32_t most = 0, least = 0;
  AscendC::GetPadMaxMinTmpSize(AscendC::TensorShape({height, width}), sizeof(T), most, least);
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto tmp = memory.take<std::uint8_t>(least);
    const Result<T> dst(memory, height * row), own(memory, height * row);
    AscendC::PadParams params{left, right, 99};
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Pad(dst.tensor(), src, params, tmp, tiling);
    AscendC::Pad(own.tensor(), src, params, tiling);
    for (const auto* result : {&dst, &own}) {
      const std::vector<T> got = result->values();
      for (std::uint32_t i = 0; i < got.size(); ++i) {
        const std::uint32_t col = i % row;
        if (col >= left && col < left + kept) {
          CHECK(number(got[i]) == number(from[i / row * width + col - left]));
        } else if (col < left + kept + right) {
          CHECK(number(got[i]) == 99);
        }
      }
    }
  });
  CHECK(text == "");
}

TEST_CASE("Pad fills rows up to whole blocks, or replaces their last columns", "[shapes]") {
  check_pad<half>(16, 15, 15, 0, 1);
  check_pad<std::int16_t>(16, 11, 11, 2, 3);
  check_pad<std::uint16_t>(16, 3, 3, 13, 0);
  check_pad<float>(16, 31, 31, 0, 1);
  check_pad<std::int32_t>(8, 13, 13, 1, 2);
  check_pad<std::uint32_t>(4, 16, 13, 0, 3);
  check_pad<half>(5, 16, 14, 0, 2);
}

template <typename T>
void check_unpad(std::uint32_t height, std::uint32_t width, std::uint16_t right) {
  const std::vector<T> from = counted<T>(height * width);
  AscendC::tiling::UnPadTiling tiling;
  AscendC::UnPadTilingFunc(AscendC::TensorShape({height, width}), 0, sizeof(T), tiling);
  const std::uint32_t kept = width - right;
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    auto tmp = memory.take<std::uint8_t>(32 * width * sizeof(T));
    const Result<T> dst(memory, height * kept), own(memory, height * kept);
    AscendC::UnPadParams params{0, right};
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::UnPad(dst.tensor(), src, params, tmp, tiling);
    AscendC::UnPad(own.tensor(), src, params, tiling);
    const auto expected = [&](std::size_t i) { return number(from[i / kept * width + i % kept]); };
    check_each(dst.values(), expected);
    check_each(own.values(), expected);
  });
  CHECK(text == "");
}

TEST_CASE("UnPad drops the last columns", "[shapes]") {
  check_unpad<half>(16, 16, 1);
  check_unpad<std::int16_t>(3, 32, 15);
  check_unpad<std::uint16_t>(7, 16, 5);
  check_unpad<float>(8, 8, 1);
  check_unpad<std::int32_t>(5, 24, 7);
  check_unpad<std::uint32_t>(5, 8, 3);
}

// ---- Transpose

/// Elements of [b, n, s, k], and where a format keeps them.
struct Heads {
  std::uint32_t b, n, s, k;
};

/// A matrix of rows and columns as fractals: [cols / 16, rows, 16], in one line.
std::uint64_t nz(std::uint64_t rows, std::uint64_t row, std::uint64_t col) {
  return (col / 16 * rows + row) * 16 + col % 16;
}
std::uint64_t up(std::uint64_t extent) { return (extent + 15) / 16 * 16; }

std::uint64_t place_in(const Heads& h, int scene, bool result, std::uint64_t b, std::uint64_t n,
                       std::uint64_t s, std::uint64_t k) {
  const std::uint64_t merged = n * h.k + k, all = up(std::uint64_t{h.n} * h.k);
  const bool merges = result ? scene >= 5 : scene == 3 || scene == 4;
  if (!result || scene == 3 || scene == 6) {
    return merges ? b * h.s * all + nz(h.s, s, merged)
                  : (b * h.n + n) * h.s * up(h.k) + nz(h.s, s, k);
  }
  if (scene == 1) return ((b * h.s + s) * h.n + n) * h.k + k;
  if (scene == 2) return (b * h.s + s) * h.n * up(h.k) + nz(h.n, n, k);
  if (scene == 4) return ((b * h.n + n) * h.s + s) * up(h.k) + k;
  return (b * h.s + s) * all + merged;
}

template <typename T>
void check_heads(const Heads& h, int scene) {
  CAPTURE(sizeof(T), scene, h.b, h.n, h.s, h.k);
  const std::uint64_t size = std::uint64_t{h.b} * h.n * h.s * up(h.k);
  const std::vector<T> from = counted<T>(size);
  const AscendC::TensorShape shape({h.b, h.n, h.s, h.k});
  std::uint32_t most = 0, least = 0;
  AscendC::tiling::ConfusionTransposeTiling tiling;
  const auto type = static_cast<std::uint32_t>(scene);
  AscendC::GetTransposeMaxMinTmpSize(shape, sizeof(T), type, most, least);
  AscendC::GetTransposeTilingInfo(shape, least, sizeof(T), type, tiling);
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto tmp = memory.take<std::uint8_t>(least);
    const Result<T> dst(memory, size), own(memory, size);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Transpose(dst.tensor(), src, tmp, AscendC::TransposeType(scene), tiling);
    AscendC::ConfusionTranspose(own.tensor(), src, AscendC::TransposeType(scene), tiling);
    const std::vector<T> got = dst.values(), got_own = own.values();
    for (std::uint64_t b = 0; b < h.b; ++b)
      for (std::uint64_t n = 0; n < h.n; ++n)
        for (std::uint64_t s = 0; s < h.s; ++s)
          for (std::uint64_t k = 0; k < h.k; ++k) {
            const double expected = number(from[place_in(h, scene, false, b, n, s, k)]);
            const std::uint64_t to = place_in(h, scene, true, b, n, s, k);
            CHECK(number(got[to]) == expected);
            CHECK(number(got_own[to]) == expected);
          }
  });
  CHECK(text == "");
}

TEST_CASE("Transpose has the scenes between fractals and rows", "[shapes]") {
  for (int scene = 1; scene <= 6; ++scene) {
    check_heads<half>({2, 2, 16, 32}, scene);
    check_heads<float>({1, 3, 32, 16}, scene);
    if (scene > 2) check_heads<std::int16_t>({1, 2, 16, 24}, scene);
  }
}

/// Scenes of two or three axes: `from[i][j][k]` of the source by the result's place.
template <typename T, typename F>
void check_axes(int scene, const std::vector<std::int64_t>& extents, F&& source) {
  CAPTURE(sizeof(T), scene);
  std::uint64_t size = 1;
  for (const std::int64_t extent : extents) size *= static_cast<std::uint64_t>(extent);
  const std::vector<T> from = counted<T>(size);
  AscendC::tiling::ConfusionTransposeTiling tiling;
  AscendC::GetTransposeTilingInfo(AscendC::TensorShape(extents), 0, sizeof(T),
                                  static_cast<std::uint32_t>(scene), tiling);
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const Result<T> dst(memory, size);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Transpose(dst.tensor(), src, AscendC::TransposeType(scene), tiling);
    check_each(dst.values(), [&](std::size_t i) { return number(from[source(i)]); });
  });
  CHECK(text == "");
}

TEST_CASE("Transpose turns a matrix, also in place", "[shapes]") {
  const auto turned = [](std::size_t i) { return i % 32 * 16 + i / 32; };
  check_axes<half>(7, {32, 16}, turned);
  check_axes<std::uint32_t>(7, {32, 16}, turned);
  const std::vector<float> from = counted<float>(256);
  AscendC::tiling::ConfusionTransposeTiling tiling;
  AscendC::GetConfusionTransposeOnlyTilingInfo(AscendC::TensorShape({16, 16}), 0, 4, tiling);
  CHECK(run([&] {
          Memory memory;
          const auto both = memory.take(from);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::Transpose(both, both, AscendC::TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
          AscendC::PipeBarrier<PIPE_ALL>();
          for (std::uint32_t i = 0; i < 256; ++i)
            CHECK(both.GetValue(i) == from[i % 16 * 16 + i / 16]);
        }) == "");
}

#if __NPU_ARCH__ == 3510
TEST_CASE("Transpose of 3510 exchanges any two of three axes", "[shapes]") {
  check_axes<std::int8_t>(13, {3, 5}, [](std::size_t i) { return i % 3 * 5 + i / 3; });
  check_axes<float>(13, {2, 3, 5},
                    [](std::size_t i) { return i / 15 * 15 + i % 3 * 5 + i % 15 / 3; });
  check_axes<bfloat16_t>(14, {2, 3, 5},
                         [](std::size_t i) { return i / 5 % 2 * 15 + i / 10 * 5 + i % 5; });
  check_axes<std::uint16_t>(15, {2, 3, 5},
                            [](std::size_t i) { return i % 2 * 15 + i / 2 % 3 * 5 + i / 6; });
  // [32, 4] to [2, 2, 16, 2].
  check_axes<std::uint8_t>(16, {32, 4},
                           [](std::size_t i) { return i % 64 / 2 * 4 + i / 64 * 2 + i % 2; });
}
#endif

#if __NPU_ARCH__ == 3510
TEST_CASE("Transpose of three axes does not work in place", "[shapes]") {
  AscendC::tiling::ConfusionTransposeTiling tiling;
  AscendC::GetTransposeTilingInfo(AscendC::TensorShape({2, 2, 8}), 0, 4, 14, tiling);
  const std::string text = run([&] {
    Memory memory;
    const auto both = memory.take(counted<float>(32));
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Transpose(both, both, AscendC::TransposeType::TRANSPOSE_ND2ND_102, tiling);
  });
  CHECK(contains(text, "Transpose: tensors dst and src overlap; expected memory of their own"));
}
#endif

// ---- TransData

struct Image {
  int n, c, d, h, w;
};

template <bool fractal, bool forward>
void check_transdata(const Image& of) {
  CAPTURE(fractal, forward, of.n, of.c, of.d, of.h, of.w);
  using AscendC::DataFormat;
  static constexpr DataFormat kBlocked = fractal ? DataFormat::FRACTAL_Z_3D : DataFormat::NDC1HWC0;
  static constexpr AscendC::TransDataConfig kConfig =
      forward ? AscendC::TransDataConfig{DataFormat::NCDHW, kBlocked}
              : AscendC::TransDataConfig{kBlocked, DataFormat::NCDHW};
  const int c1 = (of.c + 15) / 16, n1 = (of.n + 15) / 16, row = (of.h * of.w + 15) / 16 * 16;
  const int plain = of.n * of.c * of.d * row;
  const int blocked = (fractal ? n1 * 16 : of.n) * of.d * c1 * 16 * of.h * of.w;
  const std::vector<half> from = counted<half>(forward ? plain : blocked);
  const auto ncdhw =
      AscendC::MakeLayout(AscendC::MakeShape(of.n, of.c, of.d, of.h, of.w), AscendC::MakeStride());
  const auto other = [&] {
    if constexpr (fractal) {
      return AscendC::MakeLayout(AscendC::MakeShape(of.d, c1, of.h, of.w, n1, 16, 16),
                                 AscendC::MakeStride());
    } else {
      return AscendC::MakeLayout(AscendC::MakeShape(of.n, of.d, c1, of.h, of.w, 16),
                                 AscendC::MakeStride());
    }
  }();
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto tmp = memory.take<std::uint8_t>(64 * 1024);
    const Result<half> dst(memory, forward ? blocked : plain),
        own(memory, forward ? blocked : plain);
    AscendC::PipeBarrier<PIPE_ALL>();
    if constexpr (forward) {
      AscendC::TransDataParams<decltype(ncdhw), decltype(other)> params = {ncdhw, other};
      AscendC::TransData<kConfig>(dst.tensor(), src, tmp, params);
      AscendC::TransData<kConfig>(own.tensor(), src, params);
    } else {
      AscendC::TransDataParams<decltype(other), decltype(ncdhw)> params = {other, ncdhw};
      AscendC::TransData<kConfig>(dst.tensor(), src, tmp, params);
      AscendC::TransData<kConfig>(own.tensor(), src, params);
    }
    const std::vector<half> got = dst.values(), got_own = own.values();
    double sum = 0, all = 0;
    for (int n = 0; n < of.n; ++n)
      for (int c = 0; c < of.c; ++c)
        for (int d = 0; d < of.d; ++d)
          for (int at = 0; at < of.h * of.w; ++at) {
            const int in_plain = ((n * of.c + c) * of.d + d) * row + at;
            const int in_blocked =
                fractal
                    ? ((((d * c1 + c / 16) * of.h * of.w + at) * n1 + n / 16) * 16 + n % 16) * 16 +
                          c % 16
                    : (((n * of.d + d) * c1 + c / 16) * of.h * of.w + at) * 16 + c % 16;
            const double expected = number(from[forward ? in_plain : in_blocked]);
            CHECK(number(got[forward ? in_blocked : in_plain]) == expected);
            CHECK(number(got_own[forward ? in_blocked : in_plain]) == expected);
            sum += expected;
          }
    for (const half value : got) all += number(value);
    if (forward) CHECK(all == sum);  // the rest is zero
  });
  CHECK(text == "");
}

TEST_CASE("TransData converts to blocks of 16 channels and back", "[shapes]") {
  for (const Image& of : {Image{1, 16, 2, 4, 4}, Image{2, 20, 1, 3, 5}}) {
    check_transdata<false, true>(of);
    check_transdata<false, false>(of);
    check_transdata<true, true>(of);
    check_transdata<true, false>(of);
  }
}

// ---- Fill

/// Runs the body as a kernel on an initialised device.
std::string run_on(const Device& device, std::function<void()> body) {
  body_of_kernel = std::move(body);
  Said said;
  const int enqueued =
      KernelOf<&run_body>::enqueue("kernel", ACLSIM_CORES_INFERRED, 1, nullptr, nullptr);
  const int ended = device.synchronize();
  CHECK(enqueued == 0);
  CHECK(ended == 0);
  return said.text();
}

TEST_CASE("Fill writes exactly the elements of global memory", "[shapes]") {
  const Device device;
  const auto memory = device.memory(std::vector<float>(20000, 5.0F));
  const auto small = device.memory(std::vector<std::int16_t>(64, 5));
  CHECK(run_on(device, [&] {
          AscendC::GlobalTensor<float> gm;
          gm.SetGlobalBuffer(memory.data(), 20000);
          AscendC::Fill(gm, 19997, 2.5F);
          AscendC::PipeBarrier<PIPE_ALL>();
          AscendC::GlobalTensor<std::int16_t> other;
          other.SetGlobalBuffer(small.data(), 64);
          AscendC::InitGlobalMemory(other, 33, std::int16_t(-7));
        }) == "");
  const std::vector<float> got = memory.host();
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == (i < 19997 ? 2.5F : 5.0F));
  const std::vector<std::int16_t> shorts = small.host();
  for (std::size_t i = 0; i < shorts.size(); ++i) CHECK(shorts[i] == (i < 33 ? -7 : 5));
}

TEST_CASE("two values of Fill without an order between them are a race", "[shapes]") {
  const Device device;
  const auto memory = device.memory<float>(256);
  const std::string text = run_on(device, [&] {
    AscendC::GlobalTensor<float> gm;
    gm.SetGlobalBuffer(memory.data(), 256);
    AscendC::Fill(gm, 128, 1.0F);
    AscendC::Fill(gm[128], 128, 2.0F);
  });
  CHECK(contains(text, "pipe-race"));
}

// ---- host code

TEST_CASE("tilings of both kinds have the shape, and sizes grow with it", "[shapes]") {
  optiling::PadTiling pad;
  AscendC::PadTilingFunc(AscendC::TensorShape({16, 15}), AscendC::TensorShape({16, 15}), 0, 2, pad);
  CHECK(pad.get_srcHeight() == 16);
  CHECK(pad.get_srcOriWidth() == 15);
  optiling::UnPadTiling unpad;
  AscendC::UnPadTilingFunc(AscendC::TensorShape({3, 32}), 0, 2, unpad);
  CHECK(unpad.get_srcWidth() == 32);
  optiling::ConfusionTransposeTiling turned;
  AscendC::GetTransposeTilingInfo(AscendC::TensorShape({1, 2, 64, 32}), 0, 2, 1, turned);
  CHECK(turned.get_param0() == 1);
  CHECK(turned.get_param6() == 32);
  const platform_ascendc::PlatformAscendC platform;
  std::uint32_t most = 0, least = 0, small = 0;
  AscendC::GetBroadCastMaxMinTmpSize(platform, AscendC::TensorShape({64, 1}),
                                     AscendC::TensorShape({64, 16}), 4, false, most, small);
  AscendC::GetBroadCastMaxMinTmpSize(platform, AscendC::TensorShape({64, 1}),
                                     AscendC::TensorShape({64, 63}), 4, false, most, least);
  CHECK(least > small);
  CHECK(most >= least);
  using AscendC::DataFormat;
  const AscendC::TransDataConfig config = {DataFormat::NCDHW, DataFormat::NDC1HWC0};
  const AscendC::TensorShape plain({1, 16, 2, 4, 4}), blocked({1, 2, 1, 4, 4, 16});
  CHECK(AscendC::GetTransDataMaxMinTmpSize(platform, plain, blocked, ge::DT_FLOAT16, config, most,
                                           least));
  CHECK(least == 2 * (2 * 16 + 2 * 16 * 16));
  CHECK(!AscendC::GetTransDataMaxMinTmpSize(platform, blocked, plain, ge::DT_FLOAT16, config, most,
                                            least));
}

// ---- wrong arguments

TEST_CASE("wrong shapes of functions that move end the kernel with a sentence", "[shapes]") {
  const auto refuse = [](auto&& call) {
    return refused([&] {
      Memory memory;
      const auto src = memory.take(counted<float>(64));
      const auto dst = memory.take<float>(64);
      AscendC::PipeBarrier<PIPE_ALL>();
      call(dst, src);
    });
  };
  CHECK(contains(refuse([](auto& dst, auto& src) {
                   const std::uint32_t to[] = {4, 8}, from[] = {2, 8};
                   AscendC::Broadcast<float, 2, 0>(dst, src, to, from);
                 }),
                 "Broadcast: srcShape[0] is 2 and dstShape[0] is 4; expected 1 or equal numbers"));
  CHECK(contains(refuse([](auto& dst, auto& src) {
                   const std::uint32_t to[] = {9, 8}, from[] = {9, 1};
                   AscendC::Broadcast<float, 2, 1>(dst, src, to, from);
                 }),
                 "Broadcast: tensor dst: 288 bytes needed, 256 there"));
  CHECK(contains(refuse([](auto& dst, auto& src) {
                   AscendC::tiling::PadTiling tiling{};
                   tiling.srcHeight = 8, tiling.srcWidth = tiling.srcOriWidth = 8;
                   AscendC::PadParams params{0, 1, 0};
                   AscendC::Pad(dst, src, params, tiling);
                 }),
                 "Pad: tiling.srcOriWidth of rows of whole blocks is 8; expected 1 to 7"));
  CHECK(contains(refuse([](auto& dst, auto& src) {
                   AscendC::tiling::UnPadTiling tiling{};
                   tiling.srcHeight = 8, tiling.srcWidth = 7;
                   AscendC::UnPadParams params{0, 1};
                   AscendC::UnPad(dst, src, params, tiling);
                 }),
                 "UnPad: tiling.srcWidth * sizeof(T) is 28; expected a multiple of 32"));
  CHECK(contains(refuse([](auto& dst, auto& src) {
                   AscendC::tiling::ConfusionTransposeTiling tiling{};
                   tiling.param0 = 3;
                   AscendC::Transpose(dst, src, AscendC::TransposeType(7), tiling);
                 }),
                 "Transpose: transposeType is 7, but the tiling is for type 3"));
  CHECK(contains(refuse([](auto& dst, auto& src) {
                   AscendC::Transpose(dst, src, AscendC::TransposeType(9), {});
                 }),
                 "Transpose: transposeType is 9; expected 1 to 7"));
}

}  // namespace
}  // namespace library_test
