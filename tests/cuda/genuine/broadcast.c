/* SPDX-License-Identifier: Apache-2.0 */
/* A program as one writes it for the hardware: nothing here knows the emulator. */
#ifdef GENUINE_HEADER
#include <cuda.h>
#else
#include "cuda/cuda_multicast.h"
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

static void check(CUresult result, const char* call) {
  const char* text = NULL;
  if (result == CUDA_SUCCESS) return;
  cuGetErrorString(result, &text);
  fprintf(stderr, "%s: %d %s\n", call, (int)result, text ? text : "?");
  exit(1);
}
#define CHECK(call) check(call, #call)

static CUdeviceptr map(CUmemGenericAllocationHandle handle, size_t size, int devices) {
  CUdeviceptr at = 0;
  CUmemAccessDesc access[MOST];
  int i;
  for (i = 0; i < devices; ++i) {
    access[i].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access[i].location.id = i;
    access[i].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  CHECK(cuMemAddressReserve(&at, size, 0, 0, 0));
  CHECK(cuMemMap(at, size, 0, handle, 0));
  CHECK(cuMemSetAccess(at, size, access, (size_t)devices));
  return at;
}

static void unmap(CUdeviceptr at, size_t size) {
  CHECK(cuMemUnmap(at, size));
  CHECK(cuMemAddressFree(at, size));
}

/* The first word of each replica is from the object, the second is the device's own. */
static int read_back(const CUcontext* context, const CUdeviceptr* replica, int devices) {
  uint32_t values[4] = {0, 0, 0, 0};
  int i;
  for (i = 0; i < devices; ++i) {
    CHECK(cuCtxSetCurrent(context[i]));
    CHECK(cuCtxSynchronize());
    CHECK(cuMemcpyDtoH(values, replica[i], sizeof values));
    if (values[0] != 0x600df00d || values[1] != (uint32_t)i || values[2] != 0x600df00d) return 3;
  }
  return 0;
}

int main(void) {
  CUmemGenericAllocationHandle object, memory[MOST];
  CUdeviceptr address, replica[MOST];
  CUcontext context[MOST];
  CUmulticastObjectProp prop;
  size_t size = 0;
  int devices = 0, supported = 0, i;

  CHECK(cuInit(0));
  CHECK(cuDeviceGetCount(&devices));
  if (devices > MOST) devices = MOST;
  memset(&prop, 0, sizeof prop);
  prop.numDevices = (unsigned)devices;
  for (i = 0; i < devices; ++i) {
    CHECK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, i));
    if (!supported) return 2;
    CHECK(cuDevicePrimaryCtxRetain(&context[i], i));
  }
  CHECK(cuCtxSetCurrent(context[0]));
  CHECK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  prop.size = size;
  CHECK(cuMulticastCreate(&object, &prop));
  for (i = 0; i < devices; ++i) CHECK(cuMulticastAddDevice(object, i));
  for (i = 0; i < devices; ++i) {
    CUmemAllocationProp of_memory;
    memset(&of_memory, 0, sizeof of_memory);
    of_memory.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    of_memory.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    of_memory.location.id = i;
    CHECK(cuMemCreate(&memory[i], size, &of_memory, 0));
    CHECK(cuMulticastBindMem(object, 0, memory[i], 0, size, 0));
    replica[i] = map(memory[i], size, devices);
  }
  address = map(object, size, devices);
  CHECK(cuMemsetD32(address, 0x600df00d, size / 4));
  CHECK(cuCtxSynchronize()); /* the next ones are in other contexts */
  for (i = 0; i < devices; ++i) {
    CHECK(cuCtxSetCurrent(context[i]));
    CHECK(cuMemsetD32(replica[i] + 4, (unsigned)i, 1));
  }
  if (read_back(context, replica, devices) != 0) return 3;
  CHECK(cuCtxSetCurrent(context[0]));
  unmap(address, size);
  for (i = 0; i < devices; ++i) {
    CHECK(cuMulticastUnbind(object, i, 0, size));
    unmap(replica[i], size);
    CHECK(cuMemRelease(memory[i]));
  }
  CHECK(cuMemRelease(object));
  CHECK(cuCtxSetCurrent(NULL));
  for (i = 0; i < devices; ++i) CHECK(cuDevicePrimaryCtxRelease(i));
  printf("%d devices, one store each\n", devices);
  return 0;
}
