// SPDX-License-Identifier: Apache-2.0
// The structures of DLPack before version 1.0, as capsules named "dltensor" carry them.
#pragma once

#include <cstdint>

namespace pyshmem {

inline constexpr const char* kDlpackName = "dltensor";
inline constexpr std::int32_t kDlpackCpu = 1;

struct DLDevice {
  std::int32_t device_type;
  std::int32_t device_id;
};
struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: contiguous
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};

}  // namespace pyshmem
