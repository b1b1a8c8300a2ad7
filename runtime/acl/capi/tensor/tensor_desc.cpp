// SPDX-License-Identifier: Apache-2.0
// Descriptions of tensors, as far as programs of the runtime make and read them.
#include "runtime/acl/tensor/tensor_desc.h"

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace acl {

std::size_t TensorDesc::elements() const noexcept {
  std::size_t count = 1;
  for (const std::int64_t extent : dims) {
    if (extent < 0) return 0;
    if (__builtin_mul_overflow(count, static_cast<std::size_t>(extent), &count)) return 0;
  }
  return count;
}

std::size_t TensorDesc::bytes() const noexcept {
  std::size_t size = 0;
  return __builtin_mul_overflow(elements(), aclDataTypeSize(type), &size) ? 0 : size;
}

}  // namespace acl

namespace {

TensorDescs::Table::Pin find_desc(Runtime& runtime, const aclTensorDesc* handle) {
  require_input(handle, "desc");
  auto pin = runtime.section<TensorDescs>().table().find(handle);
  if (!pin) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "desc is {}, which is not a live tensor description",
                    static_cast<const void*>(handle));
  }
  return pin;
}

/// A member of a description; `none` for null.
template <class T, class Read>
T read_desc(const char* function, const aclTensorDesc* handle, T none, Read read) {
  return guarded_value(function, none,
                       [&](Runtime& runtime) -> T { return read(*find_desc(runtime, handle)); });
}

std::int64_t dim_of(const TensorDesc& desc, std::size_t index) {
  if (index >= desc.dims.size()) {
    fail(ACL_ERROR_INVALID_PARAM, "index is {}; expected less than the {} dimensions", index,
         desc.dims.size());
  }
  return desc.dims[index];
}

}  // namespace

extern "C" {

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  void* const handle = guarded_value(__func__, static_cast<void*>(nullptr), [&](Runtime& runtime) {
    if (numDims < 0) fail(ACL_ERROR_INVALID_PARAM, "numDims is {}; expected 0 or more", numDims);
    if (numDims > 0) require_input(dims, "dims");
    void* const made = runtime.section<TensorDescs>().table().add(sim::make_ref<TensorDesc>(
        dataType, std::vector<std::int64_t>(dims, dims + numDims), format));
    if (!made) {
      fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many tensor descriptions");
    }
    return made;
  });
  return static_cast<aclTensorDesc*>(handle);
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  if (!desc) return;
  guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_desc(runtime, desc);
    if (!runtime.section<TensorDescs>().table().remove(found)) {
      fail(ACL_ERROR_RT_INVALID_HANDLE, "desc was destroyed by another thread");
    }
  });
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return read_desc(__func__, desc, ACL_DT_UNDEFINED, [](const TensorDesc& d) { return d.type; });
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return read_desc(__func__, desc, ACL_FORMAT_UNDEFINED,
                   [](const TensorDesc& d) { return d.format; });
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return read_desc(__func__, desc, std::size_t{0}, [](const TensorDesc& d) { return d.bytes(); });
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  return read_desc(__func__, desc, std::size_t{0},
                   [](const TensorDesc& d) { return d.elements(); });
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  return read_desc(__func__, desc, std::size_t{0}, [](const TensorDesc& d) {
    return d.rank_known() ? d.dims.size() : std::size_t{ACL_UNKNOWN_RANK};
  });
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  return read_desc(__func__, desc, std::int64_t{-1},
                   [&](const TensorDesc& d) { return dim_of(d, index); });
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    std::int64_t& out = require_out(dimSize, "dimSize");
    out = dim_of(*find_desc(runtime, desc), index);
  });
}

}  // extern "C"
