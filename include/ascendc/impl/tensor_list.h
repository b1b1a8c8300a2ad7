/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of tensors in global memory, as dynamic inputs of operators are passed: 64-bit words, the
 * first of which is the offset of the addresses in bytes. Before the addresses each tensor has a
 * word with its number of dimensions (low half) and its index (high half), and its dimensions.
 */
#ifndef ASCENDC_IMPL_TENSOR_LIST_H_
#define ASCENDC_IMPL_TENSOR_LIST_H_

#include "ascendc/impl/tensor.h"

namespace AscendC {

template <typename T>
class TensorDesc {
 public:
  /* GetDesc of a list writes the dimensions there. Without it they are read from the list. */
  void SetShapeAddr(uint64_t* shapePtr) { shape_ = shapePtr; }
  uint64_t GetDim() { return dims_; }
  uint64_t GetIndex() { return index_; }
  ACLSIM_API uint64_t GetShape(uint32_t offset) {
    if (dims_ == 0)
      aclsimViolation("TensorDesc::GetShape: the tensor has no dimensions", 0, 0, ACLSIM_SITE);
    if (offset >= dims_)
      aclsimViolation("TensorDesc::GetShape: offset", offset, dims_ - 1, ACLSIM_SITE);
    return shape_[offset];
  }
  __gm__ T* GetDataPtr() { return data_; }
  GlobalTensor<T> GetDataObj() {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_);
    return tensor;
  }

 private:
  friend class ListTensorDesc;
  uint64_t* shape_ = nullptr;
  uint64_t dims_ = 0;
  uint64_t index_ = 0;
  __gm__ T* data_ = nullptr;
};

class ListTensorDesc {
 public:
  ListTensorDesc() {}
  ACLSIM_API ListTensorDesc(__gm__ void* data, uint32_t length = 0xffffffff,
                            uint32_t shapeSize = 0xffffffff) {
    begin(data, length, shapeSize, ACLSIM_SITE);
  }
  /* `length` in bytes and `shapeSize`, the number of tensors, are checked if they are given. */
  ACLSIM_API void Init(__gm__ void* data, uint32_t length = 0xffffffff,
                       uint32_t shapeSize = 0xffffffff) {
    begin(data, length, shapeSize, ACLSIM_SITE);
  }
  template <class T>
  ACLSIM_API void GetDesc(TensorDesc<T>& desc, uint32_t index) {
    require(index, ACLSIM_SITE);
    uint64_t* at = words_ + 1;
    for (uint32_t i = 0; i < index; ++i) at += 1 + dims_of(*at);
    desc.dims_ = dims_of(*at);
    desc.index_ = *at >> 32;
    if (desc.shape_ == nullptr) {
      desc.shape_ = at + 1;
    } else {
      for (uint64_t i = 0; i < desc.dims_; ++i) desc.shape_[i] = at[1 + i];
    }
    desc.data_ = address<T>(index);
  }
  template <class T>
  ACLSIM_API __gm__ T* GetDataPtr(uint32_t index) {
    require(index, ACLSIM_SITE);
    return address<T>(index);
  }
  uint32_t GetSize() { return size_; }

 private:
  static uint64_t dims_of(uint64_t word) { return word & 0xffffffffU; }
  void begin(void* data, uint32_t length, uint32_t tensors, const void* site) {
    words_ = static_cast<uint64_t*>(data);
    size_ = 0;
    if (words_ == nullptr) aclsimViolation("ListTensorDesc: data is null", 0, 0, site);
    const uint64_t addresses = words_[0] / sizeof(uint64_t);
    uint64_t at = 1;
    for (; at < addresses; at += 1 + dims_of(words_[at])) ++size_;
    if (at != addresses || words_[0] % sizeof(uint64_t) != 0) {
      aclsimViolation(
          "ListTensorDesc: data is no list of tensors: its first word is not the offset of the "
          "addresses",
          0, 0, site);
    }
    if (length != 0xffffffff && (addresses + size_) * sizeof(uint64_t) > length) {
      aclsimViolation("ListTensorDesc: the list is longer than length", 0, 0, site);
    }
    if (tensors != 0xffffffff && tensors != size_) {
      aclsimViolation("ListTensorDesc: the list does not have shapeSize tensors", 0, 0, site);
    }
  }
  void require(uint32_t index, const void* site) const {
    if (size_ == 0) aclsimViolation("ListTensorDesc: the list has no tensors", 0, 0, site);
    if (index >= size_) aclsimViolation("ListTensorDesc: index", index, size_ - 1, site);
  }
  template <class T>
  __gm__ T* address(uint32_t index) const {
    return reinterpret_cast<T*>(words_[words_[0] / sizeof(uint64_t) + index]);
  }
  uint64_t* words_ = nullptr;
  uint32_t size_ = 0;
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_TENSOR_LIST_H_ */
