// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/ascendc/lexer.h"

namespace kernel_compiler {

/// The same values as aclsimCoreKind in include/ascendc/impl/launch.h.
enum class CoreKind : std::uint8_t { inferred, vector, cube, mix_1_1, mix_1_2, mix_1_0, mix_0_1 };

/// One parameter of a function or of a template.
struct Parameter {
  std::string declaration;  // with its default and a name (generated if the source has none)
  std::string bare;         // the same without the default
  std::string type;         // without name and default
  std::string name;
  std::string structure;    // "a::b" of a structure or class that is passed by value and can be
                            // declared without its body
  bool named = true;        // in the source
  std::size_t name_at = 0;  // the token before which a name can be inserted
  bool pointer = false;
  bool system_workspace = false;  // __kfc_workspace__
  bool pack = false;              // typename... Ts, Ts... values
};

/// How a kernel is declared: everything up to its body or the semicolon.
struct KernelHead {
  std::string name;
  std::string scope;      // "a::b" of the namespaces around it
  std::string qualifier;  // "a::" before the name in the declaration itself
  bool in_block = false;  // of a function or class
  bool internal = false;  // static, or in a namespace without a name
  bool inline_ = false;
  bool is_template = false;
  bool specialised = false;  // explicit specialisation or instantiation of a template
  bool c_linkage = false;
  bool ai_cpu = false;
  CoreKind kind = CoreKind::inferred;
  std::vector<Parameter> template_parameters;
  std::vector<Parameter> parameters;
  SourceLocation location;  // of the name
  std::size_t begin = 0;    // the first token of the declaration
  std::size_t name_token = 0;
  std::size_t list = 0;  // the token `(` of the parameters
  std::size_t body = 0;  // the token `{` if the declaration has a body
  std::size_t end = 0;   // the token after the declaration (after the body or the semicolon)
  bool defined = false;
};

/// Reads the declaration whose `__global__` is token `index`. Throws SourceError if it cannot be a
/// kernel: a result other than void, a reference as parameter, no parameter list.
KernelHead read_kernel_head(const Source& source, std::size_t index);

/// The tokens from `begin` to `end` as text on one line.
std::string join_tokens(const Source& source, std::size_t begin, std::size_t end);

}  // namespace kernel_compiler
