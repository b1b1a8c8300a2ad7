// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by handle: binaries that are unloaded while work is pending, and failures.
#include <stdexcept>

#include "tests/acl/kernel_launch.h"

using namespace world;
using namespace launchtest;

namespace {

std::int32_t throw_something(const aclsimKernelContext*, const void*) {
  throw std::runtime_error("on purpose");
}

struct Report {
  const void* device_args = nullptr;  // what the callback must not read
  void* address = nullptr;
  std::int32_t args = 0;
  std::uint32_t args_size = 0;
  aclrtFuncHandle function = nullptr;
  std::uint32_t code = 0;
  std::atomic<int> calls{0};
};

Report general;

void note(aclrtExceptionInfo* info, void* user_data) {
  Report& report = *static_cast<Report*>(user_data);
  aclrtGetArgsFromExceptionInfo(info, &report.address, &report.args_size);
  if (report.address != report.device_args) {
    std::memcpy(&report.args, report.address, sizeof report.args);
  }
  aclrtGetFuncHandleFromExceptionInfo(info, &report.function);
  report.code = aclrtGetErrorCodeFromExceptionInfo(info);
  ++report.calls;
}

void note_general(aclrtExceptionInfo* info) { note(info, &general); }

}  // namespace

// ---- unloading while work is pending ------------------------------------------------------------

TEST_CASE("launches that are pending when their binary is unloaded still run") {
  const Device device;
  const Stream stream;
  const DeviceMemory numbers(3 * sizeof(std::uint32_t));
  put(numbers, {1, 2, 3});
  std::atomic<int> unloads{0};
  Binary binary = Binary::from_memory(read_file(kernels_path()));
  binary.variable<std::atomic<int>*>("unloads") = &unloads;
  Gate gate;
  gate.hold(stream);
  const ScaleArgs args{numbers.as<std::uint32_t>(), 3, 2};
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(launch_host(binary.function("scale"), args, stream));
  binary.unload();
  CHECK(stats().otherHandles == 0);
  CHECK(unloads == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(get(numbers, 3) == std::vector<std::uint32_t>{8, 16, 24});
  CHECK(eventually([&] { return unloads == 1; }));
}

TEST_CASE("a binary may be unloaded while one of its kernels runs") {
  const Device device;
  const Stream stream;
  std::atomic<int> unloads{0};
  Binary binary = Binary::from_memory(read_file(kernels_path()));
  binary.variable<std::atomic<int>*>("unloads") = &unloads;
  auto& entered = binary.variable<std::atomic<int>>("gate_entered");
  auto& open = binary.variable<std::atomic<int>>("gate_open");
  REQUIRE_ACL(launch_host(binary.function("hold"), 0, stream));
  REQUIRE(eventually([&] { return query(stream) == ACL_STREAM_STATUS_NOT_READY && entered == 1; }));
  binary.unload();
  CHECK(unloads == 0);
  open = 1;
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(eventually([&] { return unloads == 1; }));
}

TEST_CASE("launches that are dropped let go of their binary") {
  const Device device;
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  std::atomic<int> unloads{0};
  Binary binary = Binary::from_memory(read_file(kernels_path()));
  binary.variable<std::atomic<int>*>("unloads") = &unloads;
  const Event never = Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  REQUIRE_ACL(launch_host(binary.function("tiled_7"), 0, stream));
  binary.unload();
  CHECK(unloads == 0);
  REQUIRE_ACL(aclrtDestroyStreamForce(stream));
  CHECK(eventually([&] { return unloads == 1; }));
}

// ---- failures -----------------------------------------------------------------------------------

TEST_CASE("a kernel by handle that fails reports its device error") {
  const Device device;
  const Binary binary;
  const aclrtFuncHandle function = binary.function("fail_with");
  for (const int code : {ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_AICPU_EXCEPTION}) {
    REQUIRE_ACL(launch_host(function, code));
    CHECK_CODE(aclrtSynchronizeStream(nullptr), code);
  }
  REQUIRE_ACL(launch_host(function, -1));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  register_kernel(nullptr, "throw", throw_something);
  REQUIRE_ACL(launch_host(binary.function("throw"), 0));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
}

TEST_CASE("exception callbacks learn the function and its arguments, wherever those lie") {
  const Device device;
  const Binary binary;
  const aclrtFuncHandle function = binary.function("fail_with");
  const DeviceMemory args(64);
  store(args, ACL_ERROR_RT_AICORE_TIMEOUT);
  general.calls = 0;
  general.device_args = args;
  REQUIRE_ACL(aclrtExceptionInfoCallbackRegister(note_general));
  REQUIRE_ACL(launch_host(function, ACL_ERROR_RT_AICORE_EXCEPTION));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(general.calls == 1);
  CHECK(general.function == function);
  CHECK(general.args == ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(general.args_size == sizeof(std::int32_t));
  REQUIRE_ACL(aclrtLaunchKernel(function, 1, args, 32, nullptr));
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_TIMEOUT);
  CHECK(general.calls == 2);
  CHECK(general.address == static_cast<void*>(args));
  CHECK(general.args_size == 32);
  general.function = nullptr;
  launch(nullptr, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });  // not by handle
  CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(general.calls == 3);
  CHECK(general.function == nullptr);
  REQUIRE_ACL(aclrtExceptionInfoCallbackUnregister(note_general));
}

TEST_CASE("a binary's exception callback is called for its own kernels, beside the others") {
  const Device device;
  const Binary binary;
  const Binary other = Binary::from_memory(read_file(kernels_path()));
  const auto fail_in = [](const Binary& which) {
    REQUIRE_ACL(launch_host(which.function("fail_with"), ACL_ERROR_RT_AICORE_EXCEPTION));
    REQUIRE_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  };
  Report report;
  Report second;
  general.calls = 0;
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, note, &report));
  fail_in(binary);
  CHECK(report.calls == 1);
  CHECK(report.function == binary.function("fail_with"));
  CHECK(report.code == ACL_ERROR_RT_AICORE_EXCEPTION);
  fail_in(other);
  launch(nullptr, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(report.calls == 1);
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(note_general));
  fail_in(binary);
  CHECK(report.calls == 2);
  CHECK(general.calls == 1);
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, note, &second));  // the last one wins
  fail_in(binary);
  CHECK(report.calls == 2);
  CHECK(second.calls == 1);
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, nullptr, nullptr));
  fail_in(binary);
  CHECK(second.calls == 1);
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(nullptr));
  CHECK_CODE(aclrtBinarySetExceptionCallback(nullptr, note, &report), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtBinarySetExceptionCallback(kGarbage, note, &report), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a binary's exception callback goes with its handle") {
  const Device device;
  const Stream stream;
  Report report;
  Binary binary;
  REQUIRE_ACL(aclrtBinarySetExceptionCallback(binary, note, &report));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(launch_host(binary.function("fail_with"), ACL_ERROR_RT_AICORE_EXCEPTION, stream));
  binary.unload();
  gate.open();
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(report.calls == 0);
}
