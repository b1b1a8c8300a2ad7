// SPDX-License-Identifier: Apache-2.0
// Multicast objects between processes: by file descriptor and by fabric handle; and processes that
// wait when another process ends.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>

#include "tests/cuda/world.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace cudatest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

constexpr unsigned kBoth = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC;

/// How another process of this user finds the descriptor.
std::string exported_file(CUmemGenericAllocationHandle handle) {
  int file = -1;
  OK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
}

std::string exported_fabric(CUmemGenericAllocationHandle handle) {
  CUmemFabricHandle fabric{};
  OK(cuMemExportToShareableHandle(&fabric, handle, CU_MEM_HANDLE_TYPE_FABRIC, 0));
  std::string text;
  for (const unsigned char byte : fabric.data) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

/// One of the two texts.
CUmemGenericAllocationHandle import(const std::string& text) {
  CUmemGenericAllocationHandle handle = 0;
  CUresult result = CUDA_ERROR_UNKNOWN;
  if (text.starts_with("/proc/")) {
    const int file = ::open(text.c_str(), O_RDWR | O_CLOEXEC);
    result = cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(std::intptr_t{file}),
                                            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    ::close(file);
  } else {
    CUmemFabricHandle fabric{};
    for (std::size_t i = 0; i < sizeof fabric.data; ++i) {
      fabric.data[i] = static_cast<unsigned char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
    }
    result = cuMemImportFromShareableHandle(&handle, &fabric, CU_MEM_HANDLE_TYPE_FABRIC);
  }
  if (result != CUDA_SUCCESS) std::cout << "import: " << message() << std::endl;
  return handle;
}

/// The objects of a member of a team.
struct Member {
  CUcontext context = nullptr;
  CUmemGenericAllocationHandle object = 0;
  CUmemGenericAllocationHandle memory = 0;
  CUdeviceptr replica = 0;
  CUdeviceptr address = 0;
  int device = 0;

  CUresult map(CUdeviceptr& at, CUmemGenericAllocationHandle handle) const {
    const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, device},
                                 CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUresult result = cuMemAddressReserve(&at, kG, 0, 0, 0);
    if (result == CUDA_SUCCESS) result = cuMemMap(at, kG, 0, handle, 0);
    return result == CUDA_SUCCESS ? cuMemSetAccess(at, kG, &access, 1) : result;
  }
  CUresult bind() {
    const CUmemAllocationProp prop = memory_prop(device, kBoth);
    CUresult result = cuMemCreate(&memory, kG, &prop, 0);
    if (result == CUDA_SUCCESS) result = cuMulticastBindMem(object, 0, memory, 0, kG, 0);
    if (result == CUDA_SUCCESS) result = map(replica, memory);
    return result == CUDA_SUCCESS ? map(address, object) : result;
  }
  void start(int on) {
    device = on;
    cuInit(0);
    cuDevicePrimaryCtxRetain(&context, on);
    cuCtxSetCurrent(context);
  }
};

}  // namespace

// Lines: "import TEXT DEVICE", "add", "bind", "fill BYTE", "read", "exit".
CHILD_PROGRAM(multicast_member) {
  Member member;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string verb;
    std::string text;
    int number = 0;
    words >> verb;
    CUresult result = CUDA_SUCCESS;
    if (verb == "import") {
      words >> text >> number;
      member.start(number);
      member.object = import(text);
      result = member.object != 0 ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
    } else if (verb == "add") {
      result = cuMulticastAddDevice(member.object, member.device);
    } else if (verb == "bind") {
      result = member.bind();
    } else if (verb == "fill") {
      words >> number;
      result = cuMemsetD8(member.address + 100, static_cast<unsigned char>(number), 50);
      cuCtxSynchronize();
    } else if (verb == "read") {
      unsigned char byte = 0;
      result = cuMemcpyDtoH(&byte, member.replica + 149, 1);
      std::cout << "byte " << int{byte} << std::endl;
      continue;
    } else if (verb == "release") {
      result = cuMemRelease(member.object);
    } else {
      break;
    }
    std::cout << verb << " " << static_cast<int>(result)
              << (result == CUDA_SUCCESS ? "" : " " + message()) << std::endl;
  }
  return 0;
}

TEST_CASE("Two processes make a team, and what one stores reaches the other's memory") {
  const World world;
  const bool by_fabric = GENERATE(false, true);
  Object object(2, kG, kBoth, false);
  RunningChild other("multicast_member");
  const std::string text = by_fabric ? exported_fabric(object) : exported_file(object);
  REQUIRE(other.ask("import " + text + " 1") == "import 0");
  OK(cuMulticastAddDevice(object, 0));
  Member mine;
  mine.object = object;
  std::atomic<pid_t> waiting{0};
  CUresult bound = CUDA_ERROR_UNKNOWN;
  std::thread binder([&] {
    cuCtxSetCurrent(world.context());
    waiting = support::this_thread_number();
    bound = mine.bind();
  });
  REQUIRE(support::eventually_blocked(waiting));
  REQUIRE(other.ask("add") == "add 0");
  binder.join();
  REQUIRE(bound == CUDA_SUCCESS);
  CHECK(cuMemsetD8(mine.address, 1, 1) == CUDA_ERROR_ILLEGAL_ADDRESS);  // the other has not bound
  REQUIRE(other.ask("bind") == "bind 0");
  OK(cuMemsetD8(mine.address + 100, 42, 50));
  OK(cuCtxSynchronize());
  CHECK(other.ask("read") == "byte 42");
  CHECK(read_back(mine.replica + 149, 2) == std::vector<unsigned char>{42, 0});
  REQUIRE(other.ask("fill 43") == "fill 0");
  CHECK(read_back(mine.replica + 149, 2) == std::vector<unsigned char>{43, 0});
  // Mapped memory stays, also after the other process has ended.
  other.kill();
  OK(cuMemsetD8(mine.address, 5, 1));
  CHECK(read_back(mine.replica, 1)[0] == 5);
  OK(cuMemUnmap(mine.address, kG));
  OK(cuMemUnmap(mine.replica, kG));
  OK(cuMemRelease(mine.memory));
}

TEST_CASE("When a process dies that had not added its device, those who wait for it get 401") {
  const World world;
  const bool in_map = GENERATE(false, true);
  Object object(2, kG, kBoth, false);
  OK(cuMulticastAddDevice(object, 0));
  RunningChild other("multicast_member");
  REQUIRE(other.ask("import " + exported_file(object) + " 1") == "import 0");
  const Memory memory(0, kG, kBoth);
  CUdeviceptr address = 0;
  OK(cuMemAddressReserve(&address, kG, 0, 0, 0));
  std::atomic<pid_t> waiting{0};
  CUresult result = CUDA_ERROR_UNKNOWN;
  std::string text;
  std::thread waiter([&] {
    waiting = support::this_thread_number();
    result = in_map ? cuMemMap(address, kG, 0, object, 0)
                    : cuMulticastBindMem(object, 0, memory, 0, kG, 0);
    text = message();
  });
  REQUIRE(support::eventually_blocked(waiting));
  const int pid = other.pid();
  other.kill();
  waiter.join();
  CHECK(result == CUDA_ERROR_ILLEGAL_STATE);
  CHECK_THAT(text, ContainsSubstring("process " + std::to_string(pid) + " ended"));
  OK(cuMemAddressFree(address, kG));
  // Later queries get the same answer.
  CHECK(cuMulticastBindMem(object, 0, memory, 0, kG, 0) == CUDA_ERROR_ILLEGAL_STATE);
}

TEST_CASE("A process that gives the object back without adding a device ends nobody's wait") {
  const World world;
  Object object(2, kG, kBoth, false);
  OK(cuMulticastAddDevice(object, 0));
  RunningChild other("multicast_member");
  REQUIRE(other.ask("import " + exported_file(object) + " 1") == "import 0");
  REQUIRE(other.ask("release") == "release 0");
  other.kill();
  const Memory memory(0, kG, kBoth);
  std::atomic<pid_t> waiting{0};
  CUresult result = CUDA_ERROR_UNKNOWN;
  std::thread waiter([&] {
    waiting = support::this_thread_number();
    result = cuMulticastBindMem(object, 0, memory, 0, kG, 0);
  });
  REQUIRE(support::eventually_blocked(waiting));
  OK(cuMulticastAddDevice(object, 1));
  waiter.join();
  CHECK(result == CUDA_SUCCESS);
}

// Waits for a team that another process would have to complete.
CHILD_PROGRAM(waits_for_a_team) {
  cuInit(0);
  CUmulticastObjectProp prop{2, kG, 0, 0};
  CUmemGenericAllocationHandle object = 0;
  CUmemGenericAllocationHandle memory = 0;
  cuMulticastCreate(&object, &prop);
  cuMulticastAddDevice(object, 3);
  const CUmemAllocationProp of_memory = memory_prop(3);
  cuMemCreate(&memory, kG, &of_memory, 0);
  std::thread waiter([&] { cuMulticastBindMem(object, 0, memory, 0, kG, 0); });
  waiter.join();
  return 0;
}

TEST_CASE("Who waits long for a team is told which devices are missing, and the wait goes on") {
  const auto result = support::run_child("waits_for_a_team", {{"ACLSIM_CUDA_JOIN_REPORT_MS", "20"}},
                                         std::chrono::seconds(2));
  CHECK(result.timed_out);
  CHECK_THAT(result.output, ContainsSubstring("1 of 2 devices were added (3)"));
}

// A plain store of the host through the address of an object.
CHILD_PROGRAM(stores_plainly) {
  cuInit(0);
  CUmulticastObjectProp prop{2, kG, 0, 0};
  CUmemGenericAllocationHandle object = 0;
  CUdeviceptr address = 0;
  cuMulticastCreate(&object, &prop);
  cuMulticastAddDevice(object, 1);
  cuMulticastAddDevice(object, 0);
  cuMemAddressReserve(&address, kG, 0, 0, 0);
  cuMemMap(address, kG, 0, object, 0);
  *reinterpret_cast<volatile int*>(address + 4100) = 1;
  return 0;
}

TEST_CASE("A plain store faults, and the object, offset and team are named") {
  const auto result = support::run_child(
      "stores_plainly", {{"ASAN_OPTIONS", "handle_segv=0"}, {"TSAN_OPTIONS", "handle_segv=0"}});
  CHECK(result.signal == SIGSEGV);
  CHECK_THAT(result.output, ContainsSubstring("byte 4100 of multicast object") &&
                                ContainsSubstring("2097152 bytes, team devices 1, 0"));
}

// Every call of the table before cuInit, with arguments that are all 0.
CHILD_PROGRAM(begins_without_init_or_arguments) {
  std::ifstream table(ACLSIM_SOURCE_DIR "/tests/abi/cuda/functions.tsv");
  std::string line;
  int called = 0;
  while (std::getline(table, line)) {
    std::istringstream row(line);
    std::string name;
    for (int column = 0; column < 4; ++column) std::getline(row, name, '\t');
    const bool early = name.rfind("cuGet", 0) == 0 || name == "cuInit" ||
                       name == "cuDriverGetVersion" || name == "name";
    if (early) continue;
    using Call = CUresult (*)(long, long, long, long, long, long, long, long, long, long, long);
    const auto call = reinterpret_cast<Call>(dlsym(RTLD_DEFAULT, name.c_str()));
    if (!call) continue;  // a name of the header only
    ++called;
    const CUresult result = call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    if (result != CUDA_ERROR_NOT_INITIALIZED) std::cout << name << " " << result << "\n";
  }
  return called > 100 ? 0 : 1;
}

// Calls before cuInit with arguments. Prints the calls that return another code than 3.
CHILD_PROGRAM(begins_without_init) {
  CUmemGenericAllocationHandle handle = 77;
  CUdeviceptr address = 77;
  std::size_t size = 77;
  int count = 77;
  CUcontext context = nullptr;
  const CUmulticastObjectProp prop{2, kG, 0, 0};
  const CUmemAllocationProp of_memory = memory_prop(0);
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READ};
  const CUresult results[] = {
      cuDeviceGetCount(&count),
      cuDeviceGet(&count, 0),
      cuDevicePrimaryCtxRetain(&context, 0),
      cuCtxGetCurrent(&context),
      cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_MINIMUM),
      cuMulticastCreate(&handle, &prop),
      cuMulticastAddDevice(1, 0),
      cuMulticastBindMem(1, 0, 1, 0, kG, 0),
      cuMulticastBindMem_v2(1, 0, 0, 1, 0, kG, 0),
      cuMulticastBindAddr(1, 0, 1, kG, 0),
      cuMulticastUnbind(1, 0, 0, kG),
      cuMemCreate(&handle, kG, &of_memory, 0),
      cuMemRelease(1),
      cuMemAddressReserve(&address, kG, 0, 0, 0),
      cuMemAddressFree(address, kG),
      cuMemMap(address, kG, 0, 1, 0),
      cuMemUnmap(address, kG),
      cuMemSetAccess(address, kG, &access, 1),
      cuMemRetainAllocationHandle(&handle, &address),
      cuMemAlloc(&address, 1),
      cuMemFree(address),
      cuMemsetD8(address, 1, 1),
      cuStreamSynchronize(nullptr),
  };
  for (std::size_t i = 0; i < std::size(results); ++i) {
    if (results[i] != CUDA_ERROR_NOT_INITIALIZED) std::cout << "call " << i << "\n";
  }
  const bool untouched = handle == 77 && address == 77 && size == 77 && count == 77;
  int version = 0;
  const bool told = cuDriverGetVersion(&version) == CUDA_SUCCESS && version >= 13010;
  return untouched && told ? 0 : 1;
}

TEST_CASE("Before cuInit every call but those for versions and names returns 3") {
  const char* const program = GENERATE("begins_without_init", "begins_without_init_or_arguments");
  const auto result = support::run_child(program);
  CHECK(result.output == "");
  CHECK(result.clean());
}
