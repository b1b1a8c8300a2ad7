// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/json_writer.h"

#include <utility>

#include "runtime/trace/json_text.h"

namespace order {

// The separator before a member or an element.
void JsonWriter::next() {
  if (std::exchange(after_key_, false)) return;
  if (!std::exchange(first_, false)) out_ += ',';
  if (closing_.empty()) return;
  out_ += '\n';
  out_.append(2 * closing_.size(), ' ');
}

JsonWriter& JsonWriter::raw(std::string_view text) {
  next();
  out_ += text;
  return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
  raw({&bracket, 1});
  closing_ += bracket == '{' ? '}' : ']';
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close() {
  const char bracket = closing_.back();
  closing_.pop_back();
  if (!std::exchange(first_, false)) {
    out_ += '\n';
    out_.append(2 * closing_.size(), ' ');
  }
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  value(name);
  out_ += ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  next();
  out_ += '"';
  acl::trace_output::append_json_text(out_, text);
  out_ += '"';
  return *this;
}

JsonWriter& JsonWriter::value(bool yes) { return raw(yes ? "true" : "false"); }

std::string JsonWriter::take() {
  out_ += '\n';
  first_ = true;
  return std::exchange(out_, {});
}

}  // namespace order
