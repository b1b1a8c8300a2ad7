// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "tools/ascendc/translate.h"

namespace ascendc {
namespace {

/// The structure that a parameter passed by value has, as far as the name tells; empty for others.
std::string structure_of(const Parameter& parameter) {
  static const std::set<std::string, std::less<>> kScalars = {
      "void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned",
      "size_t", "half", "bfloat16_t", "wchar_t"};
  std::string name = parameter.type;
  for (const char* word : {"const ", "struct ", "volatile "}) {
    const std::size_t at = name.find(word);
    if (at != std::string::npos) name.erase(at, std::string(word).size());
  }
  while (!name.empty() && name.back() == ' ') name.pop_back();
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (parameter.pointer || !plain || name.ends_with("_t") || kScalars.contains(name)) return {};
  return name;
}

}  // namespace

std::string launch_header(const KernelHead& kernel) {
  const std::string guard = "ACLRTLAUNCH_" + kernel.name + "_H_";
  std::set<std::string> structures;
  std::string list;
  for (const Parameter& parameter : kernel.parameters) {
    const std::string structure = structure_of(parameter);
    if (!structure.empty()) structures.insert(structure);
    list += ", " + (parameter.pointer ? "void *" + parameter.name : parameter.bare);
  }
  std::string text = "/* Made from " + kernel.place.file + ". */\n#ifndef " + guard +
                     "\n#define " + guard + "\n\n#include \"acl/acl_base.h\"\n\n"
                     "#ifndef ACLRT_LAUNCH_KERNEL\n"
                     "#define ACLRT_LAUNCH_KERNEL(kernel_func) aclrtlaunch_##kernel_func\n"
                     "#endif\n\n";
  for (const std::string& structure : structures) text += "struct " + structure + ";\n";
  text += "#ifdef __cplusplus\nextern \"C\"\n#else\nextern\n#endif\nuint32_t aclrtlaunch_" +
          kernel.name + "(uint32_t numBlocks, aclrtStream stream" + list + ");\n\n#endif\n";
  return text;
}

}  // namespace ascendc
