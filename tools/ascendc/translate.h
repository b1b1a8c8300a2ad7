// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ascendc/kernel_head.h"

namespace kernel_compiler {

/// The kinds of cores of kernels, by name and place of their definition.
using KernelKinds = std::map<std::string, CoreKind>;

/// The part of the program that a translation becomes.
enum class Role {
  whole,   // host and device code in one object
  host,    // bodies of kernels call the objects of the device passes
  vector,  // device code alone, for vector cores; also for cube cores if they have no pass
  cube     // device code alone, for cube cores
};

struct TranslateOptions {
  bool launchers = false;  // also define aclrtlaunch_NAME
  bool workspace = false;  // HAVE_WORKSPACE: the last parameter is the workspace,
  bool tiling = false;     // HAVE_TILING: or the last but one
  Role role = Role::whole;
  bool vector_pass = false;  // of Role::host: the device passes that exist
  bool cube_pass = false;
  KernelKinds kinds;              // of Role::host, which does not see the bodies
  bool first_declaration = true;  // of the kernel whose companion is made
};

struct Translation {
  std::string text;                 // for the host compiler
  std::vector<KernelHead> kernels;  // defined in this source, without templates
  std::size_t launches = 0;
};

/// Translates a preprocessed kernel source (output of `c++ -E` with line markers) to C++:
///  - `NAME<<<a, b, c>>>(x, y)` becomes a call of the launcher of NAME. The launcher is inserted
///    after each declaration of a kernel and is overloaded if the kernel is.
///  - The words that only a device compiler knows are removed: `__global__`, `__vector__`,
///    `[aicore]`, ...
///  - asm("trap") becomes trap().
/// All other text remains unchanged, on its original line. Throws SourceError.
Translation translate(std::string_view text, const std::string& name,
                      const TranslateOptions& options = {});

/// The kernels that a preprocessed source defines.
KernelKinds kernel_kinds(std::string_view text, const std::string& name);

/// The lines of a file that the body of a kernel occupies.
struct BodyLines {
  std::string file;
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};
/// The kernels, by their keys in KernelKinds, whose bodies contain no code.
std::map<std::string, BodyLines> kernels_without_code(std::string_view text,
                                                      const std::string& name);

/// The header aclrtlaunch_NAME.h of a kernel. A structure may be passed by value or by pointer.
std::string launch_header(const KernelHead& kernel);

/// Whether a parameter is a structure that the header can declare.
bool takes_structures(const KernelHead& kernel);

/// The text that is inserted after the declaration of a kernel (companion.cpp).
std::string companion(const KernelHead& kernel, const TranslateOptions& options);

/// The statement that begins the body of a kernel. For the host, the kernel is known by its address
/// from the start of the program; in a device pass, an instantiation of the kernel instantiates the
/// function by which the host's object calls it. `arguments` as of call_passes().
std::string begin_body(const KernelHead& kernel, const std::string& arguments);
std::string begin_body_in_pass(const KernelHead& kernel, const std::string& arguments, Role role);

/// The same for the object of a device pass: the function by which the host's object calls the
/// kernel (device_pass.cpp).
std::string device_companion(const KernelHead& kernel, Role role);

/// The declaration of this function in its own object; the declarations for the object of the host,
/// and the body of the kernel there.
/// `arguments` is the text of the template arguments that the kernel's own declaration has.
std::string declare_in_pass(const KernelHead& kernel, Role role);
std::string declare_passes(const KernelHead& kernel, const TranslateOptions& options);
std::string call_passes(const KernelHead& kernel, const std::string& arguments,
                        const TranslateOptions& options);

/// The names of those functions begin with these words.
std::string_view pass_prefix(Role role);

/// The key of a kernel in KernelKinds.
std::string key_of(const KernelHead& kernel);

/// The parts of a declaration: "template <...> " or nothing; "uint32_t aclsim_launch_NAME(...)"
/// with its attributes; ", a, b" or "a, b".
std::string template_head(const KernelHead& kernel, bool defaults);
std::string launcher_head(const KernelHead& kernel);
std::string template_arguments(const KernelHead& kernel);
std::string argument_list(const KernelHead& kernel, const char* before);

/// The symbol of a kernel's description, which is unique for each kernel and each overload.
std::string symbol_of(const KernelHead& kernel);

/// A C string literal.
std::string c_literal(std::string_view text);

}  // namespace kernel_compiler
