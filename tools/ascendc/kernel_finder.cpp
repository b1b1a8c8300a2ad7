// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/kernel_finder.h"

#include <algorithm>
#include <iterator>

namespace kernel_compiler {
namespace {

enum class ScopeKind { named, unnamed, linkage, block };
struct Scope {
  ScopeKind kind;
  std::string name;
};

class KernelFinder {
 public:
  KernelFinder(const Source& source, const KernelKinds* known) : source_(source), known_(known) {}

  FoundKernels find() {
    for (at_ = 0; at_ < count(); ++at_) scopes_and_kernels();
    return std::move(found_);
  }

 private:
  std::size_t count() const { return source_.tokens().size(); }
  const Token& token(std::size_t i) const { return source_.tokens()[i]; }
  std::string_view word(std::size_t i) const { return source_.text(token(i)); }
  bool is(std::size_t i, std::string_view text) const { return source_.is(i, text); }

  [[noreturn]] void fail(std::size_t i, const std::string& what) const {
    throw SourceError(source_.location(token(i)), what);
  }

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

  /// Looks for the expansion of REGIST_MATMUL_OBJ and for instructions of the cube unit: a kernel
  /// that reaches them needs cube cores.
  bool uses_cube(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i + 3 < end; ++i) {
      if (word(i) == "aclsim_matmul" && is(i + 1, "::") && word(i + 2) == "regist") return true;
      if (is_cube_instruction(i) && !source_.marker(token(i).line).system) return true;
    }
    return false;
  }

  bool is_cube_instruction(std::size_t i) const {
    static constexpr std::string_view kNames[] = {
        "Mmad",    "MmadWithSparse",     "LoadData",   "LoadDataWithTranspose",
        "Fixpipe", "LoadDataWithSparse", "LoadData3D", "LoadDataUnzip"};
    return (is(i + 1, "(") || is(i + 1, "<")) &&
           std::find(std::begin(kNames), std::end(kNames), word(i)) != std::end(kNames);
  }

  /// Whether a class or function outside of kernels uses it. All kernels of the source then count
  /// as its users.
  bool cube_outside_kernels() {
    if (cube_outside_ < 0) {
      std::size_t from = 0;
      cube_outside_ = 0;
      for (std::size_t i = 0; i < count() && cube_outside_ == 0; ++i) {
        if (word(i) != "__global__") continue;
        if (uses_cube(from, i)) cube_outside_ = 1;
        from = i = read_kernel_head(source_, i).end - 1;
      }
      if (uses_cube(from, count())) cube_outside_ = 1;
    }
    return cube_outside_ == 1;
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
    if (known_) {
      const auto known = known_->find(key_of(head));
      if (known != known_->end()) head.kind = known->second;
    } else if (head.kind == CoreKind::inferred && head.defined &&
               (uses_cube(at_, head.end) || cube_outside_kernels())) {
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
      found_.ai_cpu.insert(head.name);
      return;
    }
    found_.names.insert(head.name);
    if (head.specialised) {  // launches use the launcher of the template
      found_.specialised.push_back(std::move(head));
      return;
    }
    found_.heads.push_back(head);
    if (!head.defined || head.is_template) return;
    found_.launchers[head.name] += head.internal ? 0 : 1;
    found_.kernels.push_back(std::move(head));
  }

  const Source& source_;
  const KernelKinds* const known_;
  std::size_t at_ = 0;
  std::size_t behind_kernel_head_ = 0;
  int cube_outside_ = -1;  // -1: not determined yet
  std::vector<Scope> scopes_;
  std::set<std::string, std::less<>> structures_;  // with "::" before the last name
  FoundKernels found_;
};

}  // namespace

bool FoundKernels::has_launcher(const std::string& name) const {
  const auto found = launchers.find(name);
  return found != launchers.end() && found->second == 1;
}

FoundKernels find_kernels(const Source& source, const KernelKinds* known) {
  return KernelFinder(source, known).find();
}

KernelKinds kernel_kinds(std::string_view text, const std::string& name) {
  const Source source(text, name);
  KernelKinds kinds;
  for (const KernelHead& head : find_kernels(source).heads) {
    if (head.defined) kinds[key_of(head)] = head.kind;
  }
  return kinds;
}

std::map<std::string, BodyLines> kernels_without_code(std::string_view text,
                                                      const std::string& name) {
  const Source source(text, name);
  std::map<std::string, BodyLines> kernels;
  for (const KernelHead& head : find_kernels(source).heads) {
    if (!head.defined) continue;
    bool empty = true;
    for (std::size_t i = head.body + 1; i + 1 < head.end; ++i) empty &= source.is(i, ";");
    if (!empty) continue;
    const SourceLocation begin = source.location(source.tokens()[head.body]);
    kernels[key_of(head)] = {begin.file, begin.line,
                             source.location(source.tokens()[head.end - 1]).line};
  }
  return kernels;
}

}  // namespace kernel_compiler
