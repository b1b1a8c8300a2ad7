// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the order checker: an engine, and short functions for reports to it.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/order/engine/engine.h"

namespace ordertest {

using order::Access;
using order::Actor;
using order::CompletionId;
using order::Node;
using order::OpInfo;
using order::Rule;
using order::Variable;

/// Bytes by letter: 'a' is 0x1000 to 0x10ff, 'b' the next 256 and so on. Capitals are host memory.
inline Access bytes(char letter, bool write) {
  const bool host = letter >= 'A' && letter <= 'Z';
  const auto index = static_cast<std::uintptr_t>(letter - (host ? 'A' : 'a'));
  return {(host ? 0x10000U : 0x1000U) + index * 0x100, 0x100, write, host};
}

struct World {
  std::vector<order::Finding> found;
  order::Engine engine{[this](order::Finding&& finding) { found.push_back(std::move(finding)); }};
  Actor host = engine.add_host();  // who does everything, unless a test says otherwise

  Actor stream() { return engine.add_stream(); }
  OpInfo op_info(const char* what, Actor stream) const {
    OpInfo made;
    made.what = what;
    made.site = reinterpret_cast<std::uintptr_t>(what);
    made.stream = stream;
    made.thread = host;
    made.device = 0;
    return made;
  }
  /// An op by name. `reads` and `writes` are letters of bytes().
  void op(Actor stream, const char* what, const std::string& reads, const std::string& writes) {
    engine.op(stream, host, op_info(what, stream), list(reads, writes));
  }
  void read(Actor stream, const char* what, const std::string& letters) {
    op(stream, what, letters, "");
  }
  void write(Actor stream, const char* what, const std::string& letters) {
    op(stream, what, "", letters);
  }
  std::shared_ptr<Node> record(Actor stream) {
    auto node = std::make_shared<Node>();
    engine.record(stream, host, op_info("record", stream), *node, node);
    return node;
  }
  void wait(Actor stream, const std::shared_ptr<Node>& node) {
    engine.wait(stream, host, op_info("wait", stream), *node, node);
  }
  bool synchronize(Actor stream) {
    return engine.synchronized(host, stream, engine.issued(stream));
  }
  void host_read(const char* what, const std::string& letters) {
    engine.host_access(host, op_info(what, OpInfo::kNoStream), list(letters, ""));
  }
  void host_write(const char* what, const std::string& letters) {
    engine.host_access(host, op_info(what, OpInfo::kNoStream), list("", letters));
  }
  void free(char letter) {
    engine.free(host, op_info("free", OpInfo::kNoStream), bytes(letter, true));
  }
  CompletionId callback(Actor stream, bool blocking) {
    return engine.call(stream, host, op_info("callback", stream), blocking);
  }
  CompletionId set(Actor stream, const std::shared_ptr<Variable>& variable, std::uint64_t value) {
    return engine.change(
        stream, host, op_info("set", stream), variable, [value](std::uint64_t) { return value; },
        false);
  }
  CompletionId wait_until(Actor stream, const std::shared_ptr<Variable>& variable,
                          std::uint64_t least, bool clears = false) {
    return engine.wait_for(
        stream, host, op_info("wait_for", stream), variable,
        [least](std::uint64_t value) { return value >= least; }, clears);
  }

  /// The findings since the last call, without redundant waits: "ACL007 earlier later".
  std::string findings() {
    std::string text;
    for (const order::Finding& finding : std::exchange(found, {})) {
      if (finding.rule == Rule::redundant_wait) continue;
      if (!text.empty()) text += ", ";
      text += order::info(finding.rule).id;
      if (finding.other) text += std::string(" ") + finding.other->what;
      text += std::string(" ") + finding.op_info.what;
    }
    return text;
  }

 private:
  static std::vector<Access> list(const std::string& reads, const std::string& writes) {
    std::vector<Access> all;
    for (const char letter : reads) all.push_back(bytes(letter, false));
    for (const char letter : writes) all.push_back(bytes(letter, true));
    return all;
  }
};

}  // namespace ordertest
