// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/repairs/fixes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/order/engine/sentences.h"
#include "runtime/order/repairs/dialect.h"
#include "runtime/order/repairs/file_edits.h"
#include "runtime/order/repairs/source_text.h"
#include "runtime/order/repairs/statements.h"

namespace order {
namespace {

bool ends_with_any(const std::string& file, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

bool is_source(const std::string& file) {
  return ends_with_any(
      file, {".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".asc", ".cu"});
}
bool is_header(const std::string& file) {
  return ends_with_any(file, {".h", ".hh", ".hpp", ".hxx", ".inl"});
}

/// The files that the places name. A file is read once.
class Sources {
 public:
  const SourceText* find(const std::string& file) {
    if (!is_source(file)) return nullptr;
    const auto [at, added] = files_.try_emplace(file);
    if (added) at->second = SourceText::read(file);
    return at->second ? &*at->second : nullptr;
  }

 private:
  std::map<std::string, std::optional<SourceText>> files_;
};

/// An operation in the source.
struct Site {
  const SourceText* source = nullptr;
  std::string file;
  std::uint32_t line = 0;
  SourceCall call;
  Statement statement;
  std::string stream;  // empty: it has none, or it cannot be written again
  bool varies = false;
};

/// The statement is the call, or the call as the argument of a macro that checks it: it can be
/// taken away as a whole.
bool is_plain(const Site& site) {
  const std::string_view before =
      std::string_view(site.source->code())
          .substr(site.statement.begin, site.call.begin - site.statement.begin);
  if (site.statement.returns) return false;
  const std::size_t bracket = before.find_last_not_of(" \t\n(");
  const std::string_view name =
      before.substr(0, bracket == std::string_view::npos ? 0 : bracket + 1);
  const bool word = std::all_of(name.begin(), name.end(), is_word_char);
  return word && name != "if" && name != "while" && name != "for" && name != "switch";
}

/// The repair of one finding.
class Repair {
 public:
  Repair(Sources& sources, std::size_t number) : sources_(sources), number_(number) {}

  void of(const PlacedFinding& finding, const Report& report);
  std::vector<LineEdit> take() const {
    std::vector<LineEdit> all;
    for (const auto& [file, edits] : files_) edits.append_to(all);
    return all;
  }

 private:
  std::optional<Site> site_of(const PlacedOp& op_info) const;
  std::optional<Site> lifted(const Site& site, std::span<const Place> callers) const;
  FileEdits& edits_of(const Site& site) {
    return files_.try_emplace(site.file, site.file, *site.source).first->second;
  }
  void after(const Site& site, const std::vector<std::string>& code) {
    for (const std::string& line : code) edits_of(site).after(site.statement, line);
  }
  NewEvent new_event(const Site& first, const Site& second, bool cuda);
  void order_two(const PlacedFinding& finding);
  void order_launches(const PlacedFinding& finding);
  bool order_streams(const PlacedOp& earlier, const PlacedOp& later);
  void host_waits(const PlacedOp& earlier, const PlacedOp& later);
  void host_waits_after(const PlacedOp& copy);
  void meet(const PlacedOp& earlier, const PlacedOp& later);
  void move_free(const PlacedOp& free, const PlacedOp& use);
  void move_wait(const PlacedOp& wait, const PlacedOp& record);
  void add_record(const PlacedOp& wait, const Report& report);
  void reset_after(const PlacedOp& wait);
  void remove(const PlacedOp& op_info);
  void name_default_direction(const PlacedOp& copy);
  void destroy_without_force(const PlacedOp& destroy);

  Sources& sources_;
  std::size_t number_;
  std::size_t events_ = 0;
  std::vector<std::string> taken_;
  std::map<std::string, FileEdits> files_;
};

std::optional<Site> Repair::site_of(const PlacedOp& op_info) const {
  const Place& place = op_info.place;
  Site site;
  site.source = place.line == 0 ? nullptr : sources_.find(place.file);
  if (!site.source || place.line > site.source->lines()) return std::nullopt;
  site.file = place.file;
  site.line = place.line;
  site.varies = op_info.streams_vary;
  if (op_info.what == "the host") {  // an access by the program itself
    const std::size_t begin =
        site.source->code().find_first_not_of(" \t", site.source->begin_of(place.line));
    site.call.begin = site.call.end = std::min(begin, site.source->end_of(place.line));
  } else {
    auto call = find_call(*site.source, place.line, op_info.what);
    if (!call) return std::nullopt;
    site.call = std::move(*call);
    if (op_info.stream) site.stream = stream_argument(site.call);
    site.varies |= may_vary(*site.source, site.stream, site.call.begin);
  }
  const auto statement = statement_of(*site.source, site.call);
  if (!statement) return std::nullopt;
  site.statement = *statement;
  if (site.varies && !site.stream.empty()) {
    std::vector<Place> callers = place.callers;
    callers.insert(callers.end(), place.further_callers.begin(), place.further_callers.end());
    if (auto caller = lifted(site, callers)) return caller;
  }
  return site;
}

/// The call of the helper that has the stream as its parameter. Nothing: it is not known.
std::optional<Site> Repair::lifted(const Site& site, std::span<const Place> callers) const {
  if (callers.empty() || callers[0].line == 0) return std::nullopt;
  const auto parameter = parameter_of(*site.source, site.stream, site.call.begin);
  Site caller;
  caller.file = callers[0].file;
  caller.line = callers[0].line;
  caller.source = parameter ? sources_.find(caller.file) : nullptr;
  if (!caller.source || caller.line > caller.source->lines()) return std::nullopt;
  auto call = find_call_of(*caller.source, caller.line, parameter->function);
  if (!call || parameter->index >= call->arguments.size()) return std::nullopt;
  caller.call = std::move(*call);
  caller.stream = caller.call.arguments[parameter->index];
  const auto statement = statement_of(*caller.source, caller.call);
  if (!statement || !is_repeatable(caller.stream)) return std::nullopt;
  caller.statement = *statement;
  caller.varies = may_vary(*caller.source, caller.stream, caller.call.begin);
  if (caller.varies) {
    if (auto further = lifted(caller, callers.subspan(1))) return further;
  }
  return caller;
}

NewEvent Repair::new_event(const Site& first, const Site& second, bool cuda) {
  const auto is_used = [&](const std::string& name) {
    return first.source->mentions(name) || second.source->mentions(name);
  };
  const auto is_taken = [&](const std::string& name) {
    return std::find(taken_.begin(), taken_.end(), name) != taken_.end();
  };
  const std::string first_name = "aclsim_event_" + std::to_string(number_);
  std::string name = first_name;
  while (is_used(name) || is_taken(name)) name = first_name + "_" + std::to_string(++events_);
  taken_.push_back(name);
  const bool c = is_plain_c(first.file) || is_plain_c(second.file);
  const NewEvent event(dialect(cuda), name, first.varies && !c);
  const auto declare = [&](const Site& site, NewEvent::Linkage linkage) {
    for (const std::string& line : event.declaration(linkage))
      edits_of(site).declare(site.line, line);
  };
  if (first.file == second.file) {
    const bool header = is_header(first.file);
    declare(first, header ? NewEvent::Linkage::header : NewEvent::Linkage::file);
  } else {
    const bool header = is_header(first.file) && !c;
    declare(first, header ? NewEvent::Linkage::header : NewEvent::Linkage::defined);
    declare(second, NewEvent::Linkage::declared);
  }
  return event;
}

/// False: it is not known how.
bool Repair::order_streams(const PlacedOp& earlier, const PlacedOp& later) {
  const auto first = site_of(earlier), second = site_of(later);
  if (!first || !second || first->stream.empty() || second->stream.empty()) return false;
  const NewEvent event = new_event(*first, *second, later.cuda);
  after(*first, event.record(first->stream));
  edits_of(*second).before(second->statement, event.wait(second->stream));
  return true;
}

void Repair::host_waits(const PlacedOp& earlier, const PlacedOp& later) {
  const auto first = site_of(earlier), second = site_of(later);
  if (!first || !second || first->stream.empty()) return;
  const bool visible =
      first->file == second->file && !earlier.streams_vary &&
      is_visible(*first->source, first->stream, first->call.begin, second->statement.begin);
  if (visible) {
    edits_of(*second).before(second->statement,
                             dialect(later.cuda).synchronize_stream(first->stream));
    return;
  }
  const NewEvent event = new_event(*first, *second, later.cuda);
  after(*first, event.record(first->stream));
  edits_of(*second).before(second->statement, event.synchronize());
}

void Repair::host_waits_after(const PlacedOp& copy) {
  const auto site = site_of(copy);
  if (!site || site->stream.empty()) return;
  after(*site, {dialect(copy.cuda).synchronize_stream(site->stream)});
}

/// All ranks run the same program. A barrier belongs where every rank passes it once: into the
/// block that holds both operations or, if each is in a branch of its own, into both branches.
void Repair::meet(const PlacedOp& earlier, const PlacedOp& later) {
  const auto first = site_of(earlier), second = site_of(later);
  if (!first || !second) return;
  const bool shmem =
      first->call.name.starts_with("aclshmem") || second->call.name.starts_with("aclshmem");
  if (!shmem || (!first->stream.empty() && first->file != second->file)) return;
  const std::string barrier = "aclshmem_barrier_all();";
  const bool same_file = first->file == second->file;
  const auto outer =
      same_file ? first->source->blocks_at(first->call.begin) : std::vector<std::size_t>{};
  const auto inner =
      same_file ? second->source->blocks_at(second->call.begin) : std::vector<std::size_t>{};
  const auto holds = [](const auto& a, const auto& b) {
    return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
  };
  const bool later_inside = same_file && holds(outer, inner);
  const bool earlier_inside = same_file && holds(inner, outer);
  if (!first->stream.empty()) after(*first, {dialect(false).synchronize_stream(first->stream)});
  if (!earlier_inside) after(*first, {barrier});
  if (earlier_inside || !later_inside) edits_of(*second).before(second->statement, barrier);
}

/// Behind the use. The free of a block of a pool happens in the order of a stream.
void Repair::move_free(const PlacedOp& free, const PlacedOp& use) {
  const auto from = site_of(free), to = site_of(use);
  if (!from || !to || from->file != to->file || !is_plain(*from)) return;
  const SourceText& source = *from->source;
  const bool visible = std::all_of(
      from->call.arguments.begin(), from->call.arguments.end(), [&](const std::string& argument) {
        return is_visible(source, argument, from->call.begin, to->statement.begin);
      });
  const auto last = containing(source, from->statement, to->statement);
  if (!visible || !last) return;
  if (use.stream && !free.stream) {
    if (to->stream.empty()) return;
    after(*to, {dialect(use.cuda).synchronize_stream(to->stream)});
  } else if (use.stream && use.stream != free.stream) {
    if (to->stream.empty() || from->stream.empty()) return;
    const NewEvent event = new_event(*to, *from, use.cuda);
    after(*to, event.record(to->stream));
    after(*to, {event.wait(from->stream)});
  }
  const Statement& moved = from->statement;
  edits_of(*to).after(*last, source.text().substr(moved.begin, moved.end - moved.begin));
  edits_of(*from).remove(moved);
}

void Repair::move_wait(const PlacedOp& wait, const PlacedOp& record) {
  const auto from = site_of(wait), to = site_of(record);
  if (!from || !to || from->file != to->file || !is_plain(*from)) return;
  const SourceText& source = *from->source;
  const bool visible = std::all_of(
      from->call.arguments.begin(), from->call.arguments.end(), [&](const std::string& argument) {
        return is_visible(source, argument, from->call.begin, to->statement.begin);
      });
  if (!visible) return;
  const Statement& moved = from->statement;
  after(*to, {source.text().substr(moved.begin, moved.end - moved.begin)});
  edits_of(*from).remove(moved);
}

/// The race that the wait was meant to prevent shows after which operation the record belongs.
void Repair::add_record(const PlacedOp& wait, const Report& report) {
  const auto at = site_of(wait);
  if (!at || !wait.stream || at->call.arguments.size() < 2) return;
  const std::string& event = at->call.arguments[1];
  for (const PlacedFinding& race : report.findings) {
    if (race.rule != Rule::race || !race.other || race.op_info.stream != wait.stream) continue;
    const auto to = site_of(*race.other);
    if (!to || to->stream.empty() || to->file != at->file) continue;
    if (!is_visible(*to->source, event, at->call.begin, to->statement.begin)) continue;
    return after(*to, {dialect(wait.cuda).record(event, to->stream)});
  }
}

void Repair::reset_after(const PlacedOp& wait) {
  const auto site = site_of(wait);
  if (!site || site->stream.empty() || site->call.arguments.size() < 2) return;
  const std::string& event = site->call.arguments[1];
  if (!is_repeatable(event)) return;
  after(*site, {"aclrtResetEvent(" + event + ", " + site->stream + ");",
                dialect(false).synchronize_stream(site->stream)});
}

void Repair::remove(const PlacedOp& op_info) {
  const auto site = site_of(op_info);
  if (site && is_plain(*site)) edits_of(*site).remove(site->statement);
}

void Repair::name_default_direction(const PlacedOp& copy) {
  const auto site = site_of(copy);
  if (!site) return;
  struct Row {
    std::string_view name;
    std::size_t index;
  };
  constexpr Row kRows[] = {{"aclrtMemcpy", 4},
                           {"aclrtMemcpyAsync", 4},
                           {"aclrtMemcpyAsyncWithCondition", 4},
                           {"aclrtMemcpy2d", 6},
                           {"aclrtMemcpy2dAsync", 6}};
  for (const Row& row : kRows) {
    if (row.name != site->call.name || row.index >= site->call.arguments.size()) continue;
    const auto [begin, end] = range_of_argument(*site->source, site->call, row.index);
    edits_of(*site).replace(begin, end, "ACL_MEMCPY_DEFAULT");
  }
}

/// aclrtDestroyStream waits for the stream's work, which the forced end drops.
void Repair::destroy_without_force(const PlacedOp& destroy) {
  constexpr std::string_view kForced = "aclrtDestroyStreamForce";
  const auto site = site_of(destroy);
  if (!site || site->call.name != kForced) return;
  edits_of(*site).replace(site->call.begin, site->call.begin + kForced.size(),
                          "aclrtDestroyStream");
}

/// A graph or a function of a stream is ordered by its launch.
void Repair::order_launches(const PlacedFinding& finding) {
  PlacedOp it = finding.launch.value_or(finding.op_info);
  PlacedOp other = finding.other_launch.value_or(*finding.other);
  it.streams_vary = !finding.launch && finding.op_info.streams_vary;
  other.streams_vary = !finding.other_launch && finding.other->streams_vary;
  if (other.stream && it.stream) {
    if (order_streams(other, it) && finding.both_ways) order_streams(it, other);
  } else if (other.stream) {
    host_waits(other, it);
  }
}

void Repair::order_two(const PlacedFinding& finding) {
  const PlacedOp& it = finding.op_info;
  if (finding.repair == sentences::kUsedByStuckRepair) return;  // the author knows the operation
  if (!finding.other) {
    if (it.stream) return host_waits_after(it);
    return destroy_without_force(it);
  }
  const PlacedOp& other = *finding.other;
  if (it.process != other.process) {
    meet(other, it);
    if (finding.both_ways) meet(it, other);
    return;
  }
  const bool together = it.in_graph && other.in_graph && finding.launch && finding.other_launch &&
                        finding.launch->number == finding.other_launch->number &&
                        finding.launch->stream == finding.other_launch->stream;
  if (together) {  // in one graph: the event belongs to the capture
    order_streams(other, it);
    return;
  }
  if (finding.launch || finding.other_launch) return order_launches(finding);
  if (it.in_graph || other.in_graph) return;
  const bool released = finding.text.find("may have released before") != std::string::npos;
  if (released) return move_free(other, it);
  if (other.stream && it.stream) {
    if (order_streams(other, it) && finding.both_ways) order_streams(it, other);
  } else if (other.stream) {
    host_waits(other, it);
  }
}

void Repair::of(const PlacedFinding& finding, const Report& report) {
  const PlacedOp& it = finding.op_info;
  switch (finding.rule) {
    case Rule::race:
    case Rule::host_buffer:
    case Rule::freed_in_use:
      return order_two(finding);
    case Rule::dead_handle:
      if (finding.title == "double free") return remove(it);
      if (finding.title.starts_with("use after ") && finding.other) move_free(*finding.other, it);
      return;
    case Rule::wait_before_record:
      if (finding.other) move_wait(it, *finding.other);
      return;
    case Rule::wait_never_recorded:
      return add_record(it, report);
    case Rule::flag_not_reset:
      return reset_after(finding.other.value_or(it));
    case Rule::redundant_wait:
      return remove(it);
    case Rule::wrong_direction:
      return name_default_direction(it);
    default:
      return;
  }
}

}  // namespace

void add_fixes(Report& report) {
  Sources sources;
  std::size_t number = 1;
  for (PlacedFinding& finding : report.findings) {
    Repair made(sources, number);
    made.of(finding, report);
    finding.fixes = made.take();
    ++number;
  }
}

Report with_fixes(Report report) {
  add_fixes(report);
  return report;
}

}  // namespace order
