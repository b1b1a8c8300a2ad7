// SPDX-License-Identifier: Apache-2.0
//
// Device code in objects of its own: the functions by which the object of the host calls kernels.
#include "tools/ascendc/translate.h"

namespace kernel_compiler {
namespace {

/// The parameters without defaults, which belong to the first declaration in a scope.
std::string parameters(const KernelHead& kernel) {
  std::string list;
  for (const Parameter& parameter : kernel.parameters) {
    list += (list.empty() ? "" : ", ") + parameter.bare;
  }
  return list;
}

/// A kernel that is defined as `a::NAME` was declared in the namespace `a`.
std::string in_namespace(const KernelHead& kernel, const std::string& text) {
  if (kernel.qualifier.empty()) return text;
  const bool global = kernel.qualifier.starts_with("::");
  const std::string path =
      kernel.qualifier.substr(global ? 2 : 0, kernel.qualifier.size() - (global ? 4 : 2));
  return path.empty() ? text : "namespace " + path + " { " + text + " } ";
}

std::string function_head(const KernelHead& kernel, Role role, const char* attributes) {
  return template_head(kernel, false) + attributes + "void " + std::string(pass_prefix(role)) +
         kernel.name + "(" + parameters(kernel) + ")";
}

std::string call(const KernelHead& kernel, const std::string& arguments, Role role) {
  return kernel.qualifier + std::string(pass_prefix(role)) + kernel.name + arguments + "(" +
         argument_list(kernel, "") + ");";
}

/// An object of a device pass has the function although nothing in it calls it.
constexpr const char* kKept = "__attribute__((used, noinline)) ";

/// The function by which the object of the host calls the kernel.
std::string function_in_pass(const KernelHead& kernel, Role role) {
  return in_namespace(kernel, function_head(kernel, role, kKept) + " { " + kernel.name +
                                  template_arguments(kernel) + "(" + argument_list(kernel, "") +
                                  "); }");
}

}  // namespace

std::string_view pass_prefix(Role role) {
  return role == Role::cube ? "aclsim_on_cube_" : "aclsim_on_vector_";
}

std::string key_of(const KernelHead& kernel) {
  return kernel.name + " " + kernel.location.file + ":" + std::to_string(kernel.location.line);
}

/// The launcher in a device pass is never called. Its instantiations instantiate the kernel for the
/// template arguments of the program's launches.
std::string device_companion(const KernelHead& kernel, Role role) {
  if (!kernel.defined) return launcher_head(kernel) + ";";
  const std::string called = call(kernel, template_arguments(kernel), role);
  return function_in_pass(kernel, role) + " " + launcher_head(kernel) + " { " + called +
         " return 0; }";
}

std::string declare_in_pass(const KernelHead& kernel, Role role) {
  return in_namespace(kernel, function_head(kernel, role, kKept) + "; ");
}

std::string declare_passes(const KernelHead& kernel, const TranslateOptions& options) {
  std::string text;
  for (const Role role : {Role::vector, Role::cube}) {
    const bool exists = role == Role::cube ? options.cube_pass : options.vector_pass;
    if (exists) text += in_namespace(kernel, function_head(kernel, role, "") + "; ");
  }
  return text;
}

std::string begin_body_in_pass(const KernelHead& kernel, const std::string& arguments, Role role) {
  return "static_cast<void>(static_cast<void (*)(" + parameters(kernel) + ")>(&" +
         kernel.qualifier + std::string(pass_prefix(role)) + kernel.name + arguments + "));";
}

std::string call_passes(const KernelHead& kernel, const std::string& arguments,
                        const TranslateOptions& options) {
  const std::string on_vector = call(kernel, arguments, Role::vector);
  const std::string on_cube = call(kernel, arguments, Role::cube);
  if (!options.cube_pass) return "{ " + on_vector + " }";
  if (!options.vector_pass) return "{ " + on_cube + " }";
  return "{ if (aclsimThisCore()->kind == ACLSIM_AIC) " + on_cube + " else " + on_vector + " }";
}

}  // namespace kernel_compiler
