// SPDX-License-Identifier: Apache-2.0
// The functions that a program needs around multicast objects: contexts, copies, the default
// stream, events.
#include <atomic>
#include <thread>

#include "tests/cuda/world.h"
#include "tests/support/waiting.h"

using namespace cudatest;

namespace {

/// Holds a stream until it is opened.
struct Gate {
  std::atomic<bool> open{false};
  static void wait(void* gate) {
    support::eventually([&] { return static_cast<Gate*>(gate)->open.load(); });
  }
};

}  // namespace

TEST_CASE("A thread has the context that it was given, and none before") {
  OK(cuInit(0));
  std::thread([] {
    CUcontext current = reinterpret_cast<CUcontext>(1);
    CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
    CHECK(current == nullptr);
    CUdeviceptr address = 0;
    CHECK(cuMemAlloc(&address, 16) == CUDA_ERROR_INVALID_CONTEXT);
    CHECK(cuMemsetD8(0x1000, 1, 1) == CUDA_ERROR_INVALID_CONTEXT);
    CUstream stream = nullptr;
    CHECK(cuStreamCreate(&stream, 0) == CUDA_ERROR_INVALID_CONTEXT);
  }).join();
  CUcontext made = nullptr;
  OK(cuCtxCreate(&made, nullptr, 0, 3));
  CUdevice device = -1;
  OK(cuCtxGetDevice(&device));
  CHECK(device == 3);
  CUcontext popped = nullptr;
  OK(cuCtxPopCurrent(&popped));
  CHECK(popped == made);
  CHECK(cuCtxGetDevice(&device) == CUDA_ERROR_INVALID_CONTEXT);
  OK(cuCtxPushCurrent(made));
  OK(cuCtxDestroy(made));
  CHECK(cuCtxSetCurrent(made) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuDevicePrimaryCtxRelease(7) == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE("Copies go between host, devices and mapped memory, whatever device is current") {
  const World world;
  CUdeviceptr plain = 0;
  OK(cuMemAlloc(&plain, 4096));
  const Memory memory(1);
  const Mapped mapped(memory, kG);
  OK(cuMemsetD32(plain, 0x01020304, 1024));
  OK(cuMemcpy(mapped + 5, plain, 4096));
  OK(cuMemcpyDtoDAsync(mapped + 8192, mapped + 5, 4096, nullptr));
  CHECK(read_back(mapped + 8192, 4) == std::vector<unsigned char>{4, 3, 2, 1});
  unsigned char bytes[4] = {9, 9, 9, 9};
  CHECK(cuMemcpyDtoH(bytes, plain, 5000) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpyDtoH(bytes, reinterpret_cast<CUdeviceptr>(bytes), 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(bytes[0] == 9);
  CHECK(cuMemsetD32(plain + 2, 1, 1) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemcpyDtoH(bytes, plain, 0));
  OK(cuMemFree(plain));
  CHECK(cuMemFree(plain) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("The default stream is ordered with other streams, and not with those that say so") {
  const World world;
  CUdeviceptr memory = 0;
  OK(cuMemAlloc(&memory, 64));
  OK(cuMemsetD8(memory, 0, 64));
  OK(cuCtxSynchronize());
  CUstream blocking = nullptr;
  CUstream free_running = nullptr;
  OK(cuStreamCreate(&blocking, CU_STREAM_DEFAULT));
  OK(cuStreamCreate(&free_running, CU_STREAM_NON_BLOCKING));
  Gate gate;
  OK(cuLaunchHostFunc(blocking, Gate::wait, &gate));
  OK(cuMemsetD8Async(memory, 1, 1, blocking));
  OK(cuMemsetD8Async(memory, 2, 1, nullptr));  // after it
  OK(cuMemsetD8Async(memory + 1, 3, 1, free_running));
  OK(cuStreamSynchronize(free_running));
  CHECK(cuStreamQuery(blocking) == CUDA_ERROR_NOT_READY);
  CHECK(cuStreamQuery(nullptr) == CUDA_ERROR_NOT_READY);
  OK(cuMemsetD8Async(memory, 5, 1, blocking));  // after that
  gate.open = true;
  OK(cuStreamSynchronize(blocking));
  CHECK(read_back(memory, 2) == std::vector<unsigned char>{5, 3});
  OK(cuStreamDestroy(blocking));
  OK(cuStreamDestroy(free_running));
  OK(cuMemFree(memory));
}

TEST_CASE(
    "Events order streams and tell the time; waits for one that was never recorded do nothing") {
  const World world;
  CUstream one = nullptr;
  CUstream two = nullptr;
  CUevent first = nullptr;
  CUevent second = nullptr;
  OK(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&first, 0));
  OK(cuEventCreate(&second, 0));
  OK(cuStreamWaitEvent(two, first, 0));
  OK(cuStreamSynchronize(two));
  CHECK(cuEventQuery(first) == CUDA_SUCCESS);
  float time = -1;
  CHECK(cuEventElapsedTime(&time, first, second) == CUDA_ERROR_INVALID_HANDLE);
  Gate gate;
  OK(cuLaunchHostFunc(one, Gate::wait, &gate));
  OK(cuEventRecord(first, one));
  OK(cuStreamWaitEvent(two, first, 0));
  OK(cuEventRecord(second, two));
  CHECK(cuEventQuery(second) == CUDA_ERROR_NOT_READY);
  CHECK(cuEventElapsedTime(&time, first, second) == CUDA_ERROR_NOT_READY);
  gate.open = true;
  OK(cuEventSynchronize(second));
  OK(cuEventElapsedTime(&time, first, second));
  CHECK(time >= 0);
  OK(cuEventDestroy(first));
  CHECK(cuEventDestroy(first) == CUDA_ERROR_INVALID_HANDLE);
  OK(cuEventDestroy(second));
  OK(cuStreamDestroy(one));
  OK(cuStreamDestroy(two));
}

TEST_CASE("A stream waits for a value that another stream writes") {
  const World world;
  CUdeviceptr flag = 0;
  OK(cuMemAlloc(&flag, 8));
  OK(cuMemsetD8(flag, 0, 8));
  OK(cuCtxSynchronize());
  CUstream one = nullptr;
  CUstream two = nullptr;
  OK(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
  OK(cuStreamWaitValue64(one, flag, 5, CU_STREAM_WAIT_VALUE_GEQ));
  OK(cuStreamWriteValue64(two, flag, 6, 0));
  OK(cuStreamSynchronize(one));
  CHECK(cuStreamWaitValue32(one, flag, 5, 0) == CUDA_ERROR_NOT_SUPPORTED);
  OK(cuStreamDestroy(one));
  OK(cuStreamDestroy(two));
  OK(cuMemFree(flag));
}

TEST_CASE("Rows and boxes are copied with their pitches") {
  const World world;
  CUdeviceptr memory = 0;
  OK(cuMemAlloc(&memory, 256));
  OK(cuMemsetD8(memory, 0, 256));
  OK(cuMemsetD2D8(memory, 16, 7, 3, 2));
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.srcPitch = 16;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.dstXInBytes = 100;
  copy.dstPitch = 8;
  copy.WidthInBytes = 4;
  copy.Height = 2;
  OK(cuMemcpy2D(&copy));
  CHECK(read_back(memory + 100, 12) ==
        std::vector<unsigned char>{7, 7, 7, 0, 0, 0, 0, 0, 7, 7, 7, 0});
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  CHECK(cuMemcpy2D(&copy) == CUDA_ERROR_NOT_SUPPORTED);
  OK(cuMemFree(memory));
}

TEST_CASE("Functions are found by name and version, and with the thread's own default stream") {
  OK(cuInit(0));
  void* found = nullptr;
  CUdriverProcAddressQueryResult result = CU_GET_PROC_ADDRESS_SUCCESS;
  const auto find = [&](const char* name, int version, cuuint64_t flags = 0) {
    OK(cuGetProcAddress(name, &found, version, flags, &result));
    return found;
  };
  CHECK(find("cuCtxCreate", 3020) == reinterpret_cast<void*>(cuCtxCreate_v2));
  CHECK(find("cuCtxCreate", 12049) == reinterpret_cast<void*>(cuCtxCreate_v3));
  CHECK(find("cuCtxCreate", 13000) == reinterpret_cast<void*>(cuCtxCreate_v4));
  CHECK(find("cuMulticastBindMem", 12010) == reinterpret_cast<void*>(cuMulticastBindMem));
  CHECK(find("cuMulticastBindMem", 13010) == reinterpret_cast<void*>(cuMulticastBindMem_v2));
  CHECK(find("cuMemcpyHtoD", 13000) == reinterpret_cast<void*>(cuMemcpyHtoD_v2));
  CHECK(find("cuMemcpyHtoD", 7000, 2) != reinterpret_cast<void*>(cuMemcpyHtoD_v2));
  CHECK(find("cuMemcpyHtoD", 6050, 2) == reinterpret_cast<void*>(cuMemcpyHtoD_v2));
  CHECK(find("cuInit", 7000, 2) == reinterpret_cast<void*>(cuInit));
  CHECK(result == CU_GET_PROC_ADDRESS_SUCCESS);
  CHECK(find("cuMulticastCreate", 12000) == nullptr);
  CHECK(result == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK(find("", 12000) == nullptr);
  CHECK(result == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(cuGetProcAddress("cuInit", &found, 99000, 0, &result) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Attributes of addresses say where they lie and how they may be shared") {
  const World world;
  const Memory memory(3, kG, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  const Mapped mapped(memory, kG);
  const Object object(2);
  const Mapped address(object, kG, 2);
  int device = -1;
  OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, mapped + 5));
  CHECK(device == 3);
  OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
  CHECK(device == 0);
  unsigned long long types = 0;
  OK(cuPointerGetAttribute(&types, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, mapped));
  CHECK(types == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  CUdeviceptr base = 0;
  std::size_t size = 0;
  OK(cuMemGetAddressRange(&base, &size, mapped + 100));
  CHECK(base == mapped);
  CHECK(size == kG);
  CHECK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                              reinterpret_cast<CUdeviceptr>(&device)) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Both interfaces see the same memory") {
  const World world;
  const Memory memory(0);
  const Mapped mapped(memory, kG);
  OK(cuMemsetD8(mapped, 0x5a, 16));
  OK(cuCtxSynchronize());
  unsigned char byte = 0;
  REQUIRE(aclrtSetDevice(0) == ACL_SUCCESS);
  CHECK(aclrtMemcpy(&byte, 1, reinterpret_cast<void*>(CUdeviceptr{mapped}), 1,
                    ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  CHECK(byte == 0x5a);
  void* theirs = nullptr;
  REQUIRE(aclrtMalloc(&theirs, 4096, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  OK(cuMemsetD8(reinterpret_cast<CUdeviceptr>(theirs), 0x3c, 4096));
  OK(cuCtxSynchronize());
  CHECK(aclrtMemcpy(&byte, 1, theirs, 1, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  CHECK(byte == 0x3c);
  aclrtFree(theirs);
  aclrtResetDevice(0);
}

TEST_CASE("Large alignments are kept, and a hint is only a hint") {
  const World world;
  CUdeviceptr address = 0;
  OK(cuMemAddressReserve(&address, kG, 64 * kMiB, 0, 0));
  CHECK(address % (64 * kMiB) == 0);
  OK(cuMemAddressFree(address, kG));
  OK(cuMemAddressReserve(&address, 4096, 0, 0x1000, 0));
  OK(cuMemAddressFree(address, 4096));
  CHECK(cuMemAddressReserve(&address, kG, 3, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&address, 100, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressReserve(&address, kG, 0, 0, 1) == CUDA_ERROR_INVALID_VALUE);
}
