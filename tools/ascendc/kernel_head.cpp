// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/kernel_head.h"

#include <algorithm>

namespace kernel_compiler {
namespace {

template <std::size_t N>
bool one_of(std::string_view word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Words before the name of a function that are followed by parentheses.
constexpr std::string_view kTakesParentheses[] = {
    "__attribute__", "__attribute", "__launch_bounds__", "__mix__",
    "__schedmode__", "alignas",     "decltype"};
constexpr std::string_view kBuiltIn[] = {"void",    "bool",    "char",     "short",    "int",
                                         "long",    "float",   "double",   "signed",   "unsigned",
                                         "wchar_t", "char8_t", "char16_t", "char32_t", "auto"};
constexpr std::string_view kDecoration[] = {"const",        "volatile",   "struct",   "class",
                                            "union",        "enum",       "typename", "register",
                                            "__restrict__", "__restrict", "restrict", "constexpr"};

/// The word that marks the parameter of a kernel that is the system's workspace.
constexpr std::string_view kWorkspace = "__kfc_workspace__";

struct Range {
  std::size_t begin;
  std::size_t end;
};

/// Cuts [begin, end) at commas outside brackets; `<` counts as a bracket if a `>` closes it.
std::vector<Range> split_at_commas(const Source& source, std::size_t begin, std::size_t end) {
  std::vector<Range> parts;
  std::size_t part = begin;
  for (std::size_t i = begin; i < end;) {
    const bool opens =
        source.is(i, "(") || source.is(i, "[") || source.is(i, "{") || source.is(i, "<");
    const std::size_t behind = opens ? source.behind_bracket(i) : 0;
    if (behind != 0 && behind <= end) {
      i = behind;
      continue;
    }
    if (source.is(i, ",")) {
      parts.push_back({part, i});
      part = i + 1;
    }
    ++i;
  }
  if (part < end || !parts.empty()) parts.push_back({part, end});
  return parts;
}

/// The first token of the range that equals `word`, outside brackets; range.end if no token does.
std::size_t find_outside(const Source& source, Range range, std::string_view word) {
  for (std::size_t i = range.begin; i < range.end;) {
    if (source.is(i, word)) return i;
    const bool opens =
        source.is(i, "(") || source.is(i, "[") || source.is(i, "{") || source.is(i, "<");
    const std::size_t behind = opens ? source.behind_bracket(i) : 0;
    i = behind != 0 && behind <= range.end ? behind : i + 1;
  }
  return range.end;
}

/// Whether the tokens [begin, at) name a type, so that an identifier at `at` names a parameter.
bool has_type_before(const Source& source, std::size_t begin, std::size_t at) {
  for (std::size_t i = begin; i < at; ++i) {
    const std::string_view word = source.text(source.tokens()[i]);
    if (word == "::") continue;
    if (!one_of(word, kDecoration)) return true;
  }
  return false;
}

/// The token that names the parameter declared by [begin, end); `end` if it has no name.
std::size_t find_name(const Source& source, std::size_t begin, std::size_t end) {
  if (end == begin) return end;
  const std::size_t last = end - 1;
  if (!source.is_identifier(last)) return end;
  const std::string_view word = source.text(source.tokens()[last]);
  if (one_of(word, kBuiltIn) || one_of(word, kDecoration)) return end;
  if (last > begin && source.is(last - 1, "::")) return end;
  return has_type_before(source, begin, last) ? last : end;
}

Parameter read_parameter(const Source& source, Range range, std::size_t number) {
  const std::size_t assign = find_outside(source, range, "=");
  const std::size_t bracket = find_outside(source, {range.begin, assign}, "[");
  const std::size_t name = find_name(source, range.begin, bracket);
  const Token& first = source.tokens()[range.begin];
  if (find_outside(source, {range.begin, assign}, "&") != assign) {
    throw SourceError(source.location(first),
                      "a parameter of a kernel is a reference; expected a value or a pointer");
  }
  if (find_outside(source, {range.begin, assign}, "(") != assign) {
    throw SourceError(source.location(first),
                      "a parameter of a kernel has a declarator in parentheses; expected a value "
                      "or a pointer");
  }
  Parameter parameter;
  for (std::size_t i = range.begin; i < range.end; ++i)
    parameter.system_workspace |= source.is(i, kWorkspace);
  parameter.name = name < bracket ? std::string(source.text(source.tokens()[name]))
                                  : "aclsim_p" + std::to_string(number);
  parameter.named = name < bracket;
  parameter.name_at = bracket;
  parameter.type = join_tokens(source, range.begin, std::min(name, bracket));
  parameter.pointer =
      find_outside(source, {range.begin, assign}, "*") != assign || bracket != assign;
  for (std::size_t i = range.begin; i + 2 < bracket; ++i) {
    parameter.pack |= source.is_run(i, '.', 3);
  }
  parameter.bare = parameter.type + " " + parameter.name +
                   (bracket != assign ? join_tokens(source, bracket, assign) : std::string());
  if (bracket != assign) parameter.type += " *";
  parameter.declaration =
      parameter.bare +
      (assign < range.end ? " " + join_tokens(source, assign, range.end) : std::string());
  return parameter;
}

/// `typename T`, `int N = 2`, `class... Ts`, `template <typename> class C`.
Parameter read_template_parameter(const Source& source, Range range, std::size_t number) {
  const std::size_t assign = find_outside(source, range, "=");
  Parameter parameter;
  std::size_t dots = range.end;
  for (std::size_t i = range.begin; i + 2 < assign; ++i) {
    if (source.is_run(i, '.', 3)) dots = i;
  }
  parameter.pack = dots != range.end;
  const std::size_t last = assign - 1;
  const std::string_view word = source.text(source.tokens()[last]);
  const bool named = source.is_identifier(last) && last > range.begin && !one_of(word, kBuiltIn) &&
                     word != "typename" && word != "class" && !source.is(last - 1, "::");
  parameter.name = named ? std::string(word) : "AclsimT" + std::to_string(number);
  parameter.bare = join_tokens(source, range.begin, named ? last : assign) + " " + parameter.name;
  parameter.declaration =
      parameter.bare +
      (assign < range.end ? " " + join_tokens(source, assign, range.end) : std::string());
  return parameter;
}

class HeadReader {
 public:
  HeadReader(const Source& source, std::size_t index) : source_(source), index_(index) {}

  KernelHead read() {
    find_begin();
    read_template();
    const std::size_t open = find_name_and_list();
    head_.list = open;
    read_parameters(open);
    find_end(source_.behind_bracket(open));
    return std::move(head_);
  }

 private:
  std::string_view word(std::size_t i) const { return source_.text(source_.tokens()[i]); }

  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    const std::size_t last = source_.tokens().size() - 1;
    throw SourceError(source_.location(source_.tokens()[std::min(at, last)]), what);
  }

  void find_begin() {
    std::size_t begin = index_;
    while (begin > 0) {
      const std::string_view before = word(begin - 1);
      if (before == ";" || before == "}" || before == "{") break;
      --begin;
    }
    head_.begin = begin;
    for (std::size_t i = begin; i < index_; ++i) note_word(i);
  }

  void read_template() {
    std::size_t i = head_.begin;
    while (i < index_ && word(i) != "template") ++i;
    if (i == index_) return;
    head_.is_template = true;
    if (!source_.is(i + 1, "<")) {  // an explicit instantiation
      head_.specialised = true;
      return;
    }
    const std::size_t behind = source_.behind_bracket(i + 1);
    if (behind == 0 || behind > index_) fail(i + 1, "'<' of the template has no '>'");
    const auto parts = split_at_commas(source_, i + 2, behind - 1);
    head_.specialised = parts.empty();  // template <>
    for (const Range part : parts) {
      if (part.begin == part.end) fail(part.begin, "a template parameter is missing");
      head_.template_parameters.push_back(
          read_template_parameter(source_, part, head_.template_parameters.size()));
    }
  }

  void note_word(std::size_t i) {
    const std::string_view w = word(i);
    if (w == "static") head_.internal = true;
    if (w == "inline") head_.inline_ = true;
    if (w == "__aicpu__") head_.ai_cpu = true;
    if (w == "__vector__") head_.kind = CoreKind::vector;
    if (w == "__cube__") head_.kind = CoreKind::cube;
    if (w == "__mix__") read_mix(i);
    if (w == "extern" && source_.is(i + 1, "\"C\"")) head_.c_linkage = true;
  }

  void read_mix(std::size_t i) {
    const std::size_t behind = source_.is(i + 1, "(") ? source_.behind_bracket(i + 1) : 0;
    const std::string ratio = behind ? join_tokens(source_, i + 2, behind - 1) : std::string();
    if (ratio == "1 , 1") {
      head_.kind = CoreKind::mix_1_1;
    } else if (ratio == "1 , 2") {
      head_.kind = CoreKind::mix_1_2;
    } else if (ratio == "1 , 0") {
      head_.kind = CoreKind::mix_1_0;
    } else if (ratio == "0 , 1") {
      head_.kind = CoreKind::mix_0_1;
    } else {
      fail(i, "__mix__(" + ratio + ") is unknown; expected (1, 0), (0, 1), (1, 1) or (1, 2)");
    }
  }

  /// Sets the name; returns the token `(` after the name.
  std::size_t find_name_and_list() {
    bool returns_void = false;
    for (std::size_t i = head_.begin; i < index_; ++i) returns_void |= word(i) == "void";
    for (std::size_t i = index_ + 1; i < source_.tokens().size();) {
      const std::string_view w = word(i);
      if (w == ";" || w == "{" || w == "}" || w == "=") break;
      if (w == "[" || (one_of(w, kTakesParentheses) && source_.is(i + 1, "("))) {
        note_word(i);
        const std::size_t behind = source_.behind_bracket(w == "[" ? i : i + 1);
        if (behind == 0) fail(i, "'" + std::string(w) + "' has no closing bracket");
        i = behind;
        continue;
      }
      note_word(i);
      if (w == "void") returns_void = true;
      const std::size_t open = list_behind(i);
      if (open != 0) {
        set_name(i);
        if (!returns_void && !head_.ai_cpu) {
          fail(i, "the kernel '" + head_.name + "' does not return void");
        }
        return open;
      }
      ++i;
    }
    fail(index_, "no function is declared behind __global__");
  }

  /// The `(` of the parameters if the token is the name of a function; 0 otherwise.
  std::size_t list_behind(std::size_t i) {
    if (!source_.is_identifier(i) || one_of(word(i), kBuiltIn)) return 0;
    if (source_.is(i + 1, "(")) return i + 1;
    if (!source_.is(i + 1, "<")) return 0;
    const std::size_t behind = source_.behind_bracket(i + 1);
    if (behind == 0 || !source_.is(behind, "(")) return 0;
    head_.specialised = true;
    return behind;
  }

  void set_name(std::size_t i) {
    head_.name = word(i);
    head_.name_token = i;
    head_.location = source_.location(source_.tokens()[i]);
    std::size_t first = i;
    while (first >= 2 && source_.is(first - 1, "::")) {
      first -= source_.is_identifier(first - 2) ? 2 : 1;
    }
    for (std::size_t k = first; k < i; ++k) head_.qualifier += word(k);
  }

  void read_parameters(std::size_t open) {
    const std::size_t behind = source_.behind_bracket(open);
    if (behind == 0) fail(open, "'(' of the kernel '" + head_.name + "' has no ')'");
    const auto parts = split_at_commas(source_, open + 1, behind - 1);
    if (parts.size() == 1 && parts[0].end - parts[0].begin == 1 && word(parts[0].begin) == "void") {
      return;
    }
    for (const Range part : parts) {
      if (part.begin == part.end) fail(part.begin, "a parameter of the kernel is missing");
      head_.parameters.push_back(read_parameter(source_, part, head_.parameters.size()));
    }
  }

  void find_end(std::size_t i) {
    for (; i < source_.tokens().size(); ++i) {
      if (word(i) == ";") {
        head_.end = i + 1;
        return;
      }
      if (word(i) == "(" || word(i) == "[") {
        const std::size_t behind = source_.behind_bracket(i);
        if (behind == 0) break;
        i = behind - 1;
      } else if (word(i) == "{") {
        const std::size_t behind = source_.behind_bracket(i);
        if (behind == 0) fail(i, "'{' of the kernel '" + head_.name + "' has no '}'");
        head_.end = behind;
        head_.body = i;
        head_.defined = true;
        read_task_type(i, behind);
        return;
      }
    }
    fail(index_, "the declaration of the kernel '" + head_.name + "' does not end");
  }

  /// KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_...) in the body.
  void read_task_type(std::size_t begin, std::size_t end) {
    static constexpr struct {
      std::string_view name;
      CoreKind kind;
    } kTypes[] = {{"KERNEL_TYPE_AIV_ONLY", CoreKind::vector},
                  {"KERNEL_TYPE_AIC_ONLY", CoreKind::cube},
                  {"KERNEL_TYPE_MIX_AIV_1_0", CoreKind::mix_0_1},
                  {"KERNEL_TYPE_MIX_AIC_1_0", CoreKind::mix_1_0},
                  {"KERNEL_TYPE_MIX_AIC_1_1", CoreKind::mix_1_1},
                  {"KERNEL_TYPE_MIX_AIC_1_2", CoreKind::mix_1_2}};
    for (std::size_t i = begin; i + 2 < end; ++i) {
      if (word(i) != "KERNEL_TASK_TYPE_DEFAULT" || word(i + 1) != "(") continue;
      const std::size_t behind = source_.behind_bracket(i + 1);
      if (behind < i + 4) fail(i, "KERNEL_TASK_TYPE_DEFAULT has no value");
      for (const auto& type : kTypes) {
        if (word(behind - 2) == type.name) {
          head_.kind = type.kind;
          return;
        }
      }
      fail(i, "KERNEL_TASK_TYPE_DEFAULT(" + join_tokens(source_, i + 2, behind - 1) +
                  ") is not supported; expected KERNEL_TYPE_AIV_ONLY, AIC_ONLY, MIX_AIV_1_0, "
                  "MIX_AIC_1_0, MIX_AIC_1_1 or MIX_AIC_1_2");
    }
  }

  const Source& source_;
  const std::size_t index_;
  KernelHead head_;
};

}  // namespace

std::string join_tokens(const Source& source, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (source.is(i, kWorkspace)) continue;  // no word of C++
    const Token& token = source.tokens()[i];
    // Adjacent punctuators may be one token for the compiler.
    if (!text.empty() && !(token.glued && token.kind == TokenKind::punctuator &&
                           source.tokens()[i - 1].kind == TokenKind::punctuator)) {
      text += ' ';
    }
    text += source.text(token);
  }
  return text;
}

KernelHead read_kernel_head(const Source& source, std::size_t index) {
  return HeadReader(source, index).read();
}

}  // namespace kernel_compiler
