// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/translate.h"

#include <algorithm>
#include <map>
#include <set>

namespace kernel_compiler {
namespace {

/// A replacement for the bytes from begin to end of the source.
struct Edit {
  std::uint32_t begin;
  std::uint32_t end;
  std::string text;
};

enum class ScopeKind { named, unnamed, linkage, block };
struct Scope {
  ScopeKind kind;
  std::string name;
};

class Translator {
 public:
  Translator(const Source& source, const TranslateOptions& options)
      : source_(source), options_(options) {}

  Translation run() {
    for (at_ = 0; at_ < count(); ++at_) scopes_and_kernels();
    for (const KernelHead& head : heads_) insert_companion(head);
    for (at_ = 0; at_ < count();) rewrite();
    Translation result;
    result.text = apply();
    result.kernels = std::move(kernels_);
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

  // ---- first pass: where kernels are ----

  void scopes_and_kernels() {
    const std::string_view w = word(at_);
    if (w == "{") {
      scopes_.push_back(scope_of_brace());
    } else if (w == "}") {
      if (!scopes_.empty()) scopes_.pop_back();
    } else if (w == "__global__") {
      kernel();
    } else if (w == "struct" || w == "class") {
      structure();
    }
  }

  bool in_namespace() const {
    return std::none_of(scopes_.begin(), scopes_.end(), [](const Scope& scope) {
      return scope.kind == ScopeKind::block || scope.kind == ScopeKind::unnamed;
    });
  }

  std::string namespace_path() const {
    std::string path;
    for (const Scope& scope : scopes_) {
      if (scope.kind == ScopeKind::named) path += (path.empty() ? "" : "::") + scope.name;
    }
    return path;
  }

  /// `struct NAME {` or `struct NAME;` of a namespace.
  void structure() {
    if (!in_namespace() || (at_ > 0 && is(at_ - 1, "enum"))) return;
    std::string_view name;
    for (std::size_t i = at_ + 1; i < count(); ++i) {
      if (is(i, "(") && !name.empty()) {  // alignas(8), __attribute__((packed))
        i = source_.behind_bracket(i) - 1;
        if (i + 1 == 0) return;
      } else if (source_.is_identifier(i)) {
        if (word(i) != "final") name = word(i);
      } else {
        const bool ends = is(i, "{") || is(i, ";") || is(i, ":");
        if (ends && !name.empty()) structures_.insert(namespace_path() + "::" + std::string(name));
        return;
      }
    }
  }

  /// The structure that the type of the parameter names in the namespace `scope`; empty if it is
  /// not a structure, or an alias of one.
  std::string structure_of(const Parameter& parameter, std::string scope) const {
    std::string name;
    for (std::size_t at = 0; at < parameter.type.size();) {
      const std::size_t end = std::min(parameter.type.find(' ', at), parameter.type.size());
      const std::string part = parameter.type.substr(at, end - at);
      if (part != "const" && part != "volatile" && part != "struct" && part != "class")
        name += part;
      at = end + 1;
    }
    if (name.starts_with("::")) name.erase(0, 2);
    while (true) {
      const std::string path = scope + "::" + name;
      if (structures_.contains(path)) return path.starts_with("::") ? path.substr(2) : path;
      if (scope.empty()) return {};
      const std::size_t cut = scope.rfind("::");
      scope.erase(cut == std::string::npos ? 0 : cut);
    }
  }

  /// Looks for the expansion of REGIST_MATMUL_OBJ: a kernel that reaches it needs cube cores.
  bool calls_matmul(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i + 3 < end; ++i) {
      if (word(i) != "aclsim_matmul") continue;
      if (is(i + 1, "::") && word(i + 2) == "regist") return true;
    }
    return false;
  }

  /// Whether a class or function outside of kernels uses it. All kernels of the source then count
  /// as its users.
  bool matmul_outside_kernels() {
    if (matmul_outside_ < 0) {
      std::size_t from = 0;
      matmul_outside_ = 0;
      for (std::size_t i = 0; i < count() && matmul_outside_ == 0; ++i) {
        if (word(i) != "__global__") continue;
        if (calls_matmul(from, i)) matmul_outside_ = 1;
        from = i = read_kernel_head(source_, i).end - 1;
      }
      if (calls_matmul(from, count())) matmul_outside_ = 1;
    }
    return matmul_outside_ == 1;
  }

  Scope scope_of_brace() const {
    std::size_t i = at_;
    if (i >= 2 && is(i - 2, "extern") && token(i - 1).kind == TokenKind::string) {
      return {ScopeKind::linkage, std::string(word(i - 1))};
    }
    std::string name;  // a::b, without attributes
    while (i > 0 && (source_.is_identifier(i - 1) || is(i - 1, "::") || is(i - 1, "]"))) {
      --i;
      if (is(i, "namespace")) {
        return {name.empty() ? ScopeKind::unnamed : ScopeKind::named, name};
      }
      if (is(i, "]")) {
        while (i > 0 && !is(i, "[")) --i;
        if (i > 0 && is(i - 1, "[")) --i;
      } else if (word(i) != "inline") {
        name.insert(0, word(i));
      }
    }
    return {ScopeKind::block, {}};
  }

  void kernel() {
    if (at_ < behind_kernel_head_) return;  // __global__ twice in one declaration
    KernelHead head = read_kernel_head(source_, at_);
    if (head.kind == CoreKind::inferred && head.defined &&
        (calls_matmul(at_, head.end) || matmul_outside_kernels())) {
      head.kind = CoreKind::mix_1_2;
    }
    head.scope = namespace_path();
    for (Parameter& parameter : head.parameters) {
      if (!parameter.pointer) parameter.structure = structure_of(parameter, head.scope);
    }
    for (const Scope& scope : scopes_) {
      head.internal |= scope.kind == ScopeKind::unnamed;
      head.c_linkage |= scope.kind == ScopeKind::linkage && scope.name == "\"C\"";
      head.in_block |= scope.kind == ScopeKind::block;
    }
    if (head.in_block) {
      fail(at_, "the kernel '" + head.name +
                    "' is declared inside a function or class; expected it in a namespace");
    }
    for (std::size_t i = at_; i < head.end; ++i) {
      behind_kernel_head_ = i;
      if (is(i, "{") || is(i, ";")) break;
    }
    if (head.ai_cpu) {
      ai_cpu_.insert(head.name);
      return;
    }
    names_.insert(head.name);
    if (head.specialised) return;  // launches use the launcher of the template
    heads_.push_back(head);
    if (!head.defined || head.is_template) return;
    launchers_[head.name] += head.internal ? 0 : 1;
    kernels_.push_back(std::move(head));
  }

  /// Line markers assign the inserted lines to a file of their own, so that no breakpoint and no
  /// warning refers to them.
  void insert_companion(const KernelHead& head) {
    const Token& last = token(head.end - 1);
    const SourceLocation location = source_.location(last);
    const LineMarker& marker = source_.marker(last.line);
    std::string text = "\n# 1 \"<launcher of " + head.name + ">\" 3\n";
    TranslateOptions options = options_;
    options.launchers &= launchers_[head.name] == 1;  // a name without overloads
    text += companion(head, options);
    text += "\n# " + std::to_string(location.line) + " " + c_literal(marker.file) +
            (marker.system ? " 3\n" : "\n");
    text.append(location.column, ' ');
    edits_.push_back({last.end, last.end, std::move(text)});
  }

  // ---- second pass: what changes ----

  void rewrite() {
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
    if (w == "__global__" || w == "__vector__" || w == "__cube__" || w == "__aicpu__") {
      replace(at_, at_, "");
      ++at_;
    } else if ((w == "__mix__" || w == "__schedmode__" || w == "KERNEL_TASK_TYPE_DEFAULT") &&
               is(at_ + 1, "(")) {
      erase_with_parentheses();
    } else if (w == "asm" || w == "__asm__" || w == "__asm") {
      trap();
    } else if (w == "using") {
      using_kernel();
    } else if (w == "__ubuf__") {
      unified_buffer();
    } else if (is_block_local()) {
      replace(at_, at_, "aclsim_local_" + std::string(w) + "()");
      ++at_;
    } else {
      ++at_;
    }
  }

  /// A pointer into the unified buffer is a host pointer. An array or a variable of a function is
  /// allocated in the unified buffer; all threads of a block share it.
  void unified_buffer() {
    const std::size_t first = at_;
    std::size_t i = at_ + 1;
    while (i < count() && !is(i + 1, "[") &&
           (source_.is_identifier(i) || is(i, "::") || is(i, "<"))) {
      const std::size_t behind = is(i, "<") ? source_.behind_bracket(i) : i + 1;
      if (behind == 0) break;
      i = behind;
    }
    replace(at_, at_, "");
    ++at_;
    if (i > first + 1 && source_.is_identifier(i) && is(i + 1, "[")) return unified_array(first, i);
    const std::size_t name = i - 1;
    if (is(i, ";") && name > first + 1 && source_.is_identifier(name) && !is(name - 1, "::") &&
        begins_declaration(first) && in_function(first)) {
      lay_out(first, name, i, "&" + std::string(word(name)));
    }
  }

  bool begins_declaration(std::size_t at) const {
    static constexpr std::string_view kBefore[] = {";", "{", "}", "static"};
    return at > 0 && std::any_of(std::begin(kBefore), std::end(kBefore),
                                 [&](std::string_view w) { return is(at - 1, w); });
  }

  void unified_array(std::size_t first, std::size_t name) {
    std::size_t end = name + 1;
    while (end != 0 && is(end, "[")) end = source_.behind_bracket(end);
    if (!in_function(first)) {
      fail(first, "the __ubuf__ array '" + std::string(word(name)) +
                      "' is declared outside of a function; expected its declaration in the "
                      "function that uses it");
    }
    if (end == 0 || !is(end, ";")) {
      fail(first, "expected one array to a declaration, without values, behind __ubuf__");
    }
    lay_out(first, name, end, "(&" + std::string(word(name)) + ")");
  }

  void lay_out(std::size_t first, std::size_t name, std::size_t end, std::string reference) {
    if (first > 0 && is(first - 1, "static")) replace(first - 1, first - 1, "");
    const std::string called(word(name));
    replace(name, name, std::move(reference));
    edits_.push_back({token(end).begin, token(end).begin,
                      " = ::aclsim::launch::unified_array<::std::remove_reference_t<decltype(" +
                          called + ")>>([] {}, \"" + called + "\")"});
  }

  /// Whether one of the braces around a token follows a parameter list.
  bool in_function(std::size_t at) const {
    int depth = 0;
    for (std::size_t i = at; i-- > 0;) {
      if (is(i, "}")) ++depth;
      if (!is(i, "{") || depth-- > 0) continue;
      depth = 0;
      std::size_t before = i;
      while (before > 0 &&
             (is(before - 1, "const") || is(before - 1, "noexcept") || is(before - 1, "override")))
        --before;
      if (before > 0 && is(before - 1, ")")) return true;
    }
    return false;
  }

  void erase_with_parentheses() {
    const std::size_t behind = source_.behind_bracket(at_ + 1);
    if (behind == 0) fail(at_, "'" + std::string(word(at_)) + "(' has no ')'");
    for (; at_ < behind; ++at_) replace(at_, at_, "");
  }

  void attribute() {
    if (is(at_ + 1, "aicore") && is(at_ + 2, "]")) {
      replace(at_, at_ + 2, "");
      at_ += 3;
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
    if (is(i, ";") && i >= at_ + 3 && is(i - 2, "::") &&
        names_.contains(std::string(word(i - 1)))) {
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
    if (name != count() && ai_cpu_.contains(std::string(word(name)))) {
      fail(name, "the kernel '" + std::string(word(name)) +
                     "' runs on AI CPUs; launches of those are not supported");
    }
    check_values(open, close, name);
    const std::size_t list = close + 3;
    if (source_.behind_bracket(list) == 0) fail(list, "'(' of the launch has no ')'");
    if (name != count() && names_.contains(std::string(word(name)))) {
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
    if (names_.empty()) return "::aclsim::launch::pointer(";
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
  std::size_t at_ = 0;
  std::size_t behind_kernel_head_ = 0;
  int matmul_outside_ = -1;  // -1: not determined yet
  std::size_t launches_ = 0;
  std::vector<Scope> scopes_;
  std::vector<KernelHead> heads_;  // of all declarations
  std::vector<KernelHead> kernels_;
  std::map<std::string, int, std::less<>> launchers_;  // kernels that would have one, by name
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> structures_;  // with "::" before the last name
  std::set<std::string, std::less<>> ai_cpu_;
  std::map<std::string, std::size_t, std::less<>> block_locals_;  // with the end of the declaration
  std::vector<Edit> edits_;
};

}  // namespace

Translation translate(std::string_view text, const std::string& name,
                      const TranslateOptions& options) {
  const Source source(text, name);
  return Translator(source, options).run();
}

}  // namespace kernel_compiler
