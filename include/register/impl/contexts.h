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

/* A tensor as these functions see it. It has no data. */
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

 private:
  ge::DataType type_ = ge::DT_UNDEFINED;
  ge::Format format_ = ge::FORMAT_ND;
};
typedef Tensor CompileTimeTensorDesc;

/* Null where there is no attribute with that number. */
class RuntimeAttrs {
 public:
  size_t GetAttrNum() const { return attrs_.size(); }
  const int64_t* GetInt(size_t index) const { return at(index) ? &at(index)->whole : nullptr; }
  const float* GetFloat(size_t index) const { return at(index) ? &at(index)->real : nullptr; }
  const bool* GetBool(size_t index) const { return at(index) ? &at(index)->yes : nullptr; }
  const char* GetStr(size_t index) const { return at(index) ? at(index)->text.c_str() : nullptr; }
  template <typename T>
  const T* GetAttrPointer(size_t index) const {
    return pointer(index, static_cast<T*>(nullptr));
  }
  RuntimeAttrs& aclsim_add(int64_t value) {
    attrs_.push_back({value, static_cast<float>(value), value != 0, std::string()});
    return *this;
  }
  RuntimeAttrs& aclsim_add(float value) {
    attrs_.push_back({static_cast<int64_t>(value), value, value != 0, std::string()});
    return *this;
  }
  RuntimeAttrs& aclsim_add(const std::string& value) {
    attrs_.push_back({0, 0, !value.empty(), value});
    return *this;
  }

 private:
  struct Attribute {
    int64_t whole;
    float real;
    bool yes;
    std::string text;
  };
  const Attribute* at(size_t index) const {
    return index < attrs_.size() ? &attrs_[index] : nullptr;
  }
  const int64_t* pointer(size_t index, const int64_t*) const { return GetInt(index); }
  const float* pointer(size_t index, const float*) const { return GetFloat(index); }
  const bool* pointer(size_t index, const bool*) const { return GetBool(index); }
  const char* pointer(size_t index, const char*) const { return GetStr(index); }
  std::vector<Attribute> attrs_;
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

/* Tensors by index; null if no tensor has the index. */
class ExtendedKernelContext {
 public:
  const char* GetNodeName() const { return "op"; }
  const char* GetNodeType() const { return "op"; }
  size_t GetComputeNodeInputNum() const { return inputs_.size(); }
  size_t GetComputeNodeOutputNum() const { return outputs_.size(); }
  const CompileTimeTensorDesc* GetInputDesc(size_t index) const { return of(inputs_, index); }
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const { return of(outputs_, index); }
  const Tensor* GetInputTensor(size_t index) const { return of(inputs_, index); }
  const RuntimeAttrs* GetAttrs() const { return &attrs_; }

  void aclsim_add_input(const Shape& shape, ge::DataType type, ge::Format format = ge::FORMAT_ND) {
    inputs_.push_back(Tensor(shape, type, format));
  }
  void aclsim_add_output(const Shape& shape, ge::DataType type, ge::Format format = ge::FORMAT_ND) {
    outputs_.push_back(Tensor(shape, type, format));
  }
  RuntimeAttrs& aclsim_attrs() { return attrs_; }

 protected:
  template <typename List>
  static auto of(List& list, size_t index) -> decltype(&list[index]) {
    return index < list.size() ? &list[index] : nullptr;
  }
  std::deque<Tensor> inputs_; /* addresses stay */
  std::deque<Tensor> outputs_;
  RuntimeAttrs attrs_;
};

class TilingContext : public ExtendedKernelContext {
 public:
  const StorageShape* GetInputShape(size_t index) const { return of(inputs_, index); }
  const StorageShape* GetOutputShape(size_t index) const { return of(outputs_, index); }
  /* The emulated chip. */
  fe::PlatFormInfos* GetPlatformInfo() const {
    static fe::PlatFormInfos platform;
    return &platform;
  }
  ge::graphStatus SetBlockDim(uint32_t blocks) {
    blocks_ = blocks;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetBlockDim() const { return blocks_; }
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
  TilingData* GetRawTilingData() { return &tiling_; }
  size_t* GetWorkspaceSizes(size_t count) {
    if (workspaces_.size() < count) workspaces_.resize(count);
    return workspaces_.data();
  }
  size_t GetWorkspaceNum() const { return workspaces_.size(); }

 private:
  uint32_t blocks_ = 1;
  uint64_t key_ = 0;
  uint32_t mode_ = 0;
  TilingData tiling_;
  std::vector<size_t> workspaces_;
};

class InferShapeContext : public ExtendedKernelContext {
 public:
  const Shape* GetInputShape(size_t index) const {
    return of(inputs_, index) ? &of(inputs_, index)->GetStorageShape() : nullptr;
  }
  Shape* GetOutputShape(size_t index) {
    return of(outputs_, index) ? &of(outputs_, index)->MutableStorageShape() : nullptr;
  }
};

class InferDataTypeContext : public ExtendedKernelContext {
 public:
  ge::DataType GetInputDataType(size_t index) const {
    return of(inputs_, index) ? of(inputs_, index)->GetDataType() : ge::DT_UNDEFINED;
  }
  ge::DataType GetOutputDataType(size_t index) const {
    return of(outputs_, index) ? of(outputs_, index)->GetDataType() : ge::DT_UNDEFINED;
  }
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
    if (!of(outputs_, index)) return ge::GRAPH_FAILED;
    of(outputs_, index)->SetDataType(type);
    return ge::GRAPH_SUCCESS;
  }
};

}  // namespace gert

#endif /* REGISTER_IMPL_CONTEXTS_H_ */
