// SPDX-License-Identifier: Apache-2.0
// The logs of processes as text: words and numbers between blanks, the free text last.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "runtime/order/processes/process_group.h"

namespace order {
namespace {

constexpr std::string_view kFirst = "aclsim-shared 3 ";

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

std::string text_of(const VectorClock& clock) {
  std::string text;
  for (Actor actor = 0; actor < clock.end(); ++actor) {
    const std::uint32_t count = clock.of(actor);
    if (count != 0) text += fmt::format("{}{}:{}", text.empty() ? "" : ",", actor, count);
  }
  return text.empty() ? "-" : text;
}

std::string text_of(const OpInfo& op_info) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", op_info.site, op_info.stream, op_info.thread,
                     op_info.number, op_info.device, op_info.on_default_stream ? 1 : 0,
                     op_info.in_graph ? 1 : 0, op_info.declared ? 1 : 0, one_line(op_info.what));
}

std::string text_of_doubt(const SharedNode& node) {
  const Finding& finding = *node.finding;
  return fmt::format("{} {} {} {} {} {} {} {} {}\t{}\t{}\t\n", node.earlier.actor,
                     node.earlier.count, info(finding.rule).id, name(finding.level),
                     finding.where.begin, finding.where.size, finding.where.write ? 1 : 0,
                     finding.where.host ? 1 : 0, text_of(finding.op_info),
                     text_of(finding.other.value_or(OpInfo{})), one_line(finding.text));
}

std::string text_of(const std::vector<WordChange>& changes) {
  std::string text;
  for (const WordChange& change : changes) {
    text += fmt::format("{}{}:{}{}", text.empty() ? "" : ",", change.key,
                        static_cast<char>(change.ends), change.merges ? "+" : "");
  }
  return text.empty() ? "-" : text;
}

/// Takes a line apart from the left; `good` is false from the first mistake on.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  std::string_view word(char separator = ' ') {
    const std::size_t end = rest_.find(separator);
    const std::string_view taken = rest_.substr(0, end);
    good_ = good_ && end != std::string_view::npos;
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    return taken;
  }
  template <class Number>
  Number number(char separator = ' ') {
    const std::string_view text = word(separator);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    good_ = good_ && error == std::errc() && end == text.data() + text.size();
    return value;
  }
  bool yes() { return number<int>() == 1; }
  std::string_view rest() const { return rest_; }
  bool good() const { return good_; }
  void spoil() { good_ = false; }

 private:
  std::string_view rest_;
  bool good_ = true;
};

// A damaged file must not ask for more memory than it is long.
constexpr std::size_t kMostActors = std::size_t{1} << 20;

VectorClock clock_of(Words& words) {
  VectorClock clock;
  const std::string text = std::string(words.word()) + ",";
  if (text == "-,") return clock;
  Words pairs(text);
  while (!pairs.rest().empty() && pairs.good()) {
    const auto actor = pairs.number<Actor>(':');
    const auto count = pairs.number<std::uint32_t>(',');
    if (actor >= kMostActors) pairs.spoil();
    if (pairs.good()) clock.set(actor, count);
  }
  if (!pairs.good()) words.spoil();
  return clock;
}

std::vector<WordChange> changes_of(Words& words) {
  std::vector<WordChange> changes;
  const std::string text = std::string(words.word()) + ",";
  if (text == "-,") return changes;
  Words all(text);
  while (!all.rest().empty() && all.good()) {
    WordChange change;
    change.key = all.number<std::uint64_t>(':');
    const std::string_view how = all.word(',');
    if (how.empty() || std::string_view("ny?").find(how[0]) == std::string_view::npos) all.spoil();
    if (!all.good()) break;
    change.ends = static_cast<WordChange::Ends>(how[0]);
    change.merges = how.size() > 1;
    changes.push_back(change);
  }
  if (!all.good()) words.spoil();
  return changes;
}

SharedObject object_of(Words& words) {
  SharedObject object;
  const std::string_view kind = words.word();
  if (kind.size() != 1 || std::string_view("msenk").find(kind[0]) == std::string_view::npos) {
    words.spoil();
    return object;
  }
  object.kind = static_cast<SharedObject::Kind>(kind[0]);
  object.file = words.number<std::uint64_t>();
  object.offset = words.number<std::uint64_t>();
  return object;
}

AccessKind access_kind_of(Words& words) {
  const auto number = words.number<unsigned>();
  if (number > static_cast<unsigned>(AccessKind::atomic)) words.spoil();
  return static_cast<AccessKind>(number);
}

OpInfo op_info_of(Words& words, ProcessLog& log) {
  OpInfo op_info;
  op_info.site = words.number<std::uint64_t>();
  op_info.stream = words.number<std::uint32_t>();
  op_info.thread = words.number<std::uint32_t>();
  op_info.number = words.number<std::uint32_t>();
  op_info.device = words.number<std::int16_t>();
  op_info.on_default_stream = words.yes();
  op_info.in_graph = words.yes();
  op_info.declared = words.yes();
  op_info.what = log.words.emplace(words.word('\t')).first->c_str();
  return op_info;
}

/// `clock` is where the finding was made; the rest of its line.
bool take_doubt(Words& words, ProcessLog& log, SharedNode& node) {
  node.earlier.actor = words.number<Actor>();
  node.earlier.count = words.number<std::uint32_t>();
  const RuleInfo* const rule = find_rule(words.word());
  const auto level = level_of(words.word());
  if (!rule || !level || node.earlier.actor >= kMostActors) return false;
  Finding finding(rule->rule);
  finding.level = *level;
  finding.where.begin = words.number<std::uintptr_t>();
  finding.where.size = words.number<std::size_t>();
  finding.where.write = words.yes();
  finding.where.host = words.yes();
  finding.op_info = op_info_of(words, log);
  finding.other = op_info_of(words, log);
  finding.text = words.word('\t');
  node.finding = std::make_shared<Finding>(std::move(finding));
  return words.good();
}

std::optional<SharedNode> node_of(SharedNode::Kind kind, Words& words, ProcessLog& log) {
  SharedNode node;
  node.kind = kind;
  node.when.actor = words.number<Actor>();
  node.when.count = words.number<std::uint32_t>();
  node.time = words.number<std::uint64_t>();
  if (node.when.actor >= kMostActors) words.spoil();
  if (kind != SharedNode::Kind::wait) node.known = clock_of(words);
  if (kind == SharedNode::Kind::known || kind == SharedNode::Kind::lost_order)
    return words.good() ? std::optional(node) : std::nullopt;
  if (kind == SharedNode::Kind::doubt) {
    return take_doubt(words, log, node) ? std::optional(node) : std::nullopt;
  }
  node.object = object_of(words);
  if (kind == SharedNode::Kind::access) {
    node.bytes.begin = words.number<std::uintptr_t>();
    node.bytes.size = words.number<std::size_t>();
    node.bytes.write = words.yes();
    node.bytes.frees = words.yes();
    node.bytes.kind = access_kind_of(words);
    node.bytes.reduction = words.number<std::uint16_t>();
  } else {
    node.generation = words.number<std::uint64_t>();
  }
  if (kind == SharedNode::Kind::chosen) node.changes = changes_of(words);
  node.op_info = op_info_of(words, log);
  return words.good() ? std::optional(node) : std::nullopt;
}

bool take_place(Words& words, ProcessLog& log) {
  const auto site = words.number<std::uint64_t>();
  Place place;
  place.line = words.number<std::uint32_t>();
  place.offset = words.number<std::uint64_t>();
  place.file = words.word('\t');
  place.function = words.word('\t');
  place.module = words.rest();
  if (words.good()) log.places[site] = std::move(place);
  return words.good();
}

bool take_line(std::string_view line, ProcessLog& log) {
  Words words(line);
  const std::string_view kind = words.word();
  if (kind == "P") return take_place(words, log);
  if (kind == "E") return log.ended = true;
  if (kind.size() != 1 ||
      std::string_view("ARWCKDQXSHGU").find(kind[0]) == std::string_view::npos) {
    return false;
  }
  auto node = node_of(static_cast<SharedNode::Kind>(kind[0]), words, log);
  if (node) log.nodes.push_back(std::move(*node));
  return node.has_value();
}

}  // namespace

std::string first_line(std::string_view process) { return fmt::format("{}{}\n", kFirst, process); }

std::string last_line() { return "E \n"; }

std::string line_of(std::uint64_t site, const Place& place) {
  return fmt::format("P {} {} {} {}\t{}\t{}\n", site, place.line, place.offset,
                     one_line(place.file), one_line(place.function), one_line(place.module));
}

std::string line_of(const SharedNode& node) {
  using Kind = SharedNode::Kind;
  std::string text = fmt::format("{} {} {} {} ", static_cast<char>(node.kind), node.when.actor,
                                 node.when.count, node.time);
  if (node.kind != Kind::wait) text += text_of(node.known) + " ";
  if (node.kind == Kind::known || node.kind == Kind::lost_order) return text + "\n";
  if (node.kind == Kind::doubt) return text + text_of_doubt(node);
  text += fmt::format("{} {} {} ", static_cast<char>(node.object.kind), node.object.file,
                      node.object.offset);
  if (node.kind == Kind::access) {
    text += fmt::format("{} {} {} {} {} {} ", node.bytes.begin, node.bytes.size,
                        node.bytes.write ? 1 : 0, node.bytes.frees ? 1 : 0,
                        static_cast<int>(node.bytes.kind), node.bytes.reduction);
  } else {
    text += fmt::format("{} ", node.generation);
  }
  if (node.kind == Kind::chosen) text += text_of(node.changes) + " ";
  return text + text_of(node.op_info) + "\t\n";
}

ProcessLog read_log(std::string_view text) {
  ProcessLog log;
  for (std::size_t at = 0; at < text.size() && !log.ended;) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(at, end - at);
    if (at == 0) {
      if (!line.starts_with(kFirst)) break;
      log.name = line.substr(kFirst.size());
    } else if (!take_line(line, log)) {
      break;
    }
    at = end + 1;
  }
  return log;
}

}  // namespace order
