// SPDX-License-Identifier: Apache-2.0
// Variables of kernel code by their symbol.
#include <cstdint>
#include <vector>

#include "acl/acl_rt_api.h"
#include "tests/acl/kernel_world.h"

using namespace world;

std::int32_t symbol_table[8] = {1, 2, 3, 4,
                                5, 6, 7, 8};  // as `__gm__ int32_t symbol_table[8]` becomes

namespace {

std::int32_t hidden_counter = 5;

std::int32_t add_to_table(const aclsimKernelContext*, const void*) {
  for (std::int32_t& value : symbol_table) value += 100;
  return 0;
}

aclError launch_addition() {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "add_to_table";
  launch.kernel = add_to_table;
  launch.numBlocks = 1;
  return aclsimLaunchKernel(&launch, nullptr);
}

}  // namespace

TEST_CASE("a symbol has the address and size of its variable, also where no other file sees it") {
  const Device device;
  void* address = nullptr;
  std::size_t size = 0;
  REQUIRE_ACL(aclrtGetSymbolAddress(symbol_table, &address));
  CHECK(address == symbol_table);
  REQUIRE_ACL(aclrtGetSymbolSize(symbol_table, &size));
  CHECK(size == 32);
  REQUIRE_ACL(aclrtGetSymbolSize(hidden_counter, &size));
  CHECK(size == 4);
}

TEST_CASE("copies to and from a symbol move what the kernels use, at an offset") {
  const Device device;
  const std::int32_t two[] = {30, 40};
  REQUIRE_ACL(aclrtMemcpyToSymbol(symbol_table, two, sizeof two, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(launch_addition());
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  std::int32_t four[4] = {};
  REQUIRE_ACL(aclrtMemcpyFromSymbol(four, sizeof four, symbol_table, sizeof four, 4,
                                    ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(std::vector<std::int32_t>(four, four + 4) == std::vector<std::int32_t>{102, 130, 140, 105});
}

TEST_CASE("asynchronous copies of a symbol keep the order of their stream") {
  const Device device;
  void* host = nullptr;
  REQUIRE_ACL(aclrtMallocHost(&host, 32));
  auto* const values = static_cast<std::int32_t*>(host);
  for (std::int32_t i = 0; i < 8; ++i) values[i] = i;
  REQUIRE_ACL(
      aclrtMemcpyToSymbolAsync(symbol_table, host, 32, 0, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  REQUIRE_ACL(launch_addition());
  REQUIRE_ACL(aclrtMemcpyFromSymbolAsync(host, 32, symbol_table, 32, 0, ACL_MEMCPY_DEVICE_TO_HOST,
                                         nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(values[0] == 100);
  CHECK(values[7] == 107);
  // aclrtGetSymbolAddress returns an address that calls accept like other device memory.
  void* address = nullptr;
  REQUIRE_ACL(aclrtGetSymbolAddress(symbol_table, &address));
  REQUIRE_ACL(aclrtMemcpyAsync(address, 32, host, 32, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  REQUIRE_ACL(aclrtMemcpyAsync(host, 32, address, 32, ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(values[7] == 107);
  REQUIRE_ACL(aclrtFreeHost(host));
}

TEST_CASE("what is no variable, passes its end or goes the wrong way is refused") {
  const Device device;
  void* address = kGarbage;
  const std::int32_t local = 1;
  CHECK_CODE(aclrtGetSymbolAddress(static_cast<const void*>(&local), &address),
             ACL_ERROR_RT_INVALID_SYMBOL);
  CHECK(address == nullptr);
  const void* const inside = &symbol_table[1];
  CHECK_CODE(aclrtGetSymbolAddress(inside, &address), ACL_ERROR_RT_INVALID_SYMBOL);
  CHECK_CODE(aclrtGetSymbolAddress(static_cast<const void*>(nullptr), &address),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetSymbolSize(symbol_table, nullptr), ACL_ERROR_INVALID_PARAM);
  std::int32_t one = 0;
  for (const std::size_t offset : {std::size_t{29}, std::size_t{33}, ~std::size_t{0}}) {
    CHECK_CODE(aclrtMemcpyToSymbol(symbol_table, &one, 4, offset, ACL_MEMCPY_HOST_TO_DEVICE),
               ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK_CODE(aclrtMemcpyToSymbol(symbol_table, &one, 4, 0, ACL_MEMCPY_DEVICE_TO_HOST),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpyFromSymbol(&one, 2, symbol_table, 4, 0, ACL_MEMCPY_DEVICE_TO_HOST),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpyFromSymbol(nullptr, 4, symbol_table, 4, 0, ACL_MEMCPY_DEVICE_TO_HOST),
             ACL_ERROR_INVALID_PARAM);
}
