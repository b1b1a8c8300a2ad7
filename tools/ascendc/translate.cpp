// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/translate.h"

#include <algorithm>
#include <map>

#include "tools/ascendc/kernel_finder.h"
#include "tools/ascendc/local_memories.h"

namespace kernel_compiler {
namespace {

/// The object of the host does not see the bodies of kernels.
const KernelKinds* kinds_of(const TranslateOptions& options) {
  return options.role == Role::host ? &options.kinds : nullptr;
}

class Translator {
 public:
  Translator(const Source& source, const TranslateOptions& options)
      : source_(source), options_(options), found_(find_kernels(source, kinds_of(options))) {}

  Translation run() {
    for (const KernelHead& head : found_.heads) insert_companion(head);
    for (const KernelHead& head : found_.specialised) specialisation(head);
    for (at_ = 0; at_ < count();) rewrite();
    Translation result;
    result.text = apply();
    result.kernels = found_.kernels;
    result.launches = launches_;
    return result;
  }

 private:
  std::size_t count() const { return source_.tokens().size(); }
  const Token& token(std::size_t i) const { return source_.tokens()[i]; }
  std::string_view word(std::size_t i) const { return source_.text(token(i)); }
  bool is(std::size_t i, std::string_view text) const { return source_.is(i, text); }

  [[noreturn]] void fail(std::size_t i, const std::string& what) const {
    throw SourceError(source_.location(token(i)), what);
  }

  void replace(std::size_t first, std::size_t last, std::string text) {
    edits_.push_back({token(first).begin, token(last).end, std::move(text)});
  }

  // ---- insertions ----

  /// Replaces the body of a kernel by calls of the objects of the device passes.
  void call_device_code(const KernelHead& head) {
    for (const Parameter& parameter : head.parameters) {
      if (parameter.named) continue;
      const std::uint32_t at = token(parameter.name_at).begin;
      edits_.push_back({at, at, " " + parameter.name});
    }
    if (!head.specialised) declare_device_code(head);
    const std::string arguments = own_template_arguments(head);
    replace(
        head.body, head.end - 1,
        "{ " + begin_body(head, arguments) + " " + call_passes(head, arguments, options_) + " }");
    device_code_[head.body] = head.end;
  }

  void define(const KernelHead& head) {
    if (options_.role == Role::host) {
      call_device_code(head);
    } else {
      begin_kernel(head);
    }
  }

  void begin_kernel(const KernelHead& head) {
    const std::string arguments = own_template_arguments(head);
    if (options_.role == Role::whole) {
      insert_lines("address of " + head.name, token(head.body), begin_body(head, arguments));
    } else if (head.is_template && !head.specialised) {
      const std::uint32_t begin = token(head.begin).begin;
      edits_.push_back({begin, begin, declare_in_pass(head, options_.role)});
      insert_lines("address of " + head.name, token(head.body),
                   begin_body_in_pass(head, arguments, options_.role));
    }
  }

  void declare_device_code(const KernelHead& head) {
    const std::uint32_t at = token(head.begin).begin;
    edits_.push_back({at, at, declare_passes(head, options_)});
  }

  /// A template without a definition has explicit specialisations.
  bool is_only_specialised(const KernelHead& head) {
    if (!head.is_template || head.defined) return false;
    const bool defined =
        std::any_of(found_.heads.begin(), found_.heads.end(), [&](const KernelHead& other) {
          return other.defined && other.is_template && other.name == head.name;
        });
    return !defined && only_specialised_.insert(head.name).second;
  }

  /// The template arguments of the declaration itself.
  std::string own_template_arguments(const KernelHead& head) const {
    if (!head.specialised) return template_arguments(head);
    return join_tokens(source_, head.name_token + 1, head.list);
  }

  void specialisation(const KernelHead& head) {
    if (head.defined) define(head);
    if (options_.role == Role::vector || options_.role == Role::cube) instantiate_in_pass(head);
  }

  /// An explicit specialisation or instantiation of a kernel also instantiates the function that
  /// calls it.
  void instantiate_in_pass(const KernelHead& head) {
    std::size_t i = head.begin;
    while (i < head.name_token && !is(i, "template")) ++i;
    const bool specialises = is(i + 1, "<");
    if (i == head.name_token || specialises != head.defined || is(i - 1, "extern")) return;
    std::string types;
    for (const Parameter& parameter : head.parameters)
      types += (types.empty() ? "" : ", ") + parameter.type;
    const std::uint32_t at = token(head.end - 1).end;
    edits_.push_back({at, at,
                      " template void " + head.qualifier + std::string(pass_prefix(options_.role)) +
                          head.name + own_template_arguments(head) + "(" + types + ");"});
  }

  /// Inserts text behind a token. Line markers assign it to a file of its own, so that no
  /// breakpoint and no warning refers to it; the rest of the line remains at its line and column.
  void insert_lines(const std::string& file, const Token& behind, const std::string& text) {
    const SourceLocation location = source_.location(behind);
    const LineMarker& marker = source_.marker(behind.line);
    std::string lines = "\n# 1 \"<" + file + ">\" 3\n" + text + "\n# " +
                        std::to_string(location.line) + " " + c_literal(marker.file) +
                        (marker.system ? " 3\n" : "\n");
    lines.append(location.column, ' ');
    edits_.push_back({behind.end, behind.end, std::move(lines)});
  }

  void insert_companion(const KernelHead& head) {
    if (head.defined) define(head);
    TranslateOptions options = options_;
    options.launchers &= found_.has_launcher(head.name);  // a name without overloads
    options.first_declaration = declared_.insert(symbol_of(head)).second;
    KernelHead described = head;
    described.defined |= is_only_specialised(head);
    if (described.defined != head.defined && options.role == Role::host) declare_device_code(head);
    insert_lines("launcher of " + head.name, token(head.end - 1), companion(described, options));
  }

  // ---- second pass: what changes ----

  void rewrite() {
    const auto code = device_code_.find(at_);
    if (code != device_code_.end()) {
      at_ = code->second;
      return;
    }
    const Token& here = token(at_);
    if (here.kind == TokenKind::identifier) {
      identifier();
    } else if (is(at_, "[")) {
      attribute();
    } else if (source_.is_run(at_, '<', 3) && !(at_ > 0 && is(at_ - 1, "operator"))) {
      launch();
    } else {
      ++at_;
    }
  }

  void identifier() {
    const std::string_view w = word(at_);
    if (w == "__global__" || w == "__vector__" || w == "__cube__" || w == "__aicpu__" ||
        w == "__kfc_workspace__") {
      replace(at_, at_, "");
      ++at_;
    } else if ((w == "__mix__" || w == "__schedmode__" || w == "KERNEL_TASK_TYPE_DEFAULT") &&
               is(at_ + 1, "(")) {
      erase_with_parentheses();
    } else if (w == "asm" || w == "__asm__" || w == "__asm") {
      trap();
    } else if (w == "using") {
      using_kernel();
    } else if (w == "__simd_vf__") {
      register_function();
    } else if (LocalMemories::is_keyword(w)) {
      at_ = memories_.rewrite(at_);
    } else if (w == "MakeMemPtr") {
      memories_.name_location(at_++);
    } else if (is_block_local()) {
      replace(at_, at_, "aclsim_local_" + std::string(w) + "()");
      ++at_;
    } else {
      ++at_;
    }
  }

  /// The body of a function of registers begins with an object: its life is one operation of the
  /// vector pipe.
  void register_function() {
    replace(at_, at_, "");
    std::size_t i = ++at_;
    while (i < count() && !is(i, ";") && !is(i, "{") &&
           (!is(i, "(") || is(i - 1, "__attribute__"))) {
      i = is(i, "(") ? source_.behind_bracket(i) : i + 1;
      if (i == 0) return;
    }
    i = i < count() && is(i, "(") ? source_.behind_bracket(i) : 0;
    if (i == 0 || !is(i, "{")) return;  // a declaration
    const std::uint32_t at = token(i).end;
    edits_.push_back({at, at, " const ::aclsim_reg::Scope aclsim_scope;"});
  }

  void erase_with_parentheses() {
    const std::size_t behind = source_.behind_bracket(at_ + 1);
    if (behind == 0) fail(at_, "'" + std::string(word(at_)) + "(' has no ')'");
    for (; at_ < behind; ++at_) replace(at_, at_, "");
  }

  /// The token behind [aicore], [host] or [host, aicore]; 0 for another bracket.
  std::size_t behind_sides() const {
    std::size_t i = at_ + 1;
    while (is(i, "aicore") || is(i, "host") || (i > at_ + 1 && is(i, ","))) ++i;
    return i > at_ + 1 && is(i, "]") ? i + 1 : 0;
  }

  void attribute() {
    const std::size_t behind = behind_sides();
    if (behind != 0) {
      replace(at_, behind - 1, "");
      at_ = behind;
    } else if ((is(at_ + 1, "block_local") || is(at_ + 1, "workgroup_local")) && is(at_ + 2, "]")) {
      block_local();
    } else {
      ++at_;
    }
  }

  /// [block_local] T name = value; each core has its own copy, which the function
  /// aclsim_local_NAME() returns. The declared variable holds the initial value of the copies.
  void block_local() {
    const std::size_t first = at_;
    const auto refuse = [&] {
      fail(first,
           "expected one variable of a namespace behind [" + std::string(word(first + 1)) + "]");
    };
    if (first > 0 && is(first - 1, "extern")) refuse();
    std::size_t name = count();
    std::size_t i = first + 3;
    for (; i < count() && word(i).find_first_of("=[{;,(") != 0; ++i) {
      if (is(i, "extern")) refuse();
      if (source_.is_identifier(i)) name = i;
      if (!is(i, "<")) continue;
      i = source_.behind_bracket(i);
      if (i-- == 0) refuse();  // the loop continues after the bracket
    }
    for (; i < count() && !is(i, ";");) {
      if (name == count() || is(i, ",")) refuse();
      const bool opens = is(i, "(") || is(i, "[") || is(i, "{");
      i = opens ? source_.behind_bracket(i) : i + 1;
      if (i == 0) refuse();
    }
    if (i >= count() || name == count()) refuse();
    const std::string called(word(name));
    replace(first, first + 2, "");
    replace(name, name, "aclsim_first_" + called);
    edits_.push_back(
        {token(i).end, token(i).end,
         " static __attribute__((unused)) decltype(aclsim_first_" + called + ") &aclsim_local_" +
             called + "() { return ::aclsim::launch::block_local(aclsim_first_" + called + "); }"});
    block_locals_[called] = i;
    at_ = first + 3;
  }

  /// Whether the token names a block-local variable: after its declaration, and not a member of
  /// that name.
  bool is_block_local() const {
    const auto it = block_locals_.find(word(at_));
    return it != block_locals_.end() && at_ > it->second && !is(at_ - 1, ".") && !is(at_ - 1, "->");
  }

  /// asm("trap"), asm volatile("trap;")
  void trap() {
    std::size_t i = at_ + 1;
    while (source_.is_identifier(i)) ++i;  // volatile
    const std::size_t behind = is(i, "(") ? source_.behind_bracket(i) : 0;
    if (behind == 0 || i + 1 >= count() || token(i + 1).kind != TokenKind::string) {
      ++at_;
      return;
    }
    std::string code(word(i + 1));
    std::erase_if(code, [](char c) { return c == '"' || c == ' ' || c == ';' || c == '\t'; });
    if (code == "trap" || code == "trap\\n") replace(at_, behind - 1, "::aclsim::launch::trap()");
    at_ = behind;
  }

  /// using a::kernel;
  void using_kernel() {
    std::size_t i = at_ + 1;
    while (i < count() && (source_.is_identifier(i) || is(i, "::"))) ++i;
    const bool system = source_.marker(token(at_).line).system;  // for example std::abs
    if (!system && is(i, ";") && i >= at_ + 3 && is(i - 2, "::") &&
        found_.names.contains(std::string(word(i - 1)))) {
      std::string also = " using ";
      for (std::size_t k = at_ + 1; k + 1 < i; ++k) also += word(k);
      edits_.push_back(
          {token(i).end, token(i).end, also + "aclsim_launch_" + std::string(word(i - 1)) + ";"});
    }
    at_ = i;
  }

  void launch() {
    const std::size_t open = at_;
    const std::size_t close = find_close(open);
    const SourceLocation location = source_.location(token(open));
    const std::string where =
        c_literal(location.file) + ", " + std::to_string(location.line) + ", ";
    const std::size_t name = name_before(open);
    if (name != count() && found_.ai_cpu.contains(std::string(word(name)))) {
      fail(name, "the kernel '" + std::string(word(name)) +
                     "' runs on AI CPUs; launches of those are not supported");
    }
    check_values(open, close, name);
    const std::size_t list = close + 3;
    if (source_.behind_bracket(list) == 0) fail(list, "'(' of the launch has no ')'");
    if (name != count() && found_.names.contains(std::string(word(name)))) {
      edits_.push_back({token(name).begin, token(name).begin, "aclsim_launch_"});
      replace(open, open + 2, "(::aclsim::launch::at(" + where);
      replace(close, list, is(list + 1, ")") ? ")" : "), ");
    } else if (name != count() && !is_member(name)) {  // a pointer, or a template's parameter
      const Token& first = token(begin_of_path(name));
      edits_.push_back({first.begin, first.begin, by_name(begin_of_path(name), open)});
      replace(open, open + 2, ", ::aclsim::launch::at(" + where);
      replace(close, close + 2, "))");
    } else {  // an expression whose value is a pointer to a kernel
      replace(open, open + 2, "->*::aclsim::launch::pointer(" + where);
      replace(close, close + 2, ")");
    }
    ++launches_;
    at_ = open + 3;  // the values of this launch may contain launches
  }

  /// Only the name of a function has a function type. In a source without kernels, a macro may have
  /// removed __global__, so the name may also be a pointer.
  std::string by_name(std::size_t begin, std::size_t end) const {
    if (found_.names.empty()) return "::aclsim::launch::pointer(";
    return "::aclsim::launch::named(::std::is_function<decltype(" +
           join_tokens(source_, begin, end) + ")>(), ";
  }

  /// Requires one to four values. They are not counted if a `<` may be a comparison.
  void check_values(std::size_t open, std::size_t close, std::size_t name) const {
    std::size_t values = close == open + 3 ? 0 : 1;
    for (std::size_t i = open + 3; i < close;) {
      if (is(i, "<")) return;
      const bool opens = is(i, "(") || is(i, "[") || is(i, "{");
      values += is(i, ",") ? 1 : 0;
      i = opens ? source_.behind_bracket(i) : i + 1;
      if (i == 0) return;
    }
    if (values >= 1 && values <= 4) return;
    fail(open, "the launch" +
                   (name != count() ? " of '" + std::string(word(name)) + "'" : std::string()) +
                   " has " + std::to_string(values) +
                   " values between '<<<' and '>>>'; expected blocks, bytes and stream, or for "
                   "SIMT grid, block, bytes and stream");
  }

  /// The first `>` of the `>>>(` that ends the values.
  std::size_t find_close(std::size_t open) const {
    std::size_t last_run = 0;
    for (std::size_t i = open + 3; i < count();) {
      if (source_.is_run(i, '>', 3)) {
        if (is(i + 3, "(")) return i;
        last_run = i;
      }
      if (is(i, "(") || is(i, "[") || is(i, "{")) {
        i = source_.behind_bracket(i);
        if (i == 0) break;
        continue;
      }
      if (is(i, ";") || is(i, ")") || is(i, "]") || is(i, "}")) break;
      ++i;
    }
    if (last_run != 0) fail(last_run, "expected '(' and the kernel's arguments behind '>>>'");
    fail(open, "'<<<' of a launch has no '>>>('");
  }

  /// The identifier that the launch names: before `<<<`, or before its template arguments. count()
  /// if the launch does not name an identifier.
  std::size_t name_before(std::size_t open) const {
    if (open == 0) fail(open, "'<<<' has no kernel before it");
    std::size_t i = open - 1;
    if (source_.is_identifier(i)) return i;
    if (!is(i, ">")) return count();
    // Finds the '<' that this '>' closes; nested templates are tried from the inside.
    for (std::size_t k = i; k > 0; --k) {
      if (is(k, ";") || is(k, "{") || is(k, "}")) break;
      if (is(k, "<") && source_.behind_bracket(k) == open && source_.is_identifier(k - 1)) {
        return k - 1;
      }
    }
    return count();
  }

  bool is_member(std::size_t name) const {
    const std::size_t first = begin_of_path(name);
    return first > 0 && (is(first - 1, ".") || is(first - 1, "->"));
  }

  /// The first token of a::b::name.
  std::size_t begin_of_path(std::size_t name) const {
    std::size_t first = name;
    while (first >= 1 && is(first - 1, "::")) {
      first -= first >= 2 && source_.is_identifier(first - 2) ? 2 : 1;
    }
    return first;
  }

  std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    const std::string_view text = source_.text();
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    std::size_t done = 0;
    for (const Edit& edit : edits_) {
      result += text.substr(done, edit.begin - done);
      result += edit.text;
      // Line breaks in replaced text are kept.
      const std::string_view old = text.substr(edit.begin, edit.end - edit.begin);
      result.append(static_cast<std::size_t>(std::count(old.begin(), old.end(), '\n')), '\n');
      done = edit.end;
    }
    result += text.substr(done);
    return result;
  }

  const Source& source_;
  const TranslateOptions& options_;
  const FoundKernels found_;
  std::size_t at_ = 0;
  std::size_t launches_ = 0;
  std::set<std::string> only_specialised_;
  std::set<std::string> declared_;  // kernels whose companions exist, by their symbols
  std::map<std::size_t, std::size_t> device_code_;  // bodies that are replaced, with their ends
  std::vector<KernelHead> kernels_;
  std::map<std::string, std::size_t, std::less<>> block_locals_;  // with the end of the declaration
  std::vector<Edit> edits_;
  LocalMemories memories_{source_, edits_, block_locals_};
};

}  // namespace

Translation translate(std::string_view text, const std::string& name,
                      const TranslateOptions& options) {
  const Source source(text, name);
  return Translator(source, options).run();
}

}  // namespace kernel_compiler
