// SPDX-License-Identifier: Apache-2.0
//
// The text that is inserted after each declaration of a kernel: the function that a launch calls,
// and the description of the kernel for the runtime.
#include <algorithm>

#include "tools/ascendc/translate.h"

namespace kernel_compiler {
namespace {

template <class Text>
std::string list_of(const std::vector<Parameter>& parameters, const char* before, Text text) {
  std::string list;
  for (const Parameter& parameter : parameters) {
    list += (list.empty() ? std::string(before) : ", ") + text(parameter);
  }
  return list;
}

std::string bare_list(const KernelHead& kernel) {
  return list_of(kernel.parameters, "", [](const Parameter& p) { return p.bare; });
}

std::string path_of(const KernelHead& kernel) {
  std::string path = kernel.scope;
  if (!path.empty()) path += "::";
  return path + kernel.qualifier + kernel.name;
}

/// "const ::aclsim::launch::At &aclsim_at, P x, Q y"
std::string launcher_parameters(const KernelHead& kernel) {
  return "const ::aclsim::launch::At &aclsim_at" +
         list_of(kernel.parameters, ", ", [](const Parameter& p) { return p.declaration; });
}

std::string workspace_name(const KernelHead& kernel) {
  return "aclsim_workspace_of_" + kernel.name + "_" + std::to_string(kernel.location.line);
}

std::string signature(const KernelHead& kernel) { return "void(" + bare_list(kernel) + ")"; }

/// The index of the parameter that is the workspace; the number of parameters if none is.
std::size_t workspace_index(const KernelHead& kernel, const TranslateOptions& options) {
  const std::size_t behind = options.tiling ? 2 : 1;
  const std::size_t count = kernel.parameters.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (kernel.parameters[i].system_workspace) return i;
  }
  return options.workspace && count >= behind ? count - behind : count;
}

bool has_workspace(const KernelHead& kernel, const TranslateOptions& options) {
  return workspace_index(kernel, options) != kernel.parameters.size();
}

/// The type that calls the kernel with the bytes of its arguments.
std::string entry_type(const KernelHead& kernel, const TranslateOptions& options) {
  std::string function = "&" + kernel.qualifier + kernel.name;
  function += template_arguments(kernel);
  if (!has_workspace(kernel, options)) {
    return "::aclsim::launch::Entry<" + signature(kernel) + ", " + function + ">";
  }
  return "::aclsim::launch::EntryWithWorkspace<" + signature(kernel) + ", " + function + ", " +
         std::to_string(workspace_index(kernel, options)) + ", " + workspace_name(kernel) + ">";
}

/// Only the kernel's own headers can find the system part of a workspace.
std::string workspace_rule(const KernelHead& kernel, const TranslateOptions& options) {
  if (!has_workspace(kernel, options)) return {};
  // A parameter that is marked as the system's workspace has no user's part.
  const bool whole = kernel.parameters[workspace_index(kernel, options)].system_workspace;
  return "namespace { struct " + workspace_name(kernel) +
         " { static const char *kernel() { return " + c_literal(path_of(kernel)) +
         "; } static void *take(void *base) { "
         "::AscendC::SetSysWorkspace(static_cast<uint8_t *>(base)); " +
         (whole ? "return base; } }; } "
                : "return ::AscendC::GetUserWorkspace(static_cast<uint8_t *>(base)); } }; } ");
}

/// Makes the compilation fail, on the line of the kernel, if the workspace is not a pointer.
std::string workspace_check(const KernelHead& kernel, const TranslateOptions& options) {
  if (!has_workspace(kernel, options)) return {};
  const std::size_t index = workspace_index(kernel, options);
  const std::string what = "the parameter '" + kernel.parameters[index].name + "' of the kernel '" +
                           kernel.name + "' is the workspace, as HAVE_WORKSPACE" +
                           (options.tiling ? " and HAVE_TILING are defined" : " is defined") +
                           "; expected a pointer, as GM_ADDR";
  return "\n# " + std::to_string(kernel.location.line) + " " + c_literal(kernel.location.file) +
         "\nstatic_assert(::aclsim::launch::TakesPointer<" + signature(kernel) + ", " +
         std::to_string(index) + ">::value, " + c_literal(what) + ");\n# 1 " +
         c_literal("<launcher of " + kernel.name + ">") + " 3\n";
}

std::string described(const KernelHead& kernel) {
  return ", " + c_literal(kernel.location.file) + ", " + std::to_string(kernel.location.line) +
         ", " + std::to_string(static_cast<int>(kernel.kind)) + ")";
}

/// Overload resolution selects this function if the launcher does not accept the arguments of a
/// launch, since `...` is worse than any conversion. It may be declared repeatedly.
std::string launcher_that_does_not_fit(const KernelHead& kernel) {
  if (!kernel.qualifier.empty()) return {};  // it is declared in its namespace before
  const std::string list = list_of(
      kernel.parameters, "", [](const Parameter& p) { return p.named ? p.declaration : p.type; });
  const std::string text = c_literal("the arguments do not fit the parameters of the kernel '" +
                                     kernel.name + "': (" + list + ")");
  return (kernel.is_template ? "template <typename...> " : "extern \"C++\" ") +
         ("__attribute__((unavailable(" + text + "), error(" + text +
          "))) uint32_t aclsim_launch_") +
         kernel.name + "(::aclsim::launch::OtherArguments, ...);\n";
}

/// A launcher of the same name that also accepts void pointers. Overload resolution prefers the
/// launcher itself if the types of the arguments fit.
std::string launcher_of_void_pointers(const KernelHead& kernel) {
  const bool has_pointer = std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                                       [](const Parameter& p) { return p.pointer && !p.pack; });
  if (!has_pointer || !kernel.qualifier.empty()) return {};
  const std::string type = kernel.is_template ? "typename " : "";
  const std::string list = list_of(kernel.parameters, ", ", [&](const Parameter& p) {
    if (!p.pointer || p.pack) return p.declaration;
    return type + "::aclsim::launch::NonDeduced<::aclsim::launch::GlobalPointer<" + p.type +
           "> >::type " + p.name + p.declaration.substr(p.bare.size());  // with its default
  });
  const std::string values = list_of(kernel.parameters, ", ", [](const Parameter& p) {
    if (p.pack) return p.name + "...";
    return p.pointer ? p.name + ".get()" : p.name;
  });
  return template_head(kernel, true) +
         (kernel.is_template || kernel.internal ? "" : "extern \"C++\" ") +
         "__attribute__((unused)) " +
         (kernel.is_template || !kernel.internal ? "inline " : "static ") +
         "uint32_t aclsim_launch_" + kernel.name + "(const ::aclsim::launch::At &aclsim_at" + list +
         ") { return aclsim_launch_" + kernel.name + template_arguments(kernel) + "(aclsim_at" +
         values + "); } ";
}

/// The function is weak because kernels of two files may share a name and be launched by <<<>>>.
/// The header of such a name is an #error (launch_names.h).
std::string aclrtlaunch(const KernelHead& kernel) {
  std::string list = list_of(kernel.parameters, ", ", [](const Parameter& p) {
    return p.pointer ? "void *" + p.name : p.bare;
  });
  const std::string values = list_of(kernel.parameters, ", ", [](const Parameter& p) {
    return p.pointer ? "(" + p.type + ")" + p.name : p.name;
  });
  return " extern \"C\" __attribute__((weak, visibility(\"default\"))) uint32_t aclrtlaunch_" +
         kernel.name + "(uint32_t aclsim_blocks, void *aclsim_stream" + list + ") { return " +
         kernel.qualifier + "aclsim_launch_" + kernel.name + "(::aclsim::launch::at(" +
         c_literal(kernel.location.file) + ", " + std::to_string(kernel.location.line) +
         ", aclsim_blocks, 0, aclsim_stream)" + values + "); }";
}

/// The function that aclrtlaunch_NAME of the header calls for structures that come by pointer.
std::string aclrtlaunch_by_pointer(const KernelHead& kernel) {
  if (!takes_structures(kernel)) return {};
  std::string checks;
  std::string values;
  const std::string list = list_of(kernel.parameters, ", ", [&](const Parameter& p) {
    values += ", ";
    if (p.structure.empty()) {
      values += p.name;
      return p.pointer ? "void *" + p.name : p.bare;
    }
    values += "*static_cast<const ::" + p.structure + " *>(" + p.name + ")";
    checks += "if (!" + p.name + ") return ::aclsim::launch::refuse_null(" +
              c_literal(kernel.name) + ", " + c_literal(p.name) + "); ";
    return "const void *" + p.name;
  });
  return " extern \"C\" __attribute__((weak, visibility(\"default\"))) uint32_t "
         "aclsim_aclrtlaunch_" +
         kernel.name + "(uint32_t aclsim_blocks, void *aclsim_stream" + list + ") { " + checks +
         "return aclrtlaunch_" + kernel.name + "(aclsim_blocks, aclsim_stream" + values + "); }";
}

std::string of_template(const KernelHead& kernel, const TranslateOptions& options) {
  return workspace_rule(kernel, options) + launcher_head(kernel) + " { " +
         workspace_check(kernel, options) + "typedef " + entry_type(kernel, options) +
         " aclsim_entry; static const ::aclsim::launch::TemplateCode aclsim_code("
         "aclsim_entry::template_code(" +
         c_literal(path_of(kernel)) + ", __PRETTY_FUNCTION__, " +
         std::to_string(kernel.template_parameters.size()) + described(kernel) +
         "); return aclsim_entry::launch(aclsim_at, aclsim_code.code" +
         argument_list(kernel, ", ") + "); }";
}

std::string of_function(const KernelHead& kernel, const TranslateOptions& options) {
  const bool internal = kernel.internal || kernel.inline_;
  const std::string symbol = symbol_of(kernel);
  const std::string type = "const aclsimKernelCode ";
  const std::string value = type + symbol + " = " + entry_type(kernel, options) + "::code(" +
                            c_literal(path_of(kernel)) + described(kernel) + ";";
  std::string text = workspace_rule(kernel, options);
  if (internal) {
    text += "static __attribute__((unused)) " + value + " ";
  } else {
    text += "extern \"C\" { extern " + type + symbol +
            " __attribute__((visibility(\"default\"))); " + value + " } ";
  }
  std::string launcher = launcher_head(kernel) + " { " + workspace_check(kernel, options) +
                         "return " + entry_type(kernel, options) + "::launch(aclsim_at, " + symbol +
                         argument_list(kernel, ", ") + "); }";
  return text + launcher;
}

}  // namespace

std::string template_head(const KernelHead& kernel, bool defaults) {
  if (!kernel.is_template) return {};
  return "template <" +
         list_of(kernel.template_parameters, "",
                 [&](const Parameter& p) { return defaults ? p.declaration : p.bare; }) +
         "> ";
}

std::string launcher_head(const KernelHead& kernel) {
  std::string head = template_head(kernel, true);
  if (kernel.internal) {
    head += "static __attribute__((unused)) ";
  } else {
    if (!kernel.is_template) head += "extern \"C++\" ";
    head += "__attribute__((unused, visibility(\"default\"))) ";
    if (kernel.inline_ || kernel.is_template) head += "inline ";
  }
  return head + "uint32_t " + kernel.qualifier + "aclsim_launch_" + kernel.name + "(" +
         launcher_parameters(kernel) + ")";
}

std::string template_arguments(const KernelHead& kernel) {
  if (!kernel.is_template) return {};
  return "<" +
         list_of(kernel.template_parameters, "",
                 [](const Parameter& p) { return p.pack ? p.name + "..." : p.name; }) +
         ">";
}

std::string argument_list(const KernelHead& kernel, const char* before) {
  return list_of(kernel.parameters, before,
                 [](const Parameter& p) { return p.pack ? p.name + "..." : p.name; });
}

std::string symbol_of(const KernelHead& kernel) {
  std::string symbol = "aclsimKernelCode_";
  for (const char c : path_of(kernel)) symbol += c == ':' ? '_' : c;
  if (!kernel.c_linkage) {
    std::uint64_t hash = 14695981039346656037U;
    for (const char c : bare_list(kernel)) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    symbol += "_" + std::to_string(hash);
  }
  return symbol;
}

std::string c_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

std::string begin_body(const KernelHead& kernel, const std::string& arguments) {
  const std::string function = "&" + kernel.qualifier + kernel.name + arguments;
  const std::string entry = "::aclsim::launch::Entry<" + signature(kernel) + ", " + function + ">";
  const bool generic = kernel.is_template && !kernel.specialised;
  const std::string code = generic ? entry + "::template_code(" + c_literal(path_of(kernel)) +
                                         ", __PRETTY_FUNCTION__, " +
                                         std::to_string(kernel.template_parameters.size())
                                   : entry + "::code(" + c_literal(path_of(kernel) + arguments);
  return "struct aclsim_text { static aclsimKernelCode code() { return " + code +
         described(kernel) + "; } }; static_cast<void>(&::aclsim::launch::Known<" +
         signature(kernel) + ", " + function + ", aclsim_text>::kernel);";
}

std::string companion(const KernelHead& kernel, const TranslateOptions& options) {
  std::string text = launcher_that_does_not_fit(kernel);
  if (options.role == Role::vector || options.role == Role::cube) {
    text += device_companion(kernel, options.role);
  } else if (!kernel.defined) {
    text += launcher_head(kernel) + ";";
  } else {
    text += kernel.is_template ? of_template(kernel, options) : of_function(kernel, options);
    if (options.launchers && !kernel.is_template && !kernel.internal) {
      text += aclrtlaunch(kernel) + aclrtlaunch_by_pointer(kernel);
    }
  }
  if (options.first_declaration) text += " " + launcher_of_void_pointers(kernel);
  return text;
}

}  // namespace kernel_compiler
