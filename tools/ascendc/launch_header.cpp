// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "tools/ascendc/translate.h"

namespace kernel_compiler {
namespace {

/// `struct a;`, `namespace a { namespace b { struct c; } }`
std::string declaration_of(const std::string& path) {
  std::string text;
  std::string closing;
  std::size_t at = 0;
  for (std::size_t end; (end = path.find("::", at)) != std::string::npos; at = end + 2) {
    text += "namespace " + path.substr(at, end - at) + " { ";
    closing += " }";
  }
  return text + "struct " + path.substr(at) + ";" + closing + "\n";
}

/// The parameters after the stream; `pointers`: structures come by pointer.
std::string list_of(const KernelHead& kernel, bool pointers) {
  std::string list;
  for (const Parameter& p : kernel.parameters) {
    const std::string type =
        p.structure.empty()
            ? std::string()
            : (p.structure.find("::") != std::string::npos ? "::" : "") + p.structure;
    if (p.pointer) {
      list += ", void *" + p.name;
    } else if (type.empty()) {
      list += ", " + p.bare;
    } else {
      list += ", " + ((pointers ? "const " : "") + type) + (pointers ? " *" : " ") + p.name;
    }
  }
  return list;
}

}  // namespace

bool takes_structures(const KernelHead& kernel) {
  for (const Parameter& parameter : kernel.parameters) {
    if (!parameter.structure.empty()) return true;
  }
  return false;
}

std::string launch_header(const KernelHead& kernel) {
  const std::string guard = "ACLRTLAUNCH_" + kernel.name + "_H_";
  std::set<std::string> structures;
  std::string names;
  for (const Parameter& parameter : kernel.parameters) {
    if (!parameter.structure.empty()) structures.insert(parameter.structure);
    names += ", " + parameter.name;
  }
  std::string text = "/* Made from " + kernel.location.file + ". */\n#ifndef " + guard +
                     "\n#define " + guard +
                     "\n\n#include \"acl/acl_base.h\"\n\n"
                     "#ifndef ACLRT_LAUNCH_KERNEL\n"
                     "#define ACLRT_LAUNCH_KERNEL(kernel_func) aclrtlaunch_##kernel_func\n"
                     "#endif\n\n";
  const std::string first = "(uint32_t numBlocks, aclrtStream stream";
  for (const std::string& structure : structures) text += declaration_of(structure);
  text += "#ifdef __cplusplus\nextern \"C\"\n#else\nextern\n#endif\nuint32_t aclrtlaunch_" +
          kernel.name + first + list_of(kernel, false) + ");\n";
  if (takes_structures(kernel)) {
    const std::string list = first + list_of(kernel, true) + ")";
    text += "\n#ifdef __cplusplus\nextern \"C\" uint32_t aclsim_aclrtlaunch_" + kernel.name + list +
            ";\nextern \"C++\" inline uint32_t aclrtlaunch_" + kernel.name + list +
            " {\n  return aclsim_aclrtlaunch_" + kernel.name + "(numBlocks, stream" + names +
            ");\n}\n#endif\n";
  }
  return text + "\n#endif\n";
}

}  // namespace kernel_compiler
