// SPDX-License-Identifier: Apache-2.0
#include "runtime/trace/op_lines.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "runtime/trace/json_text.h"

namespace acl::trace_output {
namespace {

constexpr std::size_t kFlushLinesBytes = std::size_t{64} << 10;

void append_times(std::string& out, sim::Nanoseconds start, sim::Nanoseconds duration) {
  const auto end = std::back_inserter(out);
  if (start != kNotYet) fmt::format_to(end, R"(,"t":{})", start);
  if (duration != kNotYet) fmt::format_to(end, R"(,"d":{})", duration);
}

}  // namespace

OpLines::OpLines(TraceFile& file, std::function<std::string(std::uint64_t)> site_text,
                 std::size_t most_waiting)
    : file_(file), site_text_(std::move(site_text)), most_waiting_(most_waiting) {}

void OpLines::define(const std::string& line) { definitions_.append(line).append(1, '\n'); }

std::uint64_t OpLines::add(OpLine line) {
  line.before = std::exchange(definitions_, {});
  lines_.push_back(std::move(line));
  const std::uint64_t number = first_ + lines_.size() - 1;
  drain();
  return number;
}

OpLine* OpLines::find(std::uint64_t number) {
  if (number < first_ || number - first_ >= lines_.size()) return nullptr;
  return &lines_[number - first_];
}

void OpLines::end(std::uint64_t number, sim::Nanoseconds start, sim::Nanoseconds duration,
                  const std::string& late) {
  if (OpLine* const line = find(number)) {
    line->start = start;
    line->duration = duration;
    line->late += late;
    line->over = true;
    return drain();
  }
  fmt::format_to(std::back_inserter(out_), R"({{"def":"times","id":{})", number);
  append_times(out_, start, duration);
  out_.append(late).append("}\n");
  drain();
}

std::string OpLines::text_of(const OpLine& line, std::uint64_t number) const {
  std::string text = fmt::format(R"({}{{"i":{},{})", line.before, number, line.text);
  append_times(text, line.start, line.duration);
  text += line.late;
  if (const std::string site = line.site ? site_text_(line.site) : std::string(); !site.empty()) {
    text += R"(,"site":")";
    append_json_text(text, site);
    text += '"';
  }
  return text += "}\n";
}

void OpLines::write_first() {
  out_ += text_of(lines_.front(), first_);
  lines_.pop_front();
  ++first_;
}

void OpLines::drain() {
  while (!lines_.empty() && (lines_.front().over || lines_.size() > most_waiting_)) write_first();
  if (out_.size() < kFlushLinesBytes) return;
  file_.append(out_, {});
  out_.clear();
}

void OpLines::flush() {
  drain();
  // The header is written before the first op.
  if (first_ == 1 && lines_.empty()) out_ += std::exchange(definitions_, {});
  std::string waiting;
  for (std::size_t i = 0; i < lines_.size(); ++i) waiting += text_of(lines_[i], first_ + i);
  waiting += definitions_;
  file_.append(out_, waiting);
  out_.clear();
}

// A later flush finds no pending lines and does not change the file.
void OpLines::finish() {
  while (!lines_.empty()) write_first();
  out_ += std::exchange(definitions_, {});
  flush();
  file_.trim();
  file_.close_pipe({});
}

}  // namespace acl::trace_output
