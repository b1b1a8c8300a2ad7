// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "runtime/acl/capi/lookup.h"
#include "runtime/acl/transfer.h"

using namespace acl;

namespace {

constexpr std::size_t kAlignment = 512;       // what device code asks for at most
constexpr std::size_t kHostAlignment = 64;
constexpr std::size_t kGrain = 32;            // sizes are rounded up to this
constexpr std::size_t kTail = 32;             // and followed by this

/// The padding behind `size` bytes, so that the whole is what the hardware would take.
std::size_t padding_for(std::size_t size, std::size_t tail) {
  const std::size_t rounded = (size + kGrain - 1) / kGrain * kGrain;
  if (rounded < size || rounded + tail < rounded) {
    fail(ACL_ERROR_INVALID_PARAM, "size is {}, which overflows when rounded up", size);
  }
  return rounded + tail - size;
}

void allocate_device(Runtime& runtime, void** pointer, std::size_t size, std::size_t tail,
                     const void* caller) {
  void*& out = require_out(pointer, "devPtr");
  out = nullptr;
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
  const std::size_t padding = padding_for(size, tail);
  const int device = current_context(runtime).device();
  out = runtime.memory().device(device).allocate(size, kAlignment, padding, caller);
}

void free_device(Runtime& runtime, void* pointer) {
  sim::AddressSpace* const space = runtime.memory().space_of(pointer);
  if (!space || space->device() == sim::kHostDevice || !space->free(pointer)) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "devPtr is {}, which is not the start of a live device allocation (freed already, inside "
         "one, or host memory)",
         pointer);
  }
}

void free_host(Runtime& runtime, void* pointer) {
  if (runtime.memory().space_of(pointer) != &runtime.memory().host() ||
      !runtime.memory().host().free(pointer)) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "hostPtr is {}, which is not the start of a live allocation of aclrtMallocHost", pointer);
  }
}

void synchronize_current(Runtime& runtime) {
  current_context(runtime).synchronize(sim::Deadline::never());
}

std::uint8_t low_byte(std::int32_t value) { return static_cast<std::uint8_t>(value & 0xff); }

void check_fill_arguments(const void* pointer, std::size_t max_count, std::size_t count) {
  require_input(pointer, "devPtr");
  if (count > max_count) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "count is {} and maxCount {}; expected count <= maxCount",
         count, max_count);
  }
}

void copy_now(Runtime& runtime, void* dst, const void* src, std::size_t count) {
  const Place to = locate(runtime, dst, count, "dst");
  const Place from = locate(runtime, src, count, "src");
  require_access(runtime, to, from);
  std::memmove(runtime.memory().engine(dst), runtime.memory().engine(src), count);
}

void copy_async(Runtime& runtime, void* dst, const void* src, std::size_t count,
                aclrtMemcpyKind kind, Stream& stream) {
  const Place to = locate(runtime, dst, count, "dst");
  const Place from = locate(runtime, src, count, "src");
  check_direction(kind, to, from);
  require_access(runtime, to, from);
  if (to.pageable() || from.pageable()) {
    // Memory that a device cannot reach by itself: the call does the work of the stream first.
    const auto keep = sim::Ref<Stream>::share(&stream);
    stream.synchronize(sim::Deadline::never());
    std::memmove(runtime.memory().engine(dst), runtime.memory().engine(src), count);
    return;
  }
  stream.submit(sim::make_copy(dst, to.device(), src, from.device(), count));
}

}  // namespace

extern "C" {

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, kTail, caller);
  });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    allocate_device(runtime, devPtr, size, 0, caller);
  });
}

aclError aclrtFree(void* devPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    free_device(runtime, require_input(devPtr, "devPtr"));
  });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(devPtr, "devPtr");
    synchronize_current(runtime);
    free_device(runtime, devPtr);
  });
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    void*& out = require_out(hostPtr, "hostPtr");
    out = nullptr;
    if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
    const std::size_t padding = padding_for(size, 0);
    current_context(runtime);
    out = runtime.memory().host().allocate(size, kHostAlignment, padding, caller);
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    free_host(runtime, require_input(hostPtr, "hostPtr"));
  });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(hostPtr, "hostPtr");
    synchronize_current(runtime);
    free_host(runtime, hostPtr);
  });
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, destMax, src, count, kind);
    current_context(runtime).require_usable();
    if (dst != src) copy_now(runtime, dst, src, count);
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, destMax, src, count, kind);
    Stream* const found = own_stream(runtime, stream);
    if (dst != src) copy_async(runtime, dst, src, count, kind, *found);
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_fill_arguments(devPtr, maxCount, count);
    current_context(runtime).require_usable();
    locate(runtime, devPtr, count, "devPtr");
    std::memset(runtime.memory().engine(devPtr), low_byte(value), count);
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_fill_arguments(devPtr, maxCount, count);
    Stream* const found = own_stream(runtime, stream);
    const Place place = locate(runtime, devPtr, count, "devPtr");
    found->submit(sim::make_fill(devPtr, place.device(), low_byte(value), count));
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& free_out = require_out(free, "free");
    size_t& total_out = require_out(total, "total");
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G) {
      fail(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "attr is {}; expected 0 to {}", static_cast<int>(attr),
           static_cast<int>(ACL_MEM_P2P_HUGE1G));
    }
    const sim::AddressSpace& space = runtime.memory().device(current_context(runtime).device());
    total_out = space.capacity();
    free_out = space.capacity() - space.used();
  });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(ptr, "ptr");
    aclrtPtrAttributes& out = require_out(attributes, "attributes");
    current_context(runtime);
    out = {};
    const auto allocation = runtime.memory().find(ptr);
    out.pageSize = 4096;
    if (!allocation) {
      out.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    } else if (allocation->device == sim::kHostDevice) {
      out.location.type = ACL_MEM_LOCATION_TYPE_HOST;
    } else {
      out.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
      out.location.id = static_cast<uint32_t>(runtime.logical(allocation->device));
    }
  });
}

}  // extern "C"
