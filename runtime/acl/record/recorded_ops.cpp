// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "device_sim/streams/program.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/graph/external_event.h"
#include "runtime/trace/json_text.h"

namespace acl {

using sim::Nanoseconds;
using sim::OpKind;
using trace_output::kNotYet;

namespace {

bool is_launch(const sim::Op& op) {
  return op.kind == OpKind::control &&
         std::string_view(op.control.control->name()) == "MODEL_EXECUTE";
}

std::string failure_text(sim::Failure failure) {
  if (!failure) return {};
  std::string text =
      R"(,"args":{"failed":)" + trace_output::json_string(sim::describe(failure.error));
  const bool by_operation = failure.error == sim::Error::operation_failed;
  const bool own =
      failure.error != sim::Error::aborted && failure.error != sim::Error::wait_timeout;
  if (failure.error == sim::Error::wait_timeout) text += R"(,"limit":true)";
  if (own) text += fmt::format(R"(,"returns":{})", code_of(failure));
  if (failure.detail != 0) {
    text += fmt::format(R"(,"code":{})", by_operation ? code_of(failure) : failure.detail);
  }
  return text + "}";
}

/// The word of an op's text, and its members.
std::pair<std::string_view, std::string_view> split(std::string_view text) {
  const std::size_t word = text.find(',');
  return {text.substr(0, word), text.substr(word)};
}

}  // namespace

void RecordedOps::enqueueing(const sim::Stream& stream, const sim::Op& op, const TaskFacts& facts,
                             std::uint64_t site) {
  std::uint64_t number = 0;
  if (facts.what == TaskFacts::What::launch) {
    number = graphs_.add_launch(stream, facts.id);
  } else {
    std::string text;
    texts_.append(text, op, facts);
    const auto [word, members] = split(text);
    number = streams_.add(stream, word, members);
  }
  kernels_.added(number);
  if (trace_output::OpLine* const line = lines_.find(number))
    line->late = events_.expected_record(op);
  events_.enqueued(op, number);
  callbacks_.enqueued(op, number, stream.id(), site);
  texts_.enqueued(facts, number);
  streams_.queue(stream).pending.push_back(number);
}

void RecordedOps::note_begun(const sim::Op& op, std::uint64_t number) {
  texts_.begun(op, number);
  events_.begun(op, number);
}

void RecordedOps::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  now = std::max(now, streams_.track(stream).end);
  if (stream.in_program()) return begin_in_graph(stream, op, now);
  RecordedStreams::Queue* const queue = streams_.find_queue(stream);
  if (!queue || queue->pending.empty()) return;
  queue->begun = true;
  const std::uint64_t number = queue->pending.front();
  note_begun(op, number);
  if (trace_output::OpLine* const line = lines_.find(number)) line->start = now;
}

void RecordedOps::step_ended(const sim::Stream& stream, const sim::OpStep& step) {
  RecordedStreams::Queue* const queue = streams_.find_queue(stream);
  if (stream.in_program() || !queue || !queue->begun) return;
  queue->steps += fmt::format(R"({}["{}",{},{},{},{}])", queue->steps.empty() ? "" : ",", step.name,
                              step.rank, step.bytes, step.start, step.end - step.start);
}

void RecordedOps::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                           Nanoseconds start, Nanoseconds end) {
  RecordedStreams::Track& at = streams_.track(stream);
  start = std::max(start, at.end);
  end = at.end = std::max(end, start);
  const std::string failed = failure ? failure_text(failure) : texts_.released_by(op);
  if (stream.in_program()) return end_in_graph(stream, op, start, end, failed);
  RecordedStreams::Queue* const queue = streams_.find_queue(stream);
  if (!queue || queue->pending.empty()) return;
  const std::uint64_t number = queue->pending.front();
  queue->pending.pop_front();
  if (!std::exchange(queue->begun, false)) start = end = kNotYet;
  if (is_launch(op)) {
    graphs_.end_launch(number, start, end, failed);
  } else {
    if (!failure) events_.succeeded(op, number);
    const std::string steps = std::exchange(queue->steps, {});
    const bool has_steps = failed.empty() && !steps.empty();
    const std::string args = has_steps ? fmt::format(R"(,"args":{{"steps":[{}]}})", steps) : failed;
    lines_.end(number, start, start == kNotYet ? 0 : end - start,
               kernels_.take_accessed(stream, op, number) + args);
  }
  if (queue->pending.empty()) streams_.erase_queue(stream);
}

// ---- in graphs ----

/// The member of a branch's first op; nothing for later ones.
std::string RecordedOps::dependency_on_launch(const sim::Stream& stream) {
  const std::uint64_t after = std::exchange(streams_.track(stream).after, 0);
  return after == 0 ? std::string() : fmt::format(R"(,"dep":[{}])", after);
}

void RecordedOps::begin_in_graph(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  if (sim::only_leads(op)) return;  // the ops that it leads to have lines
  std::string content;
  texts_.append(content, op, {});
  const auto [word, members] = split(content);
  std::string text = fmt::format(R"("op":"{}","st":{}{})", word, stream.id(), members);
  text += dependency_on_launch(stream);
  const std::uint64_t number = lines_.add({.text = std::move(text),
                                           .late = events_.expected_record(op),
                                           .site = callbacks_.captured_at(op),
                                           .start = now});
  kernels_.added(number);
  note_begun(op, number);
  streams_.track(stream).last = streams_.queue(stream).in_graph = number;
}

void RecordedOps::end_in_graph(const sim::Stream& stream, const sim::Op& op, Nanoseconds start,
                               Nanoseconds end, const std::string& failure) {
  RecordedStreams::Queue& queue = streams_.queue(stream);
  const std::uint64_t number = std::exchange(queue.in_graph, 0);
  if (sim::only_leads(op)) {
    if (number != 0) graphs_.end_launch(number, start, end, failure);
    if (const auto* const wait = dynamic_cast<const ExternalWait*>(op.control.control)) {
      end_external_wait(stream, wait->facts(), start, end, failure);
    }
  } else if (number != 0) {
    if (failure.empty()) events_.succeeded(op, number);
    lines_.end(number, start, end - start, kernels_.take_accessed(stream, op, number) + failure);
  }
  if (queue.pending.empty() && queue.in_graph == 0) streams_.erase_queue(stream);
}

void RecordedOps::end_external_wait(const sim::Stream& stream, const TaskFacts& facts,
                                    Nanoseconds start, Nanoseconds end,
                                    const std::string& failure) {
  std::string text = fmt::format(R"("op":"wait","st":{},"ev":{},"gen":{})", stream.id(), facts.id,
                                 facts.generation);
  text += dependency_on_launch(stream);
  streams_.track(stream).last = lines_.add({.text = std::move(text),
                                            .late = failure,
                                            .start = start,
                                            .duration = end - start,
                                            .over = true});
}

}  // namespace acl
