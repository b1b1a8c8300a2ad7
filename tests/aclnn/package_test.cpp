// SPDX-License-Identifier: Apache-2.0
// Operators of packages: types, tilings, arguments of the kernel, and wrong use. The package is
// data of this program; tests/ascendc_build/folders/operators builds packages as users do.
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl_rt_compile.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclsim_operator_package.h"
#include "tests/aclnn/world.h"

using aclnntest::Device;
using aclnntest::Floats;
using aclnntest::message;

namespace {

constexpr const char* kSource = R"(
#include "kernel_operator.h"
// y = x + bias (if there is one) + the value of the host + the key.
extern "C" __global__ __aicore__ void add_key(GM_ADDR x, GM_ADDR bias, GM_ADDR value, GM_ADDR y,
                                              GM_ADDR workspace, GM_ADDR tiling) {
  const auto* data = reinterpret_cast<__gm__ uint64_t*>(tiling);
  auto* from = reinterpret_cast<__gm__ float*>(x);
  auto* more = reinterpret_cast<__gm__ float*>(bias);
  auto* to = reinterpret_cast<__gm__ float*>(y);
  auto* scratch = reinterpret_cast<__gm__ float*>(workspace);
  scratch[0] = *reinterpret_cast<__gm__ float*>(value);
  for (uint64_t i = 0; i < data[0]; ++i) {
    to[i] = from[i] + (more ? more[i] : 0.0f) + scratch[0] + static_cast<float>(TILING_KEY_VAR);
  }
}
)";

constexpr const char* kIndex = R"({
  "inputs": [{"name": "x"}, {"name": "bias"}, {"name": "value"}], "outputs": [{"name": "y"}],
  "binList": [
    {"inputs": [{"type": 1, "format": 2}, {"type": 1, "format": 2}, {"type": 1, "format": 2}],
     "outputs": [{"type": 1, "format": 2}], "file": "missing.o", "kernels": {"": "add_key"}},
    {"inputs": [{"type": 0, "format": 2}, {"type": 0, "format": 2}, {"type": 0, "format": 2}],
     "outputs": [{"type": 0, "format": 2}], "file": "add_key.o", "kernels": {"": "add_key"}},
    {"inputs": [{"type": 3, "format": 2}, {"type": 3, "format": 2}, {"type": 3, "format": 2}],
     "outputs": [{"type": 3, "format": 2}], "file": "add_key.o", "kernels": {"8": "add_key"}}]})";

std::uint64_t wanted_key = 5;
std::uint32_t wanted_status = 0;
thread_local std::vector<std::int64_t> seen_dims;
thread_local std::string seen_text;

std::int32_t compute_tiling(aclsimTilingCall* call) {
  if (std::strcmp(call->type, "AddKey") != 0) return ACLSIM_TILING_UNKNOWN_OPERATOR;
  call->tiling_status = wanted_status;
  if (wanted_status != 0) return ACLSIM_TILING_FAILED;
  const aclsimTilingTensor& x = call->inputs[0].tensors[0];
  seen_dims.assign(x.dims, x.dims + x.rank);
  seen_text = call->num_attributes > 0 ? call->attributes[0].text : "";
  const auto length = static_cast<std::uint64_t>(
      std::accumulate(seen_dims.begin(), seen_dims.end(), std::int64_t{1}, std::multiplies<>()));
  std::memcpy(call->tiling, &length, sizeof length);
  call->tiling_size = sizeof length;
  call->blocks = 1;
  call->key = wanted_key;
  call->workspace = 100;
  return ACLSIM_TILING_DONE;
}

const std::string& kernel() {
  static const std::string bytes = [] {
    aclrtcProg program = nullptr;
    REQUIRE(aclrtcCreateProg(&program, kSource, "add_key.asc", 0, nullptr, nullptr) == 0);
    const char* option = "--npu-arch=dav-2201";
    REQUIRE(aclrtcCompileProg(program, 1, &option) == 0);
    std::size_t size = 0;
    REQUIRE(aclrtcGetBinDataSize(program, &size) == 0);
    std::string made(size, '\0');
    REQUIRE(aclrtcGetBinData(program, made.data()) == 0);
    REQUIRE(aclrtcDestroyProg(&program) == 0);
    return made;
  }();
  return bytes;
}

const aclsimOperatorPackage& package() {
  static const aclsimPackagedFile files[] = {
      {"kernel/config/ascend910b/AddKey.json", kIndex, kIndex + std::strlen(kIndex)},
      {"kernel/config/ascend910b/Broken.json", kIndex, kIndex + 20},
      {"add_key.o", kernel().data(), kernel().data() + kernel().size()}};
  static const aclsimOperatorPackage made = {sizeof made, "tested", compute_tiling, files,
                                             std::size(files)};
  return made;
}

/// A call of the operator, as generated code makes it.
struct Call {
  const void *x = nullptr, *bias = nullptr, *value = nullptr, *y = nullptr;
  const char* type = "AddKey";
  std::uint32_t input_flags = 0;
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  std::string said{};  // by the second phase

  aclnnStatus plan() {
    const aclsimPackagedOperand operands[] = {
        {"x", x, ACLSIM_PACKAGED_TENSOR, input_flags},
        {"bias", bias, ACLSIM_PACKAGED_TENSOR, ACLSIM_PACKAGED_OPTIONAL},
        {"value", value, ACLSIM_PACKAGED_SCALAR, 0},
        {"y", y, ACLSIM_PACKAGED_TENSOR, ACLSIM_PACKAGED_OUTPUT}};
    const aclsimPackagedAttribute attributes[] = {
        {"text", {ACLSIM_ATTRIBUTE_STRING, 0, 0, 0, "some text", nullptr, 0}}};
    const aclsimPackagedCall call = {sizeof call, "aclnnAddKey", type, &package(),
                                     operands,    attributes,    4,    1};
    return aclsimPlanPackaged(&call, &workspace, &executor);
  }
  /// With a workspace of its size.
  aclnnStatus run(aclrtStream stream) {
    void* memory = nullptr;
    OK_ACL(aclrtMalloc(&memory, workspace, ACL_MEM_MALLOC_HUGE_FIRST));
    const aclnnStatus code = aclsimRunPackaged(memory, workspace, executor, stream);
    said = message();
    if (code == OK) OK_ACL(aclrtSynchronizeStream(stream));
    OK_ACL(aclrtFree(memory));
    return code;
  }
};

/// Tensors of a call that is right.
struct Arguments {
  Floats x_data{{1, 2, 3, 4}}, bias_data{{10, 20, 30, 40}}, y_data{{0, 0, 0, 0}};
  float half = 0.5F;
  aclTensor *x = x_data.tensor(), *bias = bias_data.tensor(), *y = y_data.tensor();
  aclScalar* value = aclCreateScalar(&half, ACL_FLOAT);
  ~Arguments() {
    for (aclTensor* tensor : {x, bias, y}) aclDestroyTensor(tensor);
    aclDestroyScalar(value);
  }
  Call call() const { return {x, bias, value, y}; }
};

}  // namespace

TEST_CASE("the kernel of a package gets operands, values of the host, workspace, tiling and key",
          "[aclnn][package]") {
  const Device device;
  const Arguments arguments;
  Call call = arguments.call();
  INFO(message());
  REQUIRE(call.plan() == OK);
  CHECK(call.workspace == 100);
  CHECK(seen_dims == std::vector<std::int64_t>{4});
  CHECK(seen_text == "some text");
  REQUIRE(call.run(device.stream()) == OK);
  CHECK(arguments.y_data.values() == std::vector<float>{16.5F, 27.5F, 38.5F, 49.5F});

  call.bias = nullptr;
  REQUIRE(call.plan() == OK);
  REQUIRE(call.run(device.stream()) == OK);
  CHECK(arguments.y_data.values() == std::vector<float>{6.5F, 7.5F, 8.5F, 9.5F});
}

TEST_CASE("a scalar becomes the type of the kernel", "[aclnn][package]") {
  const Device device;
  const Arguments arguments;
  double quarter = 0.25;
  aclScalar* const scalar = aclCreateScalar(&quarter, ACL_DOUBLE);
  Call call = arguments.call();
  call.value = scalar;
  REQUIRE(call.plan() == OK);
  REQUIRE(call.run(device.stream()) == OK);
  CHECK(arguments.y_data.values()[0] == 16.25F);
  aclDestroyScalar(scalar);
}

TEST_CASE("an operator of a package is repeated with other addresses", "[aclnn][package]") {
  const Device device;
  Arguments arguments;
  Call call = arguments.call();
  REQUIRE(call.plan() == OK);
  REQUIRE(aclSetAclOpExecutorRepeatable(call.executor) == OK);
  const Floats other({0, 0, 0, 0});
  REQUIRE(call.run(device.stream()) == OK);
  REQUIRE(aclSetOutputTensorAddr(call.executor, 0, arguments.y, other.memory()) == OK);
  REQUIRE(call.run(device.stream()) == OK);
  CHECK(other.values()[3] == 49.5F);
  CHECK(aclDestroyAclOpExecutor(call.executor) == OK);
}

TEST_CASE("tensors may be destroyed between the phases of an operator of a package",
          "[aclnn][package]") {
  const Device device;
  const Floats x({1, 2}), y({0, 0});
  float zero = 0;
  aclTensor *const first = x.tensor(), *const second = y.tensor();
  aclScalar* const value = aclCreateScalar(&zero, ACL_FLOAT);
  Call call{first, nullptr, value, second};
  REQUIRE(call.plan() == OK);
  aclDestroyTensor(first);
  aclDestroyTensor(second);
  aclDestroyScalar(value);
  REQUIRE(call.run(device.stream()) == OK);
  CHECK(y.values() == std::vector<float>{6, 7});
}

TEST_CASE("an input that is not contiguous is copied where the operator asks for it",
          "[aclnn][package]") {
  const Device device;
  const Arguments arguments;
  const Floats data({9, 1, 3, 2, 4});
  const std::int64_t dims[] = {2, 2}, strides[] = {1, 2}, storage = 5;
  aclTensor* const turned =
      aclCreateTensor(dims, 2, ACL_FLOAT, strides, 1, ACL_FORMAT_ND, &storage, 1, data.memory());
  Call call = arguments.call();
  call.x = turned;
  CHECK(call.plan() == 161002);
  CHECK(message().find("x is not contiguous") != std::string::npos);
  call.input_flags = ACLSIM_PACKAGED_CONTIGUOUS;
  REQUIRE(call.plan() == OK);
  CHECK(call.workspace == 512 + 16);
  CHECK(seen_dims == std::vector<std::int64_t>{2, 2});
  REQUIRE(call.run(device.stream()) == OK);
  CHECK(arguments.y_data.values() == std::vector<float>{16.5F, 27.5F, 38.5F, 49.5F});
  call.input_flags = ACLSIM_PACKAGED_STRIDED;  // the kernel has to look at the strides
  REQUIRE(call.plan() == OK);
  CHECK(call.workspace == 100);
  REQUIRE(call.run(device.stream()) == OK);
  CHECK(arguments.y_data.values() == std::vector<float>{16.5F, 28.5F, 37.5F, 49.5F});
  aclDestroyTensor(turned);
}

TEST_CASE("kernels of a package are loaded again after aclFinalize", "[aclnn][package]") {
  for (int round = 0; round < 2; ++round) {
    const Device device;
    const Arguments arguments;
    Call call = arguments.call();
    REQUIRE(call.plan() == OK);
    REQUIRE(call.run(device.stream()) == OK);
    CHECK(arguments.y_data.values()[0] == 16.5F);
  }
}

TEST_CASE("threads plan operators of a package at the same time", "[aclnn][package]") {
  const Device device;
  constexpr std::size_t kThreads = 4;
  const Arguments arguments[kThreads];
  void* workspaces[kThreads] = {};
  for (void*& each : workspaces) OK_ACL(aclrtMalloc(&each, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  kernel();  // compiled here
  int codes[kThreads] = {};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      aclrtStream stream = nullptr;
      Call call = arguments[i].call();
      codes[i] = aclrtSetDevice(0);
      if (codes[i] == 0) codes[i] = aclrtCreateStream(&stream);
      if (codes[i] == 0) codes[i] = call.plan();
      if (codes[i] == 0) codes[i] = aclsimRunPackaged(workspaces[i], 100, call.executor, stream);
      if (codes[i] == 0) codes[i] = aclrtSynchronizeStream(stream);
      if (stream) aclrtDestroyStream(stream);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads; ++i) {
    CHECK(codes[i] == 0);
    CHECK(arguments[i].y_data.values()[0] == 16.5F);
    OK_ACL(aclrtFree(workspaces[i]));
  }
}

TEST_CASE("wrong calls of operators of packages are refused", "[aclnn][package]") {
  const Device device;
  const Arguments arguments;
  const auto refused = [&](Call call, int code, const std::string& text) {
    CAPTURE(text);
    call.executor = nullptr;
    CHECK(call.plan() == code);
    CHECK(call.executor == nullptr);
    const std::string said = message();
    CAPTURE(said);
    CHECK(said.find(text) != std::string::npos);
  };
  Call call = arguments.call();
  call.x = nullptr;
  refused(call, 161001, "aclnnAddKey: x is null");
  call = arguments.call();
  call.y = nullptr;
  refused(call, 161001, "y is null");
  call = arguments.call();
  call.value = nullptr;
  refused(call, 161001, "value is null");
  call = arguments.call();
  call.type = "Absent";
  refused(call, 561003, "the package 'tested' has no kernel of Absent for ascend910b");
  call.type = "Broken";
  refused(call, 561000, "kernel/config/ascend910b/Broken.json");

  const std::int64_t four = 4;
  aclTensor* const bytes = aclCreateTensor(&four, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &four, 1,
                                           arguments.x_data.memory());
  call = arguments.call();
  call.x = bytes;
  refused(call, 161002,
          "no kernel of AddKey has the types x INT8, bias FLOAT, y FLOAT; expected x FLOAT16");
  aclDestroyTensor(bytes);
  aclTensor* const blocks = aclCreateTensor(&four, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_FRACTAL_NZ,
                                            &four, 1, arguments.x_data.memory());
  call = arguments.call();
  call.x = blocks;
  refused(call, 161002, "x FLOAT (format 29)");
  aclDestroyTensor(blocks);

  wanted_status = 7;
  refused(arguments.call(), 561002, "the tiling function of AddKey returned 0x7");
  wanted_status = 0;

  aclTensor* numbers[3];
  for (aclTensor*& each : numbers) {
    each = aclCreateTensor(&four, 1, ACL_INT32, nullptr, 0, ACL_FORMAT_ND, &four, 1,
                           arguments.x_data.memory());
  }
  refused({numbers[0], numbers[1], arguments.value, numbers[2]}, 561003,
          "the kernel of AddKey was not compiled for the tiling key 5");
  aclTensor* halves[2];
  for (aclTensor*& each : halves) {
    each = aclCreateTensor(&four, 1, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, &four, 1,
                           arguments.x_data.memory());
  }
  Call missing{halves[0], nullptr, arguments.value, halves[1]};
  REQUIRE(missing.plan() == OK);
  CHECK(missing.run(device.stream()) == 561003);
  CHECK(missing.said.find("has no file missing.o") != std::string::npos);
  for (aclTensor* each : numbers) aclDestroyTensor(each);
  for (aclTensor* each : halves) aclDestroyTensor(each);

  call = arguments.call();
  REQUIRE(call.plan() == OK);
  void* memory = nullptr;
  OK_ACL(aclrtMalloc(&memory, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclsimRunPackaged(memory, 99, call.executor, device.stream()) == 161002);
  CHECK(message().find("workspaceSize is 99; expected 100") != std::string::npos);
  OK_ACL(aclrtFree(memory));
  CHECK(aclsimPlanPackaged(nullptr, &call.workspace, &call.executor) == 161001);
}
