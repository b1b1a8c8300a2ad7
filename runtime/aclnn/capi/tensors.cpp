// SPDX-License-Identifier: Apache-2.0
// aclnn/acl_meta.h: tensors, scalars, lists.
#include <algorithm>
#include <memory>
#include <new>
#include <span>

#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/base/objects.h"
#include "runtime/aclnn/plan/executor.h"

using aclnn::fail;
using aclnn::guarded;
using aclnn::kInnerNullPointer;
using aclnn::kNullPointer;

namespace {

/// Larger counts are mistakes of the caller, such as a negative number. No operator of the vendor
/// accepts as many dims.
constexpr std::uint64_t kMostDims = 64;
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 28;

struct Dims {
  const std::int64_t* values;
  std::uint64_t count;
  bool missing() const noexcept { return !values && count != 0; }
  bool usable() const noexcept { return !missing() && count <= kMostDims; }
  std::vector<std::int64_t> copy() const { return {values, values + count}; }
};

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& dims) {
  std::vector<std::int64_t> strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    // Extents that pass 2^63 are refused by the operators; here they must only not overflow.
    if (__builtin_mul_overflow(stride, dims[d], &stride)) stride = 0;
  }
  return strides;
}

void describe(aclTensor& tensor, Dims view, aclDataType type, const std::int64_t* stride,
              std::int64_t offset, aclFormat format, Dims storage, void* data) {
  tensor.dims = view.copy();
  tensor.strides = stride ? Dims{stride, view.count}.copy() : contiguous_strides(tensor.dims);
  tensor.storage = storage.copy();
  tensor.offset = offset;
  tensor.type = type;
  tensor.format = format;
  tensor.data = data;
}

template <class T>
T& given(T* pointer, const char* name) {
  if (!pointer) fail(kNullPointer, "{} is null", name);
  return *pointer;
}

/// Calls `make`; null if the host is out of memory.
template <class Make>
auto made_or_null(Make&& make) noexcept -> decltype(make().release()) {
  try {
    return make().release();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

template <class Array, class T>
Array* make_array(const T* values, std::uint64_t count) noexcept {
  if ((!values && count != 0) || count > kMostElements) return nullptr;
  return made_or_null([&] {
    auto array = std::make_unique<Array>();
    array->values.assign(values, values + count);
    return array;
  });
}

void hand_out(const std::vector<std::int64_t>& values, std::int64_t** array, std::uint64_t* count) {
  std::unique_ptr<std::int64_t[]> copy(new (std::nothrow) std::int64_t[values.size()]);
  if (!copy) fail(kInnerNullPointer, "the host is out of memory");
  std::copy(values.begin(), values.end(), copy.get());
  *count = values.size();
  *array = copy.release();
}

template <class Container>
aclnnStatus size_of_array(const char* function, const Container* container, std::uint64_t* size) {
  return guarded(function, [&] {
    given(container, "array");
    given(size, "size");
    if constexpr (requires { container->values; }) {
      *size = container->values.size();
    } else if constexpr (requires { container->tensors; }) {
      *size = container->tensors.size();
    } else {
      *size = container->scalars.size();
    }
  });
}

}  // namespace

aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum, aclDataType dataType,
                           const int64_t* stride, int64_t offset, aclFormat format,
                           const int64_t* storageDims, uint64_t storageDimsNum, void* tensorData) {
  const Dims view{viewDims, viewDimsNum}, storage{storageDims, storageDimsNum};
  if (!view.usable() || !storage.usable()) return nullptr;
  return made_or_null([&] {
    auto tensor = std::make_unique<aclTensor>();
    describe(*tensor, view, dataType, stride, offset, format, storage, tensorData);
    return tensor;
  });
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* viewDims, uint64_t viewDimsNum,
                          aclDataType dataType, const int64_t* stride, int64_t offset,
                          aclFormat format, const int64_t* storageDims, uint64_t storageDimsNum,
                          void* tensorDataAddr) {
  return guarded("aclInitTensor", [&] {
    const Dims view{viewDims, viewDimsNum}, storage{storageDims, storageDimsNum};
    given(tensor, "tensor");
    if (view.missing()) fail(kNullPointer, "viewDims is null; viewDimsNum is {}", viewDimsNum);
    if (storage.missing())
      fail(kNullPointer, "storageDims is null; storageDimsNum is {}", storageDimsNum);
    aclnn::require(view.usable(), "viewDimsNum is {}; expected at most {}", viewDimsNum, kMostDims);
    aclnn::require(storage.usable(), "storageDimsNum is {}; expected at most {}", storageDimsNum,
                   kMostDims);
    describe(*tensor, view, dataType, stride, offset, format, storage, tensorDataAddr);
  });
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  delete tensor;
  return OK;
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims, uint64_t* viewDimsNum) {
  return guarded("aclGetViewShape", [&] {
    given(tensor, "tensor");
    given(viewDims, "viewDims");
    given(viewDimsNum, "viewDimsNum");
    hand_out(tensor->dims, viewDims, viewDimsNum);
  });
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                               uint64_t* storageDimsNum) {
  return guarded("aclGetStorageShape", [&] {
    given(tensor, "tensor");
    given(storageDims, "storageDims");
    given(storageDimsNum, "storageDimsNum");
    hand_out(tensor->storage, storageDims, storageDimsNum);
  });
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** stridesValue,
                              uint64_t* stridesNum) {
  return guarded("aclGetViewStrides", [&] {
    given(tensor, "tensor");
    given(stridesValue, "stridesValue");
    given(stridesNum, "stridesNum");
    hand_out(tensor->strides, stridesValue, stridesNum);
  });
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return guarded("aclGetViewOffset",
                 [&] { given(offset, "offset") = given(tensor, "tensor").offset; });
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return guarded("aclGetFormat", [&] { given(format, "format") = given(tensor, "tensor").format; });
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return guarded("aclGetDataType",
                 [&] { given(dataType, "dataType") = given(tensor, "tensor").type; });
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return guarded("aclGetRawTensorAddr",
                 [&] { given(addr, "addr") = given(tensor, "tensor").data; });
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return guarded("aclSetRawTensorAddr", [&] { given(tensor, "tensor").data = addr; });
}

aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  if (!value) return nullptr;
  return made_or_null(
      [&] { return std::make_unique<aclScalar>(aclnn::scalar_at(value, dataType)); });
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  delete scalar;
  return OK;
}

aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return make_array<aclIntArray>(value, size);
}
aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  delete array;
  return OK;
}
aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return size_of_array("aclGetIntArraySize", array, size);
}

aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return make_array<aclFloatArray>(value, size);
}
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  delete array;
  return OK;
}
aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return size_of_array("aclGetFloatArraySize", array, size);
}

aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return make_array<aclBoolArray>(value, size);
}
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  delete array;
  return OK;
}
aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return size_of_array("aclGetBoolArraySize", array, size);
}

aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  if ((!value && size != 0) || size > kMostElements) return nullptr;
  return made_or_null([&] {
    auto list = std::make_unique<aclTensorList>();
    list->tensors.assign(value, value + size);
    return list;
  });
}
aclnnStatus aclDestroyTensorList(const aclTensorList* array) {
  if (array) {
    for (const aclTensor* tensor : array->tensors) delete tensor;
  }
  delete array;
  return OK;
}
aclnnStatus aclGetTensorListSize(const aclTensorList* tensorList, uint64_t* size) {
  return size_of_array("aclGetTensorListSize", tensorList, size);
}

aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  if ((!value && size != 0) || size > kMostElements) return nullptr;
  return made_or_null([&] {
    auto list = std::make_unique<aclScalarList>();
    list->scalars.assign(value, value + size);
    return list;
  });
}
aclnnStatus aclDestroyScalarList(const aclScalarList* array) {
  if (array) {
    for (const aclScalar* scalar : array->scalars) delete scalar;
  }
  delete array;
  return OK;
}
aclnnStatus aclGetScalarListSize(const aclScalarList* scalarList, uint64_t* size) {
  return size_of_array("aclGetScalarListSize", scalarList, size);
}
