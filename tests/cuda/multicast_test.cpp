// SPDX-License-Identifier: Apache-2.0
// Multicast objects behind the functions of the driver: what copies and fills reach, and lifetimes.
#include <memory>
#include <numeric>
#include <thread>

#include "tests/cuda/world.h"
#include "tests/support/waiting.h"

using namespace cudatest;
using catch_compat::ContainsSubstring;

namespace {

std::vector<unsigned char> counting(std::size_t size, unsigned first) {
  std::vector<unsigned char> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(first + i);
  return bytes;
}

}  // namespace

TEST_CASE("A copy through the address of an object reaches every replica, and nothing else") {
  const World world;
  const Team team(4);
  const auto bytes = counting(1000, 7);
  OK(cuMemcpyHtoD(*team.address + 123, bytes.data(), bytes.size()));
  for (const auto& replica : team.replica) {
    CHECK(read_back(*replica + 123, 1000) == bytes);
    CHECK(read_back(*replica, 123) == std::vector<unsigned char>(123, 0));
    CHECK(read_back(*replica + 1123, 100) == std::vector<unsigned char>(100, 0));
  }
}

TEST_CASE("Replicas go their own ways after a broadcast") {
  const World world;
  const Team team(2);
  OK(cuMemsetD8(*team.address, 0x11, kG));
  OK(cuMemsetD8(*team.replica[1], 0x22, 10));
  CHECK(read_back(*team.replica[0], 10) == std::vector<unsigned char>(10, 0x11));
  CHECK(read_back(*team.replica[1], 11).back() == 0x11);
  CHECK(read_back(*team.replica[1], 10) == std::vector<unsigned char>(10, 0x22));
  OK(cuMemsetD8(*team.address, 0x11, 1));  // the value that one of them has already
  CHECK(read_back(*team.replica[1], 2) == std::vector<unsigned char>{0x11, 0x22});
}

TEST_CASE("Fills of every width, and values of a stream, reach every replica") {
  const World world;
  const Team team(3);
  CUstream stream;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuMemsetD8Async(*team.address, 0xab, 3, stream));
  OK(cuMemsetD16Async(*team.address + 4, 0x1234, 2, stream));
  OK(cuMemsetD32Async(*team.address + 8, 0xdeadbeef, 2, stream));
  OK(cuStreamWriteValue32(stream, *team.address + 16, 0x01020304, 0));
  OK(cuStreamWriteValue64(stream, *team.address + 24, 0x0102030405060708, 0));
  OK(cuStreamSynchronize(stream));
  const std::vector<unsigned char> expected = {
      0xab, 0xab, 0xab, 0, 0x34, 0x12, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde, 0xef, 0xbe, 0xad, 0xde,
      4,    3,    2,    1, 0,    0,    0,    0,    8,    7,    6,    5,    4,    3,    2,    1};
  for (const auto& replica : team.replica) CHECK(read_back(*replica, 32) == expected);
  OK(cuStreamDestroy(stream));
}

TEST_CASE("The source may be one of the replicas, also where they overlap") {
  const World world;
  const Team team(3);
  const auto bytes = counting(3000, 1);
  write_to(*team.replica[1], bytes);
  OK(cuMemcpyDtoD(*team.address + 1000, *team.replica[1], 3000));
  OK(cuCtxSynchronize());
  for (const auto& replica : team.replica) CHECK(read_back(*replica + 1000, 3000) == bytes);
}

TEST_CASE("A store where a device has no memory fails as a whole and writes nothing") {
  const World world;
  const Object object(2, 4 * kG);
  const Memory first(0, 4 * kG);
  const Memory second(1, 2 * kG);
  OK(cuMulticastBindMem(object, 0, first, 0, 4 * kG, 0));
  OK(cuMulticastBindMem(object, 0, second, 0, 2 * kG, 0));
  const Mapped replica(first, 4 * kG);
  const Mapped address(object, 4 * kG, 2);
  OK(cuMemsetD8(address, 1, 2 * kG));  // the part that both have
  CHECK(cuMemsetD8(address + 2 * kG - 1, 9, 2) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK_THAT(message(), ContainsSubstring("device 1 of the team has no memory"));
  CHECK(read_back(replica + 2 * kG - 1, 2) == std::vector<unsigned char>{1, 0});
  {
    const Setting lenient("ACLSIM_CUDA_UNBOUND", "lenient");
    OK(cuMemsetD8(address + 2 * kG, 9, 2));
    CHECK(read_back(replica + 2 * kG, 2) == std::vector<unsigned char>{9, 9});
  }
}

TEST_CASE("One piece of memory may be bound to several objects, and at several places of one") {
  const World world;
  const Object first(1, 2 * kG);
  const Object second(1, kG);
  const Memory memory(0, kG);
  OK(cuMulticastBindMem(first, 0, memory, 0, kG, 0));
  OK(cuMulticastBindMem(first, kG, memory, 0, kG, 0));
  OK(cuMulticastBindMem(second, 0, memory, 0, kG, 0));
  const Mapped replica(memory, kG);
  const Mapped one(first, 2 * kG, 1);
  const Mapped other(second, kG, 1);
  OK(cuMemsetD8(one, 1, 4));
  OK(cuMemsetD8(one + kG + 1, 2, 1));
  OK(cuMemsetD8(other + 2, 3, 1));
  CHECK(read_back(replica, 4) == std::vector<unsigned char>{1, 2, 3, 1});
}

TEST_CASE("Bound again after an unbind, memory has kept what was in it") {
  const World world;
  const Team team(2);
  OK(cuMemsetD8(*team.address, 5, 8));
  OK(cuMulticastUnbind(team.object, 1, 0, kG));
  CHECK(cuMemsetD8(*team.address, 6, 8) == CUDA_ERROR_ILLEGAL_ADDRESS);
  const Memory another(1, kG);
  OK(cuMulticastBindMem(team.object, 0, another, 0, kG, 0));
  OK(cuMemsetD8(*team.address, 7, 4));
  CHECK(read_back(*team.replica[1], 1)[0] == 5);
  OK(cuMulticastUnbind(team.object, 1, 0, kG));
  OK(cuMulticastBindAddr(team.object, 0, *team.replica[1], kG, 0));
  OK(cuMemsetD8(*team.address + 1, 8, 1));
  CHECK(read_back(*team.replica[1], 3) == std::vector<unsigned char>{5, 8, 5});
  CHECK(read_back(*team.replica[0], 3) == std::vector<unsigned char>{7, 8, 7});
}

TEST_CASE("An address range over several pieces of memory is bound as a whole, or not at all") {
  const World world;
  const Object object(1, 4 * kG);
  const Memory left(0, kG);
  const Memory right(0, kG);
  CUdeviceptr both = 0;
  OK(cuMemAddressReserve(&both, 2 * kG, 0, 0, 0));
  OK(cuMemMap(both, kG, 0, left, 0));
  OK(cuMemMap(both + kG, kG, 0, right, 0));
  const auto access = everybody(1);
  OK(cuMemSetAccess(both, 2 * kG, access.data(), 1));
  const Memory in_the_way(0, kG);
  OK(cuMulticastBindMem(object, kG, in_the_way, 0, kG, 0));
  CHECK(cuMulticastBindAddr(object, 0, both, 2 * kG, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMulticastBindAddr_v2(object, 0, 2 * kG, both, 2 * kG, 0));
  OK(cuMulticastBindMem_v2(object, 0, 0, in_the_way, 0, kG, 0));  // so the first part was undone
  const Mapped address(object, 4 * kG, 1);
  OK(cuMemsetD8(address + 3 * kG - 1, 4, 2));
  CHECK(read_back(both + kG - 1, 2) == std::vector<unsigned char>{4, 4});
  OK(cuMemUnmap(both, 2 * kG));
  OK(cuMemAddressFree(both, 2 * kG));
  // One unbind with the values of the call ends all of its bindings.
  CHECK(cuMulticastUnbind(object, 0, 2 * kG, kG) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMulticastUnbind(object, 0, 2 * kG, 2 * kG));
  CHECK(cuMulticastUnbind(object, 0, 2 * kG, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Handles, mappings and bindings may end in any order") {
  const World world;
  // Bits: release the memory, release the object, unmap the object, unmap the memory, unbind.
  std::vector<int> order = {0, 1, 2, 3, 4};
  do {
    auto object = std::make_unique<Object>(1, kG);
    auto memory = std::make_unique<Memory>(0, kG);
    OK(cuMulticastBindMem(*object, 0, *memory, 0, kG, 0));
    auto replica = std::make_unique<Mapped>(*memory, kG);
    auto address = std::make_unique<Mapped>(*object, kG, 1);
    CUmemGenericAllocationHandle handle = *object;
    bool object_is_live = true;
    for (const int step : order) {
      if (step == 0) memory->release();
      if (step == 1) object->release(), object_is_live = false;
      if (step == 2) address.reset();
      if (step == 3) replica.reset();
      if (step == 4) {
        CHECK(cuMulticastUnbind(handle, 0, 0, kG) ==
              (object_is_live ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));
        if (address && object_is_live) {
          CHECK(cuMemsetD8(*address, 1, 1) == CUDA_ERROR_ILLEGAL_ADDRESS);
        }
      } else if (address && replica && object_is_live) {
        // The mapping reaches the memory after any of the releases.
        (void)cuMemsetD8(*address, 3, 1);
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("A binding keeps its memory, and a mapping its object, after all handles are gone") {
  const World world;
  Object object(2, kG);
  Memory first(0, kG);
  Memory second(1, kG);
  OK(cuMulticastBindMem(object, 0, first, 0, kG, 0));
  OK(cuMulticastBindMem(object, 0, second, 0, kG, 0));
  const Mapped address(object, kG, 2);
  const CUmemGenericAllocationHandle before = object;
  first.release();
  second.release();
  object.release();
  const Mapped* const mapped = &address;
  OK(cuMemsetD8(*mapped, 3, kG));
  CHECK(cuMulticastUnbind(before, 0, 0, kG) == CUDA_ERROR_INVALID_VALUE);
  CUmemGenericAllocationHandle again = 0;
  OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(*mapped + 17)));
  CHECK(again == before);
  OK(cuMulticastUnbind(again, 1, 0, kG));
  OK(cuMemRelease(again));
}

TEST_CASE("A bind waits until the last device is added, and other calls go on meanwhile") {
  const World world;
  const Object object(3, kG, 0, false);
  OK(cuMulticastAddDevice(object, 0));
  const Memory memory(0, kG);
  std::atomic<pid_t> waiting{0};
  CUresult bound = CUDA_ERROR_UNKNOWN;
  std::thread binder([&] {
    waiting = support::this_thread_number();
    bound = cuMulticastBindMem(object, 0, memory, 0, kG, 0);
  });
  REQUIRE(support::eventually_blocked(waiting));
  OK(cuMulticastAddDevice(object, 2));
  const Mapped replica(memory, kG);
  OK(cuMemsetD8(replica, 1, kG));
  CHECK(support::eventually_blocked(waiting));
  OK(cuMulticastAddDevice(object, 1));
  binder.join();
  CHECK(bound == CUDA_SUCCESS);
}

TEST_CASE("A map waits until the last device is added; it may come before any bind") {
  const World world;
  const Object object(2, kG, 0, false);
  OK(cuMulticastAddDevice(object, 1));
  CUdeviceptr address = 0;
  OK(cuMemAddressReserve(&address, kG, 0, 0, 0));
  std::atomic<pid_t> waiting{0};
  CUresult mapped = CUDA_ERROR_UNKNOWN;
  std::thread mapper([&] {
    waiting = support::this_thread_number();
    mapped = cuMemMap(address, kG, 0, object, 0);
  });
  REQUIRE(support::eventually_blocked(waiting));
  OK(cuMulticastAddDevice(object, 0));
  mapper.join();
  REQUIRE(mapped == CUDA_SUCCESS);
  const auto access = everybody(2);
  OK(cuMemSetAccess(address, kG, access.data(), 2));
  const Memory first(0, kG);
  const Memory second(1, kG);
  CHECK(cuMemsetD8(address, 1, 1) == CUDA_ERROR_ILLEGAL_ADDRESS);
  OK(cuMulticastBindMem(object, 0, second, 0, kG, 0));
  OK(cuMulticastBindMem(object, 0, first, 0, kG, 0));
  OK(cuMemsetD8(address, 1, 1));
  OK(cuMemUnmap(address, kG));
  OK(cuMemAddressFree(address, kG));
}

TEST_CASE("Eight threads join, bind and map at once, in any order") {
  const World world;
  const Object object(8, kG, 0, false);
  std::vector<std::unique_ptr<Memory>> memory;
  for (int i = 0; i < 8; ++i) memory.push_back(std::make_unique<Memory>(i, kG));
  std::vector<std::thread> threads;
  std::array<CUresult, 8> results{};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      results[i] = cuMulticastAddDevice(object, (i * 3) % 8);
      if (results[i] == CUDA_SUCCESS) {
        results[i] = cuMulticastBindMem(object, 0, *memory[i], 0, kG, 0);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const CUresult result : results) CHECK(result == CUDA_SUCCESS);
  const Mapped address(object, kG, 8);
  OK(cuMemsetD8(address, 1, kG));
}

TEST_CASE("Reading through an object gives what the current device has, or is refused") {
  const World world(1);
  const Team team(2);
  OK(cuMemsetD8(*team.replica[0], 1, 8));
  OK(cuMemsetD8(*team.replica[1], 2, 8));
  CHECK(read_back(*team.address, 8) == std::vector<unsigned char>(8, 2));
  const Setting refuse("ACLSIM_CUDA_MULTICAST_READS", "refuse");
  unsigned char byte = 7;
  CHECK(cuMemcpyDtoH(&byte, *team.address, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(byte == 7);
}

TEST_CASE("An exported file descriptor is a second handle to the same object") {
  const World world;
  const Object object(2, kG, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, false);
  int file = -1;
  OK(cuMemExportToShareableHandle(&file, object, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  REQUIRE(file >= 0);
  CUmemGenericAllocationHandle second = 0;
  OK(cuMemImportFromShareableHandle(&second, reinterpret_cast<void*>(std::intptr_t{file}),
                                    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  ::close(file);
  OK(cuMulticastAddDevice(second, 0));
  CHECK(cuMulticastAddDevice(object, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMulticastAddDevice(object, 1));
  const Memory memory(1, kG, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  const Memory own(1);  // no other process could access it
  CHECK(cuMulticastBindMem(second, 0, own, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMulticastBindMem(second, 0, memory, 0, kG, 0));
  CHECK(cuMulticastBindMem(object, 0, memory, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemRelease(second));
  OK(cuMulticastUnbind(object, 1, 0, kG));
}

TEST_CASE("A fabric handle is a second handle to the same object or memory") {
  const World world;
  const Object object(1, kG, CU_MEM_HANDLE_TYPE_FABRIC, false);
  const Memory memory(0, kG, CU_MEM_HANDLE_TYPE_FABRIC);
  CUmemFabricHandle fabric;
  CUmemGenericAllocationHandle second = 0;
  CUmemGenericAllocationHandle same_memory = 0;
  OK(cuMemExportToShareableHandle(&fabric, object, CU_MEM_HANDLE_TYPE_FABRIC, 0));
  OK(cuMemImportFromShareableHandle(&second, &fabric, CU_MEM_HANDLE_TYPE_FABRIC));
  OK(cuMulticastAddDevice(second, 0));
  OK(cuMemExportToShareableHandle(&fabric, memory, CU_MEM_HANDLE_TYPE_FABRIC, 0));
  OK(cuMemImportFromShareableHandle(&same_memory, &fabric, CU_MEM_HANDLE_TYPE_FABRIC));
  OK(cuMulticastBindMem(object, 0, same_memory, 0, kG, 0));
  const Mapped replica(memory, kG);
  const Mapped address(second, kG, 1);
  OK(cuMemsetD8(address, 9, 3));
  CHECK(read_back(replica, 3) == std::vector<unsigned char>(3, 9));
  OK(cuMemRelease(second));
  OK(cuMemRelease(same_memory));
}
