/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contexts of an operator's host functions: shapes, types and attributes as input, and space
 * for their results. Frameworks fill them in; here a test does so with the functions that begin
 * with aclsim_. C++11.
 */
#ifndef REGISTER_IMPL_CONTEXTS_H_
#define REGISTER_IMPL_CONTEXTS_H_

#include <stddef.h>
#include <stdint.h>

#include <deque>
#include <initializer_list>
#include <string>
#include <vector>

#include "graph/types.h"
#include "platform/platform_info.h"

namespace gert {

class Shape {
 public:
  Shape() {}
  Shape(std::initializer_list<int64_t> dims) : dims_(dims) {}
  size_t GetDimNum() const { return dims_.size(); }
  void SetDimNum(size_t count) { dims_.resize(count); }
  int64_t GetDim(size_t index) const { return index < dims_.size() ? dims_[index] : 0; }
  void SetDim(size_t index, int64_t value) {
    if (index < dims_.size()) dims_[index] = value;
  }
  Shape& AppendDim(int64_t value) {
    dims_.push_back(value);
    return *this;
  }
  void SetScalar() { dims_.clear(); }
  bool IsScalar() const { return dims_.empty(); }
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < dims_.size(); ++i) size *= dims_[i];
    return size;
  }
  const int64_t& operator[](size_t index) const { return dims_[index]; }
  int64_t& operator[](size_t index) { return dims_[index]; }
  bool operator==(const Shape& other) const { return dims_ == other.dims_; }
  bool operator!=(const Shape& other) const { return dims_ != other.dims_; }

 private:
  std::vector<int64_t> dims_;
};

class StorageShape {
 public:
  StorageShape() {}
  explicit StorageShape(const Shape& shape) : origin_(shape), storage_(shape) {}
  const Shape& GetOriginShape() const { return origin_; }
  const Shape& GetStorageShape() const { return storage_; }
  Shape& MutableOriginShape() { return origin_; }
  Shape& MutableStorageShape() { return storage_; }

 private:
  Shape origin_;
  Shape storage_;
};

/* A tensor as these functions see it. It has data only if they are on the host. */
class Tensor : public StorageShape {
 public:
  Tensor() {}
  Tensor(const Shape& shape, ge::DataType type, ge::Format format)
      : StorageShape(shape), type_(type), format_(format) {}
  const StorageShape& GetShape() const { return *this; }
  int64_t GetShapeSize() const { return GetStorageShape().GetShapeSize(); }
  ge::DataType GetDataType() const { return type_; }
  void SetDataType(ge::DataType type) { type_ = type; }
  ge::Format GetOriginFormat() const { return format_; }
  ge::Format GetStorageFormat() const { return format_; }
  /* Null if the values are not known on the host. */
  const void* GetAddr() const { return data_; }
  template <typename T>
  const T* GetData() const {
    return static_cast<const T*>(data_);
  }
  void aclsim_set_data(const void* data) { data_ = data; }

 private:
  ge::DataType type_ = ge::DT_UNDEFINED;
  ge::Format format_ = ge::FORMAT_ND;
  const void* data_ = nullptr;
};
typedef Tensor CompileTimeTensorDesc;

/* The elements of an attribute that is a list. */
class ContinuousVector {
 public:
  ContinuousVector() {}
  ContinuousVector(const void* data, size_t size) : data_(data), size_(size) {}
  size_t GetSize() const { return size_; }
  const void* GetData() const { return data_; }

 private:
  const void* data_ = nullptr;
  size_t size_ = 0;
};
template <typename T>
class TypedContinuousVector : public ContinuousVector {
 public:
  TypedContinuousVector() {}
  TypedContinuousVector(const T* data, size_t size) : ContinuousVector(data, size) {}
  const T* GetData() const { return static_cast<const T*>(ContinuousVector::GetData()); }
};
class ContinuousVectorVector {
 public:
  size_t GetSize() const { return lists_.size(); }
  const ContinuousVector* Get(size_t index) const {
    return index < lists_.size() ? &lists_[index] : nullptr;
  }
  void aclsim_add(const ContinuousVector& list) { lists_.push_back(list); }

 private:
  std::vector<ContinuousVector> lists_;
};

/* Null where there is no attribute with that number. Lists belong to the caller of aclsim_add. */
class RuntimeAttrs {
 public:
  size_t GetAttrNum() const { return attrs_.size(); }
  const int64_t* GetInt(size_t index) const { return at(index) ? &at(index)->whole : nullptr; }
  const float* GetFloat(size_t index) const { return at(index) ? &at(index)->real : nullptr; }
  const bool* GetBool(size_t index) const { return at(index) ? &at(index)->yes : nullptr; }
  const char* GetStr(size_t index) const { return at(index) ? at(index)->text.c_str() : nullptr; }
  const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
    return at(index) ? &at(index)->ints : nullptr;
  }
  const TypedContinuousVector<float>* GetListFloat(size_t index) const {
    return at(index) ? &at(index)->floats : nullptr;
  }
  const ContinuousVectorVector* GetListListInt(size_t index) const {
    return at(index) ? &at(index)->lists : nullptr;
  }
  template <typename T>
  const T* GetAttrPointer(size_t index) const {
    return pointer(index, static_cast<T*>(nullptr));
  }
  RuntimeAttrs& aclsim_add(int64_t value) { return add(value, static_cast<float>(value)); }
  RuntimeAttrs& aclsim_add(float value) { return add(static_cast<int64_t>(value), value); }
  RuntimeAttrs& aclsim_add(const std::string& value) {
    add(0, 0).attrs_.back().text = value;
    return *this;
  }
  RuntimeAttrs& aclsim_add(const int64_t* values, size_t count) {
    add(0, 0).attrs_.back().ints = TypedContinuousVector<int64_t>(values, count);
    attrs_.back().list = attrs_.back().ints;
    return *this;
  }
  RuntimeAttrs& aclsim_add(const float* values, size_t count) {
    add(0, 0).attrs_.back().floats = TypedContinuousVector<float>(values, count);
    attrs_.back().list = attrs_.back().floats;
    return *this;
  }
  RuntimeAttrs& aclsim_add(const bool* values, size_t count) {
    add(0, 0).attrs_.back().list = ContinuousVector(values, count);
    return *this;
  }
  RuntimeAttrs& aclsim_add(const ContinuousVectorVector& lists) {
    add(0, 0).attrs_.back().lists = lists;
    return *this;
  }

 private:
  struct Attribute {
    int64_t whole = 0;
    int32_t narrow = 0; /* the same, for programs that read an int */
    float real = 0;
    bool yes = false;
    std::string text{};
    TypedContinuousVector<int64_t> ints{};
    TypedContinuousVector<float> floats{};
    ContinuousVector list{};
    ContinuousVectorVector lists{};
  };
  RuntimeAttrs& add(int64_t whole, float real) {
    Attribute made;
    made.whole = whole;
    made.narrow = static_cast<int32_t>(whole);
    made.real = real;
    made.yes = real != 0;
    attrs_.push_back(made);
    return *this;
  }
  const Attribute* at(size_t index) const {
    return index < attrs_.size() ? &attrs_[index] : nullptr;
  }
  const int64_t* pointer(size_t index, const int64_t*) const { return GetInt(index); }
  const int32_t* pointer(size_t index, const int32_t*) const {
    return at(index) ? &at(index)->narrow : nullptr;
  }
  const uint32_t* pointer(size_t index, const uint32_t*) const {
    return reinterpret_cast<const uint32_t*>(pointer(index, static_cast<int32_t*>(nullptr)));
  }
  const float* pointer(size_t index, const float*) const { return GetFloat(index); }
  const bool* pointer(size_t index, const bool*) const { return GetBool(index); }
  const char* pointer(size_t index, const char*) const { return GetStr(index); }
  const ContinuousVector* pointer(size_t index, const ContinuousVector*) const {
    return at(index) ? &at(index)->list : nullptr;
  }
  const ContinuousVectorVector* pointer(size_t index, const ContinuousVectorVector*) const {
    return GetListListInt(index);
  }
  std::deque<Attribute> attrs_; /* addresses stay */
};

/* The buffer into which a tiling function writes the kernel's tiling data. */
class TilingData {
 public:
  void* GetData() { return bytes_; }
  const void* GetData() const { return bytes_; }
  size_t GetCapacity() const { return sizeof bytes_; }
  void SetDataSize(size_t size) { size_ = size; }
  size_t GetDataSize() const { return size_; }

 private:
  alignas(8) unsigned char bytes_[16 * 1024] = {};
  size_t size_ = 0;
};

/*
 * Tensors by index; null if no tensor has the index. An input of the description may be no tensor
 * (an optional one), one, or several (a dynamic one): functions with Optional,
 * Required or Dynamic in their names count the inputs of the description, the others count tensors.
 */
class ExtendedKernelContext {
 public:
  const char* GetNodeName() const { return type_.c_str(); }
  const char* GetNodeType() const { return type_.c_str(); }
  size_t GetComputeNodeInputNum() const { return inputs_.all.size(); }
  size_t GetComputeNodeOutputNum() const { return outputs_.all.size(); }
  const CompileTimeTensorDesc* GetInputDesc(size_t index) const { return inputs_.at(index); }
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const { return outputs_.at(index); }
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t index) const {
    return inputs_.of(index, 0);
  }
  const CompileTimeTensorDesc* GetOptionalInputDesc(size_t index) const {
    return inputs_.of(index, 0);
  }
  const CompileTimeTensorDesc* GetDynamicInputDesc(size_t index, size_t member) const {
    return inputs_.of(index, member);
  }
  const Tensor* GetInputTensor(size_t index) const { return inputs_.at(index); }
  const Tensor* GetRequiredInputTensor(size_t index) const { return inputs_.of(index, 0); }
  const Tensor* GetOptionalInputTensor(size_t index) const { return inputs_.of(index, 0); }
  const Tensor* GetDynamicInputTensor(size_t index, size_t member) const {
    return inputs_.of(index, member);
  }
  const RuntimeAttrs* GetAttrs() const { return &attrs_; }

  void aclsim_set_type(const char* type) { type_ = type; }
  void aclsim_add_input(const Shape& shape, ge::DataType type, ge::Format format = ge::FORMAT_ND) {
    aclsim_begin_input();
    aclsim_add_member(Tensor(shape, type, format));
  }
  void aclsim_add_output(const Shape& shape, ge::DataType type, ge::Format format = ge::FORMAT_ND) {
    aclsim_begin_output();
    aclsim_add_output_member(Tensor(shape, type, format));
  }
  /* An input or output without a tensor so far: an optional one that is absent, or a dynamic one.
   */
  void aclsim_begin_input() { inputs_.begin(); }
  void aclsim_add_member(const Tensor& tensor) { inputs_.all.push_back(tensor); }
  void aclsim_begin_output() { outputs_.begin(); }
  void aclsim_add_output_member(const Tensor& tensor) { outputs_.all.push_back(tensor); }
  RuntimeAttrs& aclsim_attrs() { return attrs_; }

 protected:
  struct Operands {
    std::deque<Tensor> all; /* addresses stay */
    std::vector<size_t> first;

    void begin() { first.push_back(all.size()); }
    const Tensor* at(size_t index) const { return index < all.size() ? &all[index] : nullptr; }
    Tensor* at(size_t index) { return index < all.size() ? &all[index] : nullptr; }
    const Tensor* of(size_t index, size_t member) const {
      if (index >= first.size()) return nullptr;
      const size_t end = index + 1 < first.size() ? first[index + 1] : all.size();
      return first[index] + member < end ? &all[first[index] + member] : nullptr;
    }
  };
  Operands inputs_;
  Operands outputs_;
  RuntimeAttrs attrs_;
  std::string type_ = "op";
};

class TilingContext : public ExtendedKernelContext {
 public:
  const StorageShape* GetInputShape(size_t index) const { return inputs_.at(index); }
  const StorageShape* GetOutputShape(size_t index) const { return outputs_.at(index); }
  const StorageShape* GetRequiredInputShape(size_t index) const { return inputs_.of(index, 0); }
  const StorageShape* GetOptionalInputShape(size_t index) const { return inputs_.of(index, 0); }
  const StorageShape* GetDynamicInputShape(size_t index, size_t member) const {
    return inputs_.of(index, member);
  }
  /* The emulated chip. */
  fe::PlatFormInfos* GetPlatformInfo() const {
    static fe::PlatFormInfos platform;
    return &platform;
  }
  /* Results are computed in one order here. */
  int32_t GetDeterministic() const { return 1; }
  ge::graphStatus SetBlockDim(uint32_t blocks) {
    blocks_ = blocks;
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
  uint32_t GetBlockDim() const { return blocks_; }
  uint32_t GetSimdNumBlocks() const { return blocks_; }
  ge::graphStatus SetTilingKey(uint64_t key) {
    key_ = key;
    return ge::GRAPH_SUCCESS;
  }
  uint64_t GetTilingKey() const { return key_; }
  ge::graphStatus SetScheduleMode(uint32_t mode) {
    mode_ = mode;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetScheduleMode() const { return mode_; }
  /* Bytes of the unified buffer that the launch requests. */
  ge::graphStatus SetLocalMemorySize(uint32_t bytes) {
    local_bytes_ = bytes;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetLocalMemorySize() const { return local_bytes_; }
  /* Outputs get their first values (InitValue) before the kernel runs. */
  ge::graphStatus SetNeedAtomic(bool value) {
    needs_atomic_ = value;
    return ge::GRAPH_SUCCESS;
  }
  bool NeedAtomic() const { return needs_atomic_; }
  ge::graphStatus SetTilingCond(int32_t) { return ge::GRAPH_SUCCESS; }
  TilingData* GetRawTilingData() { return &tiling_; }
  /* The tiling data as a T, which then is their size; null if they have no room for it. */
  template <typename T>
  T* GetTilingData() {
    if (sizeof(T) > tiling_.GetCapacity()) return nullptr;
    tiling_.SetDataSize(sizeof(T));
    return static_cast<T*>(tiling_.GetData());
  }
  size_t* GetWorkspaceSizes(size_t count) {
    if (workspaces_.size() < count) workspaces_.resize(count);
    return workspaces_.data();
  }
  size_t GetWorkspaceNum() const { return workspaces_.size(); }

 private:
  uint32_t blocks_ = 1;
  uint64_t key_ = 0;
  uint32_t mode_ = 0;
  uint32_t local_bytes_ = 0;
  bool needs_atomic_ = false;
  TilingData tiling_;
  std::vector<size_t> workspaces_;
};

class InferShapeContext : public ExtendedKernelContext {
 public:
  const Shape* GetInputShape(size_t index) const {
    return inputs_.at(index) ? &inputs_.at(index)->GetStorageShape() : nullptr;
  }
  Shape* GetOutputShape(size_t index) {
    return outputs_.at(index) ? &outputs_.at(index)->MutableStorageShape() : nullptr;
  }
};

class InferDataTypeContext : public ExtendedKernelContext {
 public:
  ge::DataType GetInputDataType(size_t index) const {
    return inputs_.at(index) ? inputs_.at(index)->GetDataType() : ge::DT_UNDEFINED;
  }
  ge::DataType GetOutputDataType(size_t index) const {
    return outputs_.at(index) ? outputs_.at(index)->GetDataType() : ge::DT_UNDEFINED;
  }
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
    if (!outputs_.at(index)) return ge::GRAPH_FAILED;
    outputs_.at(index)->SetDataType(type);
    return ge::GRAPH_SUCCESS;
  }
};

}  // namespace gert

#endif /* REGISTER_IMPL_CONTEXTS_H_ */
