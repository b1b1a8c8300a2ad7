/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiling data on the host: classes with the layout of a structure and a set_ and a get_ function
 * for each field. They are written into a buffer for the kernel. C++11.
 */
#ifndef REGISTER_TILINGDATA_BASE_H_
#define REGISTER_TILINGDATA_BASE_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <string>
#include <utility>
#include <vector>

namespace optiling {

/* The definitions of the structures that are registered, for the kernels: of which operator, and
   the text. npu_op_code_gen reads them, with ACLSIM_DESCRIBES_OPERATORS defined. */
__attribute__((visibility("hidden"))) inline std::vector<std::pair<std::string, std::string>>&
aclsim_tiling_structures() {
  static std::vector<std::pair<std::string, std::string>> all;
  return all;
}

class TilingDef {
 public:
  virtual ~TilingDef() {}

  /* Nothing is written where `capacity` is too small. */
  void SaveToBuffer(void* buffer, size_t capacity) const {
    const size_t size = GetDataSize();
    if (buffer == nullptr || capacity < size) return;
    memcpy(buffer, data_.data(), data_.size());
    memset(static_cast<unsigned char*>(buffer) + data_.size(), 0, size - data_.size());
    for (const Nested& each : nested_) {
      const TilingDef& inner =
          *reinterpret_cast<const TilingDef*>(reinterpret_cast<const char*>(this) + each.member);
      inner.SaveToBuffer(static_cast<unsigned char*>(buffer) + each.at, size - each.at);
    }
  }
  size_t GetDataSize() const { return (data_.size() + align_ - 1) / align_ * align_; }
  const char* GetTilingClassName() const { return name_; }
  void SetDataPtr(void*) {}
#ifdef ACLSIM_DESCRIBES_OPERATORS
  std::string aclsim_text() const {
    return "struct " + std::string(name_) + " {\n" + fields_ + "};\n";
  }
#endif

 protected:
  explicit TilingDef(const char* name) : name_(name) {}

  /* The offset of the next field in bytes. `suffix`: behind its name in a declaration. */
  size_t aclsim_field(size_t size, size_t align, const char* type, const char* name,
                      const char* suffix) {
#ifdef ACLSIM_DESCRIBES_OPERATORS
    fields_ += std::string("  ") + type + " " + name + suffix + ";\n";
#else
    (void)type, (void)name, (void)suffix;
#endif
    const size_t at = (data_.size() + align - 1) / align * align;
    data_.resize(at + size);
    if (align > align_) align_ = align;
    return at;
  }
  size_t aclsim_struct(const TilingDef& member, const char* name) {
    const size_t at = aclsim_field(member.GetDataSize(), member.align_, member.name_, name, "");
    /* Its place in this object, which stays right in copies of it. */
    nested_.push_back(
        {at, reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(this)});
    return at;
  }
  unsigned char* aclsim_at(size_t at) { return data_.data() + at; }
  const unsigned char* aclsim_at(size_t at) const { return data_.data() + at; }

 private:
  struct Nested {
    size_t at;
    ptrdiff_t member;
  };
  const char* name_;
#ifdef ACLSIM_DESCRIBES_OPERATORS
  std::string fields_;
#endif
  std::vector<unsigned char> data_;
  std::vector<Nested> nested_;
  size_t align_ = 1;
};

}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(Class)           \
  class Class : public ::optiling::TilingDef { \
   public:                                     \
    Class() : ::optiling::TilingDef(#Class) {}

#define TILING_DATA_FIELD_DEF(type, name)                                              \
 private:                                                                              \
  size_t name##_at_ = aclsim_field(sizeof(type), alignof(type), #type, #name, "");     \
                                                                                       \
 public:                                                                               \
  void set_##name(type value) { memcpy(aclsim_at(name##_at_), &value, sizeof(type)); } \
  type get_##name() const {                                                            \
    type value;                                                                        \
    memcpy(&value, aclsim_at(name##_at_), sizeof(type));                               \
    return value;                                                                      \
  }

#define TILING_DATA_FIELD_DEF_ARR(type, len, name)                                   \
 private:                                                                            \
  size_t name##_at_ =                                                                \
      aclsim_field(sizeof(type) * (len), alignof(type), #type, #name, "[" #len "]"); \
                                                                                     \
 public:                                                                             \
  void set_##name(const type* values) {                                              \
    memcpy(aclsim_at(name##_at_), values, sizeof(type) * (len));                     \
  }                                                                                  \
  type* get_##name() { return reinterpret_cast<type*>(aclsim_at(name##_at_)); }

#define TILING_DATA_FIELD_DEF_STRUCT(Struct, name) \
 public:                                           \
  Struct name;                                     \
                                                   \
 private:                                          \
  size_t name##_at_ = aclsim_struct(name, #name);  \
                                                   \
 public:                                           \
  const Struct& aclsim_##name() const { return name; }

#define END_TILING_DATA_DEF }

/* The tiling data of an operator. Programs write it with and without a semicolon. */
#ifdef ACLSIM_DESCRIBES_OPERATORS
#define REGISTER_TILING_DATA_CLASS(OpType, Class)                           \
  struct aclsim_tiling_of_##OpType {                                        \
    typedef Class type;                                                     \
  };                                                                        \
  static const int aclsim_tiling_text_of_##OpType __attribute__((unused)) = \
      (::optiling::aclsim_tiling_structures().emplace_back(#OpType, Class().aclsim_text()), 0);
#else
#define REGISTER_TILING_DATA_CLASS(OpType, Class) \
  struct aclsim_tiling_of_##OpType {              \
    typedef Class type;                           \
  };
#endif

#endif /* REGISTER_TILINGDATA_BASE_H_ */
