// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/device_info.h"

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {
namespace {

struct InfoRow {
  aclrtDevAttr attribute;
  std::int64_t (*answer)(Runtime& runtime, int device);
};

template <std::int64_t Value>
std::int64_t constant(Runtime&, int) {
  return Value;
}

std::int64_t ai_cores(Runtime& runtime, int) { return runtime.config().system.ai_cores; }
std::int64_t vector_cores(Runtime& runtime, int) { return runtime.config().system.vector_cores; }
std::int64_t memory_size(Runtime& runtime, int device) {
  return static_cast<std::int64_t>(runtime.memory().device(device).capacity());
}
std::int64_t device_id(Runtime&, int device) { return device; }

// Attributes that are not configured have plausible values of the default chip.
constexpr InfoRow kInfoRows[] = {
    {ACL_DEV_ATTR_AICPU_CORE_NUM, constant<6>},
    {ACL_DEV_ATTR_AICORE_CORE_NUM, ai_cores},
    {ACL_DEV_ATTR_CUBE_CORE_NUM, ai_cores},
    {ACL_DEV_ATTR_VECTOR_CORE_NUM, vector_cores},
    {ACL_DEV_ATTR_WARP_SIZE, constant<32>},
    {ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE, constant<2048>},
    {ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, constant<196608>},
    {ACL_DEV_ATTR_MAX_GRID_DIM_X, constant<65535>},
    {ACL_DEV_ATTR_MAX_GRID_DIM_Y, constant<65535>},
    {ACL_DEV_ATTR_MAX_GRID_DIM_Z, constant<65535>},
    {ACL_DEV_ATTR_MAX_BLOCK_PER_GRID, constant<65535>},
    {ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK, constant<1024>},
    {ACL_DEV_ATTR_MAX_BLOCK_DIM_X, constant<1024>},
    {ACL_DEV_ATTR_MAX_BLOCK_DIM_Y, constant<1024>},
    {ACL_DEV_ATTR_MAX_BLOCK_DIM_Z, constant<1024>},
    {ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, memory_size},
    {ACL_DEV_ATTR_L2_CACHE_SIZE, constant<201326592>},
    {ACL_DEV_ATTR_SMP_ID, constant<0>},
    {ACL_DEV_ATTR_PHY_CHIP_ID, device_id},
    {ACL_DEV_ATTR_SUPER_POD_DEVICE_ID, device_id},
    {ACL_DEV_ATTR_SUPER_POD_SERVER_ID, constant<0>},
    {ACL_DEV_ATTR_SUPER_POD_ID, constant<0>},
    {ACL_DEV_ATTR_CUST_OP_PRIVILEGE, constant<0>},
    {ACL_DEV_ATTR_MAINBOARD_ID, constant<0>},
    {ACL_DEV_ATTR_HD_CONNECT_TYPE, constant<0>},
    {ACL_DEV_ATTR_DEVICE_FORM_FACTOR, constant<0>},
    {ACL_DEV_ATTR_IS_VIRTUAL, constant<0>},
    {ACL_DEV_ATTR_NPU_ARCH, constant<2201>},
};

}  // namespace

std::int64_t device_info(Runtime& runtime, int physical_device, aclrtDevAttr attribute) {
  for (const InfoRow& row : kInfoRows) {
    if (row.attribute == attribute) return row.answer(runtime, physical_device);
  }
  fail(ACL_ERROR_INVALID_PARAM, "attr is {}, which is not an attribute of a device",
       static_cast<int>(attribute));
}

}  // namespace acl
