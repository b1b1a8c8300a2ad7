// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ascendc/command_line.h"
#include "tools/ascendc/translate.h"

namespace kernel_compiler {

/// A source is compiled for the host, for vector cores and for cube cores; each sees other macros.
enum class Pass { host, vector, cube };

/// The macros of a pass, as the documentation of the compiler describes them, and those by which
/// the emulator's own headers know the pass.
std::vector<std::string> pass_definitions(Pass pass, const CommandLine& line);

/// The text that distinguishes preprocessed texts of two passes: all of it except for the toolkit's
/// own headers, without white space. `toolkit` is the toolkit's folder.
std::string distinguishing_text(std::string_view preprocessed, const std::string& toolkit);

/// Whether the text may use cube cores, so that the pass for them has to be preprocessed.
/// `distinguishing` is of the pass for vector cores.
bool may_use_cube_cores(std::string_view distinguishing,
                        const std::vector<std::string>& source_files);

/// The files of the program that a preprocessed text was made from.
std::vector<std::string> source_files(std::string_view preprocessed, const std::string& toolkit);

/// One object: the text of a pass, translated for a role.
struct Part {
  Pass pass;
  Role role;
};

/// The objects that a source needs. If the passes have the same text, one object is enough.
struct Plan {
  std::vector<Part> parts;  // the host's part, or the whole program, comes first
  bool vector_pass = false;
  bool cube_pass = false;
  KernelKinds kinds;
};

/// Texts of the passes that were preprocessed; `cube` is null if cube cores are not used.
struct PassTexts {
  const std::string* host;
  const std::string* vector;
  const std::string* cube;
};

Plan plan_passes(const PassTexts& texts, const std::string& name, const std::string& toolkit);

/// The kernels, by their keys in KernelKinds, from whose bodies the preprocessor has removed all
/// code on all cores that they run on. `kinds` are the plan's; `read` returns the text of a
/// file.
std::vector<std::string> emptied_kernels(
    const PassTexts& texts, const std::string& name, const KernelKinds& kinds,
    const std::function<std::string(const std::string&)>& read);

/// The program's variables in the symbol table of an object of a device pass, as `nm -g -P` prints
/// it. They are shared with the object of the host.
std::vector<std::string> shared_variables(std::string_view symbols);

}  // namespace kernel_compiler
