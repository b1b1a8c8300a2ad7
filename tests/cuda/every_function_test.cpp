// SPDX-License-Identifier: Apache-2.0
// Each function that `aclsim api` lists as emulated is called once with valid arguments.
#include <dlfcn.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tests/cuda/world.h"

using namespace cudatest;

namespace {

struct ListedFunction {
  const char *name, *header, *section, *tier, *state, *feature, *interface;
};
constexpr ListedFunction kListed[] = {
#include "api_table.inc"
};

using Calls = std::map<std::string, std::function<CUresult()>>;

template <class Function>
Function* exported(const std::string& name) {
  auto* const found = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name.c_str()));
  INFO(name);
  REQUIRE(found);
  return found;
}

/// The objects of the calls. They stay valid; a call that ends an object makes it first.
struct Objects : World {
  CUdeviceptr plain = 0;
  CUdeviceptr other = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr, later = nullptr;
  unsigned char host[64] = {};
  Memory memory{0};
  Mapped mapped{memory, kG};
  CUDA_MEMCPY2D square{};
  CUDA_MEMCPY3D cube{};
  Objects() {
    OK(cuMemAlloc(&plain, kG));
    OK(cuMemAlloc(&other, kG));
    OK(cuStreamCreate(&stream, 0));
    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&later, 0));
    OK(cuEventRecord(event, stream));
    OK(cuEventRecord(later, stream));
    OK(cuStreamSynchronize(stream));
    square.srcMemoryType = square.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    square.srcDevice = plain;
    square.dstDevice = other;
    square.srcPitch = square.dstPitch = 64;
    square.WidthInBytes = 16;
    square.Height = 4;
    cube.srcMemoryType = cube.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    cube.srcDevice = plain;
    cube.dstDevice = other;
    cube.srcPitch = cube.dstPitch = 64;
    cube.srcHeight = cube.dstHeight = 4;
    cube.WidthInBytes = 16;
    cube.Height = 4;
    cube.Depth = 2;
  }
  ~Objects() {
    cuEventDestroy(event);
    cuEventDestroy(later);
    cuStreamDestroy(stream);
    cuMemFree(plain);
    cuMemFree(other);
  }
};

// A call of the function, and of its variant with another default stream.
#define CALL(name, ...)                                  \
  calls[#name] = [&o] {                                  \
    (void)o;                                             \
    return exported<decltype(name)>(#name)(__VA_ARGS__); \
  }
#define CALL_BOTH(name, suffix, ...)                            \
  CALL(name, __VA_ARGS__);                                      \
  calls[#name suffix] = [&o] {                                  \
    (void)o;                                                    \
    return exported<decltype(name)>(#name suffix)(__VA_ARGS__); \
  }
#define STEPS(name, ...)              \
  calls[#name] = [&o]() -> CUresult { \
    (void)o;                          \
    __VA_ARGS__                       \
  }

CUcontext made_context() {
  CUcontext made = nullptr;
  OK(cuCtxCreate_v2(&made, 0, 1));
  return made;
}

void add_devices_and_contexts(Calls& calls, Objects& o) {
  static int number = 0, active = 0;
  static char text[64];
  static const char* words = nullptr;
  static CUuuid id;
  static std::size_t bytes = 0;
  static unsigned flags = 0;
  static CUcontext context = nullptr;
  CALL(cuGetErrorString, CUDA_SUCCESS, &words);
  CALL(cuGetErrorName, CUDA_SUCCESS, &words);
  CALL(cuInit, 0);
  CALL(cuDriverGetVersion, &number);
  STEPS(cuGetProcAddress, using Older = CUresult(const char*, void**, int, cuuint64_t);
        void* found = nullptr;
        return exported<Older>("cuGetProcAddress")("cuInit", &found, 12000, 0););
  STEPS(cuGetProcAddress_v2, void* found = nullptr; CUdriverProcAddressQueryResult how{};
        return cuGetProcAddress_v2("cuInit", &found, 12000, 0, &how););
  CALL(cuDeviceGet, &number, 1);
  CALL(cuDeviceGetCount, &number);
  CALL(cuDeviceGetName, text, 64, 0);
  STEPS(cuDeviceGetUuid, return exported<CUresult(CUuuid*, CUdevice)>("cuDeviceGetUuid")(&id, 0););
  CALL(cuDeviceGetUuid_v2, &id, 0);
  CALL(cuDeviceTotalMem_v2, &bytes, 0);
  CALL(cuDeviceGetAttribute, &number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
  CALL(cuDeviceGetPCIBusId, text, 64, 0);
  STEPS(cuDeviceGetByPCIBusId, char bus[64]; OK(cuDeviceGetPCIBusId(bus, 64, 1));
        return cuDeviceGetByPCIBusId(&number, bus););
  CALL(cuDeviceCanAccessPeer, &number, 0, 1);
  CALL(cuDeviceGetP2PAttribute, &number, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1);
  STEPS(cuDevicePrimaryCtxRetain, OK(cuDevicePrimaryCtxRetain(&context, 2));
        return cuDevicePrimaryCtxRelease_v2(2););
  STEPS(cuDevicePrimaryCtxRelease_v2, OK(cuDevicePrimaryCtxRetain(&context, 2));
        return cuDevicePrimaryCtxRelease_v2(2););
  CALL(cuDevicePrimaryCtxReset_v2, 3);
  CALL(cuDevicePrimaryCtxSetFlags_v2, 3, 0);
  CALL(cuDevicePrimaryCtxGetState, 0, &flags, &active);
  STEPS(cuCtxCreate, CUcontext made = nullptr;
        OK(exported<decltype(cuCtxCreate_v2)>("cuCtxCreate")(&made, 0, 1));
        return cuCtxDestroy_v2(made););
  STEPS(cuCtxCreate_v2, return cuCtxDestroy_v2(made_context()););
  STEPS(cuCtxCreate_v3, CUcontext made = nullptr; OK(cuCtxCreate_v3(&made, nullptr, 0, 0, 1));
        return cuCtxDestroy_v2(made););
  STEPS(cuCtxCreate_v4, CUcontext made = nullptr; OK(cuCtxCreate_v4(&made, nullptr, 0, 1));
        return cuCtxDestroy_v2(made););
  STEPS(cuCtxDestroy_v2, return cuCtxDestroy_v2(made_context()););
  STEPS(cuCtxPushCurrent_v2, OK(cuCtxPushCurrent_v2(o.context()));
        return cuCtxPopCurrent_v2(&context););
  STEPS(cuCtxPopCurrent_v2, OK(cuCtxPushCurrent_v2(o.context()));
        return cuCtxPopCurrent_v2(&context););
  CALL(cuCtxSetCurrent, o.context());
  CALL(cuCtxGetCurrent, &context);
  CALL(cuCtxGetDevice, &number);
  CALL(cuCtxGetDevice_v2, &number, o.context());
  CALL(cuCtxGetFlags, &flags);
  CALL(cuCtxSynchronize);
  CALL(cuCtxSynchronize_v2, o.context());
  const auto peer = [&o](bool disable) {
    CUcontext other = nullptr;
    OK(cuDevicePrimaryCtxRetain(&other, 1));
    CUresult result = cuCtxEnablePeerAccess(other, 0);
    const CUresult ended = cuCtxDisablePeerAccess(other);
    if (disable) result = ended;
    OK(cuCtxSetCurrent(o.context()));
    OK(cuDevicePrimaryCtxRelease_v2(1));
    return result;
  };
  calls["cuCtxEnablePeerAccess"] = [peer] { return peer(false); };
  calls["cuCtxDisablePeerAccess"] = [peer] { return peer(true); };
}

void add_memory(Calls& calls, Objects& o) {
  static std::size_t bytes = 0, total = 0;
  static CUdeviceptr address = 0;
  static void* pinned = nullptr;
  CALL(cuMemGetInfo_v2, &bytes, &total);
  STEPS(cuMemAlloc_v2, OK(cuMemAlloc_v2(&address, 64)); return cuMemFree_v2(address););
  STEPS(cuMemFree_v2, OK(cuMemAlloc_v2(&address, 64)); return cuMemFree_v2(address););
  CALL(cuMemGetAddressRange_v2, &address, &bytes, o.plain + 5);
  STEPS(cuMemAllocHost_v2, OK(cuMemAllocHost_v2(&pinned, 64)); return cuMemFreeHost(pinned););
  STEPS(cuMemHostAlloc, OK(cuMemHostAlloc(&pinned, 64, 0)); return cuMemFreeHost(pinned););
  STEPS(cuMemFreeHost, OK(cuMemAllocHost_v2(&pinned, 64)); return cuMemFreeHost(pinned););
  STEPS(cuMemHostGetDevicePointer_v2, OK(cuMemAllocHost_v2(&pinned, 64));
        OK(cuMemHostGetDevicePointer_v2(&address, pinned, 0)); return cuMemFreeHost(pinned););
  alignas(4096) static unsigned char pages[1 << 16];
  STEPS(cuMemHostRegister_v2, OK(cuMemHostRegister_v2(pages, sizeof pages, 0));
        return cuMemHostUnregister(pages););
  STEPS(cuMemHostUnregister, OK(cuMemHostRegister_v2(pages, sizeof pages, 0));
        return cuMemHostUnregister(pages););
  static unsigned type = 0;
  CALL(cuPointerGetAttribute, &type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, o.plain);
  STEPS(cuPointerGetAttributes, CUpointer_attribute what = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
        void* out = &type; return cuPointerGetAttributes(1, &what, &out, o.plain););
  STEPS(cuPointerSetAttribute, unsigned yes = 1;
        return cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, o.plain););
  for (const char* const suffix : {"", "_ptsz"}) {
    const std::string end = suffix;
    calls["cuMemAllocAsync" + end] = calls["cuMemFreeAsync" + end] = [&o, end] {
      OK(exported<decltype(cuMemAllocAsync)>("cuMemAllocAsync" + end)(&address, 100, o.stream));
      return exported<decltype(cuMemFreeAsync)>("cuMemFreeAsync" + end)(address, o.stream);
    };
    calls["cuMemAllocFromPoolAsync" + end] = [&o, end] {
      CUmemoryPool pool = nullptr;
      OK(cuDeviceGetDefaultMemPool(&pool, 0));
      OK(exported<decltype(cuMemAllocFromPoolAsync)>("cuMemAllocFromPoolAsync" + end)(
          &address, 100, pool, o.stream));
      return cuMemFreeAsync(address, o.stream);
    };
  }
  const auto pool = [] {
    CUmemPoolProps props{};
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemoryPool made = nullptr;
    OK(cuMemPoolCreate(&made, &props));
    return cuMemPoolDestroy(made);
  };
  calls["cuMemPoolCreate"] = calls["cuMemPoolDestroy"] = pool;
  STEPS(cuDeviceGetDefaultMemPool, CUmemoryPool found = nullptr;
        return cuDeviceGetDefaultMemPool(&found, 0););
}

void add_virtual_memory(Calls& calls, Objects& o) {
  static CUmemGenericAllocationHandle handle = 0;
  static CUmemAllocationProp prop = memory_prop(0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  const auto life = [] {
    CUdeviceptr address = 0;
    OK(cuMemAddressReserve(&address, kG, 0, 0, 0));
    OK(cuMemCreate(&handle, kG, &prop, 0));
    OK(cuMemMap(address, kG, 0, handle, 0));
    const auto access = everybody(1);
    OK(cuMemSetAccess(address, kG, access.data(), access.size()));
    int file = -1;
    OK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    CUmemGenericAllocationHandle again = 0;
    OK(cuMemImportFromShareableHandle(&again,
                                      reinterpret_cast<void*>(static_cast<std::intptr_t>(file)),
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    OK(cuMemRelease(again));
    OK(cuMemUnmap(address, kG));
    OK(cuMemRelease(handle));
    return cuMemAddressFree(address, kG);
  };
  for (const char* const name :
       {"cuMemAddressReserve", "cuMemAddressFree", "cuMemCreate", "cuMemRelease", "cuMemMap",
        "cuMemUnmap", "cuMemSetAccess", "cuMemExportToShareableHandle",
        "cuMemImportFromShareableHandle"}) {
    calls[name] = life;
  }
  static unsigned long long access = 0;
  static const CUmemLocation where{CU_MEM_LOCATION_TYPE_DEVICE, 0};
  static std::size_t granularity = 0;
  CALL(cuMemGetAccess, &access, &where, o.mapped);
  CALL(cuMemGetAllocationGranularity, &granularity, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  CALL(cuMemGetAllocationPropertiesFromHandle, &prop, o.memory);
  STEPS(cuMemRetainAllocationHandle,
        OK(cuMemRetainAllocationHandle(&handle, reinterpret_cast<void*>(CUdeviceptr{o.mapped})));
        return cuMemRelease(handle););
}

void add_multicast(Calls& calls, Objects& o) {
  static CUmulticastObjectProp prop{};
  prop.numDevices = 1;
  prop.size = kG;
  static std::size_t granularity = 0;
  CALL(cuMulticastGetGranularity, &granularity, &prop, CU_MULTICAST_GRANULARITY_MINIMUM);
  const auto life = [&o] {
    CUmemGenericAllocationHandle object = 0;
    OK(cuMulticastCreate(&object, &prop));
    OK(cuMulticastAddDevice(object, 0));
    OK(cuMulticastBindMem(object, 0, o.memory, 0, kG, 0));
    OK(cuMulticastUnbind(object, 0, 0, kG));
    OK(cuMulticastBindMem_v2(object, 0, 0, o.memory, 0, kG, 0));
    OK(cuMulticastUnbind(object, 0, 0, kG));
    OK(cuMulticastBindAddr(object, 0, o.mapped, kG, 0));
    OK(cuMulticastUnbind(object, 0, 0, kG));
    OK(cuMulticastBindAddr_v2(object, 0, 0, o.mapped, kG, 0));
    OK(cuMulticastUnbind(object, 0, 0, kG));
    return cuMemRelease(object);
  };
  for (const char* const name :
       {"cuMulticastCreate", "cuMulticastAddDevice", "cuMulticastBindMem", "cuMulticastBindMem_v2",
        "cuMulticastBindAddr", "cuMulticastBindAddr_v2", "cuMulticastUnbind"}) {
    calls[name] = life;
  }
}

void add_copies(Calls& calls, Objects& o) {
  CALL_BOTH(cuMemcpy, "_ptds", o.other, o.plain, 64);
  CALL_BOTH(cuMemcpyPeer, "_ptds", o.other, o.context(), o.plain, o.context(), 64);
  CALL_BOTH(cuMemcpyHtoD_v2, "_ptds", o.plain, o.host, 64);
  CALL_BOTH(cuMemcpyDtoH_v2, "_ptds", o.host, o.plain, 64);
  CALL_BOTH(cuMemcpyDtoD_v2, "_ptds", o.other, o.plain, 64);
  CALL_BOTH(cuMemcpy2D_v2, "_ptds", &o.square);
  CALL_BOTH(cuMemcpy3D_v2, "_ptds", &o.cube);
  CALL_BOTH(cuMemcpyAsync, "_ptsz", o.other, o.plain, 64, o.stream);
  CALL_BOTH(cuMemcpyPeerAsync, "_ptsz", o.other, o.context(), o.plain, o.context(), 64, o.stream);
  CALL_BOTH(cuMemcpyHtoDAsync_v2, "_ptsz", o.plain, o.host, 64, o.stream);
  CALL_BOTH(cuMemcpyDtoHAsync_v2, "_ptsz", o.host, o.plain, 64, o.stream);
  CALL_BOTH(cuMemcpyDtoDAsync_v2, "_ptsz", o.other, o.plain, 64, o.stream);
  CALL_BOTH(cuMemcpy2DAsync_v2, "_ptsz", &o.square, o.stream);
  CALL_BOTH(cuMemcpy3DAsync_v2, "_ptsz", &o.cube, o.stream);
  CALL_BOTH(cuMemsetD8_v2, "_ptds", o.plain, 1, 64);
  CALL_BOTH(cuMemsetD16_v2, "_ptds", o.plain, 1, 64);
  CALL_BOTH(cuMemsetD32_v2, "_ptds", o.plain, 1, 64);
  CALL_BOTH(cuMemsetD2D8_v2, "_ptds", o.plain, 64, 1, 8, 2);
  CALL_BOTH(cuMemsetD2D16_v2, "_ptds", o.plain, 64, 1, 8, 2);
  CALL_BOTH(cuMemsetD2D32_v2, "_ptds", o.plain, 64, 1, 8, 2);
  CALL_BOTH(cuMemsetD8Async, "_ptsz", o.plain, 1, 64, o.stream);
  CALL_BOTH(cuMemsetD16Async, "_ptsz", o.plain, 1, 64, o.stream);
  CALL_BOTH(cuMemsetD32Async, "_ptsz", o.plain, 1, 64, o.stream);
}

void add_streams(Calls& calls, Objects& o) {
  static CUstream made = nullptr;
  static CUevent event = nullptr;
  static float time = 0;
  STEPS(cuStreamCreate, OK(cuStreamCreate(&made, 0)); return cuStreamDestroy_v2(made););
  STEPS(cuStreamCreateWithPriority, OK(cuStreamCreateWithPriority(&made, 0, 0));
        return cuStreamDestroy_v2(made););
  STEPS(cuStreamDestroy_v2, OK(cuStreamCreate(&made, 0)); return cuStreamDestroy_v2(made););
  CALL_BOTH(cuStreamSynchronize, "_ptsz", o.stream);
  for (const char* const name : {"cuStreamQuery", "cuStreamQuery_ptsz"}) {
    calls[name] = [&o, name] {
      OK(cuStreamSynchronize(o.stream));
      return exported<decltype(cuStreamQuery)>(name)(o.stream);
    };
  }
  CALL_BOTH(cuStreamWaitEvent, "_ptsz", o.stream, o.event, 0);
  CALL_BOTH(
      cuLaunchHostFunc, "_ptsz", o.stream, [](void*) {}, nullptr);
  CALL_BOTH(cuStreamWriteValue32_v2, "_ptsz", o.stream, o.plain, 1, 0);
  CALL_BOTH(cuStreamWriteValue64_v2, "_ptsz", o.stream, o.plain, 1, 0);
  for (const std::string end : {"", "_ptsz"}) {
    calls["cuStreamWaitValue64_v2" + end] = [&o, end] {
      OK(cuStreamWriteValue64_v2(o.stream, o.plain, 1, 0));
      return exported<decltype(cuStreamWaitValue64_v2)>("cuStreamWaitValue64_v2" + end)(
          o.stream, o.plain, 1, 0);
    };
    calls["cuStreamBatchMemOp_v2" + end] = [&o, end] {
      CUstreamBatchMemOpParams op{};
      op.value.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
      op.value.address = o.plain;
      return exported<decltype(cuStreamBatchMemOp_v2)>("cuStreamBatchMemOp_v2" + end)(o.stream, 1,
                                                                                      &op, 0);
    };
  }
  STEPS(cuEventCreate, OK(cuEventCreate(&event, 0)); return cuEventDestroy_v2(event););
  STEPS(cuEventDestroy_v2, OK(cuEventCreate(&event, 0)); return cuEventDestroy_v2(event););
  CALL_BOTH(cuEventRecord, "_ptsz", o.later, o.stream);
  STEPS(cuEventQuery, OK(cuStreamSynchronize(o.stream)); return cuEventQuery(o.later););
  CALL(cuEventSynchronize, o.event);
  for (const char* const name : {"cuEventElapsedTime", "cuEventElapsedTime_v2"}) {
    calls[name] = [&o, name] {
      OK(cuStreamSynchronize(o.stream));
      return exported<decltype(cuEventElapsedTime_v2)>(name)(&time, o.event, o.later);
    };
  }
}

}  // namespace

TEST_CASE("Every function that is listed as emulated accepts valid arguments") {
  Objects o;
  Calls calls;
  add_devices_and_contexts(calls, o);
  add_memory(calls, o);
  add_virtual_memory(calls, o);
  add_multicast(calls, o);
  add_copies(calls, o);
  add_streams(calls, o);
  int listed = 0;
  for (const ListedFunction& row : kListed) {
    if (std::string_view(row.interface) != "cuda") continue;
    const auto call = calls.find(row.name);
    CAPTURE(row.name, row.state);
    if (std::string_view(row.state) != "emulated") {
      CHECK(call == calls.end());
      continue;
    }
    ++listed;
    REQUIRE(call != calls.end());
    const CUresult result = call->second();
    INFO(message());
    CHECK(result == CUDA_SUCCESS);
    OK(cuCtxSynchronize());
  }
  CHECK(listed == static_cast<int>(calls.size()));
}
