/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in interfaces of frameworks. C++11.
 */
#ifndef GRAPH_ASCEND_STRING_H_
#define GRAPH_ASCEND_STRING_H_

#include <stddef.h>

#include <string>

namespace ge {

class AscendString {
 public:
  AscendString() {}
  /* Null is no text. */
  explicit AscendString(const char* text) : text_(text != nullptr ? text : "") {}
  AscendString(const char* text, size_t length) : text_(text, length) {}
  const char* GetString() const { return text_.c_str(); }
  size_t GetLength() const { return text_.size(); }
  size_t Find(const AscendString& other) const { return text_.find(other.text_); }
  bool operator<(const AscendString& other) const { return text_ < other.text_; }
  bool operator>(const AscendString& other) const { return text_ > other.text_; }
  bool operator<=(const AscendString& other) const { return text_ <= other.text_; }
  bool operator>=(const AscendString& other) const { return text_ >= other.text_; }
  bool operator==(const AscendString& other) const { return text_ == other.text_; }
  bool operator!=(const AscendString& other) const { return text_ != other.text_; }

 private:
  std::string text_;
};

}  // namespace ge

#endif /* GRAPH_ASCEND_STRING_H_ */
