// SPDX-License-Identifier: Apache-2.0
#include "tools/ascendc/passes.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

namespace kernel_compiler {
namespace {

constexpr std::string_view kToolkitFolders[] = {"include/", "asc/",          "compiler/",
                                                "tools/",   "x86_64-linux/", "aarch64-linux/"};

bool in_toolkit(std::string_view file, const std::string& toolkit) {
  if (!file.starts_with(toolkit) || file.size() <= toolkit.size() + 1) return false;
  const std::string_view below = file.substr(toolkit.size() + 1);
  return std::any_of(std::begin(kToolkitFolders), std::end(kToolkitFolders),
                     [&](std::string_view folder) { return below.starts_with(folder); });
}

/// Calls take(file, line) for each line except for line markers.
template <class Take>
void for_each_line(std::string_view text, Take take) {
  std::string_view file;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t open = line.find('"');
    if (line.starts_with("# ") && open != std::string_view::npos) {
      const std::size_t close = line.find('"', open + 1);
      if (close != std::string_view::npos) file = line.substr(open + 1, close - open - 1);
      continue;
    }
    take(file, line);
  }
}

bool runs_on(CoreKind kind, Pass pass) {
  switch (kind) {
    case CoreKind::inferred:
    case CoreKind::vector:
    case CoreKind::mix_0_1:
      return pass == Pass::vector;
    case CoreKind::cube:
    case CoreKind::mix_1_0:
      return pass == Pass::cube;
    default:
      return true;
  }
}

/// The bytes of the unified buffer that a program takes from the toolkit.
int claimed_bytes(const CommandLine& line) {
  const bool wide = line.arch == "dav-3510";
  return (line.claims_library_ub ? (wide ? 2048 : 256) : 0) +
         (line.claims_stack_ub && wide ? 6144 : 0);
}

/// Whether one of the lines is a directive: the body was not written as empty.
bool has_directive(const std::string& text, const BodyLines& lines) {
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size() && line <= lines.last; ++line) {
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (line > lines.first && first != std::string::npos && text[first] == '#') return true;
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  return false;
}

/// A kind that is declared in one pass holds for all.
void merge(KernelKinds& to, const KernelKinds& from) {
  for (const auto& [kernel, kind] : from) {
    CoreKind& known = to.try_emplace(kernel, CoreKind::inferred).first->second;
    if (known == CoreKind::inferred) known = kind;
  }
}

}  // namespace

std::vector<std::string> pass_definitions(Pass pass, const CommandLine& line) {
  const Architecture& architecture = *find_architecture(line.arch);
  const std::string number(architecture.number);
  const char* const core = pass == Pass::cube ? "1" : "2";
  std::vector<std::string> all = {"-DACLSIM_NPU_ARCH=" + number,
                                  std::string("-DACLSIM_PASS_CORE=") + core, "-D__CCE__=1",
                                  "-DACLSIM_UB_CLAIMED=" + std::to_string(claimed_bytes(line))};
  // In CPU mode the host code of public sources distinguishes architectures.
  if (pass != Pass::host || line.cpu_mode) all.push_back("-D__NPU_ARCH__=" + number);
  if (pass == Pass::host) return all;
  const std::string kind = pass == Pass::cube ? "CUBE" : "VEC";
  all.push_back("-D__CCE_AICORE__=" + std::string(architecture.aicore));
  all.push_back("-D__DAV_" + kind + "__=1");
  if (!architecture.dav.empty()) {
    const std::string dav = "-D__DAV_" + std::string(architecture.dav);
    all.push_back(dav + "__=1");
    all.push_back(dav + "_" + kind + "__=1");
  }
  return all;
}

std::string distinguishing_text(std::string_view preprocessed, const std::string& toolkit) {
  std::string text;
  text.reserve(preprocessed.size());
  for_each_line(preprocessed, [&](std::string_view file, std::string_view line) {
    if (in_toolkit(file, toolkit)) return;
    std::copy_if(line.begin(), line.end(), std::back_inserter(text),
                 [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
  });
  return text;
}

std::vector<std::string> source_files(std::string_view preprocessed, const std::string& toolkit) {
  std::set<std::string> files;
  std::string_view last;
  for_each_line(preprocessed, [&](std::string_view file, std::string_view) {
    if (file == last) return;
    last = file;
    if (file.starts_with("<") || file.starts_with("/usr/") || in_toolkit(file, toolkit)) return;
    files.emplace(file);
  });
  return {files.begin(), files.end()};
}

bool may_use_cube_cores(std::string_view distinguishing,
                        const std::vector<std::string>& source_files) {
  static constexpr std::string_view kWords[] = {"CUBE", "Cube",   "__cube__", "AIC",   "_MIX_",
                                                "Mmad", "Matmul", "__mix__",  "MATMUL"};
  const auto has_one = [](std::string_view text) {
    return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) {
      return text.find(word) != std::string_view::npos;
    });
  };
  if (has_one(distinguishing)) return true;
  // Code for cube cores may have been removed by the preprocessor.
  return std::any_of(source_files.begin(), source_files.end(), [&](const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return has_one(text);
  });
}

Plan plan_passes(const PassTexts& texts, const std::string& name, const std::string& toolkit) {
  Plan plan;
  plan.kinds = kernel_kinds(*texts.vector, name);
  if (texts.cube) merge(plan.kinds, kernel_kinds(*texts.cube, name));
  for (const auto& [kernel, kind] : plan.kinds) {
    plan.vector_pass |= runs_on(kind, Pass::vector);
    plan.cube_pass |= texts.cube && runs_on(kind, Pass::cube);
  }
  if (!plan.cube_pass) plan.vector_pass = true;

  const std::string host = distinguishing_text(*texts.host, toolkit);
  const std::string vector = distinguishing_text(*texts.vector, toolkit);
  const std::string cube = texts.cube ? distinguishing_text(*texts.cube, toolkit) : std::string();
  if (plan.vector_pass && plan.cube_pass && vector == cube &&
      vector.find("g_coreType") == std::string::npos)
    plan.cube_pass = false;  // the object for vector cores serves both
  const Pass device = plan.vector_pass ? Pass::vector : Pass::cube;
  const bool one_device = !(plan.vector_pass && plan.cube_pass);
  if (one_device && host == (device == Pass::vector ? vector : cube)) {
    plan.parts = {{device, Role::whole}};
    return plan;
  }
  plan.parts = {{Pass::host, Role::host}};
  if (plan.vector_pass) plan.parts.push_back({Pass::vector, Role::vector});
  if (plan.cube_pass) plan.parts.push_back({Pass::cube, Role::cube});
  return plan;
}

std::vector<std::string> emptied_kernels(
    const PassTexts& texts, const std::string& name, const KernelKinds& kinds,
    const std::function<std::string(const std::string&)>& read) {
  auto bodies = kernels_without_code(*texts.vector, name);
  const auto on_vector = bodies;
  std::map<std::string, BodyLines> on_cube;
  if (texts.cube) on_cube = kernels_without_code(*texts.cube, name);
  bodies.insert(on_cube.begin(), on_cube.end());
  std::vector<std::string> emptied;
  for (const auto& [kernel, lines] : bodies) {
    const CoreKind kind = kinds.at(kernel);
    const bool vector_is_empty = !runs_on(kind, Pass::vector) || on_vector.contains(kernel);
    const bool cube_is_empty =
        !texts.cube || !runs_on(kind, Pass::cube) || on_cube.contains(kernel);
    if (vector_is_empty && cube_is_empty && has_directive(read(lines.file), lines))
      emptied.push_back(kernel);
  }
  return emptied;
}

std::vector<std::string> shared_variables(std::string_view symbols) {
  std::vector<std::string> names;
  for_each_line(symbols, [&](std::string_view, std::string_view line) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space + 1 >= line.size()) return;
    const char type = line[space + 1];
    if (type == 'D' || type == 'B' || type == 'G' || type == 'S' || type == 'C')
      names.emplace_back(line.substr(0, space));
  });
  return names;
}

}  // namespace kernel_compiler
