// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "acl/acl_base.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/shmem/pe/pe.h"
#include "shmem/host_device/shmem_common_types.h"

namespace shmem {

/// nelems elements; every `to_stride`-th of the target, every `from_stride`-th of the source.
struct Elements {
  std::size_t bytes = 1;  // of one
  std::size_t count = 0;
  std::ptrdiff_t to_stride = 1;
  std::ptrdiff_t from_stride = 1;
};

/// A word at a PE that is changed behind the data. `address` null: none.
struct SignalSpec {
  void* address = nullptr;
  std::int32_t value = 0;
  int op = ACLSHMEM_SIGNAL_SET;
};

/// Moves the bytes now, behind what is on the library's stream. Raise ACLSHMEM_INVALID_PARAM.
void put(void* to, const void* from, const Elements& elements, int pe,
         const SignalSpec& signal = {});
void get(void* to, const void* from, const Elements& elements, int pe);
void signal(const SignalSpec& signal, int pe);

/// Elements of 1, 2, 4 and 8 bytes arrive as a whole, where they lie at a multiple of that.
void copy_element(std::byte* to, const std::byte* from, std::size_t bytes);
/// Where the word is, from here. Raises ACLSHMEM_INVALID_PARAM.
std::byte* signal_word(const Pe& me, const SignalSpec& signal, int pe);
void change_word(std::byte* word, const SignalSpec& signal);

/// As ops of a stream; null: the library's.
void put_on_stream(acl::embedding::Caller caller, void* to, const void* from, std::size_t bytes,
                   int pe, aclrtStream stream);
void get_on_stream(acl::embedding::Caller caller, void* to, const void* from, std::size_t bytes,
                   int pe, aclrtStream stream);
void signal_on_stream(acl::embedding::Caller caller, const SignalSpec& signal, int pe,
                      aclrtStream stream);
void wait_on_stream(acl::embedding::Caller caller, std::int32_t* word, int cmp, std::int32_t value,
                    aclrtStream stream);
void quiet_on_stream(acl::embedding::Caller caller, aclrtStream stream);
void barrier_on_stream(acl::embedding::Caller caller, int team, aclrtStream stream);

}  // namespace shmem
