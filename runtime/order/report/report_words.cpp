// SPDX-License-Identifier: Apache-2.0
// Places, operations and sentences of findings in words.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "runtime/order/report/report.h"

namespace order {
namespace {

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "process 4711", "rank 3".
std::string process_text(const PlacedOp& op_info) {
  return is_digit(op_info.process[0]) ? "process " + op_info.process : op_info.process;
}

std::string stream_text(const PlacedOp& op_info) {
  if (op_info.in_graph) return "the stream that launches the graph";
  return op_info.on_default_stream ? "the default stream"
                                   : fmt::format("stream {}", *op_info.stream);
}

/// Kinds of operations of streams and traces; other words are names.
constexpr auto kKinds = std::to_array<std::string_view>({"alloc",
                                                         "barrier",
                                                         "callback",
                                                         "coll",
                                                         "control",
                                                         "copy",
                                                         "count notify record",
                                                         "count notify reset",
                                                         "count notify wait",
                                                         "delay",
                                                         "ereset",
                                                         "fill",
                                                         "free",
                                                         "hquery",
                                                         "hsync",
                                                         "host function",
                                                         "kernel",
                                                         "launch",
                                                         "memcpy",
                                                         "memset",
                                                         "notify",
                                                         "notify record",
                                                         "notify wait",
                                                         "nwait",
                                                         "record",
                                                         "recv",
                                                         "reduce",
                                                         "reset",
                                                         "send",
                                                         "task",
                                                         "value wait",
                                                         "value write",
                                                         "vwait",
                                                         "vwrite",
                                                         "wait",
                                                         "subscribed host function"});

bool is_kind(std::string_view what) {
  return std::find(kKinds.begin(), kKinds.end(), what) != kKinds.end();
}

/// "the copy".
std::string name_of(const PlacedOp& op_info) {
  return (is_kind(op_info.what) ? "the " : "") + op_info.what;
}

/// "the copy on stream 2", "scale on the default stream", "the fill in a graph", "aclrtFree".
std::string short_name(const PlacedOp& op_info, bool with_device) {
  std::string text = name_of(op_info);
  if (op_info.in_graph) {
    text += " in a graph";
  } else if (op_info.stream) {
    text += " on " + stream_text(op_info);
  }
  if (op_info.stream && with_device && op_info.device >= 0) {
    text += fmt::format(" of device {}", op_info.device);
  }
  if (!op_info.process.empty()) text += " of " + process_text(op_info);
  return text;
}

std::string with_place(std::string text, const Place& place) {
  std::string at = position(place);
  if (place.element != 0) at = fmt::format("element {} of {}", place.element, at);
  if (!place.callers.empty()) at += ", called at " + position(place.callers.front());
  return at.empty() ? text : fmt::format("{} ({})", text, at);
}

bool two_devices(const PlacedFinding& finding) {
  if (!finding.other || finding.other->device < 0 || finding.op_info.device < 0) return false;
  return finding.other->device != finding.op_info.device;
}

std::string other_text(const PlacedFinding& finding) {
  if (!finding.other) return "another operation";
  return with_place(short_name(*finding.other, two_devices(finding)), finding.other->place);
}

std::string bytes_text(const PlacedFinding& finding) {
  if (finding.where.size == 0) return "memory";
  return fmt::format("{} of {} memory", size_text(finding.where.size),
                     finding.where.host ? "host" : "device");
}

std::string waits_text(const PlacedFinding& finding) {
  if (!finding.other) return "another operation";
  const PlacedOp& first = *finding.other;
  const bool devices = std::any_of(finding.behind.begin(), finding.behind.end(),
                                   [&](const auto& wait) { return wait.device != first.device; });
  std::string text = with_place(short_name(first, devices), first.place);
  for (const PlacedOp& wait : finding.behind) {
    text += ", " + with_place(short_name(wait, devices), wait.place);
  }
  return text;
}

/// With names in place of the words of Finding::text.
std::string expanded(std::string_view pattern, const PlacedFinding& finding) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    text += pattern.substr(0, open);
    pattern.remove_prefix(open);
    const std::string_view word = pattern.substr(0, pattern.find('}') + 1);
    if (word == "{it}") {
      text += short_name(finding.op_info, two_devices(finding));
    } else if (word == "{other}") {
      text += other_text(finding);
    } else if (word == "{bytes}") {
      text += bytes_text(finding);
    } else if (word == "{waits}") {
      text += waits_text(finding);
    } else {
      text += pattern.substr(0, 1);
      pattern.remove_prefix(std::min<std::size_t>(1, pattern.size()));
      continue;
    }
    pattern.remove_prefix(word.size());
  }
  return text;
}

// ---- repairs ----

/// "after the copy (main.cpp:12)"; for an operation in a graph: "after its launch".
std::string at_call(std::string_view when, const PlacedOp& op_info) {
  if (op_info.in_graph) return fmt::format("{} its launch", when);
  return fmt::format("{} {}", when, with_place(name_of(op_info), op_info.place));
}

std::string stream_of(const PlacedOp& op_info) {
  return stream_text(op_info) + (op_info.process.empty() ? "" : " of " + process_text(op_info));
}

std::string other_name(const PlacedOp& op_info) {
  return with_place(name_of(op_info) + " of " + process_text(op_info), op_info.place);
}

/// Whether one graph or two hold them, and which the program asked for first, is not known here.
std::string order_with_graph(const PlacedOp& it, const PlacedOp& earlier) {
  if (it.in_graph && earlier.in_graph && it.process == earlier.process) {
    return fmt::format(
        "order {} and {} by an event where the graph is made; if they are in two "
        "graphs, order the launches",
        with_place(name_of(earlier), earlier.place), with_place(name_of(it), it.place));
  }
  if (it.process != earlier.process) {
    return fmt::format(
        "order {} and {} by an event created with ACL_EVENT_IPC, a barrier or a "
        "collective; where the graphs hold a collective, put one before it and the "
        "other after it",
        other_name(earlier), other_name(it));
  }
  const PlacedOp& outside = it.in_graph ? earlier : it;
  return fmt::format(
      "order the launch of the graph and {}: call aclrtRecordEvent after the one that "
      "comes first, on its stream, and aclrtStreamWaitEvent before the other, on the "
      "other stream",
      with_place(name_of(outside), outside.place));
}

bool is_of_shmem(const PlacedOp& op_info) {
  return op_info.what.starts_with("aclshmem") || op_info.what.starts_with("shmem");
}

/// Ranks of SHMEM order their accesses by barriers and signals, not by events.
std::string order_ranks(const PlacedOp& it, const PlacedOp& earlier) {
  return fmt::format(
      "call aclshmem_barrier_all in every rank between {} and {}, or let {} set a signal after the "
      "first one and {} wait for it before the second",
      other_name(earlier), other_name(it), process_text(earlier), process_text(it));
}

/// The repair of two unordered accesses.
std::string order_them(const PlacedOp& it, const PlacedOp& earlier) {
  const bool across = it.process != earlier.process;
  const bool streams = earlier.stream && it.stream;
  if (across && (is_of_shmem(it) || is_of_shmem(earlier))) return order_ranks(it, earlier);
  if (streams && (earlier.in_graph || it.in_graph)) return order_with_graph(it, earlier);
  if (streams) {
    return fmt::format("{}call aclrtRecordEvent on {} {}, and aclrtStreamWaitEvent on {} {}",
                       across ? "share an event created with ACL_EVENT_IPC: " : "",
                       stream_of(earlier), at_call("after", earlier), stream_of(it),
                       at_call("before", it));
  }
  if (earlier.stream && !across) {
    return fmt::format("call aclrtSynchronizeStream for {} {}", stream_of(earlier),
                       at_call("before", it));
  }
  if (across) {
    return fmt::format("let {} tell {} that it is done {}", process_text(earlier), process_text(it),
                       at_call("before", it));
  }
  return "synchronise the two host threads, and announce it with aclsimCheckRelease and "
         "aclsimCheckAcquire";
}

/// The same where the two overtake each other in both directions.
std::string order_both_ways(const PlacedOp& it, const PlacedOp& earlier) {
  const std::string text = order_them(it, earlier);
  const bool events = it.stream && earlier.stream && !it.in_graph && !earlier.in_graph &&
                      it.process == earlier.process;
  if (!events) return text;
  return fmt::format(
      "{}; for the next round, call aclrtRecordEvent for a second event on {} {}, and "
      "aclrtStreamWaitEvent on {} {}",
      text, stream_of(it), at_call("after", it), stream_of(earlier), at_call("before", earlier));
}

constexpr std::string_view kReceiveFirst =
    "let one of the ranks call HcclRecv before HcclSend, or let each rank make both calls one with "
    "HcclBatchSendRecv";

/// The text of a deadlock that the ranks of a communicator have found names a call of each rank.
bool all_send(std::string_view text) {
  std::size_t calls = 0;
  constexpr std::string_view kCalled = " called ";
  for (std::size_t at = text.find(kCalled); at != std::string_view::npos;
       at = text.find(kCalled, at + 1)) {
    if (!text.substr(at + kCalled.size()).starts_with("HcclSend(")) return false;
    ++calls;
  }
  return calls > 1;
}

/// Ranks that send to each other before they receive.
bool all_send(const PlacedFinding& finding) {
  const auto sends = [](const PlacedOp& wait) { return !wait.stream || wait.what == "HcclSend"; };
  std::size_t streams = finding.other->stream ? 1 : 0;
  for (const PlacedOp& wait : finding.behind) streams += wait.stream ? 1 : 0;
  return streams > 1 && sends(*finding.other) &&
         std::all_of(finding.behind.begin(), finding.behind.end(), sends);
}

/// `other` and `behind` are the waits of the cycle. Empty: their places are not known.
std::string break_cycle(const PlacedFinding& finding) {
  if (!finding.other) return {};
  if (all_send(finding)) return std::string(kReceiveFirst);
  std::vector<std::string> places;
  const auto add = [&](const PlacedOp& wait) {
    if (wait.place.known()) places.push_back(position(wait.place));
  };
  add(*finding.other);
  for (const PlacedOp& wait : finding.behind) add(wait);
  if (places.size() != finding.behind.size() + 1) return {};
  return fmt::format(
      "break the cycle: enqueue {} at {} later, or the record that it waits for earlier",
      places.size() == 1 ? "the wait" : "one of the waits", fmt::join(places, ", "));
}

std::string own_repair(const PlacedFinding& finding) {
  const PlacedOp& it = finding.op_info;
  switch (finding.rule) {
    case Rule::race:
    case Rule::freed_in_use:
    case Rule::host_buffer:
      if (finding.other && finding.both_ways) return order_both_ways(it, *finding.other);
      if (finding.other) return order_them(it, *finding.other);
      if (finding.rule == Rule::host_buffer && it.stream) {
        return fmt::format("call aclrtSynchronizeStream for {} before the host writes the buffer",
                           stream_of(it));
      }
      return {};
    case Rule::wait_before_record:
      if (!finding.other) return {};
      return fmt::format(
          "call aclrtRecordEvent {} aclrtStreamWaitEvent{}",
          it.place.known() ? fmt::format("({}) before", position(finding.other->place)) : "before",
          it.place.known() ? fmt::format(" ({})", position(it.place)) : "");
    case Rule::wait_never_recorded:
      return it.place.known() ? "call aclrtRecordEvent " + at_call("before", it) : "";
    case Rule::deadlock:
      return break_cycle(finding);
    case Rule::collective_order:
      return all_send(finding.text) ? std::string(kReceiveFirst) : "";
    case Rule::redundant_wait:
      return it.place.known() ? "remove the call at " + position(it.place) : "";
    default:
      return {};
  }
}

struct CudaName {
  std::string_view acl, cuda;
};

constexpr CudaName kCudaNames[] = {
    {"aclrtRecordEvent", "cuEventRecord"},
    {"aclrtStreamWaitEvent", "cuStreamWaitEvent"},
    {"aclrtSynchronizeStream", "cuStreamSynchronize"},
    {"aclrtSynchronizeEvent", "cuEventSynchronize"},
    {"aclrtSynchronizeDevice", "cuCtxSynchronize"},
    {"aclrtDeviceEnablePeerAccess", "cuCtxEnablePeerAccess"},
    {"aclrtMallocHost", "cuMemAllocHost"},
};

void name_cuda_calls(std::string& text) {
  for (const auto& [acl, cuda] : kCudaNames) {
    for (std::size_t at = 0; (at = text.find(acl, at)) != std::string::npos; at += cuda.size()) {
      text.replace(at, acl.size(), cuda);
    }
  }
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kKiB = 1024, kMiB = kKiB * kKiB;
  if (bytes >= kMiB && bytes % kMiB == 0) return fmt::format("{} MiB", bytes / kMiB);
  if (bytes >= 16 * kKiB && bytes % kKiB == 0) return fmt::format("{} KiB", bytes / kKiB);
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

std::string position(const Place& place) {
  if (place.file.empty()) {
    if (place.module.empty()) return {};
    return fmt::format("{}+{:#x}", last_part(place.module), place.offset);
  }
  return place.line == 0 ? place.file : fmt::format("{}:{}", place.file, place.line);
}

std::string to_text(const Place& place) {
  std::string text = position(place);
  if (text.empty()) return "unknown place";
  if (!place.function.empty()) text += fmt::format(" in {}", place.function);
  return text;
}

std::string to_text(const PlacedOp& op_info) {
  std::string text = op_info.what;
  if (op_info.in_graph) {
    text += " in a graph";
  } else if (op_info.stream) {
    text += " on " + stream_text(op_info);
  } else if (op_info.thread != 0) {
    text += fmt::format(" on host thread {}", op_info.thread);
  }
  if (op_info.device >= 0) text += fmt::format(" of device {}", op_info.device);
  std::vector<std::string> more;
  if (op_info.in_graph && op_info.stream) more.push_back(fmt::format("stream {}", *op_info.stream));
  if (op_info.number != 0) more.push_back(fmt::format("op {}", op_info.number));
  if (op_info.stream && op_info.thread != 0)
    more.push_back(fmt::format("thread {}", op_info.thread));
  if (!op_info.process.empty()) more.push_back(process_text(op_info));
  if (!op_info.declared) more.emplace_back("ranges not declared");
  if (!more.empty()) text += fmt::format(" ({})", fmt::join(more, ", "));
  return text;
}

std::string title(const PlacedFinding& finding) {
  return finding.title.empty() ? std::string(info(finding.rule).title) : finding.title;
}

std::string message(const PlacedFinding& finding) {
  if (finding.text.empty()) return std::string(info(finding.rule).meaning);
  return expanded(finding.text, finding);
}

std::string repair(const PlacedFinding& finding) {
  std::string text;
  if (!finding.repair.empty()) {
    text = expanded(finding.repair, finding);
  } else {
    text = own_repair(finding);
    if (text.empty()) text = info(finding.rule).repair;
  }
  if (finding.op_info.cuda) name_cuda_calls(text);
  return text;
}

}  // namespace order
