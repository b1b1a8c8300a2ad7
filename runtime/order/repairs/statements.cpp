// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/repairs/statements.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace order {
namespace {

constexpr std::size_t kNone = std::string::npos;

std::size_t skip_spaces(const std::string& code, std::size_t at) {
  while (at < code.size() && is_space(code[at])) ++at;
  return at;
}

std::string_view word_at(const std::string& code, std::size_t at) {
  std::size_t end = at;
  while (end < code.size() && is_word_char(code[end])) ++end;
  return std::string_view(code).substr(at, end - at);
}

bool is_control(std::string_view word) {
  return word == "if" || word == "for" || word == "while" || word == "switch";
}

// ---- calls ----

bool is_of_interface(std::string_view name) {
  constexpr auto kPrefixes =
      std::to_array<std::string_view>({"acl", "Hccl", "ACLRT_LAUNCH", "shmem"});
  const bool cuda = name.starts_with("cu") && name.size() > 2 && name[2] >= 'A' && name[2] <= 'Z';
  return cuda || std::any_of(kPrefixes.begin(), kPrefixes.end(),
                             [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// The parts of a list in brackets. `open` is the offset of the first bracket.
std::vector<std::string> arguments_in(const SourceText& source, std::size_t open, std::size_t end) {
  const std::string& code = source.code();
  std::vector<std::string> all;
  const auto add = [&](std::size_t begin, std::size_t stop) {
    while (begin < stop && is_space(code[begin])) ++begin;
    while (stop > begin && is_space(code[stop - 1])) --stop;
    all.push_back(source.text().substr(begin, stop - begin));
  };
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i < end; ++i) {
    const char c = code[i];
    if (c == '(' || c == '[' || c == '{') {
      const std::size_t after = after_bracket(code, i);
      if (after == kNone) break;
      i = after - 1;
    } else if (c == ',') {
      add(begin, i);
      begin = i + 1;
    }
  }
  if (end > begin) add(begin, end);
  return all;
}

/// The call whose name begins at `at`, of an interface or of the function `own`.
std::optional<SourceCall> call_at(const SourceText& source, std::size_t at,
                                  std::string_view own = {}) {
  const std::string& code = source.code();
  SourceCall call;
  call.name = word_at(code, at);
  call.begin = at;
  std::size_t open = skip_spaces(code, at + call.name.size());
  if (code.compare(open, 3, "<<<") == 0) {
    const std::size_t close = code.find(">>>", open);
    if (close == kNone) return std::nullopt;
    call.arguments = arguments_in(source, open + 2, close);
    call.name += "<<<>>>";
    open = skip_spaces(code, close + 3);
  } else if (call.name != own && !is_of_interface(call.name)) {
    return std::nullopt;
  }
  if (open >= code.size() || code[open] != '(') return std::nullopt;
  call.end = after_bracket(code, open);
  if (call.end == kNone) return std::nullopt;
  const std::size_t second = skip_spaces(code, call.end);
  if (call.name == "ACLRT_LAUNCH_KERNEL" && second < code.size() && code[second] == '(') {
    open = second;
    call.end = after_bracket(code, open);
    if (call.end == kNone) return std::nullopt;
  }
  if (call.arguments.empty()) call.arguments = arguments_in(source, open, call.end - 1);
  return call;
}

struct Part {
  std::string_view what, in_name;
};
/// A part of the names of the calls that enqueue an operation of this kind.
constexpr Part kParts[] = {{"copy", "emcpy"},
                           {"fill", "emset"},
                           {"reduce", "Reduce"},
                           {"host function", "HostFunc"},
                           {"subscribed host function", "HostFunc"},
                           {"callback", "Callback"},
                           {"record", "Record"},
                           {"wait", "Wait"},
                           {"notify record", "Notify"},
                           {"notify wait", "Notify"},
                           {"value write", "Value"},
                           {"value wait", "Value"}};

std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c != '_') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return letters;
}

/// The name of a type of tasks, MEMCPY_WITH_DESC, without the part that only calls have.
bool is_type_of(const SourceCall& call, std::string_view what) {
  std::string name = letters_of(call.name);
  if (const std::size_t async = name.find("async"); async != kNone) name.erase(async, 5);
  return name.find(letters_of(what)) != kNone;
}

int fitness(const SourceCall& call, std::string_view what) {
  if (call.name == what) return 3;
  for (const Part& part : kParts) {
    if (part.what == what) return call.name.find(part.in_name) != kNone ? 2 : 0;
  }
  if (is_type_of(call, what)) return 2;
  const bool launches = call.name.find("aunch") != kNone || call.name.ends_with(">>>") ||
                        call.name.find("LAUNCH") != kNone || call.name.find("xecute") != kNone ||
                        call.name.starts_with("aclnn");
  return launches || call.name.find(what) != kNone ? 1 : 0;
}

// ---- statements ----

std::size_t end_of_statement(const std::string& code, std::size_t begin);

std::size_t end_of_control(const std::string& code, std::size_t begin, std::string_view word) {
  std::size_t at = skip_spaces(code, begin + word.size());
  if (word_at(code, at) == "constexpr") at = skip_spaces(code, at + 9);
  if (at >= code.size() || code[at] != '(') return kNone;
  at = after_bracket(code, at);
  if (at == kNone) return kNone;
  at = end_of_statement(code, at);
  if (word != "if" || at == kNone) return at;
  const std::size_t next = skip_spaces(code, at);
  return word_at(code, next) == "else" ? end_of_statement(code, next + 4) : at;
}

/// The offset after the statement that begins at `begin`, or after the blanks there.
std::size_t end_of_statement(const std::string& code, std::size_t begin) {
  std::size_t at = skip_spaces(code, begin);
  if (at >= code.size()) return kNone;
  if (code[at] == '{') return after_bracket(code, at);
  const std::string_view word = word_at(code, at);
  if (is_control(word)) return end_of_control(code, at, word);
  while (at < code.size() && code[at] != ';') {
    const char c = code[at];
    if (c == ')' || c == ']' || c == '}') return kNone;
    const bool opens = c == '(' || c == '[' || c == '{';
    at = opens ? after_bracket(code, at) : at + 1;
    if (at == kNone) return kNone;
  }
  return at < code.size() ? at + 1 : kNone;
}

/// The colon before `end` ends a label, and does not belong to an expression.
bool ends_label(const std::string& code, std::size_t end) {
  if (code[end - 1] != ':' || (end >= 2 && code[end - 2] == ':')) return false;
  if (end < code.size() && code[end] == ':') return false;
  for (std::size_t i = end - 1; i-- > 0;) {
    const char c = code[i];
    if (c == '?') return false;
    if (c == ';' || c == '{' || c == '}') break;
  }
  return true;
}

/// The begin of the function that holds the offset: its head included.
struct FunctionRange {
  std::size_t head = 0, body = kNone;
};

bool heads_function(const std::string& code, std::size_t head, std::size_t body) {
  const std::string_view text = std::string_view(code).substr(head, body - head);
  if (text.find('(') == std::string_view::npos) return false;
  const std::string_view first = word_at(code, skip_spaces(code, head));
  return first != "namespace" && first != "class" && first != "struct" && first != "enum";
}

FunctionRange function_at(const SourceText& source, std::size_t offset) {
  const std::string& code = source.code();
  for (const std::size_t block : source.blocks_at(offset)) {
    std::size_t head = block;
    while (head > 0 && code[head - 1] != ';' && code[head - 1] != '}' && code[head - 1] != '{') {
      --head;
    }
    if (heads_function(code, head, block)) return {head, block};
  }
  return {};
}

bool is_prefix(const std::vector<std::size_t>& shorter, const std::vector<std::size_t>& longer) {
  return shorter.size() <= longer.size() &&
         std::equal(shorter.begin(), shorter.end(), longer.begin());
}

bool in_brackets(const std::string& code, std::size_t from, std::size_t at) {
  int depth = 0;
  for (std::size_t i = from; i < at; ++i) {
    if (code[i] == '(') ++depth;
    if (code[i] == ')') --depth;
    if (depth == 0 && (code[i] == ';' || code[i] == '{' || code[i] == '}')) depth = 0;
  }
  return depth > 0;
}

/// The names that the expression begins with: members follow their object.
std::vector<std::string_view> roots_of(std::string_view expression) {
  std::vector<std::string_view> roots;
  for (std::size_t i = 0; i < expression.size();) {
    if (!is_word_char(expression[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < expression.size() && is_word_char(expression[i])) ++i;
    const bool member =
        begin > 0 && (expression[begin - 1] == '.' || expression[begin - 1] == ':' ||
                      (begin > 1 && expression.substr(begin - 2, 2) == "->"));
    const bool number = expression[begin] >= '0' && expression[begin] <= '9';
    if (!member && !number) roots.push_back(expression.substr(begin, i - begin));
  }
  return roots;
}

}  // namespace

namespace {

/// The call at the line that suits best. `fitness`: 0 if it does not. The place of a call in the
/// argument of a macro is the line on which the macro begins.
template <class Fitness>
std::optional<SourceCall> best_call(const SourceText& source, std::uint32_t line,
                                    std::string_view own, Fitness&& fitness) {
  if (line == 0 || line > source.lines()) return std::nullopt;
  constexpr std::uint32_t kMostLines = 30;  // of a call
  const std::uint32_t first = line > kMostLines ? line - kMostLines : 1;
  const std::uint32_t last = std::min(line + kMostLines, source.lines());
  const std::string& code = source.code();
  std::optional<SourceCall> best;
  std::pair<int, int> best_rank;
  for (std::size_t at = source.begin_of(first); at < source.end_of(last);) {
    if (!is_word_char(code[at])) {
      ++at;
      continue;
    }
    const std::size_t next = at + word_at(code, at).size();
    std::optional<SourceCall> call = call_at(source, at, own);
    at = next;
    if (!call || source.line_of(call->end - 1) < line) continue;
    const std::uint32_t begin = source.line_of(call->begin);
    if (begin > line) {
      const auto statement = statement_of(source, *call);
      if (!statement || source.line_of(statement->begin) > line) continue;
    }
    const std::pair rank(begin == line ? 2 : begin < line ? 1 : 0, fitness(*call));
    if (rank.second == 0 || (best && rank <= best_rank)) continue;
    best = std::move(call);
    best_rank = rank;
  }
  return best;
}

}  // namespace

std::optional<SourceCall> find_call(const SourceText& source, std::uint32_t line,
                                    std::string_view what) {
  return best_call(source, line, {}, [&](const SourceCall& call) { return fitness(call, what); });
}

std::optional<SourceCall> find_call_of(const SourceText& source, std::uint32_t line,
                                       std::string_view name) {
  return best_call(source, line, name,
                   [&](const SourceCall& call) { return call.name == name ? 1 : 0; });
}

bool is_repeatable(std::string_view expression) {
  if (expression.empty()) return false;
  for (const std::string_view effect : {"++", "--", "=", ";", "{", "\"", "\n"}) {
    if (expression.find(effect) != std::string_view::npos) return false;
  }
  return true;
}

std::pair<std::size_t, std::size_t> range_of_argument(const SourceText& source,
                                                      const SourceCall& call, std::size_t index) {
  std::size_t at = source.text().find('(', call.begin);
  for (std::size_t i = 0; i < index; ++i) {
    at = source.text().find(call.arguments[i], at) + call.arguments[i].size();
  }
  at = source.text().find(call.arguments[index], at);
  return {at, at + call.arguments[index].size()};
}

std::string stream_argument(const SourceCall& call) {
  struct Row {
    std::string_view name;
    std::size_t index;
  };
  // The last argument of all others.
  constexpr Row kRows[] = {{"ACLRT_LAUNCH_KERNEL", 1},
                           {"aclrtLaunchHostFunc", 0},
                           {"aclrtStreamWaitEvent", 0},
                           {"aclrtStreamWaitEventWithFlag", 0},
                           {"aclrtStreamWaitEventWithTimeout", 0},
                           {"aclrtRecordEventWithFlag", 1},
                           {"aclrtWaitAndResetNotify", 1},
                           {"aclrtCntNotifyRecord", 1},
                           {"aclrtCntNotifyWaitWithTimeout", 1},
                           {"aclrtCmoWaitBarrier", 1},
                           {"aclrtLaunchKernelWithConfig", 2},
                           {"aclrtLaunchKernelWithHostArgs", 2},
                           {"aclrtLaunchKernelWithArgsArray", 2},
                           {"aclrtLaunchSIMTKernelWithArgsArray", 4},
                           {"aclrtLaunchSIMTKernelWithHostArgs", 4},
                           {"aclrtReduceAsync", 5},
                           {"aclrtRandomNumAsync", 1},
                           {"aclrtCmoAsyncWithDesc", 2},
                           {"cuStreamWaitEvent", 0},
                           {"cuLaunchHostFunc", 0}};
  if (call.arguments.empty()) return {};
  std::size_t index = call.arguments.size() - 1;
  for (const Row& row : kRows) {
    if (row.name == call.name) index = row.index;
  }
  if (index >= call.arguments.size()) return {};
  const std::string& stream = call.arguments[index];
  return is_repeatable(stream) ? stream : "";
}

std::optional<Statement> statement_of(const SourceText& source, const SourceCall& call) {
  const std::string& code = source.code();
  Statement found;
  std::size_t at = call.begin;
  while (at > 0) {
    const char c = code[at - 1];
    if (c == ';' || c == '{' || c == '}') break;
    if (c == ':' && ends_label(code, at)) break;
    if (c == ')' || c == ']') {
      const std::size_t open = before_bracket(code, at - 1);
      if (open == kNone) return std::nullopt;
      const std::string_view word = word_before(code, open);
      found.is_body = c == ')' && (is_control(word) || word == "constexpr");
      if (found.is_body) break;
      at = open;
      continue;
    }
    if (is_word_char(c)) {
      const std::string_view word = word_before(code, at);
      found.is_body = word == "else" || word == "do";
      if (found.is_body) break;
      at -= word.size();
      continue;
    }
    --at;
  }
  found.begin = skip_spaces(code, at);
  found.end = end_of_statement(code, found.begin);
  if (found.end == kNone || found.end < call.end) return std::nullopt;
  found.returns = word_at(code, found.begin) == "return";
  return found;
}

std::optional<Statement> containing(const SourceText& source, const Statement& earlier,
                                    const Statement& later) {
  const std::string& code = source.code();
  for (std::size_t at = earlier.end;;) {
    Statement next;
    next.begin = skip_spaces(code, at);
    next.end = end_of_statement(code, next.begin);
    if (next.end == kNone || next.begin > later.begin) return std::nullopt;
    if (next.end >= later.end) return next.begin == later.begin ? later : next;
    at = next.end;
  }
}

bool may_vary(const SourceText& source, std::string_view expression, std::size_t from) {
  if (expression.find('[') != std::string_view::npos) return true;
  const FunctionRange function = function_at(source, from);
  if (function.body == kNone) return true;
  const std::vector<std::string_view> roots = roots_of(expression);
  return std::any_of(roots.begin(), roots.end(), [&](std::string_view root) {
    if (root == "nullptr" || root == "NULL") return false;
    const std::size_t declared = source.find_word(root, function.head, from);
    if (declared == kNone) return source.find_word(root, 0, function.head) == kNone;
    return declared < function.body || in_brackets(source.code(), function.body, declared);
  });
}

std::optional<Parameter> parameter_of(const SourceText& source, std::string_view expression,
                                      std::size_t from) {
  const FunctionRange function = function_at(source, from);
  if (function.body == kNone) return std::nullopt;
  const std::string& code = source.code();
  const std::size_t open = code.find('(', function.head);
  const std::size_t end = open < function.body ? after_bracket(code, open) : kNone;
  if (end == kNone || end > function.body) return std::nullopt;
  const std::vector<std::string> parameters = arguments_in(source, open, end - 1);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (word_before(parameters[i], std::min(parameters[i].find('='), parameters[i].size())) ==
        expression) {
      return Parameter{std::string(word_before(code, open)), i};
    }
  }
  return std::nullopt;
}

bool is_visible(const SourceText& source, std::string_view expression, std::size_t from,
                std::size_t to) {
  const FunctionRange function = function_at(source, from);
  if (function.body == kNone || function_at(source, to).body != function.body) return false;
  const auto there = source.blocks_at(to);
  const auto here = source.blocks_at(from);
  const std::vector<std::string_view> roots = roots_of(expression);
  return std::all_of(roots.begin(), roots.end(), [&](std::string_view root) {
    const std::size_t declared = source.find_word(root, function.head, from);
    if (declared == kNone || declared < function.body) return true;  // a parameter, or not local
    if (declared > to || !is_prefix(source.blocks_at(declared), there)) return false;
    return !in_brackets(source.code(), function.body, declared) || is_prefix(here, there);
  });
}

}  // namespace order
