// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/local_memories.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tools/ascendc/translate.h"

namespace kernel_compiler {
namespace {

constexpr LocalMemory kLocalMemories[] = {{"__ubuf__", "0", "UB"},    {"__cbuf__", "1", "L1"},
                                          {"__ca__", "2", "L0A"},     {"__cb__", "3", "L0B"},
                                          {"__cc__", "4", "L0C"},     {"__biasbuf__", "5", "BIAS"},
                                          {"__fbuf__", "6", "FIXBUF"}};

const LocalMemory* memory_of(std::string_view keyword) {
  const auto* const found =
      std::find_if(std::begin(kLocalMemories), std::end(kLocalMemories),
                   [&](const LocalMemory& memory) { return memory.keyword == keyword; });
  return found == std::end(kLocalMemories) ? nullptr : found;
}

}  // namespace

bool LocalMemories::is_keyword(std::string_view word) { return memory_of(word) != nullptr; }

/// A pointer into a local memory is a host pointer. An array or a variable of a function is
/// allocated in that memory; all threads of a block share it.
std::size_t LocalMemories::rewrite(std::size_t first) {
  const LocalMemory& memory = *memory_of(word(first));
  if (word(first) == "__ubuf__") {
    if (const std::size_t behind = dynamic_array(first)) return behind;
  }
  remember_pointer(memory, first);
  std::size_t i = first + 1;
  while (i < count() && !is(i + 1, "[") &&
         (source_.is_identifier(i) || is(i, "::") || is(i, "<"))) {
    const std::size_t behind = is(i, "<") ? source_.behind_bracket(i) : i + 1;
    if (behind == 0) break;
    i = behind;
  }
  replace(first, first, "");
  if (i > first + 1 && source_.is_identifier(i) && is(i + 1, "[")) {
    array_in(memory, first, i);
    return first + 1;
  }
  const std::size_t name = i - 1;
  if (is(i, ";") && name > first + 1 && source_.is_identifier(name) && !is(name - 1, "::") &&
      begins_declaration(first) && in_function(first)) {
    lay_out(memory, first, name, i, "&" + std::string(word(name)));
  }
  return first + 1;
}

/// A pointer of C++ does not know its memory, so MakeMemPtr gets the location from the declaration
/// of the array, variable or parameter with which its argument begins.
void LocalMemories::remember_pointer(const LocalMemory& memory, std::size_t at) {
  std::size_t name = 0;
  for (std::size_t i = at + 1; i < count() && word(i).find_first_of("=[;,){") != 0; ++i) {
    if (source_.is_identifier(i)) name = i;
    if (is(i, "(")) return;  // a cast, or a function
    if (is(i, "<")) i = std::max(source_.behind_bracket(i), i + 1) - 1;
  }
  if (name == 0 || is(name - 1, "::")) return;
  pointers_.push_back({std::string(word(name)), name, end_of_scope(name), &memory});
}

void LocalMemories::name_location(std::size_t at) {
  const std::size_t argument = at + 2;
  if (is(at + 1, "(") && source_.is_identifier(argument)) {
    const auto known = std::find_if(pointers_.rbegin(), pointers_.rend(), [&](const Pointer& p) {
      return p.name == word(argument) && p.begin < argument && argument < p.end;
    });
    if (known != pointers_.rend()) {
      edits_.push_back({token(at).end, token(at).end,
                        "<::AscendC::Te::Location::" + std::string(known->memory->location) + ">"});
    }
  }
}

/// The token behind the block that a name belongs to; of a parameter, behind the function.
std::size_t LocalMemories::end_of_scope(std::size_t at) const {
  int depth = 0;
  for (std::size_t i = at; i-- > 0;) {
    if (is(i, "}") || is(i, ")")) ++depth;
    if ((!is(i, "{") && !is(i, "(")) || depth-- > 0) continue;
    std::size_t behind = source_.behind_bracket(i);
    if (is(i, "{") || behind == 0) return behind == 0 ? count() : behind;
    while (is(behind, "const") || is(behind, "noexcept")) ++behind;
    if (is(behind, "{")) behind = source_.behind_bracket(behind);
    return behind == 0 ? count() : behind;
  }
  return count();
}

/// extern __ubuf__ T name[]; the launch decides the size. Uses of the name become calls. 0: another
/// declaration.
std::size_t LocalMemories::dynamic_array(std::size_t at) {
  if (at == 0 || !is(at - 1, "extern")) return 0;
  std::size_t name = at + 1;
  while (name < count() && !is(name + 1, "[") && !is(name, ";")) ++name;
  const std::size_t end = name + 3;
  if (!is(name + 1, "[") || !is(name + 2, "]") || !is(end, ";")) return 0;
  const std::string called(word(name));
  const std::string type = join_tokens(source_, at + 1, name);
  if (in_function(at)) {
    replace(at - 1, end - 1,
            type + " *" + called + " = ::aclsim::launch::dynamic_array<" + type + ">(" +
                c_literal(called) + ")");
  } else {
    replace(at - 1, end,
            "__attribute__((unused)) static inline " + type + " *aclsim_local_" + called +
                "() { return ::aclsim::launch::dynamic_array<" + type + ">(" + c_literal(called) +
                "); }");
    called_[called] = end;
  }
  return end;
}

bool LocalMemories::begins_declaration(std::size_t at) const {
  static constexpr std::string_view kBefore[] = {";", "{", "}", "static"};
  return at > 0 && std::any_of(std::begin(kBefore), std::end(kBefore),
                               [&](std::string_view w) { return is(at - 1, w); });
}

void LocalMemories::array_in(const LocalMemory& memory, std::size_t first, std::size_t name) {
  const std::string keyword(memory.keyword);
  std::size_t end = name + 1;
  while (end != 0 && is(end, "[")) end = source_.behind_bracket(end);
  if (!in_function(first)) {
    fail(first, "the " + keyword + " array '" + std::string(word(name)) +
                    "' is declared outside of a function; expected its declaration in the "
                    "function that uses it");
  }
  if (end == 0 || !is(end, ";")) {
    fail(first, "expected one array to a declaration, without values, behind " + keyword);
  }
  lay_out(memory, first, name, end, "(&" + std::string(word(name)) + ")");
}

void LocalMemories::lay_out(const LocalMemory& memory, std::size_t first, std::size_t name,
                            std::size_t end, std::string reference) {
  if (first > 0 && is(first - 1, "static")) replace(first - 1, first - 1, "");
  const std::string called(word(name));
  replace(name, name, std::move(reference));
  edits_.push_back({token(end).begin, token(end).begin,
                    " = ::aclsim::launch::local_array<" + std::string(memory.number) +
                        ", ::std::remove_reference_t<decltype(" + called + ")>>([] {}, \"" +
                        called + "\")"});
}

/// Whether one of the braces around a token follows a parameter list.
bool LocalMemories::in_function(std::size_t at) const {
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

}  // namespace kernel_compiler
