// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/op_texts.h"

#include <string_view>
#include <utility>

#include "device_sim/streams/program.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/task.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/compute/reduce.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/external_event.h"
#include "runtime/acl/kernel/given.h"
#include "runtime/acl/memory/value_word.h"
#include "runtime/acl/record/member_text.h"
#include "runtime/acl/record/recorded_device.h"
#include "runtime/acl/record/shared.h"
#include "runtime/acl/watch/next_kernel.h"

namespace acl {
namespace {

using sim::OpKind;
using What = TaskFacts::What;

void append_event(std::string& out, const char* word, std::uint64_t event,
                  std::uint64_t generation) {
  print(out, R"({},"ev":{},"gen":{})", word, event, generation);
}

/// Null for a comparison that the format has no word for.
const char* compare_word(sim::WordTest::Is is) {
  switch (is) {
    case sim::WordTest::Is::equal:
      return "eq";
    case sim::WordTest::Is::not_before:
    case sim::WordTest::Is::greater_equal:
      return "geq";
    case sim::WordTest::Is::has_a_bit:
      return "and";
    case sim::WordTest::Is::lacks_a_bit:
      return "nor";
    default:
      return nullptr;
  }
}

/// The number of notifies that a wait for a counter takes; 0 for other waits.
std::uint64_t count_of(const sim::WordTest& test) {
  if (!test.clear) return 0;
  switch (test.is) {
    case sim::WordTest::Is::equal:
    case sim::WordTest::Is::greater_equal:
      return test.value;
    case sim::WordTest::Is::greater:
      return test.value + 1;
    default:
      return 0;
  }
}

void append_reduction(std::string& out, std::span<const sim::MemoryRange> ranges) {
  for (const sim::MemoryRange& range : ranges) {
    if (range.merge != 0) append_text(out, "kind", reduction_name(range.merge));
  }
}

std::uint64_t count_of(const sim::WordChangeOp& change) {
  const bool gives = change.how == sim::WordChange::add_32 || change.how == sim::WordChange::set;
  return gives ? change.value : 0;
}

}  // namespace

// ---- ops ----

void OpTexts::append(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  switch (op.kind) {
    case OpKind::copy: {
      const sim::MemoryRange ranges[] = {{op.copy.src, op.copy.size, false},
                                         {op.copy.dst, op.copy.size, true}};
      print(out, R"(memcpy,"bytes":{},"src":{},"dst":{})", op.copy.size,
            recorded_device(runtime_, op.copy.src_device),
            recorded_device(runtime_, op.copy.dst_device));
      return ranges_.append(out, ranges);
    }
    case OpKind::fill: {
      const sim::MemoryRange range{op.fill.dst, op.fill.size, true};
      print(out, R"(memset,"bytes":{},"dst":{})", op.fill.size,
            recorded_device(runtime_, op.fill.device));
      return ranges_.append(out, {&range, 1});
    }
    case OpKind::kernel:
      return append_kernel(out, op);
    case OpKind::host_call:
      print(out, R"(callback,"blocks":{})", op.host_call.blocking);
      // No thread of the program serves the lane.
      if (op.host_call.lane->server() == 0) append_text(out, "n", "host function");
      return;
    case OpKind::record:
      return append_record(out, op, facts);
    case OpKind::wait:
      return append_wait(out, op, facts);
    case OpKind::reset: {
      const RecordedEvents::Flag& flag = events_.flag_of(*op.reset.signal);
      return append_event(out, "ereset", flag.event, flag.generation);
    }
    case OpKind::word_wait:
    case OpKind::word_change:
      return append_word(out, op, facts);
    case OpKind::task:
      if (facts.what == What::event_reset)
        return append_event(out, "ereset", facts.id, facts.generation);
      return append_simple_task(out, op);
    case OpKind::control:
      out += sim::only_leads(op) ? "delay" : "kernel";
      append_text(out, "n", op.control.control->name());
      if (!sim::only_leads(op)) {
        std::vector<sim::MemoryRange> ranges;
        op.control.control->append_ranges(ranges);
        ranges_.append(out, ranges);
      }
      return;
  }
}

void OpTexts::enqueued(const TaskFacts& facts, std::uint64_t number) {
  if (facts.what == What::pool_free) pool_frees_[facts.id] = number;
}

void OpTexts::begun(const sim::Op& op, std::uint64_t number) {
  if (op.kind == OpKind::word_change) changes_[op.word_change.word->id()] = number;
}

void OpTexts::append_kernel(std::string& out, const sim::Op& op) {
  out += "kernel";
  append_text(out, "n", op.kernel.name ? op.kernel.name : "kernel");
  if (const auto* const subject = sim::subject_of(op)) out += subject->details();
  if (!watch::next_kernel().ranges.empty()) {
    return ranges_.append(out, std::exchange(watch::next_kernel().ranges, {}));
  }
  // A kernel that declares nothing has only the ranges of its arguments.
  const bool declares = !declares_nothing(op) || is_observed(op);
  if (op.has_blob && declares)
    ranges_.append(out, {op.kernel.blob->ranges(), op.kernel.blob->range_count});
  if (declares_nothing(op) && is_observed(op)) kernels_.append_given(out, op);
}

void OpTexts::append_simple_task(std::string& out, const sim::Op& op) {
  const sim::Task& task = *op.task.task;
  if (const auto* const write = dynamic_cast<const ValueWrite*>(&task)) {
    print(out, R"(vwrite,"addr":{},"val":{})", ranges_.word_address(write->address()),
          write->value());
    const sim::MemoryRange range{write->address(), sizeof(std::uint64_t), true};
    return ranges_.append(out, {&range, 1});
  }
  if (const auto* const record = dynamic_cast<const ExternalRecord*>(&task)) {
    const TaskFacts facts = record->facts();
    return append_event(out, "record", facts.id, facts.generation);
  }
  const std::string_view name = task.name();
  if (std::string_view(task.type()) != name) {  // an annotation: the program chose its name
    out += "mark";
    return append_text(out, "text", name);
  }
  std::vector<sim::MemoryRange> ranges;
  task.append_ranges(ranges);
  if (name.starts_with("MEMCPY") || name == "REDUCE") {
    out += name == "REDUCE" ? "reduce" : "memcpy";
    append_text(out, "n", name);
    append_reduction(out, ranges);
    return ranges_.append_copy(out, ranges, task.bytes());
  }
  const bool fill = name.starts_with("MEMSET");
  out += fill ? "memset" : "kernel";
  append_text(out, "n", name);
  if (fill) print(out, R"(,"bytes":{})", task.bytes());
  ranges_.append(out, ranges);
}

// ---- events ----

void OpTexts::append_record(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  if (facts.what == What::pool_free) return append_pool_free(out, facts);
  if (facts.what == What::event && facts.generation != 0) {
    return append_event(out, "record", facts.id, facts.generation);
  }
  RecordedEvents::Flag& flag = events_.flag_of(*op.record.signal);
  append_event(out, "record", flag.event, ++flag.generation);
}

void OpTexts::append_wait(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  if (facts.what == What::pool_wait) {
    out += R"(delay,"n":"MEM_POOL_WAIT")";
    const auto freed = pool_frees_.find(facts.id);
    if (freed != pool_frees_.end()) print(out, R"(,"dep":[{}])", freed->second);
    return;
  }
  if (facts.what == What::event && facts.generation != 0) {
    return append_event(out, "wait", facts.id, facts.generation);
  }
  // The record of a flag is known at the end of the wait.
  print(out, R"(wait,"ev":{})", events_.flag_of(*op.wait.signal).event);
}

void OpTexts::append_pool_free(std::string& out, const TaskFacts& facts) {
  const auto gone = buffers_.end(reinterpret_cast<const void*>(facts.id));
  if (gone.empty()) {
    out += R"(mark,"text":"MEM_POOL_FREE")";
    return;
  }
  print(out, R"(free,"buf":{},"size":{},"ordered":true)", gone[0].buffer, gone[0].size);
}

// ---- notifies, counters, values ----

void OpTexts::append_word(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  const bool waits = op.kind == OpKind::word_wait;
  const sim::Word& word = waits ? *op.word_wait.word : *op.word_change.word;
  const std::string_view name = waits ? op.word_wait.name : op.word_change.name;
  if (facts.what == What::event) {  // an IPC event
    append_event(out, waits ? "wait" : "record", facts.id, facts.generation);
    out += kShared;
    return;
  }
  if (name.starts_with("NOTIFY")) {
    print(out, R"({},"nid":{})", waits ? "nwait" : "notify", word.id());
    if (word.watched()) out += kShared;
    return;
  }
  if (name == "VALUE_WAIT") {
    const void* const address = reinterpret_cast<const void*>(word.id());
    const sim::MemoryRange range{address, sizeof(std::uint64_t), false};
    print(out, R"(vwait,"addr":{},"val":{},"cmp":"{}")", ranges_.word_address(address),
          op.word_wait.test.value, compare_word(op.word_wait.test.is));
    return ranges_.append(out, {&range, 1});
  }
  if (const std::uint64_t count = waits ? count_of(op.word_wait.test) : count_of(op.word_change)) {
    return print(out, R"({},"nid":{},"count":{})", waits ? "nwait" : "notify", word.id(), count);
  }
  // The format has no word for this op: its line has its duration, and released_by() its
  // dependency.
  out += R"(counter,"opt":true)";
  append_text(out, "n", name);
}

std::string OpTexts::released_by(const sim::Op& op) const {
  if (op.kind != OpKind::word_wait || count_of(op.word_wait.test) != 0) return {};
  if (!std::string_view(op.word_wait.name).starts_with("CNT")) return {};
  const auto change = changes_.find(op.word_wait.word->id());
  return change == changes_.end() ? std::string()
                                  : fmt::format(R"(,"dep":[[{},"order"]])", change->second);
}

}  // namespace acl
