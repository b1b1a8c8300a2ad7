/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An operator of a graph, as plugins of model parsers see it: its name, its type and its
 * attributes. There are no graphs here; a test may fill one in. C++11.
 */
#ifndef GRAPH_OPERATOR_H_
#define GRAPH_OPERATOR_H_

#include <stdint.h>

#include <map>
#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ge {

using std::string;
using std::vector;

class Operator {
 public:
  Operator() {}
  explicit Operator(const char* type) : type_(type) {}
  Operator(const char* name, const char* type) : name_(name), type_(type) {}

  graphStatus GetName(AscendString& name) const {
    name = AscendString(name_.c_str());
    return GRAPH_SUCCESS;
  }
  graphStatus GetOpType(AscendString& type) const {
    type = AscendString(type_.c_str());
    return GRAPH_SUCCESS;
  }

  Operator& SetAttr(const char* name, bool value) { return set(name, kBool, value ? 1 : 0, 0); }
  Operator& SetAttr(const char* name, int32_t value) { return set(name, kInt, value, 0); }
  Operator& SetAttr(const char* name, int64_t value) { return set(name, kInt, value, 0); }
  Operator& SetAttr(const char* name, float value) {
    return set(name, kFloat, 0, static_cast<double>(value));
  }
  Operator& SetAttr(const char* name, const AscendString& value) {
    set(name, kText, 0, 0).attrs_[name].text = value.GetString();
    return *this;
  }
  Operator& SetAttr(const char* name, const char* value) {
    return SetAttr(name, AscendString(value));
  }
  Operator& SetAttr(const char* name, const std::vector<int64_t>& values) {
    set(name, kInts, 0, 0).attrs_[name].ints = values;
    return *this;
  }
  Operator& SetAttr(const char* name, const std::vector<float>& values) {
    set(name, kFloats, 0, 0).attrs_[name].floats = values;
    return *this;
  }

  /* GRAPH_FAILED, and `value` is unchanged, without an attribute of this name and type. */
  graphStatus GetAttr(const char* name, bool& value) const {
    const Attribute* const found = find(name, kBool);
    if (found == nullptr) return GRAPH_FAILED;
    value = found->whole != 0;
    return GRAPH_SUCCESS;
  }
  graphStatus GetAttr(const char* name, int32_t& value) const { return whole(name, value); }
  graphStatus GetAttr(const char* name, int64_t& value) const { return whole(name, value); }
  graphStatus GetAttr(const char* name, float& value) const {
    const Attribute* const found = find(name, kFloat);
    if (found == nullptr) return GRAPH_FAILED;
    value = static_cast<float>(found->real);
    return GRAPH_SUCCESS;
  }
  graphStatus GetAttr(const char* name, AscendString& value) const {
    const Attribute* const found = find(name, kText);
    if (found == nullptr) return GRAPH_FAILED;
    value = AscendString(found->text.c_str());
    return GRAPH_SUCCESS;
  }
  graphStatus GetAttr(const char* name, std::vector<int64_t>& values) const {
    const Attribute* const found = find(name, kInts);
    if (found == nullptr) return GRAPH_FAILED;
    values = found->ints;
    return GRAPH_SUCCESS;
  }
  graphStatus GetAttr(const char* name, std::vector<float>& values) const {
    const Attribute* const found = find(name, kFloats);
    if (found == nullptr) return GRAPH_FAILED;
    values = found->floats;
    return GRAPH_SUCCESS;
  }

 private:
  enum Kind { kBool, kInt, kFloat, kText, kInts, kFloats };
  struct Attribute {
    Kind kind = kInt;
    int64_t whole = 0;
    double real = 0;
    std::string text{};
    std::vector<int64_t> ints{};
    std::vector<float> floats{};
  };
  Operator& set(const char* name, Kind kind, int64_t whole, double real) {
    Attribute& made = attrs_[name];
    made = Attribute();
    made.kind = kind;
    made.whole = whole;
    made.real = real;
    return *this;
  }
  const Attribute* find(const char* name, Kind kind) const {
    const std::map<std::string, Attribute>::const_iterator found = attrs_.find(name);
    return found != attrs_.end() && found->second.kind == kind ? &found->second : nullptr;
  }
  template <typename T>
  graphStatus whole(const char* name, T& value) const {
    const Attribute* const found = find(name, kInt);
    if (found == nullptr) return GRAPH_FAILED;
    value = static_cast<T>(found->whole);
    return GRAPH_SUCCESS;
  }

  std::string name_;
  std::string type_;
  std::map<std::string, Attribute> attrs_;
};

}  // namespace ge

#endif /* GRAPH_OPERATOR_H_ */
