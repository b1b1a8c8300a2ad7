// SPDX-License-Identifier: Apache-2.0
// acldumpSaveExceptionInfo: tensors that the program describes.
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/dump/dump.h"
#include "runtime/acl/dump/npy.h"
#include "runtime/acl/memory/host_pages.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {
namespace {

constexpr const char* kDumpTypes[] = {"input", "output", "workspace"};

void check_number(std::uint64_t value, std::uint64_t below, std::size_t index, const char* field) {
  if (value < below) return;
  fail(ACL_ERROR_INVALID_PARAM, "tensors[{}].{} is {}; expected less than {}", index, field, value,
       below);
}

void check(const acldumpTensorInfo& tensor, std::size_t index) {
  check_number(static_cast<unsigned>(tensor.type), std::size(kDumpTypes), index, "type");
  check_number(static_cast<unsigned>(tensor.addrType), ACL_DUMP_ADDR_RAW + 1, index, "addrType");
  check_number(static_cast<unsigned>(tensor.placement), ACL_DUMP_PLACEMENT_END, index, "placement");
  check_number(tensor.shapeNum, ACL_DUMP_MAX_SHAPE_NUM + 1, index, "shapeNum");
  if (!tensor.tensorAddr && tensor.tensorSize != 0) {
    fail(ACL_ERROR_INVALID_PARAM, "tensors[{}].tensorAddr is null", index);
  }
}

/// Memory that the program says to be the device's, or its own, as the engine reads it.
const void* read_place(Runtime& runtime, const void* address, std::size_t size, bool on_device,
                       const std::string& name) {
  if (size == 0) return nullptr;
  const MemoryLocation place = locate(runtime, address, size, name.c_str());
  if (on_device && place.pageable()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, which is not device memory", name, address);
  }
  if (!place.allocation && !host_may(sim::Access::read, address, size)) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, where the host cannot read {} bytes", name, address,
         size);
  }
  return runtime.memory().engine(address);
}

/// The number of pointers to follow to the data's address.
int dereferences(acldumpTensorAddressType type) {
  switch (type) {
    case ACL_DUMP_ADDR_RAW:
      return 0;
    case ACL_DUMP_ADDR_PTR:
      return 1;
    case ACL_DUMP_ADDR_PTR_PTR:
      return 2;
  }
  return 0;
}

const void* bytes_of(Runtime& runtime, const acldumpTensorInfo& tensor, std::size_t index) {
  const bool on_device = tensor.placement == ACL_DUMP_PLACEMENT_DEVICE;
  const void* address = tensor.tensorAddr;
  std::string name = fmt::format("tensors[{}].tensorAddr", index);
  for (int left = dereferences(tensor.addrType); left > 0 && tensor.tensorSize != 0; --left) {
    std::memcpy(&address, read_place(runtime, address, sizeof address, on_device, name),
                sizeof address);
    if (!address) fail(ACL_ERROR_INVALID_PARAM, "{} points to a null address", name);
    name = "what " + name + " points to";
  }
  return read_place(runtime, address, tensor.tensorSize, on_device, name);
}

}  // namespace

void save_tensors(Runtime& runtime, const std::string& folder, const char* file_name,
                  const char* user_tag, const acldumpTensorInfo* tensors, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) check(tensors[i], i);
  std::vector<const void*> data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = bytes_of(runtime, tensors[i], i);
  std::string base = folder + "/" + file_name_part(file_name);
  if (user_tag && *user_tag) base += "." + file_name_part(user_tag);
  for (std::size_t i = 0; i < count; ++i) {
    const acldumpTensorInfo& tensor = tensors[i];
    const std::vector<std::uint64_t> shape(tensor.shape, tensor.shape + tensor.shapeNum);
    runtime.section<Dump>().output().write(
        fmt::format("{}.{}.{}.npy", base, kDumpTypes[tensor.type], i),
        npy_header(static_cast<aclDataType>(tensor.dataType), shape, tensor.tensorSize), data[i],
        tensor.tensorSize);
  }
}

}  // namespace acl
