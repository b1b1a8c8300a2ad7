// SPDX-License-Identifier: Apache-2.0
// What a recording says of an op: its word, then members that each begin with a comma.
#include <fmt/format.h>

#include <iterator>
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
#include "runtime/acl/record/recorder.h"
#include "runtime/acl/watch/next_kernel.h"
#include "runtime/trace/json_text.h"

namespace acl {
namespace {

using sim::OpKind;
using What = TaskFacts::What;

template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void append_text(std::string& out, const char* key, std::string_view text) {
  print(out, R"(,"{}":")", key);
  trace_output::append_json_text(out, text);
  out += '"';
}

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

/// How many notifies a wait for a counter takes; 0 when it is no such wait.
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

// ---- bytes ----

void Recorder::append_ranges(std::string& out, std::span<const sim::MemoryRange> ranges) {
  for (const bool write : {false, true}) {
    pieces_.clear();
    for (const sim::MemoryRange& range : ranges) {
      if (write ? range.written : range.read) buffers_.append(range.begin, range.size, pieces_);
    }
    append_pieces(out, write ? "wr" : "rd");
  }
}

void Recorder::append_pieces(std::string& out, const char* key) {
  if (pieces_.empty()) return;
  print(out, R"(,"{}":)", key);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const RecordedBuffers::Piece& piece = pieces_[i];
    print(out, "{}[{},{},{}]", i == 0 ? '[' : ',', piece.buffer, piece.offset, piece.size);
  }
  out += ']';
}

/// Of a transfer: where from and where to, and the bytes.
void Recorder::append_copy(std::string& out, std::span<const sim::MemoryRange> ranges,
                           std::size_t bytes) {
  if (bytes != 0) print(out, R"(,"bytes":{})", bytes);
  bool pageable = false;
  bool told[] = {false, false};
  // The last read one: a reduction reads its target too.
  for (std::size_t i = ranges.size(); i-- != 0;) {
    const sim::MemoryRange& range = ranges[i];
    const auto found = runtime_.memory().find(range.begin);
    pageable = pageable || !found;
    if (std::exchange(told[range.written ? 1 : 0], true)) continue;
    print(out, R"(,"{}":{})", range.written ? "dst" : "src",
          device_of(found ? found->device : sim::kHostDevice));
  }
  if (pageable) out += R"(,"pageable":true)";
  append_ranges(out, ranges);
}

/// A number for a word of memory that is the same from run to run.
std::uint64_t Recorder::word_address(const void* address) {
  constexpr int kLargestBuffer = 40;  // bits of an offset
  pieces_.clear();
  buffers_.append(address, sizeof(std::uint64_t), pieces_);
  return pieces_.front().buffer << kLargestBuffer | pieces_.front().offset;
}

// ---- ops ----

void Recorder::append_task(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  switch (op.kind) {
    case OpKind::copy: {
      const sim::MemoryRange ranges[] = {{op.copy.src, op.copy.size, false},
                                         {op.copy.dst, op.copy.size, true}};
      print(out, R"(memcpy,"bytes":{},"src":{},"dst":{})", op.copy.size,
            device_of(op.copy.src_device), device_of(op.copy.dst_device));
      return append_ranges(out, ranges);
    }
    case OpKind::fill: {
      const sim::MemoryRange range{op.fill.dst, op.fill.size, true};
      print(out, R"(memset,"bytes":{},"dst":{})", op.fill.size, device_of(op.fill.device));
      return append_ranges(out, {&range, 1});
    }
    case OpKind::kernel:
      return append_kernel(out, op);
    case OpKind::host_call:
      print(out, R"(callback,"blocks":{})", op.host_call.blocking);
      return;
    case OpKind::record:
      return append_record(out, op, facts);
    case OpKind::wait:
      return append_wait(out, op, facts);
    case OpKind::reset: {
      const Flag& flag = flag_of(*op.reset.signal);
      return append_event(out, "ereset", flag.event, flag.generation);
    }
    case OpKind::word_wait:
    case OpKind::word_change:
      return append_word(out, op, facts);
    case OpKind::task:
      return append_simple_task(out, op);
    case OpKind::control:
      out += sim::only_leads(op) ? "delay" : "kernel";
      append_text(out, "n", op.control.control->name());
      if (!sim::only_leads(op)) {
        std::vector<sim::MemoryRange> ranges;
        op.control.control->append_ranges(ranges);
        append_ranges(out, ranges);
      }
      return;
  }
}

void Recorder::append_kernel(std::string& out, const sim::Op& op) {
  out += "kernel";
  append_text(out, "n", op.kernel.name ? op.kernel.name : "kernel");
  if (const auto* const subject = sim::subject_of(op)) out += subject->details();
  if (!watch::next_kernel().ranges.empty()) {
    return append_ranges(out, std::exchange(watch::next_kernel().ranges, {}));
  }
  if (op.has_blob) append_ranges(out, {op.kernel.blob->ranges(), op.kernel.blob->range_count});
  if (declares_nothing(op) && is_observed(op)) append_given(out, op);
}

void Recorder::append_simple_task(std::string& out, const sim::Op& op) {
  const sim::Task& task = *op.task.task;
  if (const auto* const write = dynamic_cast<const ValueWrite*>(&task)) {
    print(out, R"(vwrite,"addr":{},"val":{})", word_address(write->address()), write->value());
    const sim::MemoryRange range{write->address(), sizeof(std::uint64_t), true};
    return append_ranges(out, {&range, 1});
  }
  if (const auto* const record = dynamic_cast<const ExternalRecord*>(&task)) {
    const TaskFacts facts = record->facts();
    return append_event(out, "record", facts.id, facts.generation);
  }
  const std::string_view name = task.name();
  if (std::string_view(task.type()) != name) {  // an annotation: its name is the program's
    out += "mark";
    return append_text(out, "text", name);
  }
  std::vector<sim::MemoryRange> ranges;
  task.append_ranges(ranges);
  if (name.starts_with("MEMCPY") || name == "REDUCE") {
    out += name == "REDUCE" ? "reduce" : "memcpy";
    append_text(out, "n", name);
    append_reduction(out, ranges);
    return append_copy(out, ranges, task.bytes());
  }
  const bool fill = name.starts_with("MEMSET");
  out += fill ? "memset" : "kernel";
  append_text(out, "n", name);
  if (fill) print(out, R"(,"bytes":{})", task.bytes());
  append_ranges(out, ranges);
}

// ---- events ----

void Recorder::event_created(const Event& event) {
  const sim::Signal* const flag = event.flag();
  if (flag) report([&] { flags_[flag->id()].event = event.number(); });
}

void Recorder::event_destroyed(const Event& event) {
  const sim::Signal* const flag = event.flag();
  if (flag) report([&] { flags_.erase(flag->id()); });
}

/// Signals that nobody spoke of are events inside of a graph.
Recorder::Flag& Recorder::flag_of(const sim::Signal& signal) {
  Flag& flag = flags_[signal.id()];
  if (flag.event == 0) flag.event = Event::new_number();
  return flag;
}

void Recorder::append_record(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  if (facts.what == What::event_reset)
    return append_event(out, "ereset", facts.id, facts.generation);
  if (facts.what == What::pool_free) return append_pool_free(out, facts);
  if (facts.what == What::event && facts.generation != 0) {
    return append_event(out, "record", facts.id, facts.generation);
  }
  Flag& flag = flag_of(*op.record.signal);
  append_event(out, "record", flag.event, ++flag.generation);
}

void Recorder::append_wait(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  if (facts.what == What::pool_wait) {
    out += R"(delay,"n":"MEM_POOL_WAIT")";
    const auto freed = pool_frees_.find(facts.id);
    if (freed != pool_frees_.end()) print(out, R"(,"dep":[{}])", freed->second);
    return;
  }
  if (facts.what == What::event && facts.generation != 0) {
    return append_event(out, "wait", facts.id, facts.generation);
  }
  // Of a flag it is known at the end of the wait which record it was.
  print(out, R"(wait,"ev":{})", flag_of(*op.wait.signal).event);
}

/// Which record of a flag a wait is for, as far as can be told before it is over; else nothing.
std::string Recorder::expected_record(const sim::Op& op) {
  if (op.kind != OpKind::wait) return {};
  const auto found = flags_.find(op.wait.signal->id());
  if (found == flags_.end()) return {};
  const Flag& flag = found->second;
  const bool called = flag.generation > flag.ran;
  const std::uint64_t next = called ? flag.generation : flag.generation + 1;
  return fmt::format(R"(,"gen":{})", op.wait.signal->done() ? flag.ran : next);
}

/// A record begins: waits that end from here on are bound to it.
void Recorder::note_record(const sim::Op& op, std::uint64_t number) {
  if (op.kind != OpKind::record) return;
  const auto flag = flags_.find(op.record.signal->id());
  if (flag == flags_.end()) return;
  const auto called = flag_records_.find(number);
  flag->second.ran = called == flag_records_.end() ? flag->second.generation : called->second;
  if (called != flag_records_.end()) flag_records_.erase(called);
}

/// The wait is over; the record that ended it had begun before.
void Recorder::bind_wait(const sim::Op& op, std::uint64_t number) {
  if (op.kind != OpKind::wait) return;
  const auto flag = flags_.find(op.wait.signal->id());
  trace_output::OpLine* const line = lines_.find(number);
  if (flag == flags_.end() || !line) return;
  line->late = fmt::format(R"(,"gen":{})", flag->second.ran);
}

void Recorder::append_pool_free(std::string& out, const TaskFacts& facts) {
  const RecordedBuffers::Piece gone = buffers_.end(reinterpret_cast<const void*>(facts.id));
  if (gone.size == 0) {
    out += R"(mark,"text":"MEM_POOL_FREE")";
    return;
  }
  print(out, R"(free,"buf":{},"size":{},"ordered":true)", gone.buffer, gone.size);
}

// ---- notifies, counters, values ----

void Recorder::append_word(std::string& out, const sim::Op& op, const TaskFacts& facts) {
  const bool waits = op.kind == OpKind::word_wait;
  const sim::Word& word = waits ? *op.word_wait.word : *op.word_change.word;
  const std::string_view name = waits ? op.word_wait.name : op.word_change.name;
  if (facts.what == What::event) {  // one that processes share
    return append_event(out, waits ? "wait" : "record", facts.id, facts.generation);
  }
  if (name.starts_with("NOTIFY")) {
    return print(out, R"({},"nid":{})", waits ? "nwait" : "notify", word.id());
  }
  if (name == "VALUE_WAIT") {
    const void* const address = reinterpret_cast<const void*>(word.id());
    const sim::MemoryRange range{address, sizeof(std::uint64_t), false};
    print(out, R"(vwait,"addr":{},"val":{},"cmp":"{}")", word_address(address),
          op.word_wait.test.value, compare_word(op.word_wait.test.is));
    return append_ranges(out, {&range, 1});
  }
  if (const std::uint64_t count = waits ? count_of(op.word_wait.test) : count_of(op.word_change)) {
    return print(out, R"({},"nid":{},"count":{})", waits ? "nwait" : "notify", word.id(), count);
  }
  // The format has no word for it: it costs its time, and says afterwards what it came behind.
  out += R"(counter,"opt":true)";
  append_text(out, "n", name);
}

/// What let a wait go that the format has no word for: the last change before its end.
std::string Recorder::released_by(const sim::Op& op) const {
  if (op.kind != OpKind::word_wait || count_of(op.word_wait.test) != 0) return {};
  if (!std::string_view(op.word_wait.name).starts_with("CNT")) return {};
  const auto change = changes_.find(op.word_wait.word->id());
  return change == changes_.end() ? std::string()
                                  : fmt::format(R"(,"dep":[[{},"order"]])", change->second);
}

}  // namespace acl
