// SPDX-License-Identifier: Apache-2.0
// The order in which the backend of a language model calls the runtime and operators, step by step:
// devices that are looked at before one is set, scratch that is handed back while the stream still
// works on it, memory that is allocated during a capture, and frees that follow the reset.
#include <cstdio>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "tests/aclnn/world.h"
#include "tests/support/child.h"

using catch_compat::ContainsSubstring;

namespace {

constexpr int64_t kWidth = 32;
constexpr std::size_t kBytes = kWidth * kWidth * sizeof(float);

#define DONE(call)                                                   \
  do {                                                               \
    const int code_ = (call);                                        \
    if (code_ == 0) break;                                           \
    std::printf("%s: %d: %s\n", #call, code_, aclGetRecentErrMsg()); \
    std::exit(1);                                                    \
  } while (false)

aclrtPhysicalMemProp pinned(int device) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location.id = static_cast<std::uint32_t>(device);
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  return prop;
}

/// Addresses for all of a device's memory, backed piece by piece as more is asked for.
class Pool {
 public:
  explicit Pool(int device, std::size_t most) : prop_(pinned(device)) {
    DONE(aclrtMemGetAllocationGranularity(&prop_, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED,
                                          &piece_));
    DONE(aclrtReserveMemAddress(&base_, most / piece_ * piece_, 0, nullptr, 1));
  }
  char* take(std::size_t bytes) {
    char* const address = static_cast<char*>(base_) + used_;
    used_ += (bytes + 127) / 128 * 128;
    while (pieces_.size() * piece_ < used_) grow();
    return address;
  }
  void hand_back(std::size_t bytes) { used_ -= (bytes + 127) / 128 * 128; }
  void destroy() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      DONE(aclrtUnmapMem(static_cast<char*>(base_) + i * piece_));
      DONE(aclrtFreePhysical(pieces_[i]));
    }
    DONE(aclrtReleaseMemAddress(base_));
  }

 private:
  void grow() {
    aclrtDrvMemHandle handle = nullptr;
    DONE(aclrtMallocPhysical(&handle, piece_, &prop_, 0));
    DONE(aclrtMapMem(static_cast<char*>(base_) + pieces_.size() * piece_, piece_, 0, handle, 0));
    pieces_.push_back(handle);
  }

  aclrtPhysicalMemProp prop_;
  std::size_t piece_ = 0, used_ = 0;
  void* base_ = nullptr;
  std::vector<aclrtDrvMemHandle> pieces_;
};

/// A square matrix, with the one storage dim that such a client gives.
struct Square {
  Square(void* memory, aclDataType type, bool transposed = false) {
    const int64_t dims[] = {kWidth, kWidth}, storage[] = {kWidth * kWidth};
    const int64_t plain[] = {kWidth, 1}, swapped[] = {1, kWidth};
    tensor = aclCreateTensor(dims, 2, type, transposed ? swapped : plain, 0, ACL_FORMAT_ND, storage,
                             1, memory);
  }
  ~Square() { aclDestroyTensor(tensor); }
  Square(const Square&) = delete;
  Square& operator=(const Square&) = delete;
  operator aclTensor*() const { return tensor; }  // NOLINT(google-explicit-constructor)
  aclTensor* tensor;
};

#define BOTH_PHASES(Name, stream, ...)                             \
  do {                                                             \
    uint64_t size_ = 1;                                            \
    aclOpExecutor* executor_ = nullptr;                            \
    DONE(Name##GetWorkspaceSize(__VA_ARGS__, &size_, &executor_)); \
    DONE(Name(nullptr, size_, executor_, stream));                 \
  } while (false)

/// y = x @ w^T + x, through scratch that is the pool's again before the stream has run.
void enqueue(void* x, void* w, void* y, Pool& pool, aclrtStream stream) {
  char* const half = pool.take(kBytes / 2);
  BOTH_PHASES(aclnnCast, stream, Square(x, ACL_FLOAT), ACL_FLOAT16, Square(half, ACL_FLOAT16));
  BOTH_PHASES(aclnnMm, stream, Square(half, ACL_FLOAT16), Square(w, ACL_FLOAT16, true),
              Square(y, ACL_FLOAT), 2);
  pool.hand_back(kBytes / 2);
  float one = 1.0F;
  aclScalar* const alpha = aclCreateScalar(&one, ACL_FLOAT);
  char* const sum = pool.take(kBytes);
  BOTH_PHASES(aclnnAdd, stream, Square(y, ACL_FLOAT), Square(x, ACL_FLOAT), alpha,
              Square(sum, ACL_FLOAT));
  aclDestroyScalar(alpha);
  DONE(aclrtMemcpyAsync(y, kBytes, sum, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  pool.hand_back(kBytes);
}

void* buffer(std::size_t bytes) {
  void* memory = nullptr;
  DONE(aclrtMalloc(&memory, (bytes + 127) / 128 * 128, ACL_MEM_MALLOC_HUGE_FIRST));
  DONE(aclrtMemset(memory, bytes, 0, bytes));
  return memory;
}

void put(void* memory, float value) {
  const std::vector<float> values(kWidth * kWidth, value);
  DONE(aclrtMemcpy(memory, kBytes, values.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
}

float last_of(const void* memory) {
  std::vector<float> values(kWidth * kWidth);
  DONE(aclrtMemcpy(values.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return values.back();
}

/// The queries that registration makes for each device. Returns the free memory of the first.
std::size_t look_at_devices() {
  DONE(aclInit(nullptr));
  if (aclInit(nullptr) != ACL_ERROR_REPEAT_INITIALIZE)
    std::puts("a second aclInit is no repetition");
  std::uint32_t count = 0;
  std::size_t first = 0;
  DONE(aclrtGetDeviceCount(&count));
  for (std::uint32_t device = 0; device < count; ++device) {
    aclrtPhysicalMemProp prop = pinned(static_cast<int>(device));
    std::size_t piece = 0, free = 0, total = 0;
    DONE(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &piece));
    DONE(aclrtSetDevice(static_cast<int>(device)));
    DONE(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    if (device == 0) first = free;
  }
  if (!aclrtGetSocName()) std::puts("no name of a chip");
  return first;
}

void exchange(void* from, void* to) {
  for (const int device : {0, 1, 0, 1}) {  // repeated calls answer the same
    std::int32_t reachable = 0;
    DONE(aclrtDeviceCanAccessPeer(&reachable, device, 1 - device));
    DONE(aclrtSetDevice(device));
    DONE(aclrtDeviceEnablePeerAccess(1 - device, 0));
  }
  DONE(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  DONE(aclrtCreateStream(&stream));
  DONE(aclrtMemcpyAsync(to, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  DONE(aclrtSynchronizeStream(stream));
  DONE(aclrtDestroyStream(stream));
}

/// Frees its memory after one reset of the many sets, or after as many as end the use of the
/// devices.
int call_as_a_backend_does(bool last_reset) {
  const std::size_t most = look_at_devices();
  DONE(aclrtSetDevice(1));
  void* const far = buffer(kBytes);
  DONE(aclrtSetDevice(0));
  void *const x = buffer(kBytes), *const w = buffer(kBytes / 2), *const y = buffer(kBytes);
  const std::vector<uint16_t> halves(kWidth * kWidth, aclFloatToFloat16(0.5F));
  DONE(aclrtMemcpy(w, kBytes / 2, halves.data(), kBytes / 2, ACL_MEMCPY_HOST_TO_DEVICE));
  BOTH_PHASES(aclnnTransMatmulWeight, nullptr, Square(w, ACL_FLOAT16));  // and never synchronised
  put(x, 1.0F);
  DONE(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  DONE(aclrtCreateStream(&stream));
  Pool pool(0, most);
  enqueue(x, w, y, pool, stream);
  DONE(aclrtSynchronizeStream(stream));
  std::printf("eager %g\n", last_of(y));

  DONE(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  char* const grown = pool.take(std::size_t{3} << 20);  // maps a further piece
  void* during = nullptr;
  DONE(aclrtMalloc(&during, 256, ACL_MEM_MALLOC_HUGE_FIRST));
  enqueue(x, w, y, pool, stream);
  enqueue(y, w, grown, pool, stream);
  aclmdlRI graph = nullptr;
  DONE(aclmdlRICaptureEnd(stream, &graph));
  for (const float value : {1.0F, 2.0F}) {
    put(x, value);
    DONE(aclmdlRIExecuteAsync(graph, stream));
    DONE(aclrtSynchronizeStream(stream));
    std::printf("graph %g\n", last_of(grown));
  }
  DONE(aclmdlRIDestroy(graph));
  exchange(y, far);
  std::printf("peer %g\n", last_of(far));

  DONE(aclrtSynchronizeDevice());
  if (last_reset) {
    DONE(aclrtDestroyStream(stream));
    for (const int device : {0, 1}) {
      while (aclrtResetDevice(device) == 0) {
      }
    }
  } else {
    DONE(aclrtResetDevice(0));
    DONE(aclrtDestroyStream(stream));
  }
  pool.destroy();
  for (void* const memory : {x, w, y, during, far}) DONE(aclrtFree(memory));
  std::puts("freed");
  return 0;  // without aclFinalize
}

}  // namespace

CHILD_PROGRAM(calls_as_a_backend_does) { return call_as_a_backend_does(false); }
CHILD_PROGRAM(frees_after_the_last_reset) { return call_as_a_backend_does(true); }

TEST_CASE("the calls of a language model's backend work in its order, eager and captured",
          "[aclnn]") {
  const auto* const program = GENERATE("calls_as_a_backend_does", "frees_after_the_last_reset");
  const auto result = support::run_child(program, {});
  INFO(result.output);
  CHECK(result.clean());
  CHECK_THAT(result.output, ContainsSubstring("eager 17\ngraph 289\ngraph 578\npeer 34\nfreed\n"));
  CHECK_THAT(result.output, !ContainsSubstring("no repetition"));
}
