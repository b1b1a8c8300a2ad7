// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernel_compiler {

/// The kind of output that a command line of the kernel compiler requests.
enum class Goal { link, archive, compile, assembly, preprocess };

/// A file to compile or link, or an option that is passed on to the host compiler unchanged.
struct Item {
  std::string text;
  bool kernels = false;             // a source to translate
  bool linking = false;             // an option for the linker alone
  bool before_translation = false;  // an option for the preprocessor alone
};

struct CommandLine {
  Goal goal = Goal::link;
  std::vector<Item> items;  // in their order, without -c, -o and the options of the members below
  std::string output;
  std::string arch = "dav-2201";
  std::string host_compiler;   // --asc-host-compiler
  std::string launch_headers;  // --asc-launch-headers: the folder of the headers to write
  bool simt = false;
  bool claims_library_ub = false;  // --cce-disable-asc-reserved-ubuf
  bool claims_stack_ub = false;    // --cce-disable-vf-stack-reserved-ubuf
  bool cpu_mode = false;
  bool has_standard = false;
  bool has_debug_level = false;
  bool workspace = false;  // -DHAVE_WORKSPACE, -DHAVE_TILING
  bool tiling = false;
  bool dependencies = false;  // -MD or -MMD
  std::string dependency_file;
  bool has_dependency_target = false;
  bool verbose = false;

  bool has_inputs() const;
};

/// An architecture by its name, with its values of __NPU_ARCH__ and __CCE_AICORE__, and the word of
/// its macros __DAV_..._VEC__ and __DAV_..._CUBE__ (empty: it has none).
struct Architecture {
  std::string_view name;
  std::string_view number;
  std::string_view aicore;
  std::string_view dav;
};
/// Returns nullptr for an unknown architecture.
const Architecture* find_architecture(std::string_view name);

/// Reads the arguments after the program's name. Throws std::invalid_argument with one line.
CommandLine read_command_line(const std::vector<std::string>& arguments);

/// The files that the first step writes.
struct Preprocessed {
  std::string text;          // empty: to the standard output
  std::string dependencies;  // the file for make; empty: as the command line says
};
/// Arguments of the compiler for the first step, which preprocesses the source for one pass with
/// the definitions of that pass.
std::vector<std::string> preprocess_arguments(const CommandLine& line, const Item& source,
                                              const std::string& prefix,
                                              const std::vector<std::string>& definitions,
                                              const Preprocessed& to, const std::string& object);
/// Arguments for the second step: `text` is the file that the translator wrote.
std::vector<std::string> compile_arguments(const CommandLine& line, const std::string& text,
                                           const std::string& object);
/// Arguments for the last step: `objects` contains one object for each source of kernels.
std::vector<std::string> link_arguments(const CommandLine& line, const std::string& prefix,
                                        const std::vector<std::string>& objects);
/// Arguments for the files without kernels: sources of host code are passed on.
std::vector<std::string> host_arguments(const CommandLine& line, const std::string& prefix);

}  // namespace kernel_compiler
